"""The archive's RO-Crate: what each file is, and the run that made the results.

RO-Crate 1.1 (Soiland-Reyes et al. 2022) with the Workflow Run Crate 0.5 profile (Leo et al. 2024).
"""

from __future__ import annotations

import datetime
import json
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from veridical.citation import author_name, licence_url

CONTEXT = [
    "https://w3id.org/ro/crate/1.1/context",
    "https://w3id.org/ro/terms/workflow-run/context",
]
PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": ("Process Run Crate", "0.5"),
    "https://w3id.org/ro/wfrun/workflow/0.5": ("Workflow Run Crate", "0.5"),
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": ("Workflow RO-Crate", "1.0"),
}
SOFTWARE = ("snakemake", "numpy", "pandas", "scipy", "statsmodels", "matplotlib", "xllamacpp")
FORMATS = {
    ".cff": "application/yaml",
    ".csv": "text/csv",
    ".html": "text/html",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".md": "text/markdown",
    ".pdf": "application/pdf",
    ".py": "text/x-python",
    ".rst": "text/x-rst",
    ".svg": "image/svg+xml",
    ".toml": "application/toml",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
}


def run_times(replies: Iterable[Path]) -> tuple[str, str] | None:
    """When the first and the last reply that counts came, ISO 8601 in UTC; None without replies."""
    times = []
    for path in replies:
        with open(path, encoding="utf-8") as lines:
            times += [time for line in lines if (time := json.loads(line).get("time"))]
    if not times:
        return None
    moments = [datetime.datetime.fromisoformat(time).astimezone(datetime.UTC) for time in times]
    return tuple(
        moment.isoformat(timespec="milliseconds") for moment in (min(moments), max(moments))
    )


def locked_versions(lock: Path, names: Iterable[str] = SOFTWARE) -> dict[str, str]:
    """The versions that the lock file fixes, of the packages named that it has."""
    packages = tomllib.loads(lock.read_text(encoding="utf-8")).get("package", [])
    versions = {package["name"]: package.get("version", "") for package in packages}
    return {name: versions[name] for name in names if name in versions}


def _refs(ids: Iterable[str]) -> list[dict[str, str]]:
    return [{"@id": identifier} for identifier in ids]


def _files(files: Mapping[str, tuple[int, str] | None]) -> list[dict[str, Any]]:
    entities = []
    for path, known in files.items():
        entity: dict[str, Any] = {"@id": path, "@type": "File", "name": PurePosixPath(path).name}
        entity["encodingFormat"] = FORMATS.get(PurePosixPath(path).suffix, "text/plain")
        if known is not None:
            entity |= {"contentSize": str(known[0]), "sha256": known[1]}
        entities.append(entity)
    return entities


def _parameter(name: str, kind: str, text: str, examples: list[str]) -> dict[str, Any]:
    return {
        "@id": f"#param-{name}",
        "@type": "FormalParameter",
        "additionalType": kind,
        "conformsTo": {"@id": "https://bioschemas.org/profiles/FormalParameter/1.0-RELEASE"},
        "description": text,
        "name": name,
        "valueRequired": True,
        "workExample": _refs(examples),
    }


def build_crate(
    files: Mapping[str, tuple[int, str] | None],
    *,
    study: str,
    title: str,
    citation: Mapping[str, Any],
    versions: Mapping[str, str],
    times: tuple[str, str] | None,
) -> dict[str, Any]:
    """The content of `ro-crate-metadata.json`.

    Parameters
    ----------
    files
        Every packed file: path → (size in bytes, SHA-256), or None where it can't be known yet.
    versions
        Locked package versions, as `locked_versions` gives them.
    times
        Start and end of the run, as `run_times` gives them.

    Raises
    ------
    ValueError
        Where the workflow, the README or the config in use is not among the files.
    """
    config = f"results/{study}/config.json"
    for path in ("Snakefile", "README.md", config):
        if path not in files:
            raise ValueError(f"{path} is not among the files to be packed, the crate needs it")
    folders = {
        f"results/{study}/": f"Prompts, replies, tables and report of study {study}",
        f"figures/{study}/": f"Figures of study {study}",
        f"data/freeze/{study}/": f"Freeze records and deviations of study {study}",
    }
    corpora = sorted({"/".join(p.split("/")[:3]) + "/" for p in files if "data/corpora/" in p})
    folders |= {path: f"Corpus {path.split('/')[2]}" for path in corpora}
    parts = {folder: sorted(p for p in files if p.startswith(folder)) for folder in folders}
    parts = {folder: inside for folder, inside in parts.items() if inside}
    authors = [
        {
            "@id": author.get("orcid") or f"#author-{number}",
            "@type": "Person" if author.get("family-names") else "Organization",
            "name": author_name(author),
        }
        for number, author in enumerate(citation["authors"], start=1)
    ]
    ends = times or (f"{citation.get('date-released', '1980-01-01')}",) * 2
    parameters = [
        _parameter("config", "File", "The study in numbers, as resolved.", [config]),
        _parameter("corpora", "Dataset", "The agents' recorded lives.", corpora),
    ]
    inputs = [p["@id"] for p in parameters if p["workExample"]]
    outputs = [folder for folder in list(folders)[:3] if folder in parts]
    names = ("results", "figures", "freeze")
    results = [
        _parameter(name, "Dataset", f"{folders[folder]}.", [folder])
        for name, folder in zip(names, list(folders)[:3], strict=True)
        if folder in parts
    ]
    known = {
        example["@id"]: p["@id"] for p in [*parameters, *results] for example in p["workExample"]
    }
    licence = licence_url(citation["license"])
    people = _refs(author["@id"] for author in authors)
    name = f"{citation['title']} Study {study}" + (f": {title}" if title else "")
    graph: list[dict[str, Any]] = [
        {
            "@id": "ro-crate-metadata.json",
            "@type": "CreativeWork",
            "about": {"@id": "./"},
            "conformsTo": _refs(["https://w3id.org/ro/crate/1.1", list(PROFILES)[2]]),
        },
        {
            "@id": "./",
            "@type": "Dataset",
            "author": people,
            "conformsTo": _refs(PROFILES),
            "datePublished": ends[1][:10],
            "description": citation.get("abstract") or citation["title"],
            "hasPart": _refs([*files, *parts]),
            "keywords": ", ".join(citation.get("keywords", [])),
            "license": {"@id": licence},
            "mainEntity": {"@id": "Snakefile"},
            "mentions": _refs(["#run"]),
            "name": name,
            "version": citation["version"],
        },
        {
            "@id": "#run",
            "@type": "CreateAction",
            "actionStatus": {"@id": "http://schema.org/CompletedActionStatus"},
            "agent": people[0],
            "description": "Prompts written, design sealed, models asked, replies analysed.",
            "endTime": ends[1],
            "instrument": {"@id": "Snakefile"},
            "name": f"Run of study {study}",
            "object": _refs([config, *corpora]),
            "result": _refs(outputs),
            "startTime": ends[0],
        },
        {
            "@id": "#snakemake",
            "@type": "ComputerLanguage",
            "identifier": {"@id": "https://snakemake.github.io"},
            "name": "Snakemake",
            "url": {"@id": "https://snakemake.github.io"},
            "version": versions.get("snakemake", ""),
        },
        {
            "@id": licence,
            "@type": "CreativeWork",
            "identifier": licence,
            "name": citation["license"],
        },
        *({"@id": i, "@type": "CreativeWork", "name": n, "version": v}
          for i, (n, v) in PROFILES.items()),
        *({"@id": f"https://pypi.org/project/{n}/{v}/", "@type": "SoftwareApplication", "name": n,
           "softwareVersion": v, "url": f"https://pypi.org/project/{n}/{v}/"}
          for n, v in versions.items()),
        *authors,
        *parameters[: len(inputs)],
        *results,
        *({"@id": f, "@type": "Dataset", "name": folders[f], "description": f"{folders[f]}.",
           "hasPart": _refs(inside)} for f, inside in parts.items()),
        *_files(files),
    ]  # fmt: skip
    for entity in graph:
        if entity["@id"] == "Snakefile":
            entity |= {
                "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow"],
                "author": people,
                "conformsTo": {
                    "@id": "https://bioschemas.org/profiles/ComputationalWorkflow/1.0-RELEASE"
                },
                "encodingFormat": "text/plain",
                "input": _refs(inputs),
                "license": {"@id": licence},
                "name": "Veridical",
                "output": _refs(parameter["@id"] for parameter in results),
                "programmingLanguage": {"@id": "#snakemake"},
                "softwareRequirements": _refs(
                    f"https://pypi.org/project/{n}/{v}/" for n, v in versions.items()
                ),
                "url": {"@id": citation.get("repository-code", "Snakefile")},
                "version": citation["version"],
            }
        elif entity["@id"] == "README.md":
            entity["about"] = {"@id": "./"}
        if entity["@id"] in known:
            entity["exampleOfWork"] = {"@id": known[entity["@id"]]}
    graph[2:] = sorted(graph[2:], key=lambda entity: entity["@id"])
    return {"@context": CONTEXT, "@graph": graph}


def crate_text(crate: Mapping[str, Any]) -> str:
    """The crate as it is written: the same bytes from the same content."""
    return json.dumps(crate, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
