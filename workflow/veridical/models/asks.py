"""What a part asks of which model: counted from the config, before any prompt is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from veridical.models.exchange import Model


@dataclass(frozen=True)
class Ask:
    """One collection of a part for one model.

    `prompts` is where its prompts will lie, a glob below the study's results; `calls` how many
    calls the config implies; `tokens` a guess at one prompt's length where it isn't written yet;
    `parameters` those of the calls, over the model's own.
    """

    collection: str
    model: Model
    prompts: str
    calls: int
    tokens: int
    parameters: Mapping[str, Any] = field(default_factory=dict)


def asks_of(
    config: Mapping[str, Any],
    collection: str,
    models: list[str],
    prompts: str,
    calls: int,
    tokens: int,
    parameters: Mapping[str, Any] | None = None,
) -> Iterator[Ask]:
    """The same question put to several models, whose names `{model}` in `prompts` stands for."""
    for name in models:
        model = Model.from_config(name, config["models"][name])
        yield Ask(
            collection, model, prompts.replace("{model}", name), calls, tokens, parameters or {}
        )
