"""A rehearsal: replies drawn in the form asked for, or written down beforehand; no model at all.

With it a study can be run from end to end before anything is paid: what is planned, how long it is,
whether the documents pass their checks, how the page looks. What it "finds" means nothing.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from veridical.models.exchange import Call, Model, Raw
from veridical.models.forms import pieces_of
from veridical.models.pieces import Part, Piece, Span

OPTIONS = {
    "replies": {
        "description": "For `scripted`: replies written down beforehand, a list of `match` (a "
        "regular expression looked for in the question) and `reply`; the first that matches is "
        "given, and where none does one is drawn.",
        "type": "array",
        "items": {
            "type": "object",
            "additionalProperties": False,
            "required": ["match", "reply"],
            "properties": {
                "match": {"description": "Looked for in the question.", "type": "string"},
                "reply": {"description": "What is answered.", "type": "string"},
            },
        },
    },
}

SAID = (
    "the house by the river was quiet and we spoke about the garden until the lamp went out then "
    "somebody counted the chairs again and wrote the number down for the day after"
)
WORDS = SAID.split()


class Provider:
    """Draws every reply from the question's own hash: the same question, the same reply.

    A choice is drawn evenly from its options and its abstention, an object from its schema, bound
    text from its pieces, with its beginning, and free text from a few plain words. Raises
    ValueError where a `match` is no regular expression.
    """

    block = 1

    def __init__(self, model: Model, **context: Any):
        self.model = model
        self.concurrency = int(model.options.get("concurrency", 8))
        self.replies = []
        for number, row in enumerate(model.options.get("replies", ()), start=1):
            try:
                self.replies.append((re.compile(row["match"]), row["reply"]))
            except re.error as error:
                raise ValueError(
                    f"model {model.name!r}: replies, entry {number}: {row['match']!r} is no "
                    f"regular expression ({error})"
                ) from None

    async def __aenter__(self) -> Provider:
        return self

    async def __aexit__(self, *exc: object) -> None:
        return None

    async def ask(self, call: Call) -> Raw:
        """The reply to one call."""
        begun = time.perf_counter()
        question = call.messages[-1]["content"] if call.messages else ""
        written = (reply for match, reply in self.replies if match.search(question))
        text = next(written, None)
        text = draw(call) if text is None else text
        return Raw(
            text,
            finish="stop",
            prompt_tokens=sum(len(message["content"].split()) for message in call.messages),
            completion_tokens=len(text.split()),
            served_model=call.model.model,
            parameters=call.effective(),
            sdk="scripted",
            latency=time.perf_counter() - begun,
        )

    async def sample(self, call: Call, samples: Sequence[int]) -> list[Raw]:
        """The replies to several samples of one call."""
        return [await self.ask(call.with_sample(sample)) for sample in samples]


def draw(call: Call) -> str:
    """A reply in the call's form, drawn by the hash of the call."""
    rng = np.random.default_rng(int(call.key[:16], 16))
    if pieces := pieces_of(call.form):
        return (call.form.begin or "") + "".join(_piece(piece, rng) for piece in pieces)
    if call.form.kind == "json":
        return json.dumps(_value(call.form.schema or {}, rng), ensure_ascii=False)
    return " ".join(rng.choice(WORDS, size=int(rng.integers(8, 24))))


def _piece(piece: Piece, rng: np.random.Generator) -> str:
    """A text as it stands, one of a choice, open text of plain words, one way of a part."""
    if isinstance(piece, str):
        return piece
    if isinstance(piece, Span):
        return _open(piece, rng)
    if isinstance(piece, Part):
        return "".join(_piece(each, rng) for each in piece.ways[rng.integers(len(piece.ways))])
    return piece[rng.integers(len(piece))]


def _open(span: Span, rng: np.random.Generator) -> str:
    """Open text: letters of its own where it lists them, else words cut to a length it may have."""
    length = (span.least + span.most + 1) // 2
    if not span.but:
        return "".join(rng.choice(list(span.characters), size=length))
    text = " ".join(rng.choice(WORDS, size=length))[:length].rstrip()
    return "".join("o" if letter in span.characters else letter for letter in text).ljust(
        span.least, "o"
    )


def _value(schema: Mapping[str, Any], rng: np.random.Generator) -> Any:
    """A value that fits a schema of the kinds that forms use."""
    if "enum" in schema:
        return schema["enum"][rng.integers(len(schema["enum"]))]
    kind = schema.get("type", "string")
    if kind == "object":
        return {name: _value(below, rng) for name, below in schema.get("properties", {}).items()}
    if kind == "array":
        return [_value(schema.get("items", {}), rng) for _ in range(schema.get("minItems", 1))]
    if kind == "boolean":
        return bool(rng.integers(2))
    least, most = schema.get("minimum", 0), schema.get("maximum", 100)
    if kind == "integer":
        return int(rng.integers(least, most + 1))
    if kind == "number":
        return round(float(rng.uniform(least, most)), 1)
    words = " ".join(rng.choice(WORDS, size=12))
    return words[: schema.get("maxLength", 60)].rstrip()
