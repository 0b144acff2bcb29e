"""The config's schema, its defaults, and the guide that is written from it."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest
from veridical.base import guide
from veridical.base.schema import (
    fill_defaults,
    named,
    part_names,
    provider_files,
    read_schema,
)

ROOT = Path(__file__).parents[2]


def undescribed(node: dict, path: str = ""):
    """The keys below a schema's node that no sentence describes."""
    for name, below in node.get("properties", {}).items():
        where = f"{path}/{name}"
        if not below.get("description"):
            yield where
        yield from undescribed(below, where)
        if isinstance(below.get("additionalProperties"), dict):
            yield from undescribed(below["additionalProperties"], where)


def test_the_schema_is_one_and_describes_every_key():
    schema = read_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert list(undescribed(schema)) == []


def closed(node: dict, path: str = ""):
    """The mappings of a schema with keys of their own that would take a key unknown."""
    if "properties" in node and node.get("additionalProperties") is not False:
        yield path
    for name, below in node.get("properties", {}).items():
        yield from closed(below, f"{path}/{name}")
    if isinstance(node.get("additionalProperties"), dict):
        yield from closed(node["additionalProperties"], f"{path}/*")


def test_the_schema_is_closed_at_every_level():
    assert list(closed(read_schema())) == []


def defaults(node: dict, path: str = ""):
    for name, below in node.get("properties", {}).items():
        if "default" in below:
            yield f"{path}/{name}", below
        yield from defaults(below, f"{path}/{name}")


def test_every_default_is_valid_by_its_own_description():
    definitions = {"$defs": read_schema()["$defs"]}
    found = list(defaults(read_schema()))
    assert len(found) > 30
    for where, below in found:
        rules = {**definitions, **below}
        assert jsonschema.Draft202012Validator(rules).is_valid(below["default"]), where


def test_parts_stand_in_the_order_of_the_report():
    assert part_names(read_schema())[:3] == ["control1", "control2", "control3"]


def test_defaults_fill_what_is_missing_and_nothing_else():
    schema = {
        "properties": {
            "a": {"default": 1},
            "b": {"properties": {"c": {"default": [2]}, "d": {}}, "default": {}},
            "e": {"properties": {"f": {"default": 3}}},
        }
    }
    assert fill_defaults(schema, {}) == ({"a": 1, "b": {"c": [2]}}, ["a", "b/c"])
    filled, unsaid = fill_defaults(schema, {"a": None, "b": {"d": 4}, "e": {}})
    assert filled == {"a": None, "b": {"d": 4, "c": [2]}, "e": {"f": 3}}
    assert unsaid == ["b/c", "e/f"]
    filled["b"]["c"].append(9)  # a default is copied, not shared
    assert fill_defaults(schema, {})[0]["b"]["c"] == [2]


def test_names_are_found_by_what_the_schema_says_they_are():
    config = {"control1": {"corpora": ["A"], "judges": ["x", "y"]}, "aas": {"models": []}}
    schema = read_schema()
    assert named(schema, config, "corpora") == {"control1/corpora": ["A"]}
    assert named(schema, config, "models") == {"control1/judges": ["x", "y"], "aas/models": []}


def test_a_provider_is_a_file_and_brings_its_own_options(tmp_path):
    (tmp_path / "my_server.py").write_text(
        'OPTIONS = {"region": {"description": "Where it runs.", "type": "string"}}\n'
        "class Provider:\n    pass\n"
    )
    (tmp_path / "helper.py").write_text("class ServerProvider:\n    pass\n")
    assert list(provider_files(tmp_path)) == ["my-server"]
    model = read_schema(providers=tmp_path)["properties"]["models"]["additionalProperties"]
    assert model["properties"]["region"]["type"] == "string"
    assert "temperature" not in model["properties"]


def test_the_guide_is_what_the_schema_says(capsys):
    assert guide.main(["--check"]) == 0, capsys.readouterr().out


def test_a_changed_description_is_noticed_and_written(tmp_path, capsys):
    text = (ROOT / "config/README.md").read_text(encoding="utf-8")
    assert "| The models that judge blind. |" in text
    copy = tmp_path / "README.md"
    copy.write_text(text.replace("The models that judge blind.", "Whoever."), encoding="utf-8")
    assert guide.main(["--check", str(copy)]) == 1
    assert "its tables are not the schema's" in capsys.readouterr().out
    assert guide.main([str(copy)]) == 0
    assert copy.read_text(encoding="utf-8") == text


def test_a_row_has_key_meaning_words_and_default():
    schema = {
        "properties": {
            "seed": {"description": "A | number.", "type": "integer"},
            "part": {
                "type": "object",
                "properties": {
                    "rule": {"description": "What decides.", "enum": ["a", "b"], "default": "a"},
                    "deep": {"description": "More.", "properties": {"n": {"description": "N."}}},
                },
            },
        }
    }
    blank = "<!-- keys of study -->\n<!-- end -->\n<!-- keys of part -->\n<!-- end -->\n"
    lines = guide.render(blank, schema).splitlines()
    assert lines[3] == "| `seed` | A \\| number. |  |"
    assert lines[8:11] == [
        "| `rule` | What decides: `a`, `b`. | `a` |",
        "| `deep` | More. |  |",
        "| `deep.n` | N. |  |",
    ]
    with pytest.raises(ValueError, match="one table each, please, of part"):
        guide.render(blank.replace("keys of part", "keys of parts"), schema)
