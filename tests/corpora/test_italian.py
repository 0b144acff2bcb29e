"""Italian ships whole: texts, two lives, what may be altered, how a foreign one is written."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import numpy as np
import pytest
from support.lives import life, with_parts
from support.scripts import load_script
from veridical.control1.verdicts import rubric
from veridical.control2.alterations import Alteration, Alterer, problems
from veridical.control2.authored import alteration_prompts, read_alterations
from veridical.control2.prompts import recognition_prompts
from veridical.control2.recognition import check_probes, draw_probes
from veridical.control3.prompts import partner_prompts
from veridical.control3.symmetric import check_symmetry, require_symmetry
from veridical.control3.symmetric import draw_probes as draw_symmetric
from veridical.corpora.corpus import read_corpus
from veridical.corpora.hints import telling_words
from veridical.documents.entries import entry_form, read_writing
from veridical.documents.foreign import author_prompts, choose_life, plan_life, read_lives
from veridical.documents.given import Whole
from veridical.documents.texts import TEXTS, load_text
from veridical.models.exchange import Raw
from veridical.models.forms import read_answer
from veridical.models.prompts import Document

ROOT = Path(__file__).parents[2]
FOLDERS = [ROOT / "data/corpora/IA", ROOT / "data/corpora/IB"]
NAMES = sorted(
    path.name.removesuffix(".en.txt")
    for path in TEXTS.glob("*.en.txt")
    if not path.name.startswith(("benchmark-", "verdict"))  # a benchmark is asked in its language
)


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def fields(text: str) -> list[str]:
    return sorted(field for _, field, _, _ in Formatter().parse(text) if field)


@pytest.mark.parametrize("name", NAMES)
def test_every_text_has_an_italian_one_that_takes_the_same_values(name):
    english, italian = (load_text(name, language) for language in ("en", "it"))
    assert fields(italian) == fields(english)
    assert italian != english or name == "quote-partner"  # made of the corpus's own sentences
    assert len(italian.splitlines()) == len(english.splitlines())


def test_what_a_program_reads_line_by_line_keeps_its_keys():
    for name in ("metrics", "detail-kinds"):
        keys = [
            [line.partition(":")[0] for line in load_text(name, language).splitlines()]
            for language in ("en", "it")
        ]
        assert keys[0] == keys[1]
    assert "marcatori" not in rubric(["identity_markers"], "it")
    assert "abitudini e idee sue" in rubric(["identity_markers"], "it")


@pytest.mark.parametrize("path", FOLDERS, ids=lambda path: path.name)
def test_an_italian_life_has_the_shape_of_the_demonstration(path):
    corpus = read_corpus(path)
    encounters, remembered = corpus.encounters, corpus.remembered()
    assert corpus.language == "it"
    assert dict(encounters["partner"].value_counts()) == {"Llama": 72, "DeepSeek": 72}
    assert dict(remembered["partner"].value_counts()) == {"Llama": 15, "DeepSeek": 15}
    monthly = encounters.groupby([encounters["date"].str[:7], "partner"]).size()
    assert set(monthly) == {6}
    assert 5_000 < len(corpus.memory_block) < 5_400
    assert len(corpus.test_day) == 7
    require_symmetry(check_symmetry(corpus, 24, 30))


def test_the_italian_lives_share_no_name_with_each_other_or_the_english_ones():
    folders = [*FOLDERS, ROOT / "data/corpora/A", ROOT / "data/corpora/B"]
    named = [set(read_corpus(path).terms("name", "animal", "place")) for path in folders]
    assert sum(map(len, named)) == len(set.union(*named))


@pytest.mark.parametrize("path", FOLDERS, ids=lambda path: path.name)
def test_nothing_in_an_italian_life_tells_the_partner(path):
    corpus = read_corpus(path)
    assert telling_words(corpus) == []
    measured = load_script("corpora/check_hints.py").measure(corpus, 199)
    assert all(hint.p > 0.05 for hint in measured.values()), measured
    planted = with_parts(
        corpus, encounters=corpus.encounters.assign(note="un tuffo con la balena, in Perù")
    )
    assert {"'Perù' may hint at Llama", "'balena' may hint at DeepSeek"} <= {
        finding.partition(": ")[2] for finding in telling_words(planted)
    }


@pytest.mark.parametrize("path", FOLDERS, ids=lambda path: path.name)
def test_assembling_an_italian_life_again_gives_the_same_bytes(path, tmp_path):
    folder = tmp_path / path.name
    folder.mkdir()
    for name in ("corpus.yaml", "life.txt", "life.yaml"):
        (folder / name).write_bytes((path / name).read_bytes())
    load_script("corpora/assemble_corpus.py").main(folder, folder)
    for name in ("encounters.csv", "memory_block.txt", "vocabulary.csv"):
        assert (folder / name).read_bytes() == (path / name).read_bytes(), name


def test_a_block_length_that_never_comes_is_refused(tmp_path):
    folder = tmp_path / "IB"
    folder.mkdir()
    for name in ("corpus.yaml", "life.txt"):
        (folder / name).write_bytes((FOLDERS[1] / name).read_bytes())
    terms = (FOLDERS[1] / "life.yaml").read_text(encoding="utf-8")
    assert "characters: 5050" in terms
    changed = terms.replace("characters: 5050", "characters: 9000")
    (folder / "life.yaml").write_text(changed, encoding="utf-8")
    script = load_script("corpora/assemble_corpus.py")
    script.DRAWS = 50
    with pytest.raises(ValueError, match=r"no memory block of about 9,000 characters in 50 draws"):
        script.main(folder, folder)


@pytest.mark.parametrize("path", FOLDERS, ids=lambda path: path.name)
def test_twenty_four_italian_probes_can_be_drawn_and_asked(path):
    corpus = read_corpus(path)
    probes = draw_probes(corpus, 24, rng())
    check_probes(probes, corpus.memory_block, "it")
    assert dict(probes["kind"].value_counts()) == dict.fromkeys(
        ("number", "name", "place", "order"), 6
    )
    block = Document("veridical", corpus.memory_block)
    prompt = recognition_prompts(corpus, Whole(block), "veridical", probes)[0]
    assert prompt.turns[0].user.endswith("A o B? Se non lo sai, rispondi: Non lo so.")
    assert prompt.turns[0].system.startswith(f"Sei {corpus.agent}, un agente che incontra altri")


def italian(texts: list[str], terms: list[tuple[str, str]]):
    """A small life in Italian that holds these records and these terms."""
    import pandas as pd

    corpus = life(language="it")
    table = corpus.encounters.copy()
    table["text"] = [texts[n % len(texts)] for n in range(len(table))]
    vocabulary = pd.DataFrame(terms, columns=["kind", "term"])
    return with_parts(corpus, encounters=table, vocabulary=vocabulary)


def test_an_italian_figure_has_a_decimal_comma():
    alterer = Alterer(italian(["Pesava 4,6 chili."], [("order", "dopo")]))
    (found,) = alterer.find("Pesava 4,6 chili.", "number", rng())
    assert (found.source, found.position) == ("4,6", 7)
    assert re.fullmatch(r"\d,\d", found.target)
    assert 1.8 <= float(found.target.replace(",", ".")) <= 7.4
    assert alterer.find("Costava 4.600 lire.", "number", rng()) == []  # thousands are left alone


@pytest.mark.parametrize(
    ("text", "source", "target", "fits"),
    [
        ("Ne restava l'8 per cento.", "8", "7", False),  # il 7
        ("Ne restava il 7 per cento.", "7", "8", False),  # l'8
        ("Ne restava il 7 per cento.", "7", "6", True),
        ("Ne restava l'8 per cento.", "8", "11", True),  # l'undici
        ("Ne restava il 70 per cento.", "70", "80", False),
        ("Ne vennero 7 in ritardo.", "7", "8", True),  # nothing before it is elided
        ("Vennero Lea ed Anna.", "Anna", "Rita", False),
        ("Vennero Lea ed Anna.", "Anna", "Elsa", True),
        ("Partirono dall'Arsenale.", "Arsenale", "Mercato", False),
        ("Andarono a Orte.", "Orte", "Bari", True),  # no English article
    ],
)
def test_what_italian_elides_before_a_vowel_is_kept(text, source, target, fits):
    found = problems(text, Alteration("name", text.index(source), source, target), "it")
    assert (found == []) is fits, found


def test_a_place_after_an_elided_word_goes_where_the_corpus_writes_it():
    texts = ["Il banco stava all'Arsenale.", "Il banco stava all'Orto.", "Molo fu chiuso."]
    terms = [("place", "Arsenale"), ("place", "Orto"), ("place", "Molo")]
    alterer = Alterer(italian(texts, terms))
    (found,) = alterer.find("Il banco stava all'Arsenale.", "place", rng())
    assert found.apply("Il banco stava all'Arsenale.") == "Il banco stava all'Orto."


def test_two_things_are_exchanged_where_both_are_one_or_both_are_many():
    terms = [("order", "sotto"), *(("thing", t) for t in ("il conto", "le quote", "la firma"))]
    alterer = Alterer(italian(["Testo."], terms))
    assert alterer.find("Nel libro sta il conto sotto le quote.", "order", rng()) == []
    (found,) = alterer.find("Nel libro sta il conto sotto la firma.", "order", rng())
    assert found.target == "la firma sotto il conto"


def test_an_authors_italian_proposal_is_held_to_italian():
    import pandas as pd

    corpus = read_corpus(FOLDERS[0])
    prompts = alteration_prompts(corpus, 2, rng())
    assert "Cambia un solo particolare" in prompts[0].turns[0].user
    text = "Ne restava l'8 per cento."
    for prompt in prompts:
        prompt.facts["text"] = text
    replies = pd.DataFrame(
        [(p.id, "ok", {"from": "8", "to": "7"}) for p in prompts], columns=["id", "state", "value"]
    )
    used, refused = read_alterations(prompts, replies)
    assert used == {}
    assert set(refused.values()) == {"\"l'\" doesn't go with '7'"}


@pytest.mark.parametrize(
    ("said", "answer", "state"),
    [
        ("Con DeepSeek.", "DeepSeek", "ok"),
        ("Non era Llama, era DeepSeek.", "DeepSeek", "ok"),
        ("Non lo so.", None, "abstained"),
        ("non lo so", None, "abstained"),
    ],
)
def test_binding_questions_are_italian_and_their_answers_are_read(said, answer, state):
    corpus = read_corpus(FOLDERS[1])
    probes = draw_symmetric(corpus, 24, rng())
    prompt = partner_prompts(corpus, Document("veridical", corpus.memory_block), probes)[0]
    turn = prompt.turns[0]
    topic = prompt.facts["topic"]
    assert turn.user.startswith(f"Con chi hai parlato di questo: {topic}? ")
    assert re.search(r"(Llama o DeepSeek|DeepSeek o Llama)\? Se non lo sai", turn.user)
    assert turn.quote.form.begin == f"La voce che riguarda {topic} porta la data"
    found, value = read_answer(Raw(said, finish="stop"), turn.form)
    assert (value if found == "ok" else None, found) == (answer, state)


@pytest.mark.parametrize("path", FOLDERS, ids=lambda path: path.name)
def test_a_foreign_italian_life_is_led_by_its_own_articles(path):
    corpus = read_corpus(path)
    life = choose_life(read_lives("it"), corpus, 1)
    plan = plan_life(corpus, life, 1)
    prompts = author_prompts("foreign-1-attempt-1", corpus, life, plan, form="entries",
                             parameters={}, seed=1)  # fmt: skip
    assert len(prompts) == 30
    assert "— conversazione con Ambra —" in prompts[0].turns[0].system
    assert f" e {life.partners[1]}" in prompts[0].turns[0].system
    form = entry_form(corpus, next(plan.itertuples(index=False)), read_writing("it"))
    assert form.pieces[0] == ("il ", "la ", "lo ", "l'", "i ", "le ", "gli ")
    assert set(plan["subject"]) <= set(load_text("subjects", "it").splitlines())


def test_every_seed_finds_a_foreign_life_that_shares_no_name():
    for path in FOLDERS:
        corpus = read_corpus(path)
        assert len({choose_life(read_lives("it"), corpus, seed).city for seed in range(1, 6)}) == 5
