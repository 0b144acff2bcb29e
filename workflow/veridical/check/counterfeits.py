"""Counterfeits that can't be made, and corpora that Control 1 can't ask: said beforehand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veridical.base.brought import brought
from veridical.base.checks import corpora_of
from veridical.base.counterfeits import brought_life, counterfeited, counterfeits

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus


def counterfeits_lacking(config: Mapping[str, Any], read: Mapping[str, Corpus]) -> Iterator[str]:
    """Why a counterfeit that needs no author can't be, a sentence each.

    `read` are the study's corpora that can be read, by name.
    """
    from veridical.documents.fidelity import fidelity, require_fidelity

    tolerance = config["documents"].get("length_tolerance", 0.05)
    used = dict.fromkeys([*counterfeited(config), *config["documents"].get("own", {})])
    for corpus in (read[name] for name in used if name in read):
        for name in counterfeits(config, corpus.name):
            try:
                text = _made(name, brought_life(config, corpus.name, name), corpus)
                if text is not None:
                    require_fidelity(fidelity(name, text, corpus, tolerance))
            except (ValueError, OSError) as error:
                yield f"documents, corpus {corpus.name}: {error}"


def _made(name: str, files: list[str], corpus: Corpus) -> str | None:
    """The text of a counterfeit; None where an author writes it."""
    import numpy as np

    from veridical.corpora.history import History
    from veridical.documents.life_counterfeits import shuffle_life
    from veridical.documents.names import DocumentName
    from veridical.documents.partial import altered
    from veridical.documents.relatives import placed

    kind = DocumentName.read(name).kind
    if files:
        return placed(Path(files[0]), corpus)
    if kind == "shuffled" and isinstance(corpus, History):
        return shuffle_life(corpus, np.random.default_rng(0))
    return altered(corpus, name) if kind in ("partial", "stale") else None


def unasked(config: Mapping[str, Any], read: Mapping[str, Corpus]) -> Iterator[str]:
    """What Control 1 lacks of its corpora: a test day, and facts to quote."""
    from veridical.control1.positive import require_quotable
    from veridical.control1.responses import require_test_day

    part = config.get("control1", {})
    if brought(config, "control1"):
        return
    for corpus in (read[name] for name in corpora_of(config, "control1") if name in read):
        for attempt in (require_test_day, lambda one: require_quotable(one, part["positive"])):
            try:
                attempt(corpus)
            except ValueError as error:
                yield str(error)
