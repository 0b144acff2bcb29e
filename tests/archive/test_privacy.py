"""What must not be published is found, by file and line; no canary is written out here."""

from __future__ import annotations

import base64
import gzip
import zlib

import numpy as np
import pytest
from veridical.archive.privacy import own_secrets, report, scan
from veridical.base.allowed import Allowed, read_allowed

TAIL = "Zq4" * 14  # 42 letters and digits
CANARIES = {
    "key": [
        "sk-" + TAIL,
        "sk-ant-api03-" + TAIL,
        "sk-proj-" + TAIL,
        "AIza" + TAIL[:35],
        "hf_" + TAIL[:34],
        "gsk_" + TAIL,
        "AKIA" + "A1B2C3D4E5F6G7H8",
        "ghp_" + TAIL[:36],
        "xoxb-" + "123456789012-abc",
        "-----BEGIN " + "RSA PRIVATE KEY-----",
    ],
    "token": [
        "Authorization: Bearer " + TAIL,
        "eyJ" + TAIL + ".eyJ" + TAIL + "." + TAIL,
        "https://zenodo.org/api?access_token" + "=" + TAIL,
        "api_key" + ': "' + TAIL + '"',
        "password" + "=" + TAIL[:16],
        "https://ada:" + "secret@ledger.org/x",
    ],
    "e-mail": ["ada.lovelace" + "@" + "analytical.co.uk"],
    "home path": [
        "/home/" + "ada/notes.txt",
        "/Users/" + "ada",
        "/root/" + "x",
        "C:\\Users\\" + "ada",
        "C:/Users/" + "ada",
        "file:///home/" + "ada/x.txt",
        "file:///Users/" + "ada",
        "file:///C:/Users/" + "ada",
        "/mnt/c/Users/" + "ada/x",
        "/c/Users/" + "ada",
        "/cygdrive/d/Users/" + "ada",
        "PATH=/usr/bin:/home/" + "ada/bin",
        '{"text": "Traceback:\\n/home/' + 'ada/x.py"}',
        '{"text": "C:\\\\Users\\\\' + 'ada"}',
        '{"text": "\\/home\\/' + 'ada"}',
        "%2Fhome%2F" + "ada",
        "\\\\" + "nas01\\share\\x",
        "see ~" + "ada/notes.txt",
    ],
    "host name": [
        "node7.cluster." + "internal",
        "192.168." + "1.20",
        "http://10.0." + "0.5:8000",
        "asked 192.168." + "1.20.",
        "node7.cluster." + "internal.",
        "adas-macbook." + "local",
        "100.64." + "1.2",
        "fd12:3456:789a::" + "1",
        "ada@" + "laptop:~/study$ ls",
    ],
}


@pytest.mark.parametrize(
    ("kind", "canary"), [(kind, text) for kind, texts in CANARIES.items() for text in texts]
)
def test_each_canary_is_found_by_file_and_line(kind, canary):
    content = f"first line\nsecond, {canary}\nthird\n".encode()
    findings = scan({"results/demo/replies/m.jsonl": content})
    assert kind in [finding.kind for finding in findings]
    assert {(f.path, f.line) for f in findings} == {("results/demo/replies/m.jsonl", 2)}
    assert canary not in "\n".join(str(finding) for finding in findings if len(canary) > 8)


@pytest.mark.parametrize(
    "text",
    [
        "api_key_env: OPENAI_API_KEY",
        "task-specific-and-rather-long-names-of-things",
        "someone@example.org",
        "https://example.org/home/page and /homely/x",
        "f'{name}@{version}' @pytest.mark.parametrize",
        "threading.local() and settings.internal.value",
        "sha256 " + "0123456789abcdef" * 4,
        "nvidia-curand 10.3.9.90a, 2026.10.11549",
        "max_tokens: 64, prompt_tokens=1024",
        "the network 10.0.0.0/8, version 10.3.9.90a",
        "df[~mask], file~, ~10 and Fig.~ref, https://example.org/~user/",
        "\\\\alpha + \\\\beta{x} \\\\hline",
        "C: the Users of C:/temp",
        "localhost:8000, threading.local(), x.local.value",
    ],
)
def test_ordinary_text_is_left_alone(text):
    assert scan({"a.txt": text.encode()}) == []


def test_packed_parts_are_opened():
    canary = ("sk-" + TAIL).encode()
    page = b"<html>\n<img src='data:text/csv;base64," + base64.b64encode(b"id," + canary) + b"'>"
    packed = base64.b64encode(gzip.compress(b"id," + canary))
    zipped = b"<html>\n\n<script>x='data:application/gzip;base64," + packed + b"'"
    pdf = b"%PDF-1.4\nstream\n" + zlib.compress(b"(" + canary + b") Tj") + b"\nendstream\n"
    found = scan({"a.html": page, "b.html": zipped, "c.pdf": pdf, "d.gz": gzip.compress(canary)})
    assert [(f.path, f.line) for f in found] == [
        ("a.html", 2),
        ("b.html", 3),
        ("c.pdf", 2),
        ("d.gz", 1),
    ]


def test_noise_of_packing_is_no_folder_of_anybodys():
    """Drawn until 171 kB of deflated numbers held four bytes that read as a home folder."""
    symbols = np.frombuffer(b"0123456789 .-lmc", dtype=np.uint8)
    raw = np.random.default_rng(31).choice(symbols, 300_000).tobytes()
    packed = zlib.compress(raw)
    pdf = b"%PDF-1.4\nstream\n" + packed + b"\nendstream\n"
    assert scan({"a.pdf": pdf}) == []
    # the same bytes outside of a stream, or after the stream's end within it, are looked at
    assert [f.kind for f in scan({"a.bin": packed})] == ["home path"]
    hidden = packed + b"/home/somebody/notes"
    (found,) = scan({"a.pdf": pdf.replace(packed, hidden)})
    assert (found.kind, found.shown) == ("home path", "'/home/…'")


def test_words_in_a_font_or_an_image_are_read_and_its_noise_is_not():
    noise = bytes(range(128, 256)) * 4 + b"~k/A" + bytes(range(128, 256))
    assert scan({"a.pdf": b"%PDF-1.4\nstream\n" + zlib.compress(noise) + b"\nendstream\n"}) == []
    named = noise + b"made in /home/somebody/fonts" + noise
    pdf = b"%PDF-1.4\nstream\n" + zlib.compress(named) + b"\nendstream\n"
    assert [finding.kind for finding in scan({"a.pdf": pdf})] == ["home path"]


def test_the_values_of_this_machine_are_found_literally(tmp_path):
    environment = {"LAB_SECRET": "correct horse battery", "EDITOR": "vi", "MAX_TOKENS": "12345678"}
    secrets = own_secrets(environment, tmp_path)
    assert "correct horse battery" in secrets["key"]
    text = f"x correct horse battery y\n{tmp_path}/results\n"
    kinds = [finding.kind for finding in scan({"log.txt": text.encode()}, secrets=secrets)]
    assert kinds == ["key", "home path"]


def test_what_is_allowed_is_allowed_there_only():
    address = CANARIES["e-mail"][0]
    files = {"CITATION.cff": address.encode(), "results/a.csv": address.encode()}
    allowed = [Allowed("CITATION.cff", address, "the contact")]
    assert [finding.path for finding in scan(files, allowed=allowed)] == ["results/a.csv"]


def test_an_allowance_without_reason_is_refused(tmp_path):
    path = tmp_path / "allowed.csv"
    assert read_allowed(path) == []
    path.write_text("path,text,why\n*.cff,a,the contact\n*.md,b,\n")
    with pytest.raises(ValueError, match=r"allowed\.csv, entry 2: why is empty"):
        read_allowed(path)


def test_the_report_says_what_to_do():
    text = report(scan({"a.txt": ("\n/root/" + "x").encode()}), "config/privacy-allowed.csv")
    assert "a.txt:2: home path" in text
    assert "config/privacy-allowed.csv" in text


def test_a_long_line_takes_no_long_time():
    assert scan({"big.html": b"a+b/" * 500_000 + b"A" * 500_000}) == []


@pytest.mark.parametrize("host", ["node7", "adas-laptop", "Analytica"])
def test_this_machines_bare_name_is_found(host, monkeypatch):
    monkeypatch.setattr("socket.gethostname", lambda: f"{host}.example.org")
    secrets = own_secrets({}, "/")
    for text in (f"run on {host}.", f"http://{host}:8000/v1", host.upper()):
        kinds = [finding.kind for finding in scan({"log.txt": text.encode()}, secrets=secrets)]
        assert "host name" in kinds
    assert scan({"log.txt": f"x{host}y {host}-2".encode()}, secrets=secrets) == []


@pytest.mark.parametrize("host", ["localhost", "ubuntu", "box", "server"])
def test_a_name_that_is_a_word_is_not_looked_for(host, monkeypatch):
    monkeypatch.setattr("socket.gethostname", lambda: host)
    assert own_secrets({}, "/")["host name"] == []


def test_a_variable_that_the_config_names_is_looked_for_in_every_writing():
    secrets = own_secrets({"LAB": "hunter2/hunter2\n"}, "/", ["LAB"])
    for text in ("x hunter2/hunter2 y", "hunter2%2Fhunter2", "hunter2\\/hunter2"):
        assert {f.kind for f in scan({"a.txt": text.encode()}, secrets=secrets)} == {"key"}
