"""A config holds no key: what looks like one is refused before anything is asked.

What a config says is written to ledgers, freezes and archives. A key stands in the environment, and
the config names its variable: under `api_key_env`, or under any name that ends in `env`.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from veridical.base.secrets import drawn, is_placeholder, key_values, names_key, spots

REMEDY = (
    "a config is no place for a key: put it into an environment variable and name that under "
    "api_key_env"
)
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_OWNERS = {  # of a `..._key` that is a secret; a sort key or a cache key is none
    "access", "account", "admin", "api", "app", "auth", "consumer", "encryption", "function",
    "functions", "licence", "license", "master", "private", "secret", "service", "session",
    "shared", "signing", "subscription",
}  # fmt: skip
_ALONE = {
    "accesskey", "accesstoken", "apikey", "apitoken", "authorisation", "authorization", "authtoken",
    "bearer", "cookie", "cookies", "credential", "credentials", "hmac", "jwt", "passphrase",
    "passwd", "password", "pat", "privatekey", "pwd", "sas", "secret", "secretkey", "secrets",
    "sig", "signature", "subscriptionkey",
}  # fmt: skip
_MARKS = {
    "begin",
    "bos",
    "cls",
    "end",
    "eos",
    "image",
    "mask",
    "pad",
    "sep",
    "start",
    "stop",
    "unk",
}
_QUERY = {"auth", "code", "key", "pass", "ticket", "token"}  # in an address, these alone say it
_LOGINS = ("-u", "-U", "--user", "--proxy-user")
_HEX = re.compile("[0-9a-fA-F]+")  # an account's id in a gateway's address
_REFERENCE = re.compile(r"\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?")


def says_key(name: str, inside: str = "") -> bool:
    """Whether a config's key, a header or an option is a secret's by its name.

    `inside` is the name of what holds it: among headers, `x-auth` says it too.

    >>> [says_key(name) for name in ("x-api-key", "apiKey", "eos_token", "prompt_cache_key")]
    [True, True, False, False]
    """
    words = _words(name)
    before, last = words[-2:-1], words[-1:]
    return bool(
        _ALONE.intersection(last)
        or (last == ["key"] and _OWNERS.intersection(before))
        or (last == ["token"] and not _MARKS.intersection(before))
        or (last in (["auth"], ["key"]) and "headers" in _words(inside))
    )


def _words(name: str) -> list[str]:
    """The words of a name, however they are joined: `X-Api-Key`, `apiKey`, `api%5Fkey`."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", unquote(name))
    return re.findall("[a-z0-9]+", spaced.lower())


def variables_named(config: Any) -> set[str]:
    """The environment variables that a config names as holding keys, wherever it does.

    Those under a key that ends in `env` (as text, in a list, or as a mapping's values), and those
    that a text refers to as `$NAME`.

    >>> sorted(variables_named({"api_key_env": "LAB", "headers_env": {"X-Auth": "TWO"}}))
    ['LAB', 'TWO']
    """
    found: set[str] = set()
    for path, value in _texts(config):
        found.update(_REFERENCE.findall(value))
        if _is_env(path):
            found.add(value.strip())
    return found


def _is_env(path: tuple[str, ...]) -> bool:
    """Whether the name of a variable belongs there: under `..._env`, also in a mapping below it.

    A mapping called `env` alone gives variables their values.
    """
    own, around = (_words(name) for name in (*("", ""), *path)[:-3:-1])
    return own[-1:] == ["env"] or (around[-1:] == ["env"] and len(around) > 1)


def _texts(entry: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every text of a config with the keys that lead to it."""
    if isinstance(entry, Mapping):
        for name, value in entry.items():
            yield from _texts(value, (*path, str(name)))
    elif isinstance(entry, list | tuple | set):
        for value in entry:
            yield from _texts(value, path)
    elif isinstance(entry, str):
        yield path, entry


def keys_in(config: Any, environ: Mapping[str, str] = os.environ) -> Iterator[str]:
    """What in a config looks like a key, each in a sentence that shows none of it.

    Looked at are names, headers, addresses, arguments of programs, the names of variables, and
    every text: does it hold a key of the environment, or what has a host's form of one?
    """
    values = key_values(environ, variables_named(config))
    seen = set()
    for where, what in _suspects(config, (), environ, values):
        if where not in seen:
            seen.add(where)
            yield f"{'/'.join(where)}: {what}; {REMEDY}"


def check_model(model: Any) -> None:
    """Raise ValueError where a `Model`'s config entry holds what looks like a key."""
    entry = {"model": model.model, "base_url": model.base_url, "api_key_env": model.api_key_env}
    entry |= {"parameters": model.parameters, **model.options}
    for found in keys_in({"models": {model.name: entry}}):
        raise ValueError(found)


def _suspects(
    entry: Any, path: tuple[str, ...], environ: Mapping[str, str], values: list[str]
) -> Iterator[tuple[tuple[str, ...], str]]:
    """(where, what) of everything in a part of a config that looks like a key."""
    if isinstance(entry, Mapping):
        for name, value in entry.items():
            if spots(str(name), values):
                yield (*path, "…"), "a name looks like a key"
                continue
            where = (*path, str(name))
            said = says_key(str(name), *path[-1:]) or _exported(str(name))
            if said and not _is_env(where) and _is_secret(value, str(name)):
                yield where, "what stands there looks like a key"
            yield from _suspects(value, where, environ, values)
    elif isinstance(entry, list | tuple):
        yield from ((path, what) for what in _in_arguments([*entry]))
        for value in entry:
            yield from _suspects(value, path, environ, values)
    elif isinstance(entry, str):
        if _is_env(path) and entry and not _is_variable(entry, environ):
            yield path, "that is no name of an environment variable, and may be the key itself"
        elif spots(entry, values):
            yield path, "what stands there looks like a key"
        if path[-1:] == ("command",):
            yield from ((path, what) for what in _in_arguments([entry]))
        yield from ((path, what) for what in _in_pairs(entry))
        yield from ((path, what) for what in _in_address(entry))


def _exported(name: str) -> bool:
    """Whether a name is a variable's as programs are given them, and a key's."""
    return name.isupper() and names_key(name)


def _is_variable(text: str, environ: Mapping[str, str]) -> bool:
    """Whether a text names an environment variable and is not a key itself."""
    if text in environ:
        return True
    runs = [run for run in text.split("_") if len(run) >= 12]
    by_chance = any(drawn(run) and (len(run) >= 24 or not run.isupper()) for run in runs)
    return bool(_VARIABLE.fullmatch(text)) and not by_chance and not spots(text)


def _is_secret(value: Any, name: str) -> bool:
    """Whether a value under a name that says so is a secret: no flag, no reference, no mark."""
    if isinstance(value, str):
        mark = _words(name)[-1:] == ["token"] and not re.fullmatch(r"[\w.~+/=-]{6,}", value)
        named = value.isupper() and bool(_VARIABLE.fullmatch(value)) and names_key(value)
        return not (is_placeholder(value) or mark or named)
    return isinstance(value, int) and not isinstance(value, bool) and value > 999_999


def _in_address(text: str) -> Iterator[str]:
    """What in an address (or in a text that holds one) is a key."""
    if re.search(r"(?:^|[\s\"'=])(?!mailto:)[^\s/:@]+:[^\s/@]+@[A-Za-z0-9]", text):
        yield "the part before the @ looks like a key"
    for address in re.findall(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?/{2,3}[^\s\"'<>]+", text):
        try:
            parts = urlsplit(address)
        except ValueError:
            continue
        user = unquote(parts.netloc).rpartition("@")[0]
        if not all(is_placeholder(part) for part in user.split(":")):
            yield "the part before the @ looks like a key"
        pairs = [pair for part in (parts.query, parts.fragment) for pair in _pairs(part)]
        for name, value in pairs:
            said = says_key(name) or unquote(name).lower() in _QUERY or names_key(unquote(name))
            if (said and not is_placeholder(value)) or _is_long_draw(value):
                yield f"?{name}=… looks like a key"
        if any(_is_long_draw(part) and not _HEX.fullmatch(part) for part in parts.path.split("/")):
            yield "a part of the path looks like a key"


def _in_pairs(text: str) -> Iterator[str]:
    """What in a text of pairs is a key, as databases are told where they are: `host=x password=y`,
    `Server=x;Pwd=y`."""
    for name, value in re.findall(r"(?:^|[\s;])([A-Za-z][\w.-]*)\s?=\s?([^\s;]+)", text):
        if says_key(name) and _is_secret(value.strip("\"'"), name):
            yield f"what follows {name}= looks like a key"


def _pairs(query: str) -> list[tuple[str, str]]:
    return parse_qsl(query.replace(";", "&"))


def _is_long_draw(text: str) -> bool:
    """Whether a text holds a run of letters and digits that nobody would have thought up."""
    return any(drawn(run) for run in re.findall("[A-Za-z0-9]{20,}", unquote(text)))


def _in_arguments(arguments: list[Any]) -> Iterator[str]:
    """What among a program's arguments is a key: `--api-key K`, `--token=K`, `API_KEY=K`,
    `-H 'X-Auth-Token: K'`, `-u me:K`, and all that in a line for a shell."""
    texts = [each if isinstance(each, str) else "" for each in arguments]
    for text, after in zip(texts, [*texts[1:], ""], strict=False):
        option = re.fullmatch(r"-{1,2}[A-Za-z][\w.-]*", text) is not None
        login = text in _LOGINS and ":" in after and not re.fullmatch(r"\d+:\d+", after)
        given = option and says_key(text) and after and not after.startswith("-")
        if login or (given and _is_secret(after, text)):
            yield f"what follows {text} looks like a key"
        for name, value in re.findall(r"(?:^|\s)-{0,2}([A-Za-z][\w.-]*)[=:]\s*(\S+)", text):
            said = says_key(name, "headers") or _exported(name)
            if said and _is_secret(value.strip("\"'"), name):
                yield f"what follows {name} looks like a key"
        if len(text.split()) > 1:
            yield from _in_arguments(_shell_words(text))


def _shell_words(line: str) -> list[Any]:
    try:
        words = shlex.split(line)
    except ValueError:
        words = line.split()
    return words if words != [line] else []
