"""What of a config each seal holds: what all parts share, and what decides one part alone."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from support.scripts import load_script
from veridical.base.config import configure, parts_on
from veridical.base.schema import part_names, read_schema
from veridical.base.tables import read_table, write_table
from veridical.claims.tables import CLAIMS
from veridical.freeze.design import design_config, part_config, study_config
from veridical.freeze.keys import KeyFound, check_keys
from veridical.ledger.served import PARTS_OF, collections_of

ROOT = Path(__file__).parents[2]
SHIPPED = ("config", "rehearsal", "kairos", "aas")


@pytest.fixture(params=SHIPPED)
def config(request, monkeypatch) -> dict[str, Any]:
    """A config that ships, as it is resolved."""
    monkeypatch.chdir(ROOT)
    return configure([ROOT / f"config/{request.param}.yaml"])


@pytest.fixture
def rehearsal(monkeypatch) -> dict[str, Any]:
    """The one with everything in it: judges, and parts that go through a memory system."""
    monkeypatch.chdir(ROOT)
    return configure([ROOT / "config/rehearsal.yaml"])


def leaves(entry: Any, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    if isinstance(entry, dict) and entry:
        return {
            k: v for name, below in entry.items() for k, v in leaves(below, (*path, name)).items()
        }
    return {path: entry}


def test_every_setting_of_the_design_is_sealed_somewhere(config):
    """But models that no part names, and documents where no part has counterfeits."""
    own = {part: part_config(config, part) for part in parts_on(config)}
    sealed = leaves(study_config(config))
    for part in own.values():
        sealed |= leaves(part)
    named = {name for part in own.values() for name in part.get("models", ())}
    for path in set(leaves(design_config(config))) - set(sealed):
        if path[0] == "models":
            assert path[1] not in named
        else:
            assert path[0] in ("replies", "documents")
            assert not any(path[0] in part for part in own.values())


def test_no_part_is_in_what_all_share_so_one_more_changes_nothing(config):
    shared = study_config(config)
    assert not {*part_names(read_schema()), "models", "documents", "replies"} & set(shared)
    for part in parts_on(config):
        fewer = {key: value for key, value in config.items() if key != part}
        assert study_config(fewer) == shared
    assert {"study", "seed"} <= set(shared)


@pytest.mark.parametrize(
    ("path", "value", "concerned"),
    [
        ("vpe/rollouts", 9, {"vpe"}),
        ("control1/equivalence_bound", 0.2, {"control1"}),
        ("control2/probes", 5, {"control2"}),
        ("control3/reversed", False, {"control3"}),
        ("control3/probes", 12, {"control3", "memories"}),  # the systems are asked the same
        ("memories/reader_probes", 3, {"memories"}),
        ("memories/k", 4, {"memories", "control1", "control2"}),  # which go through one
        ("memories/systems/window/adapter", "fts5", {"memories"}),
        ("documents/length_tolerance", 0.1, {"control1", "control2"}),
        ("models/third/quoting", True, {"control1", "control3", "memories", "benchmarks"}),
        ("replies", {"accept": {"verdicts/a/b/c": "it stands"}}, {"control1", "benchmarks"}),
        ("replies", {"attempts": {"vpe": 2}}, {"vpe"}),
        ("claims/studies", 30, set()),  # which all parts share
        ("title", "Another", set()),  # which no seal holds
    ],
)
def test_a_setting_concerns_the_parts_that_use_it_and_no_other(rehearsal, path, value, concerned):
    changed = copy.deepcopy(rehearsal)
    *above, key = path.split("/")
    place = changed
    for name in above:
        place = place[name]
    assert place.get(key) != value
    place[key] = value
    parts = parts_on(rehearsal)
    found = {part for part in parts if part_config(changed, part) != part_config(rehearsal, part)}
    assert found == concerned
    shared = study_config(changed) != study_config(rehearsal)
    assert shared == (path.startswith("claims"))


def test_a_part_that_brings_its_own_tables_names_no_model_of_others(rehearsal):
    own = part_config(rehearsal, "vpe")
    assert set(own) == {"models", "vpe"}
    assert set(own["models"]) == {"first", "second"}
    judged = part_config(rehearsal, "control1")
    assert judged["memories"] == {
        "k": rehearsal["memories"]["k"],
        "systems": {"full-text": rehearsal["memories"]["systems"]["full-text"]},
    }


def test_each_collection_belongs_to_parts_there_are():
    known = set(part_names(read_schema()))
    assert {part for parts in PARTS_OF.values() for part in parts} <= known
    assert collections_of("control1") == {"author", "responses", "verdicts"}
    assert collections_of("benchmarks") == {"benchmarks", "memories", "verdicts"}


@pytest.mark.parametrize("name", ["results/s/config.json", "results/s/config/vpe.json"])
def test_a_key_that_a_parts_config_names_is_found_wherever_it_is_sealed(tmp_path, name):
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"models": {"m": {"api_key_env": "VAULT"}}}))
    (tmp_path / "prompt.txt").write_text("say the word opensesame-opensesame\n")
    with pytest.raises(KeyFound, match=r"prompt\.txt, line 1"):
        check_keys([name, "prompt.txt"], tmp_path, {"VAULT": "opensesame-opensesame"})
    check_keys([name, "prompt.txt"], tmp_path, {"OTHER": "opensesame-opensesame"})


def test_the_parts_claims_come_together_in_the_order_of_their_names(tmp_path):
    main = load_script("claims/gather_claims.py").main
    import pandas as pd

    row = dict.fromkeys(CLAIMS.names)
    row |= {"part": "vpe", "sentences": "s", "family": "f", "registered": False, "rate": 0.05}
    row |= {"studies": 5, "false": 0.0, "false_low": 0.0, "false_high": 0.4, "false_world": "w"}
    for name in ("vpe", "control2", "empty"):
        rows = [] if name == "empty" else [row | {"claim": name, "part": name}]
        table = pd.DataFrame(rows, columns=CLAIMS.names)
        write_table(table, tmp_path / f"{name}.csv", CLAIMS)
    main([tmp_path / f"{name}.csv" for name in ("vpe", "empty", "control2")], tmp_path / "all.csv")
    assert read_table(tmp_path / "all.csv", CLAIMS)["claim"].tolist() == ["control2", "vpe"]
    main([], tmp_path / "none.csv")
    assert len(read_table(tmp_path / "none.csv", CLAIMS)) == 0
