"""The probe on a life: any attribute asked for, its values as frequent as they are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from veridical.control3.tables import PROBES
from veridical.corpora.brought import still_told
from veridical.corpora.corpus import read_corpus
from veridical.corpora.hints import telling_words
from veridical.statistics.multiplicity import holm

if TYPE_CHECKING:
    from veridical.corpora.history import History

TELLING = 0.01  # as of a corpus of encounters (`symmetric`)
MOST_VALUES = 12  # all are offered with every probe


def check_life(life: History, probes: int) -> pd.DataFrame:
    """Check, before anything is asked, that no value can be told but from the document.

    Returns one row a check, as `symmetric.check_symmetry` does: how many values there are, whether
    none stands in more than half of the facts (else no exchange keeps every value as frequent as it
    is), whether there are facts enough that never had another value, whether a subject names or
    hints at a value, whether some word of the subjects tells one, and whether the exchanged
    document still tells a true binding somewhere.
    """
    block, asked = life.remembered(), life.asked_about()
    rows: list[dict[str, object]] = []

    def add(check: str, value: object, limit: object, passed: bool, note: str = "") -> None:
        row = {"corpus": life.name, "check": check, "value": str(value), "limit": str(limit)}
        rows.append({**row, "passed": bool(passed), "note": note, "asked": life.asked})

    counts = Counter(block["partner"])
    k, most = len(counts), max(counts.values(), default=0)
    why = f"the values of {life.asked!r}" if life.asked else "set `asked` in corpus.yaml"
    add("values", k, f"2 to {MOST_VALUES}", 2 <= k <= MOST_VALUES, why)
    told = ", ".join(f"{value} {count}" for value, count in counts.most_common(MOST_VALUES))
    even = 2 * most <= len(block) and len(block) > 0
    add("facts a value", told or "none", f"at most {len(block) // 2} each", even)
    add(
        "facts that can be asked about",
        len(asked),
        f"at least {probes}",
        len(asked) >= probes,
        "remembered, of the attribute asked for, never of another value; lower control3/probes, "
        "write more facts, or have them planted (`plant` in corpus.yaml)",
    )
    named = telling_words(life, ("topic",))
    add("a text that names or hints at a value", len(named), 0, not named, "; ".join(named[:20]))
    word, p = telling_word_of(list(block["topic"]), list(block["partner"]))
    add(
        "the word that tells a value best",
        f"{word or 'none'} (Holm p = {p:.3g})",
        f"p > {TELLING}",
        p > TELLING,
        "over every word of the subjects, hypergeometric, one value against the others",
    )
    left = still_told(life.document, list(zip(block["topic"], block["partner"], strict=True)))
    add(
        "bindings that an exchange leaves in place",
        len(left),
        0,
        not left,
        "; ".join(left[:20])
        + ("; give each event that says it a row in facts.csv" if left else ""),
    )
    return pd.DataFrame(rows)


def telling_word_of(topics: list[str], values: list[str]) -> tuple[str, float]:
    """The word that stands most one-sidedly with one value, and its Holm-corrected p.

    Every word is tested for every value: as many or more of its occurrences with that value, were
    it dealt to the subjects at random (hypergeometric, exact for values of any frequency).
    """
    from scipy.stats import hypergeom

    if not topics:
        return "", 1.0
    of = Counter(values)
    held: dict[str, Counter[str]] = {}
    for topic, value in zip(topics, values, strict=True):
        for word in set(re.findall(r"\w+", topic.casefold())):
            held.setdefault(word, Counter())[value] += 1
    cells = [(word, value) for word in sorted(held) for value in of]
    seen = np.array([held[word][value] for word, value in cells])
    total = np.array([held[word].total() for word, _ in cells])
    p = hypergeom.sf(seen - 1, len(topics), [of[value] for _, value in cells], total)
    best = int(np.argmin(p))
    return cells[best][0], float(holm(np.minimum(1.0, p).tolist())[best])


def draw_from_life(life: History, n: int, rng: np.random.Generator) -> pd.DataFrame:
    """Draw n probes about facts that never changed, each value asked for as often as it occurs.

    Shares are kept as whole numbers allow (largest remainders); the true value is offered at each
    place equally often, within each value too, as nearly as can be, the others following in cyclic
    order. Returns the columns of `symmetric.draw_probes`.

    Raises ValueError where there are too few such facts.
    """
    rows = life.asked_about()
    if n < 2 or len(rows) < n:
        raise ValueError(
            f"corpus {life.name}: {n} probes need as many remembered facts of {life.asked!r} that "
            f"never had another value, and two at least; there are {len(rows)}: lower "
            "control3/probes, write more facts, or have them planted (`plant` in corpus.yaml)"
        )
    drawn = []
    for value, count in shares(rows["partner"].value_counts().to_dict(), n).items():
        own = rows[rows["partner"] == value]
        chosen = own.iloc[rng.permutation(len(own))[:count]]
        drawn += _offered(life.partners, str(value), chosen, rng)
    order = rng.permutation(len(drawn))
    return pd.DataFrame(
        [
            (f"{life.name}-p{number:02d}", life.name, *drawn[at])
            for number, at in enumerate(order, start=1)
        ],
        columns=PROBES.required,
    )


def changed_probes(life: History, rng: np.random.Generator) -> pd.DataFrame:
    """A probe a remembered fact that took another's place, with that value beside it (`stale`).

    The values replaced are offered with the others, although nothing may have them any more.
    """
    rows = life.changed()
    values, drawn = tuple(dict.fromkeys((*life.partners, *rows["stale"]))), []
    for value in life.partners:
        own = rows[rows["partner"] == value]
        drawn += _offered(values, value, own.iloc[rng.permutation(len(own))], rng)
    probes = pd.DataFrame(
        [(f"{life.name}-s{n:02d}", life.name, *row) for n, row in enumerate(drawn, start=1)],
        columns=PROBES.required,
    )
    stale = dict(zip(rows["encounter_id"], rows["stale"], strict=True))
    return probes.assign(stale=[stale[name] for name in probes["encounter_id"]])


def margins_of_life(folder: Path | str, probes: int) -> tuple[int, ...]:
    """How many of so many probes ask for each value of a life, most frequent first."""
    life = read_corpus(folder)
    return margins_of(life.asked_about()["partner"], probes)


def margins_of(values: pd.Series, probes: int) -> tuple[int, ...]:
    """How many of so many probes ask for each of these values, as often as it occurs among them."""
    return tuple(sorted(shares(values.value_counts().to_dict(), probes).values(), reverse=True))


def shares(counts: Mapping[str, int], n: int) -> dict[str, int]:
    """How often each value is asked for: its share of n, by largest remainders.

    >>> shares({"red": 5, "blue": 3, "green": 1}, 4)
    {'red': 2, 'blue': 1, 'green': 1}
    """
    series = pd.Series(counts)
    exact = series * n / series.sum()
    whole = exact.astype(int)
    rest = (exact - whole).sort_values(ascending=False, kind="stable").index
    for value in rest[: n - int(whole.sum())]:
        whole[value] += 1
    return {str(value): int(count) for value, count in whole.items() if count}


def _offered(
    values: tuple[str, ...], value: str, rows: pd.DataFrame, rng: np.random.Generator
) -> list[tuple[str, str, str, list[str], int]]:
    """Each fact of one value with the values as offered, and the place of the true one."""
    k, index = len(values), values.index(value)
    places = [(place + index) % k for place in range(len(rows))]
    found = []
    for row, place in zip(rows.itertuples(), rng.permutation(places), strict=True):
        offered = [values[(index - int(place) + step) % k] for step in range(k)]
        found.append((row.encounter_id, row.topic, value, offered, int(place) + 1))
    return found
