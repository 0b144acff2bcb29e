"""Every sentence and every word of a conclusion is in the catalogue, and holds its rate."""

import pytest
import yaml
from support.fixture_claims import DESIGNS
from veridical.claims.catalogue import CLAIMS
from veridical.claims.describing import DESCRIBES, OPEN, PAGE
from veridical.claims.product import ROOMS, claims_table
from veridical.claims.rates import measure
from veridical.claims.worlds import benchmarks, control1, control2, control3, memories, vpe
from veridical.parts import PARTS
from veridical.report.wording import FOLDER, LANGUAGES

HERE = list(PARTS)
CONCLUDING = ("finding", "without", "habit")
STUDIES = {"memories": 40, "benchmarks": 40}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("part", HERE, ids=lambda part: part.key)
def test_every_sentence_is_a_claim_or_describes(part, language):
    texts = yaml.safe_load((FOLDER / f"text.{language}.yaml").read_text(encoding="utf-8"))
    written = set(texts["parts"][part.key]["findings"])
    claimed = {key for claim in CLAIMS if claim.part == part.key for key in claim.sentences}
    described = set(DESCRIBES[part.key])
    assert written == claimed | described
    assert not claimed & described


METHOD = ("method", "rule_", "past_", "beside_", "enumerated", "resampled")
SECTIONS = {"name", "question", "adversary", "not_established", "drill_text", "figure_text",
            "figures", "tables", "columns", "drawing", "values", "findings", "drill"}  # fmt: skip
KINDS = {"life"}  # of corpus, that a part words otherwise


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_parts_sentences_stand_where_the_catalogue_looks_for_them(language):
    """Beside the findings a part has its method, its frame and words: none of these is worded from
    what came back."""
    texts = yaml.safe_load((FOLDER / f"text.{language}.yaml").read_text(encoding="utf-8"))
    for part in HERE:
        own = texts["parts"][part.key]
        other = {key for key in own if key not in SECTIONS and key not in KINDS}
        worded = {key for key in other if not key.startswith(METHOD)}
        assert all(len(str(own[key]).split()) < 8 for key in worded), worded


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_kind_of_corpus_says_in_other_words_what_its_part_says(language):
    """What a catalogue's rate is measured of has one key, however it is worded."""
    texts = yaml.safe_load((FOLDER / f"text.{language}.yaml").read_text(encoding="utf-8"))
    for part in HERE:
        own = texts["parts"][part.key]
        for kind in KINDS & set(own):
            worded = {path for path in _keys(own[kind]) if path[0] != "columns"}  # of any table
            assert worded <= _keys(own)


def _keys(texts):
    """The path of every text under a heading."""
    nested = [(key, each) for key, each in texts.items() if isinstance(each, dict)]
    paths = {(key, *path) for key, each in nested for path in _keys(each)}
    return paths | {(key,) for key, each in texts.items() if not isinstance(each, dict)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_the_pages_frame_is_named(language):
    """A text with a place to fill or of more than six words is a sentence; the rest are labels."""
    page = yaml.safe_load((FOLDER / f"text.{language}.yaml").read_text(encoding="utf-8"))["page"]
    known = set(PAGE["checked"]) | set(PAGE["frame"])
    sentences = {key for key, text in page.items() if "{" in text or len(text.split()) > 6}
    assert sentences <= known
    assert known <= set(page)
    assert not set(PAGE["checked"]) & set(PAGE["frame"])
    assert not known & {key for claim in CLAIMS for key in claim.sentences} - {"of"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_figure_says_of_a_claim_is_a_word_of_the_figure(language):
    texts = yaml.safe_load((FOLDER / f"text.{language}.yaml").read_text(encoding="utf-8"))
    drawn = [(claim.part, key) for claim in CLAIMS for key in claim.drawn]
    assert ("control2", "solved") in drawn
    for part, key in drawn:
        assert key in texts["parts"][part]["drawing"]


def test_every_word_of_a_conclusion_is_a_claims_or_concludes_nothing():
    said = {(claim.table, claim.column): set() for claim in CLAIMS}
    for claim in CLAIMS:
        said[claim.table, claim.column] |= set(claim.words)
    for part in HERE:
        for contract in part.contracts:
            for column in contract.columns:
                at = (contract.name, column.name)
                if column.words and (column.name in CONCLUDING or at in said):
                    claimed = said.get(at, set())
                    assert set(column.words) <= claimed | set(OPEN), at


def test_no_claim_is_made_twice():
    keys = [claim.key for claim in CLAIMS]
    assert len(keys) == len(set(keys))
    assert {claim.part for claim in CLAIMS} == set(ROOMS)


SMALLEST = {
    "benchmarks": [benchmarks.Design(("",) * 4, ("",) * 4, (0.5,) * 4, 1, ("none", "full"))],
    "control1": [
        control1.Design(items=2, judges=1, metrics=1, seeds={"foreign": 1}, none=False, quoted=0,
                        both_orders=0.0),
        control1.Design(items=3, judges=2, metrics=1, seeds={"foreign": 1, "shuffled": 1}),
    ],
    "control2": [control2.Design(1, 1), control2.Design(1, 4)],
    "control3": [control3.Design({"A": 2}, 1, 2), control3.Design({"A": 3}, 1, 3, True)],
    "memories": [memories.Design({"A": 2}, ("window",), 4, {}, None)],
    "vpe": [vpe.Design(1, 1, 2), vpe.Design(2, 1, 2)],
}  # fmt: skip


@pytest.mark.parametrize(
    ("part", "design"), [(part, design) for part in SMALLEST for design in SMALLEST[part]], ids=str
)
def test_the_smallest_study_has_its_rates_too(part, design):
    """One model, one judge, one problem: what can't be said is in no row, and nothing fails."""
    claims = [claim for claim in CLAIMS if claim.part == part and not claim.beforehand]
    for world in ROOMS[part].WORLDS:
        for rate in measure(world, claims, ROOMS[part].analyse, design, 3, 1):
            assert rate.false is None or 0 <= rate.false <= 1


@pytest.mark.parametrize("part", list(ROOMS))
def test_no_claim_exceeds_its_rate_by_far(part):
    """A hundred studies a world, fewer of the slowest part: enough to see a rule that is gone.

    The rates themselves are measured by tests/measured/claim_rates.py.
    """
    claims = [
        claim
        for claim in CLAIMS
        if claim.part == part and not claim.registered and not claim.beforehand
    ]
    for world in ROOMS[part].WORLDS:
        for rate in measure(
            world, claims, ROOMS[part].analyse, DESIGNS[part], STUDIES.get(part, 100), 1
        ):
            assert rate.false is None or rate.false <= 0.13, rate


@pytest.mark.parametrize(
    ("part", "world", "claim", "least"),
    [
        ("control3", "readers", "control3.follows", 0.7),
        ("control3", "weak readers", "control3.uses", 0.6),
        ("control2", "solves it, 85 %", "control2.solves", 0.8),
        ("control1", "different by 0.20", "control1.different_here", 0.9),
        ("control1", "nothing differs", "control1.equivalent", 0.8),
        ("memories", "finds all, the other nothing", "memories.follows", 1.0),
        ("memories", "finds three of four, else guesses", "memories.uses", 0.8),
        ("memories", "the other bank's", "memories.alarm", 0.9),
        ("vpe", "ahead by twice the modes", "vpe.apart", 0.2),
        ("vpe", "the document helps, and opens ways", "vpe.document_changes", 0.4),
        ("vpe", "the document changes nothing, all is verified", "vpe.document_same", 0.4),
        ("vpe", "two maps, twice the modes", "vpe.maps_apart", 0.6),
        ("vpe", "two maps, models alike", "vpe.maps_same", 0.4),
        ("benchmarks", "memory earns", "benchmarks.earns", 0.8),
        ("benchmarks", "memory harms", "benchmarks.costs", 0.6),
    ],
)
def test_what_is_true_is_found(part, world, claim, least):
    (drawn,) = [one for one in ROOMS[part].WORLDS if one.key == world]
    (wanted,) = [one for one in CLAIMS if one.key == claim]
    (rate,) = measure(drawn, [wanted], ROOMS[part].analyse, DESIGNS[part], 100, 1)
    assert rate.power >= least


def test_a_worlds_studies_are_the_same_each_time():
    world, room = control3.WORLDS[0], ROOMS["control3"]
    claims = [claim for claim in CLAIMS if claim.key == "control3.against"]
    one, two = (measure(world, claims, room.analyse, DESIGNS["control3"], 20, 7)
                for _ in range(2))  # fmt: skip
    assert one == two


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_claim_and_every_world_has_words(language):
    """Also the worlds of what was measured beforehand."""
    texts = yaml.safe_load((FOLDER / f"text.{language}.yaml").read_text(encoding="utf-8"))
    for part, room in ROOMS.items():
        values = texts["parts"][part]["values"]
        names = {claim.key.partition(".")[2] for claim in CLAIMS if claim.part == part}
        assert set(values["claim"]) == names
        worlds = {world.key for world in room.WORLDS}
        clean = {f"clean benchmarks{of}" for of in ("", " of this shape", " of a near shape")}
        beforehand = clean if part == "benchmarks" else set()
        assert set(values["world"]) == worlds | beforehand


def test_the_table_has_a_row_for_every_claim_of_the_designs_parts():
    table = claims_table({"control3": DESIGNS["control3"]}, 3, 1)
    assert table["claim"].to_list() == [c.key for c in CLAIMS if c.part == "control3"]
    assert claims_table({}, 3, 1).empty
    (lint,) = claims_table({"benchmarks": DESIGNS["benchmarks"]}, 2, 1).query(
        "claim == 'benchmarks.lint'"
    ).to_dict("records")  # fmt: skip
    assert (lint["studies"], lint["false"]) == (1000, 0.042)
