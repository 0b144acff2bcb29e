"""What a life of events and facts can't go through yet, said before anything is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from veridical.base.brought import corpora_in
from veridical.base.folders import is_life


def check_lives(config: Mapping[str, Any], probed: Sequence[str]) -> Iterator[str]:
    """Each part that names a life where it takes encounters, in a sentence.

    `probed` are Control 3's corpora, which the memory systems and the zoo take by default.
    """
    lives = [name for name in config.get("memories", {}).get("corpora", probed) if is_life(name)]
    if "memories" in config and "entries" in config["memories"] and lives:
        yield (
            f"memories/entries: corpus {lives[0]!r} is a life of events and facts, which goes in "
            "whole; leave the key out, or name other corpora under memories/corpora"
        )
    for part in ("control1", "control2"):
        for name in corpora_in(config[part]) if config.get(part, {}).get("memory") else ():
            if is_life(name):
                yield (
                    f"{part}/memory: corpus {name!r} is a life of events and facts, whose "
                    "counterfeits have no events to write; leave the key out, and the life goes "
                    "through its memory systems under Control 3"
                )
    for name in config.get("zoo", {}).get("corpora", probed) if "zoo" in config else ():
        if is_life(name):
            yield (
                f"zoo: corpus {name!r} is a life of events and facts, and zoo takes encounters; "
                "name the corpora that are under zoo/corpora"
            )
