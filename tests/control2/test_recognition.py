"""Recognition probes: single details altered by rule, checked, balanced."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.lives import NAMES, life, with_parts
from veridical.control2.alterations import KINDS, Alteration, Alterer, mask_dates, problems
from veridical.control2.authored import alteration_prompts, read_alterations
from veridical.control2.recognition import check_probes, draw_probes


def rng(seed=1):
    return np.random.default_rng(seed)


def one_place(a: str, b: str) -> tuple[str, str]:
    """What is left of two texts without their common beginning and end."""
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    return a[start : len(a) - end], b[start : len(b) - end]


@pytest.mark.parametrize(
    ("text", "language", "masked"),
    [
        ("On 2025-03-31 it rained.", "en", "On [date] it rained."),
        ("On 3 March 2025, then March 5th.", "en", "On [date], then [date]."),
        ("Il 3 marzo 2025 pioveva.", "it", "Il [date] pioveva."),
        ("3 Mart 2025 ve 31.3.2025 ve 31/3/25.", "tr", "[date] ve [date] ve [date]."),
        ("It may march 20 metres.", "en", "It may march 20 metres."),
        ("Ratio 3/4, version 1.2, 12 May flies.", "en", "Ratio 3/4, version 1.2, [date] flies."),
    ],
)
def test_dates_are_masked(text, language, masked):
    assert mask_dates(text, language) == masked


def test_each_kind_of_detail_by_hand():
    alterer = Alterer(life())
    text = "Ada paid 20 crowns at Aldgate. All saw the cup before the jug."
    (number,) = alterer.find(text, "number", rng())
    assert (number.source, number.position) == ("20", 9)
    assert 20 * 0.4 <= int(number.target) <= 20 * 1.6
    assert abs(int(number.target) - 20) >= 4
    (name,) = alterer.find(text, "name", rng())
    assert name.source == "Ada"
    assert name.target in set(NAMES) - {"Ada"}
    (place,) = alterer.find(text, "place", rng())
    assert (place.source, place.target[:1]) == ("Aldgate", place.target[0])
    (order,) = alterer.find(text, "order", rng())
    assert order.apply(text) == "Ada paid 20 crowns at Aldgate. All saw the jug before the cup."


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Ada met Ada at 20.", "name"),  # altered once, the text would contradict itself
        ("It took 20 days of 20.", "number"),
        ("There was 1 cup and 0 jugs.", "number"),  # the grammar would tell
        ("The 4th of 1934x was 12:30.", "number"),  # no plain figure
        ("All saw the cup beside the jug.", "order"),  # no order word
    ],
)
def test_what_cannot_be_altered_well_is_left(text, kind):
    assert Alterer(life()).find(text, kind, rng()) == []


def test_a_term_is_only_put_where_the_corpus_writes_it():
    corpus = life()
    table = corpus.encounters.copy()
    table.loc[0, "text"] = "Ada slept in Denholm."  # "in Denholm" and no other place after "in"
    alterer = Alterer(with_parts(corpus, encounters=table))
    assert alterer.find("Ada slept in Denholm.", "place", rng()) == []


def test_articles_are_kept():
    assert "'an' doesn't go with 'tug'" in problems(
        "It was an ark.", Alteration("thing", 10, "ark", "tug")
    )
    assert not problems("It was an ark.", Alteration("thing", 10, "ark", "urn"))


def test_unknown_kinds_are_refused():
    with pytest.raises(ValueError, match="unknown kind of detail 'colour'"):
        Alterer(life()).find("Red.", "colour", rng())


@settings(max_examples=40)
@given(st.integers(0, 2**32), st.sampled_from([2, 8, 24]))
def test_what_holds_for_every_draw(seed, n):
    corpus = life()
    probes = draw_probes(corpus, n, rng(seed))
    check_probes(probes, corpus.memory_block)
    assert len(probes) == n
    assert (probes["true_is"] == "A").sum() == n / 2
    assert probes["encounter_id"].is_unique
    counts = probes["kind"].value_counts().reindex(KINDS, fill_value=0)
    assert counts.max() - counts.min() <= 1
    outside = set(corpus.encounters.loc[~corpus.encounters["in_memory"], "encounter_id"])
    assert set(probes["encounter_id"]) <= outside
    for row in probes.to_dict("records"):
        a, b = one_place(row["true_text"], row["altered_text"])
        assert a in row["from"]
        assert b in row["to"]
        assert row["true_text"][row["position"] :].startswith(row["from"])


def test_the_seed_decides():
    one, two, other = (draw_probes(life(), 12, rng(seed)) for seed in (1, 1, 2))
    assert one.equals(two)
    assert not one.equals(other)


def test_an_odd_number_of_probes_is_refused():
    with pytest.raises(ValueError, match="set an even n"):
        draw_probes(life(), 7, rng())


def test_too_few_texts_are_named():
    with pytest.raises(ValueError, match=r"26 probes need as many texts .* there are 24 among 24"):
        draw_probes(life(), 26, rng())


def proposals(prompts, propose):
    rows = [(prompt.id, *propose(prompt.facts)) for prompt in prompts]
    return pd.DataFrame(rows, columns=["id", "state", "value"])


def test_the_authors_proposals_pass_the_same_checks():
    corpus = life()
    prompts = alteration_prompts(corpus, 4, rng())
    assert len(prompts) == 8
    assert {prompt.facts["kind"] for prompt in prompts} == set(KINDS)
    assert all(prompt.facts["text"] in prompt.turns[0].user for prompt in prompts)
    replies = proposals(prompts, lambda facts: ("ok", {"from": "crowns", "to": "pounds"}))
    used, refused = read_alterations(prompts, replies)
    assert not refused
    probes = draw_probes(corpus, 4, rng(), used)
    check_probes(probes, corpus.memory_block)
    assert set(probes["to"]) == {"pounds"}


@pytest.mark.parametrize(
    ("state", "value", "why"),
    [
        ("unparseable", None, "no proposal (unparseable)"),
        ("ok", {"from": "the", "to": "a"}, "stands 2 times"),
        ("ok", {"from": "crown", "to": "pound"}, "stands 0 times"),  # a part of a word
        ("ok", {"from": "crowns", "to": "crowns"}, "don't differ"),
        ("ok", {"from": "crowns", "to": "crowns  and"}, "stray spaces"),
    ],
)
def test_a_proposal_that_cannot_be_used_is_said_why(state, value, why):
    prompts = alteration_prompts(life(), 2, rng())
    used, refused = read_alterations(prompts, proposals(prompts, lambda facts: (state, value)))
    assert not used
    assert all(why in said for said in refused.values())
    with pytest.raises(ValueError, match="there are 0"):
        draw_probes(life(), 2, rng(), used)


def broken(**values):
    corpus = life()
    probes = draw_probes(corpus, 4, rng())
    for column, value in values.items():
        probes.loc[0, column] = value
    return probes, corpus.memory_block


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ({"position": 1}, "doesn't stand at 1"),
        ({"to": "something else"}, "differs elsewhere than recorded"),
        ({"altered_text": "Another text."}, "differs elsewhere than recorded"),
        ({"true_text": "no beginning."}, "doesn't begin like a sentence"),
    ],
)
def test_a_broken_probe_is_named(values, fault):
    probes, block = broken(**values)
    with pytest.raises(ValueError, match=fault) as error:
        check_probes(probes, block)
    assert probes.loc[0, "probe_id"] in str(error.value)


def test_a_true_text_in_the_memory_block_is_named():
    probes, _ = broken()
    with pytest.raises(ValueError, match="stands in the memory block"):
        check_probes(probes, "- " + probes.loc[2, "true_text"])


def test_a_text_twice_and_an_unbalanced_order_are_named():
    probes, block = broken(true_is="A")
    probes.loc[:, "true_is"] = "A"
    with pytest.raises(ValueError, match="A in 4 of 4 probes, not in half"):
        check_probes(probes, block)
    probes, block = broken()
    probes.loc[1] = probes.loc[0]
    with pytest.raises(ValueError, match="is asked about twice"):
        check_probes(probes, block)
