"""What would stop a study later, found in seconds and all at once; nothing is asked or written."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veridical.base.checks import corpora_named, corpora_of, models_named
from veridical.base.counterfeits import authored, counterfeited, counterfeits
from veridical.check.counterfeits import counterfeits_lacking, unasked
from veridical.check.languages import lacking_texts
from veridical.corpora.corpus import read_corpus
from veridical.ledger.pricing import Prices
from veridical.models.exchange import Model

if TYPE_CHECKING:
    from veridical.corpora.corpus import Corpus

CHARACTERS = 6  # that a token stands for, at most


def problems(
    config: Mapping[str, Any],
    prices: Path,
    corpora: Path = Path("data/corpora"),
    environ: Mapping[str, str] = os.environ,
) -> Iterator[str]:
    """Every reason why a checked config's study could not be carried out, a sentence each.

    Corpora that break their contract, texts that a corpus's language lacks, probes that can't be
    drawn, models whose provider refuses their entry, whose key or program is not there, whose
    context is too short for the documents, or whose price a ceiling in money would need.
    """
    read, broken = _read(corpora, corpora_named(config))
    yield from broken
    yield from lacking_texts(config, {name: life.language for name, life in read.items()})
    yield from _probes(config, read)
    yield from _tables(config, read)
    yield from counterfeits_lacking(config, read)
    yield from unasked(config, read)
    yield from _models(config, environ)
    yield from _contexts(config, read)
    yield from _prices(config, prices)
    yield from _alarm(config)
    yield from _own_tasks(config)
    yield from _maps(config)


def _alarm(config: Mapping[str, Any]) -> Iterator[str]:
    """An age score from which on there is an alarm, and that no session can reach."""
    from veridical.aas.score import AgeReading

    part = config.get("aas", {})
    if part.get("alarm") is None:
        return
    bound = AgeReading.from_config("registered", part).bound
    if part["alarm"] > bound:
        yield (
            f"aas/alarm: {part['alarm']} is above {bound:.3f}, the score of who recalls nothing: "
            "lower it, or no session can ever reach it"
        )


def _maps(config: Mapping[str, Any]) -> Iterator[str]:
    """Mode maps that can't be, or that are one twice."""
    from veridical.vpe.maps import named_maps

    part = config.get("vpe", {})
    try:
        named_maps(part.get("modes"), part.get("maps", {}))
    except ValueError as error:
        yield str(error)


def _own_tasks(config: Mapping[str, Any]) -> Iterator[str]:
    """Tasks of the age score that can't be asked or graded, and dates that are none."""
    from veridical.aas.protocol import plan_sessions

    part = config.get("aas", {})
    try:
        if part:
            given = [part.get(key) for key in ("sessions", "start", "languages")]
            plan_sessions(*given, part.get("dates", ()), part["tasks"])
    except ValueError as error:
        yield str(error)


def _read(folder: Path, names: Sequence[str]) -> tuple[dict[str, Corpus], list[str]]:
    """The corpora that can be read, and what is wrong with the others."""
    read, broken = {}, []
    for name in names:
        try:
            read[name] = read_corpus(folder / name)
        except (ValueError, OSError) as error:
            broken.append(str(error))
    return read, broken


def _probes(config: Mapping[str, Any], read: Mapping[str, Corpus]) -> Iterator[str]:
    """Probes that could not be drawn, and what would tell a partner without the document."""
    import numpy as np

    from veridical.control2.brought import read_own_probes as recognition_probes
    from veridical.control2.recognition import draw_probes
    from veridical.control3.brought import read_own_probes as symmetric_probes
    from veridical.control3.symmetric import check_symmetry, require_symmetry

    for name in corpora_of(config, "control3"):
        if name in read:
            part = config["control3"]
            try:
                found = check_symmetry(read[name], part["probes"], part["document_encounters"])
                require_symmetry(found)
                if part.get("probes_csv"):
                    symmetric_probes(Path(part["probes_csv"]), read[name], part["probes"])
            except ValueError as error:
                yield f"control3, corpus {name}: {error}"
    for name in corpora_of(config, "control2"):
        part, corpus = config["control2"], read.get(name)
        if corpus is not None and (part.get("probes_csv") or part["alterations"] == "rule"):
            try:
                if part.get("probes_csv"):
                    ids = corpus.records()["encounter_id"]
                    path, n = Path(part["probes_csv"]), part["probes"]
                    whose = {"corpus": name, "corpora": part["corpora"]}
                    recognition_probes(path, ids, corpus.memory_block, n, corpus.language, **whose)
                else:
                    draw_probes(corpus, part["probes"], np.random.default_rng(0))
            except ValueError as error:
                yield f"control2, corpus {name}: {error}"


def _tables(config: Mapping[str, Any], read: Mapping[str, Corpus]) -> Iterator[str]:
    """Tables that the study brings and that break their contract."""
    from veridical.control1.brought import read_own_responses, read_own_verdicts
    from veridical.control2.brought import read_own_answers as recognised
    from veridical.control3.brought import read_own_answers as partners

    one = config.get("control1", {})

    def responses(path: Path) -> Any:
        days = {name: read[name].test_day for name in one["corpora"]}
        documents = {name: counterfeits(config, name) for name in days}
        own = {"none": one["none"], "responders": one.get("responders", ())}
        return read_own_responses(path, days, documents, **own)

    about = config.get("control2", {}).get("corpora", ())
    cells = {name: one.get(name, ()) for name in ("responders", "corpora")}

    def verdicts(path: Path) -> Any:
        return read_own_verdicts(path, **cells)

    tries: list[tuple[str | None, Callable[[Path], Any]]] = [
        (one.get("verdicts_csv"), verdicts),
        (one.get("original_csv"), read_own_verdicts),
        (one.get("responses_csv") if {*one.get("corpora", ())} <= {*read} else None, responses),
        (config.get("control2", {}).get("answers_csv"), lambda path: recognised(path, about)),
        (config.get("control3", {}).get("answers_csv"), partners),
    ]
    for path, attempt in tries:
        try:
            if path:
                attempt(Path(path))
        except (ValueError, OSError) as error:
            yield str(error)


def _used(config: Mapping[str, Any]) -> list[Model]:
    """The models that a part which is on names, each once."""
    written = any(authored(config, corpus) for corpus in counterfeited(config))
    written = written or config.get("control2", {}).get("alterations") == "author"
    names = {
        name: None
        for key, listed in models_named(config).items()
        if not key.startswith("documents/") or written
        for name in listed
    }
    return [Model.from_config(name, config["models"][name]) for name in names]


def _models(config: Mapping[str, Any], environ: Mapping[str, str]) -> Iterator[str]:
    """Entries that a provider refuses, keys and programs that are not there."""
    from veridical.models.providers import open_provider

    for model in _used(config):
        try:
            provider = open_provider(model, environ=environ)
        except (ValueError, TypeError) as error:
            yield str(error)
            continue
        key = getattr(provider, "key_env", None)
        if key and not environ.get(key, "").strip():
            yield f"model {model.name!r}: the environment has no {key}, which holds its key"
        command = model.options.get("command")
        if command and shutil.which(str(command[0]), path=environ.get("PATH")) is None:
            yield f"model {model.name!r}: there is no program {command[0]!r}"
        for word in (command or ())[1:]:
            if str(word).endswith((".py", ".sh", ".js")) and not Path(word).is_file():
                yield f"model {model.name!r}: command: there is no file {word!r}"


def _contexts(config: Mapping[str, Any], read: Mapping[str, Corpus]) -> Iterator[str]:
    """Models whose context is surely too short for a memory document."""
    places = ("control1", "control2", "control3")
    for part in places:
        for name in corpora_of(config, part):
            for model in config[part].get("responders", []):
                entry = config["models"][model]
                length = len(read[name].memory_block) if name in read else 0
                if entry.get("context") and length / CHARACTERS > entry["context"]:
                    yield (
                        f"{part}: the memory document of corpus {name} has {length:,} characters, "
                        f"more than the context of {model!r} ({entry['context']:,} tokens) can hold"
                    )


def _prices(config: Mapping[str, Any], prices: Path) -> Iterator[str]:
    """Models without a price, where a ceiling in money could not be kept without one."""
    if config.get("budget", {}).get("money") is None:
        return
    table = Prices(prices)
    for model in _used(config):
        try:
            table.needed(model)
        except ValueError as error:
            yield f"model {model.name!r}: {error}"
