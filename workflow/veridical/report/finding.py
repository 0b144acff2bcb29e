"""What a part found, in sentences that rules have chosen from its tables."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from veridical.report.wording import Said, plain


@dataclass(frozen=True)
class Glance:
    """One line of the first screen: a sentence of counts, and the shares drawn as bars before it,
    each in 0..1, None where it can't be had."""

    said: Said
    shares: tuple[float | None, ...]


@dataclass(frozen=True)
class Finding:
    """A part's result in words; each sentence keeps the key of the text that it was worded from.

    answer: one sentence for the first screen. sure: a key of `sureness`. limits: the sentences
    that say how far it carries, the weightiest first. details: the sentences of the result.
    glance: lines of counts that stand under the answer on the first screen, and nowhere else.
    """

    answer: str
    sure: str
    limits: tuple[Said, ...] = ()
    details: tuple[Said, ...] = ()
    glance: tuple[Glance, ...] = ()

    def told(self, *keys: str) -> str:
        """The sentences of these keys without marks; `answer` is the answer and three details."""
        said: list[str] = [self.answer, *self.details[:3]] if "answer" in keys else []
        said += [one for one in (*self.limits, *self.details) if one.key in keys]
        return plain(" ".join(dict.fromkeys(said)))


def true(values: pd.Series) -> pd.Series:
    """Flags as booleans, a missing one false."""
    return values.map(lambda value: str(value).lower() in ("true", "1", "1.0")).astype(bool)
