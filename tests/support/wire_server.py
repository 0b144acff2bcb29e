"""A server on loopback that speaks the wire formats of the APIs, and misbehaves on request.

Its shapes follow the published references of OpenAI (Chat Completions, Responses, Batch), Anthropic
(Messages, Message Batches), Google (Gemini API) and Ollama. `plan` says how the next requests are
answered, the last entry for all after it; `requests` is what came in.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Answer:
    """What the model would say, whatever the API."""

    text: str | None = "Llama"
    thinking: str | None = None
    finish: str = "stop"  # stop, length, filter, refusal
    model: str | None = None  # None: as asked
    prompt_tokens: int = 400
    tool: dict | None = None


@dataclass
class Fault:
    """A status with the API's own error body, or a way of not answering at all."""

    status: int = 200
    kind: str = ""
    message: str = "no"
    headers: dict = field(default_factory=dict)
    how: str = "error"  # error, overload, hang, trickle, cut, text, empty
    text: str = ""


NAMED = {
    "429": Fault(429, "rate_limit_error", "slow down"),
    "429-seconds": Fault(429, "rate_limit_error", "slow down", {"retry-after": "7"}),
    "429-date": Fault(429, "rate_limit_error", "slow down", {"retry-after": "DATE"}),
    "429-quota": Fault(429, "insufficient_quota", "You exceeded your quota: insufficient_quota"),
    "408": Fault(408, "timeout_error", "too slow"),
    "409": Fault(409, "conflict", "busy"),
    "500": Fault(500, "api_error", "broken"),
    "503": Fault(503, "api_error", "unavailable"),
    "529": Fault(529, "overloaded_error", "Overloaded"),
    "400": Fault(400, "invalid_request_error", "temperature is not supported"),
    "400-long": Fault(400, "invalid_request_error", "the input exceeds the context length"),
    "400-filter": Fault(400, "content_filter", "blocked: content_filter"),
    "401": Fault(401, "authentication_error", "Incorrect API key provided: KEY"),
    "403": Fault(403, "permission_error", "not allowed"),
    "404": Fault(404, "not_found_error", "no such model"),
    "overload-200": Fault(200, "overloaded_error", "Overloaded", how="overload"),
    "hang": Fault(how="hang"),
    "cut": Fault(how="cut"),
    "trickle": Fault(how="trickle"),
    "invalid-json": Fault(how="text", text='{"choices": [{"message": '),
    "html": Fault(how="text", text="<html>Bad gateway</html>"),
    "empty-list": Fault(how="empty"),
}


class WireServer:
    """Started with `with`; `url` is its address."""

    def __init__(self):
        self.plan: list[Answer | Fault | str] = [Answer()]
        self.requests: list[dict] = []
        self.batches: dict[str, dict] = {}
        self.batch_answers: dict[str, Answer | Fault] = {}
        self.polls = 0  # how often a batch is still running when asked for
        self.ollama = "counts all"  # or: counts new, counts none, refuses
        self.ollama_cache: set[str] = set()
        self.released = threading.Event()
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                outer.handle(self)

            do_GET = do_POST

            def log_message(self, *args):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_port}"

    def __enter__(self):
        threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *exc):
        self.released.set()
        self.http.shutdown()
        self.http.server_close()

    def next(self) -> Answer | Fault:
        with self._lock:
            step = self.plan.pop(0) if len(self.plan) > 1 else self.plan[0]
        return NAMED[step] if isinstance(step, str) else step

    def handle(self, http):
        data = http.rfile.read(int(http.headers.get("content-length") or 0))
        try:
            body = json.loads(data) if data else {}
        except ValueError:
            body = {"raw": data.decode("utf-8", "replace")}
        headers = {name.lower(): value for name, value in http.headers.items()}
        path = http.path.partition("?")[0]
        seen = {"path": path, "method": http.command, "headers": headers, "body": body}
        with self._lock:
            self.requests.append(seen)
        if "batch" in path or path.startswith("/v1/files"):
            from support.wire_batches import answer_batch

            return self.reply(http, *answer_batch(self, http.command, path, body))
        api = api_of(path)
        step = self.next()
        if isinstance(step, Fault):
            return self.misbehave(http, api, step, headers)
        if api == "ollama":
            return self.reply(http, *self.as_ollama(body, step))
        return self.reply(http, 200, SUCCESS[api](step, body, path))

    def misbehave(self, http, api, fault, headers):
        with suppress(OSError):  # the client may have gone
            self._misbehave(http, api, fault, headers)

    def _misbehave(self, http, api, fault, headers):
        if fault.how == "hang":
            self.released.wait(20)
        elif fault.how in ("cut", "trickle"):
            http.send_response(200)
            http.send_header("content-type", "application/json")
            http.send_header("content-length", "5000")
            http.end_headers()
            http.wfile.write(b'{"choices": [{"mess')
            http.wfile.flush()
            while fault.how == "trickle" and not self.released.wait(0.05):
                http.wfile.write(b" ")
                http.wfile.flush()
            http.connection.shutdown(socket.SHUT_RDWR)
            http.close_connection = True
        elif fault.how == "text":
            self.reply(http, 200, fault.text)
        elif fault.how == "empty":
            self.reply(http, 200, EMPTY[api])
        else:
            key = headers.get("x-api-key") or headers.get("x-goog-api-key")
            key = key or headers.get("authorization", "").removeprefix("Bearer ")
            message = fault.message.replace("KEY", key)
            status = 529 if fault.how == "overload" else fault.status
            extra = {
                name: formatdate(time.time() + 30, usegmt=True) if value == "DATE" else value
                for name, value in fault.headers.items()
            }
            self.reply(http, fault.status, error_of(api, status, fault.kind, message), extra)

    def reply(self, http, status, body, headers=None):
        data = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
        data = data.encode()
        http.send_response(status)
        http.send_header("content-type", "application/json")
        http.send_header("content-length", str(len(data)))
        for name, value in (headers or {}).items():
            http.send_header(name, value)
        http.end_headers()
        http.wfile.write(data)

    def as_ollama(self, body, step):
        """Four characters a token; a prompt longer than num_ctx is cut, silently unless told."""
        window = body["options"].get("num_ctx", 2048)
        texts = [message["content"] for message in body["messages"]]
        tokens = sum(len(text) for text in texts) // 4
        if self.ollama == "refuses" and not body.get("truncate", True) and tokens > window:
            message = "the input length exceeds the context length"
            return 400, {"error": message}
        read = min(tokens, window)
        if self.ollama == "halves" and tokens > window:
            read = tokens - (tokens - window // 2) // (window // 2) * (window // 2)
        if self.ollama in ("counts new", "counts none") and texts[0] in self.ollama_cache:
            read = None if self.ollama == "counts none" else len(texts[-1]) // 4
        self.ollama_cache.add(texts[0])
        return 200, ollama(step, body, read)


def api_of(path: str) -> str:
    for end, api in (
        ("/chat/completions", "chat"),
        ("/responses", "responses"),
        ("/messages", "anthropic"),
        (":generateContent", "google"),
        ("/api/chat", "ollama"),
    ):
        if path.endswith(end):
            return api
    raise AssertionError(f"no API has {path}")


def chat(step: Answer, body, path=""):
    finish = {"filter": "content_filter", "refusal": "stop"}.get(step.finish, step.finish)
    refused = step.finish == "refusal"
    message = {"role": "assistant", "content": None if refused else step.text, "annotations": []}
    message["refusal"] = "I can't help with that." if refused else None
    if step.thinking is not None:
        message["reasoning_content"] = step.thinking
    if step.tool is not None:
        call = {"name": "answer", "arguments": json.dumps(step.tool)}
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": call}]
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1757800000,
        "model": step.model or body["model"],
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish}],
        "usage": {
            "prompt_tokens": step.prompt_tokens,
            "completion_tokens": 5,
            "total_tokens": step.prompt_tokens + 5,
            "completion_tokens_details": {"reasoning_tokens": 0},
        },
        "system_fingerprint": "fp_1",
    }


def responses(step: Answer, body, path=""):
    part = {"type": "output_text", "text": step.text or "", "annotations": []}
    if step.finish == "refusal":
        part = {"type": "refusal", "refusal": "I can't help with that."}
    output = []
    if step.thinking is not None:
        summary = [{"type": "summary_text", "text": step.thinking}]
        output.append({"type": "reasoning", "id": "rs_1", "summary": summary})
    if step.text is not None or step.finish == "refusal":
        output.append(
            {"type": "message", "id": "msg_1", "role": "assistant", "content": [part]}
            | {"status": "completed"}
        )
    reason = {"length": "max_output_tokens", "filter": "content_filter"}.get(step.finish)
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1757800000,
        "status": "incomplete" if reason else "completed",
        "error": None,
        "incomplete_details": {"reason": reason} if reason else None,
        "model": step.model or body["model"],
        "output": output,
        "usage": {
            "input_tokens": step.prompt_tokens,
            "output_tokens": 5,
            "total_tokens": step.prompt_tokens + 5,
        },
    }


def anthropic(step: Answer, body, path=""):
    blocks = []
    if step.thinking is not None:
        blocks.append({"type": "thinking", "thinking": step.thinking, "signature": "c2ln"})
    if step.text is not None and step.finish != "refusal" and step.tool is None:
        blocks.append({"type": "text", "text": step.text, "citations": None})
    if step.tool is not None:
        blocks.append({"type": "tool_use", "id": "toolu_1", "name": "answer", "input": step.tool})
    stop = {"stop": "end_turn", "length": "max_tokens"}.get(step.finish, "refusal")
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": step.model or body["model"],
        "content": blocks,
        "stop_reason": "tool_use" if step.tool is not None else stop,
        "stop_sequence": None,
        "usage": {
            "input_tokens": 10,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": step.prompt_tokens - 10,
            "output_tokens": 5,
        },
    }


def google(step: Answer, body, path):
    asked = path.rpartition("/")[2].partition(":")[0]
    parts = []
    if step.thinking is not None:
        parts.append({"text": step.thinking, "thought": True})
    if step.text is not None:
        parts.append({"text": step.text})
    finish = {"stop": "STOP", "length": "MAX_TOKENS", "filter": "SAFETY"}[step.finish]
    content = {"role": "model"} | ({"parts": parts} if parts else {})
    return {
        "candidates": [{"content": content, "finishReason": finish, "index": 0}],
        "usageMetadata": {
            "promptTokenCount": step.prompt_tokens,
            "candidatesTokenCount": 5,
            "totalTokenCount": step.prompt_tokens + 12,
            "thoughtsTokenCount": 7,
        },
        "modelVersion": step.model or asked,
        "responseId": "r-1",
    }


def ollama(step: Answer, body, read):
    message = {"role": "assistant", "content": step.text or ""}
    if step.thinking is not None:
        message["thinking"] = step.thinking
    counts = {} if read is None else {"prompt_eval_count": read}
    return {
        "model": step.model or body["model"],
        "created_at": "2025-09-14T00:00:00.000000Z",
        "message": message,
        "done": True,
        "done_reason": step.finish,
        "total_duration": 5000000,
        "eval_count": 5,
        **counts,
    }


SUCCESS = {"chat": chat, "responses": responses, "anthropic": anthropic, "google": google}
EMPTY = {
    "chat": {"id": "x", "object": "chat.completion", "model": "m", "choices": []},
    "responses": {"id": "x", "object": "response", "status": "completed", "output": []},
    "anthropic": {"id": "x", "type": "message", "content": [], "stop_reason": "end_turn"},
    "google": {"candidates": [], "modelVersion": "m"},
    "ollama": {"model": "m", "message": {"role": "assistant", "content": ""}, "done": True},
}
_STATUSES = {401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND"}
_STATUSES |= {429: "RESOURCE_EXHAUSTED", 503: "UNAVAILABLE", 529: "UNAVAILABLE", 500: "INTERNAL"}


def error_of(api: str, status: int, kind: str, message: str) -> dict:
    if api == "anthropic":
        return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "r"}
    if api == "google":
        name = _STATUSES.get(status, "INVALID_ARGUMENT")
        return {"error": {"code": status, "message": message, "status": name}}
    if api == "ollama":
        return {"error": message}
    return {"error": {"message": message, "type": kind, "param": None, "code": kind}}
