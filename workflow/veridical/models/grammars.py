r"""GBNF, the grammars in which llama.cpp binds an answer: written from an answer's pieces.

A call's key holds the grammar, so the same pieces must always give the same bytes: ledgers would be
asked anew otherwise. `tests/models/test_keys.py` holds some.
"""

from __future__ import annotations

from collections.abc import Iterable

from veridical.models.pieces import Part, Piece, Pieces, fixed

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
RUN = 3  # characters that follow one another from which a range is written


def grammar(pieces: Iterable[Piece]) -> str:
    """The grammar of these pieces, one after the other; parts become rules of their own.

    Parts of open text stand last, the others in the order in which they first occur.

    >>> print(grammar(("dated ", ("8", "9"))))
    root ::= "dated " ("8" | "9")
    >>> from veridical.models.pieces import Span
    >>> word = Part("word", ((Span("abcd", 2, 5),),))
    >>> print(grammar((word, " ", word)))
    root ::= word " " word
    word ::= [a-d]{2,5}
    """
    root = tuple(pieces)
    parts: dict[str, Part] = {}
    _gather(root, parts)
    ordered = sorted(parts.values(), key=lambda part: fixed((part,)) is None)
    return "\n".join([_rule("root", (root,)), *(_rule(part.name, part.ways) for part in ordered)])


def _gather(pieces: Pieces, parts: dict[str, Part]) -> None:
    """Every part in these pieces, by name. Raises ValueError where one name has two meanings."""
    for piece in pieces:
        if isinstance(piece, Part):
            if parts.setdefault(piece.name, piece) != piece or piece.name == "root":
                raise ValueError(f"two parts of an answer are called {piece.name!r}")
            for way in piece.ways:
                _gather(way, parts)


def _rule(name: str, ways: Iterable[Pieces]) -> str:
    return f"{name} ::= {' | '.join(map(_sequence, ways))}"


def _sequence(pieces: Pieces) -> str:
    if len(pieces) == 1 and isinstance(pieces[0], tuple):
        return " | ".join(map(quoted, pieces[0]))
    return " ".join(map(_written, pieces))


def _written(piece: Piece) -> str:
    if isinstance(piece, str):
        return quoted(piece)
    if isinstance(piece, tuple):
        return f"({' | '.join(map(quoted, piece))})"
    if isinstance(piece, Part):
        return piece.name
    least, most = piece.least, piece.most
    times = f"{{{least}}}" if least == most else f"{{{least},{most}}}"
    return f"[{'^' * piece.but}{_ranges(piece.characters)}]{'' if times == '{1}' else times}"


def quoted(text: str) -> str:
    r"""A text as a grammar writes it.

    >>> print(quoted('say "so"'))
    "say \"so\""
    """
    return '"' + "".join(_ESCAPES.get(character, character) for character in text) + '"'


def _ranges(characters: str) -> str:
    """The characters as a set has them, those that follow one another as a range: `a-z0-9'`."""
    runs: list[str] = []
    for character in characters:
        if runs and ord(character) == ord(runs[-1][-1]) + 1:
            runs[-1] += character
        else:
            runs.append(character)
    return "".join(
        f"{_listed(run[0])}-{_listed(run[-1])}" if len(run) >= RUN else "".join(map(_listed, run))
        for run in runs
    )


def _listed(character: str) -> str:
    r"""A character in a set: controls, and the two marks that mean something there, by number."""
    if character < " " or character in "^-":
        return f"\\x{ord(character):02X}"
    return f"\\{character}" if character in "\\[]" else character
