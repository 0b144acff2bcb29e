"""What a model is asked: each item behind what its arm gives it, the same words in every arm."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.benchmarks.arms import Arms, fitting
from veridical.benchmarks.items import Item
from veridical.models.exchange import Form
from veridical.models.prompts import Document, Prompt, Turn

TEXTS = Path(__file__).parents[1] / "texts"
LONG = 60  # characters from which a benchmark's options are answered by letter
ABSTENTION = "I don't know"


def benchmark_prompts(
    arms: Arms, arm: str, items: Sequence[Item], parameters: Mapping[str, Any] | None = None
) -> Iterator[Prompt]:
    """A prompt an item of one arm, items of one history together, so that they share a prefix.

    `parameters` are sent with every question, over the model's own.

    Facts: `arm`, `item_id`, `stratum`, `cluster`, `truth` (the right option as it is offered, else
    the answer), `accepted` (further wordings) and `abstention`.
    """
    by_letter = answered_by_letter(items)
    asked = fitting(arm, items)
    for item in sorted(asked, key=lambda each: each.history.id if each.history else ""):
        given = arms.give(arm, item)
        turn = _turn(item, arm, given.text if given.sessions else "", by_letter)
        yield Prompt(
            f"{arm}-{item.id}", (turn,), parameters=parameters or {}, facts=dict(turn.facts)
        )


def recalled_prompts(
    system: str,
    arm: str,
    items: Sequence[Item],
    found: Mapping[str, Sequence[str]],
    parameters: Mapping[str, Any] | None = None,
) -> Iterator[Prompt]:
    """The same questions behind what a memory system recalled for them, by item; of items whose
    bank counts. What came back as nothing is no memory. Facts as above, and `system`."""
    by_letter = answered_by_letter(items)
    for item in items:
        if item.id in found:
            turn = _turn(item, arm, "\n".join(found[item.id]), by_letter, {"system": system})
            name = f"{arm}-{system}-{item.id}"
            yield Prompt(name, (turn,), parameters=parameters or {}, facts=dict(turn.facts))


def _turn(
    item: Item, arm: str, text: str, by_letter: bool, more: Mapping[str, Any] | None = None
) -> Turn:
    """An item's question behind a memory; an empty one is told to be none."""
    system = _text("memory").format(history=text) if text else _text("none")
    document = Document(arm, text) if text else None
    offered = letters(item) if by_letter else item.options
    form = Form("choice", offered) if offered else Form("text", abstention=ABSTENTION)
    facts = {
        "arm": arm,
        "item_id": item.id,
        "stratum": item.stratum,
        "cluster": item.cluster,
        "truth": offered[item.key] if item.key is not None else item.answer,
        "accepted": list(item.accepted),
        "abstention": item.abstention,
        **(more or {}),
    }
    return Turn(_question(item, offered), form, system, document=document, facts=facts)


def answered_by_letter(items: Iterable[Item]) -> bool:
    """Whether options are named by letter: where some item's are long, or read alike."""
    return any(
        max(map(len, each.options)) > LONG
        or len(set(map(str.casefold, each.options))) < len(each.options)
        for each in items
        if each.options
    )


def letters(item: Item) -> tuple[str, ...]:
    """A letter an option, in their order."""
    return tuple(chr(ord("A") + place) for place in range(len(item.options)))


def askable(items: Iterable[Item]) -> list[Item]:
    """The items that a model can be asked and scored on: those whose key is one of the options."""
    return [each for each in items if not each.options or each.key is not None]


def _question(item: Item, offered: Sequence[str]) -> str:
    date = f"Today is {item.date}. " if item.date else ""
    if not item.options:
        return _text("open").format(question=f"{date}{item.question}", abstention=ABSTENTION)
    if tuple(offered) == item.options:
        listed = ", ".join(item.options)
        return _text("choice").format(question=f"{date}{item.question}", options=listed)
    listed = "\n".join(f"{name}. {text}" for name, text in zip(offered, item.options, strict=True))
    return _text("letter").format(question=f"{date}{item.question}", options=listed)


def _text(name: str) -> str:
    return (TEXTS / f"benchmark-{name}.en.txt").read_text(encoding="utf-8").rstrip("\n")
