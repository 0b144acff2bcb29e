"""How the MCP server of our own writing stands in a config."""

from __future__ import annotations

import sys
from pathlib import Path

from veridical.memories.protocol import Event

ROOT = Path(__file__).parents[2]
NOTES = {
    "command": [sys.executable, str(ROOT / "tests/support/mcp_server.py")],
    "environment": {"NOTES_FILE": "{folder}/notes.json"},
    "lasting": True,
    "write": {"tool": "remember", "arguments": {"note": "{text}", "tags": ["{id}", "on {at}"]}},
    "search": {
        "tool": "find",
        "arguments": {"words": "{query}", "most": "{k}"},
        "items": "result.*",
    },
    "list": {"tool": "everything", "items": "notes.*.text"},
}
EVENT = Event("e1", "2025-01-01", "Ada", "The bread was too salty.")
