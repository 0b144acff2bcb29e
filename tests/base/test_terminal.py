"""What other people's texts may do to a terminal: nothing."""

from __future__ import annotations

import io
import sys
from types import SimpleNamespace

import pytest
from veridical.base.script import log_to
from veridical.base.terminal import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, è, 羊, 👩\u200d💻", "plain, è, 羊, 👩\u200d💻"),  # a joiner is part of its sign
        ("a\tb\nc", "a\tb\nc"),
        ("\x1b[2J\x1b]0;title\x07", "\\x1b[2J\\x1b]0;title\\x07"),
        ("right\rwrong", "right\\x0dwrong"),
        ("\x00\x08\x7f\x9b", "\\x00\\x08\\x7f\\x9b"),
        ("\u202etxt.exe\u2066\u200f\u061c", "\\u202etxt.exe\\u2066\\u200f\\u061c"),
        ("a\u2028b\u2029c\u0085d", "a\\u2028b\\u2029c\\x85d"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),  # a tag: it is seen by nobody
        ("\ufeff\u200b", "\\ufeff\\u200b"),
    ],
)
def test_what_is_printed(text, shown):
    assert printable(text) == shown
    assert printable(shown) == shown


def test_the_error_that_ends_a_script_is_shown_safely(tmp_path, monkeypatch):
    """The engine shows the log on the terminal, too."""
    terminal = io.StringIO()
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, terminal)
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    log = tmp_path / "rule.log"
    log_to(SimpleNamespace(log=[str(log)], rule="collect"), show=True)
    print("said \x1b[31mred", file=sys.stderr)
    error = ValueError("the server said \x1b[2Jgone\r")
    sys.excepthook(ValueError, error, None)
    sys.stdout.flush()
    for text in (terminal.getvalue(), log.read_text(encoding="utf-8")):
        assert "\x1b" not in text
        assert "\\x1b[2Jgone" in text
    assert "\\x1b[31mred" in terminal.getvalue()
