"""The symmetric probe: the right name is arbitrary, so plausibility has nothing to hold on to."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from veridical.base.tables import read_table, write_table
from veridical.control3.lives import check_life, draw_from_life
from veridical.control3.tables import PROBES
from veridical.corpora.hints import telling_words
from veridical.corpora.history import History
from veridical.statistics.mcnemar import mcnemar_exact
from veridical.statistics.multiplicity import holm

if TYPE_CHECKING:
    import numpy as np

    from veridical.corpora.corpus import Corpus

PARTNER = "partner"  # what is asked for of encounters
TELLING = 0.01  # a fair corpus is refused at most once in a hundred


def check_symmetry(corpus: Corpus, probes: int, document_encounters: int) -> pd.DataFrame:
    """Check, before anything is asked, that no partner can be told but from the document.

    Parameters
    ----------
    corpus : Corpus
        `settings["associations"]` may list, per partner, words that hint at it.
    probes : int
        Probes a cell: the same number a partner.
    document_encounters : int
        Entries of the memory document: the same number a partner.

    Returns
    -------
    pandas.DataFrame
        One row a check (of a life, those of `lives.check_life`):
        `corpus`, `check`, `value` (what was found), `limit` (what is required),
        `passed` (bool), `note` (the offenders, or what the check is for) and `asked` (`partner`,
        or a life's attribute).
    """
    if isinstance(corpus, History):
        return check_life(corpus, probes)
    k, log, block = len(corpus.partners), corpus.encounters, corpus.remembered()
    rows: list[dict[str, object]] = []

    def add(check: str, value: object, limit: object, passed: bool, note: str = "") -> None:
        row = {"corpus": corpus.name, "check": check, "value": str(value), "limit": str(limit)}
        rows.append({**row, "passed": bool(passed), "note": note, "asked": PARTNER})

    counts = {partner: int((log["partner"] == partner).sum()) for partner in corpus.partners}
    add("encounters a partner", _counts(counts), "equal", len(set(counts.values())) == 1)
    counts = {partner: int((block["partner"] == partner).sum()) for partner in corpus.partners}
    add("entries a partner", _counts(counts), "equal", len(set(counts.values())) == 1)
    add(
        "entries of the document",
        len(block),
        document_encounters,
        len(block) == document_encounters,
        "the memory block must hold as many entries as the config's document_encounters",
    )
    enough = probes % k == 0 and all(count >= probes // k for count in counts.values())
    add(
        "probes a partner",
        f"{probes} for {k} partners",
        f"a multiple of {k}, at most {k * min(counts.values())}",
        enough,
        "the same number of probes a partner, each about another entry",
    )
    topics = log["topic"].str.casefold().str.split().str.join(" ")
    again = sorted(set(log.loc[topics.duplicated(keep=False), "topic"]))
    add("a topic twice", len(again), 0, not again, "; ".join(again))
    named = telling_words(corpus, ("topic", "note"))  # what a memory document holds
    add("a text that names or hints at a partner", len(named), 0, not named, "; ".join(named))
    word, p = telling_word(corpus)
    add(
        "the word that tells the partner best",
        f"{word or 'none'} (Holm p = {p:.3g})",
        f"p > {TELLING}",
        p > TELLING,
        "over every word of the topics asked about, exact test of one partner against the others",
    )
    return pd.DataFrame(rows)


def require_symmetry(checks: pd.DataFrame) -> None:
    """Raise ValueError naming each check that failed, before anything is asked."""
    failed = checks[~checks["passed"]]
    if len(failed):
        lines = [
            f"corpus {row.corpus}: {row.check}: {row.value}, required {row.limit}"
            + (f" ({row.note})" if row.note else "")
            for row in failed.itertuples()
        ]
        raise ValueError("the probe would not be symmetric:\n  - " + "\n  - ".join(lines))


def telling_word(corpus: Corpus) -> tuple[str, float]:
    """The word whose topics lie most one-sidedly with one partner, and its Holm-corrected p.

    Every word of the topics is tested for every partner: occurrences with that partner against
    those with the others, exact and two-sided, as a coin that falls for it once in k (the share
    of its encounters). A corpus whose partners have subjects of their own fails here.
    """
    from scipy.stats import binomtest

    k = len(corpus.partners)
    occurrences: dict[str, dict[str, int]] = {}
    for row in corpus.encounters.itertuples():
        for word in set(re.findall(r"\w+", row.topic.casefold())):
            occurrences.setdefault(word, {}).setdefault(row.partner, 0)
            occurrences[word][row.partner] += 1
    tests, names = [], []
    for word, by_partner in sorted(occurrences.items()):
        total = sum(by_partner.values())
        for partner in corpus.partners:
            count = by_partner.get(partner, 0)
            if k == 2:
                p = mcnemar_exact(count, total - count).p
            else:
                p = float(binomtest(count, total, 1 / k).pvalue)
            tests.append(min(1.0, p))
            names.append(word)
            if k == 2:  # the other partner's test is the same test
                break
    if not tests:
        return "", 1.0
    adjusted = holm(tests)
    best = min(range(len(tests)), key=lambda i: (tests[i], names[i]))
    return names[best], float(adjusted[best])


def draw_probes(corpus: Corpus, n: int, rng: np.random.Generator) -> pd.DataFrame:
    """Draw n probes about topics of the memory block, balanced in every way that can be.

    Of a life: `lives.draw_from_life`.

    Each partner is the true one in n/k probes; the true one is offered at each of the k places in
    n/k of them, and within each partner as evenly as whole numbers allow (exactly, where n is a
    multiple of k²). The other partners follow in cyclic order. Topics, places and the order of the
    probes come from `rng`.

    Returns
    -------
    pandas.DataFrame
        `probe_id`, `corpus`, `encounter_id`, `topic`, `true_partner`, `options` (a list,
        as offered), `true_position` (1..k).

    Raises
    ------
    ValueError
        Where n is no multiple of k, or a partner has too few entries in the block.
    """
    if isinstance(corpus, History):
        return draw_from_life(corpus, n, rng)
    partners, block = corpus.partners, corpus.remembered()
    k = len(partners)
    if n < k or n % k:
        raise ValueError(
            f"corpus {corpus.name}: {n} probes can't be balanced over {k} partners; "
            f"set probes to a multiple of {k}"
        )
    each = n // k
    whole, rest = divmod(each, k)
    drawn = []
    for index, partner in enumerate(partners):
        entries = block[block["partner"] == partner]
        if len(entries) < each:
            raise ValueError(
                f"corpus {corpus.name}: {each} probes about {partner} need as many entries in the "
                f"memory block, which has {len(entries)}"
            )
        chosen = entries.iloc[rng.permutation(len(entries))[:each]]
        # (place + index) mod k < rest: rows and columns of the table partner × place sum to each.
        places = [place for place in range(k) for _ in range(whole + ((place + index) % k < rest))]
        for row, place in zip(chosen.itertuples(), rng.permutation(places), strict=True):
            offered = [partners[(index - place + step) % k] for step in range(k)]
            drawn.append((row, partner, offered, int(place) + 1))
    order = rng.permutation(len(drawn))
    rows = []
    for number, at in enumerate(order, start=1):
        row, partner, offered, place = drawn[at]
        name = f"{corpus.name}-p{number:02d}"
        rows.append((name, corpus.name, row.encounter_id, row.topic, partner, offered, place))
    return pd.DataFrame(rows, columns=PROBES.required)


def write_probes(probes: pd.DataFrame, path: Path | str) -> None:
    """Write probes as a table, the options as a JSON list."""
    listed = probes["options"].map(lambda options: json.dumps(options, ensure_ascii=False))
    write_table(probes.assign(options=listed), path, PROBES)


def read_probes(path: Path | str) -> pd.DataFrame:
    """Read the probes that `write_probes` wrote.

    Raises ValueError naming file, probe and what to do where options are no list of texts.
    """
    table = read_table(path, PROBES)
    lists = []
    for probe in table.itertuples():
        try:
            options = json.loads(probe.options)
        except ValueError:
            options = None
        if not isinstance(options, list) or not all(isinstance(each, str) for each in options):
            raise ValueError(
                f"{path}, probe {probe.probe_id}: the options {probe.options!r} are no JSON "
                "list of texts; remove the file, so that its probes are drawn again"
            )
        lists.append(options)
    return table.assign(options=lists)


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())
