"""How Control 1 was asked, in sentences that scored and direct pairs share."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from veridical.base.counterfeits import counterfeits
from veridical.base.folders import language_of
from veridical.base.instrument import metric_lines
from veridical.control1.kinds import further
from veridical.control1.tables import BESIDE, REVERSED
from veridical.documents.names import DocumentName
from veridical.report.study import Study
from veridical.report.wording import Wording


def worded_metrics(study: Study, words: Wording) -> Iterator[str]:
    """How the metrics of the study's own are worded, in the language that the judges read."""
    config = study.config["control1"]
    own = config.get("wording", {})
    languages = [language_of(corpus) for corpus in config.get("corpora", ())]
    for language in dict.fromkeys(languages or [words.raw("formats.language")]):
        if lines := metric_lines([*own], own, language, {})[0]:
            key = "method_metrics_brought" if config.get("verdicts_csv") else "method_metrics"
            yield words(key, metrics="; ".join(lines))


def documents(study: Study, corpus: str, words: Wording) -> Iterator[str]:
    """What stands against one corpus's memory block, and where it comes from."""
    settings = study.config["documents"]
    block = study.documents.get((corpus, "veridical"))
    own = settings.get("own", {}).get(corpus, {})
    own = [name for name in own if name.startswith("foreign")]
    written = len(settings["foreign_seeds"]) - len(own)
    yield words(
        "method_documents" if written or not own else "method_documents_own",
        corpus=corpus,
        characters=words.number(float(len(block.rstrip("\n"))) if block else None, 0),
        foreign=words.count(len(settings["foreign_seeds"]), "foreign"),
        shuffled=words.count(len(settings["shuffled_seeds"]), "shuffled"),
        author=settings.get("author", ""),
        tolerance=words.percent(settings["length_tolerance"], 0),
    )
    if own and written:
        yield words("method_lives_brought", names=words.join(own))
    there = [DocumentName.read(name) for name in counterfeits(study.config, corpus)]
    yield from further([name.condition for name in there], words)


def limits(study: Study, words: Wording) -> Iterator[str]:
    """Temperature and token budget of the answers, the part's own over the model's; each that a
    responder has, once."""
    config, models = study.config["control1"], study.config.get("models", {})
    found: dict[str, None] = {}
    for name in ("temperature", "max_tokens"):
        for responder in config.get("responders") or [""]:
            own = models.get(responder, {}).get("parameters", {})
            value = {**own, **config.get("response", {})}.get(name)
            key = f"{name}_unset" if value is None else name
            found[words(key, **({} if value is None else {"value": words.setting(value)}))] = None
    yield from found


def beside(verdicts: pd.DataFrame, words: Wording, *, direct: bool = False) -> Iterator[str]:
    """The sheets that stand beside those of the source's design, counted apart."""
    if verdicts.empty:
        return
    judged = verdicts.drop_duplicates(["sheet_id", "judge"])
    by_session = judged["session"].value_counts()
    counts = {session: int(by_session[session]) for session in BESIDE if session in by_session}
    parts = [
        words(
            "beside_reversed_direct" if direct and session == REVERSED else f"beside_{session}",
            verdicts=words.count(n, "verdict", word=False),
        )
        for session, n in counts.items()
    ]
    incomplete = int((judged["state"] != "complete").sum())
    yield words(
        "method_beside",
        verdicts=words.count(len(judged), "verdict", word=False),
        parts=words.join(parts),
        incomplete=words.number(incomplete, 0),
    )


def store(study: Study, words: Wording) -> Iterator[str]:
    """The memory system that the control goes through, if it goes through any."""
    config = study.config["control1"]
    if config.get("memory"):
        k = words.numeral(study.config["memories"]["k"])
        names = words.join(config["responders"])
        yield words("method_store", system=config["memory"], responder=names, k=k)


def truncated(responses: pd.DataFrame | None, words: Wording) -> Iterator[str]:
    """How many answers end at the token limit."""
    cut = 0 if responses is None else int((responses["state"] == "truncated").sum())
    if cut:
        whole = int((responses["condition"] != "anchor").sum())
        yield words("method_truncated", n=words.number(cut, 0), answers=words.number(whole, 0))
