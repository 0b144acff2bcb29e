"""Which memories a study counterfeits, and what of them is written, brought or asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from veridical.base.brought import brought, corpora_in
from veridical.base.folders import is_life
from veridical.base.hints import check_file, near


def counterfeits(config: Mapping[str, Any], corpus: str) -> list[str]:
    """The names of the counterfeits that a study may use of a corpus's memory."""
    return [name for _, name in _held(config, corpus)]


def kinds_held(config: Mapping[str, Any], corpus: str) -> list[str]:
    """The kinds of a corpus's counterfeits, each once, a dose being a kind of its own.

    >>> documents = {"foreign_seeds": [1, 2], "shuffled_seeds": [], "own": {}}
    >>> doses = {"partial_doses": [30], "partial_seeds": [1], "stale": ["A"]}
    >>> kinds_held({"documents": documents | doses}, "A")
    ['foreign', 'stale', 'partial-30']
    """
    return list(dict.fromkeys(kind for kind, _ in _held(config, corpus)))


def _held(config: Mapping[str, Any], corpus: str) -> Iterator[tuple[str, str]]:
    """Kind and name of each counterfeit. Studies that are older than some kinds lack their keys."""
    settings = config["documents"]
    for kind in ("foreign", "shuffled"):
        yield from ((kind, f"{kind}-{seed}") for seed in settings[f"{kind}_seeds"])
    own = settings.get("own", {}).get(corpus, {})
    yield from (("adjacent", name) for name in own if name.startswith("adjacent"))
    if corpus in settings.get("stale", ()):
        yield "stale", "stale"
    for dose in sorted(settings.get("partial_doses", ())):
        kind = f"partial-{dose}"
        yield from ((kind, f"{kind}-{seed}") for seed in settings["partial_seeds"])


def documents_of(config: Mapping[str, Any], corpus: str) -> list[str]:
    """A corpus's memory document, and what it is held against."""
    return ["veridical", *counterfeits(config, corpus)]


def brought_life(config: Mapping[str, Any], corpus: str, document: str) -> list[str]:
    """The files of a counterfeit that a study brings; none where it isn't brought."""
    path = config["documents"]["own"].get(corpus, {}).get(document)
    return life_files(path) if path else []


def life_files(path: str) -> list[str]:
    """A text or table alone; of a corpus's folder its corpus.yaml, and then its other files."""
    if not Path(path).is_dir():
        return [path]
    files = [*Path(path).glob("*.csv"), *Path(path).glob("*.txt")]
    return [f"{path}/corpus.yaml", *sorted(file.as_posix() for file in files)]


def counterfeited(config: Mapping[str, Any]) -> list[str]:
    """The corpora whose memory is counterfeited: for whom models are asked, or memories quoted."""
    found = {}
    first, second = config.get("control1", {}), config.get("control2", {})
    answered = first.get("responses_csv") and not first["positive"]
    if first and not brought(config, "control1") and not answered:
        found |= dict.fromkeys(corpora_in(first))
    if second and not brought(config, "control2"):
        found |= dict.fromkeys(corpora_in(second))
    return list(found)


def authored(config: Mapping[str, Any], corpus: str) -> list[int]:
    """The seeds of a corpus's foreign lives that the author writes: those that nobody brought."""
    settings = config["documents"]
    own = settings.get("own", {}).get(corpus, {})
    return [seed for seed in settings["foreign_seeds"] if f"foreign-{seed}" not in own]


def _check_own_lives(config: Mapping[str, Any]) -> Iterator[str]:
    """Other lives that are brought along: of corpora and seeds that there are, in files or
    folders."""
    settings = config["documents"]
    used = counterfeited(config)
    for corpus, lives in settings["own"].items():
        where = f"documents/own/{corpus}"
        if corpus not in used:
            yield f"{where}: no part counterfeits that corpus; {near(corpus, used)}"
        known = counterfeits(config, corpus)
        for name, path in lives.items():
            if name not in known:
                yield f"{where}/{name}: foreign_seeds has no such document; {near(name, known)}"
            yield from check_file(f"{where}/{name}", life_files(path)[0])


def _check_by_rule(config: Mapping[str, Any]) -> Iterator[str]:
    """Counterfeits made by rule, of corpora that can have them."""
    used, settings = counterfeited(config), config["documents"]
    for corpus in used:
        lacking = [f"foreign-{seed}" for seed in authored(config, corpus)]
        if lacking and is_life(corpus):
            yield (
                f"documents/own/{corpus}: {', '.join(lacking)} missing; the author writes "
                "encounters, and no life of events and facts: bring another's memory for each, a "
                "text in the same shape or as the folder of another life, or have "
                "documents/foreign_seeds ask for none"
            )
    for corpus in settings["stale"]:
        if corpus not in used:
            yield f"documents/stale: no part counterfeits corpus {corpus!r}; {near(corpus, used)}"
        elif not is_life(corpus):
            yield (
                f"documents/stale: corpus {corpus!r} is one of encounters, in which nothing takes "
                "another's place; only a life of facts can hold superseded values"
            )


def _check_counterfeit(config: Mapping[str, Any], counterfeit: str) -> Iterator[str]:
    """The one counterfeit that Control 2 takes, which each of its corpora must have."""
    corpora = corpora_in(config["control2"])
    for corpus in corpora:
        documents = counterfeits(config, corpus)
        if counterfeit not in documents:
            of = f" of corpus {corpus!r}" if len(corpora) > 1 else ""
            known = ", ".join(documents)
            yield f"control2/counterfeit: no document {counterfeit!r}{of}; known: {known}"


def check_documents(config: Mapping[str, Any]) -> Iterator[str]:
    """What a config says of counterfeits that can't be, a sentence each."""
    settings = config["documents"]
    asked2 = "control2" in config and not brought(config, "control2")
    if asked2:
        yield from _check_counterfeit(config, config["control2"]["counterfeit"])
    foreign = [f"foreign-{seed}" for seed in settings["foreign_seeds"]]
    for name in settings["further_attempts"]:
        if name not in foreign:
            yield (
                f"documents/further_attempts/{name}: foreign_seeds asks for no such document; "
                f"known: {', '.join(foreign)}"
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
    yield from _check_by_rule(config)
    if "author" not in settings:
        if any(authored(config, corpus) for corpus in counterfeited(config)):
            yield "documents/author: missing; foreign_seeds asks for lives that a model writes"
        elif asked2 and config.get("control2", {}).get("alterations") == "author":
            yield "documents/author: missing; control2/alterations asks it to alter the details"
