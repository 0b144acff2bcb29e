"""Which binding-corrupted documents there are for k partners, and whom each of them names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from veridical.base.yaml_files import YAMLError, read_words
from veridical.documents.names import CORRUPTED, DocumentName

# In the place of the number of partners: the values of a life have frequencies of their own, so
# that chance is reckoned from their counts and is not one in k.
COUNTED = 0


def count_partners(folder: Path | str) -> int:
    """How many partners a corpus has, read from its `corpus.yaml` alone; `COUNTED` for a life.

    Raises ValueError where the file is missing or lists none.
    """
    path = Path(folder) / "corpus.yaml"
    try:
        settings = read_words(path)
        if settings.get("form") == "life":
            return COUNTED
        partners = settings["partners"]
        if not isinstance(partners, list):
            raise TypeError(f"partners is no list: {partners!r}")
        return len(partners)
    except (OSError, KeyError, TypeError, AttributeError, YAMLError) as error:
        raise ValueError(f"{path}: can't read its list of partners ({error!r})") from error


def corrupted_names(k: int) -> list[str]:
    """Names of the corrupted documents of a corpus with k partners, in the order of their shift.

    A life, whose values are exchanged and not moved on, has one.

    >>> corrupted_names(2), corrupted_names(3)
    (['binding-corrupted'], ['binding-corrupted-1', 'binding-corrupted-2'])
    """
    if k == COUNTED:
        return [CORRUPTED]
    if k < 2:
        raise ValueError(f"a symmetric probe needs two partners or more, not {k}")
    shifts = [None] if k == 2 else range(1, k)
    return [str(DocumentName(CORRUPTED, shift)) for shift in shifts]


def shift_of(document: str) -> int:
    """By how many places a document moves every partner: 0 for `veridical`.

    Raises ValueError where the name is none of this control's documents.
    """
    shift = DocumentName.read(document).shift
    if shift is None:
        raise ValueError(f"{document!r} is neither veridical nor binding-corrupted")
    return shift


def named_partner(partners: Sequence[str], true_partner: str, document: str) -> str | None:
    """The partner whom a document names where the true one is `true_partner`; None for `none`.

    >>> named_partner(["X", "Y", "Z"], "Z", "binding-corrupted-1")
    'X'
    """
    if document == "none":
        return None
    return partners[(list(partners).index(true_partner) + shift_of(document)) % len(partners)]
