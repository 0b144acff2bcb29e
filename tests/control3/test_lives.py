"""Control 3 on a life: any attribute, values of any frequency, facts that changed."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.histories import FACTS, SETTINGS, write_history
from veridical.choices.answers import score_replies
from veridical.control3.beside import beside_prompts, document_of, score_beside
from veridical.control3.cells import cells
from veridical.control3.lives import (
    changed_probes,
    check_life,
    draw_from_life,
    margins_of_life,
    telling_word_of,
)
from veridical.control3.prompts import partner_prompts
from veridical.control3.silence import forced_table, stale_table
from veridical.control3.symmetric import check_symmetry, draw_probes, require_symmetry
from veridical.control3.tables import ANSWERS
from veridical.corpora.corpus import read_corpus
from veridical.corpora.history import History
from veridical.documents.corrupted import COUNTED, count_partners
from veridical.documents.rebinding import bindings, rebind
from veridical.models.prompts import Document

LIVIA = Path(__file__).parents[2] / "data/corpora/Livia"
COUNTS = {"red": 12, "green": 8, "blue": 4}  # three values of unequal frequency
HEAD = "id,time,speaker,text,session\n"


def large(folder: Path, counts: dict[str, int] = COUNTS, changed: int = 3, **more: str) -> History:
    """A life of so many facts a value, and some that changed."""
    values = [value for value, count in counts.items() for _ in range(count)]
    order = np.random.default_rng(3).permutation(values)
    events, facts = [], []
    for n, value in enumerate(order):
        day = f"2025-{n // 20 + 1:02d}-{n % 20 + 1:02d}"
        events.append(f"e{n},{day},Ada,The thing{n} goes into the {value} box.,s\n")
        facts.append(f"the thing{n},box,{value},e{n},,\n")
    for n in range(changed):
        names = [*counts]
        old, new = names[n % len(names)], names[(n + 1) % len(names)]
        events.append(f"m{n},2025-05-0{n + 1},Ada,The moved{n} is in the {old} box.,s\n")
        events.append(f"x{n},2025-06-0{n + 1},Ada,The moved{n} went to the {new} box.,s\n")
        facts.append(f"the moved{n},box,{old},m{n},,\n")
        facts.append(f"the moved{n},box,{new},x{n},,\n")
    rows = {"events_csv": HEAD + "".join(events), "facts_csv": FACTS.splitlines()[0] + "\n"}
    rows["facts_csv"] += "".join(facts)
    return read_corpus(write_history(folder, **rows, **more))


@pytest.fixture(scope="module")
def life(tmp_path_factory) -> History:
    return large(tmp_path_factory.mktemp("lives") / "L")


def test_each_value_is_asked_for_as_often_as_it_occurs_and_offered_everywhere(life):
    own = life.asked_about()["partner"].value_counts()
    probes = draw_probes(life, 12, np.random.default_rng(1))
    drawn = probes["true_partner"].value_counts()
    for value, count in own.items():
        assert abs(drawn[value] - 12 * count / own.sum()) < 1
    assert set(probes["topic"]) <= set(life.asked_about()["topic"])
    for row in probes.itertuples():
        assert sorted(row.options) == sorted(life.partners)
        assert row.options[row.true_position - 1] == row.true_partner
    places = Counter(probes["true_position"])
    assert max(places.values()) - min(places.values()) <= 3
    again = draw_from_life(life, 12, np.random.default_rng(1))
    assert again.equals(probes)


@given(st.lists(st.integers(1, 9), min_size=2, max_size=5), st.integers(0, 9))
def test_places_differ_by_one_at_most_within_a_value(tmp_path_factory, counts, seed):
    values = {f"v{n}": count for n, count in enumerate(counts)}
    own = large(tmp_path_factory.mktemp("l") / "L", values, changed=0)
    probes = draw_from_life(own, sum(counts), np.random.default_rng(seed))
    for _, rows in probes.groupby("true_partner"):
        places = Counter(rows["true_position"])
        assert max(places.values()) - min(places.get(p, 0) for p in range(1, len(values) + 1)) <= 1


def test_too_few_facts_are_said(life):
    with pytest.raises(
        ValueError, match=r"corpus L: 99 probes need as many remembered facts of 'b"
    ):
        draw_probes(life, 99, np.random.default_rng(1))


def failed(life: History, probes: int = 3) -> dict[str, str]:
    table = check_symmetry(life, probes, 30)
    return {row.check: f"{row.value} {row.note}" for row in table.itertuples() if not row.passed}


def test_a_fair_life_passes_and_the_check_says_how_many_of_each(life):
    table = check_life(life, 12)
    require_symmetry(table)
    told = table.set_index("check")["value"]
    assert told["values"] == "3"
    assert told["facts that can be asked about"] == "24"
    assert sum(int(part.split()[1]) for part in told["facts a value"].split(", ")) == 27


def test_what_makes_a_probe_unsymmetric_is_found(tmp_path, life):
    assert "facts that can be asked about" in failed(life, 25)
    uneven = large(tmp_path / "a", {"red": 9, "blue": 3}, changed=0)
    assert list(failed(uneven)) == ["facts a value"]
    alone = large(tmp_path / "b", {"red": 9}, changed=0)
    assert {"values", "facts a value"} <= set(failed(alone))
    many = large(tmp_path / "c", {f"v{n}": 1 for n in range(13)}, changed=0)
    assert list(failed(many)) == ["values"]
    hint = FACTS.replace("the rope", "the red rope")
    hinted = read_corpus(write_history(tmp_path / "d", facts_csv=hint))
    assert (
        "F2, column topic: 'red' may hint at red"
        in failed(hinted)["a text that names or hints at a value"]
    )
    with pytest.raises(ValueError, match="the probe would not be symmetric"):
        require_symmetry(check_symmetry(hinted, 2, 30))


def test_a_word_that_all_values_share_hints_at_none(tmp_path):
    values = {"red box": 4, "blue box": 4, "green box": 4}
    own = large(tmp_path / "L", values, changed=0)
    facts = (tmp_path / "L/facts.csv").read_text().replace("the thing1,", "the box of nails,")
    (tmp_path / "L/facts.csv").write_text(facts)
    assert failed(own) == failed(read_corpus(tmp_path / "L")) == {}


def test_an_event_that_says_it_again_without_a_row_of_its_own_is_found(tmp_path):
    settings = SETTINGS + "memory: turns\n"
    told = large(tmp_path / "L", changed=0, corpus_yaml=settings)
    assert failed(told) == {}
    one = told.encounters.iloc[1]
    path = tmp_path / "L/events.csv"
    said = f"z,2025-06-01,Memo,Right: {one['topic']} is in the {one['partner']} one.,s\n"
    path.write_text(path.read_text() + said)
    found = failed(read_corpus(tmp_path / "L"))
    left = "bindings that an exchange leaves in place"
    assert left in found
    assert f"{one['topic']}: {one['partner']}" in found[left]
    assert "a row in facts.csv" in found[left]


def test_a_word_that_goes_with_one_value_tells_it():
    topics = [f"{'old' if n < 12 else 'new'} thing{n}" for n in range(24)]
    values = ["red"] * 12 + ["blue"] * 8 + ["green"] * 4
    word, p = telling_word_of(topics, values)
    assert word in ("old", "new")
    assert p < 0.01
    # One of C(24, 12) ways puts all twelve with red; 26 words, three values.
    assert p == pytest.approx(26 * 3 / 2704156, rel=1e-6)
    assert telling_word_of([], []) == ("", 1.0)


def asked(life: History, name: str, n: int = 12):
    probes = draw_probes(life, n, np.random.default_rng(1))
    document = None if name == "none" else Document(name, rebind(life, name))
    return partner_prompts(life, document, probes)


def test_a_probe_asks_for_the_attribute_and_carries_what_each_document_says(life):
    for name in ("veridical", "binding-corrupted", "none"):
        told = bindings(life, name)
        for prompt in asked(life, name):
            (turn,) = prompt.turns
            assert prompt.facts["question"].startswith("In which box is the thing")
            assert set(turn.form.options) == set(COUNTS)
            row = life.encounters.set_index("topic").loc[prompt.facts["topic"]]
            named = prompt.facts["document_partner"]
            assert named == told[row["encounter_id"]]
            assert (named == row["partner"]) == (name == "veridical")
            if name != "none":
                assert f"{prompt.facts['topic']} is in the {named} box" in turn.document.text
                assert turn.quote is not None


@pytest.mark.parametrize("shape", ["paragraphs", "profile", "turns"])
def test_only_lines_are_quoted(tmp_path, shape):
    own = large(tmp_path / "L", corpus_yaml=SETTINGS + f"memory: {shape}\n")
    assert all(prompt.turns[0].quote is None for prompt in asked(own, "veridical"))


def replies(prompts, said) -> pd.DataFrame:
    rows = [(p.id, 0, 0, "ok" if said(p) else "abstained", said(p)) for p in prompts]
    return pd.DataFrame(rows, columns=["id", "sample", "turn", "state", "value"])


def answers(life: History, said, n: int = 12) -> pd.DataFrame:
    """A model that answers as `said` does, under the three documents."""
    tables = [
        score_replies(own, replies(own, said), "m")
        for own in (asked(life, name, n) for name in ("veridical", "binding-corrupted", "none"))
    ]
    return pd.concat(tables, ignore_index=True)[ANSWERS.names]


def cell(life: History, said, n: int = 12) -> pd.Series:
    return cells(answers(life, said, n), [("L", "m")], {"L": COUNTED}).iloc[0]


def test_a_reader_follows_and_chance_is_the_most_frequent_values_share(life):
    found = cell(life, lambda p: p.facts["document_partner"])
    assert found["finding"] == "follows"
    share = life.asked_about()["partner"].value_counts(normalize=True).max()
    assert found["chance"] == pytest.approx(share, abs=1 / 12)
    assert (found["veridical_correct"], found["corrupted_correct"]) == (12, 0)
    assert found["tested"] == "tested"


def test_naming_the_most_frequent_value_throughout_is_no_evidence(life):
    found = cell(life, lambda p: "red", 24)
    assert found["chance"] > 1 / 3
    assert found["none_correct"] / 24 == pytest.approx(found["chance"])
    # One in three would make this better than chance; the counts don't.
    assert found["none_p"] == 1.0
    assert bool(found["valid"]) is True
    assert found["finding"] == "not shown"


def test_the_p_without_a_document_is_the_share_of_all_orders_that_do_as_well(tmp_path):
    own = large(tmp_path / "L", {"red": 3, "green": 3, "blue": 1}, changed=0)
    right = {"the thing0", "the thing1", "the thing2", "the thing3", "the thing4"}
    wrong = {"red": "green", "green": "blue", "blue": "red"}

    def said(prompt) -> str:
        true = prompt.facts["true_partner"]
        return true if prompt.facts["topic"] in right else wrong[true]

    table = answers(own, said, 7)
    none = table[table["document"] == "none"]
    named, true = list(none["answer"]), list(none["true_partner"])
    orders = [
        sum(a == b for a, b in zip(named, order, strict=True))
        for order in itertools.permutations(true)
    ]
    share = np.mean([count >= 5 for count in orders])
    assert cell(own, said, 7)["none_p"] == pytest.approx(share)
    # Neighbours answered alike would count as fewer; so right and wrong ones alternate.
    hit, miss = none[none["correct"] == True], none[none["correct"] == False]  # noqa: E712
    turns = [hit[:1], miss[:1], hit[1:2], miss[1:], hit[2:]]
    bare = pd.concat(turns).assign(arm="forced").drop(columns="place")
    forced = forced_table(bare, {"L": COUNTED}).iloc[0]
    assert forced["chance"] == pytest.approx(3 / 7)
    assert forced["p"] == pytest.approx(share)


def test_a_life_whose_answers_are_all_missing_is_missing_and_beats_nothing(life):
    table = answers(life, lambda p: "red")
    other = table.assign(corpus="M", model="m")
    found = cells(other, [("L", "m"), ("M", "m")], {"L": COUNTED, "M": COUNTED})
    assert list(found["tested"]) == ["missing", "tested"]
    assert found["chance"].iloc[0] == 1.0


def test_facts_that_changed_are_asked_about_by_themselves_and_counted_apart(life):
    probes = changed_probes(life, np.random.default_rng(1))
    assert set(probes["topic"]) == {"the moved0", "the moved1", "the moved2"}
    document = document_of(life, "veridical", probes)
    prompts = beside_prompts(life, "stale", document, probes)
    assert all(prompt.facts["stale"] != prompt.facts["true_partner"] for prompt in prompts)
    for prompt in prompts:
        text = prompt.turns[0].document.text
        for value in (prompt.facts["stale"], prompt.facts["true_partner"]):
            assert f"{prompt.facts['topic']} is in the {value} box" in text
    said = {
        prompts[0].id: prompts[0].facts["true_partner"],
        prompts[1].id: prompts[1].facts["stale"],
        prompts[2].id: None,
    }
    scored = score_beside(prompts, replies(prompts, lambda p: said[p.id]), "m")
    told = stale_table(scored).iloc[0]
    assert told[["n", "latest", "stale", "other", "abstained"]].tolist() == [3, 1, 1, 0, 1]
    third = {**said, prompts[2].id: _third(prompts[2])}
    scored = score_beside(prompts, replies(prompts, lambda p: third[p.id]), "m")
    assert stale_table(scored).iloc[0]["other"] == 1


def test_a_value_that_nothing_has_any_more_is_offered_as_well(life, monkeypatch):
    changed = life.changed().assign(stale="ochre")
    monkeypatch.setattr(type(life), "changed", lambda self: changed)
    probes = changed_probes(life, np.random.default_rng(1))
    assert "ochre" not in life.partners
    assert all(set(options) == {*life.partners, "ochre"} for options in probes["options"])
    for probe in probes.itertuples():
        assert probe.options[probe.true_position - 1] == probe.true_partner


def _third(prompt) -> str:
    own = {prompt.facts["stale"], prompt.facts["true_partner"]}
    return next(value for value in prompt.turns[0].form.options if value not in own)


def test_a_life_without_changes_has_no_such_probes(tmp_path):
    own = large(tmp_path / "L", changed=0)
    probes = changed_probes(own, np.random.default_rng(1))
    assert probes.empty
    assert beside_prompts(own, "stale", document_of(own, "veridical", probes), probes) == []
    assert stale_table(score_none()).empty


def score_none() -> pd.DataFrame:
    return pd.DataFrame(columns=["corpus", "model", "document", "state", "answer", "stale"])


def test_a_contradicting_document_says_two_values_of_each_fact_asked_about(life):
    probes = draw_probes(life, 3, np.random.default_rng(1))
    text = document_of(life, "contradicting", probes).text
    assert len(text.split("\n")) == len(life.memory_block.split("\n")) + 3
    for row in probes.itertuples():
        assert text.count(f"{row.topic} is in the") == 2
    flagged = beside_prompts(life, "noticing", Document("contradicting", text), probes)
    assert len(flagged[0].turns[0].form.options) == 4


def test_the_example_is_fair_and_counts_as_a_life():
    own = read_corpus(LIVIA)
    require_symmetry(check_symmetry(own, 12, 30))
    assert count_partners(LIVIA) == COUNTED
    assert margins_of_life(LIVIA, 12) == (5, 4, 3)


def test_a_turkish_life_remembered_as_it_was_said():
    own = read_corpus(LIVIA.parent / "Defne")
    require_symmetry(check_symmetry(own, 8, 30))
    assert margins_of_life(LIVIA.parent / "Defne", 9) == (4, 3, 2)
    assert list(own.changed()["topic"]) == ["eski radyo", "bakır cezve"]
    told = rebind(own, "binding-corrupted")
    assert "[2025-04-26T14:30] Not Defteri: Hepsi defterde." in told
    named = bindings(own, "binding-corrupted")
    for row in own.encounters.itertuples():
        (line,) = [
            part
            for part in told.split("\n")
            if row.topic in part.casefold().replace("i̇", "i") and row.date in part
        ]
        assert named[row.encounter_id] in line
    for prompt in asked(own, "veridical", 8):
        assert "şu anda hangi rafta?" in prompt.facts["question"]
        assert prompt.turns[0].system.startswith("Sen Not Defteri adında")
        assert "Bilmiyorsan" in prompt.turns[0].user
