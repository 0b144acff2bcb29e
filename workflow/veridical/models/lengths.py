"""How long a reply is likely to be and to take, before any was had: by its form and its server."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from veridical.models.exchange import Call, Form
from veridical.models.limits import most_output
from veridical.models.pieces import Piece, Span

BYTES = 4  # of a text that make a token, about
SHARE = 0.75  # of its limit that a free answer fills, about (workflow/notes/ledger.md)
FREE = 300  # tokens of a free answer at most: few that are not cut off are longer
CHATTY = 4  # times as long as the answer is what a model says that nothing holds to the form
#: Seconds a call, a token read and a token written; a small model in the process, and any server.
IN_PROCESS, SERVED = (0.0, 0.0015, 0.03), (1.0, 0.0002, 0.02)


def likely_output(call: Call) -> int:
    """Tokens of the reply, guessed; never more than its limit.

    An answer in a form has the length of one that fits it; a model in the process, which is asked
    for the choices alone, one token a choice and two a number. A model that nothing holds to the
    form says more. A free answer fills three quarters of its limit, or 300 tokens.
    """
    most, form = most_output(call), call.form
    if form.kind == "text":
        if form.pieces and call.model.structured == "grammar":
            return min(most, _tokens(_length(form.pieces)))
        return max(1, min(most, FREE, round(SHARE * most)))
    if call.model.provider == "embedded" and call.model.structured == "grammar":
        return min(most, 1 if form.kind == "choice" else 2 * max(1, _numbers(_example(form))))
    said = _tokens(len(str(_example(form))))
    return min(most, said if call.model.structured != "text" else CHATTY * said)


def likely_seconds(call: Call, read: int, written: int) -> float:
    """Seconds that a call takes, guessed from the tokens that are read and written."""
    once, a_read, a_written = IN_PROCESS if call.model.provider == "embedded" else SERVED
    return once + a_read * read + a_written * written


def _tokens(characters: float) -> int:
    return max(1, -(-int(characters) // BYTES))


def _example(form: Form) -> str:
    """An answer in a form, of middling length."""
    if form.kind == "choice":
        options = sorted((*form.options, *filter(None, [form.abstention])), key=len)
        return options[len(options) // 2] if options else ""
    return json.dumps(_value(form.schema or {}), separators=(",", ":"))


def _value(schema: Mapping[str, Any]) -> Any:
    """A value that a schema allows; a text of half the length that it may have."""
    kind = schema.get("type")
    if "enum" in schema:
        return schema["enum"][0]
    if kind == "object":
        return {key: _value(below) for key, below in schema.get("properties", {}).items()}
    if kind == "array":
        return [_value(schema.get("items", {}))]
    if kind == "string":
        return "x" * (schema.get("maxLength", 80) // 2)
    return 0.5 if kind in ("number", "integer") else True


def _numbers(example: str) -> int:
    return example.count("0.5")


def _length(pieces: Iterable[Piece]) -> float:
    """Characters of an answer in pieces, of middling length."""
    total = 0.0
    for piece in pieces:
        if isinstance(piece, str):
            total += len(piece)
        elif isinstance(piece, tuple):
            total += sum(map(len, piece)) / max(1, len(piece))
        elif isinstance(piece, Span):
            total += (piece.least + piece.most) / 2
        else:
            total += sum(map(_length, piece.ways)) / max(1, len(piece.ways))
    return total
