"""The study's config: checked against its schema, and its names against one another."""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from veridical.base.given import as_wanted, read_config
from veridical.base.keyless import keys_in
from veridical.base.yaml_files import YAMLError

SCHEMA = Path(__file__).parents[2] / "schemas" / "config.schema.yaml"

TYPES = {
    "array": "a list, as in [a, b]",
    "object": "a mapping of keys to values",
    "integer": "a whole number",
    "number": "a number",
    "string": "text",
    "boolean": "true or false",
}

CORPUS_NAME = "[A-Za-z0-9_]+"  # what a corpus's folder may be called, as a regular expression

# Providers whose servers can tell each token that was drawn.
TELL_TOKENS = ("embedded", "openai", "openai-compatible")

# Memory adapters: one file each, found by its name.
ADAPTERS = Path(__file__).parents[1] / "memories" / "adapters"

# What corpus.yaml must word under `question`, by the part of the study that asks with it.
WORDINGS = {"control2": ("recognise",), "control3": ("with_whom", "or", "quote")}


class ConfigError(ValueError):
    """Something in the config is wrong; the message names each key and says what to do."""


def read_schema() -> dict[str, Any]:
    """The schema of a config, as a dict."""
    return yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))


def plain(config: Mapping[str, Any]) -> dict[str, Any]:
    """The config in JSON's types: dates, which YAML makes of 2025-08-11, become text again."""
    return json.loads(json.dumps(config, default=str))


def check_config(
    config: Mapping[str, Any], environ: Mapping[str, str] = os.environ
) -> dict[str, Any]:
    """Check a config whole and return it in plain types.

    Raises ConfigError listing every problem: keys of servers that stand in it (`environ` tells
    those in use); unknown keys with the nearest valid one, wrong types and ranges, models and
    corpora that are named but not described.
    """
    import jsonschema

    schema = read_schema()
    config, problems = as_wanted(config, schema)
    config = plain(config)
    if keys := list(keys_in(config, environ)):
        raise ConfigError(_listed(keys))  # alone: other messages quote what stands in the config
    validator = jsonschema.Draft202012Validator(schema)
    for error in sorted(validator.iter_errors(config), key=lambda error: list(error.path)):
        problems.extend(_explain(error))
    if not problems:
        problems = list(_check_names(config))
    if problems:
        raise ConfigError(_listed(problems))
    return config


def configure(
    files: Iterable[Path | str], arguments: Sequence[str] | None = None
) -> dict[str, Any]:
    """The checked config that files and the command line's `key=value` make together.

    Raises ConfigError, naming file, line and column where a file is no YAML; else as
    `check_config` does.
    """
    try:
        return check_config(read_config(files, arguments))
    except YAMLError as error:
        raise ConfigError(f"the config can't be read:\n  - {error}") from None
    except OSError as error:
        raise ConfigError(
            f"the config can't be read:\n  - {error.filename}: {error.strerror}"
        ) from None


def _listed(problems: Iterable[str]) -> str:
    return "the config can't be used:\n" + "\n".join(f"  - {problem}" for problem in problems)


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


def models_named(config: Mapping[str, Any]) -> dict[str, list[str]]:
    """The names of models that each key of the config uses."""
    return {
        "documents/author": [config["documents"]["author"]],
        "control1/responder": [config["control1"]["responder"]],
        "control1/judges": config["control1"]["judges"],
        "control2/responders": config["control2"]["responders"],
        "control3/responders": config["control3"]["responders"],
        "aas/models": config["aas"]["models"],
        "vpe/models": config["vpe"]["models"],
        "memories/readers": [reader["model"] for reader in _memories(config).get("readers", ())],
    }


def _memories(config: Mapping[str, Any]) -> Mapping[str, Any]:
    return config.get("memories") or {}


def corpora_named(config: Mapping[str, Any]) -> list[str]:
    """The corpora that the study uses, each once, in the order in which the config names them."""
    names = [config["control1"]["corpus"], config["control2"]["corpus"]]
    return list(dict.fromkeys([*names, *config["control3"]["corpora"]]))


def _check_names(config: Mapping[str, Any]) -> Iterator[str]:
    known = config["models"]
    for key, names in models_named(config).items():
        for name in names:
            if name not in known:
                near = difflib.get_close_matches(name, known, n=1, cutoff=0.3)
                hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
                yield f"{key}: no model {name!r} under models; {hint}"
    documents = [f"foreign-{seed}" for seed in config["documents"]["foreign_seeds"]]
    documents += [f"shuffled-{seed}" for seed in config["documents"]["shuffled_seeds"]]
    counterfeit = config["control2"]["counterfeit"]
    if counterfeit not in documents:
        yield f"control2/counterfeit: no document {counterfeit!r}; known: {', '.join(documents)}"
    for name in config["documents"]["further_attempts"]:
        if name not in documents:
            yield (
                f"documents/further_attempts/{name}: foreign_seeds asks for no such document; "
                f"known: {', '.join(documents)}"
            )
    for name, entry in known.items():
        if entry["provider"] == "command" and "command" not in entry:
            yield f"models/{name}/command: missing; provider command needs the program to run"
        if entry["provider"] in ("openai-compatible",) and "base_url" not in entry:
            yield f"models/{name}/base_url: missing; provider {entry['provider']} needs an address"
    if "seed" in (sampling := config["vpe"].get("sampling", {})) and sampling["seed"] is None:
        for name in config["vpe"]["models"]:
            if known.get(name, {}).get("provider") == "embedded":
                yield (
                    f"vpe/sampling/seed: null, but embedded model {name!r} always takes one, and "
                    "would draw every horizon from the same: leave the key out"
                )
    if config["vpe"].get("nested"):
        for name in config["vpe"]["models"]:
            entry = known.get(name, {})
            told = entry.get("provider") in TELL_TOKENS and entry.get("api") != "responses"
            if entry and not told:
                yield (
                    f"vpe/nested: provider {entry['provider']} of model {name!r} doesn't tell the "
                    "tokens at which a rollout is cut; set nested: false"
                )
    yield from _check_memories(config)
    for corpus in corpora_named(config):
        if not re.fullmatch(CORPUS_NAME, corpus):
            yield f"corpus {corpus!r}: a name has only letters, digits and underscores"
        elif not Path("data/corpora", corpus).is_dir():
            yield f"corpus {corpus!r}: no folder data/corpora/{corpus} (see config/README.md)"
    for part, key in (("vpe", "problems"), ("aas", "sessions_csv")):
        path = config[part].get(key)
        if path and not Path(path).is_file():
            yield f"{part}/{key}: no file {path!r}; paths are taken from the project's folder"
        elif path and (Path(path).is_absolute() or ".." in Path(path).parts):
            yield (
                f"{part}/{key}: {path!r} may lie outside the project, where it can't be sealed: "
                "copy it into data/ and name it from the project's folder"
            )
    yield from _check_questions(config)


def _check_memories(config: Mapping[str, Any]) -> Iterator[str]:
    """What the memory systems name: adapters, programs, corpora, readers' systems."""
    memories = _memories(config)
    systems, corpora = memories.get("systems", {}), memories.get("corpora", ())
    adapters = sorted(path.stem.replace("_", "-") for path in ADAPTERS.glob("[a-z]*.py"))
    for name, entry in systems.items():
        where = f"memories/systems/{name}"
        if entry["adapter"] not in (*adapters, "command"):
            near = difflib.get_close_matches(entry["adapter"], adapters, n=1, cutoff=0.0)
            yield (
                f"{where}/adapter: no {entry['adapter']!r}; did you mean {near[0]!r}? There are "
                + (", ".join([*adapters, "command"]))
            )
        if (entry["adapter"] == "command") != ("command" in entry):
            yield f"{where}/command: adapter command needs the program to run, no other takes one"
        if name in config["models"]:
            yield f"{where}: a model is called {name!r} too, and both keep a ledger by their name"
    named = [("memories/corpora", corpora, config["control3"]["corpora"], "control3/corpora")]
    for reader in memories.get("readers", ()):
        own = f"memories/readers/{reader['model']}"
        named.append((own, reader.get("systems", ()), systems, "memories/systems"))
    for where, names, known, place in named:
        for name in names:
            if name not in known:
                yield f"{where}: no {name!r} under {place}; there are {', '.join(known)}"


def _check_questions(config: Mapping[str, Any]) -> Iterator[str]:
    """What a part needs of a corpus: noticed here, since later the author has been paid."""
    uses = {"control2": [config["control2"]["corpus"]], "control3": config["control3"]["corpora"]}
    for part, corpora in uses.items():
        for corpus in dict.fromkeys(corpora):
            settings = _settings(corpus)
            worded = settings.get("question")
            for key in WORDINGS[part]:
                if isinstance(worded, dict) and not worded.get(key):
                    yield (
                        f"corpus {corpus!r}, corpus.yaml: question/{key} is missing; {part} asks "
                        "with it (see workflow/notes/corpora.md)"
                    )
            partners, probes = settings.get("partners"), config[part]["probes"]
            counted = part == "control3" and isinstance(partners, list) and partners
            if counted and probes % len(partners):
                yield (
                    f"control3/probes: {probes} is not a multiple of {len(partners)}, the number "
                    f"of partners of corpus {corpus!r}"
                )


def _settings(corpus: str) -> dict[str, Any]:
    """A corpus's corpus.yaml; empty where it can't be read, which the corpus's reader explains."""
    try:
        settings = yaml.safe_load(Path("data/corpora", corpus, "corpus.yaml").read_text("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        return {}
    return settings if isinstance(settings, dict) else {}
