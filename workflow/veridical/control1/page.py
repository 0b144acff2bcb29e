"""Control 1 on the page: how it was run, what came back, and what there is to open."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from veridical.base.counterfeits import counterfeits
from veridical.base.folders import language_of
from veridical.base.instrument import metric_lines
from veridical.control1.drill import drill
from veridical.control1.findings import find
from veridical.control1.kinds import by_dose, further
from veridical.control1.panel_tables import INSTRUMENT, JUDGES, NOISE, POWER
from veridical.control1.tables import (
    BESIDE,
    BLINDING,
    CELL,
    CONTRASTS,
    DRIFT,
    FINDING,
    POSITIVE,
    RESPONSES,
    SESSIONS,
    VERDICT,
)
from veridical.documents.names import COUNTERFEITS, DocumentName
from veridical.documents.tables import FIDELITY
from veridical.report.finding import Finding
from veridical.report.part import Drawn, Part, View
from veridical.report.study import Study
from veridical.report.tabulate import Table, tabulate, to
from veridical.report.wording import Wording

TO_CONTRAST = to("control1", "responder", "corpus", "metric", "contrast")


def find_study(study: Study, words: Wording) -> Finding:
    """Did the judges notice whose memory it was?"""
    return find(
        study[FINDING],
        study[INSTRUMENT],
        study[CONTRASTS],
        study.config["control1"]["equivalence_bound"],
        words,
        study.table(DRIFT),
        study.table(JUDGES),
        study.table(POWER),
        study.table(NOISE),
    )


def method(study: Study, words: Wording) -> Iterator[str]:
    """How it was run, its numbers filled from the data and the config."""
    config, verdicts = study.config["control1"], study.table(VERDICT)
    if config.get("verdicts_csv"):
        yield from _brought(study, words)
    else:
        yield from _asked(study, words)
    yield from _metrics(study, words)
    if config.get("memory"):
        k = words.numeral(study.config["memories"]["k"])
        names = words.join(config["responders"])
        yield words("method_store", system=config["memory"], responder=names, k=k)
    if verdicts is not None:
        yield from _beside(verdicts[~verdicts["session"].isin(SESSIONS)], words)
    contrasts = study[CONTRASTS]
    if contrasts.empty:  # no bank of the memory system was admitted: nothing was analysed
        return
    bootstrap = contrasts["bootstrap"].iloc[0]
    yield words(
        "method_analysis",
        n=int(contrasts["n_items"].max()),
        bound=words.number(config["equivalence_bound"], 2),
        bootstrap=words(f"{bootstrap}"),
        registered=words.value("reading", config["registered"]),
    )


def _metrics(study: Study, words: Wording) -> Iterator[str]:
    """How the metrics of the study's own are worded, in the language that the judges read."""
    config = study.config["control1"]
    own = config.get("wording", {})
    languages = [language_of(corpus) for corpus in config.get("corpora", ())]
    for language in dict.fromkeys(languages or [words.raw("formats.language")]):
        if lines := metric_lines([*own], own, language, {})[0]:
            key = "method_metrics_brought" if config.get("verdicts_csv") else "method_metrics"
            yield words(key, metrics="; ".join(lines))


def _brought(study: Study, words: Wording) -> Iterator[str]:
    """Verdicts that the study brings as a table: how many, of whom, on how many items."""
    verdicts, contrasts = study[VERDICT], study[CONTRASTS]
    judges = list(verdicts["judge"].drop_duplicates())
    yield words(
        "method_brought",
        verdicts=words.count(verdicts["sheet_id"].nunique(), "verdict", word=False),
        judges=words.count(len(judges), "judge"),
        names=words.join(judges),
        inputs=words.count(int(contrasts["n_items"].max()), "input"),
    )


def _asked(study: Study, words: Wording) -> Iterator[str]:
    """The documents, who answered under them, and who judged."""
    config = study.config["control1"]
    for corpus in () if config.get("responses_csv") else config["corpora"]:
        yield from _documents(study, corpus, words)
    responses, verdicts = study.table(RESPONSES), study.table(VERDICT)
    given = 0 if responses is None else int(responses["condition"].isin(COUNTERFEITS).sum())
    sheets = incomplete = 0
    if verdicts is not None:
        here = SESSIONS[1:] if config.get("original_csv") else SESSIONS  # an earlier study's apart
        source = verdicts[verdicts["session"].isin(here)]
        sheets = len(source.drop_duplicates(["sheet_id", "judge"]))
        broken = source[source["state"] != "complete"]
        incomplete = len(broken.drop_duplicates(["sheet_id", "judge"]))
    cells = study[CONTRASTS][list(CELL)].drop_duplicates()
    held = [len(counterfeits(study.config, corpus)) for corpus in config["corpora"]]
    key = "method_judging_cells" if len(cells) > 1 else "method_judging"
    yield words(
        "method_judging_brought" if config.get("responses_csv") else key,
        responder=words.join(config.get("responders", ())),
        corpora=words.join(config["corpora"]),
        cells=words.count(len(cells), "cell"),
        inputs=words.count(int(study[CONTRASTS]["n_items"].max() if given else 0), "input"),
        documents=words.span(held, lambda count: words.numeral(count)),
        answers=words.count(given, "answer", word=False),
        limits=words.join(_limits(study, words)),
        judges=words.count(len(config["judges"]), "judge"),
        names=words.join(config["judges"]),
        verdicts=words.count(sheets, "verdict", word=False),
        incomplete=words.number(incomplete, 0),
    )
    if config.get("sheet") == "open":
        yield words("method_open")
    if config.get("original_csv"):
        yield words("method_earlier")
    cut = 0 if responses is None else int((responses["state"] == "truncated").sum())
    if cut:
        whole = int((responses["condition"] != "anchor").sum())
        yield words("method_truncated", n=words.number(cut, 0), answers=words.number(whole, 0))


def _documents(study: Study, corpus: str, words: Wording) -> Iterator[str]:
    """What stands against one corpus's memory block, and where it comes from."""
    documents = study.config["documents"]
    block = study.documents.get((corpus, "veridical"))
    own = documents.get("own", {}).get(corpus, {})
    own = [name for name in own if name.startswith("foreign")]
    written = len(documents["foreign_seeds"]) - len(own)
    yield words(
        "method_documents" if written or not own else "method_documents_own",
        corpus=corpus,
        characters=words.number(float(len(block.rstrip("\n"))) if block else None, 0),
        foreign=words.count(len(documents["foreign_seeds"]), "foreign"),
        shuffled=words.count(len(documents["shuffled_seeds"]), "shuffled"),
        author=documents.get("author", ""),
        tolerance=words.percent(documents["length_tolerance"], 0),
    )
    if own and written:
        yield words("method_lives_brought", names=words.join(own))
    there = [DocumentName.read(name) for name in counterfeits(study.config, corpus)]
    yield from further([name.condition for name in there], words)


def _limits(study: Study, words: Wording) -> Iterator[str]:
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


def _beside(verdicts: pd.DataFrame, words: Wording) -> Iterator[str]:
    """The sheets that stand beside those of the source's design, counted apart."""
    if verdicts.empty:
        return
    judged = verdicts.drop_duplicates(["sheet_id", "judge"])
    by_session = judged["session"].value_counts()
    counts = {session: int(by_session[session]) for session in BESIDE if session in by_session}
    parts = [
        words(f"beside_{session}", verdicts=words.count(n, "verdict", word=False))
        for session, n in counts.items()
    ]
    incomplete = int((judged["state"] != "complete").sum())
    yield words(
        "method_beside",
        verdicts=words.count(len(judged), "verdict", word=False),
        parts=words.join(parts),
        incomplete=words.number(incomplete, 0),
    )


def brief(study: Study, words: Wording) -> Table:
    """What was found on every metric and kind."""
    columns = FINDING.shown(
        *CELL,
        "metric",
        "contrast",
        "estimate",
        "interval95",
        "documents_interval",
        "p_items_holm",
        "finding",
    )
    return tabulate(by_dose(study[FINDING]), columns, words, "brief", TO_CONTRAST)


def _anchored_first(contrasts: pd.DataFrame) -> pd.DataFrame:
    return contrasts.sort_values("reading", key=lambda r: r != "anchored", kind="stable")


def _worth_reading(judges: pd.DataFrame) -> pd.DataFrame:
    return judges[judges["statistic"] != "scores"]


PART = Part(
    key="control1",
    contracts=(
        *(RESPONSES, POSITIVE, BLINDING, VERDICT),
        *(CONTRASTS, DRIFT, JUDGES, POWER, FINDING, INSTRUMENT, NOISE),
    ),
    essential=FINDING,
    find=find_study,
    method=method,
    brief=brief,
    tables=(
        View(FINDING, TO_CONTRAST, by_dose),
        View(INSTRUMENT),
        View(CONTRASTS, TO_CONTRAST, _anchored_first),
        View(DRIFT, to("control1", *CELL, "metric", "contrast", "item_id")),
        View(NOISE),
        View(POSITIVE),
        View(JUDGES, order=_worth_reading),
        View(POWER),
        View(FIDELITY),
    ),
    drill=drill,
    figures=(
        Drawn("control1_forest"),
        Drawn("control1_drift", ("drift", "no_drift")),
        Drawn("control1_scores", ("agreement", "constant")),
        Drawn("control1_power", ("power", "power_beyond")),
    ),
    group="controls",
)
