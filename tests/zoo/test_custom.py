"""A user's own instrument: the notes' example runs as it stands, and what is wrong is told."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
import yaml
from support.small_zoo import measured, seen, shares
from veridical.base.config import ConfigError, check_config
from veridical.zoo.asks import own_files
from veridical.zoo.custom import answers_of, checked, custom_instruments, load_function, run
from veridical.zoo.instruments import instruments

ROOT = Path(__file__).parents[2]
NOTES = (ROOT / "workflow/notes/zoo.md").read_text(encoding="utf-8")


def example(folder: Path) -> dict:
    """The notes' files, written below `folder`, and their config."""
    for text in re.findall(r"```(?:python|yaml)\n(# config/.*?)```", NOTES, re.DOTALL):
        path = folder / text.splitlines()[0].removeprefix("# ")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return yaml.safe_load((folder / "config/my-zoo.yaml").read_text(encoding="utf-8"))


def test_the_notes_examples_are_scored_like_the_built_in_ones(tmp_path, monkeypatch):
    """A guess that is nowhere in what came back is made up: the reader with a habit makes it. It
    answers all the same, so that only silence lowers coverage."""
    monkeypatch.chdir(tmp_path)
    named = example(tmp_path)["zoo"]["instruments"]
    named["coverage"]["command"][0] = sys.executable
    every = [each for each in instruments() if each.key in ("control3", "recall")]
    every += custom_instruments(named, tmp_path)
    found = measured(["first-option", "silence"], 60, every, sound=("words",), around=("words",))
    table = shares(found, every)
    assert table["made-up"].to_dict() == {"words": 0, "first-option": 1, "silence": 0}
    assert table["coverage"].to_dict() == {"words": 0, "first-option": 0, "silence": 1}


def test_the_config_checks_how_an_instrument_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data/corpora").mkdir(parents=True)
    (tmp_path / "data/corpora/A").symlink_to(ROOT / "data/corpora/A")
    config = example(tmp_path)
    assert check_config(config)["zoo"]["instruments"] == config["zoo"]["instruments"]
    both = {"function": "config/instruments/reads_aloud.py:made_up", "command": ["true"]}
    for entry, words in (
        (both, "zoo/instruments/x: give it a function or a command, one of the two"),
        ({}, "zoo/instruments/x: give it a function or a command, one of the two"),
        ({"function": "no.py:f"}, "zoo/instruments/x/function: 'no.py:f' is no file"),
        ({"function": "f"}, "zoo/instruments/x/function: 'f' is no file"),
        ({"function": "../x.py:f"}, "zoo/instruments/x/function: '../x.py:f' is no file"),
        ({"functoin": "x.py:f"}, "zoo/instruments/x/functoin: unknown key; did you mean"),
    ):
        config["zoo"]["instruments"] = {"x": entry}
        with pytest.raises(ConfigError) as caught:
            check_config(config)
        assert words in str(caught.value)


@pytest.mark.parametrize(
    ("entry", "own"),
    [
        ({"function": "own/a.py:f"}, ["own/a.py"]),
        ({"function": "own/gone.py:f"}, ["own/gone.py"]),  # sealing says that it isn't there
        ({"command": ["python3", "own/b.py", "--deep"], "scores": True}, ["own/b.py"]),
        ({"command": ["own/b.py", "own/a.py"]}, ["own/a.py", "own/b.py"]),
        ({"command": [sys.executable, "../out.py"]}, []),  # the machine's, not the study's
        ({"command": ["own", "."]}, []),
    ],
)
def test_the_files_of_an_instrument_are_those_in_the_project(tmp_path, entry, own):
    root = tmp_path / "project"
    (root / "own").mkdir(parents=True)
    for name in ("own/a.py", "own/b.py", "../out.py"):
        (root / name).write_text("", encoding="utf-8")
    assert own_files({"mine": entry}, root) == own
    assert own_files({"mine": entry, "twice": entry}, root) == own
    assert own_files({}, root) == []


def test_a_zoo_without_control_3_is_refused():
    config = {
        "study": "s",
        "seed": 1,
        "models": {"m": {"provider": "scripted", "model": "m"}},
        "zoo": {"studies": 1},
    }
    with pytest.raises(ConfigError, match="zoo: it draws studies of control3's size"):
        check_config(config)


def test_what_an_instrument_is_told_is_plain_and_names_no_memory():
    answers = answers_of(seen("rebinds"))
    assert len(answers) == 5 * 24
    assert json.loads(json.dumps(answers)) == answers
    assert set(answers[0]) == {
        *("document", "probe_id", "question", "options", "recalled", "reply", "answer", "true"),
        *("bound", "gold", "rank", "right"),
    }
    assert "rebinds" not in json.dumps(answers)
    assert all(each["right"] == (each["answer"] == each["true"]) for each in answers)


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("def f(a): return True", "x.py:g", "x.py has no function 'g'"),
        ("f = 3", "x.py:f", "x.py has no function 'f'"),
        ("def f(:", "x.py:f", "zoo/instruments/mine: x.py can't be read: SyntaxError"),
        ("import no_such_module", "x.py:f", "can't be read: ModuleNotFoundError"),
        ("", "y.py:f", "'y.py:f' names no file; write path/to/file.py:name"),
        ("", "x.py", "'x.py' names no file"),
    ],
)
def test_a_function_that_cannot_be_had_is_named(tmp_path, text, place, words):
    (tmp_path / "x.py").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="zoo/instruments/mine") as caught:
        load_function(place, "mine", tmp_path)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("return 1 / 0", "zoo/instruments/mine: the function failed: ZeroDivisionError"),
        ("return 0.5", "must say True or False, not 0.5; with `scores: true` it gives a number"),
        ("return None", "must say True or False, not None"),
        ("return 'yes'", "must say True or False, not 'yes'"),
    ],
)
def test_a_function_that_says_something_else_is_named(tmp_path, body, words):
    (tmp_path / "x.py").write_text(f"def f(answers):\n    {body}\n", encoding="utf-8")
    (mine,) = custom_instruments({"mine": {"function": "x.py:f"}}, tmp_path)
    with pytest.raises(ValueError, match="zoo/instruments/mine") as caught:
        mine.see(seen())
    assert words in str(caught.value)


def test_decisions_and_scores_are_taken_in_numpys_types_too():
    import numpy as np

    assert checked(np.True_, "x", "decides") is True
    assert checked(np.float32(0.5), "x", "scores") == 0.5
    assert checked(3, "x", "scores") == 3.0
    assert checked(None, "x", "scores") is None


@pytest.mark.parametrize("value", [True, float("nan"), float("inf"), "0.5", [1]])
def test_what_is_no_finite_number_is_no_score(value):
    with pytest.raises(ValueError, match=r"zoo/instruments/x: its score is .*, no finite number"):
        checked(value, "x", "scores")


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("raise SystemExit('no licence')", "the program ended with 1: no licence"),
        ("print('{}')", r"line 1 is '{}', no JSON object with 'noticed'"),
        ("print('[1]')", "no JSON object with 'noticed'"),
        ("print('true')", "no JSON object with 'noticed'"),
        ("print('noticed')", "no JSON object with 'noticed'"),
        ("pass", "1 studies were put to it and 0 lines came back"),
        ("print('{\"noticed\": true}\\n' * 2, end='')", "1 studies were put to it and 2 lines"),
        ("print('{\"noticed\": 1}')", "must say True or False, not 1"),
    ],
)
def test_a_program_that_does_not_do_its_part_is_named_with_its_last_words(program, words):
    with pytest.raises(ValueError, match=r"^zoo/instruments/mine: ") as caught:
        run([sys.executable, "-c", program], [[]], "mine", "decides")
    assert words in str(caught.value)


def test_a_program_that_is_not_there_or_never_ends_is_named(monkeypatch):
    with pytest.raises(ValueError, match="'no-such-program' can't be run: No such file"):
        run(["no-such-program"], [[]], "mine", "decides")
    monkeypatch.setattr("veridical.zoo.custom.PATIENCE", 0.3)
    with pytest.raises(ValueError, match=r"took more than 0.3 s"):
        run([sys.executable, "-c", "import time; time.sleep(9)"], [[]], "mine", "decides")
