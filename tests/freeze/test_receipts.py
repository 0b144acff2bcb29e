"""Receipts of time, read offline: each forged, other, run out or cut one is refused by name."""

from __future__ import annotations

import builtins
import datetime
import hashlib

import pytest
from cryptography.x509.oid import ExtendedKeyUsageOID
from hypothesis import example, given, settings
from hypothesis import strategies as st
from opentimestamps.core.notary import (
    BitcoinBlockHeaderAttestation,
    PendingAttestation,
    UnknownAttestation,
)
from support.time_server import DAY, HEIGHT, NOW, Authority, proof_of
from veridical.freeze.receipts import (
    NotInstalled,
    ReceiptError,
    read_headers,
    read_proof,
    read_response,
    read_roots,
)

RECORD = b'{"study": "demo"}\n'
DIGEST = hashlib.sha256(RECORD).digest()
SHA256 = DIGEST.hex()
CLOCK = Authority()
RESPONSE = CLOCK.attest(DIGEST)
PENDING = proof_of(DIGEST, PendingAttestation("https://calendar.example.org"))

# The first block of Bitcoin, as everybody has it: its header, and the Merkle root within.
GENESIS = bytes.fromhex(
    "0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e"
    "67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c"
)
ROOT = GENESIS[36:68]
FIRST_BLOCK = 2**32  # hashes that it took on average: difficulty 1


def test_a_response_says_who_attests_and_when():
    said = read_response(RESPONSE, SHA256, [CLOCK.root])
    assert (said.kind, said.authority, said.state) == ("rfc3161", "Clock of the tests", "attested")
    assert said.time == NOW.strftime("%Y-%m-%dT%H:%M:%SZ")


def test_a_name_with_signs_for_the_terminal_is_shown_harmless():
    clock = Authority("Clock\x1b[31m\u202ekcolC")
    said = read_response(clock.attest(DIGEST), SHA256, [clock.root])
    assert "\x1b" not in said.authority
    assert "\u202e" not in said.authority


def test_a_response_for_another_record_is_refused():
    other = CLOCK.attest(hashlib.sha256(b"other").digest())
    with pytest.raises(ReceiptError, match=f"not for {SHA256[:8]}"):
        read_response(other, SHA256, [CLOCK.root])


def test_a_response_of_an_authority_that_is_not_trusted_is_refused():
    with pytest.raises(ReceiptError, match="trusted root"):
        read_response(Authority().attest(DIGEST), SHA256, [CLOCK.root])
    with pytest.raises(ReceiptError, match="no root to check it by"):
        read_response(RESPONSE, SHA256, [])


def test_a_time_written_into_a_response_breaks_its_signature():
    """The attested second is flipped in the bytes: what was signed is not what is said."""
    stamp = NOW.strftime("%Y%m%d%H%M%SZ").encode()
    earlier = (NOW - DAY).strftime("%Y%m%d%H%M%SZ").encode()
    assert RESPONSE.count(stamp) == 1
    with pytest.raises(ReceiptError, match="trusted root"):
        read_response(RESPONSE.replace(stamp, earlier), SHA256, [CLOCK.root])


def test_an_authority_that_had_run_out_is_refused_and_one_that_ran_out_since_is_not():
    old = Authority(first=NOW - 20 * DAY, last=NOW - 10 * DAY)
    with pytest.raises(ReceiptError, match="expired"):
        read_response(old.attest(DIGEST, moment=NOW), SHA256, [old.root])
    said = read_response(old.attest(DIGEST, moment=NOW - 15 * DAY), SHA256, [old.root])
    assert said.state == "attested"
    with pytest.raises(ReceiptError, match="expired"):
        read_response(old.attest(DIGEST, moment=NOW - 21 * DAY), SHA256, [old.root])


def test_a_time_to_come_is_refused():
    with pytest.raises(ReceiptError, match="a time to come"):
        read_response(CLOCK.attest(DIGEST, moment=NOW + 2 * DAY), SHA256, [CLOCK.root])


def test_a_certificate_for_another_use_attests_no_time():
    server = Authority(usage=ExtendedKeyUsageOID.SERVER_AUTH)
    with pytest.raises(ReceiptError, match="trusted root"):
        read_response(server.attest(DIGEST), SHA256, [server.root])


def test_a_refusal_is_no_receipt():
    words = b"\x0c\x09not today"  # PKIStatusInfo by hand: rejection (2), and why
    info = b"\x02\x01\x02" + b"\x30" + bytes([len(words)]) + words
    refused = b"\x30" + bytes([len(info) + 2]) + b"\x30" + bytes([len(info)]) + info
    with pytest.raises(ReceiptError, match="not granted: not today"):
        read_response(refused, SHA256, [CLOCK.root])


@settings(max_examples=40, deadline=None)
@given(st.integers(0, len(RESPONSE) - 1))
def test_a_response_cut_anywhere_is_refused(end):
    with pytest.raises(ReceiptError):
        read_response(RESPONSE[:end], SHA256, [CLOCK.root])


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(RESPONSE) - 1), st.integers(1, 255))
@example(172, 1)  # the certificate's version
def test_a_flipped_byte_never_gives_another_time(place, flip):
    """Either it is refused, or the byte was none that is signed and it says the same."""
    forged = bytearray(RESPONSE)
    forged[place] ^= flip
    try:
        said = read_response(bytes(forged), SHA256, [CLOCK.root])
    except ReceiptError:
        return
    assert said == read_response(RESPONSE, SHA256, [CLOCK.root])


def test_a_promise_is_no_proof_yet():
    (said,) = read_proof(PENDING, SHA256, {})
    assert (said.state, said.authority, said.time) == (
        "pending", "https://calendar.example.org", "")  # fmt: skip


@pytest.mark.parametrize("data", [b"", b"no proof", PENDING[:40], PENDING[:-1], PENDING + b"\0"])
def test_what_is_no_whole_proof_is_refused(data):
    with pytest.raises(ReceiptError, match="no OpenTimestamps proof"):
        read_proof(data, SHA256, {})


def test_a_proof_of_another_record_is_refused():
    other = proof_of(hashlib.sha256(b"other").digest(), PendingAttestation("https://c.example"))
    with pytest.raises(ReceiptError, match="not for"):
        read_proof(other, SHA256, {})


def test_a_proof_whose_attestations_nobody_knows_is_refused():
    with pytest.raises(ReceiptError, match="holds no attestation"):
        read_proof(proof_of(DIGEST, UnknownAttestation(b"\x01" * 8, b"x")), SHA256, {})


def test_a_block_attests_once_its_header_is_there():
    proof = proof_of(ROOT, BitcoinBlockHeaderAttestation(0))
    (said,) = read_proof(proof, ROOT.hex(), {0: GENESIS}, least_work=FIRST_BLOCK - 2**20)
    assert (said.authority, said.time) == ("Bitcoin block 0", "2009-01-03T18:15:05Z")
    (said,) = read_proof(proof, ROOT.hex(), {})
    assert said.state == "block"
    assert "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b" in said.detail


def test_a_header_that_holds_something_else_is_refused():
    proof = proof_of(DIGEST, BitcoinBlockHeaderAttestation(0))
    with pytest.raises(ReceiptError, match="Bitcoin block 0 doesn't hold it"):
        read_proof(proof, SHA256, {0: GENESIS})


def test_a_header_that_took_no_work_is_refused():
    """Anyone can write a header around a hash; nobody can give it the work of a block."""
    proof = proof_of(DIGEST, BitcoinBlockHeaderAttestation(HEIGHT))
    made_up = GENESIS[:36] + DIGEST + GENESIS[68:]
    with pytest.raises(ReceiptError, match="no block's"):
        read_proof(proof, SHA256, {HEIGHT: made_up}, least_work=1)
    easy = proof_of(ROOT, BitcoinBlockHeaderAttestation(HEIGHT))
    with pytest.raises(ReceiptError, match="no block's"):  # of 2009: anybody has as much today
        read_proof(easy, ROOT.hex(), {HEIGHT: GENESIS})


def test_files_that_receipts_are_checked_by_are_named_where_they_are_none(tmp_path):
    assert read_roots(tmp_path / "none.pem") == []
    assert read_headers(tmp_path / "none.txt") == {}
    (tmp_path / "roots.pem").write_text("-----BEGIN CERTIFICATE-----\nAAAA\n")
    with pytest.raises(ValueError, match=r"roots\.pem: no certificates"):
        read_roots(tmp_path / "roots.pem")
    (tmp_path / "headers.txt").write_text(f"0 {GENESIS.hex()}\n1 {GENESIS.hex()[:-2]}\n")
    with pytest.raises(ValueError, match=r"headers\.txt, line 2"):
        read_headers(tmp_path / "headers.txt")
    (tmp_path / "headers.txt").write_text(f"0 {GENESIS.hex()}\n")
    assert read_headers(tmp_path / "headers.txt") == {0: GENESIS}


def test_without_the_clients_it_says_how_to_get_them(monkeypatch):
    real = builtins.__import__

    def none(name, *rest, **more):
        if name.partition(".")[0] in ("rfc3161_client", "opentimestamps"):
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", none)
    monkeypatch.setattr("importlib.import_module", none)
    with pytest.raises(NotInstalled, match="--group timestamps"):
        read_response(RESPONSE, SHA256, [CLOCK.root])
    with pytest.raises(NotInstalled, match="--group timestamps"):
        read_proof(PENDING, SHA256, {})


def test_times_are_told_in_utc():
    east = datetime.timezone(datetime.timedelta(hours=9))
    moment = (NOW - DAY).replace(hour=22).astimezone(east)
    assert moment.day != (NOW - DAY).day
    clock = Authority(first=moment - DAY, last=moment + DAY)
    said = read_response(clock.attest(DIGEST, moment=moment), SHA256, [clock.root])
    assert said.time == f"{NOW - DAY:%Y-%m-%d}T22:{NOW:%M:%S}Z"
