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
from urllib.parse import quote, unquote

from veridical.archive.citation import author_name, licence_url, licences

CONTEXT = [
    "https://w3id.org/ro/crate/1.1/context",
    "https://w3id.org/ro/terms/workflow-run/context",
]
BIOSCHEMAS = "https://bioschemas.org/profiles"
WORKFLOW_CRATE = "https://w3id.org/workflowhub/workflow-ro-crate/1.0"
PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": ("Process Run Crate", "0.5"),
    "https://w3id.org/ro/wfrun/workflow/0.5": ("Workflow Run Crate", "0.5"),
    WORKFLOW_CRATE: ("Workflow RO-Crate", "1.0"),
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
        Start and end of the run, as `run_times` gives them; without, the citation's release date.

    Raises
    ------
    ValueError
        Where the workflow, the README or the config in use is not among the files.
    """
    config = f"results/{study}/config.json"
    for path in ("Snakefile", "README.md", config):
        if path not in files:
            raise ValueError(f"{path} is not among the files to be packed, the crate needs it")
    files = {quote(path): known for path, known in files.items()}
    released = str(citation.get("date-released", "1980-01-01"))
    start, end = times or (released, released)
    folders = _folders(files, study)
    corpora = [folder for folder in folders if folder.startswith("data/corpora/")]
    made = [folder for folder in folders if folder not in corpora]
    inputs = [
        _parameter("config", "File", "The study in numbers, as resolved.", [config]),
        _parameter("corpora", "Dataset", "The agents' recorded lives.", corpora),
    ]
    outputs = [_parameter(f.split("/")[-3], "Dataset", folders[f], [f]) for f in made]
    outputs = [p for p in outputs if p["workExample"]]
    authors = _authors(citation)
    spdx = licences(citation)
    licence = _refs(licence_url(each) for each in spdx)
    entities = [
        {
            "@id": "#run",
            "@type": "CreateAction",
            "actionStatus": "http://schema.org/CompletedActionStatus",
            "agent": {"@id": authors[0]["@id"]},
            "description": "Prompts written, design sealed, models asked, replies analysed.",
            "endTime": end,
            "instrument": {"@id": "Snakefile"},
            "name": f"Run of study {study}",
            "object": _refs([config, *corpora]),
            "result": _refs(made),
            "startTime": start,
        },
        *(
            {"@id": url, "@type": "CreativeWork", "identifier": url, "name": each}
            for each, url in ((each, licence_url(each)) for each in spdx)
        ),
        *_software(versions),
        *authors,
        *(parameter for parameter in inputs if parameter["workExample"]),
        *outputs,
        *_files(files),
    ]
    for folder, text in folders.items():
        inside = [path for path in files if path.startswith(folder)]
        entities.append(
            {"@id": folder, "@type": "Dataset", "name": text, "description": text}
            | {"hasPart": _refs(inside)}
        )
    by_id = {entity["@id"]: entity for entity in entities}
    for parameter in (*inputs, *outputs):
        for example in _listed(parameter["workExample"]):
            by_id[example["@id"]]["exampleOfWork"] = {"@id": parameter["@id"]}
    by_id["README.md"]["about"] = {"@id": "./"}
    by_id["Snakefile"] |= {
        "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow"],
        "author": _refs(author["@id"] for author in authors),
        "conformsTo": {"@id": f"{BIOSCHEMAS}/ComputationalWorkflow/1.0-RELEASE"},
        "input": _refs(parameter["@id"] for parameter in inputs if parameter["workExample"]),
        "license": licence,
        "name": "Veridical",
        "output": _refs(parameter["@id"] for parameter in outputs),
        "programmingLanguage": {"@id": "#snakemake"},
        "softwareRequirements": _refs(_pypi(name, v) for name, v in versions.items()),
        "url": citation.get("repository-code", citation.get("url", "Snakefile")),
        "version": citation["version"],
    }
    root = {
        "@id": "./",
        "@type": "Dataset",
        "author": _refs(author["@id"] for author in authors),
        "conformsTo": _refs(PROFILES),
        "datePublished": end[:10],
        "description": citation.get("abstract") or citation["title"],
        "hasPart": _refs([*files, *folders]),
        "keywords": ", ".join(citation.get("keywords", [])),
        "license": licence,
        "mainEntity": {"@id": "Snakefile"},
        "mentions": {"@id": "#run"},
        "name": f"{citation['title']} Study {study}" + (f": {title}" if title else ""),
        "version": citation["version"],
    }
    if publishers := [a["@id"] for a in authors if a["@type"] == "Organization"]:
        root["publisher"] = {"@id": publishers[0]}
    descriptor = {
        "@id": "ro-crate-metadata.json",
        "@type": "CreativeWork",
        "about": {"@id": "./"},
        "conformsTo": _refs(["https://w3id.org/ro/crate/1.1", WORKFLOW_CRATE]),
    }
    graph = sorted(entities, key=lambda entity: entity["@id"])
    return {"@context": CONTEXT, "@graph": [descriptor, root, *graph]}


def _refs(ids: Iterable[str]) -> Any:
    """References; a single one stands alone, as RO-Crate wants it."""
    refs = [{"@id": identifier} for identifier in ids]
    return refs[0] if len(refs) == 1 else refs


def _listed(refs: Any) -> list[dict[str, str]]:
    return refs if isinstance(refs, list) else [refs]


def _folders(files: Iterable[str], study: str) -> dict[str, str]:
    """The folders that the crate describes, of those that hold a file, and what each is."""
    known = {
        f"results/{study}/": f"Prompts, replies, tables and report of study {study}",
        f"figures/{study}/": f"Figures of study {study}",
        f"data/freeze/{study}/": f"Freeze records and deviations of study {study}",
    }
    for path in files:
        if path.startswith("data/corpora/") and path.count("/") >= 3:
            name = path.split("/")[2]
            known[f"data/corpora/{name}/"] = f"Corpus {name}"
    return {f: text for f, text in known.items() if any(path.startswith(f) for path in files)}


def _parameter(name: str, kind: str, text: str, examples: list[str]) -> dict[str, Any]:
    return {
        "@id": f"#param-{name}",
        "@type": "FormalParameter",
        "additionalType": kind,
        "conformsTo": {"@id": f"{BIOSCHEMAS}/FormalParameter/1.0-RELEASE"},
        "description": text,
        "name": name,
        "valueRequired": True,
        "workExample": _refs(examples),
    }


def _authors(citation: Mapping[str, Any]) -> list[dict[str, Any]]:
    entities = []
    for number, author in enumerate(citation["authors"], start=1):
        entity = {
            "@id": author.get("orcid") or f"#author-{number}",
            "@type": "Person" if author.get("family-names") else "Organization",
            "name": author_name(author),
        }
        if author.get("website"):
            entity["url"] = author["website"]
        if author.get("affiliation"):
            entity["affiliation"] = author["affiliation"]
        entities.append(entity)
    return entities


def _pypi(name: str, version: str) -> str:
    return f"https://pypi.org/project/{name}/{version}/"


def _software(versions: Mapping[str, str]) -> list[dict[str, Any]]:
    """The engine's language, the profiles, and each package with its locked version."""
    entities: list[dict[str, Any]] = [
        {
            "@id": "#snakemake",
            "@type": "ComputerLanguage",
            "identifier": {"@id": "https://snakemake.github.io"},
            "name": "Snakemake",
            "url": {"@id": "https://snakemake.github.io"},
            "version": versions.get("snakemake", ""),
        }
    ]
    for identifier, (name, version) in PROFILES.items():
        profile = {"@id": identifier, "@type": "CreativeWork", "name": name, "version": version}
        entities.append(profile)
    for name, version in versions.items():
        address = _pypi(name, version)
        package = {"@id": address, "@type": "SoftwareApplication", "name": name, "url": address}
        entities.append(package | {"softwareVersion": version})
    return entities


def _files(files: Mapping[str, tuple[int, str] | None]) -> list[dict[str, Any]]:
    entities = []
    for path, known in files.items():
        name = PurePosixPath(unquote(path)).name  # only an @id is written as in an address
        entity: dict[str, Any] = {"@id": path, "@type": "File", "name": name}
        entity["encodingFormat"] = FORMATS.get(PurePosixPath(path).suffix, "text/plain")
        if known is not None:
            entity |= {"contentSize": str(known[0]), "sha256": known[1]}
        entities.append(entity)
    return entities


def crate_text(crate: Mapping[str, Any]) -> str:
    """The crate as it is written: the same bytes from the same content."""
    return json.dumps(crate, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
