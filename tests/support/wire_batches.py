"""The batch APIs of OpenAI, Anthropic and Google, for the wire server.

`batch_answers` maps what a call's last turn says to its answer; `polls` is how often a batch is
still running when it is asked for.
"""

from __future__ import annotations

import json

from support.wire_server import Answer, Fault, anthropic, chat, error_of, google


def answer_batch(server, method: str, path: str, body) -> tuple[int, dict | str]:
    if path == "/v1/files":  # multipart: the calls are the lines that are JSON
        lines = [line for line in body["raw"].splitlines() if line.startswith('{"custom_id"')]
        server.batches["file-1"] = {"lines": [json.loads(line) for line in lines]}
        return 200, {"id": "file-1", "object": "file", "purpose": "batch", "bytes": 1}
    if path.startswith("/v1/files/"):
        return 200, openai_results(server, path.split("/")[3])
    if path.startswith("/v1/batches"):
        return 200, openai_batch(server, path)
    if path.startswith("/v1/messages/batches"):
        return 200, anthropic_batch(server, method, path, body)
    return 200, google_batch(server, method, path, body)


def running(server) -> bool:
    server.polls -= 1
    return server.polls >= 0


def said(server, text: str) -> Answer | Fault | None:
    return server.batch_answers.get(text, Answer())


def openai_batch(server, path):
    status = "in_progress" if path == "/v1/batches" or running(server) else "completed"
    lines = server.batches["file-1"]["lines"]
    return {
        "id": "batch_1",
        "object": "batch",
        "endpoint": "/v1/chat/completions",
        "input_file_id": "file-1",
        "completion_window": "24h",
        "status": status,
        "created_at": 1757800000,
        "output_file_id": "file-out" if status == "completed" else None,
        "error_file_id": "file-err" if status == "completed" else None,
        "request_counts": {"total": len(lines), "completed": 0, "failed": 0},
    }


def openai_results(server, file):
    lines = []
    for call in reversed(server.batches["file-1"]["lines"]):  # in no order
        step = said(server, call["body"]["messages"][-1]["content"])
        entry = {"id": "r", "custom_id": call["custom_id"], "response": None, "error": None}
        if step is None:
            entry["error"] = {"code": "batch_expired", "message": "not in time"}
        elif isinstance(step, Fault):
            reply = error_of("chat", step.status, step.kind, step.message)
            entry["response"] = {"status_code": step.status, "body": reply}
        else:
            entry["response"] = {"status_code": 200, "body": chat(step, call["body"])}
        if (file == "file-err") == (not isinstance(step, Answer)):
            lines.append(json.dumps(entry))
    return "\n".join(lines) + "\n"


def anthropic_batch(server, method, path, body):
    if method == "POST":
        server.batches["msgbatch_1"] = body
    requests = server.batches["msgbatch_1"]["requests"]
    if path.endswith("/results"):
        lines = []
        for call in requests:
            step = said(server, call["params"]["messages"][-1]["content"])
            if step is None:
                result = {"type": "expired"}
            elif isinstance(step, Fault):
                error = error_of("anthropic", step.status, step.kind, step.message)
                result = {"type": "errored", "error": error}
            else:
                result = {"type": "succeeded", "message": anthropic(step, call["params"])}
            lines.append(json.dumps({"custom_id": call["custom_id"], "result": result}))
        return "\n".join(lines) + "\n"
    ended = method == "GET" and not running(server)
    counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
    counts["succeeded" if ended else "processing"] = len(requests)
    return {
        "id": "msgbatch_1",
        "type": "message_batch",
        "processing_status": "ended" if ended else "in_progress",
        "request_counts": counts,
        "created_at": "2025-09-14T00:00:00Z",
        "expires_at": "2025-09-15T00:00:00Z",
        "ended_at": "2025-09-14T01:00:00Z" if ended else None,
        "results_url": f"{server.url}/v1/messages/batches/msgbatch_1/results" if ended else None,
    }


def google_batch(server, method, path, body):
    if method == "POST":
        server.batches["batches/1"] = body
    sent = server.batches["batches/1"]["batch"]["inputConfig"]["requests"]["requests"]
    ended = method == "GET" and not running(server)
    entries = []
    for call in sent:
        step = said(server, call["request"]["contents"][-1]["parts"][0]["text"])
        entry = {"metadata": call["metadata"]}
        if isinstance(step, Answer):
            entry["response"] = google(step, {}, "/v1beta/models/asked-1:generateContent")
        elif step is not None:
            code = {429: 8, 400: 3}[step.status]
            entry["error"] = {"code": code, "message": step.message}
        else:
            continue
        entries.append(entry)
    state = "BATCH_STATE_SUCCEEDED" if ended else "BATCH_STATE_RUNNING"
    found = {"name": "batches/1", "metadata": {"state": state, "model": "models/asked-1"}}
    if ended:
        found["metadata"]["output"] = {"inlinedResponses": {"inlinedResponses": entries}}
    return found
