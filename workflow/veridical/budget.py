"""The study's budget."""

from __future__ import annotations


class Budget:
    """Placeholder until the next commit."""
