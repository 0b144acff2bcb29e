"""The figures that the page on the three controls prints, recomputed from its counts.

Tables come in as text: a printed figure keeps its digits and its sign.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from veridical.choices.answers import Counts
from veridical.control2.validity import validity
from veridical.published.check import Check, Row, agree, number, open_row
from veridical.statistics.equivalence import verdict
from veridical.statistics.intervals import wilson
from veridical.statistics.mcnemar import mcnemar_answers, mcnemar_exact
from veridical.statistics.multiplicity import holm

if TYPE_CHECKING:
    import pandas as pd

LEAST_SHARE = 0.905  # of the discordant probes, 91 to 100 % are said to follow the document


def recover_discordant(n: int, veridical: int, corrupted: int, share: str) -> list[tuple[int, int]]:
    """Every (b, c) that fits n probes, two counts of right answers and a printed share b / (b + c).

    >>> recover_discordant(24, 16, 7, "90.9")
    [(10, 1)]
    """
    found = []
    for both in range(max(0, veridical + corrupted - n), min(veridical, corrupted) + 1):
        pair = mcnemar_exact(veridical - both, corrupted - both)
        if pair.discordant and agree(share, 100 * pair.share):
            found.append((pair.b, pair.c))
    return found


def pairs_with_p(
    printed: str, n: int, veridical: tuple[int, int], corrupted: tuple[int, int], share: float
) -> list[tuple[int, int]]:
    """Every (b, c) whose exact p is the printed one, given the ends of the counts of right answers.

    `share` is the least share b / (b + c) that the source reports.
    """
    found = set()
    for right in range(veridical[0], veridical[1] + 1):
        for wrong in range(corrupted[0], corrupted[1] + 1):
            for both in range(max(0, right + wrong - n), min(right, wrong) + 1):
                pair = mcnemar_exact(right - both, wrong - both)
                if pair.discordant and pair.share >= share and agree(printed, pair.p):
                    found.add((pair.b, pair.c))
    return sorted(found)


def check_contrasts(contrasts: Iterable[Row], drift: Mapping[str, str]) -> list[Check]:
    """The verdicts from the printed intervals, and what the printed drift can be held against."""
    checks = []
    shift, raw = float(drift["mean_drift"]), float(drift["unanchored"])
    for row in contrasts:
        name = f"{row['metric']}, {row['contrast']}"
        ends = [row[end] for end in ("ci90_low", "ci90_high", "ci95_low", "ci95_high")]
        if not all(ends):
            note = "no interval is printed, so the verdict can't be read again"
            checks.append(
                open_row("kairos_control1", f"{name}: verdict", row["verdict"], note=note)
            )
        else:
            low90, high90, low95, high95 = map(float, ends)
            read = verdict((low90, high90), (low95, high95), float(row["bound"]))
            note = "the 90 % interval is inside the bounds and yet excludes 0"
            checks.append(
                Check(
                    "kairos_control1",
                    f"{name}: verdict at ±{row['bound']}",
                    "recomputed",
                    row["verdict"],
                    read.label,
                    read.label == row["verdict"],
                    note if read.inside_not_zero else "",
                )
            )
        checks.append(
            open_row(
                "kairos_control1",
                f"{name}: drift, if the unanchored figure belongs here",
                "",
                f"{raw - float(row['estimate']):.3f}",
                f"{drift['unanchored']} less the anchored {row['estimate']}; the source doesn't say"
                " which metric and which counterfeits its unanchored figure is about",
            )
        )
    first = next(iter(contrasts))
    note = (
        f"unanchored less mean drift is within 0.001 of {raw - shift:.3f} by rounding, so not the"
        f" {first['estimate']} of the first contrast; no contradiction: the identity holds for one"
        " metric and one kind of counterfeit, and the source states for neither figure which it"
        " averages over"
    )
    quantity = "anchored = unanchored − mean drift"
    printed = first["estimate"]
    checks.append(open_row("kairos_control1", quantity, printed, f"{raw - shift:+.3f}", note))
    note = "raw scores are not published"
    for name in ("mean_drift", "largest_drift"):
        quantity = f"{name.replace('_', ' ')} of the anchors"
        checks.append(open_row("kairos_control1", quantity, drift[name], note=note))
    return checks


def check_recognition(rows: Sequence[Row]) -> list[Check]:
    """Control 2: percentages, Wilson intervals, and the validity column under both rules."""
    source, checks = "kairos_control2", []
    for row in rows:
        model, n = row["model"], int(row["n"])
        for condition in ("veridical", "counterfeit", "none"):
            percent = 100 * int(row[f"{condition}_correct"]) / n
            quantity, printed = f"{model}: accuracy in %, {condition}", row[f"{condition}_percent"]
            checks.append(number(source, quantity, "recovered", printed, percent))
        correct = int(row["none_correct"])
        low, high = (100 * end for end in wilson(correct, n))
        checks.append(
            Check(
                source,
                f"{model}: Wilson 95 % interval of none",
                "recomputed",
                f"[{row['wilson_low']}, {row['wilson_high']}]",
                f"[{low:.3f}, {high:.3f}]",
                agree(row["wilson_low"], low) and agree(row["wilson_high"], high),
            )
        )
        read = validity(Counts(correct, n - correct, 0, 0))
        for rule, holds in (("point", read.point), ("upper", read.upper)):
            computed = "yes" if holds else "no"
            quantity = f"{model}: probe valid, rule {rule}"
            agrees, note = computed == row["valid"], "the bound was chosen to give the column"
            checks.append(Check(source, quantity, "restated", row["valid"], computed, agrees, note))
    return checks


def check_binding(rows: Sequence[Row]) -> list[Check]:
    """Control 3, corpus A: accuracies, Δ, discordant counts and shares, Holm's p."""
    source, checks = "kairos_control3_a", []
    pairs = [mcnemar_exact(int(row["b"]), int(row["c"])) for row in rows]
    adjusted = holm([pair.p for pair in pairs])
    for row, pair, p in zip(rows, pairs, adjusted, strict=True):
        model, n = row["model"], int(row["n"])
        right, wrong = int(row["veridical_correct"]), int(row["corrupted_correct"])
        for name, count in (("veridical", right), ("corrupted", wrong)):
            quantity, printed = f"{model}: accuracy in %, {name}", row[f"{name}_percent"]
            checks.append(number(source, quantity, "recovered", printed, 100 * count / n))
        counted = mcnemar_answers(_answers(n, right, wrong, pair.b), "veridical", "corrupted")
        delta, quantity = 100 * (counted.b - counted.c) / n, f"{model}: Δ in points"
        checks.append(number(source, quantity, "recomputed", row["delta"], delta, form="+.6g"))
        fits = recover_discordant(n, right, wrong, row["pro_veridical"])
        checks.append(
            Check(
                source,
                f"{model}: discordant counts b, c",
                "recovered",
                f"{pair.b}, {pair.c}",
                " or ".join(f"{b}, {c}" for b, c in fits),
                fits == [(pair.b, pair.c)],
                "not printed: the only counts that fit both accuracies and the printed share",
            )
        )
        quantity = f"{model}: discordant probes that follow the veridical document, %"
        share = row["pro_veridical"]
        checks.append(number(source, quantity, "recovered", share, 100 * pair.share))
        quantity = f"{model}: McNemar p, Holm over {len(rows)}"
        checks.append(number(source, quantity, "recomputed", row["p_holm"], float(p), form=".3g"))
    return checks


def _answers(n: int, right: int, wrong: int, b: int) -> pd.DataFrame:
    """Answers to n probes as the study has them: right with both documents, with one."""
    import pandas as pd

    both = right - b
    states = [(True, True)] * both + [(True, False)] * b + [(False, True)] * (wrong - both)
    states += [(False, False)] * (n - len(states))
    rows = [
        {"probe_id": probe, "document": document, "correct": correct}
        for probe, state in enumerate(states)
        for document, correct in zip(("veridical", "corrupted"), state, strict=True)
    ]
    return pd.DataFrame(rows)


def check_second_corpus(rows: Sequence[Row]) -> list[Check]:
    """Control 3, corpus B: the ends of its ranges, and its worst p."""
    source, checks = "kairos_control3_b", []
    counts = [int(row["count"]) for row in rows if row["count"]]
    for row in rows:
        n = int(row["n"])
        if row["count"]:
            percent = 100 * int(row["count"]) / n
            quantity = f"{row['quantity']}, %"
            checks.append(number(source, quantity, "recovered", row["value"], percent))
            continue
        pair = mcnemar_exact(int(row["b"]), int(row["c"]))
        ends = (min(counts[:2]), max(counts[:2])), (min(counts[2:]), max(counts[2:]))
        fits = pairs_with_p(row["value"], n, *ends, LEAST_SHARE)
        checks.append(number(source, row["quantity"], "recovered", row["value"], pair.p, "", ".3g"))
        checks.append(
            Check(
                source,
                f"discordant counts b, c behind {row['quantity']}",
                "recovered",
                f"{pair.b}, {pair.c}",
                " or ".join(f"{b}, {c}" for b, c in fits),
                fits == [(pair.b, pair.c)],
                "not printed: the only counts within the printed ranges whose own p rounds so; two"
                " cells of 14, 0 would give the same p after Holm",
            )
        )
    return checks


def check_design(
    rows: Iterable[Row], control2: Sequence[Row], control3: Sequence[Row], worst: str
) -> list[Check]:
    """The counts and ranges that the text states in words, from the tables themselves."""
    passing = [row for row in control2 if row["valid"] == "no"]
    none = [100 * int(row["none_correct"]) / int(row["n"]) for row in passing]
    gaps = [
        100 * (int(row["veridical_correct"]) - int(row["corrupted_correct"])) / int(row["n"])
        for row in control3
    ]
    shares = [100 * mcnemar_exact(int(row["b"]), int(row["c"])).share for row in control3]
    only_a = "from corpus A; the cells of B are not printed"
    survive = "all of them, as the worst p is below 0.05 and Holm never exceeds it"
    known = {
        "control 2: models that pass with no document": (len(passing), ""),
        "control 2: lowest accuracy with no document among them": (min(none), ""),
        "control 2: highest accuracy with no document among them": (max(none), ""),
        "control 3: models of corpus B that survive Holm": (
            len(control3) if float(worst) < 0.05 else math.nan,
            survive,
        ),
        "control 3: smallest gap in percentage points": (min(gaps), only_a),
        "control 3: largest gap in percentage points": (max(gaps), only_a),
        "control 3: smallest share of discordant probes that follow the document": (
            min(shares),
            only_a,
        ),
        "control 3: largest share of discordant probes that follow the document": (
            max(shares),
            only_a,
        ),
    }
    checks = []
    for row in rows:
        if row["factors"]:
            computed, note = math.prod(int(f) for f in row["factors"].split("*")), row["factors"]
        else:
            computed, note = known[row["quantity"]]
        quantity, printed = row["quantity"], row["value"]
        checks.append(number("kairos_design", quantity, "restated", printed, computed, note))
    return checks
