"""Requests as a ledger keeps them: a long text of a message stands once, in a table by its hash."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from veridical.base.repeated import LONG, WINDOW, text_sha256

GIVEN_BY_HASH = '"content":{"sha256":"'  # in no request that holds its texts itself


def compact(content: Any) -> str:
    """JSON in the one way that is kept: sorted keys, no blanks, every letter as it is."""
    return json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def shortened(request: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
    """A request with its long texts given by hash, as compact JSON, and those texts by hash.

    >>> kept, texts = shortened({"messages": [{"role": "user", "content": "why? " * 100}]})
    >>> len(kept) < 150, [len(text) for text in texts.values()]
    (True, [500])
    """
    texts: dict[str, str] = {}
    messages = []
    for message in request["messages"]:
        content = message["content"]
        if len(content) >= LONG:
            texts[text_sha256(content)] = content
            message = {**message, "content": {"sha256": text_sha256(content)}}
        messages.append(message)
    return compact({**request, "messages": messages}), texts


class MissingText(LookupError):
    """The ledger doesn't hold a text that a request in it needs."""


class Texts:
    """The long texts of one ledger's file, read by hash."""

    def __init__(self, database: sqlite3.Connection):
        self._db = database
        self._text = lru_cache(WINDOW)(self._read)

    def whole(self, kept: str) -> str:
        """The canonical request that a ledger keeps shortened, or whole as earlier versions did.

        Raises MissingText naming the text that the ledger doesn't hold.
        """
        if GIVEN_BY_HASH not in kept:
            return kept
        request = json.loads(kept)
        for message in request["messages"]:
            if isinstance(message["content"], dict):
                message["content"] = self._text(message["content"]["sha256"])
        return compact(request)

    def _read(self, sha256: str) -> str:
        row = self._db.execute("SELECT text FROM texts WHERE sha256 = ?", (sha256,)).fetchone()
        if row is None:
            raise MissingText(f"the text with SHA-256 {sha256} is missing")
        return row[0]
