"""A call's parameters, under the names that the server knows.

The parts of the study speak of `max_tokens`, `temperature`, `top_p`, `top_k`,
`repetition_penalty`, `seed` and `stop`; servers call these otherwise, or don't take them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from veridical.models.exchange import Call

BUDGETS = ("max_tokens", "max_completion_tokens", "max_output_tokens", "num_predict")
NEUTRAL = {  # values that ask for nothing: a server without the parameter does just that
    "top_k": (None, 0, -1),
    "min_p": (None, 0),
    "repetition_penalty": (None, 1),
    "presence_penalty": (None, 0),
    "frequency_penalty": (None, 0),
}


def parameters_of(call: Call, names: Mapping[str, str | None]) -> dict[str, Any]:
    """Rename and merge the parameters of the model and of the call; the call's count.

    `names` says what the provider calls a parameter, None that it has none such. The model's
    option `names` comes before it: `{temperature: null, max_tokens: max_completion_tokens}`
    describes a reasoning model. One that the option drops is dropped; one that the provider
    doesn't have is dropped where its value is neutral, and a `seed` always. The model's option
    `thinking_room` is added to the token budget. A `seed` moves on by the sample index, since one
    seed for all samples would bring one text n times.

    Raises ValueError for a parameter that the provider hasn't and that isn't neutral.
    """
    given: Mapping[str, str | None] = call.model.options.get("names", {})
    merged: dict[str, Any] = {}
    for level in (call.model.parameters, call.parameters):
        for name, value in level.items():
            known = given[name] if name in given else names.get(name, name)
            if known is not None:
                merged[known] = value
            elif name not in (*given, "seed", "stop") and value not in NEUTRAL.get(name, (None,)):
                raise ValueError(
                    f"there is no parameter {name!r} here, and {value!r} is no neutral value: "
                    f"leave it out with `names: {{ {name}: null }}` in the model's config entry"
                )
    merged = {name: value for name, value in merged.items() if value is not None}
    if room := call.model.options.get("thinking_room"):
        for name in BUDGETS:
            if name in merged:
                merged[name] = int(merged[name]) + int(room)
    if "seed" in merged:
        merged["seed"] = int(merged["seed"]) + call.sample
    return merged
