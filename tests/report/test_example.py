"""The screenshot in the README: small, there, and of the page that the tests build."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_screenshot_is_small_and_shown():
    name = "workflow/report/example/page.png"
    picture = (ROOT / name).read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert 20_000 < len(picture) < 150_000
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"]({name})" in readme
    assert "--configfile config/example.yaml" in readme.replace("\n", " ")
