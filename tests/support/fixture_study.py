"""A study in tables only, for the report's tests: the shape of the KAIROS figures, invented texts.

`build(root)` writes `results/`, `figures/` and `data/freeze/` of a study below `root`, as the
workflow would have left them; `build(root, control3_probes=2400, wordy=True)` makes a large one.
One model's answer holds `PLANTED`, which has to stay text wherever it is shown.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
from support.fixture_claims import claim_tables
from support.fixture_memories import SYSTEMS, memory_tables
from support.fixture_scores import age_tables, path_tables
from support.fixture_zoo import zoo_tables
from support.scripts import load_script
from veridical.base.files import write_text
from veridical.base.tables import write_table
from veridical.control1.rules import conclude, examine, judged
from veridical.control2.prior_bias import estimate_effects, estimate_preferences
from veridical.control2.tables import ANSWERS as ANSWERS2
from veridical.control2.tables import CONDITIONS
from veridical.control2.validity import judge_validity
from veridical.control3.cells import cells as cell_table
from veridical.control3.tables import ANSWERS as ANSWERS3
from veridical.control3.tables import PROBES as PROBES3
from veridical.drawing import style
from veridical.freeze.sealing import receipt, seal
from veridical.parts import CONTRACTS as ALL
from veridical.parts import OTHERS, PARTS
from veridical.report.study import Study, read_study

PLANTED = "<script>window.planted = true</script><img src=x onerror='window.planted = true'>"
CONTRACTS = {contract.name: contract for contract in ALL}
METRICS = ("identity_markers", "memory_reference")
JUDGES = ("gpt-4.1", "claude-opus-4-7", "gemini-2.5-pro")
TOPICS = ("the ferry timetable", "a broken lens", "sourdough", "the census", "quiet hours", "kites")

# model: right answers of 24 with the veridical, the counterfeit and no document
RECOGNITION = {
    "qwen3.5:27b": (24, 16, 9),
    "llama3": (13, 12, 12),
    "qwen3.6:35b-a3b": (20, 13, 16),
    "deepseek-r1:32b": (18, 17, 15),
    "qwen3:32b": (23, 19, 17),
    "gpt-4.1": (24, 17, 16),
    "gemini-2.5-pro": (20, 12, 19),
}
# model: (right with the veridical, b, c) of 24; corpus A as printed, B invented within its ranges
SYMMETRIC = {
    "A": {
        "gpt-4.1": (24, 24, 0),
        "gemini-2.5-pro": (24, 24, 0),
        "llama3": (24, 23, 0),
        "qwen3.6:35b-a3b": (24, 22, 0),
        "qwen3.5:27b": (24, 21, 0),
        "qwen3:32b": (23, 21, 0),
        "deepseek-r1:32b": (16, 10, 1),
    },
    "B": {
        "gpt-4.1": (24, 24, 0),
        "gemini-2.5-pro": (24, 24, 0),
        "llama3": (22, 20, 0),
        "qwen3.6:35b-a3b": (23, 19, 0),
        "qwen3.5:27b": (24, 20, 0),
        "qwen3:32b": (22, 18, 0),
        "deepseek-r1:32b": (18, 13, 0),
    },
}
CELL = {"responder": "qwen3.5:27b", "corpus": "A"}  # Control 1's only one
# metric, contrast, reading, estimate, 90 %, 95 %, verdict
CONTRASTS = [
    ("identity_markers", "foreign", "anchored", 0.032, (0.002, 0.065), (-0.002, 0.072)),
    ("identity_markers", "foreign", "unanchored", 0.061, (0.021, 0.098), (0.012, 0.106)),
    ("memory_reference", "foreign", "anchored", -0.006, (-0.117, 0.114), (-0.135, 0.137)),
    ("memory_reference", "foreign", "unanchored", 0.116, (0.041, 0.186), (0.024, 0.199)),
    ("identity_markers", "shuffled", "anchored", 0.021, (-0.019, 0.060), (-0.028, 0.068)),
    ("identity_markers", "shuffled", "unanchored", 0.049, (0.004, 0.091), (-0.004, 0.099)),
    ("memory_reference", "shuffled", "anchored", 0.091, (-0.004, 0.178), (-0.022, 0.196)),
    ("memory_reference", "shuffled", "unanchored", 0.149, (0.068, 0.226), (0.051, 0.242)),
]


def config(**changes) -> dict:
    """The resolved config of the fixture study."""
    models = {name: {"provider": "openai", "model": name, "parameters": {}} for name in RECOGNITION}
    return {
        "study": "fixture",
        "title": "Two agents, seven models",
        "language": "en",
        "seed": 1,
        "models": models,
        "documents": {
            "foreign_seeds": [1, 2, 3],
            "shuffled_seeds": [1, 2, 3],
            "author": "qwen3.5:27b",
            "length_tolerance": 0.05,
        },
        "control1": {
            "corpora": ["A"],
            "responders": ["qwen3.5:27b"],
            "response": {"temperature": 0.7, "max_tokens": 300},
            "judges": list(JUDGES),
            "metrics": list(METRICS),
            "equivalence_bound": 0.10,
            "registered": "unanchored",
        },
        "control2": {
            "corpora": ["A"],
            "responders": list(RECOGNITION),
            "probes": 24,
            "counterfeit": "foreign-1",
            "validity": {"registered": "point", "threshold": 0.60, "upper": 0.75},
        },
        "control3": {
            "corpora": ["A", "B"],
            "responders": list(RECOGNITION),
            "probes": 24,
            "document_encounters": 30,
        },
        "memories": {"systems": SYSTEMS, "k": 5, "readers": []},
        "zoo": {"studies": 2},
        "aas": {
            "models": ["gpt-4.1", "llama3"],
            "sessions": 20,
            "epsilon": 1e-6,
            "weights": {"semantic": 1.0, "episodic": 1.0},
        },
        "vpe": {
            "models": ["llama3", "gpt-4.1"],
            "n_problems": 6,
            "rollouts": 32,
            "horizons": [96, 160],
            "sampling": {"temperature": 0.8, "top_p": 0.95},
        },
    } | changes


def verdict(ci90: tuple[float, float], ci95: tuple[float, float], bound: float = 0.10) -> str:
    """The registered rule, as the study states it."""
    if -bound < ci90[0] and ci90[1] < bound:
        return "equivalent"
    return "different" if ci95[0] > 0 or ci95[1] < 0 else "inconclusive"


def judged_tables(rng: np.random.Generator) -> dict[str, pd.DataFrame]:
    """Control 1: contrasts as printed, and verdicts with invented scores and rationales."""
    rows = []
    for metric, kind, reading, estimate, ci90, ci95 in CONTRASTS:
        said = verdict(ci90, ci95)
        wider = [1.2 * end for end in ci90]
        rows.append(
            {
                **CELL,
                "metric": metric,
                "contrast": f"veridical-{kind}",
                "reading": reading,
                "registered": reading == "unanchored",
                "n_items": 7,
                "estimate": estimate,
                "ci90_low": ci90[0],
                "ci90_high": ci90[1],
                "ci95_low": ci95[0],
                "ci95_high": ci95[1],
                "verdict": said,
                "inside_not_zero": said == "equivalent" and (ci95[0] > 0 or ci95[1] < 0),
                "t_ci90_low": wider[0],
                "t_ci90_high": wider[1],
                "t_ci95_low": 1.2 * ci95[0],
                "t_ci95_high": 1.2 * ci95[1],
                "tost_p": 0.021 if said == "equivalent" else 0.21,
                "t_verdict": verdict(tuple(wider), ci95),
                "methods_disagree": verdict(tuple(wider), ci95) != said,
                "bootstrap": "enumerated",
                "omitted": 0,
            }
        )
    responses, verdicts, drifts = [], [], []
    documents = ["veridical", *(f"{k}-{s}" for k in ("foreign", "shuffled") for s in (1, 2, 3))]
    for item in range(1, 8):
        for document in [*documents, "anchor"]:
            kind, _, seed = document.partition("-")
            text = f"On day {item} I spoke of {TOPICS[item % 6]}; the {kind} version of it."
            if item == 1 and document == "veridical":
                text += " " + PLANTED
            seed = int(seed) if seed else None
            responses.append((f"item-{item}", document, kind, seed, text, "ok"))
        for judge in JUDGES:
            for metric in METRICS:
                for document in documents:
                    kind, _, seed = document.partition("-")
                    session = "original" if kind == "veridical" else "counterfeit"
                    base = 0.55 + 0.04 * item + (0.09 if session == "original" else 0)
                    drawn = rng.normal(0, 0.05, 2)
                    verdicts.append(
                        {
                            "sheet_id": f"{judge}-{item}-{document}",
                            "judge": judge,
                            "session": session,
                            **CELL,
                            "item_id": f"item-{item}",
                            "document": document,
                            "condition": kind,
                            "seed": int(seed) if seed else None,
                            "metric": metric,
                            "anchor_score": round(float(np.clip(base + drawn[0], 0, 1)), 2),
                            "other_score": round(float(np.clip(base - 0.05 + drawn[1], 0, 1)), 2),
                            "anchor_position": "AB"[len(verdicts) % 2],
                            "state": "complete",
                            "reason": "",
                            "at": None,
                            "attempt": 1,
                            "rationale": f"B names places on day {item}; A stays general.",
                            "served_model": f"{judge}-2025-04-14",
                        }
                    )
    for metric in METRICS:
        for item in range(1, 8):
            for kind in ("foreign", "shuffled"):
                size = 0.211 if item == 5 and metric == METRICS[1] else 0.03 + 0.01 * item
                drifts.append((metric, f"item-{item}", f"veridical-{kind}", 0.8, 0.8 - size, size))
    judges = []
    for metric, alpha in zip(METRICS, (0.71, 0.58), strict=True):
        judges += [("all", metric, f"alpha{end}", None, alpha + d, "") for end, d in
                   (("", 0), ("_low", -0.18), ("_high", 0.12))]  # fmt: skip
        for judge in JUDGES:
            judges += [
                (judge, metric, "mean", None, 0.71, ""),
                (judge, metric, "distinct_scores", None, 19, ""),
                (judge, metric, "order_effect", None, 0.012, ""),
            ]
    table = pd.DataFrame(verdicts)
    items, documents = judged(table)
    panel = examine(table, items, bound=0.10)
    return {
        "control1/findings": conclude(items, documents, panel, bound=0.10),
        "control1/instrument": panel,
        "control1/contrasts": pd.DataFrame(rows),
        "control1/responses": pd.DataFrame(
            responses, columns=["item_id", "document", "condition", "seed", "text", "state"]
        ).assign(**CELL),
        "control1/verdicts": pd.DataFrame(verdicts),
        "control1/drift": pd.DataFrame(
            drifts,
            columns=[
                "metric", "item_id", "contrast", "anchor_original", "anchor_counterfeit", "drift",
            ],
        ).assign(**CELL),
        "control1/judges": pd.DataFrame(
            judges, columns=["judge", "metric", "statistic", "contrast", "value", "note"]
        ).assign(responder=None, corpus=None),
    }  # fmt: skip


def recognition_tables() -> dict[str, pd.DataFrame]:
    """Control 2: the printed counts, and one answer a probe that adds up to them."""
    probes = [
        {
            "corpus": "A",
            "probe_id": f"R-{i:02d}",
            "encounter_id": f"A-{i:03d}",
            "true_text": f"{i + 2} of five boats were in, we said, and {TOPICS[i % 6]}.",
            "altered_text": f"{i + 3} of five boats were in, we said, and {TOPICS[i % 6]}.",
            "kind": "number",
            "position": 11,
            "from": str(i + 2),
            "to": str(i + 3),
            "true_is": "AB"[i % 2],
        }
        for i in range(1, 25)
    ]
    rows = []
    for model, counts in RECOGNITION.items():
        for condition, right in zip(CONDITIONS, counts, strict=True):
            for i, probe in enumerate(probes):
                correct = (i * 7) % 24 < right
                other = "B" if probe["true_is"] == "A" else "A"
                answer = probe["true_is"] if correct else other
                rows.append(
                    ("A", model, condition, probe["probe_id"], i + 1, "ok", answer, correct, "A")
                )
    answers = pd.DataFrame(rows, columns=ANSWERS2.names)
    samples = answers[answers["condition"] == "none"].drop(columns="condition").assign(sample=0)
    preferences = estimate_preferences(samples)
    documents = ["veridical", "counterfeit"]
    return {
        "control2/probes": pd.DataFrame(probes),
        "control2/answers": answers,
        "control2/samples": samples,
        "control2/validity": judge_validity(answers, list(RECOGNITION)),
        "control2/preferences": preferences,
        "control2/prior_bias": estimate_effects(answers, preferences, list(RECOGNITION), documents),
    }


def symmetric_tables(n: int = 24) -> dict[str, pd.DataFrame]:
    """Control 3: the recovered b and c of corpus A, scaled to `n` probes a cell."""
    partners = ("Llama", "DeepSeek")
    probes, answers = [], []
    for corpus, models in SYMMETRIC.items():
        for i in range(n):
            topic = TOPICS[i % 6] + (f" ({i // 6 + 1})" if i >= 6 else "")
            probes.append(
                (f"P-{i + 1:02d}", corpus, f"{corpus}-{i:03d}", topic, partners[i % 2],
                 json.dumps(partners), i % 2 + 1)
            )  # fmt: skip
        for model, (right, b, c) in models.items():
            right, b, c = (round(value * n / 24) for value in (right, b, c))
            kinds = ["b"] * b + ["both"] * (right - b) + ["c"] * c
            kinds += ["neither"] * (n - len(kinds))
            for document in ("veridical", "binding-corrupted", "none"):
                for i, kind in enumerate(kinds):
                    truth, other = partners[i % 2], partners[1 - i % 2]
                    state, correct = "ok", kind in ("b", "both")
                    if document == "binding-corrupted":
                        correct = kind in ("c", "both")
                    if document == "none":
                        state, correct = ("abstained", None) if i % 3 else ("ok", i // 3 % 4 < 2)
                    answer = None if state != "ok" else truth if correct else other
                    named = {"veridical": truth, "binding-corrupted": other}.get(document)
                    answers.append(
                        (corpus, model, document, f"P-{i + 1:02d}", None, state, answer, truth,
                         named, correct, partners[0])
                    )  # fmt: skip
    answers = pd.DataFrame(answers, columns=ANSWERS3.names)
    declared = [(corpus, model) for corpus, models in SYMMETRIC.items() for model in models]
    return {
        "control3/cells": cell_table(answers, declared, dict.fromkeys(SYMMETRIC, 2)),
        "control3/answers": answers,
        "control3/probes": pd.DataFrame(probes, columns=PROBES3.required),
    }


def write_replies(root: Path, study: str, answers: pd.DataFrame, wordy: bool = False) -> None:
    """Replies files of Control 3, with a raw text a row; one holds the planted script."""
    for (corpus, model), own in answers.groupby(["corpus", "model"], sort=False):
        lines = []
        for row in own.itertuples():
            text = row.answer or "I don't know"
            if corpus == "A" and model == "gpt-4.1" and row.probe_id == "P-01":
                text += " " + PLANTED
            if wordy:
                text += (
                    f". I recall {corpus} {row.document} {row.probe_id} as one of our talks, " * 2
                )
                text += f"says {model}."
            question = f"With whom did you discuss the topic of {row.probe_id}?"
            lines.append(
                {
                    "stage": "control3", "model": model,
                    "id": f"{row.document}-{row.probe_id}", "sample": 0, "turn": 0,
                    "facts": {"corpus": corpus, "document": row.document,
                              "probe_id": row.probe_id, "question": question},
                    "state": row.state, "value": row.answer, "text": text, "thinking": "",
                    "finish": "stop", "prompt_tokens": 1, "completion_tokens": 1,
                    "served_model": f"{model}-2025-04-14", "attempt": 1,
                    "time": "2025-09-14T10:00:00Z", "latency": 0.5, "sdk": "", "parameters": {},
                    "key": "0" * 64, "first_state": None, "first_value": None,
                    "exchanges": [{"request": {"messages": [
                        {"role": "system", "content": "You are an agent."},
                        {"role": "user", "content": question}]}, "reply": {}}],
                }
            )  # fmt: skip
        path = root / f"results/{study}/control3/replies/{corpus}/{model}.jsonl"
        write_text(path, "".join(json.dumps(line) + "\n" for line in lines))


def draw(root: Path, study: str, tables: dict[str, pd.DataFrame]) -> None:
    """Two figures in the house style."""
    rows = tables["control1/contrasts"]
    rows = rows[rows["reading"] == "anchored"].iloc[::-1]
    fig, axes = style.figure(style.WIDTH, 2.6)
    style.light(axes, grid="x")
    style.band(axes, -0.1, 0.1, text="equivalence bounds ±0.10")
    style.reference(axes, 0)
    for y, row in enumerate(rows.itertuples()):
        kind = row.contrast.removeprefix("veridical-")
        ends = ((row.ci90_low, row.ci90_high), (row.ci95_low, row.ci95_high))
        style.interval(
            axes, y, row.estimate, *ends, color=style.COLORS[kind], marker=style.MARKERS[kind]
        )
    names = [
        f"{r.metric.replace('_', ' ')}\nveridical − {r.contrast[10:]}" for r in rows.itertuples()
    ]
    axes.set_yticks(range(len(rows)), names)
    axes.set_ylim(-0.6, len(rows) - 0.4)
    style.note(fig, "Difference of mean scores; n = 7 items; thick 90%, thin 95% interval")
    style.save(fig, root / f"figures/{study}/control1_forest.svg")
    cells = tables["control3/cells"]
    cells = cells[cells["corpus"] == "A"].iloc[::-1]
    fig, axes = style.figure(style.WIDTH, 3.0)
    style.light(axes, grid="x")
    for y, row in enumerate(cells.itertuples()):
        ends = [100 * row.veridical_correct / row.n, 100 * row.corrupted_correct / row.n]
        axes.plot(ends, [y, y], color=style.GRID, linewidth=3, zorder=1)
        for x, role in zip(ends, ("veridical", "corrupted"), strict=True):
            axes.plot([x], [y], style.MARKERS[role], color=style.COLORS[role], markersize=8)
    axes.set_yticks(range(len(cells)), cells["model"])
    axes.set(xlim=(-4, 104), ylim=(-0.6, len(cells) + 0.1))
    style.label(
        axes,
        100,
        len(cells) - 0.45,
        "veridical",
        color=style.COLORS["veridical"],
        ha="center",
        dx=0,
    )
    style.label(
        axes, 0, len(cells) - 0.45, "corrupted", color=style.COLORS["corrupted"], ha="center", dx=0
    )
    style.note(fig, "Right answers, % of 24 probes; corpus A")
    style.save(fig, root / f"figures/{study}/control3_cells.svg")
    if "memories/stages" in tables:
        stages = root / f"results/{study}/memories/stages.csv"
        figures = [root / f"figures/{study}/memories_stages.{end}" for end in ("svg", "pdf")]
        load_script("memories/draw_stages.py").main(stages, *figures)
    if "zoo/rates" in tables:
        rates = root / f"results/{study}/zoo/rates.csv"
        figures = [root / f"figures/{study}/zoo_noticed.{end}" for end in ("svg", "pdf")]
        load_script("zoo/draw_zoo.py").main(rates, *figures)


def build(
    root: Path, *, study: str = "fixture", control3_probes: int = 24, wordy: bool = False, **changes
) -> Path:
    """Write the whole study below `root` and return its results folder."""
    rng = np.random.default_rng(20250914)
    settings = config(study=study, **changes)
    tables = judged_tables(rng) | recognition_tables() | symmetric_tables(control3_probes)
    tables |= memory_tables() | zoo_tables() | age_tables() | path_tables(rng)
    tables = {name: table for name, table in tables.items() if name.split("/")[0] in settings}
    tables |= claim_tables()
    results = root / "results" / study
    for name, table in tables.items():
        write_table(table, results / f"{name}.csv", CONTRACTS[name])
    write_text(results / "config.json", json.dumps(settings, indent=1))
    for corpus in ("A", "B"):
        for document in ("veridical", "foreign-1", "binding-corrupted"):
            lines = [
                f"2025-08-{d:02d} — met Llama — {TOPICS[d % 6]}: said so." for d in range(1, 31)
            ]
            write_text(results / f"documents/{corpus}/{document}.txt", "\n".join(lines))
    (root / "uv.lock").write_text("lock")
    sealed = seal(study, "design", [f"results/{study}/config.json"], root=root)
    write_text(results / "freeze/design.json", receipt(sealed))
    if "control3/answers" in tables:  # asked once the design is sealed
        write_replies(root, study, tables["control3/answers"], wordy)
    draw(root, study, tables)
    return results


def read(root: Path, study: str = "fixture") -> Study:
    """The study that `build` wrote, as the report reads it."""
    return read_study(root / "results" / study, root / "figures" / study, PARTS, OTHERS, root)
