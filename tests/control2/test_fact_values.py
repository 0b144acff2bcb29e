"""A life's details altered in any language: a value for one that its subject never had."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.histories import write_history
from support.lives import life as encounters
from veridical.control2.alterations import KINDS, Alterer
from veridical.control2.brought import read_own_probes
from veridical.control2.fact_values import VALUE, FactValues
from veridical.control2.recognition import check_probes, draw_probes
from veridical.corpora.corpus import read_corpus

CORPORA = Path(__file__).parents[2] / "data/corpora"
PLAIN = """\
form: life
agent: Memo
language: {}
asked: box
licence: x
origin: y
"""
EVENTS = """\
id,time,speaker,text,session,in_memory
e1,2025-03-01,Ada,The lamp is in the red box.,1,true
e2,2025-03-02,Ada,The lamp moved to the blue box.,1,false
e3,2025-03-03,Ada,"The bell is in the dark blue box, not far.",1,false
e4,2025-03-04,Ada,"The rope is in the green box, the red one being full.",1,false
e5,2025-03-05,Memo,"Noted: the lamp, blue.",1,false
e6,2025-03-06,Memo,A red thread is used up.,1,false
e7,2025-03-07,Memo,"Red, red and red again.",1,false
e8,2025-03-08,Ada,The lamp cost 40 crowns.,1,false
"""
FACTS = """\
subject,attribute,value,event,valid_from,valid_to
the lamp,box,red,e1,,
the lamp,box,blue,e2,,
the bell,box,dark blue,e3,,
the rope,box,green,e4,,
the lamp,price,40 crowns,e8,,
"""


@pytest.fixture
def life(tmp_path):
    return read_corpus(
        write_history(tmp_path / "T", corpus_yaml=PLAIN.format("en"), events_csv=EVENTS,
                      facts_csv=FACTS)
    )  # fmt: skip


def targets(life, event: str) -> dict[str, set[str]]:
    """By value found, all that it was exchanged for in many draws."""
    text = dict(zip(life.events["id"], life.events["text"], strict=True))[event]
    found: dict[str, set[str]] = {}
    for seed in range(40):
        for one in FactValues(life).find(event, text, np.random.default_rng(seed)):
            assert one.kind == VALUE
            assert text[one.position :].startswith(one.source)
            found.setdefault(one.source, set()).add(one.target)
    return found


@pytest.mark.parametrize(
    ("event", "exchanged"),
    [
        # the lamp was in the red and in the blue box, so neither is a place that it never had
        ("e2", {"blue": {"dark blue", "green"}}),
        # `blue` is no value of its own inside of `dark blue`, but stands there
        ("e3", {"dark blue": {"green", "red"}}),
        # any that isn't in the text; so may the one that is nobody's
        ("e4", {"green": {"blue", "dark blue"}, "red": {"blue", "dark blue"}}),
        # this event says no fact; it names the lamp
        ("e5", {"blue": {"dark blue", "green"}}),
        # it names nothing: any other value
        ("e6", {"red": {"blue", "dark blue", "green"}}),
        # a value that stands twice would contradict itself
        ("e7", {}),
        # the only price there is
        ("e8", {}),
    ],
)
def test_a_value_becomes_one_that_its_subject_never_had(life, event, exchanged):
    assert targets(life, event) == exchanged


def test_articles_still_fit(tmp_path):
    """`a red` can't become `a amber`."""
    facts = FACTS.replace("the rope,box,green", "the rope,box,amber").replace("dark blue", "teal")
    events = EVENTS.replace("green", "amber").replace("dark blue", "teal")
    life = read_corpus(
        write_history(tmp_path / "T", corpus_yaml=PLAIN.format("en"), events_csv=events,
                      facts_csv=facts)
    )  # fmt: skip
    assert targets(life, "e6") == {"red": {"blue", "teal"}}  # A red thread


def test_probes_of_a_life_ask_for_values_first_and_for_figures_too(life):
    probes = draw_probes(life, 6, np.random.default_rng(1))
    check_probes(probes, life.memory_block)
    kinds = probes.set_index("encounter_id")["kind"]
    assert kinds["e8"] == "number"
    assert set(kinds.drop("e8")) == {VALUE}
    assert (probes["true_is"] == "A").sum() == 3
    drawn = draw_probes(life, 6, np.random.default_rng(1))
    pd.testing.assert_frame_equal(drawn, probes)


def test_too_few_texts_of_a_life_say_what_would_make_more(life):
    with pytest.raises(
        ValueError,
        match=r"corpus T: 8 probes need .* there are 6 among 7: give events.csv a column in_memory "
        r".*or bring the probes \(control2/probes_csv\)",
    ):
        draw_probes(life, 8, np.random.default_rng(1))
    with pytest.raises(ValueError, match=r"there are 0 among 0: give events.csv"):
        draw_probes(read_corpus(CORPORA / "Defne"), 2, np.random.default_rng(1))


def test_an_italian_life_is_altered_with_no_vocabulary_of_places():
    livia = read_corpus(CORPORA / "Livia")
    probes = draw_probes(livia, 6, np.random.default_rng(1))
    check_probes(probes, livia.memory_block, "it")
    assert set(probes["kind"]) <= {VALUE, *KINDS}
    assert (probes["kind"] == VALUE).sum() >= 4
    exchanged = probes[probes["kind"] == VALUE]
    assert set(exchanged["from"]) | set(exchanged["to"]) <= {*livia.partners, "12 euro", "4 euro"}


def test_a_turkish_life_is_altered_by_its_values(tmp_path):
    folder = CORPORA / "Defne"
    events = (folder / "events.csv").read_text(encoding="utf-8").splitlines()
    marked = [events[0] + ",in_memory"]
    marked += [f"{line},{str(number > 8).lower()}" for number, line in enumerate(events[1:])]
    life = read_corpus(
        write_history(
            tmp_path / "T",
            corpus_yaml=(folder / "corpus.yaml").read_text(encoding="utf-8"),
            events_csv="\n".join(marked) + "\n",
            facts_csv=(folder / "facts.csv").read_text(encoding="utf-8"),
        )
    )
    probes = draw_probes(life, 6, np.random.default_rng(1))
    check_probes(probes, life.memory_block, "tr")
    assert (probes["kind"] == VALUE).any()
    assert set(probes.loc[probes["kind"] == VALUE, "to"]) <= {"üst raf", "orta raf", "alt raf"}


def test_encounters_have_no_such_kind():
    """A corpus of encounters is altered as ever: its draws take no step more."""
    corpus = encounters()
    assert set(draw_probes(corpus, 12, np.random.default_rng(1))["kind"]) <= set(KINDS)
    with pytest.raises(ValueError, match="unknown kind of detail 'value'"):
        Alterer(corpus).find("Any text.", VALUE, np.random.default_rng(1))


def test_probes_of_ones_own_about_a_life_name_its_events(life, tmp_path):
    rows = [
        ("p1", "e2", "The lamp moved to the blue box.", "The lamp moved to the green box.", "A"),
        ("p2", "e6", "A red thread is used up.", "A blue thread is used up.", "B"),
    ]
    columns = ["probe_id", "encounter_id", "true_text", "altered_text", "true_is"]
    path = tmp_path / "own.csv"
    table = pd.DataFrame(rows, columns=columns).assign(kind=VALUE)
    table.to_csv(path, index=False)
    ids = life.records()["encounter_id"]
    found = read_own_probes(path, ids, life.memory_block, 2, "en")
    assert list(found["from"]) == ["blue", "red"]
    assert list(found["position"]) == [22, 2]
    table.assign(encounter_id="F1").to_csv(path, index=False)
    with pytest.raises(ValueError, match=r"column encounter_id: the corpus has no encounter 'F1'"):
        read_own_probes(path, ids, life.memory_block, 2, "en")
