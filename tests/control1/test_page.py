"""Control 1 on the page: the sentences that the tables give."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from support.fixture_study import CELL, judged_tables, read
from veridical.control1.findings import find
from veridical.control1.page import _anchored_first, method
from veridical.control1.panel_findings import AGREEMENT, of_judges
from veridical.report.wording import Wording, plain

EN, IT = Wording.read("en").of("control1"), Wording.read("it").of("control1")
METRICS = ("identity_markers", "memory_reference")


def findings(identity, memory, shuffled="inconclusive", sensitive="sensitive", sign=(1, 1)):
    """The table of findings with these words, an estimate of 0.2 where something differs."""
    rows = []
    for metric, found, way in zip(METRICS, (identity, memory), sign, strict=True):
        for kind, word in (("foreign", found), ("shuffled", shuffled)):
            estimate = way * (0.2 if word.startswith("different") else 0.01)
            rows.append((metric, f"veridical-{kind}", 7, 3, estimate, -0.12, 0.11, sensitive, word))
    columns = ["metric", "contrast", "n_items", "n_documents", "estimate", "low", "high"]
    return pd.DataFrame(rows, columns=[*columns, "sensitive", "finding"]).assign(**CELL)


def instrument(**found):
    """The panel's tests: by test, what was found on identity markers."""
    rows = [("identity_markers", test, 0.15, 0.1, 0.2, word) for test, word in found.items()]
    return (
        pd.DataFrame(rows, columns=["metric", "test", "estimate", "low", "high", "finding"])
        .astype({"finding": object})
        .assign(corpus="A")
    )


def contrasts():
    return judged_tables(np.random.default_rng(1))["control1/contrasts"]


def found(
    *words, panel=None, judges=None, drift=None, power=None, noise=None, none=(), text=EN, **more
):
    panel = instrument() if panel is None else panel
    table = pd.concat([findings(*words, **more), *([without(*none)] if none else [])])
    return find(table, panel, contrasts(), 0.10, text, drift, judges, power, noise)


def without(*words):
    """The findings on answers given with no memory document, an estimate of 0.3 where different."""
    rows = [
        (metric, "veridical-none", 7, 1, 0.3 * word.startswith("different"), -0.1, 0.1, word)
        for metric, word in zip(METRICS, words, strict=False)
    ]
    columns = ["metric", "contrast", "n_items", "n_documents", "estimate", "low", "high", "finding"]
    return pd.DataFrame(rows, columns=columns).assign(sensitive="sensitive", **CELL)


def keys(finding):
    return [said.key for said in (finding.answer, *finding.limits, *finding.details)]


@pytest.mark.parametrize(
    ("words", "key", "sure"),
    [
        (("different", "different"), "recognised", "firm"),
        (("different here", "different"), "recognised", "limited"),
        (("different", "inconclusive"), "mixed", "limited"),
        (("equivalent", "equivalent"), "equivalent", "firm"),
        (("equivalent", "inconclusive"), "unproven", "limited"),
        (("inconclusive", "inconclusive"), "unproven", "open"),
        (("not testable", "not testable"), "untested", "open"),
        (("not testable", "inconclusive"), "unproven", "open"),
        (("too few items", "too few items"), "few", "open"),
    ],
)
def test_control1_words_follow_the_findings(words, key, sure):
    for text in (EN, IT):
        said = found(*words, text=text)
        assert (said.answer.key, said.sure) == (key, sure)


def test_the_same_is_never_said_but_by_a_panel_that_notices():
    said = found("not testable", "not testable", sensitive="not run")
    assert "no_control" in keys(said)
    assert "scores the same" not in " ".join([said.answer, *said.limits])
    deaf = found("not testable", "not testable", sensitive="not sensitive")
    assert {"deaf", "admits"} <= set(keys(deaf))


def test_a_finding_on_these_documents_says_so():
    said = found("different here", "different here")
    assert said.answer.startswith("With these documents the judges recognised")
    assert "here" in keys(said)
    assert "of_the_kind" not in keys(said)
    assert "of_the_kind" in keys(found("different", "different"))


def test_opposite_and_lower_differences():
    assert found("different", "different", sign=(-1, -1)).answer.key == "inverted"
    both = found("different", "different", sign=(1, -1)).answer
    assert both.endswith("scored higher on identity markers and lower on memory reference.")


def test_only_the_shuffled_counterfeit_told_apart():
    said = found("inconclusive", "inconclusive", "different here")
    assert next(s for s in said.limits if s.key == "told_apart").endswith("(+0.200).")
    assert "told_apart" not in keys(found("different", "different", "different"))


def test_the_registered_rule_is_named_where_it_says_otherwise():
    told = [s for s in found("inconclusive", "inconclusive").limits if s.key == "registered"]
    # unanchored, as printed: +0.061 [0.012, 0.106], +0.116 [0.024, 0.199], … each `different`
    assert any("+0.116, different" in said and said.endswith("not shown.") for said in told)


def test_drift_and_order_are_said_only_where_the_table_says_so():
    drift = pd.DataFrame({"drift": [0.05, -0.1, 0.2]})
    quiet = keys(found("inconclusive", "inconclusive", drift=drift))
    assert "no_drift" in quiet
    assert not {"drift", "order", "sensitive"} & set(quiet)
    panel = instrument(drift="moves", order="matters", quoted="sensitive")
    loud = keys(found("inconclusive", "inconclusive", drift=drift, panel=panel))
    assert {"drift", "order", "sensitive"} <= set(loud)
    assert "no_drift" not in loud


def test_items_needed_are_a_range():
    power = pd.DataFrame(
        [("identity_markers", "veridical-foreign", "anchored", "t", "zero", 160, 40)],
        columns=["metric", "contrast", "reading", "method", "assumed", "n_items", "items_for_80"],
    ).assign(**CELL)
    said = next(s for s in found("inconclusive", "inconclusive", power=power).details
                if s.key == "power")  # fmt: skip
    # seven items: the variance's 95 % interval is 6/14.449 to 6/1.2373 of the one seen
    assert "would take 17 to 194 items" in said


def test_doubtful_judges_weaken_a_finding():
    judges = pd.DataFrame(
        [
            ("tiny", "identity_markers", "distinct_scores", "", 1, ""),
            ("all", "identity_markers", "alpha", "", 0.12, ""),
        ],
        columns=["judge", "metric", "statistic", "contrast", "value", "note"],
    )
    said = found("equivalent", "equivalent", judges=judges)
    assert said.sure == "limited"
    assert {"constant", "agreement"} <= set(keys(said))
    alone = judges.assign(value=[9, None])
    assert "unmeasured" in keys(found("equivalent", "equivalent", judges=alone))


def test_the_method_takes_its_numbers_from_the_data(study_root):
    text = plain(" ".join(method(read(study_root), EN)))
    # 7 items × 6 counterfeits; 3 judges × 7 items × (1 veridical + 6 counterfeits)
    assert "(42 answers; temperature 0.7 and at most 300 tokens)" in text
    assert "147 verdicts, 0 incomplete" in text
    assert "Beside these" not in text  # the source's design and no more


def told(study, text, **part) -> str:
    """The method of a study whose `control1` is changed so."""
    config = study.config | {"control1": study.config["control1"] | part}
    return plain(" ".join(method(replace(study, config=config), text)))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (EN, "temperature as the provider sets it and no token limit of the study"),
        (IT, "temperatura come la fissa il fornitore e nessun limite di token fissato"),
    ],
)
def test_what_nobody_set_is_said_in_words(study_root, text, said):
    study = read(study_root)
    assert said in told(study, text, response={})
    assert "–)" not in told(study, text, response={})
    # the model's own parameters are sent where the part says none
    entry = {"provider": "openai", "model": "m", "parameters": {"temperature": 0.3}}
    models = {study.config["control1"]["responders"][0]: entry}
    own = replace(study, config=study.config | {"models": models})
    assert text.number(0.3, 1) in told(own, text, response={"max_tokens": 5})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (EN, "3 of the 49 answers end at the token limit and were judged as far as they go."),
        (IT, "3 delle 49 risposte finiscono al limite di token e sono state giudicate"),
    ],
)
def test_answers_that_were_cut_off_are_counted(study_root, text, said):
    study = read(study_root)
    responses = study.tables["control1/responses"].copy()
    given = responses.index[responses["condition"] != "anchor"]
    assert len(given) == 49
    responses.loc[given[:3], "state"] = "truncated"
    cut = replace(study, tables={**study.tables, "control1/responses": responses})
    assert said in told(cut, text)
    assert said not in told(study, text)


def test_verdicts_and_metrics_of_ones_own_are_told(study_root):
    study, wording = read(study_root), {"question": "q", "low": "l", "high": "h"}
    own = told(study, EN, verdicts_csv="x.csv", wording={"wit": wording})
    assert "The verdicts were brought by the study as a table: 147 verdicts of three judges" in own
    assert "as the judges read them: wit: q; 0 = l; 1 = h." in own
    assert "The memory block of corpus" not in own
    answered = told(study, IT, responses_csv="x.csv")
    assert "sono state portate dallo studio come tabella" in answered
    earlier = told(study, EN, original_csv="x.csv")
    assert "their verdicts are an earlier study" in earlier
    lives = study.config | {
        "documents": study.config["documents"] | {
            "foreign_seeds": [1, 2, 3],
            "own": {"A": {f"foreign-{n}": "f" for n in (1, 2, 3)}},
        }
    }  # fmt: skip
    said = plain(" ".join(method(replace(study, config=lives), EN)))
    assert "another life, brought by the study as it is" in said


@pytest.mark.parametrize(("text", "door"), [(EN, "by its own door"), (IT, "per la sua porta")])
def test_the_method_says_through_which_store_it_went(study_root, text, door):
    study = read(study_root)
    assert door not in plain(" ".join(method(study, text)))  # nor that it went through any
    through = study.config | {"control1": study.config["control1"] | {"memory": "full-text"}}
    said = plain(" ".join(method(replace(study, config=through), text)))
    assert door in said
    assert "full-text" in said
    assert ("at most five items" in said) or ("al massimo cinque voci" in said)


@pytest.mark.parametrize("text", [EN, IT])
def test_no_memory_has_sentences_of_its_own(text):
    said = found("inconclusive", "inconclusive", none=("different here", "equivalent"), text=text)
    assert {"none_apart", "none_same"} <= set(keys(said))
    assert "none_open" not in keys(said)
    assert not {"told_apart", "here"} & set(keys(said))  # these are said of counterfeits
    assert said.answer.key == "unproven"
    assert said.sure == "open"
    open_ = found("equivalent", "equivalent", none=("not testable", "inconclusive"), text=text)
    assert "none_open" in keys(open_)
    assert open_.answer.key == "equivalent"


def test_no_memory_names_its_metrics_and_sizes():
    said = found("inconclusive", "inconclusive", none=("different here", "equivalent"))
    apart, same = (next(s for s in said.limits if s.key == k) for k in ("none_apart", "none_same"))
    assert apart.endswith("on identity markers (+0.300).")
    assert same.startswith("On memory reference answers given with no memory document")


def test_where_only_no_memory_was_judged_nothing_is_said_of_counterfeits():
    quiet = keys(found("inconclusive", "inconclusive"))
    assert not {"none_apart", "none_same", "none_open", "repeated"} & set(quiet)


def test_noise_is_told_beside_what_moves_the_anchors():
    noise = pd.DataFrame(
        [("x", 6, 1.0, 0.0, 0.125), ("y", 2, 0.5, 0.05, np.nan)],
        columns=["judge", "n_repeated", "identical", "noise", "moved"],
    )
    said = next(s for s in found("inconclusive", "inconclusive", noise=noise).details
                if s.key == "repeated")  # fmt: skip
    # 6 and half of 2 of the 8 scores
    assert "repeated 88% of 8 scores" in said
    assert "is 0.000 to 0.050 on one sheet, and 0.125 for the same anchor" in said
    assert "repeated" not in keys(found("inconclusive", "inconclusive", noise=noise.iloc[:0]))


def test_the_sheets_beside_the_sources_are_counted_apart(study_root):
    study = read(study_root)
    verdicts = study.tables["control1/verdicts"]
    own = verdicts[verdicts["session"] == "original"]
    more = [
        own.assign(sheet_id=own["sheet_id"] + f"-{session}", session=session)
        for session in ("none", "reversed", "positive")
    ]
    more[0].loc[more[0]["item_id"] == "item-1", "state"] = "incomplete"
    tables = study.tables | {"control1/verdicts": pd.concat([verdicts, *more])}
    for words, said in (
        (EN, "Beside these stand 63 verdicts"),
        (IT, "Accanto a questi ci sono 63"),
    ):
        text = plain(" ".join(method(replace(study, tables=tables), words)))
        assert "147 " in text
        assert said in text
        assert "(3 incompl" in text
        assert text.count("21 ") == 3  # 7 items, three judges, of each of three kinds


@pytest.mark.parametrize(
    ("alphas", "said"),
    [
        ((0.9, 0.8), set()),  # they agree, so there is nothing to warn of
        ((0.9, AGREEMENT), set()),
        ((0.9, AGREEMENT - 0.001), {"agreement"}),  # the lowest decides
        ((None, 0.9), {"unmeasured"}),
        ((None, None), {"unmeasured"}),  # none at all is no low one
    ],
)
def test_a_panel_is_called_at_odds_only_where_it_is(alphas, said):
    rows = [
        {"judge": "panel", "metric": metric, "statistic": "alpha", "value": alpha}
        for metric, alpha in zip(METRICS, alphas, strict=True)
    ]
    found = of_judges(pd.DataFrame(rows, dtype=object), EN)
    assert {sentence.key for sentence in found} == said


def test_the_anchored_reading_is_shown_first_and_else_the_order_is_kept():
    table = pd.DataFrame({"reading": ["unanchored", "anchored", "unanchored", "anchored"]})
    assert _anchored_first(table).index.tolist() == [1, 3, 0, 2]
