"""The score of the instruments: seeded studies of every faulty and every sound memory, counted."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from veridical.memories.faults import FAULTS, plant
from veridical.memories.plan import Plan
from veridical.zoo.instruments import Instrument
from veridical.zoo.seen import Seen, study
from veridical.zoo.stores import STORES
from veridical.zoo.studies import Size, draw_study
from veridical.zoo.thresholds import below, threshold

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus

SOUND, USUAL, WEAKER, CALIBRATION = "sound", "usual", "weaker", "calibration"


@dataclass(frozen=True)
class Design:
    """What is measured: `studies` of each faulty and each sound memory, as many sound ones again to
    set the thresholds by, `power_studies` at each of the other `strengths`; faults are planted in
    the kinds of memory `around`, study by study in turn."""

    size: Size
    studies: int = 200
    power_studies: int = 40
    strengths: tuple[float, ...] = ()
    around: tuple[str, ...] = ("words", "vectors", "facts")
    seed: int = 1
    faults: tuple[str, ...] = tuple(FAULTS)
    sound: tuple[str, ...] = tuple(STORES)


@dataclass(frozen=True)
class Run:
    """One study of one memory: what each instrument saw. `subject` is the fault, or the kind of the
    sound memory; `around` is the kind that the fault was planted in."""

    purpose: str
    subject: str
    around: str
    strength: float | None
    number: int
    saw: dict[str, Any] = field(default_factory=dict)


def runs(
    corpora: Sequence[Corpus], design: Design, instruments: Sequence[Instrument]
) -> Iterator[Run]:
    """Every study of every memory, study by study: the same life for all memories of one number.

    Studies with numbers from `design.studies` are those that the thresholds are set by.
    """
    for number in range(2 * design.studies):
        corpus = corpora[number % len(corpora)]
        rng = np.random.default_rng([design.seed, *b"zoo", number])
        plan = draw_study(corpus, design.size, rng)
        for run in _wanted(design, number):
            seen = look(plan, run, design)
            yield Run(**vars(run) | {"saw": {each.key: each.see(seen) for each in instruments}})


def _wanted(design: Design, number: int) -> Iterator[Run]:
    """The memories that are studied on the life of one number."""
    if number >= design.studies:
        for kind in design.sound:
            yield Run(CALIBRATION, kind, kind, None, number)
        return
    around = design.around[number % len(design.around)]
    for kind in design.sound:
        yield Run(SOUND, kind, kind, None, number)
    for name in design.faults:
        yield Run(USUAL, name, around, FAULTS[name].usual, number)
        if number < design.power_studies:
            for strength in design.strengths:
                yield Run(WEAKER, name, around, strength, number)


def look(plan: Plan, run: Run, design: Design) -> Seen:
    """What one study of one memory shows."""
    start = STORES[run.around]
    if run.strength is not None:
        start = partial(_planted, run, plan, design.seed)
    return study(plan, start, design.size.cells)


def _planted(run: Run, plan: Plan, seed: int) -> Any:
    drawn = hash_of(seed, run.number)
    return plant(run.subject, STORES[run.around](), run.strength, seed=drawn, names=plan.partners)


@lru_cache(maxsize=1_000)
def hash_of(seed: int, number: int) -> int:
    """The seed of a study's fault."""
    return int(np.random.SeedSequence([seed, number]).generate_state(1)[0])


def measure(
    corpora: Sequence[Corpus], design: Design, instruments: Sequence[Instrument]
) -> list[Run]:
    """All runs. The collector of cycles rests meanwhile: there are none, and it takes a third of
    the time to find that out."""
    resting = gc.isenabled()
    gc.disable()
    try:
        return concluded(list(runs(corpora, design, instruments)), instruments)
    finally:
        if resting:
            gc.enable()


def concluded(found: list[Run], instruments: Sequence[Instrument]) -> list[Run]:
    """The runs with what each instrument made of all studies at once."""
    for each in instruments:
        if each.conclude is not None:
            said = each.conclude([run.saw[each.key] for run in found])
            for run, value in zip(found, said, strict=True):
                run.saw[each.key] = value
    return found


def limits(
    found: Sequence[Run], instruments: Sequence[Instrument]
) -> dict[tuple[str, str], float | None]:
    """The threshold of every score, by kind of memory and instrument."""
    kinds = dict.fromkeys(run.around for run in found if run.purpose == CALIBRATION)
    return {
        (kind, each.key): threshold(sound_scores(found, kind, each.key))
        for kind in kinds
        for each in instruments
        if each.kind == "scores"
    }


def sound_scores(found: Sequence[Run], kind: str, name: str) -> list[float | None]:
    """What one score gave the sound memories of one kind in the studies that set its threshold."""
    sound = (run for run in found if run.purpose == CALIBRATION and run.around == kind)
    return [run.saw[name] for run in sound if name in run.saw]


def noticed(
    run: Run, instruments: Sequence[Instrument], limit: dict[tuple[str, str], float | None]
) -> dict[str, bool]:
    """Which of the instruments that it was put to noticed something in one study."""
    return {
        each.key: below(run.saw[each.key], limit[run.around, each.key])
        if each.kind == "scores"
        else bool(run.saw[each.key])
        for each in instruments
        if each.key in run.saw
    }
