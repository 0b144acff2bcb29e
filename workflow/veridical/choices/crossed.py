"""Whether answers given elsewhere are whole: everyone asked everything under every document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd


class Gap(NamedTuple):
    """Probes for which `who` has no row under a document or condition."""

    who: str
    under: str
    probes: list[str]


def first_gap(answers: pd.DataFrame, who: str, under: str, wanted: Sequence[str]) -> Gap | None:
    """The first of `who` that lacks a probe under one of the `wanted`; None where none does.

    `answers` has a row an answer, with the columns `probe_id`, `who` and `under`. What was not
    answered is a row of its own, with an empty answer.
    """
    every = set(answers["probe_id"])
    for name, own in answers.groupby(who, sort=False):
        for each in wanted:
            if lacking := sorted(every - set(own["probe_id"][own[under] == each])):
                return Gap(str(name), each, lacking)
    return None
