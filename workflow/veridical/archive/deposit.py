"""Put an archive on Zenodo, once: resumable, checked by checksum, a draft unless told otherwise.

Speaks Zenodo's deposit API (developers.zenodo.org): create a deposition, PUT the file into its
bucket, set the metadata, publish. What was done is kept in a record after every step, so that the
next call goes on where this one was cut off.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veridical.base.files import write_text
from veridical.base.network import open_client, origin
from veridical.base.secrets import strike

if TYPE_CHECKING:
    import httpx

SANDBOX = "https://sandbox.zenodo.org"
PAUSES = (1.0, 4.0, 16.0)  # seconds before each further try
TRANSIENT = {429, 500, 502, 503, 504}


class DepositError(RuntimeError):
    """The deposit can't go on; the message says why and what to do."""


def deposit_archive(
    archive: Path | str,
    record: Path | str,
    *,
    metadata: Mapping[str, Any],
    token: str,
    server: str = SANDBOX,
    publish: bool = False,
    pauses: tuple[float, ...] = PAUSES,
    say: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Deposit an archive, or go on with a deposit that was cut off, or do nothing if it is there.

    Parameters
    ----------
    archive
        The zip; its name, which carries the hash of its content, tells one deposit from another.
    record
        JSON file with one entry an archive and server: id, DOI, checksum, state.
    metadata
        As `veridical.archive.citation.zenodo_metadata` makes it.
    publish
        A published record can't be taken back; without it the deposit stays a draft.
    pauses
        Seconds to wait before each further try after a cut connection or a busy server.

    Returns
    -------
    dict
        The record's entry: `id`, `doi` (reserved, or final once published), `checksum`, `state`
        (`draft` or `published`), `url`.

    Raises
    ------
    DepositError
        Where the token is refused, the server's checksum is not ours, or the server can't be had.
    """
    archive, record = Path(archive), Path(record)
    if not token:
        raise DepositError("no token: set the environment variable that deposit/token_env names")
    client = _Client(server, token, pauses, say)
    entries = json.loads(record.read_text(encoding="utf-8")) if record.is_file() else {}
    place = f"{server.rstrip('/')} {archive.name}"
    checksum = f"md5:{_md5(archive)}"

    def keep(**facts: Any) -> dict[str, Any]:
        entries[place] = entries.get(place, {}) | facts
        write_text(record, json.dumps(entries, indent=2, sort_keys=True) + "\n")
        return entries[place]

    with client:
        known = entries.get(place)
        deposition = client.find(known["id"] if known else None, archive.name)
        if deposition is None:
            deposition = client.call("POST", "/api/deposit/depositions", json={})
            say(f"created deposition {deposition['id']}")
        facts = keep(
            id=deposition["id"],
            doi=_doi(deposition),
            url=deposition.get("links", {}).get("html", ""),
            state="published" if deposition.get("submitted") else "draft",
        )
        if facts["state"] == "published":
            held = client.checksum(deposition, archive.name)
            if held not in (None, checksum):
                raise DepositError(f"{facts['url']}: published with another checksum, {held}")
            say(f"already published as {facts['doi']}")
            return facts
        held = client.checksum(deposition, archive.name)
        if held == checksum:
            say(f"{archive.name} is there already, with our checksum")
        else:
            held = client.upload(deposition, archive, checksum)
        facts = keep(checksum=held)
        client.call(
            "PUT", f"/api/deposit/depositions/{facts['id']}", json={"metadata": dict(metadata)}
        )
        if publish:
            url = f"/api/deposit/depositions/{facts['id']}/actions/publish"
            published = client.call("POST", url, repeat=False)
            url = published.get("links", {}).get("record_html", facts["url"])
            facts = keep(state="published", doi=published.get("doi", facts["doi"]), url=url)
        say(f"{facts['state']}: {facts['doi']} ({facts['url']})")
    return facts


def _md5(path: Path) -> str:
    """Zenodo's checksum of choice."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def _doi(deposition: Mapping[str, Any]) -> str:
    reserved = deposition.get("metadata", {}).get("prereserve_doi") or {}
    return deposition.get("doi") or reserved.get("doi", "")


def _pieces(path: Path, size: int = 1 << 20) -> Iterator[bytes]:
    with open(path, "rb") as stream:
        while piece := stream.read(size):
            yield piece


class _Client:
    """Requests to one server, tried again where that is safe and can help."""

    def __init__(
        self, server: str, token: str, pauses: tuple[float, ...], say: Callable[[str], None]
    ):
        self.server, self.token, self.pauses, self.say = server.rstrip("/"), token, pauses, say

    def __enter__(self) -> _Client:
        import httpx

        try:
            self.http = open_client(
                self.server,
                headers={"Authorization": f"Bearer {self.token}"},
                timeout=httpx.Timeout(60, write=600),
            )
        except ConnectionError as error:
            raise DepositError(str(error)) from None
        return self

    def __exit__(self, *exc: object) -> None:
        self.http.close()

    def call(self, method: str, path: str, *, repeat: bool = True, **content: Any) -> Any:
        """One API call; returns its JSON. Raises DepositError on what trying again can't mend."""
        url = path if path.startswith("http") else self.server + path
        return self._answer(self._send(method, url, repeat=repeat, **content), url)

    def get(self, path: str) -> Any:
        """What the server has there; None where it has nothing."""
        url = self.server + path
        response = self._send("GET", url, repeat=True)
        return None if response.status_code == 404 else self._answer(response, url)

    def _send(self, method: str, url: str, *, repeat: bool, **content: Any) -> httpx.Response:
        import httpx

        for pause in (*self.pauses, None):
            try:
                response = self.http.request(method, url, **content)
                if response.status_code not in TRANSIENT:
                    return response
                problem = f"status {response.status_code}"
            except httpx.TransportError as error:
                problem = f"{type(error).__name__} {error}".strip()
            # Creating or publishing may have worked although the answer got lost: look first.
            if pause is None or not repeat or method == "POST":
                raise DepositError(
                    f"{method} {url}: {problem}; run the same command again, it goes on from here"
                )
            self.say(f"{method} {url}: {problem}; again in {pause:g} s")
            time.sleep(pause)
        raise AssertionError("unreachable")

    def _answer(self, response: httpx.Response, url: str) -> Any:
        if response.status_code in (401, 403):
            raise DepositError(
                f"{self.server} refuses the token ({response.status_code}); it needs the scopes "
                "deposit:write and deposit:actions, and a sandbox token is not one for zenodo.org"
            )
        if response.status_code == 404:
            raise DepositError(f"{url} is not there: is deposit/server, {self.server}, right?")
        if response.is_error:
            said = strike(response.text, [self.token])[:500]
            raise DepositError(f"{url}: status {response.status_code}: {said}")
        return response.json() if response.content else {}

    def find(self, identifier: int | None, name: str) -> dict[str, Any] | None:
        """The deposition of that id, else one of ours that holds, or was titled for, that file."""
        if identifier is not None:
            found = self.get(f"/api/deposit/depositions/{identifier}")
            if found is not None:
                return found
            self.say(f"deposition {identifier} is gone from the server")
        page = 1
        while mine := self.get(f"/api/deposit/depositions?size=100&page={page}"):
            for deposition in mine:
                if any(file.get("filename") == name for file in deposition.get("files", [])):
                    self.say(f"deposition {deposition['id']} holds {name} already")
                    return self.get(f"/api/deposit/depositions/{deposition['id']}")
            page += 1
        return None

    def checksum(self, deposition: Mapping[str, Any], name: str) -> str | None:
        """The server's checksum of a file of the deposition (`md5:...`), None where it has none."""
        path = f"/api/deposit/depositions/{deposition['id']}/files"
        for file in self.get(path) or []:
            if file.get("filename") == name:
                held = str(file.get("checksum", ""))
                return held if ":" in held else f"md5:{held}"
        return None

    def upload(self, deposition: Mapping[str, Any], archive: Path, checksum: str) -> str:
        """PUT the file into the bucket, whole; returns the checksum, which is ours."""
        import httpx

        url = f"{deposition['links']['bucket']}/{archive.name}"
        if origin(url) != origin(self.server):
            raise DepositError(
                f"{self.server} wants the file put at {origin(url)[1]}, another server, which is "
                "not given the token; nothing was sent"
            )
        size = archive.stat().st_size
        for pause in (*self.pauses, None):
            self.say(f"uploading {archive.name}, {size} bytes")
            try:
                response = self.http.put(
                    url, content=_pieces(archive), headers={"Content-Length": str(size)}
                )
                problem = f"status {response.status_code}"
            except httpx.TransportError as error:
                response, problem = None, f"{type(error).__name__} {error}".strip()
            if response is not None and response.status_code not in TRANSIENT:
                held = str(self._answer(response, url).get("checksum", ""))
            else:
                held = self.checksum(deposition, archive.name)  # it may have arrived all the same
            if held == checksum:
                return held
            if held:
                problem = f"the server's checksum is {held}, ours is {checksum}"
            if pause is None:
                raise DepositError(
                    f"{url}: {problem}; nothing was published, run the same command to try again"
                )
            self.say(f"{problem}; again in {pause:g} s")
            time.sleep(pause)
        raise AssertionError("unreachable")
