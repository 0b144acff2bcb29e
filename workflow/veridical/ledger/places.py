"""Where a study's side files lie: in the project, or on a volume that outlives the job.

Ledgers and memory banks are outputs of no rule, so an executor carries none of them to where a job
runs. A folder of the config has them kept elsewhere: the study's folder below `data/` is then a
link to it, made anew wherever the workflow is read, on every node and in every pod.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

#: The config's key of each folder that may lie elsewhere: its name below `data/`, and the
#: environment variable that overrides the key, since nodes may differ.
FOLDERS = {
    "ledger_folder": ("ledger", "VERIDICAL_LEDGERS"),
    "banks_folder": ("memories", "VERIDICAL_BANKS"),
}


class PlaceError(ValueError):
    """A folder can't be kept where the config says; the message says what to do."""


def check_shared(shared: Iterable[Any], config: Mapping[str, Any]) -> None:
    """Refuse machines that share no folder, before the first call: what is paid for would be lost.

    `shared` is what the engine counts as shared (`SharedFSUsage`). Where inputs and outputs are
    not, ledgers must lie on a volume that every job mounts. Raises PlaceError saying what to set.
    """
    names = {getattr(usage, "name", str(usage)).lower() for usage in shared}
    if {"input_output", "persistence"} <= names or _wanted(config, "ledger_folder"):
        return
    raise PlaceError(
        "this executor shares no folder between its jobs, so what a job pays for would be lost "
        "with it. Mount one volume in every job and name it in the config (ledger_folder: "
        "/mnt/ledger) or in VERIDICAL_LEDGERS; or, where the project itself lies on a shared "
        "volume, say so with --shared-fs-usage (workflow/notes/clusters.md)"
    )


def check_storage(provider: str | None) -> None:
    """Refuse a store of the engine's (`--default-storage-provider`) as the place of all files.

    A job would find copies of them below `.snakemake/storage`, and seals and replies, which name
    files by their place in the project, would name those. Raises PlaceError saying what to do.
    """
    if provider:
        raise PlaceError(
            f"--default-storage-provider {provider}: seals name files by their place in the "
            "project, and in a store they have other places, so nothing that is sealed could be "
            "checked again. Put the project on a volume that every job mounts "
            "(workflow/notes/clusters.md)"
        )


def keep_elsewhere(
    config: Mapping[str, Any], root: Path | str = ".", environ: Mapping[str, str] = os.environ
) -> None:
    """Link the study's folders below `data/` to where the config or the environment has them kept;
    where neither says so, leave them in the project.

    Raises PlaceError naming key and folder where the folder holds something already, isn't
    absolute or can't be written.
    """
    for key, (name, _) in FOLDERS.items():
        if wanted := _wanted(config, key, environ):
            place = _place(Path(wanted).expanduser(), key) / config["study"]
            _link(Path(root) / "data" / name / config["study"], place, key)


def _wanted(
    config: Mapping[str, Any], key: str, environ: Mapping[str, str] = os.environ
) -> str | None:
    return environ.get(FOLDERS[key][1]) or config.get(key)


def _place(folder: Path, key: str) -> Path:
    if not folder.is_absolute():
        raise PlaceError(f"{key}: {folder} is no absolute path; every node must find the same one")
    return folder


def _link(link: Path, place: Path, key: str) -> None:
    """Make `link` lead to `place`; several jobs may do so at once."""
    try:
        place.mkdir(parents=True, exist_ok=True)
        link.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PlaceError(f"{key}: {place} can't be made ({error.strerror})") from error
    if link.is_symlink():
        if link.readlink() == place:
            return
        link.unlink(missing_ok=True)
    elif link.is_dir():
        with suppress(OSError):
            link.rmdir()  # empty: nothing is lost
        if link.is_dir():
            raise PlaceError(
                f"{key}: {link} holds what was collected before; move it first:\n"
                f"    cp -a {link}/. {place}/ && rm -r {link}"
            )
    with suppress(FileExistsError):
        link.symlink_to(place, target_is_directory=True)
