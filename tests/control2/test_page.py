"""Control 2 on the page: the sentences and the shares that the tables give."""

from dataclasses import replace

import pandas as pd
import pytest
from support.fixture_study import read, recognition_tables
from support.validity import validity_of, validity_on
from veridical.control2.drill import drill
from veridical.control2.findings import find
from veridical.control2.page import brief, method
from veridical.report.wording import Wording, plain

EN, IT = Wording.read("en").of("control2"), Wording.read("it").of("control2")


def keys(found):
    return [said.key for said in (found.answer, *found.limits, *found.details)]


def test_control2_as_printed():
    tables = recognition_tables()
    found = find(tables["control2/validity"], EN, tables["control2/prior_bias"])
    # of seven Holm leaves one, which solves it with 19 of 24
    assert found.answer.startswith("gemini-2.5-pro solves")
    assert "79% right" in found.answer
    assert found.sure == "firm"
    (past,) = [said for said in found.limits if said.key == "past"]
    assert "qwen3.6:35b-a3b, deepseek-r1:32b, qwen3:32b and gpt-4.1 got past the" in past
    assert "by itself that is no finding" in past
    assert "85.1%" in next(said for said in found.limits if said.key == "upper")  # qwen3:32b


def test_the_registered_rule_alone_is_never_the_answer():
    # 15 of 24 is past 0.60, and chance does as well in 15 % of cases
    found = find(validity_of(m=(15, 9, 0)), EN)
    assert found.answer.startswith(
        "No model was shown to solve the probe without a memory document"
    )
    assert (found.sure, "past" in keys(found)) == ("limited", True)


@pytest.mark.parametrize(("text", "door"), [(EN, "by its own door"), (IT, "per la sua porta")])
def test_the_method_says_through_which_store_it_went(study_root, text, door):
    study = read(study_root)
    assert door not in plain(" ".join(method(study, text)))
    through = study.config | {"control2": study.config["control2"] | {"memory": "full-text"}}
    said = plain(" ".join(method(replace(study, config=through), text)))
    assert door in said
    assert "full-text" in said


def test_a_model_valid_by_the_rule_that_beats_chance_is_named():
    # 60 of 100 is at most 0.60; chance does as well in 2.8 % of cases
    found = find(validity_of(m=(60, 40, 0)), EN)
    assert found.answer.startswith("m solves the probe with no memory document at all (60% right)")
    assert "held" in keys(found)


@pytest.mark.parametrize(
    ("counts", "english", "italian"),
    [
        # P(X >= 19 | 24) = 0.0033 for each; three models
        (
            {"m": (19, 5, 0), "n": (19, 5, 0), "o": (12, 12, 0)},
            "Two of three models solve",
            "Due modelli su tre risolvono",
        ),
        ({"m": (19, 5, 0), "n": (20, 4, 0)}, "Every model solves", "Tutti i modelli risolvono"),
        # 7 of 8: P = 9/256 = 0.035, alone it holds
        (
            {"m": (7, 1, 16)},
            "m solves the probe with no memory document at all "
            "(88% right of the 8 answered probes; 24 were asked): ",
            "m risolve la sonda senza alcun documento di memoria "
            "(88 % di risposte giuste fra le 8 sonde con risposta, su 24 poste): ",
        ),
        # 6 of 7: P = 8/128 = 0.0625
        ({"m": (6, 1, 17)}, "No model was shown to solve", "Per nessun modello si è mostrato"),
    ],
)
def test_who_solves_the_probe(counts, english, italian):
    validity = validity_of(**counts)
    for words, said in ((EN, english), (IT, italian)):
        assert find(validity, words).answer.replace("\u00a0", " ").startswith(said)


def test_too_few_answers_or_a_habit_are_no_test():
    found = find(validity_of(m=(3, 1, 20)), EN)
    assert (found.sure, found.answer.key) == ("open", "not_testable")
    some = find(validity_of(m=(3, 1, 20), n=(12, 12, 0)), EN)
    assert "m: fewer than five answers" in next(s for s in some.limits if s.key == "untestable")


def test_silence_has_bounds():
    (said,) = [s for s in find(validity_of(m=(6, 6, 12)), EN).limits if s.key == "bounds"]
    assert said.endswith("m would have 25% to 75% right of all.")


def test_a_habit_needs_more_than_a_few_answers():
    validity = validity_of(m=(12, 12, 0))
    none = validity["condition"] == "none"
    for habit, share, key in (
        ("first option", 1.0, "habit_first"),
        ("one answer", 0.0, "habit_second"),
        (None, 1.0, None),
    ):
        validity.loc[none, ["habit", "first_option_share"]] = [habit, share]
        told = [said.key for said in find(validity, EN).details if said.key.startswith("habit")]
        assert told == ([key] if key else [])


def test_what_documents_add_is_said_only_where_the_table_says_so():
    effects = recognition_tables()["control2/prior_bias"]
    assert set(effects["m"]) == {14}
    told = find(validity_of(m=(12, 12, 0)), EN, effects).details
    adding = effects[effects["finding"] == "adds"]["model"]
    assert len(adding)
    said = " ".join(said for said in told if said.key == "adds")
    assert all(model in said for model in adding)
    nothing = effects.assign(finding="not shown")
    told = find(validity_of(m=(12, 12, 0)), EN, nothing).details
    assert [said.key for said in told] == ["useless"]


def test_control2_by_the_upper_rule_no_threshold_was_passed():
    # 3 of 6: at chance, yet the interval reaches 81 %
    limits = find(validity_of("upper", m=(3, 3, 18)), EN).limits
    (said,) = [said for said in limits if said.key == "past"]
    assert "came, with the interval’s upper end, past the registered limit" in said
    assert "with 50% right on 6 answered probes (of 24)" in said


def test_control2_shows_one_denominator(study_root):
    study = read(study_root)
    study.tables["control2/validity"] = validity_of(m=(6, 1, 17))
    table = brief(study, EN)
    shown = dict(zip([column.name for column in table.columns], table.rows[0][1], strict=True))
    assert shown["none"] == "85.7% (6 of 7)"
    assert shown["answered_of_asked"] == "7 of 24"
    assert shown["wilson"] == "[48.7, 97.4]"
    assert shown["finding"] == "not shown"
    assert "of the probes answered" in table.caption
    assert drill(study, EN).groups[0].facts == ("85.7% (6 of 7)",)


def test_what_is_left_out_is_said_and_nothing_where_it_is_not():
    validity = validity_of(m=(12, 12, 0), n=(12, 12, 0))
    assert "left_out" not in keys(find(validity, EN))
    out = validity.assign(n_left_out=[1, 0, 2, 0, 0, 0])
    (said,) = [said for said in find(out, EN).details if said.key == "left_out"]
    assert (
        said == "m: 3 replies left out, by a decision on the record, each in its condition alone."
    )
    (said,) = [said for said in find(out, IT).details if said.key == "left_out"]
    assert said.startswith("m: 3 risposte fuori dai conti per decisione messa agli atti")


# --- several corpora ------------------------------------------------------------------------------

SOLVED, GUESSED, MUTE = (22, 2, 0), (12, 12, 0), (2, 1, 21)


@pytest.mark.parametrize(
    ("cells", "sure", "english", "italian"),
    [
        (
            {"A": {"m": SOLVED, "n": GUESSED}, "B": {"m": GUESSED, "n": GUESSED}},
            "firm",
            "In one cell of four, m (A), the probe is solved with no memory document at all (92%",
            "In una cella su quattro, m (A), la sonda è risolta senza alcun documento di memoria",
        ),
        (
            {"A": {"m": SOLVED, "n": GUESSED}, "B": {"m": SOLVED, "n": (24, 0, 0)}},
            "firm",
            "In three cells of four, m (A), m (B) and n (B), the probe is solved with no memory "
            "document at all (92% to 100% right): there it measures",
            "In tre celle su quattro, m (A), m (B) e n (B), la sonda è risolta",
        ),
        (
            {"A": {"m": SOLVED}, "B": {"m": SOLVED}},
            "firm",
            "In each of the two cells the probe is solved with no memory document at all (92%",
            "In ciascuna delle due celle la sonda è risolta senza alcun documento di memoria",
        ),
        (
            {"A": {"m": SOLVED}, "B": {"m": MUTE}},  # one of two, though all that could be tested
            "firm",
            "In one cell of two, m (A), the probe is solved",
            "In una cella su due, m (A), la sonda è risolta",
        ),
        (
            {"A": {"m": GUESSED}, "B": {"m": GUESSED}},
            "limited",
            "No model was shown to solve the probe without a memory document (at most 50% right)",
            "Per nessun modello si è mostrato che risolva la sonda",
        ),
        ({"A": {"m": MUTE}, "B": {"m": MUTE}}, "open", "With too few answers", "Senza documento"),
    ],
)  # fmt: skip
def test_the_answer_names_the_cells(cells, sure, english, italian):
    validity = validity_on(**cells)
    for words, said in ((EN, english), (IT, italian)):
        found = find(validity, words)
        assert found.answer.replace("\u00a0", " ").replace(" %", "%").startswith(said), found.answer
        assert found.sure == sure


def test_limits_name_the_cells_and_the_family():
    validity = validity_on(A={"m": SOLVED, "n": (15, 9, 0)}, B={"m": GUESSED, "n": MUTE})
    said = {one.key: str(one) for one in find(validity, EN).limits}
    assert said["tested"].startswith("m (A): better than chance")
    assert "corrected over four cells" in said["tested"]
    assert said["past"].startswith("Registered rule: n (A) got past the registered threshold")
    assert "for n (A) and m (B) the interval" in said["upper"].lower().replace(
        "(a)", "(A)"
    ).replace("(b)", "(B)")
    assert said["untestable"].startswith("n (B): fewer than five")
    one = {one.key: str(one) for one in find(validity_of(m=SOLVED, n=GUESSED), EN).limits}
    assert "corrected over two models" in one["tested"]
    assert "(A)" not in " ".join(one.values())


def test_documents_are_told_cell_by_cell():
    rows = [
        {"corpus": corpus, "model": "m", "condition": condition, "finding": finding}
        for corpus, condition, finding in (
            ("A", "veridical", "adds"), ("B", "veridical", "not shown"),
            ("A", "counterfeit", "takes away"), ("B", "counterfeit", "not admitted"),
        )
    ]  # fmt: skip
    found = find(validity_on(A={"m": GUESSED}, B={"m": GUESSED}), EN, pd.DataFrame(rows))
    said = {one.key: str(one) for one in (*found.limits, *found.details)}
    assert said["adds"].endswith("m (A).")
    assert said["takes"].endswith("m (A).")
    assert said["useless"].endswith("m (B).")
    assert said["refused"].startswith("counterfeit (B): not admitted")


def test_what_was_not_admitted_in_one_corpus_takes_nothing_from_the_other():
    validity = validity_on(A={"m": SOLVED}, B={"m": GUESSED})
    there = validity["corpus"] == "B"
    counts = {name: 0 for name in ("n", "correct", "wrong", "abstained")}
    for name, value in counts.items():
        validity[name] = validity[name].where(~there, value)
    shares = ["accuracy", "accuracy_answered", "wilson_low", "wilson_high", "bound_low"]
    validity[shares] = validity[shares].where(~there)
    validity["finding"] = validity["finding"].where(~there, "not admitted")
    found = find(validity, EN)
    assert found.answer.startswith("In one cell of two, m (A)")
    assert keys(found)[:2] == ["some_solve_cells", "refused"]
    assert "none (B)" in next(str(one) for one in found.limits if one.key == "refused")
    assert not {"upper", "bounds", "untestable"} & set(keys(found))
    nobody = find(validity.assign(finding="not admitted"), EN)
    assert (nobody.answer.key, nobody.sure) == ("not_admitted", "open")


def test_shares_of_unequally_many_probes_are_told_from_the_least_to_the_most():
    validity = validity_on(A={"m": (7, 1, 16)}, B={"m": (10, 0, 2)})
    found = find(validity, EN)
    assert "of the 8 to 10 answered probes; 12 to 24 were asked" in found.answer


def two_corpora(study_root):
    """The fixture's study with its answers told of corpus B as well."""
    study = read(study_root)
    for name in ("probes", "answers", "validity", "prior_bias"):
        table = study.tables[f"control2/{name}"]
        both = pd.concat([table, table.assign(corpus="B")], ignore_index=True)
        study.tables[f"control2/{name}"] = both
    more = study.config["control2"] | {"corpora": ["A", "B"]}
    return replace(study, config=study.config | {"control2": more})


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (EN, "Of each corpus (A and B) they are 24 probes"),
        (IT, "Per ciascun corpus (A e B) sono 24 sonde"),
    ],
)
def test_the_method_names_the_corpora_where_there_are_several(study_root, words, said):
    one, two = read(study_root), two_corpora(study_root)
    assert said in plain(" ".join(method(two, words)))
    assert said not in plain(" ".join(method(one, words)))
    brought = replace(two, config=two.config | {"control2": two.config["control2"] | {
        "answers_csv": "x.csv"}})  # fmt: skip
    assert "(A and B)" in plain(" ".join(method(brought, EN)))


def test_the_brief_table_has_a_row_a_cell_and_each_opens_its_own(study_root):
    one, two = brief(read(study_root), EN), brief(two_corpora(study_root), EN)
    assert "corpus" not in [column.name for column in one.columns]  # nothing to tell apart
    assert [column.name for column in two.columns][:2] == ["corpus", "model"]
    assert len(two.rows) == 2 * len(one.rows)
    assert [cells[0] for _, cells in two.rows] == ["A"] * len(one.rows) + ["B"] * len(one.rows)
    assert [cells[1:] for _, cells in two.rows[: len(one.rows)]] == [c for _, c in one.rows]
    assert two.rows[-1][0].startswith("#control2/B/")
    assert len({link for link, _ in two.rows}) == len(two.rows)


def test_a_cell_opens_the_probes_of_its_corpus(study_root):
    one, two = drill(read(study_root), EN), drill(two_corpora(study_root), EN)
    assert one.keys == two.keys == ("corpus", "model")
    assert {group.heading for group in one.groups} == {""}
    assert {group.heading for group in two.groups} == {"Corpus A", "Corpus B"}
    assert len(two.rows) == 2 * len(one.rows)
    assert not two.rows.duplicated(["corpus", "model", "probe_id"]).any()
