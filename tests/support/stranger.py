"""What somebody else's study leaves behind, as tables: verdicts, answers, probes, another life."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from veridical.corpora.corpus import Corpus

METRICS = {"warmth": {"question": "how warm the answer is", "low": "cold", "high": "tender"}}
JUDGES, ITEMS = ("ann", "bob"), [f"Q{number}" for number in range(1, 9)]
CONDITIONS = [("veridical", None), ("foreign", 1), ("foreign", 2), ("shuffled", 1), ("shuffled", 2)]


def verdicts(metrics: tuple[str, ...] = ("warmth",), shift: float = 0.0) -> pd.DataFrame:
    """Judges who find the real memory's answers warmer by 0.3, and notice what is quoted."""
    rows = []
    for judge in JUDGES:
        for number, item in enumerate(ITEMS):
            for condition, seed in CONDITIONS:
                # spreads that sum to 0 over items, and over a kind's two documents
                worth = 0.3 + 0.02 * (number % 4 - 1.5) if seed is None else 0.01 * (seed - 1.5)
                rows += [
                    {
                        "judge": judge, "metric": metric, "item_id": item, "condition": condition,
                        "seed": seed, "anchor_score": 0.5 + shift,
                        "other_score": round(0.4 + worth, 3),
                        "anchor_position": "AB"[number % 2],
                    }
                    for metric in metrics
                ]  # fmt: skip
        rows += [
            {
                "judge": judge, "metric": metric, "item_id": f"own-{number}", "condition": "quoted",
                "seed": None, "anchor_score": 0.8 + 0.01 * number, "other_score": 0.3,
                "anchor_position": "AB"[number % 2],
            }
            for number in range(7) for metric in metrics
        ]  # fmt: skip
    return pd.DataFrame(rows).astype({"seed": "Int64"})


def recognised(models: tuple[str, ...] = ("keen", "blind"), n: int = 16) -> pd.DataFrame:
    """One model right wherever it has its memory; one that guesses in turn whatever it is given."""
    rows = []
    for model in models:
        for condition in ("veridical", "counterfeit", "none"):
            for number in range(n):
                true = "AB"[number % 2]
                keen = model == "keen" and condition == "veridical"
                answer = true if keen else "AB"[(number // 2) % 2]
                rows.append(
                    {"model": model, "condition": condition, "probe_id": f"p{number:02d}",
                     "answer": answer, "true_is": true}
                )  # fmt: skip
    return pd.DataFrame(rows)


def partners(models: tuple[str, ...] = ("reader",), n: int = 16) -> pd.DataFrame:
    """Models that answer as their document says, and say nothing without one."""
    rows = []
    for model in models:
        for document in ("veridical", "binding-corrupted", "none"):
            for number in range(n):
                names = ["Ada", "Ben"]
                true = names[number % 2]
                told = {"veridical": true, "none": ""}.get(document, names[1 - number % 2])
                rows.append(
                    {"corpus": "Elsewhere", "model": model, "document": document,
                     "probe_id": f"s{number:02d}", "answer": told, "true_partner": true,
                     "first_option": names[(number // 2) % 2]}
                )  # fmt: skip
    return pd.DataFrame(rows)


def life(corpus: Corpus) -> Iterator[Mapping[str, Any]]:
    """Another life's entries: as many, as long and as spread as the corpus's, of other people."""
    others = dict(zip(corpus.partners, ("Umo", "Ile"), strict=True))
    for number, row in enumerate(corpus.remembered().to_dict("records")):
        topic = f"matter {number:02d} ".ljust(len(row["topic"]), "o")
        gap = len(row["partner"]) - len(others[row["partner"]])
        note = "it was so and so it was ".ljust(400, "u")[: len(row["note"]) + gap - 1] + "x"
        yield {"date": row["date"], "partner": others[row["partner"]], "topic": topic, "note": note}


def responses(corpus: Corpus) -> pd.DataFrame:
    """Answers to the corpus's test day, the anchors among them."""
    conditions = [("anchor", None), *CONDITIONS]
    rows = [
        {"item_id": item, "condition": condition, "seed": seed,
         "text": f"To {item} I say what {condition} {seed or ''} has me say."}
        for condition, seed in conditions for item in corpus.test_day["item_id"]
    ]  # fmt: skip
    return pd.DataFrame(rows).astype({"seed": "Int64"})


def write(table: pd.DataFrame, path: Path) -> str:
    """Write a table where a study may name it; returns the name from the project's folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    table.to_csv(path, index=False)
    return path.relative_to(path.parents[2]).as_posix()
