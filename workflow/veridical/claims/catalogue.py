"""Every conclusion that the product can state, in one place.

A sentence of the page under a part's `findings` belongs to a claim or to `DESCRIBES`; a word in a
column of conclusions belongs to a claim or to `OPEN`. Tests hold both.
"""

from __future__ import annotations

from veridical.claims.claim import Claim

CLAIMS = (
    Claim(
        "control2.solves",
        "control2/validity",
        "finding",
        ("solves",),
        ("one_solves", "some_solve", "all_solve", "tested", "held"),
        "the declared models",
        where={"condition": "none"},
    ),
    Claim(
        "control2.adds",
        "control2/prior_bias",
        "finding",
        ("adds",),
        ("adds",),
        "the models and documents",
    ),
    Claim(
        "control2.takes",
        "control2/prior_bias",
        "finding",
        ("takes away",),
        ("takes",),
        "the models and documents",
    ),
    Claim(
        "control2.habit",
        "control2/validity",
        "habit",
        ("one answer", "first option", "never the first option"),
        ("habit_first", "habit_second"),
        "the declared models",
        where={"condition": "none"},
    ),
    Claim(
        "control2.registered_not_valid",
        "control2/validity",
        "valid",
        (False,),
        ("past",),
        "one model",
        registered=True,
        where={"condition": "none"},
    ),
    Claim(
        "control3.follows",
        "control3/cells",
        "finding",
        ("follows",),
        ("all", "one_all", "some", "weakest", "discordant", "follows", "below", "behaviour"),
        "the study's cells",
    ),
    Claim(
        "control3.uses",
        "control3/cells",
        "finding",
        ("follows", "uses"),
        ("use", "only_use"),
        "the study's cells",
    ),
    Claim(
        "control3.against",
        "control3/cells",
        "finding",
        ("against",),
        ("reversed", "against"),
        "the study's cells",
    ),
    Claim(
        "control3.guesses",
        "control3/cells",
        "without",
        ("beats chance",),
        ("invalid", "unreadable"),
        "the study's models and corpora",
    ),
    Claim(
        "control3.habit",
        "control3/cells",
        "habit",
        ("one answer", "first option", "never the first option"),
        ("one_name", "first_option", "never_first"),
        "the study's cells",
    ),
    Claim(
        "control3.registered_survives",
        "control3/cells",
        "survives",
        (True,),
        ("registered",),
        "the cells of a corpus",
        registered=True,
    ),
)
