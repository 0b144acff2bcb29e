"""The lint's summary on the terminal, with the place where the rest lies."""

from __future__ import annotations

from support.scripts import load_script


def test_the_summary_and_its_folder_are_shown_where_the_engine_speaks(tmp_path, capsys):
    path = tmp_path / "lint" / "summary.txt"
    path.parent.mkdir()
    path.write_text("120 items, 2 findings\nanswer in question: 4 è\n", encoding="utf-8")
    load_script("benchmarks/print_summary.py").main(path)
    out, said = capsys.readouterr()
    assert out == ""
    assert said == (
        f"\n120 items, 2 findings\nanswer in question: 4 è\n\nAll of it: {path.parent}/\n"
    )
