"""How many answers of the zoo a judge is shown, where a model of the study is one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from veridical.models.asks import Ask, asks_of
from veridical.models.grading import NAMES

TOKENS = 170  # of one sheet that isn't written yet
DISTINCT = 25  # distinct answers about one encounter, all faults and kinds of memory taken together
TEXTS = ("canary", "question-canary", *NAMES)  # the fixed texts it needs in a corpus's language


def judge_of(config: Mapping[str, Any]) -> str | None:
    """The model that judges the zoo's answers: the one named, else Control 1's first judge; None
    where there is no judge, or no study is to be judged."""
    part = config["zoo"]["judge"]
    judges = config.get("control1", {}).get("judges", ())
    return (part.get("model") or next(iter(judges), None)) if part["studies"] else None


def own_files(instruments: Mapping[str, Mapping[str, Any]], root: Path | str = ".") -> list[str]:
    """The files in the project's folder that the config's own `instruments` are made of: the one
    that holds a function, and what of a command is a file there. They decide what is noticed, so
    they are sealed. From the project's folder, sorted; a program outside it is the machine's.
    """
    functions = [
        each["function"].rpartition(":")[0] for each in instruments.values() if "function" in each
    ]
    parts = [part for each in instruments.values() for part in each.get("command", ())]
    own = [part for part in parts if _inside(part) and Path(root, part).is_file()]
    return sorted({*functions, *own})


def _inside(path: str) -> bool:
    return not Path(path).is_absolute() and ".." not in Path(path).parts


def asks(config: Mapping[str, Any], corpora: Mapping[str, Any]) -> Iterator[Ask]:
    """Each distinct answer once; how many there are shows when the studies have been run."""
    part, judge = config["zoo"]["judge"], judge_of(config)
    calls, place = DISTINCT * part["encounters"], "zoo/prompts/*.jsonl"
    models = [judge] if judge else []
    yield from asks_of(config, "zoo", models, place, calls, TOKENS, part["parameters"])
