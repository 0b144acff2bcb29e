"""How many responses and verdicts Control 1 takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from veridical.base.counterfeits import counterfeits
from veridical.models.asks import Ask, asks_of

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus

RESPONSE_TOKENS = 1800  # of one prompt that isn't written yet, with a memory of 5,300 characters
RECALLED_TOKENS = 400  # of one with five recalled items of some 180 characters
SHEET_TOKENS = 700
MEMORY_TOKENS = 1700  # of a memory of 5,300 characters, on a sheet that shows it
TEXTS = (
    "memory",
    "no-memory",
    "task-response",
    "rubric",
    "metrics",
    "sheet",
    "positive-input",
    "positive-answer",
)  # the fixed texts it needs in a corpus's language


def texts_shown(*, direct: bool, opened: bool) -> dict[str, str]:
    """The names of the texts that a judge reads: of the rubric and of a sheet.

    >>> texts_shown(direct=True, opened=False)
    {'rubric': 'rubric-direct', 'sheet': 'sheet-direct'}
    """
    rubric, sheet = ("rubric-direct", "sheet-direct") if direct else ("rubric", "sheet")
    return {"rubric": rubric, "sheet": f"{sheet}-open" if opened else sheet}


def shown_by(part: Mapping[str, Any]) -> dict[str, str]:
    """The same for the settings of the config's `control1`."""
    return texts_shown(direct=is_direct(part), opened=part.get("sheet") == "open")


def is_direct(part: Mapping[str, Any]) -> bool:
    """Whether the config's `control1` has the own memory's answer beside a counterfeit's."""
    return part.get("pairs") == "direct"


def asks(config: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> Iterator[Ask]:
    """Each corpus's items under each document, under none if asked for, and under the whole log
    where they lack the lived answer that a sheet shows; then each cell's pairs once to each judge,
    and what stands beside them."""
    from veridical.control1.beside import Beside  # these bring pandas, which no dry run needs
    from veridical.control1.cells import cells_of
    from veridical.control1.direct.choices import choice_form
    from veridical.control1.verdicts import verdict_form

    part = config["control1"]
    direct = is_direct(part)
    if part.get("verdicts_csv"):
        return
    held = {name: len(counterfeits(config, name)) for name in part["corpora"]}
    for name, given in held.items():
        test_day = corpora[name].test_day
        lacking = int((test_day["anchor"].fillna("").str.strip() == "").sum()) * (not direct)
        yield from asks_of(
            config,
            "responses",
            [] if part.get("responses_csv") else part["responders"],
            f"control1/prompts/responses-{name}.jsonl",
            len(test_day) * (1 + given + part["none"]) + lacking,
            RECALLED_TOKENS if part.get("memory") else RESPONSE_TOKENS,
            part["response"],
        )
    cells = [(len(corpora[corpus].test_day), held[corpus]) for _, corpus in cells_of(part)]
    own = 0 if direct else 1  # the veridical answer has a pair of its own, beside the anchor
    items, pairs = sum(n for n, _ in cells), sum(n * (own + given) for n, given in cells)
    judged = pairs - (items if part.get("original_csv") else 0)
    more = Beside.from_config(part).counts(items, pairs, len(held), direct=direct)
    form = choice_form if direct else verdict_form
    yield from asks_of(
        config,
        "verdicts",
        part["judges"],
        "control1/sheets/{model}.jsonl",
        judged + sum(more.values()),
        SHEET_TOKENS + (MEMORY_TOKENS if part["sheet"] == "open" else 0),
        part["verdict"],
        form(part["metrics"], rationale=part["rationale"]),
    )
