"""Keys stay in the environment: they are refused in the config and struck out of all that is
written."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

STRUCK = "[key]"
_NAMES = re.compile(r"(API_?KEY|ACCESS_?KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)$", re.IGNORECASE)
_SUSPECT = re.compile(
    r"^(x-)?(.*[-_])?(api[-_]?key|authori[sz]ation|(access|auth|bearer)[-_]?token|token|secret|"
    r"password|cookie)$",
    re.IGNORECASE,
)
_LOOKS = re.compile(
    r"\b(?:sk|pk|rk|key)-[A-Za-z0-9_*-]{12,}|\bAIza[A-Za-z0-9_-]{20,}"
    r"|(?<=Bearer )[A-Za-z0-9._~+/-]{12,}"
)


def redact(text: str, environ: Mapping[str, str] = os.environ) -> str:
    """Strike out of an error's text the values of all keys in the environment and what looks
    like one.

    >>> redact("bad key abcdefgh12", {"SOME_API_KEY": "abcdefgh12"})
    'bad key [key]'
    """
    return _LOOKS.sub(STRUCK, _strike(text, key_values(environ)))


def key_values(environ: Mapping[str, str] = os.environ) -> list[str]:
    """The values of the environment's variables that are keys by their name, longest first."""
    found = {v for name, v in environ.items() if len(v) >= 8 and _NAMES.search(name)}
    return sorted(found, key=len, reverse=True)


def _strike(text: str, values: Iterable[str]) -> str:
    for value in values:
        text = text.replace(value, STRUCK)
    return text


def clean(raw: Any, values: Sequence[str]) -> Any:
    """A `Raw` answer fit to be kept: no key of `values` in it, and no half of a character."""

    def tidy(value: Any) -> Any:
        if isinstance(value, str):
            return _strike(value, values).encode("utf-8", "replace").decode()
        if isinstance(value, Mapping):
            return {tidy(str(name)): tidy(each) for name, each in value.items()}
        if isinstance(value, list | tuple):
            return [tidy(each) for each in value]
        return value if isinstance(value, int | float | bool | None) else str(value)

    return replace(
        raw,
        text=tidy(raw.text),
        thinking=tidy(raw.thinking),
        finish=tidy(raw.finish),
        served_model=tidy(raw.served_model),
        parameters=tidy(raw.parameters),
        sdk=tidy(raw.sdk),
    )


def check_model(model: Any) -> None:
    """Raise ValueError where a `Model`'s config entry holds what looks like a key.

    What a config entry holds is written to ledgers, freezes and archives.
    """
    for where, found in _suspects(model):
        raise ValueError(
            f"models/{model.name}/{where}: {found} looks like a key, and a config is no place for "
            "one: put it into an environment variable and name that under api_key_env"
        )


def _suspects(model: Any) -> Iterator[tuple[str, str]]:
    if model.base_url:
        address = urlsplit(model.base_url)
        if address.username or address.password:
            yield "base_url", "the part before the @"
        for name, _ in parse_qsl(address.query):
            if _SUSPECT.match(name) or name.lower() == "key":
                yield "base_url", f"?{name}=…"
    yield from _inside(model.parameters, "parameters")
    for name, value in model.options.items():
        yield from _inside({name: value}, "")


def _inside(entry: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(entry, Mapping):
        for name, value in entry.items():
            where = f"{path}/{name}".lstrip("/")
            if _SUSPECT.match(str(name)) and value not in (None, ""):
                yield where, repr(str(name))
            yield from _inside(value, where)
    elif isinstance(entry, list | tuple):
        for value in entry:
            yield from _inside(value, path)
    elif isinstance(entry, str) and _LOOKS.search(entry):
        yield path, "its value"
