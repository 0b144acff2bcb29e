"""Look for what must not be published: keys, tokens, e-mail addresses, home folders, host names.

What is allowed all the same stands in a table with the columns `path` (a glob), `text` (the very
text that is allowed) and `why`.
"""

from __future__ import annotations

import base64
import binascii
import gzip
import os
import re
import socket
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from urllib.parse import unquote

from veridical.base.allowed import Allowed
from veridical.base.secrets import key_values, spots

_BEFORE = r"(?:(?<![\w./])|(?<=\bfile://)|(?<=\bfile://localhost))"
PATTERNS = {  # besides what `base.secrets` knows as a key
    "e-mail": [
        r"\b[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}\b",
    ],
    "home path": [
        _BEFORE + r"/(?:var/|export/|usr/|System/Volumes/Data/)?(?:home|Users)/[A-Za-z0-9._-]+",
        _BEFORE + r"/root/[A-Za-z0-9._-]+",
        r"(?i)\b[A-Z](?::|%3A)(?:\\{1,4}|/{1,3})(?:Users|Documents and Settings)(?:\\{1,4}|/{1,2})"
        r"[^\s\\/\"'<>|*?]+",
        r"(?i)(?<![\w.])/(?:mnt/|cygdrive/)?[a-z]/Users/[A-Za-z0-9._-]+",
        r"(?<![\w\\}&$])\\\\(?:wsl[.$\w]*|[A-Za-z0-9][\w.-]{0,62})\\[\w$.-]+(?=[\\\s\"',;)\]<]|$)",
        r"(?<![\w/~\\`^])~[a-z_][a-z0-9_-]{0,31}/(?!\s)[\w.]",
    ],
    "host name": [
        r"(?i)(?<![\w.-])(?:[a-z0-9-]{1,63}\.){1,8}(?:internal|intranet|lan|corp|localdomain"
        r"|home\.arpa|ts\.net)\b(?![\w(=-]|\.\w)",
        r"(?i)(?<![\w.-])[a-z0-9]+(?:-[a-z0-9]+)+\.local\b(?![\w(=-]|\.\w)",
        r"(?<![\w.-])(?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254|100\.(?:6[4-9]|[7-9]"
        r"\d|1[01]\d|12[0-7]))\.\d{1,3}\.\d{1,3}(?![\w-]|\.\d|/\d)",
        r"(?i)(?<![\w:.])(?:f[cd][0-9a-f]{2}|fe80):(?:[0-9a-f]{0,4}:){1,6}[0-9a-f]{1,4}(?![\w:])",
        r"(?<![\w.@-])[a-z_][a-z0-9_-]{0,31}@[A-Za-z0-9][\w-]{1,62}:[~/][^\s\"']*[$#]",  # a prompt
    ],
}
COMPILED = {kind: [re.compile(p) for p in patterns] for kind, patterns in PATTERNS.items()}
EXAMPLE = re.compile(
    r"@(?:[\w-]+\.)*example(?:\.(?:com|org|net))?$|@(?:[\w-]+\.)*(?:test|invalid)$"
)
GENERIC = {"localhost", "ubuntu", "debian", "fedora", "docker", "server", "laptop", "desktop"}
GENERIC |= {"runner", "runners", "builder", "container", "workstation", "computer", "machine"}
EMBEDDED = re.compile(rb"data:[\w/+.;=-]{0,80}?;base64,([A-Za-z0-9+/=]{24,})")
READABLE = re.compile(rb"[ -~\t]{6,}")  # a run in a binary file that may be words
STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)


@dataclass(frozen=True)
class Finding:
    """One thing that must not be published; `shown` is its beginning only."""

    path: str
    line: int
    kind: str
    shown: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.kind} {self.shown}"


def own_secrets(
    environment: Mapping[str, str] = os.environ,
    root: Path | str = ".",
    named: Iterable[str] = (),
) -> dict[str, list[str]]:
    """This machine's own texts that must not be published, by kind.

    The values of environment variables that are keys by their name or that the config names
    (`named`), the home folder, the project's folder, and the names of this host.
    """
    paths = {str(Path.home()), str(Path(root).resolve())}
    return {
        "key": key_values(environment, named),
        "home path": sorted(path for path in paths if path.count("/") >= 2),
        "host name": sorted(_own_hosts(environment)),
    }


def _own_hosts(environment: Mapping[str, str]) -> set[str]:
    """The names of this host that could only be its own: no word, no address."""
    hosts = {socket.gethostname(), environment.get("HOSTNAME", "")}
    names = {name for full in hosts for name in (full, full.partition(".")[0])}
    return {
        name
        for name in names
        if name.lower() not in GENERIC
        and not name.replace(".", "").isdigit()
        and (len(name) >= 6 or (len(name) >= 4 and not name.isalpha()))
    }


def scan(
    files: Mapping[str, Path | bytes],
    *,
    allowed: Sequence[Allowed] = (),
    secrets: Mapping[str, Iterable[str]] | None = None,
) -> list[Finding]:
    """Every finding in the files, by path and line.

    Looks into PDF streams, gzip and the base64 parts of HTML too (there, the line is that on which
    the part begins). `files` maps the path in the archive to a file or to its content; `secrets`
    are literal texts by kind, as `own_secrets` gives them.
    """
    literal = [(kind, text) for kind, texts in (secrets or {}).items() for text in texts]
    findings = []
    for path, content in sorted(files.items()):
        data = content if isinstance(content, bytes) else content.read_bytes()
        permitted = [entry.text for entry in allowed if fnmatchcase(path, entry.path)]
        seen = set()
        for kind, line, text in _matches(data, literal):
            if text in permitted or (kind == "e-mail" and EXAMPLE.search(text)):
                continue
            if (line, text) not in seen:
                seen.add((line, text))
                findings.append(Finding(path, line, kind, _mask(text)))
    return findings


def report(findings: Sequence[Finding], allow_list: Path | str) -> str:
    """The findings for a person, with what to do about them."""
    lines = "\n".join(f"  {finding}" for finding in findings)
    return (
        f"{len(findings)} thing(s) found that should not be published:\n{lines}\n"
        f"Remove them, or allow them in {allow_list} with path, text and the reason why."
    )


def _mask(text: str) -> str:
    return repr(text[:6] + "…" if len(text) > 8 else text[:3] + "…")


def _matches(data: bytes, literal: list[tuple[str, str]]) -> Iterator[tuple[str, int, str]]:
    """(kind, line, text) of every match in a file's content and in what it embeds."""
    keys = [text for kind, text in literal if kind == "key"]
    for line, view in _views(data):
        for text in _readings(view.decode("utf-8", errors="replace")):
            hits = [
                (match.start(), kind, match.group())
                for kind, patterns in COMPILED.items()
                for pattern in patterns
                for match in pattern.finditer(text)
            ]
            hits += [
                (spot.start, spot.kind, text[spot.start : spot.end]) for spot in spots(text, keys)
            ]
            hits += [
                (match.start(), kind, match.group())
                for kind, own in literal
                if kind != "key"
                for match in re.finditer(rf"(?i)(?<!\w){re.escape(own)}(?![\w-])", text)
            ]
            for start, kind, found in sorted(hits):
                begins = text.count("\n", 0, start) + 1 if line is None else line
                yield kind, begins, found


def _readings(text: str) -> Iterator[str]:
    """A text as it stands and, where it is escaped as in JSON or an address, as it reads; lines
    stay lines."""
    yield text
    if "\\" in text:
        plain = re.sub(r"\\+u002[fF]|\\+/", "/", text)
        plain = re.sub(r"\\[nrt]", " ", re.sub(r"\\\\", "\0", plain)).replace("\0", "\\")
        if plain != text:
            yield plain
    if re.search("%2f|%5c", text, re.IGNORECASE):
        yield "\n".join(unquote(line).replace("\n", " ") for line in text.split("\n"))


def _views(data: bytes) -> Iterator[tuple[int | None, bytes]]:
    """The content itself, and each packed part that can be opened with the line it begins on.

    A part that was opened is looked at open, not as the noise that packing makes of it: among some
    megabytes of noise a few bytes look like somebody's folder.
    """
    if data[:2] == b"\x1f\x8b":
        data = _open_gzip(data)
    if data[:5] == b"%PDF-":
        plain, end = [], 0
        for match in STREAM.finditer(data):
            opened = zlib.decompressobj()
            try:
                content = opened.decompress(match.group(1))
            except zlib.error:
                continue
            yield data.count(b"\n", 0, match.start()) + 1, _printed(content)
            lines = b"\n" * match.group(1).count(b"\n")
            plain += [data[end : match.start(1)], lines, opened.unused_data]
            end = match.end(1)
        yield None, b"".join([*plain, data[end:]])
    else:
        yield None, data
    for match in EMBEDDED.finditer(data):
        try:
            part = base64.b64decode(match.group(1), validate=True)
        except binascii.Error:
            continue
        part = _open_gzip(part) if part[:2] == b"\x1f\x8b" else part
        yield data.count(b"\n", 0, match.start()) + 1, _printed(part)


def _printed(part: bytes) -> bytes:
    """A part as it stands where it is text; of a font or an image, what in it can be read."""
    try:
        part.decode("utf-8")
        return part
    except UnicodeDecodeError:
        return b"\n".join(READABLE.findall(part))


def _open_gzip(data: bytes) -> bytes:
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error):
        return data
