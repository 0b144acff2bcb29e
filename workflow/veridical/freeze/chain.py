"""The chain of a study's seals: which stages there are, and which follows which.

First the study's own seal, `study`. Each part follows it with a chain of its own: `vpe-design`,
`vpe-responses`, `vpe-verdicts` where it has judges, `vpe-results`. The closing seal, `results`,
follows the last of every part. Before parts had chains of their own a study had one: `design`,
`responses`, `verdicts`, `results`; such records are read and checked as they were.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

STUDY, CLOSING = "study", "results"
KINDS = ("design", "responses", "verdicts", "results")
WIDTH = 20  # of a stage's name in a line: benchmarks-responses
MAY_BE_EMPTY = ("responses", "verdicts")  # of a part that asks no model, or no judge


def stage_of(part: str, kind: str) -> str:
    """What a part's stage is called.

    >>> stage_of("vpe", "design")
    'vpe-design'
    """
    return f"{part}-{kind}"


def part_of(stage: str) -> str:
    """The part that a stage belongs to; empty for the study's own, and in a chain without parts."""
    return stage.rpartition("-")[0]


def design_of(stage: str) -> str:
    """The design of the chain that a stage belongs to."""
    return stage_of(part_of(stage), KINDS[0]).lstrip("-")


def kind_of(stage: str) -> str:
    """What a stage is: `study`, or one of `KINDS`."""
    return stage.rpartition("-")[2]


def is_stage(name: str) -> bool:
    """Whether a stage may be called so."""
    return re.fullmatch(rf"{STUDY}|([A-Za-z0-9_]+-)?({'|'.join(KINDS)})", name) is not None


def check_stage_name(name: str) -> str:
    """The name; raises ValueError where no stage is called so."""
    if not is_stage(name):
        kinds = ", ".join(stage_of("<part>", kind) for kind in KINDS)
        raise ValueError(f"no stage {name!r}; the stages are {STUDY}, {kinds}, {CLOSING}")
    return name


def in_order(stages: Iterable[str], parts: Sequence[str] = ()) -> list[str]:
    """Stages, each once: the study's, each part's chain (the parts in the order given, any other
    after them), the closing one.

    >>> in_order(["results", "vpe-results", "aas-design", "vpe-design", "study"], ["vpe"])
    ['study', 'vpe-design', 'vpe-results', 'aas-design', 'results']
    """
    places = {part: place for place, part in enumerate(parts)}

    def place(stage: str) -> tuple[int, int, str, int]:
        part = part_of(stage)
        if not part:
            return (1 + 2 * (stage == CLOSING) - (stage == STUDY), 0, "", _step(stage))
        return (2, places.get(part, len(places)), part, _step(stage))

    return sorted(set(stages), key=place)


def _step(stage: str) -> int:
    return KINDS.index(kind_of(stage)) if stage != STUDY else -1


def before(stage: str, there: Collection[str] = ()) -> tuple[str, ...]:
    """The stages that a stage follows; none for the first. `there` are those that the study has:
    they say whether a part has verdicts, and which parts the closing seal follows.

    Raises ValueError on an unknown one.

    >>> before("vpe-results", ["study", "vpe-design", "vpe-responses"])
    ('vpe-responses',)
    """
    part, kind = part_of(check_stage_name(stage)), kind_of(stage)
    if stage == STUDY:
        return ()
    if not part:
        if stage == CLOSING and STUDY in there:
            ends = [name for name in in_order(there) if part_of(name) and kind_of(name) == CLOSING]
            return tuple(ends) or (STUDY,)
        return KINDS[: _step(stage)][-1:]
    if kind == "design":
        return (STUDY,)
    earlier = KINDS[: _step(stage)]
    if kind == "results" and stage_of(part, "verdicts") not in there:
        earlier = earlier[:-1]
    return (stage_of(part, earlier[-1]),)


def after(stage: str, there: Collection[str] = ()) -> tuple[str, ...]:
    """Of the stages that a study has, those that come after one: of its own part and the closing
    one; after the study's own, all.

    >>> after("vpe-design", ["study", "aas-design", "vpe-design", "vpe-responses", "results"])
    ('vpe-responses', 'results')
    """
    part = part_of(check_stage_name(stage))
    if stage == STUDY:
        return tuple(name for name in in_order(there) if name != STUDY)
    if not part:
        return KINDS[_step(stage) + 1 :]
    later = [stage_of(part, kind) for kind in KINDS[_step(stage) + 1 :]]
    return tuple(name for name in [*later, CLOSING] if name in there)


def to_come(there: Collection[str], left_off: Collection[str] = ()) -> list[str]:
    """The stages of a study whose records are there, and those that it will have when it is whole:
    of every part design, responses and results; of a part that was `left_off` nothing more.

    >>> to_come(["study", "vpe-design", "results"], ["vpe"])
    ['study', 'vpe-design', 'results']
    """
    if not there:
        return [STUDY, CLOSING]
    if STUDY not in there and not any(map(part_of, there)):
        return list(KINDS)
    parts = {part_of(name) for name in there} - {"", *left_off}
    wanted = (stage_of(part, kind) for part in parts for kind in KINDS if kind != "verdicts")
    return in_order([STUDY, *there, *wanted, CLOSING])


def is_stamped(stage: str) -> bool:
    """Whether servers are asked for proof of a record's time: of each part's design and of the
    closing record, by which all others are held; of every stage in a chain without parts."""
    return stage != STUDY and (not part_of(stage) or kind_of(stage) == "design")
