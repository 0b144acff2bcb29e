"""The captions of the engine's own report: each table's names the columns that the table has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from veridical.base.contract import Contract
from veridical.parts import CONTRACTS, PARTS
from veridical.report.codebook import CODEBOOK

ROOT = Path(__file__).parents[2]
SHOWN = re.compile(
    r'report\(\s*f?"(results|figures)/([^"]+)",\s*caption=f?"\.\./report/([^"]+)\.rst"', re.DOTALL
)
TABLES = {contract.name: contract for contract in (*CONTRACTS, CODEBOOK)}
# What a caption quotes and is neither a column nor a word of its table: other files, commands.
ELSEWHERE = {"prior_bias.csv"}


def captions() -> dict[str, tuple[str, str]]:
    """By the caption's name what it stands under: `results` or `figures`, and the path."""
    found = {}
    for rules in sorted((ROOT / "workflow/rules").glob("*.smk")):
        for top, path, name in SHOWN.findall(rules.read_text(encoding="utf-8")):
            found[name] = top, re.sub(r"\{+\w+\}+/|\.(csv|svg)$", "", path)
    return found


def text_of(name: str) -> str:
    return (ROOT / f"workflow/report/{name}.rst").read_text(encoding="utf-8")


def contract_of(name: str) -> Contract | None:
    """The contract of the table that a caption stands under; None where it is no table."""
    top, path = captions()[name]
    return TABLES.get(path) if top == "results" else None


BY_LOOP = [f"memories_{name}" for name in ("stages", "curve", "cells", "sham", "costs")]
BY_LOOP += [
    f"zoo_{name}" for name in ("thresholds", "faults", "instruments", "power", "rates", "verdicts")
]
OF_TABLES = sorted(name for name in captions() if "{" not in name and contract_of(name))
OF_FIGURES = sorted(name for name, (top, _) in captions().items() if top == "figures")


def unknown(text: str, contract: Contract) -> set[str]:
    """What stands in code's type in a text and is no column, word or key of a contract."""
    known = {word for column in contract.columns for word in column.words} | ELSEWHERE

    def column(name: str) -> bool:
        return any(each.names([name]) for each in contract.columns)

    quoted = set(re.findall(r"`+([^`]+)`+", text))
    return {name for name in quoted if name not in known and not column(name)}


def test_every_caption_stands_under_something_and_every_file_is_used():
    used = {name for name in captions() if "{" not in name}
    used |= set(BY_LOOP)
    written = {path.stem for path in (ROOT / "workflow/report").glob("*.rst")} - {"workflow"}
    assert written == used


@pytest.mark.parametrize("name", OF_TABLES)
def test_a_tables_caption_names_only_what_the_table_has(name):
    assert unknown(text_of(name), contract_of(name)) == set()


@pytest.mark.parametrize("name", BY_LOOP)
def test_captions_that_a_rule_names_in_a_loop_do_so_too(name):
    assert unknown(text_of(name), TABLES[name.replace("_", "/", 1)]) == set()


@pytest.mark.parametrize("name", OF_FIGURES)
def test_a_figure_with_a_caption_is_one_that_the_page_shows(name):
    _, path = captions()[name]
    shown = {drawn.name for part in PARTS for drawn in part.figures}
    assert path in shown


def test_a_caption_is_one_paragraph_and_ends_as_a_sentence():
    for path in sorted((ROOT / "workflow/report").glob("*.rst")):
        text = path.read_text(encoding="utf-8").strip()
        if path.stem != "workflow":
            assert "\n\n" not in text, path.name
            assert text.endswith("."), path.name


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("`b` and `p_exact`.", set()),
        ("``b`` and `p_excat`.", {"p_excat"}),
        ("Where `tested` is `not testable`: see `prior_bias.csv`.", set()),
        ("Nothing quoted, b and all.", set()),
    ],
)
def test_a_name_that_the_table_lacks_is_found(text, found):
    assert unknown(text, TABLES["control3/cells"]) == found
