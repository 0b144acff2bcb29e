"""What a study decides about single replies, each by its address and with its reason.

An address is `collection/model/slice/id`, with `#sample` where a prompt is asked several times:
`responses/gpt/responses-A/foreign-1-i07`, `vpe/gpt/own-96/arithmetic-0004#3`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

KINDS = ("ask_again", "leave_out", "accept")


@dataclass(frozen=True)
class Decisions:
    """The config's `replies`: attempts by collection; by address, reasons to ask again, to leave
    out, or to accept a reply as it stands."""

    attempts: Mapping[str, int] = field(default_factory=dict)
    ask_again: Mapping[str, Any] = field(default_factory=dict)
    leave_out: Mapping[str, Any] = field(default_factory=dict)
    accept: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_config(cls, entry: Mapping[str, Any] | None) -> Decisions:
        """Read the config's `replies`. Raises ValueError where a reply is decided about twice."""
        found = cls(**(entry or {}))
        for address in found.leave_out:
            if address in found.ask_again or address in found.accept:
                raise ValueError(f"replies: {address} is left out and decided about otherwise, too")
        return found

    def left_out(self, address: str, sample: int = 0) -> str:
        """Why a reply is left out; empty where it isn't."""
        return _reason(self.leave_out, address, sample)

    def accepted(self, address: str, sample: int = 0) -> str:
        """Why a reply is accepted as it stands; empty where it isn't."""
        return _reason(self.accept, address, sample)

    def further(self, address: str, sample: int = 0) -> int:
        """How many further attempts a reply is given, one a reason."""
        reasons = self.ask_again.get(f"{address}#{sample}", self.ask_again.get(address, []))
        return 1 if isinstance(reasons, str) else len(reasons)

    def check(self, place: str, ids: Iterable[str]) -> None:
        """Raise ValueError, naming the nearest, where an address at `place` names no prompt.

        `place` is `collection/model/slice`, and `ids` are those of the prompts there.
        """
        known = {f"{place}/{each}" for each in ids}
        for kind in KINDS:
            for address in getattr(self, kind):
                named = address.partition("#")[0]
                if named.startswith(f"{place}/") and named not in known:
                    near = difflib.get_close_matches(named, sorted(known), n=1, cutoff=0.0)
                    hint = f"; did you mean {near[0]}?" if near else ""
                    raise ValueError(f"replies/{kind}: there is no reply {address}{hint}")


def _reason(reasons: Mapping[str, Any], address: str, sample: int) -> str:
    found = reasons.get(f"{address}#{sample}", reasons.get(address, ""))
    return found if isinstance(found, str) else "; ".join(found)
