"""What a server's failure means: whether to try again, when, and in which words."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from veridical.models.exchange import ProviderError
from veridical.models.providers.filters import names_filter


class Blocked(ProviderError):
    """A filter's verdict that came as an error: an answer, and no failure."""

    def __init__(self, message: str, verdict: str):
        super().__init__(message, transient=False)
        self.verdict = verdict


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
_WRONG_KEY = ("API_KEY_INVALID", "API key not valid")
_SPENT = ("insufficient_quota", "billing", "credit balance", "spend limit", "spending limit")
_TOO_LONG = ("context_length", "context length", "context window", "too long", "too large")
_TEMPLATE = re.compile(
    r"jinja|chat[ _]template|template(?:error| error| rendering)|rendering (?:the )?prompt"
    r"|roles must alternate|raise_exception|(?:unexpected|unknown|invalid) (?:message )?role"
    r"|system (?:role|message|prompt|instruction)s? (?:is |are )?(?:not|must|only|should)"
    r"|(?:only|at most) (?:supports? )?(?:a single|one) system|optional system message",
    re.IGNORECASE,
)
MOST_SECONDS = 10**9  # a time beyond it is no longer one


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
    408, 409, 425, 429 and 5xx (529 among them) may be tried again; a quota that is spent may not,
    nor what a chat template refuses, whatever the status.
    """
    words = f"HTTP {status}: {_message(message)}"
    wrong = any(sign in message for sign in _WRONG_KEY)
    if status in (401, 403) or wrong:
        if key_env is None:
            return f"{words} (it asks for a key: name its variable as `api_key_env`)", False, None
        where = f"environment variable {key_env}"
        return f"{words} (the key in {where} is wrong or lacks a right)", False, None
    if status == 404:
        return f"{words} (is there a model {model!r} at this address?)", False, None
    spent = any(sign in message.lower() for sign in _SPENT)
    if status == 402 or (status == 429 and spent):
        return f"{words} (the account's quota is spent)", False, None
    if of_template(status, message):
        way = "set `system: last` or `system: user` for this model, or `date_in: message` under aas"
        return f"{words} (its chat template takes no such messages: {way})", False, None
    if status in (408, 409, 425, 429) or status >= 500:
        return words, True, retry_after(headers, message, now=now)
    if any(sign in message.lower() for sign in _TOO_LONG):
        return f"{words} (the prompt is longer than the model reads)", False, None
    return words, False, None


def of_template(status: int, message: str) -> bool:
    """Whether a server says that the model's chat template refuses the messages' roles."""
    return status in (400, 422, 500) and bool(_TEMPLATE.search(_message(message)))


def of_prompt(status: int, message: str) -> bool:
    """Whether an error that stays may concern the one prompt alone: too long, or out of form."""
    if any(sign in message for sign in _WRONG_KEY):
        return False
    return status in (400, 413, 414, 422, 431) or of_template(status, message)


def retry_after(
    headers: Mapping[str, str], message: str = "", *, now: datetime | None = None
) -> float | None:
    """Seconds to wait: `retry-after-ms`, `Retry-After` in seconds or as a date, or Google's
    `retryDelay` in the body; None where the server names none, or none that can be read.

    A date counts from the server's own `Date`, since its clock may differ from ours.

    >>> retry_after({"retry-after": "2"})
    2.0
    """
    lower = {name.lower(): value for name, value in headers.items()}
    thousandths = seconds(lower.get("retry-after-ms"))
    if thousandths is not None:
        return thousandths / 1000
    value = lower.get("retry-after", "").strip()
    named = seconds(value)
    if named is not None:
        return named
    if (when := _date(value)) is not None:
        start = now or _date(lower.get("date", "")) or datetime.now(UTC)
        return seconds((when - start).total_seconds())
    return _retry_delay(message)


def seconds(value: Any) -> float | None:
    """A time to wait, from a number or a text; None where it is neither, 0 where it is past.

    >>> [seconds(value) for value in ("2.5", -1, "nan", "soon", True, None, "inf")]
    [2.5, 0.0, None, None, None, None, 1000000000.0]
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return None if math.isnan(found) else min(max(0.0, found), float(MOST_SECONDS))


def _date(value: str) -> datetime | None:
    try:
        when = parsedate_to_datetime(value)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def error_inside(body: Mapping[str, Any]) -> tuple[int, str] | None:
    """The error that a body with status 200 carries, as (status it amounts to, message)."""
    error = body.get("error")
    choices = body.get("choices")
    if not error and isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
        error = choices[0].get("error")  # gateways: the model broke off
    if not error and body.get("object") == "error":
        error = body
    if not error:
        return None
    if not isinstance(error, Mapping):
        return 500, str(error)
    text = json.dumps({"error": error}, ensure_ascii=False)
    names = [error.get(name) for name in ("code", "type", "status")]
    for value in names:
        if isinstance(value, int | str) and re.fullmatch("[45][0-9][0-9]", str(value)):
            return int(value), text
        if isinstance(value, str) and value.lower() in _STATUS_OF:
            return _STATUS_OF[value.lower()], text
    filtered = any(isinstance(value, str) and names_filter(value) for value in names)
    return (400 if filtered else 500), text


def _message(text: str) -> str:
    """The message in an error's body, else the body's beginning, on one line."""
    try:
        body = json.loads(text)
        body = body[0] if isinstance(body, list) else body
        error = body.get("error", body)
        message = error.get("message") if isinstance(error, Mapping) else error
        kind = error.get("code") or error.get("type") if isinstance(error, Mapping) else None
        message = message or (isinstance(body, Mapping) and body.get("detail"))
        text = f"{message} [{kind}]" if message and kind else str(message or text)
    except (ValueError, AttributeError, IndexError, RecursionError):
        pass
    return " ".join(text.split())[:500] or "no message"


def _retry_delay(message: str) -> float | None:
    """Google's RetryInfo: `"retryDelay": "34s"` among the error's details."""
    try:
        details = json.loads(message)["error"]["details"]
        delays = [each["retryDelay"] for each in details if "retryDelay" in each]
        return seconds(str(delays[0]).removesuffix("s"))
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        return None
