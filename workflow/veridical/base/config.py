"""The study's config: checked against its schema, and its names against one another."""

from __future__ import annotations

import difflib
import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.base.brought import bring, corpora_in
from veridical.base.checks import check_names
from veridical.base.given import as_wanted, read_config
from veridical.base.hints import near
from veridical.base.instrument import resolve
from veridical.base.keyless import keys_in
from veridical.base.schema import fill_defaults, part_names, read_schema
from veridical.base.yaml_files import NOTHING, YAMLError

TYPES = {
    "array": "a list, as in [a, b]",
    "object": "a mapping of keys to values",
    "integer": "a whole number",
    "number": "a number",
    "string": "text",
    "boolean": "true or false",
}


NEEDS = {"memories": ("control3",), "zoo": ("control3",)}  # what a part has of another
#: By part: the key under which it names memory systems, if it goes through any.
THROUGH = {"control1": "memory", "control2": "memory", "benchmarks": "systems"}


class ConfigError(ValueError):
    """Something in the config is wrong; the message names each key and says what to do."""


def plain(config: Mapping[str, Any]) -> dict[str, Any]:
    """The config in JSON's types: dates, which YAML makes of 2025-08-11, become text again."""
    return json.loads(json.dumps(config, default=str))


def off(value: Any) -> bool:
    """Whether a part is set to nothing: left empty, or `off` in one of YAML's words for it."""
    return not value or (
        isinstance(value, str) and value.lower() in ("off", "no", "false", *NOTHING)
    )


def check_config(
    config: Mapping[str, Any], environ: Mapping[str, str] = os.environ
) -> dict[str, Any]:
    """Check a config whole and return it in plain types, with every key's default filled in.

    A part that is `off` or not there is left out. Raises ConfigError listing every problem: keys of
    servers that stand in it (`environ` tells those in use); unknown keys with the nearest valid
    one, wrong types and ranges, names of models, corpora, providers and metrics that there are not.
    """
    import jsonschema

    schema = read_schema()
    parts = part_names(schema)
    config = {key: value for key, value in config.items() if key not in parts or not off(value)}
    config, lost = resolve(config)
    config, open_ = bring(config)
    config, problems = as_wanted(config, schema)
    config, problems = plain(config), [*lost, *open_, *problems]
    if keys := list(keys_in(config, environ)):
        raise ConfigError(_listed(keys))  # alone: other messages quote what stands in the config
    validator = jsonschema.Draft202012Validator(schema)
    for error in sorted(validator.iter_errors(config), key=lambda error: list(error.path)):
        problems.extend(_explain(error))
    problems.extend(f"{path}: {value} is no finite number" for path, value in _endless(config))
    if not problems and not parts_on(config):
        problems.append(f"no part is on; describe at least one of {', '.join(parts)}")
    if not problems:
        config, _ = fill_defaults(schema, config)
        problems = list(check_names(config))
    if problems:
        raise ConfigError(_listed(problems))
    return config


def _endless(entry: Any, path: str = "") -> Iterator[tuple[str, float]]:
    """Every number that is none: NaN is neither over nor under a bound of the schema."""
    if isinstance(entry, float) and not math.isfinite(entry):
        yield path, entry
    elif isinstance(entry, Mapping | list):
        below = entry.items() if isinstance(entry, Mapping) else enumerate(entry)
        for key, value in below:
            yield from _endless(value, f"{path}/{key}".lstrip("/"))


def only_parts(config: Mapping[str, Any]) -> dict[str, Any]:
    """The config of the parts that its key `only` names, as a study of its own.

    The other parts are off, but for what those need: Control 3 for memory systems and the zoo,
    memory systems for a part that goes through one. Lives brought for parts that are off stay out.
    The study's name is followed by the parts' names, so it has its own results, ledgers and chain
    of seals.
    Raises ConfigError where there is no such part, or the config doesn't describe it.
    """
    config = dict(config)
    named = config.pop("only", None)
    if named is None:
        return config
    named = [str(each) for each in (named if isinstance(named, list) else [named])]
    known = [part for part in part_names(read_schema()) if not off(config.get(part))]
    if wrong := [name for name in named if name not in known]:
        raise ConfigError(_listed([f"only: no part {wrong[0]!r}; {near(wrong[0], known)}"]))
    kept = set(named)
    while more := {need for name in kept for need in _needs(config, name)} - kept:
        kept |= more
    dropped = set(part_names(read_schema())) - kept
    config = {key: value for key, value in config.items() if key not in dropped}
    return _without_lives(config) | {"study": "-".join([str(config.get("study", "")), *named])}


def _needs(config: Mapping[str, Any], part: str) -> Iterator[str]:
    """The parts that a part, as it is described, has something of."""
    given = config.get(part)
    if isinstance(given, Mapping) and given.get(THROUGH.get(part, "")):
        yield "memories"
    yield from NEEDS.get(part, ())


def _without_lives(config: Mapping[str, Any]) -> dict[str, Any]:
    """The config without the lives that were brought for parts it no longer has."""
    documents = config.get("documents")
    if not isinstance(documents, Mapping) or not isinstance(documents.get("own"), Mapping):
        return dict(config)
    parts = (config.get(name) for name in ("control1", "control2"))
    used = {name for part in parts if isinstance(part, Mapping) for name in corpora_in(part)}
    own = {name: lives for name, lives in documents["own"].items() if name in used}
    return {**config, "documents": {**documents, "own": own}}


def configure(
    files: Iterable[Path | str], arguments: Sequence[str] | None = None
) -> dict[str, Any]:
    """The checked config that files and the command line's `key=value` make together.

    Raises ConfigError, naming file, line and column where a file is no YAML; else as
    `check_config` does.
    """
    try:
        return check_config(only_parts(read_config(files, arguments)))
    except YAMLError as error:
        raise ConfigError(f"the config can't be read:\n  - {error}") from None
    except OSError as error:
        raise ConfigError(
            f"the config can't be read:\n  - {error.filename}: {error.strerror}"
        ) from None


def _listed(problems: Iterable[str]) -> str:
    return "the config can't be used:\n" + "\n".join(f"  - {problem}" for problem in problems)


def parts_on(config: Mapping[str, Any]) -> list[str]:
    """The parts that a checked config has."""
    return [part for part in part_names(read_schema()) if part in config]


def unsaid(files: Iterable[Path | str], arguments: Sequence[str] | None = None) -> list[str]:
    """The keys that a config as written leaves to their defaults, by their paths."""
    return fill_defaults(read_schema(), only_parts(read_config(files, arguments)))[1]


def _explain(error: Any) -> Iterator[str]:
    """A schema error in words."""
    where = "/".join(str(part) for part in error.path)
    if error.validator == "additionalProperties" and isinstance(error.instance, dict):
        valid = error.schema.get("properties", {})
        for key in error.instance:
            if key not in valid:
                path = f"{where}/{key}" if where else key
                near = difflib.get_close_matches(key, valid, n=1, cutoff=0.5)
                hint = f"did you mean {near[0]!r}?" if near else f"known here: {', '.join(valid)}"
                yield f"{path}: unknown key; {hint}"
    elif error.validator == "required":
        missing = [key for key in error.validator_value if key not in error.instance]
        yield from (f"{where}/{key}".lstrip("/") + ": missing" for key in missing[:1])
    elif error.validator == "type" and error.validator_value in TYPES:
        yield f"{where or 'config'}: {error.instance!r} is not {TYPES[error.validator_value]}"
    else:
        yield f"{where or 'config'}: {error.message}"
