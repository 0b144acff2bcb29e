"""The lint in words for a terminal, and as one JSON object for a program."""

from __future__ import annotations

import csv
import json
import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veridical.benchmarks.lint import ALPHA_CONSTANTS, ALPHA_CUES, DRAWS, TOLERATED, Lint
from veridical.benchmarks.simulated import Alarms

if TYPE_CHECKING:
    import pandas as pd

MEASURED = Path(__file__).with_name("false_alarms.csv")
WIDTH = 88

# What earned so much; each sentence goes on with the share and what random keys show.
EARNS = {
    "position": "Answering one place throughout ({which})",
    "position_in_stratum": "Answering one place throughout a stratum ({which})",
    "length": "Answering by length ({which})",
    "recurring_option": "Answering one wording wherever it is offered ({which})",
    "options_clusters_held_out": "Words of the options alone, learnt from other lives",
    "options_topics_held_out": "Words of the options alone, learnt from other lives and topics",
    "both_clusters_held_out": "Words of options and question and the options' length, learnt from "
    "other lives",
    "both_topics_held_out": "Words of options and question and the options' length, learnt from "
    "other lives and topics",
    "question_clusters_held_out": "The question's words, telling the right option's place",
    "question_topics_held_out": "The question's words, telling the right option's place on other "
    "topics",
    "answer_clusters_held_out": "The question's words, telling a frequent answer",
    "answer_topics_held_out": "The question's words, telling a frequent answer on other topics",
    "abstention_clusters_held_out": "The question's words, telling that it can't be answered",
    "abstention_topics_held_out": "The question's words, telling that it can't be answered on "
    "other topics",
    "option_in_question": "Answering the option that the question names",
    "answer_in_question": "Answering what the question already says",
    "last_session": "Reading the history's last session only",
}

NAMES = {
    "position": "the right option's place",
    "position_in_stratum": "its place within a stratum",
    "length": "the options' length",
    "recurring_option": "options offered again and again",
    "options_clusters_held_out": "words of the options",
    "options_topics_held_out": "words of the options, topics held out",
    "both_clusters_held_out": "words of question and options",
    "both_topics_held_out": "words of question and options, topics held out",
    "question_clusters_held_out": "words of the question (place)",
    "question_topics_held_out": "words of the question (place), topics held out",
    "answer_clusters_held_out": "words of the question (answer)",
    "answer_topics_held_out": "words of the question (answer), topics held out",
    "abstention_clusters_held_out": "words of the question (unanswerable)",
    "abstention_topics_held_out": "words of the question (unanswerable), topics held out",
    "option_in_question": "options named in the question",
    "answer_in_question": "answers said in the question",
    "last_session": "answers in the last session",
    "constant_answer": "one answer throughout a stratum",
    "duplicates": "repeated items",
    "near_duplicates": "nearly repeated items",
    "inconsistencies": "keys, dates and evidence",
}


@cache
def false_alarms() -> dict[str, tuple[int, int]]:
    """In how many of how many clean simulated benchmarks each check found something."""
    with open(MEASURED, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {row["check"]: (int(row["alarms"]), int(row["benchmarks"])) for row in rows}


def summary(result: Lint, like: Alarms | None = None) -> str:
    """What a person reads on the terminal; `like` says how clean benchmarks of its shape fare."""
    checks = result.checks.set_index("check", drop=False)
    found = checks[checks["verdict"] == "found"]
    blocks = [_head(result, checks)]
    lines = [*_found(found, checks), *_counted(found, result)] or ["Nothing."]
    blocks.append(["Found:", *(_item(line) for line in lines)])
    for verdict, title in (("clear", "Looked at and clear"), ("not applicable", "Not applicable")):
        names = [NAMES[check] for check in checks.index[checks["verdict"] == verdict]]
        if names:
            blocks.append([_wrapped(f"{title}: {'; '.join(names)}.")])
    missing = result.benchmark.missing
    if not missing and not any(each.history for each in result.benchmark.items):
        missing = ("histories: no item has one, so nothing here needs to be remembered",)
    if missing:
        blocks.append([_wrapped(f"Not in the file: {'; '.join(missing)}.")])
    alarms, n = false_alarms()["any"]
    blocks.append(
        [
            _wrapped(
                f"Of {n:,} clean simulated benchmarks this lint found something in {alarms} "
                f"({alarms / n:.1%}). It can find that memory is not needed; that it is needed it "
                "can't show."
            ),
            *([_wrapped(_alike(like))] if like else []),
        ]
    )
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _alike(like: Alarms) -> str:
    """How often the lint is wrong of benchmarks of this shape, or of the nearest measured."""
    share = f"{like.alarms} ({like.alarms / like.benchmarks:.1%})"
    if like.own:
        return f"Of {like.benchmarks:,} of this one's own shape, {like.shape}: {share}."
    return (
        f"Of {like.benchmarks:,} of the measured shape that is nearest to this one, {like.shape}: "
        f"{share}. Add benchmark_clean=200 to measure it for its own."
    )


def _wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=indent)


def _item(text: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent="  - ", subsequent_indent="    ")


def _head(result: Lint, checks: pd.DataFrame) -> list[str]:
    """Which file it is, and how large."""
    benchmark = result.benchmark
    known = benchmark.release or f"{benchmark.title}, a release unknown here"
    chance, lives = checks.loc["chance"], int(checks.loc["clusters", "statistic"])
    strata = sum(name != "" for name in result.strata["stratum"])
    size = [f"{len(benchmark.items):,} items"]
    size += [f"{strata} strata"] if strata else []
    size += [f"{lives:,} lives"] if lives < len(benchmark.items) else []
    size += [_chance(chance["statistic"], chance["which"])]
    lines = [
        _wrapped(f"{benchmark.path.name}: {known}"),
        f"SHA-256 {benchmark.sha256}",
        _wrapped(", ".join(size)),
    ]
    if lives < len(benchmark.items):
        effective = checks.loc["effective_items"]
        lines.append(
            _wrapped(
                f"As good as {effective['statistic']:.0f} independent items {effective['which']}."
            )
        )
    return lines


def _chance(mean: float, spread: str) -> str:
    if mean == 0:
        return "open questions"
    low, high = (float(end) for end in spread.removeprefix("from ").split(" to "))
    return f"chance {mean:.1%}" if low == high else f"chance {mean:.1%} ({low:.1%} to {high:.1%})"


def _found(found: pd.DataFrame, checks: pd.DataFrame) -> Iterator[str]:
    """A sentence a way of answering that was found."""
    for check, row in found.iterrows():
        if check not in EARNS:
            continue
        of = "those it calls so, " if check.startswith("abstention") else ""
        text = (
            f"{EARNS[check].format(which=row['which'])}: right in {row['statistic']:.1%} of "
            f"{of}{row['items']:,} items{_ends(row)}; with random keys {row['expected']:.1%} "
            f"(p = {row['p']:.3f} over all checks)."
        )
        yield text + (_leak(check, checks) if check.endswith("_clusters_held_out") else "")


def _ends(row: pd.Series) -> str:
    return f" (95%: {row['ci95_low']:.1%} to {row['ci95_high']:.1%})"


def _leak(check: str, checks: pd.DataFrame) -> str:
    """What it means that a cue goes where topics are held out as well."""
    held = checks.loc[check.replace("_clusters_", "_topics_")]
    if held["verdict"] != "clear":
        return ""
    return (
        f" Topic leak: with topics held out as well it is {held['statistic']:.1%}, as random keys "
        "allow; what was learnt are the right answers of each topic."
    )


def _counted(found: pd.DataFrame, result: Lint) -> Iterator[str]:
    """A sentence a finding that needs no chance."""
    n = len(result.benchmark.items)
    if "constant_answer" in found.index:
        row = found.loc["constant_answer"]
        yield (
            f"One and the same answer wins {row['touched']:.1%} of the items, right in "
            f"{row['statistic']:.1%} of them: {row['which']}."
        )
    for check, what in (("duplicates", "repeat"), ("near_duplicates", "nearly repeat")):
        if check in found.index:
            items = int(found.loc[check, "statistic"])
            yield f"{items:,} of {n:,} items {what} an earlier one ({items / n:.1%})."
    if "inconsistencies" in found.index:
        flags = result.flags[result.flags["check"] == "inconsistencies"]
        first = "; ".join(f"item {f.item_id}: {f.note}" for f in flags.head(3).itertuples())
        more = len(flags) - 3
        rest = f"; and {more} more in flags.csv" if more > 0 else ""
        yield f"{len(flags)} inconsistencies. {first}{rest}."


def as_json(result: Lint, seed: int, like: Alarms | None = None) -> str:
    """Everything that the lint found, how it was set, and how often it is wrong, as JSON."""
    from veridical import __version__

    benchmark = result.benchmark
    value: dict[str, Any] = {
        "benchmark": {
            "file": benchmark.path.name,
            "format": benchmark.format,
            "title": benchmark.title,
            "release": benchmark.release or None,
            "sha256": benchmark.sha256,
            "items": len(benchmark.items),
            "topics": result.topics,
            "missing": list(benchmark.missing),
        },
        "found": result.checks.loc[result.checks["verdict"] == "found", "check"].tolist(),
        "checks": _records(result.checks),
        "strata": _records(result.strata),
        "flagged_items": int(result.flags["item_id"].nunique()),
        "rule": {
            "draws": DRAWS,
            "seed": seed,
            "alpha_shuffled_checks": ALPHA_CUES,
            "alpha_constant_answers": ALPHA_CONSTANTS,
            "tolerated_share": TOLERATED,
        },
        "false_alarms_measured": {
            check: {"alarms": alarms, "clean_benchmarks": n}
            for check, (alarms, n) in false_alarms().items()
        },
        "false_alarms_of_this_shape": vars(like) if like else None,
        "version": __version__,
    }
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows as plain objects, null where a value is missing, ten significant digits."""
    plain = table.astype(object).where(table.notna(), None)
    return [
        {
            name: float(f"{value:.10g}") if isinstance(value, float) else value
            for name, value in row.items()
        }
        for row in plain.to_dict("records")
    ]
