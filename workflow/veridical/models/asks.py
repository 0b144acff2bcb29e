"""What a part asks of which model: counted from the config, before any prompt is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from veridical.models.exchange import Form, Model

FREE = Form()  # of an answer in any words


@dataclass(frozen=True)
class Ask:
    """One collection of a part for one model.

    `prompts` is where its prompts will lie, a glob below the study's results; `calls` how many
    calls the config implies; `tokens` a guess at one prompt's length where it isn't written yet;
    `parameters` those of the calls, over the model's own; `form` that of the answers. `within` is
    the identity of a memory system that asks the model of its own accord: its calls stand in the
    exchanges of the ledger called `ledger`, and have no prompts file.
    """

    collection: str
    model: Model
    prompts: str
    calls: int
    tokens: int
    parameters: Mapping[str, Any] = field(default_factory=dict)
    form: Form = FREE
    within: Mapping[str, Any] | None = None
    ledger: str = ""


def asks_of(
    config: Mapping[str, Any],
    collection: str,
    models: list[str],
    prompts: str,
    calls: int,
    tokens: int,
    parameters: Mapping[str, Any] | None = None,
    form: Form = FREE,
) -> Iterator[Ask]:
    """The same question put to several models, whose names `{model}` in `prompts` stands for."""
    for name in models:
        model = Model.from_config(name, config["models"][name])
        place = prompts.replace("{model}", name)
        yield Ask(collection, model, place, calls, tokens, parameters or {}, form)
