"""A local server that speaks Zenodo's deposit API, as documented, and misbehaves when told to."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOKEN = "a-token-of-the-test"


class Zenodo:
    """Depositions and buckets in memory; `faults` are spent one a request, `log` keeps them all.

    A fault is `(method, part of the path, what)`; what is a status code, `cut` (the connection
    breaks when half the body is read), `lost` (the work is done, the answer is not sent) or
    `garbled` (other bytes are stored than were sent).
    """

    def __init__(self) -> None:
        self.depositions: dict[int, dict] = {}
        self.buckets: dict[str, dict[str, bytes]] = {}
        self.bucket_url = ""  # the server on which it says that buckets lie, if not here
        self.faults: list[tuple[str, str, object]] = []
        self.log: list[str] = []

    def __enter__(self) -> Zenodo:
        handler = type("Handler", (_Handler,), {"zenodo": self})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    def fault(self, method: str, path: str) -> object:
        for number, (verb, part, what) in enumerate(self.faults):
            if verb == method and part in path:
                del self.faults[number]
                return what
        return None

    def count(self, start: str) -> int:
        return sum(line.startswith(start) for line in self.log)

    def create(self) -> dict:
        number = 1000 + len(self.depositions)
        bucket = f"bucket-{number}"
        self.buckets[bucket] = {}
        base = f"{self.url}/api/deposit/depositions/{number}"
        self.depositions[number] = {
            "id": number,
            "submitted": False,
            "state": "unsubmitted",
            "metadata": {"prereserve_doi": {"doi": f"10.5072/zenodo.{number}", "recid": number}},
            "links": {
                "bucket": f"{self.bucket_url or self.url}/api/files/{bucket}",
                "html": f"{self.url}/deposit/{number}",
                "publish": f"{base}/actions/publish",
            },
        }
        return self.depositions[number]

    def files(self, deposition: dict) -> list[dict]:
        bucket = self.buckets[deposition["links"]["bucket"].rsplit("/", 1)[1]]
        return [
            {"id": name, "filename": name, "filesize": len(data), "checksum": _md5(data)}
            for name, data in bucket.items()
        ]

    def view(self, deposition: dict) -> dict:
        return {**deposition, "files": self.files(deposition)}


def _md5(data: bytes) -> str:
    return hashlib.md5(data, usedforsecurity=False).hexdigest()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    zenodo: Zenodo

    def log_message(self, *_: object) -> None:
        pass

    def reply(self, status: int, content: object) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def hang_up(self) -> None:
        self.close_connection = True
        self.connection.close()

    def handle_any(self) -> None:
        zenodo, path = self.zenodo, self.path
        zenodo.log.append(f"{self.command} {path}")
        what = zenodo.fault(self.command, path)
        size = int(self.headers.get("Content-Length") or 0)
        if what == "cut":
            self.rfile.read(size // 2)
            return self.hang_up()
        body = self.rfile.read(size)
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            return self.reply(401, {"status": 401, "message": "Unauthorized"})
        if isinstance(what, int):
            return self.reply(what, {"status": what, "message": "a fault"})
        status, content = self.route(path, body[:-1] + b"?" if what == "garbled" else body)
        return self.hang_up() if what == "lost" else self.reply(status, content)

    do_GET = do_POST = do_PUT = handle_any

    def route(self, path: str, body: bytes) -> tuple[int, object]:
        zenodo, verb = self.zenodo, self.command
        if path == "/api/deposit/depositions" and verb == "POST":
            return 201, zenodo.create()
        if path.startswith("/api/deposit/depositions?") and verb == "GET":
            page = int(re.search(r"page=(\d+)", path).group(1))
            return 200, [zenodo.view(d) for d in zenodo.depositions.values()] if page == 1 else []
        if match := re.fullmatch(r"/api/files/([^/]+)/([^/]+)", path):
            zenodo.buckets[match[1]][match[2]] = body
            return 201, {"key": match[2], "size": len(body), "checksum": f"md5:{_md5(body)}"}
        match = re.fullmatch(r"/api/deposit/depositions/(\d+)(/files|/actions/publish)?", path)
        deposition = zenodo.depositions.get(int(match[1])) if match else None
        if deposition is None:
            return 404, {"status": 404, "message": "no such deposition"}
        if match[2] == "/files":
            return 200, zenodo.files(deposition)
        if match[2]:
            doi = deposition["metadata"]["prereserve_doi"]["doi"]
            record = f"{zenodo.url}/records/{deposition['id']}"
            deposition |= {"submitted": True, "state": "done", "doi": doi}
            deposition["links"]["record_html"] = record
            return 202, deposition
        if verb == "PUT":
            deposition["metadata"] |= json.loads(body)["metadata"]
        return 200, zenodo.view(deposition)
