import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.vpe.modes import STYLES, ModeMap


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("15 - 9 = 6 books\n#### 6", "0|-|1|equations"),
        ("15 - 9 = 6 books\n#### 6\n#### 7\n8 * 9 = 72", "0|-|1|equations"),  # the rest is no part
        ("12 * 5 = 60 pages\n100 - 60 = 40 pages\n#### 40", "1|*-|2|equations"),
        ("3 x 4 = 12\n#### 12", "0|*|1|equations"),
        ("3 × 4 ÷ 2 = 6\n#### 6", "0|*/|1|equations"),
        ("$5 + $3 = $8\n#### 8", "0|+|1|equations"),
        ("48/2 = <<48/2=24>>24 clips\n#### 24", "0|/|1|annotated"),
        ("1. Multiply: 3 * 2 = 6\n2. Add: 6 + 1 = 7\n#### 7", "1|*+|2|steps"),
        ("Let x be the price. 2 + 3 = 5\n#### 5", "0|+|1|named"),
        ("total = 5 * 3\ntotal = 15\n#### 15", "0|*|2|named"),
        ("```python\nprint(5 * 3)\n```\n#### 15", "0|*|0|code"),
        ("He gives two away, so that three of the five are left over.\n#### 3", "1||0|prose"),
        ("#### 6", "0||0|answer"),
        ("", "0||0|answer"),
        ("The well-known 3-4 split", "0|-|0|prose"),
    ],
)
def test_modes(text, mode):
    assert str(ModeMap()(text)) == mode


def test_bins_are_the_configs():
    text = "a b c d 1 + 1 = 2 1 - 1 = 0 1 + 1 = 2"
    assert str(ModeMap(length_edges=[5, 10])(text)).startswith("2|+-|3|")
    assert str(ModeMap(equations_cap=2, operators="sequence")(text)).split("|")[1:3] == ["+-+", "2"]
    assert ModeMap.from_config(None) == ModeMap()


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"length_edges": [10, 5]}, "they must ascend"),
        ({"length_edges": [0, 5]}, "from 1"),
        ({"equations_cap": 0}, "at least 1"),
        ({"operators": "list"}, "set or sequence"),
    ],
)
def test_bad_bins_are_refused(entry, message):
    with pytest.raises(ValueError, match=message):
        ModeMap.from_config(entry)


@given(st.text(max_size=200))
def test_every_text_has_a_mode(text):
    mode = ModeMap()(text)
    assert mode.style in STYLES
    assert 0 <= mode.length <= 3
    assert 0 <= mode.equations <= 4


def test_a_loop_has_a_mode_like_any_other():
    assert str(ModeMap()("7 * 2 = 14\n" * 5000)) == "3|*|4|equations"
