"""What a corpus's folder tells before it is read: its form, its language, its files."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from veridical.base.code import LIBRARY
from veridical.base.yaml_files import YAMLError, read_words

ENCOUNTER_FILES = ("encounters.csv", "memory_block.txt", "test_day.csv", "vocabulary.csv")


def is_life(corpus: str) -> bool:
    """Whether a corpus is written as events and facts, and not as encounters."""
    return settings_of(corpus).get("form") == "life"


def corpus_files(corpus: str) -> list[str]:
    """The files that a corpus is read from, beside its corpus.yaml."""
    folder = Path("data/corpora", corpus)
    if is_life(corpus):
        files = [*folder.glob("*.csv"), *folder.glob("*.txt")]
        return sorted(path.as_posix() for path in files)
    return [(folder / name).as_posix() for name in ENCOUNTER_FILES]


def name_in(corpus: str, text: str) -> str:
    """The name of a fixed text where it is about a corpus: a life has some of its own."""
    own = f"life-{text}"
    there = (LIBRARY / "texts" / f"{own}.{language_of(corpus)}.txt").is_file()
    return own if there and is_life(corpus) else text


def language_of(corpus: str) -> str:
    """The language of a corpus, in which the study's own texts go with it; English where its
    corpus.yaml says none or can't be read, which the corpus's reader explains."""
    return str(settings_of(corpus).get("language") or "en")


@cache
def _as_it_is(path: Path, *state: int) -> Any:
    """A file of texts, read once as long as it stays as it is: each rule asks for its language."""
    return read_words(path)


def settings_of(corpus: str) -> dict[str, Any]:
    """A corpus's corpus.yaml; empty where it can't be read, which the corpus's reader explains."""
    path = Path("data/corpora", corpus, "corpus.yaml")
    try:
        state = path.stat()
        settings = _as_it_is(path.resolve(), state.st_mtime_ns, state.st_size)
    except (OSError, YAMLError):
        return {}
    return settings if isinstance(settings, dict) else {}
