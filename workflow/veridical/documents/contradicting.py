"""A memory document in which something is wrong that a reader can see: entries that contradict."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from veridical.corpora.history import History
from veridical.corpora.shapes import fill_line

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus


def contradict(corpus: Corpus, encounters: Iterable[str]) -> str:
    """The memory block, and after some entries the same one again with the next partner.

    Same date, same topic, same note, another partner: one of the two must be wrong, and the
    document itself says so. Where every partner is exchanged (`rebinding.rebind`), nothing in it
    does.

    Parameters
    ----------
    corpus
        Whose memory block it is.
    encounters
        The ids of the encounters whose entries are contradicted.

    Raises
    ------
    ValueError
        Where one of them is not in the memory block, naming it.
    """
    rows = corpus.remembered().to_dict("records")
    wanted = set(encounters)
    strange = sorted(wanted - {row["encounter_id"] for row in rows})
    if strange:
        raise ValueError(
            f"corpus {corpus.name}: the memory block has no entry of {', '.join(strange)} to "
            "contradict"
        )
    if isinstance(corpus, History):
        return _in_life(corpus, wanted)
    lines = []
    for row in rows:
        lines.append(corpus.entry(row))
        if row["encounter_id"] in wanted:
            at = corpus.partners.index(row["partner"])
            other = corpus.partners[(at + 1) % len(corpus.partners)]
            lines.append(corpus.entry({**row, "partner": other}))
    return "\n".join(lines)


def _in_life(life: History, wanted: set[str]) -> str:
    """The document of a life, and after each line that states such a fact the same with the next
    value in its place."""
    rows = life.remembered()
    rows = rows[rows["encounter_id"].isin(wanted)]
    values, named = list(life.facts["value"]), dict(zip(rows["fact"], rows["partner"], strict=True))
    lines = []
    for line in life.document:
        lines.append(fill_line(line, values))
        others = {
            number: life.partners[(life.partners.index(value) + 1) % len(life.partners)]
            for number, value in named.items()
            if number in line
        }
        if others:
            changed = [others.get(number, value) for number, value in enumerate(values)]
            lines.append(fill_line(line, changed))
    return "\n".join(lines)
