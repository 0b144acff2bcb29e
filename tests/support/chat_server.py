"""A server of the OpenAI kind that says what a script has it say, and notes what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import Any

Say = Callable[[dict[str, Any]], str | int]  # a request → the reply's text, or a status of refusal


@contextmanager
def chat_server(say: Say) -> Iterator[SimpleNamespace]:
    """The server: `url`, and `asked`, the requests so far with their `authorization`."""
    asked: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append(
                {**body, "path": self.path, "authorization": self.headers["Authorization"]}
            )
            said = say(body)
            reply = {
                "id": "1",
                "object": "chat.completion",
                "created": 0,
                "model": body["model"],
                "choices": [
                    {
                        "index": 0,
                        "finish_reason": "stop",
                        "message": {"role": "assistant", "content": said},
                    }
                ],
                "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
            }
            refused = isinstance(said, int)
            sent = json.dumps({"error": "refused"} if refused else reply).encode()
            self.send_response(said if refused else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield SimpleNamespace(url=f"http://127.0.0.1:{server.server_port}/v1", asked=asked)
    finally:
        server.shutdown()
        server.server_close()
