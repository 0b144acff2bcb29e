"""What a server's failure means: whether to try again, when, and in which words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any


class WireError(Exception):
    """What went wrong on the way to a server and back, in words that need no more than its name."""

    def __init__(self, message: str, *, transient: bool = True):
        super().__init__(message)
        self.transient = transient


_STATUS_OF = {  # error types that arrive inside a 200, and the status they amount to
    "overloaded_error": 529,
    "overloaded": 529,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "resource_exhausted": 429,
    "insufficient_quota": 429,
    "timeout_error": 408,
    "authentication_error": 401,
    "unauthenticated": 401,
    "invalid_api_key": 401,
    "permission_error": 403,
    "permission_denied": 403,
    "not_found_error": 404,
    "not_found": 404,
    "model_not_found": 404,
    "invalid_request_error": 400,
    "invalid_argument": 400,
}
_SPENT = ("insufficient_quota", "billing", "credit balance", "spend limit", "spending limit")
_FILTERS = ("content_filter", "content_policy_violation", "blocked by content filtering")
_TOO_LONG = ("context_length", "context length", "context window", "too long", "too large")


def http_error(
    status: int,
    message: str,
    headers: Mapping[str, str],
    *,
    model: str,
    key_env: str | None,
    now: datetime | None = None,
) -> tuple[str, bool, float | None]:
    """Read an HTTP error.

    Returns (words, whether to try again, seconds to wait first where the server says so).
    408, 409, 425, 429 and 5xx (529 among them) may be tried again; a quota that is spent may not.
    """
    words = f"HTTP {status}: {_message(message)}"
    wrong = any(sign in message for sign in ("API_KEY_INVALID", "API key not valid"))
    if status in (401, 403) or wrong:
        where = f"environment variable {key_env}" if key_env else "server, which asks for a key"
        return f"{words} (the key in {where} is wrong or lacks a right)", False, None
    if status == 404:
        return f"{words} (is there a model {model!r} at this address?)", False, None
    spent = any(sign in message.lower() for sign in _SPENT)
    if status == 429 and spent:
        return f"{words} (the account's quota is spent)", False, None
    if status in (408, 409, 425, 429) or status >= 500:
        return words, True, retry_after(headers, message, now=now)
    if any(sign in message.lower() for sign in _TOO_LONG):
        return f"{words} (the prompt is longer than the model reads)", False, None
    return words, False, None


def retry_after(
    headers: Mapping[str, str], message: str = "", *, now: datetime | None = None
) -> float | None:
    """Seconds to wait: `retry-after-ms`, `Retry-After` in seconds or as a date, or Google's
    `retryDelay` in the body; None where the server names none.

    >>> retry_after({"retry-after": "2"})
    2.0
    """
    lower = {name.lower(): value for name, value in headers.items()}
    try:
        return max(0.0, float(lower["retry-after-ms"]) / 1000)
    except (KeyError, ValueError):
        pass
    value = lower.get("retry-after", "").strip()
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        when = parsedate_to_datetime(value)
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        return max(0.0, (when - (now or datetime.now(UTC))).total_seconds())
    except ValueError:
        return _retry_delay(message)


def error_inside(body: Mapping[str, Any]) -> tuple[int, str] | None:
    """The error that a body with status 200 carries, as (status it amounts to, message)."""
    error = body.get("error")
    choices = body.get("choices")
    if not error and isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
        error = choices[0].get("error")  # gateways: the model broke off
    if not error:
        return None
    if not isinstance(error, Mapping):
        return 500, str(error)
    text = json.dumps({"error": error}, ensure_ascii=False)
    for name in ("code", "type", "status"):
        value = error.get(name)
        if str(value).isdigit() and 400 <= int(value) < 600:
            return int(value), text
        if isinstance(value, str) and value.lower() in _STATUS_OF:
            return _STATUS_OF[value.lower()], text
    return 500, text


def is_filter(message: str) -> bool:
    """Whether an error's body is a content filter's verdict: an answer, not a failure."""
    return any(sign in message for sign in _FILTERS)


def _message(text: str) -> str:
    """The message in an error's body, else the body's beginning, on one line."""
    try:
        body = json.loads(text)
        body = body[0] if isinstance(body, list) else body
        error = body.get("error", body)
        message = error.get("message") if isinstance(error, Mapping) else error
        kind = error.get("code") or error.get("type") if isinstance(error, Mapping) else None
        text = f"{message} [{kind}]" if message and kind else str(message or text)
    except (ValueError, AttributeError, IndexError, RecursionError):
        pass
    return " ".join(text.split())[:500] or "no message"


def _retry_delay(message: str) -> float | None:
    """Google's RetryInfo: `"retryDelay": "34s"` among the error's details."""
    try:
        error = json.loads(message)["error"]
        delays = [d["retryDelay"] for d in error["details"] if "retryDelay" in d]
        return float(delays[0].removesuffix("s"))
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        return None
