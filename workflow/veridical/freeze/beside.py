"""What lies beside sealed and packed files and belongs to none of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from veridical.freeze.chain import CLOSING
from veridical.freeze.manifest import Change, file_sha256, sealed_files

SUMS = "SHA256SUMS"  # of a whole archive, at its root

# What a replay, an environment and a reader's own tools make in an unzipped archive.
MADE = ("logs", "data/ledger", "data/models", "data/deposits", "results", "figures")


def strays(
    study: str, root: Path | str = ".", *, expected: Mapping[str, Iterable[str]] | None = None
) -> dict[str, list[str]]:
    """Files that were put beside sealed ones since, by stage.

    A stray lies in a corpus's folder or under the study's results, has the folder and the suffix of
    a sealed file and belongs to no stage; other folders of `data/` are shared by studies. Without
    `expected`, the files of a stage to come look like strays too, so nothing is looked for until
    the last stage is sealed.
    """
    root = Path(root)
    try:
        sealed = sealed_files(study, root)
    except ValueError:  # a record that is none: the check of its stage says so
        return {}
    if expected is None and CLOSING not in sealed:
        return {}
    known = {path for paths in (*sealed.values(), *(expected or {}).values()) for path in paths}
    result, seen = {}, set()
    for stage, paths in sealed.items():
        places = {(Path(path).parent, Path(path).suffix) for path in paths} - seen
        seen |= places
        result[stage] = sorted(
            path.relative_to(root).as_posix()
            for parent, suffix in places
            if parent.parts[:2] in (("data", "corpora"), ("results", study))
            for path in (root / parent).glob(f"*{suffix}")
            if path.is_file() and path.relative_to(root).as_posix() not in known
        )
    return result


def listed_sums(root: Path | str = ".") -> dict[str, str]:
    """The SHA-256 of each file that the `SHA256SUMS` of an unzipped archive names; empty where
    there is none."""
    listed = Path(root) / SUMS
    if not listed.is_file():
        return {}
    lines = listed.read_text(encoding="utf-8").splitlines()
    return {path: sha256 for sha256, _, path in (line.partition("  ") for line in lines)}


def changes_of_archive(root: Path | str = ".") -> list[Change]:
    """Every file of an unzipped archive that changed, went missing or was added since."""
    root = Path(root)
    listed = listed_sums(root)
    changes = []
    for path, sha256 in listed.items():
        if not (root / path).is_file():
            changes.append(Change("missing", path))
        elif file_sha256(root / path) != sha256:
            changes.append(Change("changed", path))
    added = (path for path in _files(root) if path not in listed and path != SUMS)
    return changes + [Change("added", path) for path in added]


def _files(root: Path) -> Iterator[str]:
    """The files below an archive's root, apart from what a replay makes: hidden and compiled files
    and ledgers; under results and figures, what has no neighbour of its kind in the archive."""
    kinds = {(Path(path).parent, Path(path).suffix) for path in listed_sums(root)}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        hidden = any(part.startswith(".") or part == "__pycache__" for part in name.parts)
        if hidden or not (path.is_file() or path.is_symlink()):
            continue
        made = any(name.is_relative_to(place) for place in MADE)
        if not made or (name.parent, name.suffix) in kinds:
            yield name.as_posix()
