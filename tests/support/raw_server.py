"""A server that answers with bytes as they are, however wrong, and keeps what it was sent."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress


class RawServer:
    """Started with `with`; `requests` is what it was sent.

    `answer` is what it sends, or makes it of the request.
    """

    def __init__(self, answer: bytes | Callable[[bytes], bytes] = b""):
        self.answer = answer
        self.requests: list[bytes] = []
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"

    def __enter__(self) -> RawServer:
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.socket.close()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            with client, suppress(OSError):
                self.requests.append(_read(client))
                answer = self.answer
                client.sendall(answer(self.requests[-1]) if callable(answer) else answer)


def _read(client: socket.socket) -> bytes:
    """A request to the end of its body."""
    found = b""
    while b"\r\n\r\n" not in found:
        if not (piece := client.recv(65536)):
            return found
        found += piece
    head, _, body = found.partition(b"\r\n\r\n")
    lines = [line.lower() for line in head.split(b"\r\n")]
    lengths = [int(line.split(b":")[1]) for line in lines if line.startswith(b"content-length:")]
    while len(body) < (lengths or [0])[0]:
        if not (piece := client.recv(65536)):
            break
        body += piece
    return head + b"\r\n\r\n" + body


def http(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    """A response of HTTP/1.1 with its length, and then the connection is closed."""
    lines = [f"HTTP/1.1 {status}", f"content-length: {len(body)}", "connection: close", *headers]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body
