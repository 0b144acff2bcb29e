"""Asking for proof of time from outside: RFC 3161 authorities and OpenTimestamps calendars.

Sent is the record's hash and nothing else. A server that is down, or that answers what proves
nothing, leaves the study whole: it is named, and asked again by `snakemake timestamp`.
"""

from __future__ import annotations

import io
import os
import re
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from veridical.base.files import atomic, file_sha256, write_text
from veridical.base.network import open_client
from veridical.freeze.journal import alone
from veridical.freeze.manifest import folder, record_path
from veridical.freeze.receipts import (
    ROOTS,
    NotInstalled,
    ReceiptError,
    client_of,
    parse_proof,
    read_proof,
    read_response,
    read_roots,
    trusted,
)

WAIT = 20.0  # seconds that one server gets
MOST = 64 * 1024  # bytes of an answer
QUERY = {"Content-Type": "application/timestamp-query", "Accept": "application/timestamp-reply"}
CALENDAR = {
    "Content-Type": "application/octet-stream",
    "Accept": "application/vnd.opentimestamps.v1",
}


class NoReceipt(RuntimeError):
    """A server gave no receipt; the message says why."""


def stamp(
    study: str,
    stage: str,
    settings: Mapping[str, Any],
    *,
    root: Path | str = ".",
    wait: float = WAIT,
) -> list[str]:
    """Ask for the receipts of a stage's record that are not there yet, and keep them beside it.

    `settings` is the config's section `timestamps`. A calendar's promise is asked for the Bitcoin
    block that came of it. Returns what went wrong, a sentence a server; raises nothing for a server
    or a network, ValueError where the stage is not sealed or the roots can't be read.
    """
    root = Path(root)
    record = root / record_path(study, stage)
    if not record.is_file():
        raise ValueError(f"{record_path(study, stage)}: missing; {stage} is not sealed yet")
    try:
        _keep_roots(study, settings, root)
        work = [*_responses(record, settings, study, root, wait), *_proofs(record, settings, wait)]
    except NotInstalled as error:
        return [f"no proof of time was asked for: {error}"]
    return [said for said in work if said]


def _responses(
    record: Path, settings: Mapping[str, Any], study: str, root: Path, wait: float
) -> Iterator[str]:
    sha256 = file_sha256(record)
    for url in settings.get("rfc3161", ()):
        kept = record.with_name(f"{record.name}.{slug(url)}.tsr")
        if kept.is_file():
            continue
        try:
            data = ask_authority(url, record.read_bytes(), wait)
            read_response(data, sha256, trusted(study, root)["roots"])
            _keep(kept, data, record, sha256)
        except (NoReceipt, ReceiptError) as error:
            yield _failed(url, record, error)


def _proofs(record: Path, settings: Mapping[str, Any], wait: float) -> Iterator[str]:
    kept, sha256 = record.with_name(f"{record.name}.ots"), file_sha256(record)
    calendars = list(settings.get("opentimestamps", ()))
    if not calendars:
        return
    try:
        proof = parse_proof(kept.read_bytes()) if kept.is_file() else None
    except ReceiptError as error:
        yield _failed(kept.name, record, error)
        return
    before = _bytes(proof) if proof else b""
    if proof is None:
        proof, problems = _submitted(sha256, calendars, wait)
        yield from (_failed(url, record, error) for url, error in problems)
    else:
        yield from (_failed(url, record, error) for url, error in _upgrade(proof, calendars, wait))
    try:
        if proof is not None and (data := _bytes(proof)) != before:
            read_proof(data, sha256, {})
            _keep(kept, data, record, sha256)
    except ReceiptError as error:
        yield _failed(kept.name, record, error)


def ask_authority(url: str, record: bytes, wait: float = WAIT) -> bytes:
    """The response of an RFC 3161 authority to a record; its nonce is ours.

    Raises NoReceipt where there is none within `wait` seconds.
    """
    client = client_of("rfc3161_client")
    query = client.TimestampRequestBuilder(record, client.HashAlgorithm.SHA256).build()
    data = _send(url, query.as_bytes(), QUERY, wait)
    try:
        response = client.decode_timestamp_response(data)
        fresh = (
            response.status != client.PKIStatus.GRANTED or response.tst_info.nonce == query.nonce
        )
    except Exception as error:  # the parser's own, of many kinds: of foreign bytes
        raise NoReceipt(f"what came is no RFC 3161 response ({error})"[:160]) from None
    if not fresh:
        raise NoReceipt("what came answers another request (its nonce is not ours)")
    return data


def _submitted(sha256: str, calendars: list[str], wait: float) -> tuple[Any, list[Any]]:
    """A proof with the promise of each calendar that gave one, and what went wrong.

    The calendars see the hash with 16 random bytes, so that none learns which record it is.
    """
    library, ops = client_of("opentimestamps.core.timestamp"), client_of("opentimestamps.core.op")
    proof = library.DetachedTimestampFile(ops.OpSHA256(), library.Timestamp(bytes.fromhex(sha256)))
    hidden = proof.timestamp.ops.add(ops.OpAppend(os.urandom(16))).ops.add(ops.OpSHA256())
    problems, got = [], False
    for url in calendars:
        try:
            answer = _send(f"{url.rstrip('/')}/digest", hidden.msg, CALENDAR, wait)
            hidden.merge(_timestamp(answer, hidden.msg))
            got = True
        except (NoReceipt, ReceiptError) as error:
            problems.append((url, error))
    return (proof if got else None), problems


def _upgrade(proof: Any, calendars: list[str], wait: float) -> list[tuple[str, Exception]]:
    """Ask the calendars that promised one for the Bitcoin block; only those that the config names,
    since a proof may be another's and name any address."""
    notary = client_of("opentimestamps.core.notary")
    if any(
        isinstance(attestation, notary.BitcoinBlockHeaderAttestation)
        for _, attestation in proof.timestamp.all_attestations()
    ):
        return []
    ours, problems = {url.rstrip("/") for url in calendars}, []
    for node in [*_nodes(proof.timestamp)]:
        for attestation in [*node.attestations]:
            pending = isinstance(attestation, notary.PendingAttestation)
            if not pending or attestation.uri.rstrip("/") not in ours:
                continue
            try:
                where = f"{attestation.uri.rstrip('/')}/timestamp/{node.msg.hex()}"
                answer = _send(where, None, CALENDAR, wait, missing=b"")
                if answer:
                    node.merge(_timestamp(answer, node.msg))
            except (NoReceipt, ReceiptError) as error:
                problems.append((attestation.uri, error))
    return problems


def _nodes(timestamp: Any) -> Iterator[Any]:
    yield timestamp
    for below in timestamp.ops.values():
        yield from _nodes(below)


def _timestamp(data: bytes, message: bytes) -> Any:
    library = client_of("opentimestamps.core.timestamp")
    streams = client_of("opentimestamps.core.serialize")
    try:
        context = streams.BytesDeserializationContext(data)
        found = library.Timestamp.deserialize(context, message)
        context.assert_eof()
    except Exception as error:  # the parser's own, of many kinds: of foreign bytes
        raise ReceiptError(f"what came is no timestamp ({error})"[:160]) from None
    return found


def _bytes(proof: Any) -> bytes:
    streams = client_of("opentimestamps.core.serialize")
    out = io.BytesIO()
    proof.serialize(streams.StreamSerializationContext(out))
    return out.getvalue()


def _send(
    url: str,
    body: bytes | None,
    headers: Mapping[str, str],
    wait: float,
    missing: bytes | None = None,
) -> bytes:
    """What a server answers: at most `MOST` bytes, within `wait` seconds, from that very address.

    `missing` stands for the answer of one that doesn't know what was asked for (404). Raises
    NoReceipt.
    """
    import httpx

    headers = {**headers, "Accept-Encoding": "identity"}  # what is packed may unpack without end
    deadline, data = time.monotonic() + wait, b""
    method = "GET" if body is None else "POST"
    try:
        with (
            open_client(url, timeout=wait) as client,
            client.stream(method, url, content=body, headers=headers) as answer,
        ):
            if answer.status_code == 404 and missing is not None:
                return missing
            if answer.status_code != 200:
                raise NoReceipt(f"it answered {answer.status_code}")
            if answer.headers.get("content-encoding", "identity") != "identity":
                raise NoReceipt("its answer is packed, which it was asked not to be")
            for piece in answer.iter_raw():
                data += piece
                if len(data) > MOST:
                    raise NoReceipt(f"its answer is longer than {MOST} bytes")
                if time.monotonic() > deadline:
                    raise NoReceipt(f"no whole answer within {wait:g} s")
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        raise NoReceipt(f"{type(error).__name__}: {error}"[:160]) from None
    return data


def _keep(path: Path, data: bytes, record: Path, sha256: str) -> None:
    """Put a receipt beside its record, unless another record has taken its place meanwhile."""
    with alone(record.parent.name, record.parents[3]):
        if not record.is_file() or file_sha256(record) != sha256:
            raise NoReceipt("another record was sealed meanwhile")
        with atomic(path) as part:
            part.write_bytes(data)


def _keep_roots(study: str, settings: Mapping[str, Any], root: Path) -> None:
    """Put the config's roots beside the records: by them a reader checks the receipts."""
    if not (named := settings.get("certificates")):
        return
    if not (roots := read_roots(root / named)):
        raise ValueError(f"{named}: no certificates there (config: timestamps/certificates)")
    place = root / folder(study) / ROOTS
    from cryptography.hazmat.primitives.serialization import Encoding

    known = {root_.public_bytes(Encoding.PEM): None for root_ in [*read_roots(place), *roots]}
    text = b"".join(known).decode()
    if not place.is_file() or place.read_text(encoding="utf-8") != text:
        write_text(place, text)


def slug(url: str) -> str:
    """What a server's address is called in the name of its receipt.

    >>> slug("http://timestamp.example.org/tsr")
    'timestamp.example.org-tsr'
    """
    parts = urlsplit(url)
    return re.sub(r"[^A-Za-z0-9.]+", "-", f"{parts.netloc}{parts.path}").strip("-.").lower()


def _failed(server: str, record: Path, error: Exception) -> str:
    return f"{server} gave no receipt for {record.name}: {error}"
