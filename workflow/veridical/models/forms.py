"""Reading a raw answer as an answer: its state, its value, and what binds it to its form."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from veridical.models.channels import split_thinking
from veridical.models.choosing import choose, choose_begun
from veridical.models.exchange import Form, Raw
from veridical.models.mentions import exactly, spelling
from veridical.models.pieces import Pieces
from veridical.models.schemas import schema_pieces


def read_answer(raw: Raw, form: Form) -> tuple[str, Any]:
    """Read a raw answer in the form asked for.

    Returns (state, value), `state` one of `exchange.STATES` but never `failed`. `value` is the
    text (form `text`), the option as listed (form `choice`) or the object (form `json`) where
    the state is `ok`, the listed abstention where it is `abstained`, and None otherwise.
    What the provider reports comes before what the text says: a refusal, a filtered or a
    truncated reply is never read as an answer, even where it looks like one.

    Raises ValueError where the form itself is wrong: a choice without options, an invalid schema.

    >>> read_answer(Raw("**Llama**."), Form("choice", ("Llama", "DeepSeek"), "I don't know"))
    ('ok', 'Llama')
    """
    _check_form(form)
    if raw.refused:
        return "refused", None
    if raw.filtered:
        return "filtered", None
    if raw.truncated:
        return "truncated", None
    text, _ = split_thinking(raw.text)
    if not text.strip():
        return "empty", None
    if form.kind == "text":
        if form.abstention and exactly(text, [form.abstention]):
            return "abstained", form.abstention
        return "ok", text.strip()
    if form.kind == "json":
        found = _fitting_object(text, form.schema)
        return ("unparseable", None) if found is None else ("ok", found)
    choice = read_choice(text, form)
    if choice is None:
        return "unparseable", None
    return ("abstained" if choice == form.abstention else "ok"), choice


def read_choice(text: str, form: Form) -> str | None:
    """The one option (or the abstention) that a reply to a choice names, else None.

    In this order: the whole reply is an option; the reply holds one JSON object whose `answer`
    is an option; for a form with `begin`, the option that its text goes on to name; else what
    `choosing.choose` reads. Case, diacritics, quotes, emphasis and trailing punctuation don't
    count.
    """
    listed = choices(form)
    if (whole := exactly(text, listed)) is not None:
        return whole
    if "{" in text:
        objects = json_objects(text)
        if objects is not None and any("answer" in found for found in objects):
            answer = objects[0].get("answer") if len(objects) == 1 else None
            return exactly(answer, listed) if isinstance(answer, str) else None
    if form.begin and (begun := choose_begun(text, listed, form.begin)) is not None:
        return begun
    return choose(text, listed, form.abstention)


def choices(form: Form) -> tuple[str, ...]:
    """The options and, last, the abstention where the form has one."""
    return (*form.options, form.abstention) if form.abstention else form.options


def pieces_of(form: Form) -> Pieces:
    """What an answer in this form is made of: its own pieces, or what options or schema imply.

    Empty where nothing binds the answer: free text, and a schema that leaves more open than a
    choice between texts. Where a form begins the answer, a space comes before an option unless
    `begin` ends with one.

    >>> pieces_of(Form("choice", ("A", "B"), "neither", begin="It is"))
    (' ', ('A', 'B', 'neither'))
    """
    _check_form(form)
    if form.pieces or form.kind == "text":
        return form.pieces
    if form.kind == "json":
        return schema_pieces(form.schema or {})
    spaced = form.begin and not form.begin[-1].isspace()
    return (*([" "] if spaced else []), choices(form))


def answer_schema(form: Form) -> dict[str, Any]:
    """The JSON schema of the answer: the form's own, or `{"answer": one of the options}`."""
    if form.kind == "json":
        return dict(form.schema or {})
    return {
        "type": "object",
        "properties": {"answer": {"type": "string", "enum": list(choices(form))}},
        "required": ["answer"],
        "additionalProperties": False,
    }


def strict_schema(schema: Any, *, drop: Sequence[str] = ()) -> Any:
    """The schema as providers' strict modes want it: closed objects, every property required.

    `drop` names keywords a provider refuses; the reply is checked against the whole schema
    anyway when it is read.
    """
    if isinstance(schema, list):
        return [strict_schema(part, drop=drop) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    strict: dict[str, Any] = {}
    for keyword, value in schema.items():
        if keyword in ("properties", "$defs"):  # its keys are names, not keywords
            strict[keyword] = {name: strict_schema(sub, drop=drop) for name, sub in value.items()}
        elif keyword in ("enum", "const", "default", "examples"):
            strict[keyword] = value
        elif keyword not in drop:
            strict[keyword] = strict_schema(value, drop=drop)
    if "properties" in strict:
        strict["required"] = list(strict["properties"])
        strict["additionalProperties"] = False
    return strict


def json_objects(text: str) -> list[dict[str, Any]] | None:
    """Every outermost JSON object in a text, in order; None where a brace opens none.

    Prose and code fences around them are passed over. NaN, infinities and repeated keys are
    no JSON.
    """
    decoder = json.JSONDecoder(object_pairs_hook=_no_repeats, parse_constant=_no_constant)
    found, at = [], text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return None
        found.append(value)
        at = text.find("{", end)
    return found


def _check_form(form: Form) -> None:
    if form.kind not in ("text", "choice", "json"):
        raise ValueError(f"unknown form kind {form.kind!r}: use text, choice or json")
    if form.kind == "choice" and not form.options:
        raise ValueError("a form of kind 'choice' needs options")
    if form.kind == "choice":
        plain = [spelling(option) for option in choices(form)]
        if len(set(plain)) < len(plain) or "" in plain:
            raise ValueError(f"options that can't be told apart: {list(choices(form))}")
    if form.kind == "json" and not form.schema:
        raise ValueError("a form of kind 'json' needs a schema")


def _fitting_object(text: str, schema: Mapping[str, Any] | None) -> dict[str, Any] | None:
    import jsonschema  # 0.2 s, for the json forms only

    validator = jsonschema.Draft202012Validator(schema)
    try:
        validator.check_schema(schema)
    except jsonschema.SchemaError as error:
        raise ValueError(f"the form's schema is invalid: {error.message}") from error
    objects = json_objects(text)
    if objects is None or len(objects) != 1 or not validator.is_valid(objects[0]):
        return None
    return objects[0]


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key occurs twice")
    return found


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")
