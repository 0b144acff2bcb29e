"""The table of claims, one line a column."""

from __future__ import annotations

from veridical.base.contract import Contract, flag, interval, share, text, whole

FALSE = share("false", "studies in which it is said falsely, in the worst world", missing=True)
CLAIMS = Contract(
    "claims/claims",
    "For the study's own design: how often each claim is said where it is false, and found.",
    text("claim", "what is claimed"),
    text("part", "the part of the study that claims it"),
    text("sentences", "the page's sentences that claim it, by the keys of their texts", shown=""),
    text("family", "the tests over which it is corrected"),
    flag("registered", "whether it is a source's own rule, held to no rate of ours"),
    share("rate", "the most that is allowed"),
    whole("studies", "studies drawn in each world", low=1),
    FALSE,
    *interval("false", "Wilson's 95 % interval of false", FALSE),
    text("false_world", "the world in which it is most often said falsely", missing=True),
    share("power", "of what it is true of, the share of which it is said, at best", missing=True),
    text("power_world", "the world in which that is", missing=True),
    key=("claim",),
)
POWER = share("power", "of what it is true of, the share of which it is said", missing=True)
PLAN = Contract(
    "claims/plan",
    "Before anything is asked: how often each claim would be made where it is true, by its size.",
    text("claim", "what is claimed"),
    text("part", "the part of the study that claims it"),
    text("size", "the size of the effect", "small", "medium", "large"),
    text("effect", "what that is, in words"),
    whole("studies", "studies drawn", low=1),
    POWER,
    *interval("power", "Wilson's 95 % interval of power", POWER),
    share("twice", "the same with twice as many items, probes or problems", missing=True),
    key=("claim", "size"),
)
TABLES = (CLAIMS, PLAN)
