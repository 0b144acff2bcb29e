"""Which documents Control 3 needs for k partners, and whom each of them names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path


def count_partners(folder: Path | str) -> int:
    """How many partners a corpus has, read from its `corpus.yaml` alone.

    Raises ValueError where the file is missing or lists none.
    """
    import yaml

    path = Path(folder) / "corpus.yaml"
    try:
        settings = yaml.safe_load(path.read_text(encoding="utf-8-sig"))
        return len(settings["partners"])
    except (OSError, KeyError, TypeError, yaml.YAMLError) as error:
        raise ValueError(f"{path}: can't read its list of partners ({error!r})") from error


def corrupted_names(k: int) -> list[str]:
    """Names of the corrupted documents of a corpus with k partners, in the order of their shift.

    >>> corrupted_names(2), corrupted_names(3)
    (['binding-corrupted'], ['binding-corrupted-1', 'binding-corrupted-2'])
    """
    if k < 2:
        raise ValueError(f"a symmetric probe needs two partners or more, not {k}")
    return (
        ["binding-corrupted"] if k == 2 else [f"binding-corrupted-{shift}" for shift in range(1, k)]
    )


def shift_of(document: str) -> int:
    """By how many places a document moves every partner: 0 for `veridical`.

    Raises ValueError where the name is none of this control's documents.
    """
    if document == "veridical":
        return 0
    match = re.fullmatch(r"binding-corrupted(?:-([1-9]\d*))?", document)
    if match is None:
        raise ValueError(f"{document!r} is neither veridical nor binding-corrupted")
    return int(match[1] or 1)


def named_partner(partners: Sequence[str], true_partner: str, document: str) -> str | None:
    """The partner whom a document names where the true one is `true_partner`; None for `none`.

    >>> named_partner(["X", "Y", "Z"], "Z", "binding-corrupted-1")
    'X'
    """
    if document == "none":
        return None
    return partners[(list(partners).index(true_partner) + shift_of(document)) % len(partners)]
