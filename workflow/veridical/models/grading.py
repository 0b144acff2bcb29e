"""Is an answer right? What a judge is asked of one answer, whatever part of the study it is of."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from veridical.base.characters import fence
from veridical.models.exchange import Form
from veridical.models.prompts import Turn

TEXTS = Path(__file__).parents[1] / "texts"
NAMES = ("verdict", "verdict-sheet", "verdict-words")  # the fixed texts, one file a language


def verdict_turn(
    question: str,
    expected: str,
    answer: str,
    *,
    language: str = "en",
    facts: Mapping[str, Any] | None = None,
) -> Turn:
    """The question, the right answer and the one that was given, each between bars of its own, so
    that none of them speaks to the judge; to be answered with one of `verdicts`."""
    shown = {"question": question, "expected": expected, "answer": answer}
    fenced = {name: fence(text) for name, text in shown.items()}
    user = _text("verdict-sheet", language).format(**fenced)
    form = Form("choice", verdicts(language))
    return Turn(user, form, _text("verdict", language), facts=facts or {})


def verdicts(language: str = "en") -> tuple[str, str]:
    """The words for right and for wrong. Raises ValueError where the text has others than two."""
    words = _text("verdict-words", language).splitlines()
    if len(words) != 2:
        raise ValueError(
            f"verdict-words.{language}.txt: two lines are wanted, the words for right and for wrong"
        )
    return words[0], words[1]


def _text(name: str, language: str) -> str:
    """One of the texts. Raises ValueError naming the file where there is none."""
    path = TEXTS / f"{name}.{language}.txt"
    if not path.is_file():
        raise ValueError(f"no text {path.name} in {TEXTS}: write it")
    return path.read_text(encoding="utf-8").rstrip("\n")
