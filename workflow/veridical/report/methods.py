"""How each part was run, its numbers filled from the data and the config, never typed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from veridical.report.findings_scores import main_preset, main_reading
from veridical.report.study import Study
from veridical.report.wording import Wording


def paragraphs(part: str, study: Study, words: Wording) -> list[str]:
    """The method of a part, paragraph by paragraph."""
    named = f"{study.config['control1']['responder']} " if "control1" in study.config else " "
    return [
        text if text.startswith(named) else text[:1].upper() + text[1:]
        for text in _PARTS[part](study, words)
    ]


def _figure(value: Any, words: Wording) -> str:
    """A setting as it stands in the config, in the language's marks."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return words.value("", value) if value is None else str(value)
    if value == 0 or 1e-3 <= abs(value) < 1e6:
        digits = len(f"{value:g}".partition(".")[2])
        return words.number(float(value), digits)
    mantissa, _, exponent = f"{value:g}".partition("e")
    raised = str(int(exponent or 0)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return ("" if mantissa == "1" else f"{mantissa} · ") + f"10{raised}"


def _control1(study: Study, words: Wording) -> Iterator[str]:
    config, documents = study.config["control1"], study.config["documents"]
    block = study.documents.get((config["corpus"], "veridical"))
    yield words(
        "parts.control1.method_documents",
        corpus=config["corpus"],
        characters=words.number(float(len(block.rstrip("\n"))) if block else None, 0),
        foreign=words.count(len(documents["foreign_seeds"]), "foreign"),
        shuffled=words.count(len(documents["shuffled_seeds"]), "shuffled"),
        author=documents["author"],
        tolerance=words.percent(documents["length_tolerance"], 0),
    )
    conditions = study.column("control1/responses", "condition")
    given = conditions.isin(["foreign", "shuffled"])
    verdicts = study.table("control1/verdicts")
    sheets = incomplete = 0
    if verdicts is not None:
        by_sheet = verdicts.drop_duplicates(["sheet_id", "judge"])
        sheets = len(by_sheet)
        broken = verdicts[verdicts["state"] != "complete"]
        incomplete = len(broken.drop_duplicates(["sheet_id", "judge"]))
    response = config.get("response", {})
    contrasts = study.tables["control1/contrasts"]
    n = int(contrasts["n_items"].max())
    yield words(
        "parts.control1.method_judging",
        responder=config["responder"],
        inputs=words.count(n, "input"),
        documents=words.numeral(len(documents["foreign_seeds"]) + len(documents["shuffled_seeds"])),
        answers=words.count(int(given.sum()), "answer", word=False),
        temperature=_figure(response.get("temperature"), words),
        max_tokens=_figure(response.get("max_tokens"), words),
        judges=words.count(len(config["judges"]), "judge"),
        names=words.join(config["judges"]),
        verdicts=words.count(sheets, "verdict", word=False),
        incomplete=words.number(incomplete, 0),
    )
    bootstrap = contrasts["bootstrap"].iloc[0] if "bootstrap" in contrasts else "resampled"
    yield words(
        "parts.control1.method_analysis",
        n=n,
        bound=words.number(config["equivalence_bound"], 2),
        bootstrap=words(f"parts.control1.{bootstrap}"),
        registered=words.value("reading", config["registered"]),
    )


def _control2(study: Study, words: Wording) -> Iterator[str]:
    config, validity = study.config["control2"], study.tables["control2/validity"]
    yield words(
        "parts.control2.method_probes",
        probes=words.count(int(validity["n"].max()), "probe"),
        models=words.count(validity["model"].nunique(), "model"),
        counterfeit=config["counterfeit"],
    )
    rule = config["validity"]
    yield words(
        "parts.control2.method_rule",
        rule=words(
            f"parts.control2.rule_{rule['registered']}",
            threshold=words.percent(rule.get("threshold"), 0),
            upper=words.percent(rule.get("upper"), 0),
        ),
    )


def _control3(study: Study, words: Wording) -> Iterator[str]:
    config, cells = study.config["control3"], study.tables["control3/cells"]
    partners = study.column("control3/answers", "true_partner").dropna().unique()
    kept = study.exchanges.get("control3")
    example = kept["asked"].iloc[0].partition("?")[0] + "?" if kept is not None else "…"
    yield words(
        "parts.control3.method_documents",
        partners=words.count(len(partners), "partner") if len(partners) else "–",
        encounters=words.count(config["document_encounters"], "encounter", word=False),
        probes=words.count(int(cells["n"].max()), "probe", word=False),
        models=words.count(cells["model"].nunique(), "model", word=False),
        corpora=words.count(cells["corpus"].nunique(), "corpus", word=False),
        cells=words.count(len(cells), "cell", word=False),
        documents=words.numeral(2 + max(1, cells["corrupted_document"].nunique())),
        example=example,
    )
    yield words("parts.control3.method_test", m=words.numeral(int(cells["m"].max())))


def _aas(study: Study, words: Wording) -> Iterator[str]:
    config = study.config["aas"]
    rows = main_reading(study.tables["aas/summary"])
    weights = config.get("weights", {})
    yield words(
        "parts.aas.method",
        sessions=words.count(int(rows["n_sessions"].max()), "session"),
        told=words(f"parts.aas.told_{config.get('date_in', 'system')}"),
        epsilon=_figure(config.get("epsilon"), words),
        weights=words.join(
            f"{words.value('task', task)} {_figure(weight, words)}"
            for task, weight in weights.items()
        ),
        bound=words.number(float(rows["bound"].max()), 1),
    )


def _vpe(study: Study, words: Wording) -> Iterator[str]:
    config, rows = study.config["vpe"], main_preset(study.tables["vpe/summary"])
    sampling = config.get("sampling", {})
    yield words(
        "parts.vpe.method",
        problems=words.count(int(rows["n_problems"].max()), "problem"),
        rollouts=words.numeral(int(rows["rollouts"].max())),
        horizons=words.join(str(int(h)) for h in sorted(rows["horizon"].unique())),
        models=words.count(rows["model"].nunique(), "model"),
        temperature=_figure(sampling.get("temperature"), words),
        top_p=_figure(sampling.get("top_p"), words),
    )


_PARTS = {
    "control1": _control1,
    "control2": _control2,
    "control3": _control3,
    "aas": _aas,
    "vpe": _vpe,
}
