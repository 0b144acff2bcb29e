"""Foreign counterfeits: the frozen plan, the grammar of an entry, attempts and their account."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
import yaml
from veridical.control1.responses import needs_anchors, response_prompts, response_table
from veridical.corpora.corpus import Corpus, parse_entry, read_corpus
from veridical.documents.attempts import (
    assemble,
    attempt_table,
    attempts_of,
    replies_of,
)
from veridical.documents.entries import NOTE_SHORT, entry_form, read_writing
from veridical.documents.fidelity import fidelity
from veridical.documents.foreign import author_prompts, choose_life, plan_life, read_lives
from veridical.documents.given import Whole
from veridical.documents.names import LOG
from veridical.documents.texts import TEXTS, fill, joined, load_text, system_prompt
from veridical.models.exchange import Form
from veridical.models.grammars import grammar
from veridical.models.prompts import Document

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return read_corpus(ROOT / "data/corpora/A")


def prompts_of(corpus: Corpus, seed: int, form: str = "entries", attempt: int = 1):
    life = choose_life(read_lives("en"), corpus, seed)
    return author_prompts(
        f"foreign-{seed}-attempt-{attempt}",
        corpus,
        life,
        plan_life(corpus, life, seed),
        form=form,
        parameters={"temperature": 0.8},
        seed=1000 * seed,
    )


def write_by(form: Form, number: int) -> str:
    """An entry by its pieces, each part well within its bounds, as a model might."""
    article, topic, between, note, stop = form.pieces
    _, body, _ = topic.ways[0]
    _, start, room, _ = note.ways[0]
    assert room.most > NOTE_SHORT + 6
    swing = 6 if number % 2 else -6
    topic_text = chr(97 + number % 26) * ((body.least + body.most) // 2)
    return f"{article}{topic_text}o{between}{'n' * (1 + start.least + NOTE_SHORT + swing)}{stop}"


def answers(prompts, state: str = "ok") -> pd.DataFrame:
    rows = [
        {
            "id": prompt.id,
            "turn": 0,
            "state": state,
            "text": prompt.turns[0].form.begin + write_by(prompt.turns[0].form, number),
            "served_model": "author",
        }
        for number, prompt in enumerate(prompts)
    ]
    return pd.DataFrame(rows)


def test_a_plan_has_the_blocks_shape_and_dates_of_its_own(corpus):
    life = choose_life(read_lives("en"), corpus, 1)
    plan, again = plan_life(corpus, life, 1), plan_life(corpus, life, 1)
    pd.testing.assert_frame_equal(plan, again)
    block = corpus.remembered()
    assert sorted(plan["partner"].value_counts()) == sorted(block["partner"].value_counts())
    assert set(plan["partner"]).isdisjoint(corpus.partners)
    assert plan["date"].between(block["date"].min(), block["date"].max()).all()
    assert list(plan["date"]) == sorted(plan["date"])
    assert plan["line_length"].sum() + 29 == len(corpus.memory_block.rstrip("\n"))
    assert plan["subject"].is_unique
    assert list(plan_life(corpus, life, 2)["date"]) != list(plan["date"])


def test_the_author_is_shown_entries_in_the_corpus_own_form(corpus):
    other = replace(corpus, line="{date}: {topic}, with {partner}. {note}")
    (prompt, *_) = prompts_of(other, 1, form="whole")
    system = prompt.turns[0].system
    shown = [line for line in system.splitlines() if line.startswith("2024-")]
    assert len(shown) == 2
    assert [parse_entry(line, other.line)["partner"] for line in shown] == ["Amber", "Amber"]
    assert " — met " not in system
    assert " — met Amber — " in prompts_of(corpus, 1)[0].turns[0].system


def test_seeds_live_different_lives(corpus):
    cities = {choose_life(read_lives("en"), corpus, seed).city for seed in (1, 2, 3)}
    assert len(cities) == 3


def test_a_life_that_shares_a_name_is_passed_over(corpus):
    lives = read_lives("en")
    shared = replace(lives[0], people=("Maud",))
    assert choose_life([shared, lives[1]], corpus, 1) == lives[1]
    with pytest.raises(ValueError, match="every foreign life shares a name"):
        choose_life([shared], corpus, 1)
    few = replace(lives[0], partners=("Falken",))
    with pytest.raises(ValueError, match="fewer than 2 partners"):
        choose_life([few], corpus, 1)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_author_held_by_the_grammar_holds_length_and_form(corpus, seed):
    """Notes that end early and late in turn, within the bounds: every check passes."""
    text = assemble(answers(prompts_of(corpus, seed)), "entries", corpus.line)
    table = fidelity(f"foreign-{seed}", text, corpus, 0.05)
    assert set(table["check"][~table["passed"]]) <= {"repeated_topics"}, table.to_string()


def test_entries_share_one_prefix_and_have_seeds_of_their_own(corpus):
    prompts = prompts_of(corpus, 2)
    assert len(prompts) == 30
    assert len({prompt.turns[0].system for prompt in prompts}) == 1
    assert len({prompt.parameters["seed"] for prompt in prompts}) == 30
    first = prompts[0].turns[0]
    assert first.form.begin.endswith(" — ")
    assert not any(name in first.system for name in (*corpus.partners, corpus.agent))


def test_a_whole_document_is_one_call(corpus):
    (prompt,) = prompts_of(corpus, 1, "whole")
    assert corpus.line in prompt.turns[0].user
    assert prompt.turns[0].user.count("\n2025-") == 30
    with pytest.raises(ValueError, match="author_form"):
        prompts_of(corpus, 1, "verse")


def test_assembling_keeps_the_output_as_it_came():
    replies = pd.DataFrame(
        {"id": ["a", "b"], "state": "ok", "text": [" x — the y: z, and more.", "p — the q: r;."]}
    )
    assert assemble(replies, "entries", "{note}") == "x — the y: z, and more\np — the q: r"
    assert assemble(replies, "entries", "{note}!").endswith("r!")
    whole = pd.DataFrame({"id": ["a"], "state": "ok", "text": ["```\none.\n\ntwo\n```"]})
    assert assemble(whole, "whole", "{note}") == "one.\ntwo"


def test_a_failed_reply_is_named():
    replies = pd.DataFrame({"id": ["e-07"], "state": ["failed"], "text": [""]})
    with pytest.raises(ValueError, match=r"e-07 \(failed\)"):
        assemble(replies, "entries", "{note}")
    with pytest.raises(ValueError, match="no reply"):
        assemble(replies.iloc[:0], "entries", "{note}")


def test_every_attempt_is_kept_with_its_reason(corpus):
    further = {"foreign-1": ["line 9 repeats line 3"]}
    assert attempts_of(1, further) == ["foreign-1-attempt-1", "foreign-1-attempt-2"]
    prompts = prompts_of(corpus, 1) + prompts_of(corpus, 1, attempt=2)
    replies = answers(prompts)
    replies.loc[0, "text"] = "A prose beginning."
    table = attempt_table(corpus, prompts, replies, [1], further, 0.05)
    assert list(table["attempt"]) == [1, 2]
    assert list(table["used"]) == [False, True]
    assert list(table["reason"]) == ["", "line 9 repeats line 3"]
    assert "lines_out_of_format" in table["failed_checks"].iloc[0]
    own, form = replies_of("foreign-1-attempt-2", prompts, replies)
    assert (len(own), form) == (30, "entries")
    with pytest.raises(ValueError, match="no prompt asks for foreign-9-attempt-1"):
        replies_of("foreign-9-attempt-1", prompts, replies)
    with pytest.raises(ValueError, match="hasn't answered foreign-1-attempt-1-entry-01"):
        replies_of("foreign-1-attempt-1", prompts, replies.iloc[1:])


# --- the instruction around a document, and the responses ----------------------------------------


def test_system_prompt_differs_in_the_document_alone(corpus):
    one, two = (
        system_prompt(corpus, Document("veridical", text), "response")
        for text in ("first doc", "second doc")
    )
    assert one.replace("first doc", "second doc") == two
    assert one.startswith(f"You are {corpus.agent},")
    none = system_prompt(corpus, None, "response")
    assert "You have no memory document" in none
    assert "{" not in one + none


def test_braces_in_a_document_stay(corpus):
    assert "a {task} b" in system_prompt(corpus, Document("veridical", "a {task} b"), "partner")
    assert fill("{a}{b}{", {"a": "{b}"}) == "{b}{b}{"


def test_bad_documents_and_tasks_are_refused(corpus):
    with pytest.raises(ValueError, match="memory document foreign-1 is empty"):
        system_prompt(corpus, Document("foreign-1", " \n"), "response")
    with pytest.raises(ValueError, match=r"no text task-dance\.en\.txt"):
        system_prompt(corpus, Document("veridical", "x"), "dance")
    with pytest.raises(ValueError, match=r"no text memory\.xx\.txt"):
        load_text("memory", "xx")


def test_responses_share_prefix_by_document_and_seed_by_item(corpus):
    assert not needs_anchors(corpus)  # what the agent said is in its test day
    corpus = replace(corpus, test_day=corpus.test_day.assign(anchor=""))
    assert needs_anchors(corpus)
    names = ("veridical", "foreign-1", "shuffled-1", LOG)
    documents = [Document(name, f"the text of {name}") for name in names]
    prompts = response_prompts(corpus, map(Whole, documents), 7, {"temperature": 0.7})
    assert len(prompts) == 4 * 7
    assert [p.facts["condition"] for p in prompts[::7]] == [
        "veridical",
        "foreign",
        "shuffled",
        "anchor",
    ]
    assert len({p.turns[0].system for p in prompts[:7]}) == 1
    assert [p.turns[0].document.name for p in prompts[::7]] == list(names)
    assert all(p.turns[0].document.text in p.turns[0].system for p in prompts)
    assert len({p.parameters["seed"] for p in prompts}) == 7
    replies = pd.DataFrame(
        {"id": [p.id for p in prompts], "state": "ok", "text": "<think>hm</think> said "}
    )
    table = response_table(prompts, replies, corpus, "m")
    assert set(table["text"]) == {"said"}
    assert table["seed"].notna().sum() == 14
    with pytest.raises(ValueError, match="veridical-A-T1 has no reply"):
        response_table(prompts, replies.iloc[1:], corpus, "m")


def test_a_corpus_with_anchors_brings_its_own(corpus):
    day = corpus.test_day.assign(anchor="lived")
    own = replace(corpus, test_day=day)
    assert not needs_anchors(own)
    prompts = response_prompts(own, [Whole(Document("veridical", "v"))], 7, {})
    replies = pd.DataFrame({"id": [p.id for p in prompts], "state": "ok", "text": "said"})
    anchors = response_table(prompts, replies, own, "m").query("condition == 'anchor'")
    assert list(anchors["text"]) == ["lived"] * 7
    assert set(anchors["document"]) == {"test-day"}


# --- other languages ------------------------------------------------------------------------------


ITALIAN = {
    "articles": ["il ", "la ", "l'"],
    "and": "e",
    "small": "abcdefghijklmnopqrstuvwxyzàèéìòù",
    "capitals": "ABCDEFGHIJKLMNOPQRSTUVWXYZÀÈÉÌÒÙ",
    "within": "' ",
    "clauses": ",;",
}
ROW = SimpleNamespace(date="2025-02-03", partner="Ada", topic_length=30, line_length=150)


@pytest.fixture
def texts(tmp_path, monkeypatch):
    """A folder of the study's texts, to which a language can be added."""
    shutil.copytree(TEXTS, tmp_path / "texts")
    monkeypatch.setattr("veridical.documents.entries.TEXTS", tmp_path / "texts")
    return tmp_path / "texts"


def write_words(texts, language, **words):
    path = texts / f"foreign-words.{language}.yaml"
    path.write_text(yaml.safe_dump(words, allow_unicode=True), encoding="utf-8")


def test_a_language_brings_its_articles_letters_and_word_for_and(corpus, texts):
    write_words(texts, "it", **ITALIAN)
    writing = read_writing("it")
    form = entry_form(corpus, ROW, writing)
    assert form.pieces[0] == ("il ", "la ", "l'")
    assert not any("the " in str(piece) for piece in form.pieces)
    written = grammar(form.pieces)
    assert written.startswith('root ::= ("il " | "la " | "l\'") topic')
    assert "àèéìòù" in written
    assert joined(["Rino", "Vera"], writing.word_and) == "Rino e Vera"


def test_a_language_without_articles_begins_a_topic_at_once(corpus, texts):
    write_words(texts, "tr", **{**ITALIAN, "articles": []})
    form = entry_form(corpus, ROW, read_writing("tr"))
    topic = form.pieces[0]
    assert topic.name == "topic"
    longest = sum(span.most for span in topic.ways[0])
    english = entry_form(corpus, ROW, read_writing("en"))
    assert longest == 4 + sum(span.most for span in english.pieces[1].ways[0])  # no "the "


def test_words_that_are_missing_are_named(texts):
    with pytest.raises(ValueError, match=r"foreign-words\.xx\.yaml: no words for entries in 'xx'"):
        read_writing("xx")
    write_words(texts, "xx", **{key: ITALIAN[key] for key in ITALIAN if key != "small"})
    with pytest.raises(ValueError, match=r"foreign-words\.xx\.yaml: key 'small' is missing"):
        read_writing("xx")


def test_bounds_are_in_proportion_to_a_corpus_of_short_lines(corpus):
    """Lines of about 100 characters: a note may end about 17 beyond its plan, not 30.

    Of a full-sized corpus the bounds stay as they were. The middle of what a short line may be lies
    within the usual tolerance of the plan, so that an author is neither led too long nor too short.
    """
    whole = corpus.remembered().apply(corpus.entry, axis=1).str.len().mean()
    assert whole > 170
    life = choose_life(read_lives("en"), corpus, 1)
    plan, writing = plan_life(corpus, life, 1), read_writing("en")
    spans = {}
    for name, kept in (("long", 400), ("short", 40)):
        cut = corpus.encounters.assign(note=corpus.encounters["note"].str[:kept])
        other = replace(corpus, encounters=cut)
        lines = other.remembered().apply(other.entry, axis=1).str.len().to_numpy()
        rows = plan.assign(line_length=lines)
        pieces = [entry_form(other, row, writing).pieces for row in rows.itertuples(index=False)]
        spans[name] = [form[3].ways[0][2].most for form in pieces]
        sizes = [sum((s.least + s.most) / 2 for s in form[3].ways[0]) for form in pieces]
        wanted = lines - [len(entry_form(other, r, writing).begin) + r.topic_length + 2
                          for r in rows.itertuples(index=False)]  # fmt: skip
        assert abs(sum(sizes) / sum(wanted) - 1) < 0.15, name
    assert set(spans["long"]) == {82}
    assert 40 < spans["short"][0] < 60
