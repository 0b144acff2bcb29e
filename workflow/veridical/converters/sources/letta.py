"""A dump of Letta: an agent file (`.af`) or an older state: messages, and memory blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from veridical.benchmarks.records import Record
from veridical.converters.life import ConversionError, Life, Wish
from veridical.converters.messages import events_of, read_json
from veridical.converters.talk import as_life


def convert(wish: Wish) -> Life:
    """One agent's messages as events; its memory blocks are the memory document that it brings.

    `which` names the agent where the file holds several.
    """
    found = read_json(wish.file)
    if not isinstance(found, dict):
        raise ConversionError(f"{wish.file}: no agent file; it must be an object")
    agent = _agent(found, wish)
    where = f"{wish.file}, agent {agent.text('name', 'id', default='1')}"
    messages = agent.list("messages")
    events = list(events_of(messages, where, wish["start"]))
    blocks = _blocks(found, agent, where)
    name = agent.text("name", default="")
    return as_life(events, wish, {"agent": name} if name else {}, memory=_document(blocks, where))


def _agent(found: Mapping[str, Any], wish: Wish) -> Record:
    agents = found.get("agents", [found])
    named = [Record(each, f"{wish.file}, agent {n}") for n, each in enumerate(agents, start=1)]
    which = wish["which"]
    fit = [a for a in named if which in (None, a.data.get("name"), a.data.get("id"))]
    fit = fit[:1] if which is None else fit
    if len(fit) != 1:
        there = ", ".join(str(a.data.get("name") or a.data.get("id")) for a in named)
        raise ConversionError(f"{wish.file}: `which` must name one agent of {there}")
    return fit[0]


def _blocks(found: Mapping[str, Any], agent: Record, where: str) -> list[Record]:
    """The blocks of the agent: in it, or in the file under the ids that it names."""
    own = agent.data.get("core_memory") or agent.data.get("blocks") or []
    ids = agent.data.get("block_ids")
    if not own and ids:
        own = [block for block in found.get("blocks", []) if block.get("id") in ids]
    if isinstance(own, Mapping):
        own = [{"label": label, "value": value} for label, value in own.items()]
    return [Record(block, f"{where}, block {n}") for n, block in enumerate(own, start=1)]


def _document(blocks: Sequence[Record], where: str) -> str | None:
    """The blocks as one text, each under its label; None where none says anything."""
    told = [(b.text("label", "name", default=""), b.text("value", default="")) for b in blocks]
    texts = [f"{label}\n{value}" if label else value for label, value in told if value]
    return "\n\n".join(texts) or None
