"""A fault named in the config: checked by name, planted in the process, part of the identity."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from support.memory_study import plan
from veridical.base.checks import fault_names
from veridical.base.config import ConfigError, check_config
from veridical.memories.faults import FAULTS
from veridical.memories.plan import VERIDICAL
from veridical.memories.protocol import Event
from veridical.memories.systems import System
from veridical.memories.visit import Visit

ROOT = Path(__file__).parents[2]
CONFIG = {
    "study": "s",
    "seed": 1,
    "models": {"m": {"provider": "scripted", "model": "m"}},
    "control3": {"corpora": ["A"], "responders": ["m"]},
}


def checked(entry: dict) -> dict:
    """A config with one memory system, checked."""
    config = copy.deepcopy(CONFIG) | {"memories": {"systems": {"x": {"adapter": "fts5"} | entry}}}
    return check_config(config)["memories"]["systems"]["x"]


def test_the_config_knows_every_fault_by_its_file_alone():
    assert sorted(fault_names()) == sorted(FAULTS)


@pytest.mark.parametrize(
    "fault", ["rebinds", {"name": "rebinds"}, {"name": "rebinds", "strength": 0.1, "seed": 4}]
)
def test_a_fault_is_a_name_or_a_name_with_its_numbers(fault):
    assert checked({"fault": fault})["fault"] == fault
    given = {"name": fault} if isinstance(fault, str) else fault
    assert System.from_config("x", {"adapter": "fts5", "fault": fault}).fault == given


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"fault": "rebind"}, "memories/systems/x/fault: no 'rebind'; did you mean 'rebinds'?"),
        ({"fault": {"name": "rebinds", "strength": 2}}, "memories/systems/x/fault/strength: 2"),
        ({"fault": {"name": "rebinds", "strength": 0}}, "memories/systems/x/fault/strength: 0"),
        ({"fault": {"strength": 1}}, "memories/systems/x/fault/name: missing"),
        ({"fault": {"name": "rebinds", "weak": 1}}, "memories/systems/x/fault/weak: unknown key"),
        (
            {"fault": "silence", "adapter": "command", "command": ["true"]},
            "memories/systems/x/fault: planted in adapters that ship, not in adapter command",
        ),
    ],
)
def test_a_fault_that_cannot_be_planted_is_named(entry, words):
    with pytest.raises(ConfigError) as caught:
        checked(entry)
    assert words in str(caught.value)


def test_a_fault_decides_what_a_system_answers():
    sound = System.from_config("x", {"adapter": "fts5"})
    faulty = System.from_config("x", {"adapter": "fts5", "fault": "rebinds"})
    stronger = System.from_config(
        "x", {"adapter": "fts5", "fault": {"name": "rebinds", "strength": 0.9}}
    )
    identities = [system.identity(ROOT) for system in (sound, faulty, stronger)]
    assert "fault" not in identities[0]
    assert len({json.dumps(identity, sort_keys=True) for identity in identities}) == 3
    named = {path.name for path in (ROOT / "workflow/veridical/memories/faults").glob("*.py")}
    assert named <= {Path(name).name for name in faulty.program_files(ROOT)}


def test_it_is_planted_in_the_process_and_knows_the_partners(tmp_path):
    fault = {"name": "rebinds", "strength": 1.0}
    system = System.from_config("x", {"adapter": "fts5", "fault": fault})
    with closing(system.start(tmp_path, names=("Ada", "Bo"))) as memory:
        memory.reset("b")
        memory.ingest("b", [Event("e1", "2025-01-01", "Kim", "2025-01-01 — met Ada — tea")])
        assert memory.recall("b", "tea", 1).items[0].text == "2025-01-01 — met Bo — tea"


def test_a_visit_through_the_process_shows_it(tmp_path):
    system = System.from_config("x", {"adapter": "fts5", "fault": "drops-partner"})
    start = lambda: system.start(tmp_path, names=plan(4).partners)  # noqa: E731
    observed = Visit(plan(4), start, settle=5, pause=0).run()
    dump = observed[f"ingest/{VERIDICAL}"].value["dump"]
    assert not any(name in text for text in dump for name in plan(4).partners)


def test_a_fault_that_lacks_names_ends_the_program_with_the_reason(tmp_path):
    fault = json.dumps({"name": "rebinds", "names": []})
    done = subprocess.run(
        [sys.executable, "-m", "veridical.memories.serve", "fts5", "{}", fault],
        input=b"",
        capture_output=True,
        env={"MEMORY_FOLDER": str(tmp_path), "PATH": ""},
        check=False,
    )
    assert done.returncode != 0
    assert b"fault rebinds: it needs two names or more" in done.stderr
