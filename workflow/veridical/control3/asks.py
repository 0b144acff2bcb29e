"""How many probes Control 3 asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from veridical.control3.arms import arms_of
from veridical.documents.corrupted import COUNTED, corrupted_names
from veridical.models.asks import Ask, asks_of
from veridical.models.exchange import Form

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus

TOKENS = 1800  # of one prompt that isn't written yet, with a memory of 5,300 characters
NAME = Form("choice", ("a partner", "another"))  # of a partner's length
TEXTS = (
    "memory",
    "no-memory",
    "task-partner",
    "question-partner",
    "quote-partner",
    "question-forced",
    "question-noticing",
    "flag",
)  # the fixed texts it needs in a corpus's language


def asks(config: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> Iterator[Ask]:
    """Each probe of each corpus under the true document, its k - 1 re-bindings and none; a model
    that quotes is asked twice."""
    part = config["control3"]
    if part.get("answers_csv"):
        return
    documents = sum(len(corrupted_names(k)) + 2 for k in _partners(part, corpora).values())
    calls, place = documents * part["probes"], "control3/prompts/*.jsonl"
    for ask in asks_of(config, "control3", part["responders"], place, calls, TOKENS, form=NAME):
        yield replace(ask, calls=2 * calls) if ask.model.quoting else ask
    yield from _beside(config, corpora)


def _partners(part: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> dict[str, int]:
    """How many partners each corpus has, as `corrupted.count_partners` counts them."""
    from veridical.corpora.history import History  # brings pandas, which no dry run needs

    lives = [name for name in part["corpora"] if isinstance(corpora[name], History)]
    return {
        name: COUNTED if name in lives else len(corpora[name].partners) for name in part["corpora"]
    }


def _beside(config: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> Iterator[Ask]:
    """What stands beside those, arm by arm; a model that quotes is asked twice in the other order.

    Without a document nothing is quoted.
    """
    part = config["control3"]
    partners = _partners(part, corpora)
    names = {name: corrupted_names(k) for name, k in partners.items()}
    lives = [name for name, k in partners.items() if k == COUNTED]
    calls: dict[tuple[str, str], int] = {}
    for asked, models in arms_of(part, names, lives).items():
        arm, corpus = asked.split("-")[:2]
        n = min(part["noticing"]["probes"], part["probes"]) if arm == "noticing" else part["probes"]
        if arm == "stale":
            n = len(corpora[corpus].changed())
        for model in models:
            quoting = config["models"][model].get("quoting") and not asked.endswith("-none")
            times = 2 if arm in ("reversed", "stale") and quoting else 1
            calls[arm, model] = calls.get((arm, model), 0) + n * times
    for (arm, model), n in calls.items():
        if not n:
            continue
        yield from asks_of(
            config, "control3", [model], f"control3/beside/{arm}-*.jsonl", n, TOKENS, form=NAME
        )
