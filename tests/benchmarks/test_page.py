"""The benchmark on the page: sentences that its tables give, in both languages."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from support.simulated_benchmarks import SHAPES, as_benchmark, simulate
from veridical.benchmarks.findings import find
from veridical.benchmarks.lint import CHECKS, lint
from veridical.benchmarks.page import PART
from veridical.benchmarks.premium import premiums
from veridical.report.wording import Wording, plain

EN, IT = (Wording.read(language).of("benchmarks") for language in ("en", "it"))


@pytest.fixture(scope="module")
def clean() -> pd.DataFrame:
    return lint(as_benchmark(simulate(SHAPES["options"], 3)), seed=3).checks


def premium(shares: dict[str, tuple[float, float, float]], n: int = 40) -> pd.DataFrame:
    """Premiums of models whose arms full, none and counterfeit are right in these shares, the same
    items first in each; half of the items in each of two strata."""
    rows = []
    for model, right in shares.items():
        for arm, share in zip(("full", "none", "counterfeit"), right, strict=True):
            flags = np.tile(np.arange(n // 2) < round(share * n / 2), 2)
            for place, flag in enumerate(flags):
                rows.append((model, arm, str(place), "st"[place >= n // 2], "", "ok", flag))
    columns = ["model", "arm", "item_id", "stratum", "cluster", "state", "correct"]
    return premiums(pd.DataFrame(rows, columns=columns))


def test_what_memory_earns_is_said_where_it_is_shown(clean):
    found = find(premium({"m": (0.9, 0.3, 0.2)}), clean, EN)
    assert "own history m answers more rightly" in found.answer
    assert "memory premium +60.0 points" in found.answer
    assert found.sure == "firm"
    assert "may lie anywhere in [+" in plain(found.limits[0])
    assert "the kind s and t: +60.0 points (m)" in found.details[0]


def test_what_is_not_shown_is_said_to_be_so(clean):
    found = find(premium({"m": (0.4, 0.4, 0.3)}), clean, EN)
    assert "no model is shown to earn anything by memory" in found.answer
    assert "(premium 0.0 points)" in found.answer
    assert found.sure == "open"
    assert [one.key.rpartition(".")[2] for one in found.details] == ["lint_clear"]


def test_a_cost_is_said_where_the_interval_lies_below_nothing(clean):
    found = find(premium({"m": (0.1, 0.8, 0.2)}), clean, EN)
    assert "answers less rightly than without it: memory premium −70.0 points" in found.answer


def test_with_several_models_those_are_named_of_which_it_is_shown(clean):
    found = find(premium({"a": (0.9, 0.3, 0.2), "b": (0.4, 0.4, 0.4)}), clean, EN)
    assert "own history a answers" in found.answer
    assert found.sure == "limited"


def test_what_the_lint_found_is_named(clean):
    checks = clean.assign(verdict=clean["verdict"].where(clean["check"] != "length", "found"))
    for words, told in ((EN, "by: the options’ length."), (IT, "per: la lunghezza delle opzioni.")):
        assert told in plain(find(premium({"m": (0.4, 0.4, 0.3)}), checks, words).details[-1])


def test_every_check_has_its_words_in_both_languages():
    for words in (EN, IT):
        known = words.texts["parts"]["benchmarks"]["values"]["lint_check"]
        assert set(known) == set(CHECKS)


def test_the_part_is_in_the_order_of_its_schema():
    from veridical.base.schema import part_names, read_schema
    from veridical.parts import PARTS

    names = [name for name in part_names(read_schema()) if name in {p.key for p in PARTS}]
    assert names == [part.key for part in PARTS]
    assert PART.essential.name == "benchmarks/premium"


def test_a_premium_is_called_earned_no_more_often_than_promised():
    """Where memory earns nothing: of 300 studies of 60 items, Holm over two models."""
    generator = np.random.default_rng(4)
    alarms = 0
    for _ in range(300):
        rows = []
        for model in ("a", "b"):
            for arm in ("full", "none", "counterfeit"):
                right = generator.random(60) < 0.5
                rows.append(
                    pd.DataFrame(
                        {
                            "model": model,
                            "arm": arm,
                            "item_id": np.arange(60).astype(str),
                            "stratum": "",
                            "cluster": "",
                            "state": "ok",
                            "correct": right,
                        }
                    )
                )
        alarms += (premiums(pd.concat(rows))["finding"] != "not shown").any()
    # At most 5 % of 300; more than 25 has a probability of one in 200 at that rate.
    assert alarms <= 25
