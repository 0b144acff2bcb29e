"""What a receipt says of when a record existed: RFC 3161 responses and OpenTimestamps proofs.

Read and checked offline, by the clients of the group `timestamps` (rfc3161-client, opentimestamps).
"""

from __future__ import annotations

import datetime
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veridical.base.files import file_sha256
from veridical.base.terminal import printable
from veridical.freeze.manifest import folder, records_there

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

ENDS = (".tsr", ".ots")
ROOTS = "authorities.pem"  # certificates that the authorities' own must lead to
HEADERS = "bitcoin-headers.txt"  # a line a block: its height, its header in hex
INSTALL = "uv sync --locked --group timestamps"
SHA256 = "2.16.840.1.101.3.4.2.1"
AHEAD = datetime.timedelta(days=1)  # by which clocks may differ
# Hashes that a block takes on average; every block since 2015 took more, a forger has not as many.
LEAST_WORK = 2**64


class ReceiptError(ValueError):
    """A receipt proves nothing of this record; the message says why."""


class NotInstalled(RuntimeError):
    """The clients that read receipts are not there; the message says how to install them."""


@dataclass(frozen=True)
class Said:
    """What one receipt says, once it was checked.

    `state`: `attested` (at `time`, ISO, UTC), `pending` (promised by a calendar) or `block` (a
    Bitcoin block holds it whose header isn't at hand; `detail` says what to compare).
    """

    kind: str
    authority: str
    state: str
    time: str = ""
    detail: str = ""


def receipts(study: str, root: Path | str = ".") -> dict[Path, Path]:
    """Every receipt that lies with a study's records, those replaced too, with its record."""
    place = Path(root) / folder(study)
    found = [*place.glob("*.json.*"), *(place / "superseded").glob("*.json.*")]
    return {
        path: path.with_name(path.name.partition(".json.")[0] + ".json")
        for path in sorted(found)
        if path.suffix in ENDS and not path.name.startswith(".")
    }


def receipts_of(study: str, stage: str, root: Path | str = ".") -> list[Path]:
    """The receipts beside the record of a stage."""
    place = Path(root) / folder(study)
    return [path for path, record in receipts(study, root).items() if record.parent == place
            and record.stem == stage]  # fmt: skip


def read_receipt(
    path: Path, sha256: str, *, roots: Sequence[Certificate], headers: Mapping[int, bytes]
) -> list[Said]:
    """What a receipt says of the record with a hash.

    `roots` are trusted certificates, `headers` Bitcoin headers (80 bytes) by height. Raises
    ReceiptError where it proves nothing of that record, NotInstalled where it can't be read here.
    """
    data = path.read_bytes()
    if path.suffix == ".tsr":
        return [read_response(data, sha256, roots)]
    return read_proof(data, sha256, headers)


def read_response(data: bytes, sha256: str, roots: Sequence[Certificate]) -> Said:
    """What an RFC 3161 response says. Raises as `read_receipt`.

    The authority's certificate must lead to one of `roots` and have been valid at the time that
    it attests; that it has run out since changes nothing.
    """
    client = client_of("rfc3161_client")
    try:
        response = client.decode_timestamp_response(data)
        if response.status != client.PKIStatus.GRANTED:
            raise ReceiptError(f"not granted: {'; '.join(response.status_string) or 'no reason'}")
        told = response.tst_info
        imprint, moment = told.message_imprint, told.gen_time
    except ReceiptError:
        raise
    except Exception as error:  # the parser's own, of many kinds: of foreign bytes
        raise ReceiptError(f"cut off, or no RFC 3161 response ({_line(error)})") from None
    if imprint.hash_algorithm.dotted_string != SHA256 or imprint.message.hex() != sha256:
        raise ReceiptError(f"is for {imprint.message.hex()[:8]}, not for {sha256[:8]}")
    if moment > datetime.datetime.now(datetime.UTC) + AHEAD:
        raise ReceiptError(f"names a time to come ({_iso(moment)})")
    if not roots:
        raise ReceiptError(f"no root to check it by; put the authority's into {ROOTS}")
    signer = _signer(response)
    _check_valid(signer, moment)
    try:
        builder = client.VerifierBuilder(roots=[*roots])
        builder.build().verify(response, bytes.fromhex(sha256))
    except (client.VerificationError, ValueError) as error:
        raise ReceiptError(
            f"its signature doesn't lead to a trusted root ({_line(error)})"
        ) from None
    return Said("rfc3161", _name(signer), "attested", _iso(moment))


def _signer(response: Any) -> Certificate:
    from cryptography.x509 import load_der_x509_certificate

    try:
        (info,) = response.signed_data.signer_infos
        certificates = map(load_der_x509_certificate, response.signed_data.certificates)
        wanted = info.issuer, info.serial_number
        return next(each for each in certificates if (each.issuer, each.serial_number) == wanted)
    except Exception as error:  # the parser's own, of many kinds: of foreign bytes
        raise ReceiptError(f"its signer's certificate isn't in it ({_line(error)})") from None


def _check_valid(signer: Certificate, moment: datetime.datetime) -> None:
    first, last = signer.not_valid_before_utc, signer.not_valid_after_utc
    if not first <= moment <= last:
        raise ReceiptError(
            f"expired: at {_iso(moment)} the authority's certificate was not valid "
            f"({_iso(first)} to {_iso(last)})"
        )


def _name(certificate: Certificate) -> str:
    from cryptography.x509.oid import NameOID

    names = certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    return printable(str(names[0].value) if names else certificate.subject.rfc4514_string())


def read_proof(
    data: bytes, sha256: str, headers: Mapping[int, bytes], *, least_work: int = LEAST_WORK
) -> list[Said]:
    """What an OpenTimestamps proof says, each of its attestations. Raises as `read_receipt`.

    A Bitcoin block attests where its header is among `headers`, took at least `least_work` hashes
    and has the proof's outcome as its Merkle root. That the block is in the chain, the chain says.
    """
    client = client_of("opentimestamps.core.notary")
    proof = parse_proof(data)
    if proof.file_hash_op.HASHLIB_NAME != "sha256" or proof.file_digest.hex() != sha256:
        raise ReceiptError(f"is for {proof.file_digest.hex()[:8]}, not for {sha256[:8]}")
    said = []
    for outcome, attestation in proof.timestamp.all_attestations():
        if isinstance(attestation, client.PendingAttestation):
            said.append(Said("opentimestamps", printable(attestation.uri), "pending"))
        elif isinstance(attestation, client.BitcoinBlockHeaderAttestation):
            said.append(_in_block(outcome, attestation, headers, least_work))
    if not said:
        raise ReceiptError("holds no attestation of a calendar or of a Bitcoin block")
    return sorted(said, key=lambda each: (each.state, each.authority))


def parse_proof(data: bytes) -> Any:
    """An OpenTimestamps proof as its library has it. Raises as `read_receipt`."""
    library = client_of("opentimestamps.core.timestamp")
    streams = client_of("opentimestamps.core.serialize")
    try:
        proof = library.DetachedTimestampFile.deserialize(
            streams.StreamDeserializationContext(io.BytesIO(data))
        )
    except Exception as error:  # the parser's own, of many kinds: of foreign bytes
        raise ReceiptError(f"cut off, or no OpenTimestamps proof ({_line(error)})") from None
    return proof


def _in_block(
    outcome: bytes, attestation: Any, headers: Mapping[int, bytes], least_work: int
) -> Said:
    from bitcoin.core import CBlockHeader
    from bitcoin.core.serialize import uint256_from_compact, uint256_from_str

    authority = f"Bitcoin block {attestation.height}"
    if attestation.height not in headers:
        detail = f"its Merkle root must be {outcome[::-1].hex()}; header not at hand"
        return Said("opentimestamps", authority, "block", detail=detail)
    try:
        header = CBlockHeader.deserialize(headers[attestation.height])
        moment = attestation.verify_against_blockheader(outcome, header)
        target = uint256_from_compact(header.nBits)
    except Exception as error:  # the library's own, of many kinds: of foreign bytes
        raise ReceiptError(f"{authority} doesn't hold it ({_line(error)})") from None
    if uint256_from_str(header.GetHash()) > target or 2**256 // (target + 1) < least_work:
        raise ReceiptError(f"{authority}: the header in {HEADERS} is no block's")
    when = datetime.datetime.fromtimestamp(moment, datetime.UTC)
    return Said("opentimestamps", authority, "attested", _iso(when))


def read_roots(path: Path | str) -> list[Certificate]:
    """The certificates in a PEM file; none where there is none. Raises ValueError naming it."""
    if not Path(path).is_file():
        return []
    client_of("rfc3161_client")
    from cryptography.x509 import load_pem_x509_certificates

    try:
        return load_pem_x509_certificates(Path(path).read_bytes())
    except ValueError as error:
        raise ValueError(f"{path}: no certificates in PEM form ({_line(error)})") from None


def read_headers(path: Path | str) -> dict[int, bytes]:
    """Bitcoin headers by height; none without a file. Raises ValueError naming file and line."""
    if not Path(path).is_file():
        return {}
    found = {}
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), start=1):
        match = re.fullmatch(r"(\d{1,9})\s+([0-9a-fA-F]{160})", line.strip())
        if not match:
            raise ValueError(f"{path}, line {number}: wanted a height and a header of 80 bytes")
        found[int(match[1])] = bytes.fromhex(match[2])
    return found


def trusted(study: str, root: Path | str = ".") -> dict[str, Any]:
    """By what a study's receipts are checked: `roots` and `headers`, as they lie with its records.

    Raises ValueError naming the file where one can't be read.
    """
    place = Path(root) / folder(study)
    return {"roots": read_roots(place / ROOTS), "headers": read_headers(place / HEADERS)}


def in_force(study: str, root: Path | str = ".") -> dict[str, str]:
    """The SHA-256 of each stage's record, of those that are sealed."""
    return {stage: file_sha256(path) for stage, path in records_there(study, root).items()}


def client_of(name: str) -> Any:
    """A module of the clients that read and ask for receipts. Raises NotInstalled, saying how they
    are installed, where it can't be had."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError:
        raise NotInstalled(f"the clients for receipts are not installed: {INSTALL}") from None


def _line(error: BaseException) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text[:120]


def _iso(moment: datetime.datetime) -> str:
    return moment.astimezone(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
