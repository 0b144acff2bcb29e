"""What a study decides about single replies."""

from __future__ import annotations

import pytest
from veridical.base.config import ConfigError, check_config
from veridical.base.decisions import Decisions

PLACE = "responses/gpt/responses"


def test_a_reply_is_found_by_its_address_and_sample():
    decided = Decisions.from_config(
        {
            "ask_again": {f"{PLACE}/a": "empty", f"{PLACE}/b#2": ["empty", "empty again"]},
            "leave_out": {f"{PLACE}/c": "too long", f"{PLACE}/d#1": "filtered"},
            "accept": {f"{PLACE}/e": ["it is so", "by design"]},
        }
    )
    assert [decided.further(f"{PLACE}/{each}", 0) for each in "abc"] == [1, 0, 0]
    assert decided.further(f"{PLACE}/b", 2) == 2
    assert decided.left_out(f"{PLACE}/c", 7) == "too long"
    assert (decided.left_out(f"{PLACE}/d", 0), decided.left_out(f"{PLACE}/d", 1)) == (
        "",
        "filtered",
    )
    assert decided.accepted(f"{PLACE}/e") == "it is so; by design"
    assert Decisions.from_config(None).left_out(f"{PLACE}/c") == ""


def test_an_address_that_names_no_prompt_is_refused_with_the_nearest():
    decided = Decisions(leave_out={f"{PLACE}/foreign-1-i7": "x", "aas/gpt/other/y": "elsewhere"})
    with pytest.raises(
        ValueError, match=r"no reply .*/foreign-1-i7; did you mean .*/foreign-1-i07"
    ):
        decided.check(PLACE, ["foreign-1-i07", "veridical-i01"])
    decided.check("control2/gpt/none", ["p1"])


def test_one_reply_is_not_decided_about_in_two_ways():
    with pytest.raises(ValueError, match="left out and decided about otherwise"):
        Decisions.from_config({"leave_out": {"a/b/c/d": "x"}, "accept": {"a/b/c/d": "y"}})


@pytest.mark.parametrize(
    "replies",
    [
        {"leave_out": {"c/d": "an address has four parts"}},
        {"leave_out": {"a/b/c/d": ""}},  # without a reason nothing is left out
        {"ask_again": {"a/b/c/d": []}},
        {"attempts": {"responses": 0}},
        {"drop": {}},
    ],
)
def test_the_config_refuses_what_is_no_decision(replies):
    with pytest.raises(ConfigError, match="replies"):
        check_config({"study": "x", "seed": 1, "models": {}, "replies": replies})
