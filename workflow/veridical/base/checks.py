"""What a config names, and whether there are such models, documents, corpora, files, metrics."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.base.brought import brought, corpora_in, filled_keys
from veridical.base.code import LIBRARY
from veridical.base.counterfeits import check_documents
from veridical.base.folders import settings_of
from veridical.base.hints import check_file, near
from veridical.base.instrument import check_pairs, metric_lines, metrics_known
from veridical.base.lives import check_lives
from veridical.base.schema import named, provider_files, read_schema

CORPUS_NAME = "[A-Za-z0-9_]+"  # what a corpus's folder may be called, as a regular expression

# Providers whose servers can tell each token that was drawn.
TELL_TOKENS = ("embedded", "openai", "openai-compatible")

# Memory adapters: one file each, found by its name.
ADAPTERS = LIBRARY / "memories" / "adapters"
FAULTS = LIBRARY / "memories" / "faults"

# What corpus.yaml must word under `question`, by the part of the study that asks with it.
WORDINGS = {"control2": ("recognise",), "control3": ("with_whom", "or", "quote")}


def models_named(config: Mapping[str, Any]) -> dict[str, list[str]]:
    """The names of models that each key of the config uses."""
    return _named(config, "models")


def _named(config: Mapping[str, Any], kind: str) -> dict[str, list[str]]:
    """What the config's keys name of a kind; not those that a table of the study's own fills."""
    own = set(filled_keys(config))
    return {
        key: names for key, names in named(read_schema(), config, kind).items() if key not in own
    }


def corpora_named(config: Mapping[str, Any]) -> list[str]:
    """The corpora that the study uses, each once, in the order in which the config names them."""
    found = _named(config, "corpora").values()
    return list(dict.fromkeys(name for names in found for name in names))


def check_names(config: Mapping[str, Any]) -> Iterator[str]:
    """What a config names and there is not, each check in a sentence."""
    known = config["models"]
    for key, names in models_named(config).items():
        for name in names:
            if name not in known:
                yield f"{key}: no model {name!r} under models; {near(name, known)}"
    for check in (
        _check_models,
        check_documents,
        _check_rollouts,
        _check_corpora,
        _check_files,
        _check_memories,
        _check_benchmarks,
        _check_zoo,
        _check_problems,
        _check_questions,
        _check_metrics,
        check_pairs,
        _check_judges,
    ):
        yield from check(config)


def _check_models(config: Mapping[str, Any]) -> Iterator[str]:
    providers = list(provider_files())
    for name, entry in config["models"].items():
        provider = entry["provider"]
        if provider not in providers:
            yield f"models/{name}/provider: no provider {provider!r}; {near(provider, providers)}"
        if provider == "command" and "command" not in entry:
            yield f"models/{name}/command: missing; provider command needs the program to run"
        if provider == "openai-compatible" and "base_url" not in entry:
            yield f"models/{name}/base_url: missing; provider {provider} needs an address"


def _check_rollouts(config: Mapping[str, Any]) -> Iterator[str]:
    settings = config.get("vpe", {"models": []})
    for name in settings["models"]:
        entry = config["models"].get(name, {})
        provider = entry.get("provider")
        if provider == "embedded" and settings["sampling"].get("seed", 0) is None:
            yield (
                f"vpe/sampling/seed: null, but embedded model {name!r} always takes one, and "
                "would draw every horizon from the same: leave the key out"
            )
        tells = provider in TELL_TOKENS and entry.get("api") != "responses"
        if entry and settings["nested"] and not tells:
            yield (
                f"vpe/nested: provider {provider} of model {name!r} doesn't tell the "
                "tokens at which a rollout is cut; set nested: false"
            )


def _check_corpora(config: Mapping[str, Any]) -> Iterator[str]:
    for corpus in corpora_named(config):
        if not re.fullmatch(CORPUS_NAME, corpus):
            yield f"corpus {corpus!r}: a name has only letters, digits and underscores"
        elif not Path("data/corpora", corpus).is_dir():
            yield f"corpus {corpus!r}: no folder data/corpora/{corpus} (see config/README.md)"


def _check_files(config: Mapping[str, Any]) -> Iterator[str]:
    for key, paths in named(read_schema(), config, "files").items():
        for path in paths:
            yield from check_file(key, path)


def _check_questions(config: Mapping[str, Any]) -> Iterator[str]:
    """What a part needs of a corpus: noticed here, since later the author has been paid."""
    for part in WORDINGS:
        for corpus in dict.fromkeys(corpora_of(config, part)):
            settings = settings_of(corpus)
            worded = settings.get("question")
            for key in WORDINGS[part]:
                lacks = isinstance(worded, dict) and not worded.get(key)
                if lacks and settings.get("form") != "life":
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


def _check_memories(config: Mapping[str, Any]) -> Iterator[str]:
    """What the memory systems name: adapters, programs, corpora, readers' systems."""
    memories = config.get("memories", {})
    systems, corpora = memories.get("systems", {}), memories.get("corpora", ())
    adapters = sorted(path.stem.replace("_", "-") for path in ADAPTERS.glob("[a-z]*.py"))
    for name, entry in systems.items():
        where, known = f"memories/systems/{name}", [*adapters, "command"]
        if entry["adapter"] not in known:
            yield f"{where}/adapter: no {entry['adapter']!r}; {near(entry['adapter'], known, 0.0)}"
        yield from _check_fault(entry, where)
        if (entry["adapter"] == "command") != ("command" in entry):
            yield f"{where}/command: adapter command needs the program to run, no other takes one"
        if name in config["models"]:
            yield f"{where}: a model is called {name!r} too, and both keep a ledger by their name"
    if systems and ("control3" not in config or brought(config, "control3")):
        yield "memories: asks control3's probes, and control3 is off or brings its answers"
    probes = config.get("control3", {}).get("probes")
    if probes is not None and memories.get("entries", 0) > probes:
        yield f"memories/entries: what is asked about goes in; control3 asks {probes} probes"
    probed = config.get("control3", {}).get("corpora", corpora)
    yield from check_lives(config, probed)
    used = [("memories/corpora", corpora, probed, "control3/corpora")]
    for reader in memories.get("readers", ()):
        own = f"memories/readers/{reader['model']}"
        used.append((own, reader.get("systems", ()), systems, "memories/systems"))
    for part in ("control1", "control2"):
        system = config.get(part, {}).get("memory")
        if system is not None:
            yield from _check_through(config, part, probed)
            used.append((f"{part}/memory", [system], systems, "memories/systems"))
    for where, names, known, place in used:
        for name in names:
            if name not in known:
                yield f"{where}: no {name!r} under {place}; there are {', '.join(known)}"


def _check_through(config: Mapping[str, Any], part: str, probed: Sequence[str]) -> Iterator[str]:
    """What a control needs to go through a memory system: a bank of each of its documents."""
    memories = config.get("memories", {})
    known = memories.get("corpora") or probed
    if brought(config, part) or config[part].get("responses_csv"):
        yield f"{part}/memory: nobody is asked, since the study brings the answers as a table"
    for corpus in corpora_in(config[part]):
        if corpus not in known:
            yield f"{part}/memory: its corpus {corpus!r} is none of the memory systems' corpora"
    if "entries" in memories:
        yield f"{part}/memory: its whole documents go in; take `entries` out of memories"


def fault_names() -> list[str]:
    """The faults that can be planted in a memory system, read from their files."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(FAULTS.glob("*.py"))]
    return [name for text in texts for name in re.findall(r'\bkey\b[, a-z]* = "([a-z-]+)"', text)]


def _check_fault(entry: Mapping[str, Any], where: str) -> Iterator[str]:
    fault = entry.get("fault")
    if fault is None:
        return
    if entry["adapter"] == "command":
        yield f"{where}/fault: planted in adapters that ship, not in adapter command"
    name = fault if isinstance(fault, str) else fault["name"]
    if name not in fault_names():
        yield f"{where}/fault: no {name!r}; {near(name, fault_names(), 0.0)}"


def _check_benchmarks(config: Mapping[str, Any]) -> Iterator[str]:
    """Its memory systems; judges where its open answers are judged, and nowhere else."""
    part = config.get("benchmarks")
    if part is None:
        return
    systems = config.get("memories", {}).get("systems", {})
    for name in part["systems"]:
        if name not in systems:
            there = near(name, systems) if systems else "there are none; describe it there"
            yield f"benchmarks/systems: no {name!r} under memories/systems; {there}"
    if part["scoring"] == "judges" and not part["judges"]:
        yield "benchmarks/judges: missing; scoring: judges needs models that judge"
    if "all" in part["judges"]:
        yield (
            "benchmarks/judges: a judge called 'all' would be taken for all judges together in the "
            "table of their agreement; give the model another name"
        )
    if part["scoring"] != "judges" and part["judges"]:
        yield (
            f"benchmarks/judges: named, and scoring is {part['scoring']}: set scoring: judges, or "
            "leave them out"
        )


def _check_zoo(config: Mapping[str, Any]) -> Iterator[str]:
    """What the fault zoo needs of the rest, and how its instruments are named."""
    part = config.get("zoo")
    if part is None:
        return
    if "control3" not in config or brought(config, "control3"):
        yield "zoo: it draws studies of control3's size, and control3 is off or brings its answers"
    for name, entry in part["instruments"].items():
        where = f"zoo/instruments/{name}"
        if ("function" in entry) == ("command" in entry):
            yield f"{where}: give it a function or a command, one of the two"
        path = Path(entry.get("function", "").rpartition(":")[0])
        if "function" in entry and (not path.is_file() or path.is_absolute() or ".." in path.parts):
            yield (
                f"{where}/function: {entry['function']!r} is no file of the project's folder and a "
                "function in it, as in path/to/file.py:name"
            )


def _check_problems(config: Mapping[str, Any]) -> Iterator[str]:
    """The file of problems, where the config says which one it must be."""
    part = config.get("vpe", {})
    wanted, path = part.get("problems_sha256"), Path(part.get("problems", ""))
    if wanted and path.is_file():
        found = hashlib.sha256(path.read_bytes()).hexdigest()
        if found != wanted:
            yield f"vpe/problems: {str(path)!r} has the SHA-256 {found}, not {wanted}"


def _check_metrics(config: Mapping[str, Any]) -> Iterator[str]:
    """Each metric needs a wording, its own or a shipped one, in the corpus's language."""
    part = config.get("control1")
    asked = part and not brought(config, "control1")
    named = part["corpora"] if asked else []
    for language in dict.fromkeys(settings_of(name).get("language") for name in named):
        known = metrics_known(language) if language else []
        if language and (known or part["wording"]):  # else the whole file is among those missing
            yield from metric_lines(part["metrics"], part["wording"], language, known)[1]


def _check_judges(config: Mapping[str, Any]) -> Iterator[str]:
    """Judges that run in the process beside a responder that doesn't: too small to judge it."""
    part, models = config.get("control1", {}), config["models"]
    providers = {name: models.get(name, {}).get("provider") for name in part.get("responders", ())}
    here = ("embedded", "scripted", None)
    elsewhere = {name: each for name, each in providers.items() if each not in here}
    judges = part.get("judges", ())
    small = [name for name in judges if models.get(name, {}).get("provider") == "embedded"]
    if small and elsewhere:
        name, provider = next(iter(elsewhere.items()))
        yield (
            f"control1/judges: {', '.join(small)} would judge what {name!r} "
            f"(provider {provider}) writes; a model that runs in the process is too small for "
            "that, and what such a panel lets pass shows nothing: name judges of the responder's "
            "size, or rehearse with provider scripted"
        )


def corpora_of(config: Mapping[str, Any], part: str) -> list[str]:
    """The corpora that one part of the study names, in the order of its keys."""
    found = _named(config, "corpora")
    return [name for key, names in found.items() if key.startswith(f"{part}/") for name in names]
