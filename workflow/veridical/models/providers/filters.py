"""A content filter's verdict in the words of many servers: an answer, not a failure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

STATUSES = (400, 403, 422, 451)  # with which a filter answers; in an outage its name says nothing
_CODES = {  # of errors, types and statuses, in small letters, without signs between them
    *("contentfilter", "contentfiltered", "contentpolicyviolation", "invalidprompt"),
    *("datainspectionfailed", "responsibleaipolicyviolation", "moderationblocked"),
    *("contentmoderation", "contentpolicy", "contentblocked", "safety", "prohibitedcontent"),
    *("blocklist", "recitation", "sensitivecontent", "promptblocked", "safetyblock"),
}
_PHRASES = re.compile(
    r"content[ _-]*(?:management |moderation |safety )?(?:policy|policies|filter)"
    r"|blocked by content|usage (?:polic(?:y|ies)|guidelines)|inappropriate content"
    r"|content exists risk|considered high risk|safety (?:system|filter|check|reason|violation)"
    r"|(?:prompt|input|request|message|content|text)s? (?:was|were|is|has been|have been) flagged"
    r"|flagged (?:by|as|for)|\bmoderat|responsible ai|sensitive (?:content|information|word)"
    r"|prohibited (?:content|use)|(?:unsafe|harmful|toxic) content|violat\w+ (?:our|the|its) ",
    re.IGNORECASE,
)
_ACCOUNT = re.compile(  # who is shut out altogether is not told about one prompt
    r"\b(?:account|organi[sz]ation|workspace|api key|access|project|user)\b[^.]{0,80}"
    r"\b(?:deactivated|suspended|terminated|banned|disabled|restricted|revoked|locked)",
    re.IGNORECASE,
)


def filter_verdict(status: int, text: str) -> str | None:
    """What a filter calls its verdict, where an error's body is one; else None.

    Only fields in which a server names or words its error are read: a body may repeat the prompt.

    >>> filter_verdict(400, '{"error": {"code": "invalid_prompt", "message": "No."}}')
    'invalid_prompt'
    >>> filter_verdict(500, "the content_filter service is down") is None
    True
    """
    if status not in STATUSES:
        return None
    named, worded = _fields(text)
    if any(_ACCOUNT.search(message) for message in worded):
        return None
    for name in named:
        if names_filter(name):
            return name[:100]
    if any(_PHRASES.search(message) for message in worded):
        return "content_filter"
    return None


def names_filter(name: str) -> bool:
    """Whether an error's code or type is a filter's."""
    return re.sub(r"[^a-z]", "", name.lower()) in _CODES


def _fields(text: str) -> tuple[list[str], list[str]]:
    """The names of an error, and its messages."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return [], [text[:500]]  # a gateway's line of text
    named: list[str] = []
    worded: list[str] = []
    for field, value in _walk(body, depth=0):
        if field in ("code", "type", "status", "reason", "finish_reason"):
            named.append(value)
        elif field in ("message", "msg", "error", "detail", "error_msg", "title"):
            worded.append(value)
    return named, worded


def _walk(body: Any, *, depth: int) -> Iterator[tuple[str, str]]:
    """The texts of a body with the names of their fields, as deep as errors are nested."""
    if depth > 4:
        return
    if isinstance(body, list):
        for each in body[:8]:
            yield from _walk(each, depth=depth + 1)
    elif isinstance(body, Mapping):
        for name, value in body.items():
            if isinstance(value, str):
                yield str(name), value
            elif name not in ("input", "body", "request", "prompt", "messages"):
                yield from _walk(value, depth=depth + 1)
