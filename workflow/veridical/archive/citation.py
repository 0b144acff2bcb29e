"""Who made the study and under which licence: `CITATION.cff`, and what Zenodo is told from it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml


def read_citation(path: Path | str) -> dict[str, Any]:
    """Read a `CITATION.cff`.

    Raises ValueError naming the file where it is no YAML or lacks a title, version, licence or
    author.
    """
    try:
        citation = yaml.load(Path(path).read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        raise ValueError(f"{path}: not YAML ({error})") from error
    if not isinstance(citation, dict):
        raise ValueError(f"{path}: not a citation file")
    for key in ("title", "version", "license", "authors"):
        if not citation.get(key):
            raise ValueError(f"{path}: {key} is missing or empty")
    for key in ("title", "version", "abstract"):
        if not isinstance(citation.get(key, ""), str):
            raise ValueError(f"{path}: {key} is a text, not {_kind(citation[key])}")
    if not all(isinstance(each, str) and each.strip() for each in licences(citation)):
        raise ValueError(f"{path}: license is an SPDX name or a list of them")
    authors = citation["authors"]
    if not isinstance(authors, list) or not all(isinstance(each, dict) for each in authors):
        raise ValueError(f"{path}: authors is a list, each with a name or family-names")
    if isinstance(words := citation.get("keywords", []), str):
        citation["keywords"] = [words]
    return citation


def _kind(value: Any) -> str:
    return "a list" if isinstance(value, list) else "a mapping"


def licences(citation: Mapping[str, Any]) -> list[str]:
    """The SPDX names of a citation's licences, of which whoever uses the work may choose one."""
    found = citation["license"]
    return [found] if isinstance(found, str) else list(found)


def author_name(author: Mapping[str, str]) -> str:
    """`Family, Given` for a person, the name for an entity. Raises ValueError where there is none.

    >>> author_name({"given-names": "Ada", "family-names": "Lovelace"})
    'Lovelace, Ada'
    """
    if author.get("name"):
        return author["name"]
    parts = [author.get("name-particle"), author.get("family-names"), author.get("name-suffix")]
    family = " ".join(part for part in parts if part)
    name = ", ".join(part for part in (family, author.get("given-names")) if part)
    if not name:
        raise ValueError(f"CITATION.cff: an author has no name: {dict(author)}")
    return name


def licence_url(spdx: str) -> str:
    """The address of an SPDX licence."""
    return f"https://spdx.org/licenses/{spdx}"


def zenodo_metadata(
    citation: Mapping[str, Any], study: str, title: str, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """The metadata of the deposit, as Zenodo's deposit API and `.zenodo.json` want them.

    `settings` is the config's `deposit`; of its keys, `communities` is used here.
    """
    creators = []
    for author in citation["authors"]:
        creator = {"name": author_name(author)}
        if author.get("affiliation"):
            creator["affiliation"] = author["affiliation"]
        if author.get("orcid"):
            creator["orcid"] = author["orcid"].rsplit("/", 1)[-1]
        creators.append(creator)
    metadata: dict[str, Any] = {
        "title": f"{citation['title']} Study {study}" + (f": {title}" if title else ""),
        "upload_type": "dataset",
        "description": (
            f"<p>{citation.get('abstract') or citation['title']}</p>"
            "<p>The README in the archive gives the one command that rebuilds every table and "
            "figure without any model, and the one that checks every file by its hash.</p>"
        ),
        "creators": creators,
        "access_right": "open",
        "license": licences(citation)[0].lower(),  # it takes one
        "version": citation["version"],
        "keywords": list(citation.get("keywords", [])),
    }
    if settings.get("communities"):
        metadata["communities"] = [{"identifier": name} for name in settings["communities"]]
    if citation.get("repository-code"):
        metadata["related_identifiers"] = [
            {
                "identifier": citation["repository-code"],
                "relation": "isSupplementTo",
                "resource_type": "software",
                "scheme": "url",
            }
        ]
    return metadata
