"""Replies files written without a model: what scripts read, with the facts that prompts carry."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from veridical.ledger.replies import COLUMNS
from veridical.models.prompts import Prompt, read_prompts


def write_replies(
    prompts: Path,
    out: Path,
    say: Callable[[Prompt, int, int, Mapping[str, Any]], str],
    model: str = "scripted",
) -> Path:
    """Answer every turn of every sample with `say(prompt, sample, turn, facts)`; returns `out`."""
    lines = []
    for prompt in read_prompts(prompts):
        for sample in range(prompt.samples):
            for number, turn in enumerate(prompt.turns):
                facts = {**prompt.facts, **turn.facts}
                said = say(prompt, sample, number, facts)
                line = dict.fromkeys(COLUMNS) | {"model": model, "id": prompt.id, "facts": facts}
                line |= {"sample": sample, "turn": number, "state": "ok"}
                lines.append(line | {"value": said, "text": said, "exchanges": []})
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return out
