"""The memory systems on the page of a study whose corpora are lives: values, and no partners."""

from __future__ import annotations

import re

import pandas as pd
import pytest
from support.fixture_memories import memory_tables
from veridical.control3.tables import SYMMETRY
from veridical.memories.page import kind
from veridical.memories.tables import CELLS
from veridical.report.wording import Wording

KEYS = [
    "method_banks",
    "method_stages",
    "method_test",
    "not_established",
    "findings.all",
    "findings.some",
    "findings.broke_stored",
    "findings.reader",
]


class Study:
    """The two tables that tell the kind."""

    def __init__(self, asked: dict[str, str] | None):
        self.checks = None
        if asked is not None:
            rows = [(name, "values", value) for name, value in asked.items()]
            self.checks = pd.DataFrame(rows, columns=["corpus", "check", "asked"])

    def table(self, contract):
        assert contract is SYMMETRY
        return self.checks

    def __getitem__(self, contract):
        assert contract is CELLS
        return memory_tables()["memories/cells"]


@pytest.fixture(scope="module")
def corpora():
    return sorted(set(memory_tables()["memories/cells"]["corpus"]))


def test_the_kind_is_that_of_the_corpora_that_went_in(corpora):
    assert kind(Study(None)) == ""
    assert kind(Study(dict.fromkeys(corpora, "partner"))) == ""
    assert kind(Study({**dict.fromkeys(corpora, "partner"), corpora[0]: "shelf"})) == "life"
    # A life that Control 3 asks about and no memory system was given says nothing here.
    assert kind(Study({**dict.fromkeys(corpora, "partner"), "Livia": "shelf"})) == ""


@pytest.mark.parametrize(
    ("language", "partner", "value"),
    [("en", "partner", "value"), ("it", "interlocutor", "valor")],
)
def test_a_life_has_values_where_encounters_have_partners(language, partner, value):
    words = Wording.read(language)
    life, plain = words.of("memories", "life"), words.of("memories")
    said = " ".join(str(life.raw(key)) for key in KEYS)
    assert partner not in said
    assert value in said
    for key in KEYS:
        places = [set(re.findall(r"\{(\w+)\}", str(each.raw(key)))) for each in (life, plain)]
        assert places[0] == places[1], key
    assert life.heading("true_partner") != plain.heading("true_partner")
    assert life.value("kept", "altered") != plain.value("kept", "altered")
    assert life("findings.none", m=2) == plain("findings.none", m=2)
