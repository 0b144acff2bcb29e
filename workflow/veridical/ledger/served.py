"""The names under which servers answered: one a model and stage, or the collection stops.

A name that a server puts on its replies is all that tells one model from the next behind the same
address. Where it changes in the middle of a stage, what is compared was not said by one model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veridical.ledger.ledger import Ledger
from veridical.ledger.replies import iterate_replies
from veridical.ledger.tables import SERVED
from veridical.ledger.task import Task
from veridical.models.exchange import Raw

if TYPE_CHECKING:
    import pandas as pd

# Collections that are made before any design is sealed, and those after responses are.
BEFORE_DESIGN = ("author", "trial")
AFTER_RESPONSES = ("verdicts",)
# The parts that ask in a collection, where it doesn't bear the one part's name.
PARTS_OF = {
    "author": ("control1", "control2"),
    "responses": ("control1",),
    "verdicts": ("control1", "benchmarks"),
    "memories": ("memories", "benchmarks"),
}


def collections_of(part: str) -> set[str]:
    """The collections in which a part asks.

    >>> sorted(collections_of("control2")), collections_of("vpe")
    (['author', 'control2'], {'vpe'})
    """
    shared = {name for name, parts in PARTS_OF.items() if part in parts}
    return {part, *shared} - ({part} if part == "control1" else set())


@dataclass
class Served:
    """The names that a model was served under in one stage, and those that its entry allows."""

    model: str
    allowed: Sequence[str] = ()
    names: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, task: Task) -> Served:
        """What the ledgers of the task's stage hold of its model."""
        place, own = task.ledger.parent, stage_of(task.collection)
        found = {task.ledger}
        if place.name == task.collection:
            beside = place.parent.glob(f"*/{task.ledger.name}")
            found |= {path for path in beside if stage_of(path.parent.name) == own}
        names = names_in(path for path in found if path.is_file())
        return cls(task.model.name, tuple(task.model.options.get("served", ())), names)

    def hear(self, raws: Iterable[Raw]) -> str:
        """Note the names of further replies; returns the problem that they make, or nothing."""
        self.names.update(str(raw.served_model) for raw in raws if raw.served_model)
        return self.problem()

    def problem(self) -> str:
        """What is wrong with the names so far and what to do, in words; empty where nothing is."""
        strange = [name for name in self.names if not self._allows(name)]
        if not strange or (not self.allowed and len(strange) == 1):
            return ""
        counts = ", ".join(f"{name} ({n} replies)" for name, n in sorted(self.names.items()))
        head = f"{self.model}: the server's name for it changed in the middle of a stage"
        if self.allowed:
            head = f"{self.model}: the server's name for it is not among those under `served`"
        return (
            f"{head}: {counts}. What was answered is kept. To go on with what is there, name them "
            f"all in the config (models/{self.model}/served), which belongs to the design: log it "
            "as a deviation, and the page says it. To have one model's replies alone, give the "
            "study another name"
        )

    def _allows(self, name: str) -> bool:
        return any(fnmatchcase(name, pattern) for pattern in self.allowed)


def stage_of(collection: str) -> str:
    """The stage in which a collection is asked: author, trial, responses or verdicts."""
    return collection if collection in (*BEFORE_DESIGN, *AFTER_RESPONSES) else "responses"


def served_table(replies: Iterable[Path], models: Mapping[str, Mapping[str, Any]]) -> pd.DataFrame:
    """One row a stage, model, name asked and name served (`ledger.tables.SERVED`), from replies
    files; `models` are the config's entries. Every reply that an exchange keeps counts once."""
    import pandas as pd

    found: dict[tuple[str, str, str, str | None], list[str]] = {}
    seen: set[str] = set()
    for path in replies:
        for entry in iterate_replies(path):
            for exchange in entry["exchanges"]:
                request, reply = exchange["request"], exchange["reply"]
                asked = request.get("model")  # a visit to a memory system has none
                if asked is None or reply["state"] == "failed" or reply["key"] in seen:
                    continue
                seen.add(reply["key"])
                names = asked, reply["raw"].get("served_model") or None
                where = (stage_of(entry["stage"]), entry["model"], *names)
                found.setdefault(where, []).append(reply.get("time") or "")
    rows = []
    for (stage, model, asked, served), times in sorted(found.items(), key=str):
        told = sorted(filter(None, times)) or [None]
        provider = models.get(model, {}).get("provider", "")
        rows.append((stage, model, provider, asked, served, len(times), told[0], told[-1]))
    return pd.DataFrame(rows, columns=SERVED.names)


def names_in(ledgers: Iterable[Path]) -> Counter[str]:
    """How many answers came under which name, over several ledgers; replies without one don't
    count."""
    found: Counter[str] = Counter()
    for path in sorted(ledgers):
        with Ledger(path, create=False) as ledger:
            found.update(ledger.served_names())
    found.pop("", None)
    return found
