"""One zip from which a reader with no key and no model gets the same tables and figures.

The zip depends on the content of its files alone: sorted names, one time stamp, one mode, nothing
compressed (compressors differ between machines). Its name carries the first eight hex digits of the
SHA-256 of the `SHA256SUMS` at its root, which lists every other file.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from veridical.archive.citation import licences, read_citation, zenodo_metadata
from veridical.archive.crate import build_crate, crate_text, locked_versions, run_times
from veridical.archive.privacy import own_secrets, report, scan
from veridical.archive.statements import PRML_FOLDER, STATEMENT, intoto_statement, prml_manifests
from veridical.base.allowed import ALLOW_LIST, Allowed, read_allowed
from veridical.base.checks import corpora_named
from veridical.base.files import atomic
from veridical.base.keyless import variables_named
from veridical.base.sources import only_named
from veridical.freeze.design import archive_settings
from veridical.freeze.left_off import awaited
from veridical.freeze.manifest import file_sha256, folder, records_there, sealed_files
from veridical.freeze.verify import SUMS, verify
from veridical.ledger.exports import is_replies, replies_export

ROOT_FILES = ("CITATION.cff", "LICENSE", "Snakefile", "pyproject.toml", "uv.lock")
# What is packed of the project: file names, and below folders the kinds of file that belong there.
OWN_FILES = (
    "config/README.md",
    "config/config.yaml",
    "config/privacy-allowed.csv",
    "data/README.md",
    "data/prices.csv",
    "data/sources.csv",
    "data/weights.csv",
)
SOURCES_FILE = "data/sources.csv"
OWN_KINDS = {
    "workflow": ".css .csv .html .j2 .js .json .md .png .py .rst .smk .svg .ttf .txt .woff2 .yaml",
    "envs": ".txt .yaml",
    "profiles": ".sh .yaml",
    "data/published": ".csv",
    "results/published": ".csv",
}
ALONE = ("envs/Containerfile",)
SPARE = ("~", ".bak", ".orig", ".part", ".rej", ".save", ".swp", ".tmp")  # how spare copies end
REPLAY = "uv run --locked snakemake --forceall --configfile config/replay.yaml"
EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time a zip can hold


class ArchiveError(ValueError):
    """The archive can't be built as things are; the message says what to do."""


def choose_files(study: str, corpora: Iterable[str], root: Path | str = ".") -> dict[str, Path]:
    """What is packed from disk: path in the archive → file.

    What the study names and nothing else: code, lock, default config and tables of the project; the
    corpora named; whatever is sealed; the study's records, receipts, replies, report and figures.
    The replies files, which hold every exchange, lie under `data/replies` a second time: there a
    replay reads them, while it makes those under `results` anew. Not packed: other studies and
    their configs, weights, ledgers, earlier archives, hidden, compiled and spare files, and what
    nobody named. The project's README becomes PROJECT.md.

    Raises ArchiveError naming what is missing at the root, and a link that leads out of the
    project or to something that isn't packed.
    """
    root = Path(root)
    missing = [name for name in ROOT_FILES if not (root / name).is_file()]
    if missing:
        raise ArchiveError(f"{missing[0]} is missing at the project's root; an archive needs it")
    chosen = {name: root / name for name in (*ROOT_FILES, *OWN_FILES, *ALONE)}
    chosen = {name: path for name, path in chosen.items() if path.is_file()}
    about = root / "PROJECT.md" if (root / "PROJECT.md").is_file() else root / "README.md"
    if about.is_file():
        chosen["PROJECT.md"] = about
    for folder_, kinds in OWN_KINDS.items():
        chosen |= _below(root, folder_, tuple(kinds.split()))
    for corpus in corpora:
        chosen |= _below(root, f"data/corpora/{corpus}", ("",))
    chosen |= _below(root, f"data/freeze/{study}", ("",))
    chosen |= _below(root, f"figures/{study}", (".svg", ".pdf"))
    for name, path in _below(root, f"results/{study}", (".jsonl", ".json", ".html")).items():
        part, *_ = name.removeprefix(f"results/{study}/").split("/")
        if part in ("freeze", "report") or is_replies(path):
            chosen[name] = path
    sealed = (name for names in sealed_files(study, root).values() for name in names)
    chosen |= {name: root / name for name in sealed}
    chosen |= {
        replies_export(name): path
        for name, path in sorted(chosen.items())
        if name.startswith("results/") and is_replies(path)
    }
    _check_links(chosen, root)
    return chosen


def _below(root: Path, top: str, ends: tuple[str, ...]) -> dict[str, Path]:
    """The files below a folder whose names end so: none hidden, compiled, spare or left behind."""
    found = {}
    for path in sorted((root / top).rglob("*")):
        name = path.relative_to(root).as_posix()
        hidden = any(part.startswith(".") or part == "__pycache__" for part in name.split("/"))
        spare = name.endswith((*SPARE, ".pyc", ".found.json")) or path.name.startswith("#")
        if name.endswith(ends) and not hidden and not spare and path.is_file():
            found[name] = path
    return found


def _check_links(chosen: Mapping[str, Path], root: Path) -> None:
    """Raises ArchiveError where a chosen file is a link that leads to what isn't chosen."""
    own = root.resolve()
    real = {path.absolute() for path in chosen.values()}
    for name, path in chosen.items():
        target = path.resolve()
        straight = own / path.relative_to(root)
        if target == straight:
            continue
        if not target.is_relative_to(own):
            raise ArchiveError(f"{name} is a link that leads out of the project: put a copy there")
        if target not in real and root.absolute() / target.relative_to(own) not in real:
            raise ArchiveError(
                f"{name} is a link to {target.relative_to(own).as_posix()}, which is not packed: "
                "put a copy there"
            )


def source_digest(study: str, corpora: Iterable[str], root: Path | str = ".") -> str:
    """SHA-256 over what is packed apart from results, figures and records: a param for a rule."""
    digest = hashlib.sha256()
    for name, path in sorted(choose_files(study, corpora, root).items()):
        if not name.startswith(("results/", "figures/", "data/freeze/", "data/replies/")):
            digest.update(f"{file_sha256(path)}  {name}\n".encode())
    return digest.hexdigest()


def readme(study: str, title: str, citation: Mapping[str, Any]) -> str:
    """What the reader of the archive sees first."""
    sums = folder(study).as_posix()
    return f"""# {citation["title"]}

Study `{study}`{f": {title}" if title else ""}. This archive holds all of it: what was asked, what
every model replied, how that was analysed, and what came out. PROJECT.md describes the project.

## Rebuild every table and figure

    {REPLAY}

It asks no model and needs no key: each reply is taken from `data/replies/{study}`. It needs
[uv](https://docs.astral.sh/uv/), which installs the locked packages (the only thing fetched). What
it rebuilds replaces what lies in `results/` and `figures/`; the command ends with an error that
names each table that comes out otherwise than it was sealed.

## Check

    sha256sum -c --quiet {SUMS}                      # every file of this archive
    sha256sum -c --quiet {sums}/*.SHA256SUMS
    uv run --locked --group timestamps python -m veridical.freeze.verify --study {study}

The last does both, names what was added, and checks the receipts of time, where there are any.

The first eight digits of `sha256sum {SUMS}` are those in the archive's name. Run the checks before
a replay and after it: the bytes are the same.

## What lies where

- `{sums}/`: the freeze, a manifest a stage, each with the hash of the one before: `study`, then
  every part's own (`control1-design`, `-responses`, `-verdicts`, `-results`), then `results`, which
  closes all of them; `deviations.csv`, where the study departed from what was sealed, and why
- `config/replay.yaml`: the config as used, with `collect: false`
- `results/{study}/*/prompts`, `results/{study}/*/replies`: every exchange with every model; the
  replies lie in `data/replies` once more, for the replay to read
- `results/{study}/`, `figures/{study}/`: tables, report, figures
- `{STATEMENT}`, `{PRML_FOLDER}/`: the freeze as an in-toto Statement, and what it registers as PRML
  manifests, for tools that read these; neither is signed
- `ro-crate-metadata.json`: all of it for machines (RO-Crate 1.1, Workflow Run Crate 0.5)

Licence: {" or ".join(licences(citation))}. To cite it, see CITATION.cff.
"""


def describe(
    study: str,
    config: Mapping[str, Any],
    chosen: Mapping[str, Path],
    *,
    settings: Mapping[str, Any] | None = None,
    root: Path | str = ".",
) -> dict[str, bytes]:
    """The files made for the archive: README, replay config, Zenodo metadata, crate, SHA256SUMS.

    `config` is the study's config as sealed; of `settings`, the keys that
    `design.archive_settings` takes are part of the replay.
    """
    settings = archive_settings(settings or {})
    root = Path(root)
    citation = read_citation(root / "CITATION.cff")
    title = str(settings.get("title", config.get("title", "")))
    replay = yaml.safe_dump(
        {**config, **settings, "collect": False}, allow_unicode=True, sort_keys=False
    )
    zenodo = zenodo_metadata(citation, study, title, settings.get("deposit", {}))
    made = {
        "README.md": readme(study, title, citation),
        "config/replay.yaml": replay,
        ".zenodo.json": json.dumps(zenodo, indent=2, ensure_ascii=False) + "\n",
    }
    replies = [p for n, p in chosen.items() if n.startswith("results/") and is_replies(p)]
    made[STATEMENT] = intoto_statement(study, root)
    made |= prml_manifests(study, config, citation, replies, root)
    if SOURCES_FILE in chosen:  # another study's corpora are nobody's business here
        made[SOURCES_FILE] = only_named(chosen[SOURCES_FILE], chosen)
    content = {name: text.encode() for name, text in made.items()}
    known: dict[str, tuple[int, str] | None] = {
        name: (path.stat().st_size, file_sha256(path)) for name, path in chosen.items()
    }
    known |= {n: (len(c), hashlib.sha256(c).hexdigest()) for n, c in content.items()}
    crate = build_crate(
        dict(sorted((known | {SUMS: None}).items())),
        study=study,
        title=title,
        citation=citation,
        versions=locked_versions(root / "uv.lock"),
        times=run_times(replies),
    )
    text = crate_text(crate).encode()
    content["ro-crate-metadata.json"] = text
    known["ro-crate-metadata.json"] = (len(text), hashlib.sha256(text).hexdigest())
    lines = "".join(f"{known[name][1]}  {name}\n" for name in sorted(known))
    return content | {SUMS: lines.encode()}


def pack(files: Mapping[str, Path | bytes], out: Path | str) -> None:
    """Write a zip whose bytes depend on the files' names and content alone, whole or not at all."""
    with atomic(out) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_STORED) as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.create_system = 3  # Unix, whatever the machine, so that the mode counts
            entry.external_attr = 0o100644 << 16
            data = content if isinstance(content, bytes) else content.read_bytes()
            archive.writestr(entry, data)


def build_archive(
    study: str,
    out: Path | str,
    *,
    settings: Mapping[str, Any] | None = None,
    root: Path | str = ".",
) -> dict[str, Any]:
    """Check, scan and pack a study; return the receipt: archive, sha256, md5, bytes, files.

    Raises ArchiveError where a stage is not sealed or no longer holds, where something private is
    found (each finding with file and line), or where a file that the archive needs is missing.
    """
    root = Path(root)
    checks = [check for check in verify(study, root=root) if check.stage != "archive"]
    if broken := [str(check) for check in checks if not check.holds]:
        raise ArchiveError("the study is not as it was sealed:\n" + "\n".join(broken))
    there = records_there(study, root)
    if unsealed := [stage for stage in awaited(study, root) if stage not in there]:
        raise ArchiveError(f"stage {unsealed[0]} is not sealed yet; run the whole study first")
    config = json.loads((root / f"results/{study}/config.json").read_text(encoding="utf-8"))
    chosen = choose_files(study, corpora_named(config), root)
    made = describe(study, config, chosen, settings=settings, root=root)
    files: dict[str, Path | bytes] = {**chosen, **made}
    allowed = read_allowed(root / ALLOW_LIST)
    allowed += [Allowed(ALLOW_LIST.as_posix(), entry.text, "named there") for entry in allowed]
    once = {name: each for name, each in files.items() if not name.startswith("data/replies/")}
    if findings := scan(
        once, allowed=allowed, secrets=own_secrets(root=root, named=variables_named(config))
    ):
        raise ArchiveError(report(findings, ALLOW_LIST))
    name = f"veridical-{study}-{hashlib.sha256(made[SUMS]).hexdigest()[:8]}.zip"
    pack(files, Path(out) / name)
    data = (Path(out) / name).read_bytes()
    return {
        "study": study,
        "archive": name,
        "bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
        "md5": hashlib.md5(data, usedforsecurity=False).hexdigest(),
        "files": len(files),
    }
