"""Which memories a study counterfeits, and what of them is written, brought or asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from veridical.base.brought import brought
from veridical.base.hints import check_file, near


def counterfeits(config: Mapping[str, Any]) -> list[str]:
    """The names of the counterfeits that a study may use."""
    settings = config["documents"]
    named_so = [f"foreign-{seed}" for seed in settings["foreign_seeds"]]
    return named_so + [f"shuffled-{seed}" for seed in settings["shuffled_seeds"]]


def counterfeited(config: Mapping[str, Any]) -> list[str]:
    """The corpora whose memory is counterfeited: for whom models are asked, or memories quoted."""
    found = {}
    first, second = config.get("control1", {}), config.get("control2", {})
    answered = first.get("responses_csv") and not first["positive"]
    if first and not brought(config, "control1") and not answered:
        found[first["corpus"]] = None
    if second and not brought(config, "control2"):
        found[second["corpus"]] = None
    return list(found)


def authored(config: Mapping[str, Any], corpus: str) -> list[int]:
    """The seeds of a corpus's foreign lives that the author writes: those that nobody brought."""
    settings = config["documents"]
    own = settings.get("own", {}).get(corpus, {})
    return [seed for seed in settings["foreign_seeds"] if f"foreign-{seed}" not in own]


def _check_own_lives(config: Mapping[str, Any]) -> Iterator[str]:
    """Foreign lives that are brought along: of corpora and seeds that there are, in files."""
    settings = config["documents"]
    known = [f"foreign-{seed}" for seed in settings["foreign_seeds"]]
    used = counterfeited(config)
    for corpus, lives in settings["own"].items():
        where = f"documents/own/{corpus}"
        if corpus not in used:
            yield f"{where}: no part counterfeits that corpus; {near(corpus, used)}"
        for name, path in lives.items():
            if name not in known:
                yield f"{where}/{name}: foreign_seeds has no such document; {near(name, known)}"
            yield from check_file(f"{where}/{name}", path)


def check_documents(config: Mapping[str, Any]) -> Iterator[str]:
    """What a config says of counterfeits that can't be, a sentence each."""
    settings, documents = config["documents"], counterfeits(config)
    counterfeit = config.get("control2", {}).get("counterfeit", documents[:1])
    asked2 = "control2" in config and not brought(config, "control2")
    if asked2 and counterfeit not in documents:
        yield f"control2/counterfeit: no document {counterfeit!r}; known: {', '.join(documents)}"
    for name in settings["further_attempts"]:
        if name not in documents:
            yield (
                f"documents/further_attempts/{name}: foreign_seeds asks for no such document; "
                f"known: {', '.join(documents)}"
            )
    asked1 = "control1" in config and not brought(config, "control1")
    if asked1 and config["control1"]["positive"] and not settings["foreign_seeds"]:
        yield (
            "control1/positive: a pair known by construction quotes a stranger's memory, and there "
            "is no foreign document: give documents/foreign_seeds one, or set positive to 0"
        )
    if asked1 and config["control1"].get("original_csv") and config["control1"]["reversed"]:
        yield (
            "control1/reversed: with original_csv the veridical pairs are judged in the earlier "
            "study, so none can be shown in the other order: set reversed to false"
        )
    yield from _check_own_lives(config)
    if "author" not in settings:
        if any(authored(config, corpus) for corpus in counterfeited(config)):
            yield "documents/author: missing; foreign_seeds asks for lives that a model writes"
        elif asked2 and config.get("control2", {}).get("alterations") == "author":
            yield "documents/author: missing; control2/alterations asks it to alter the details"
