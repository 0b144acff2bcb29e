"""From studies to shares: a row a memory and instrument, one number an instrument, the curves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from veridical.memories.faults import FAULTS
from veridical.statistics.intervals import wilson
from veridical.zoo.instruments import OTHERS, OURS, TOGETHER, Instrument
from veridical.zoo.measuring import (
    CALIBRATION,
    SOUND,
    USUAL,
    Run,
    limits,
    noticed,
    sound_scores,
)
from veridical.zoo.tables import FAULT_TABLE, INSTRUMENTS, POWER, RATES, THRESHOLDS
from veridical.zoo.thresholds import ALPHA

SEEN = 0.8  # four studies of five
CONTROLS, SCORES = "controls", "scores"  # ours together, and what others report together
Counts = dict[tuple[str, str, float | None], dict[str, list[bool]]]


def tables(found: Sequence[Run], instruments: Sequence[Instrument]) -> dict[str, pd.DataFrame]:
    """The part's tables, by file name."""
    limit = limits(found, instruments)
    groups = {each.key: each.group for each in instruments}
    groups |= {CONTROLS: TOGETHER, SCORES: TOGETHER}
    counted = count(found, instruments, limit)
    rates = pd.DataFrame(rate_rows(counted, groups), columns=RATES.names)
    power = pd.DataFrame(power_rows(counted), columns=POWER.names)
    return {
        "rates": rates,
        "instruments": instrument_table(rates, instruments),
        "faults": fault_table(rates, power),
        "power": power,
        "thresholds": pd.DataFrame(threshold_rows(found, limit), columns=THRESHOLDS.names),
    }


def count(
    found: Sequence[Run],
    instruments: Sequence[Instrument],
    limit: Mapping[tuple[str, str], float | None],
) -> Counts:
    """By (purpose, subject, strength): which studies each instrument noticed something in; several
    together those that all of them are put to."""
    counted: Counts = defaultdict(lambda: defaultdict(list))
    for run in found:
        if run.purpose == CALIBRATION:
            continue
        decided = noticed(run, instruments, dict(limit))
        shared = [each for each in instruments if each.key in run.saw and not each.apart]
        for name, group in ((CONTROLS, OURS), (SCORES, OTHERS)) if shared else ():
            decided[name] = any(decided[each.key] for each in shared if each.group == group)
        for name, value in decided.items():
            counted[run.purpose, run.subject, run.strength][name].append(value)
    return counted


def rate_rows(counted: Counts, groups: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """A row a memory and instrument, faults at their usual strength."""
    for (purpose, subject, strength), decided in counted.items():
        if purpose not in (SOUND, USUAL):
            continue
        side = SOUND if purpose == SOUND else FAULTS[subject].side
        for name, values in decided.items():
            row = _share(values)
            seen = purpose == USUAL and row["share"] >= SEEN
            head = {"subject": subject, "side": side, "strength": strength, "instrument": name}
            yield {**head, "group": groups[name], **row, "seen": seen}


def _share(values: Sequence[bool]) -> dict[str, Any]:
    low, high = wilson(sum(values), len(values))
    share = sum(values) / len(values)
    return {
        "studies": len(values),
        "noticed": sum(values),
        "share": share,
        "low": low,
        "high": high,
    }


def instrument_table(rates: pd.DataFrame, instruments: Sequence[Instrument]) -> pd.DataFrame:
    """A row an instrument: how many faults it sees, and how often it cries wolf at worst.

    One whose false alarms on a sound memory are surely more than `ALPHA` (Wilson's lower end) is
    void: what it notices is not counted.
    """
    kinds = {each.key: each.kind for each in instruments} | {CONTROLS: "decides", SCORES: "scores"}
    rows = []
    for name, mine in rates.groupby("instrument", sort=False):
        faulty, sound = mine[mine["side"] != SOUND], mine[mine["side"] == SOUND]
        worst = sound.sort_values("share", ascending=False, kind="stable").iloc[0]
        void = bool(worst["low"] > ALPHA)
        seen = 0 if void else int(faulty["seen"].sum())
        rows.append(
            {
                "instrument": name,
                "group": mine["group"].iloc[0],
                "kind": kinds[str(name)],
                "faults": len(faulty),
                "seen": seen,
                "seen_share": seen / len(faulty),
                "false_share": worst["share"],
                "false_low": worst["low"],
                "false_high": worst["high"],
                "false_on": worst["subject"],
                "void": void,
            }
        )
    return pd.DataFrame(rows, columns=INSTRUMENTS.names)


def fault_table(rates: pd.DataFrame, power: pd.DataFrame) -> pd.DataFrame:
    """A row a fault: the share in which the controls and recall@k noticed, which instruments see
    it, and the strength from which they do."""
    rows = []
    for subject, mine in rates[rates["side"] != SOUND].groupby("subject", sort=False):
        share = mine.set_index("instrument")["share"]
        by = mine[mine["seen"] & (mine["group"] != TOGETHER)]["instrument"]
        curve = power[power["subject"] == subject]
        rows.append(
            {
                "subject": subject,
                "side": mine["side"].iloc[0],
                "strength": mine["strength"].iloc[0],
                "controls_share": share[CONTROLS],
                "recall_share": share["recall"],
                "by": ", ".join(by) or None,
                "controls_from": visible(curve, CONTROLS),
                "recall_from": visible(curve, "recall"),
            }
        )
    return pd.DataFrame(rows, columns=FAULT_TABLE.names)


def visible(curve: pd.DataFrame, instrument: str) -> float | None:
    """The lowest strength from which on an instrument notices in four studies of five, at it and at
    every higher one; None where it doesn't at the highest."""
    found = None
    mine = curve[curve["instrument"] == instrument].sort_values("strength", ascending=False)
    for strength, share in zip(mine["strength"], mine["share"], strict=True):
        if share < SEEN:
            break
        found = float(strength)
    return found


def power_rows(counted: Counts) -> Iterator[dict[str, Any]]:
    """Every instrument at every strength, the usual one too, weakest first."""
    faulty = [key for key in counted if key[0] != SOUND]
    for key in sorted(faulty, key=lambda key: (list(FAULTS).index(key[1]), key[2], key[0])):
        purpose, subject, strength = key
        if purpose != USUAL and (USUAL, subject, strength) in counted:
            continue  # the usual strength, in fewer studies
        for name, values in counted[key].items():
            yield {"subject": subject, "strength": strength, "instrument": name, **_share(values)}


def threshold_rows(
    found: Sequence[Run], limit: Mapping[tuple[str, str], float | None]
) -> Iterator[dict[str, Any]]:
    """A row a kind of memory and score."""
    for (kind, name), value in limit.items():
        sound = sound_scores(found, kind, name)
        scores = [score for score in sound if score is not None]
        mean = sum(scores) / len(scores) if scores else None
        yield {
            "store": kind,
            "instrument": name,
            "studies": len(sound),
            "mean": mean,
            "threshold": value if value is not None and value > -float("inf") else None,
        }
