"""Long texts that a file of JSON lines holds many times: written out once, then given by hash.

A memory document stands in the system prompt of every question about it. In a prompts or a replies
file it is written out where it first stands; a later line has `{"sha256": ...}` in its place. So
a file is whole by itself, and one in which nothing repeats, or that an earlier version wrote, is
as it always was.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

LONG = 256  # characters from which a text that comes again is given by its hash
WINDOW = 256  # distinct texts remembered, the latest used: so a file of any length fits in memory

Held = str | Mapping[str, str]  # a text, or `{"sha256": ...}` for one that stood before


@lru_cache(maxsize=WINDOW)
def text_sha256(text: str) -> str:
    """SHA-256 of a text in UTF-8, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()


class Repeated:
    """The long texts of one file, in the order in which they stand there.

    Writer and reader remember the same texts, so a file must be written by one instance and read
    by another, from its first line on.

    Examples
    --------
    >>> writer, reader = Repeated(), Repeated()
    >>> lines = [writer.short("A memory. " * 100) for _ in range(2)]
    >>> isinstance(lines[1], str), len(reader.whole(lines[0])), reader.whole(lines[1])[:8]
    (False, 1000, 'A memory')
    """

    def __init__(self) -> None:
        self._texts: OrderedDict[str, str] = OrderedDict()

    def short(self, text: str) -> Held:
        """A text as it is written: itself, or its hash where it stood before."""
        if len(text) < LONG:
            return text
        sha256 = text_sha256(text)
        known = sha256 in self._texts
        self._remember(sha256, text)
        return {"sha256": sha256} if known else text

    def whole(self, held: Held) -> str:
        """The text of what was written. Raises ValueError where it stands in no line before."""
        if isinstance(held, str):
            if len(held) >= LONG:
                self._remember(text_sha256(held), held)
            return held
        sha256 = held["sha256"]
        if sha256 not in self._texts:
            raise ValueError(
                f"the text with SHA-256 {sha256} stands in no line before: lines were taken out, "
                "or their order was changed"
            )
        self._remember(sha256, self._texts[sha256])
        return self._texts[sha256]

    def _remember(self, sha256: str, text: str) -> None:
        self._texts[sha256] = text
        self._texts.move_to_end(sha256)
        if len(self._texts) > WINDOW:
            self._texts.popitem(last=False)


def through_messages(entry: Mapping[str, Any], change: Callable[[Any], Any]) -> dict[str, Any]:
    """A replies file's line with the content of every message in it changed, in their order."""
    exchanges = []
    for exchange in entry.get("exchanges") or ():
        request = exchange.get("request")
        if request and "messages" in request:
            messages = [
                message | {"content": change(message["content"])} for message in request["messages"]
            ]
            exchange = exchange | {"request": request | {"messages": messages}}
        exchanges.append(exchange)
    return entry | ({"exchanges": exchanges} if exchanges else {})
