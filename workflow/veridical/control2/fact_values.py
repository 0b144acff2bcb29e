"""Details of a life that can be altered in any language: the values that its facts say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from veridical.control2.alterations import Alteration, problems

if TYPE_CHECKING:
    import numpy as np

    from veridical.corpora.history import History

VALUE = "value"  # the kind of such a detail


class FactValues:
    """Exchanges a value for another of its attribute that its subject never had.

    A text's subjects are those of the facts that its event says with that value; of an event that
    says none, those that it names; where it names none, any. Only values that stand once in the
    text, as words of their own and in no longer value, are exchanged, for values that don't stand
    there: a text never contradicts itself.
    """

    def __init__(self, life: History):
        self.language = life.language
        facts = life.facts[life.facts["attribute"] != "speaker"]
        self.values: dict[str, list[str]] = {
            str(attribute): sorted(set(own["value"]))
            for attribute, own in facts.groupby("attribute", sort=True)
        }
        self.had: dict[tuple[str, str], set[str]] = {}
        self.said: dict[tuple[str, str, str], list[str]] = {}
        for row in facts.itertuples():
            self.had.setdefault((row.attribute, row.subject), set()).add(row.value)
            self.said.setdefault((row.event, row.attribute, row.value), []).append(row.subject)

    def find(self, event: str, text: str, rng: np.random.Generator) -> list[Alteration]:
        """Every value that the event's text allows to be exchanged, with another drawn for it."""
        found = []
        for attribute, values in self.values.items():
            for place, value in _once(text, self.values, values):
                never = self._never(event, text, attribute, value)
                others = [other for other in never if not _places(other, text)]
                if others:
                    target = others[int(rng.integers(len(others)))]
                    found.append(Alteration(VALUE, place, value, target))
        return [one for one in found if not problems(text, one, self.language)]

    def _never(self, event: str, text: str, attribute: str, value: str) -> list[str]:
        """The attribute's values that none of those whom the text is about ever had."""
        subjects = self.said.get((event, attribute, value)) or [
            subject for owner, subject in self.had if owner == attribute and _places(subject, text)
        ]
        had = {value}.union(*(self.had[attribute, subject] for subject in subjects))
        return [other for other in self.values[attribute] if other not in had]


def _once(text: str, every: Mapping[str, list[str]], values: list[str]) -> list[tuple[int, str]]:
    """Where values stand that stand once, and in no longer value (`blue` in `dark blue`)."""
    found = []
    for value in values:
        places = _places(value, text)
        if len(places) != 1:
            continue
        (start,) = places
        longer = [
            (at, at + len(other))
            for others in every.values() for other in others
            if len(other) > len(value) and value in other
            for at in _places(other, text)
        ]  # fmt: skip
        if not any(low <= start and start + len(value) <= high for low, high in longer):
            found.append((start, value))
    return found


def _places(term: str, text: str) -> list[int]:
    return [hit.start() for hit in re.finditer(rf"(?<!\w){re.escape(term)}(?!\w)", text)]
