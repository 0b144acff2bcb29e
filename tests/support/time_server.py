"""Authorities of time of the tests' own: an RFC 3161 authority and an OpenTimestamps calendar.

They speak the documented wire formats (RFC 3161 with asn1crypto and a certificate of their own; a
calendar's `POST /digest` and `GET /timestamp/<commitment>`), and misbehave where told to.
"""

from __future__ import annotations

import datetime
import hashlib
import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from asn1crypto import algos, cms, core, tsp
from asn1crypto import x509 as asn1_x509
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from opentimestamps.core.notary import BitcoinBlockHeaderAttestation, PendingAttestation
from opentimestamps.core.op import OpAppend, OpSHA256
from opentimestamps.core.serialize import StreamSerializationContext
from opentimestamps.core.timestamp import DetachedTimestampFile, Timestamp

DAY = datetime.timedelta(days=1)
NOW = datetime.datetime.now(datetime.UTC).replace(microsecond=0)
HEIGHT = 800_000


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


class Authority:
    """A root, and a time-stamping certificate under it that is valid from `first` to `last`."""

    def __init__(
        self, name: str = "Clock of the tests", first=NOW - 30 * DAY, last=NOW + 30 * DAY,
        usage=ExtendedKeyUsageOID.TIME_STAMPING,
    ):  # fmt: skip
        self.root_key, self.key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
        issuer = _name(f"Root of {name}")
        self.root = self._certificate(issuer, issuer, self.root_key, NOW - 99 * DAY, NOW + 99 * DAY)
        self.certificate = self._certificate(_name(name), issuer, self.key, first, last, usage)

    def _certificate(self, subject, issuer, key, first, last, usage=None) -> x509.Certificate:
        builder = (
            x509.CertificateBuilder().subject_name(subject).issuer_name(issuer)
            .public_key(key.public_key()).serial_number(x509.random_serial_number())
            .not_valid_before(first).not_valid_after(last)
            .add_extension(x509.BasicConstraints(ca=usage is None, path_length=None), critical=True)
        )  # fmt: skip
        if usage is not None:
            builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), critical=True)
        return builder.sign(self.root_key, hashes.SHA256())

    def write_root(self, path: Path) -> Path:
        path.write_bytes(self.root.public_bytes(serialization.Encoding.PEM))
        return path

    def respond(self, query: bytes, *, moment=NOW, nonce: int | None = None) -> bytes:
        """The response to a request, as RFC 3161 has it."""
        asked = tsp.TimeStampReq.load(query)
        return self.attest(
            asked["message_imprint"]["hashed_message"].native,
            moment=moment, nonce=asked["nonce"].native if nonce is None else nonce,
        )  # fmt: skip

    def attest(self, digest: bytes, *, moment=NOW, nonce: int = 7) -> bytes:
        told = tsp.TSTInfo({
            "version": "v1", "policy": "1.2.3.4.1", "serial_number": 1, "gen_time": moment,
            "message_imprint": {
                "hash_algorithm": {"algorithm": "sha256"}, "hashed_message": digest},
            "nonce": nonce,
        })  # fmt: skip
        token = self._signed(told.dump())
        response = tsp.TimeStampResp({"status": {"status": "granted"}, "time_stamp_token": token})
        return response.dump()

    def _signed(self, content: bytes) -> cms.ContentInfo:
        own = asn1_x509.Certificate.load(self.certificate.public_bytes(serialization.Encoding.DER))
        attributes = cms.CMSAttributes([
            cms.CMSAttribute({"type": "content_type", "values": ["tst_info"]}),
            cms.CMSAttribute(
                {"type": "message_digest", "values": [hashlib.sha256(content).digest()]}
            ),
        ])  # fmt: skip
        signature = self.key.sign(attributes.dump(), ec.ECDSA(hashes.SHA256()))
        signer = cms.SignerInfo({
            "version": "v1",
            "sid": cms.SignerIdentifier({"issuer_and_serial_number": {
                "issuer": own.issuer, "serial_number": own.serial_number}}),
            "digest_algorithm": algos.DigestAlgorithm({"algorithm": "sha256"}),
            "signed_attrs": attributes,
            "signature_algorithm": {"algorithm": "sha256_ecdsa"},
            "signature": signature,
        })  # fmt: skip
        signed = cms.SignedData({
            "version": "v3",
            "digest_algorithms": [{"algorithm": "sha256"}],
            "encap_content_info": {
                "content_type": "tst_info", "content": core.ParsableOctetString(content)},
            "certificates": [own],
            "signer_infos": [signer],
        })  # fmt: skip
        return cms.ContentInfo({"content_type": "signed_data", "content": signed})


class Calendar:
    """Promises every digest a block; the block is there once `confirmed`."""

    def __init__(self):
        self.url, self.confirmed, self.digests = "", False, []

    def promise(self, digest: bytes) -> bytes:
        self.digests.append(digest)
        stamp = Timestamp(digest)
        stamp.ops.add(OpAppend(b"calendar")).ops.add(OpSHA256()).attestations.add(
            PendingAttestation(self.url)
        )
        return _bytes(stamp)

    def block(self, commitment: bytes) -> bytes:
        stamp = Timestamp(commitment)
        stamp.ops.add(OpAppend(b"block")).ops.add(OpSHA256()).attestations.add(
            BitcoinBlockHeaderAttestation(HEIGHT)
        )
        return _bytes(stamp)


def _bytes(stamp) -> bytes:
    out = io.BytesIO()
    stamp.serialize(StreamSerializationContext(out))
    return out.getvalue()


def proof_of(digest: bytes, *attestations) -> bytes:
    """An `.ots` file whose digest itself is attested."""
    stamp = Timestamp(digest)
    stamp.attestations.update(attestations)
    return _bytes(DetachedTimestampFile(OpSHA256(), stamp))


@contextmanager
def serving(authority: Authority, calendar: Calendar | None = None, **odd) -> Iterator[str]:
    """Serve both at one address. `odd`: `status`, `body` (bytes), `to` (a redirect's address),
    `encoding` (its name in the answer's head), `moment` and `nonce` of the authority's answers,
    `drip` (seconds between two bytes)."""
    calendar = calendar or Calendar()
    seen: list[tuple[str, dict[str, str], bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_):
            return

        def do_GET(self):
            self._answer(b"")

        def do_POST(self):
            self._answer(self.rfile.read(int(self.headers["Content-Length"])))

        def _answer(self, body: bytes) -> None:
            seen.append((self.path, dict(self.headers), body))
            status, data = odd.get("status", 200), odd.get("body")
            if data is None and status == 200:
                status, data = self._honest(body)
            self.send_response(status)
            if "to" in odd:
                self.send_header("Location", odd["to"])
            if "encoding" in odd:
                self.send_header("Content-Encoding", odd["encoding"])
            self.send_header("Content-Length", str(len(data or b"")))
            self.end_headers()
            self._write(data or b"")

        def _write(self, data: bytes) -> None:
            if not odd.get("drip"):
                self.wfile.write(data)
                return
            for place in range(len(data)):
                try:
                    self.wfile.write(data[place : place + 1])
                except OSError:
                    return
                threading.Event().wait(odd["drip"])

        def _honest(self, body: bytes) -> tuple[int, bytes]:
            if self.path == "/tsr":
                more = {name: odd[name] for name in ("moment", "nonce") if name in odd}
                return 200, authority.respond(body, **more)
            if self.path == "/digest":
                return 200, calendar.promise(body)
            if not calendar.confirmed:
                return 404, b"Pending confirmation in Bitcoin blockchain"
            return 200, calendar.block(bytes.fromhex(self.path.removeprefix("/timestamp/")))

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    serving.seen = seen
    calendar.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield calendar.url
    finally:
        server.shutdown()
        server.server_close()
