"""A provider of the AMB shape, of our own writing: notes ranked by the words they share."""

from __future__ import annotations

import json
import re
from pathlib import Path


class Notes:
    """Keeps documents in the folder it is prepared with."""

    name = "shared words"

    def __init__(self, least: int = 1):
        self.least = least

    def prepare(self, store_dir: Path, unit_ids=None, reset=True) -> None:
        self.path = Path(store_dir, "notes.json")
        self.units = unit_ids
        self.held = []

    def ingest(self, documents) -> None:
        self.held += documents
        self.path.write_text(json.dumps([each.content for each in self.held]), encoding="utf-8")

    def retrieve(self, query, k=10, user_id=None, query_timestamp=None):
        wanted = set(re.findall(r"\w+", query.lower()))
        shared = [
            (len(wanted & set(re.findall(r"\w+", each.content.lower()))), each)
            for each in self.held
            if each.user_id == user_id
        ]
        ranked = sorted((pair for pair in shared if pair[0] >= self.least), key=lambda p: -p[0])
        return [each for _, each in ranked], {"asked": query_timestamp}

    def direct_answer(self, query, user_id=None, query_timestamp=None):
        found, _ = self.retrieve(query, 1, user_id)
        return (found[0].content if found else "I don't know"), "", None

    def cleanup(self) -> None:
        self.path.with_suffix(".left").write_text("", encoding="utf-8")


NUMBER = 3
