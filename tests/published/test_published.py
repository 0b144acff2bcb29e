"""The published check: what agrees, what can't be said, and that a wrong figure is noticed."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from support.scripts import load_script
from veridical.base.tables import read_table
from veridical.published.check import agree
from veridical.published.controls import pairs_with_p, recover_discordant
from veridical.published.methods import check_methods
from veridical.published.tables import CHECK
from veridical.report.page import _published
from veridical.report.wording import Wording

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT / "data/published"


@pytest.mark.parametrize(
    ("printed", "computed", "expected"),
    [
        ("37.5", 37.5, True),
        ("66.7", 200 / 3, True),
        ("66.6", 200 / 3, False),
        ("62", 62.5, True),  # a tie may go either way
        ("63", 62.5, True),
        ("+0.032", 0.0325, True),
        ("+0.032", -0.032, False),
        ("-0.006", -0.0064, True),
        ("0.0002", 0.000244140625, True),
        ("<1e-5", 9.9e-6, True),
        ("<1e-5", 1e-5, False),
        ("8.3e-07", 8.344650268554688e-07, True),
        ("8.2e-07", 8.344650268554688e-07, False),
        ("0", 0.0, True),
        ("0", float("nan"), False),
    ],
)
def test_a_number_agrees_when_it_rounds_to_what_is_printed(printed, computed, expected):
    assert agree(printed, computed) is expected


def test_discordant_counts_are_recovered():
    # 16 and 7 right of 24: b - c = 9 and b / (b + c) = 90.9 % leave 10 and 1 (6 right with both).
    assert recover_discordant(24, 16, 7, "90.9") == [(10, 1)]
    # 100 % leaves c = 0, whatever is right with both.
    assert recover_discordant(24, 23, 2, "100") == [(21, 0)]
    assert recover_discordant(24, 16, 7, "95.0") == []


def test_which_counts_give_a_p():
    # 2 / 2^13 = 0.000244 rounds to 0.0002; 2 / 2^12 and 2 / 2^14 don't.
    assert pairs_with_p("0.0002", 24, (18, 24), (0, 8), 0.905) == [(13, 0)]
    # Without the least share, 19 against 2 fits as well: p = 2 * (1 + 21 + 210) / 2^21 = 0.000221.
    assert (19, 2) in pairs_with_p("0.0002", 24, (18, 24), (0, 8), 0.9)


def check(folder: Path, out: Path) -> pd.DataFrame:
    load_script("published/check_figures.py").main(folder, out)
    return read_table(out, CHECK)


@pytest.fixture
def table(tmp_path):
    return check(PUBLISHED, tmp_path / "check.csv")


def test_no_published_figure_disagrees(table):
    assert list(table.columns) == list(CHECK.names)
    assert not (table["agrees"] == False).any()  # noqa: E712


def test_how_many_of_each_kind_agree(table):
    """By hand: 7 Wilson, 7 Δ, 7 Holm, 2 verdicts, 2 + 3 ages, pass@32, 5 worked examples; 21 + 14 +
    4 percentages, 7 + 1 pairs of counts, 7 shares, the worst p; 14 validities, 11 of the design and
    the days."""
    agree = table[table["agrees"].notna()].groupby("kind")["agrees"].sum()
    assert agree.to_dict() == {"recomputed": 34, "recovered": 55, "restated": 26}
    assert set(table.loc[table["agrees"].isna(), "kind"]) == {"open"}


@pytest.mark.parametrize(
    ("part", "kind"),
    [
        ("accuracy in %", "recovered"),
        ("discordant counts", "recovered"),
        ("probes that follow the veridical", "recovered"),
        ("worst p", "recovered"),
        ("probe valid, rule", "restated"),
        ("control 3: cells", "restated"),
        ("days of the study", "restated"),
        ("Wilson 95 % interval", "recomputed"),
        ("Δ in points", "recomputed"),
        ("Holm over 7", "recomputed"),
        ("verdict at ±0.10", "recomputed"),
        ("pass_at_32", "recomputed"),
    ],
)
def test_a_check_has_the_kind_of_what_it_does(table, part, kind):
    rows = table[table["quantity"].str.contains(part, regex=False)]
    assert set(rows["kind"]) == {kind}


def test_a_method_that_is_not_known_is_named():
    row = {"method": "Scheffé", "input": "1", "printed": "1", "reference": ""}
    with pytest.raises(ValueError, match=r"methods\.csv, row 2: no method 'Scheffé': Holm's"):
        check_methods([row])


def sentence(language: str, check: pd.DataFrame) -> str:
    return str(
        _published(SimpleNamespace(tables={"published/check": check}), Wording.read(language))
    )


def test_only_what_was_recomputed_counts_in_the_sentence(table):
    assert "all 34 recomputed figures agree" in sentence("en", table)
    assert "tutti i 34 numeri ricalcolati coincidono" in sentence("it", table)
    for language in ("en", "it"):
        said = sentence(language, table)
        assert "55" in said
        assert "26" in said
        assert "34" in sentence(language, table[table["kind"] != "restated"])


def test_the_sentence_says_what_disagrees_in_any_kind(table):
    one = table[table["quantity"].str.contains("Wilson")].index[0]
    wrong = table.copy()
    wrong.loc[one, "agrees"] = False
    assert "33 of 34 recomputed figures agree" in sentence("en", wrong)
    assert "33 numeri ricalcolati su 34 coincidono" in sentence("it", wrong)
    wrong = table.copy()
    wrong.loc[table["kind"].eq("restated").idxmax(), "agrees"] = False
    assert "34 of 34 recomputed figures agree" in sentence("en", wrong)
    assert "25 of 26 that only restate" in sentence("en", wrong)


@pytest.mark.parametrize(
    ("part", "how_many"),
    [
        ("Wilson 95 %", 7),
        ("probe valid, rule", 14),
        ("Δ in points", 7),
        ("discordant probes that follow the veridical", 7),
        ("McNemar p, Holm", 7),
        ("verdict at ±0.10", 2),
        ("mean AAS of Phase 1", 2),
        ("mean AAS of Phase 2", 3),
        ("worst p", 2),
    ],
)
def test_what_must_be_recomputed_is(table, part, how_many):
    rows = table[table["quantity"].str.contains(part, regex=False)]
    assert (rows["agrees"] == True).sum() == how_many  # noqa: E712


def test_what_is_left_open_says_why(table):
    open_rows = table[table["agrees"].isna()]
    assert len(open_rows) == 25
    assert open_rows["note"].str.len().min() > 10
    third = table[table["quantity"].str.contains("weights normalised") & table["agrees"].isna()]
    assert list(third["computed"]) == ["9.4675"]  # half of 18.935
    identity = table[table["quantity"] == "anchored = unanchored − mean drift"].iloc[0]
    assert (identity["printed"], identity["computed"]) == ("+0.032", "+0.029")  # 0.116 - 0.087


PERTURBED = [
    ("kairos_control2.csv", "qwen3.5:27b,24,24,16,9,", "qwen3.5:27b,24,24,16,10,", "Wilson"),
    ("kairos_control2.csv", "57.3,yes", "57.3,no", "probe valid"),
    ("kairos_control2.csv", "62.5,42.7", "62.5,42.8", "deepseek-r1:32b: Wilson"),
    ("kairos_control3_a.csv", "24,16,7,", "24,16,8,", "Δ in points"),
    ("kairos_control3_a.csv", ",10,1,90.9", ",10,2,90.9", "discordant counts"),
    ("kairos_control3_a.csv", "0.012", "0.013", "Holm"),
    ("kairos_control3_b.csv", ",13,0", ",12,0", "worst p"),
    ("kairos_control1_contrasts.csv", "+0.065", "+0.165", "verdict"),
    ("kairos_design.csv", "42,7*6", "42,7*5", "responses"),
    ("aas.csv", "episodic_right,1", "episodic_right,2", "Phase"),
    ("aas.csv", "2024-09-03", "2024-09-04", "days"),
    ("vpe.csv", "zero_verified,-0.300", "zero_verified,-0.310", "pass_at_32"),
]


@pytest.mark.parametrize(("file", "old", "new", "part"), PERTURBED)
def test_one_wrong_figure_is_noticed(tmp_path, file, old, new, part):
    folder = tmp_path / "published"
    shutil.copytree(PUBLISHED, folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    table = check(folder, tmp_path / "check.csv")
    wrong = table[table["agrees"] == False]  # noqa: E712
    named = wrong["quantity"].str.contains(part, regex=False).any()
    assert named
