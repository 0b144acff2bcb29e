"""The first screen: a line a system, does it remember? Counts of the true memory and their bars."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.fixture_study import read
from veridical.memories.findings import _lines
from veridical.memories.stages import STAGES
from veridical.memories.tables import STAGE_TABLE
from veridical.parts import PARTS
from veridical.report.page import render
from veridical.report.wording import Wording, plain

EN, IT = (Wording.read(language).of("memories") for language in ("en", "it"))


def stages(*rows) -> pd.DataFrame:
    """Rows of (system, corpus, document, stored, found, followed); of 30, 24 and what was found."""
    table = []
    for system, corpus, document, stored, found, followed in rows:
        table.append(
            {
                "system": system,
                "corpus": corpus,
                "document": document,
                "reader": "ideal",
                "stored": stored,
                "stored_of": 30,
                "found": found,
                "found_of": 24,
                "followed": followed,
                "followed_of": found or 0,
            }
        )
    return pd.DataFrame(table)


def test_both_corpora_are_counted_together_and_the_true_memory_alone():
    table = stages(
        ("words", "A", "veridical", 30, 24, 23),
        ("words", "A", "binding-corrupted", 1, 1, 1),
        ("words", "A", "veridical-again", 2, 2, 2),
        ("words", "B", "veridical", 27, 12, 12),
    )
    (line,) = _lines(table, EN)
    assert (
        plain(line.said)
        == "words: of the true memory stored 57 of 60, found 36 of 48, followed 35 of 36"
    )
    assert line.shares == pytest.approx((57 / 60, 36 / 48, 35 / 36))


def test_a_line_a_system_in_their_order():
    table = stages(("b", "A", "veridical", 30, 24, 24), ("a", "A", "veridical", 30, 0, 0))
    assert [plain(line.said).partition(":")[0] for line in _lines(table, EN)] == ["b", "a"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (EN, "graph: of the true memory stored 30 of 30, found 0 of 24, followed –"),
        (IT, "graph: della memoria vera archiviate 30 su 30, trovate 0 su 24, seguite –"),
    ],
)
def test_what_was_never_found_could_not_be_followed(words, said):
    (line,) = _lines(stages(("graph", "A", "veridical", 30, 0, 0)), words)
    assert plain(line.said) == said
    assert line.shares == (1.0, 0.0, None)  # no bar, and no full one


def test_a_stage_that_a_corpus_lacks_is_not_counted_on_the_other_alone():
    table = stages(("s", "A", "veridical", None, 24, 24), ("s", "B", "veridical", 30, 24, 24))
    (line,) = _lines(table, EN)
    assert "stored – of 60" in plain(line.said)
    assert line.shares[0] is None


def test_models_that_read_are_no_line_of_their_own():
    table = stages(("s", "A", "veridical", 30, 24, 24))
    both = pd.concat([table, table.assign(reader="small", followed=3)])
    (line,) = _lines(both, EN)
    assert "followed 24 of 24" in plain(line.said)


counts = st.tuples(st.integers(0, 30), st.integers(0, 24), st.floats(0, 1))


@settings(deadline=None, max_examples=40)
@given(st.lists(counts, min_size=1, max_size=3))
def test_bars_are_shares(rows):
    made = [
        ("s", f"C{n}", "veridical", stored, found, int(found * part))
        for n, (stored, found, part) in enumerate(rows)
    ]
    (line,) = _lines(stages(*made), EN)
    assert len(line.shares) == len(STAGES[:3])
    assert all(share is None or 0 <= share <= 1 for share in line.shares)
    assert line.shares[1] == pytest.approx(sum(row[4] for row in made) / (24 * len(made)))


@pytest.fixture(scope="module")
def page(study_root) -> str:
    return render(read(study_root), Wording.read("en"), PARTS)


def test_the_lines_stand_on_the_first_screen_with_their_bars(page, study_root):
    """Three bars a line, each on its whole; they repeat the words, and are kept from readers."""
    found = page[page.index('class="glance"') :]
    first = found[: found.index("</ul>")]
    systems = read(study_root)[STAGE_TABLE]["system"].nunique()
    assert first.count("<li>") == first.count('aria-hidden="true"') == systems
    assert first.count('class="whole"') == 3 * systems
    assert "of the true memory stored" in first
    assert page.count('class="glance"') == 1  # no other part has any
