"""Fidelity of a memory document: whether its length or form could give a counterfeit away."""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import TYPE_CHECKING, Any

import pandas as pd

from veridical.corpora.history import History
from veridical.corpora.naming import named
from veridical.documents.life_counterfeits import life_fidelity
from veridical.documents.names import DocumentName
from veridical.documents.partial import bindings_of
from veridical.documents.shuffled import FIELDS, kept_bindings
from veridical.documents.tables import FIDELITY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from veridical.corpora.corpus import Corpus

Check = tuple[str, Any, Any, bool, str]  # check, value, limit, passed, note


def entries_of(text: str, corpus: Corpus) -> tuple[pd.DataFrame, list[str]]:
    """The document's entries (date, partner, topic, note), and the lines that are none."""
    rows, strange = [], []
    for number, line in enumerate(text.rstrip("\n").split("\n"), start=1):
        try:
            entry = corpus.parse_entry(line)
        except ValueError:
            entry = {}
        if entry and _is_day(entry["date"]) and all(v == v.strip() for v in entry.values()):
            rows.append(entry)
        else:
            strange.append(f"line {number}: {line[:60]!r}")
    return pd.DataFrame(rows, columns=list(FIELDS)), strange


def _is_day(text: str) -> bool:
    try:
        return pd.Timestamp(text).strftime("%Y-%m-%d") == text
    except ValueError:
        return False


def fidelity(document: str, text: str, corpus: Corpus, tolerance: float) -> pd.DataFrame:
    """Check one memory document against the real block; a life's as `life_fidelity` does.

    Parameters
    ----------
    document
        Its name, of which the kind decides the checks that apply beyond those of form.
    text
        The document, one entry a line; composed (NFC) first, as the corpus is.
    tolerance
        How far its length may lie from the memory block's, as a share of it.

    Returns
    -------
    pandas.DataFrame
        One row a check: document, check, value, limit, passed (bool), note (what failed, by name).
        Every document: characters, ratio, entries, lines_out_of_format, dates_in_order,
        dates_in_range, entries_a_partner, repeated_topics. Foreign: shared_names (names, places,
        partners and the agent), shared_topics. Adjacent: the same, names allowed. Shuffled: the
        multiset of each field, kept_bindings. Partial: the multisets, altered_bindings.
    """
    named_so = DocumentName.read(document)
    kind, text = named_so.kind, unicodedata.normalize("NFC", text)
    if isinstance(corpus, History):
        return life_fidelity(document, kind, text, corpus, tolerance)
    block = corpus.remembered()[list(FIELDS)]
    entries, strange = entries_of(text, corpus)
    real, own = len(corpus.memory_block.rstrip("\n")), len(text.rstrip("\n"))
    low, high = real * (1 - tolerance), real * (1 + tolerance)
    off = 100 * (own / real - 1)
    days = list(entries["date"])
    first, last = block["date"].min(), block["date"].max()
    outside = [day for day in days if not first <= day <= last]
    sizes = sorted(Counter(entries["partner"]).values())
    wanted = sorted(Counter(block["partner"]).values())
    repeated = [topic for topic, n in Counter(entries["topic"]).items() if n > 1]
    rows: list[Check] = [
        ("characters", own, f"{low:.0f}–{high:.0f}", low <= own <= high, f"{off:+.1f} %"),
        ("ratio", round(own / real, 4), f"{1 - tolerance:g}–{1 + tolerance:g}",
         low <= own <= high, ""),
        ("entries", len(entries), len(block), len(entries) == len(block), ""),
        ("lines_out_of_format", len(strange), 0, not strange, "; ".join(strange[:5])),
        ("dates_in_order", _yes(days == sorted(days)), "yes", days == sorted(days), ""),
        ("dates_in_range", len(days) - len(outside), len(days), not outside,
         ", ".join(outside[:5])),
        ("entries_a_partner", _counts(sizes), _counts(wanted), sizes == wanted, ""),
        ("repeated_topics", len(repeated), 0, not repeated, "; ".join(repeated[:5])),
    ]  # fmt: skip
    if kind in ("foreign", "adjacent"):
        shared, kin = shared_names(text, corpus), kind == "adjacent"
        known = set(block["topic"]) | set(corpus.encounters["topic"])
        topics = sorted(set(entries["topic"]) & known)
        rows += [
            ("shared_names", len(shared), "any" if kin else 0, kin or not shared,
             ", ".join(shared)),
            ("shared_topics", len(topics), 0, not topics, "; ".join(topics)),
        ]  # fmt: skip
    if kind in ("shuffled", "partial"):
        rows += _multisets(entries, block)
    if named_so.dose is not None:
        rows.append(_altered(entries, block, bindings_of(named_so.dose, len(block))))
    if kind == "shuffled":
        kept = kept_bindings(entries, block)
        named = "; ".join(f"entry {row.entry}: {row.fields}" for row in kept.head(5).itertuples())
        share = kept["entry"].nunique() / max(1, len(entries))
        rows.append(("kept_bindings", round(share, 4), 0, kept.empty, named))
    return pd.DataFrame(
        [(document, check, str(value), str(limit), passed, note)
         for check, value, limit, passed, note in rows],
        columns=FIDELITY.names,
    )  # fmt: skip


def _multisets(entries: pd.DataFrame, block: pd.DataFrame) -> Iterator[Check]:
    """Whether each field has the values that it had, as often."""
    for field in FIELDS:
        moved = Counter(entries[field])
        missing = Counter(block[field]) - moved
        added = moved - Counter(block[field])
        changed = sum(missing.values()) + sum(added.values())
        yield f"multiset_{field}", changed, 0, not changed, "; ".join([*missing, *added][:3])


def _altered(entries: pd.DataFrame, block: pd.DataFrame, wanted: int) -> Check:
    """How many topics stand beside another partner than their own."""
    own = dict(zip(block["topic"], block["partner"], strict=True))
    beside = zip(entries["topic"], entries["partner"], strict=True)
    altered = sum(own.get(topic) != partner for topic, partner in beside)
    return "altered_bindings", altered, wanted, altered == wanted, f"of {len(block)}"


def shared_names(text: str, corpus: Corpus) -> list[str]:
    """The corpus's proper names (capitalised vocabulary, partners, agent) that the text holds."""
    proper = [term for term in corpus.terms() if term != term.lower()]
    return named(text, dict.fromkeys([*proper, *corpus.partners, corpus.agent]), exact=True)


def require_fidelity(checks: pd.DataFrame) -> None:
    """Stop where a check failed. Raises ValueError naming document, check, value and limit."""
    failed = checks[~checks["passed"].astype(bool)]
    if len(failed):
        said = "; ".join(
            f"{row.document}: {row.check} is {row.value}, must be {row.limit}"
            + (f" ({row.note})" if row.note else "")
            for row in failed.itertuples(index=False)
        )
        raise ValueError(
            f"{said}. This document is not used. To have a foreign one written again, add the "
            "reason to documents.further_attempts in the config: it is kept beside the first output"
        )


def _yes(flag: bool) -> str:
    return "yes" if flag else "no"


def _counts(sizes: list[int]) -> str:
    return " + ".join(map(str, sizes)) or "none"
