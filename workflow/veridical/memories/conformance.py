"""Does a memory system keep memory protocol 1? Checked before any study, and told in words.

Every check is put to the running program: each verb, wrong input, odd texts, reset, isolation,
repeat, a kill in the middle. A program that dies, hangs, writes what is no JSON or far too much
of it is named by the check during which it did, and started again for the next one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from veridical.memories.process import Process
from veridical.memories.protocol import Event, Memory, MemoryFault
from veridical.memories.subject import (
    FILLER,
    PAUSE,
    QUERY,
    WAIT,
    Subject,
    events,
    fact,
    holds,
    texts_of,
)
from veridical.memories.updates import keeps_both, keeps_dates, keeps_near_apart

ODD = {  # texts that a life may hold and a store must survive
    "a line break": "2025-02-01 — a note of\ntwo lines and\r\na third",
    "a NUL": "2025-02-02 — a note with a NUL \x00 in the middle",
    "right-to-left marks": "2025-02-03 — \u202eשלום\u202c and \u200fback\u200f again",
    "an emoji beyond the basic plane": "2025-02-04 — a note with 🧠 in it",
    "quotes and backslashes": "2025-02-05 — \"quoted\" 'twice' \\ and \\n; DROP TABLE events; --",
    "one megabyte": "2025-02-06 — " + "a long note of many words " * 40_000,
}


@dataclass(frozen=True)
class Check:
    """One check: `state` is ok, fault (a study would go wrong) or note (it would not, but look)."""

    name: str
    state: str
    words: str = ""

    def __str__(self) -> str:
        return f"{self.state:5}  {self.name}" + (f": {self.words}" if self.words else "")


Found = Iterator[tuple[str, str]]  # state and words of what a check has to say; nothing: it is well


def describes(subject: Subject) -> Found:
    """It says what it is, in this protocol."""
    subject.described = found = subject.memory.describe()
    if not found.version.strip():
        yield "fault", "its version is empty, and recalls are kept by it: tell one"
    if "dump" not in found.optional:
        yield "note", "it has no `dump`: what it stored can't be measured, only what it finds"


def refuses_wrong_input(subject: Subject) -> Found:
    """What is no request gets an error, and the program lives on."""
    if not isinstance(subject.memory, Process):
        return
    wrong = {
        "an unknown verb": {"verb": "no-such-verb"},
        "a recall without a bank": {"verb": "recall", "query": QUERY, "k": 5},
        "a list in the place of a request": ["recall"],
    }
    for what, request in wrong.items():
        reply = subject.memory.send(json.dumps(request).encode(), "recall", 60)
        if not isinstance(reply, dict) or not reply.get("error"):
            yield "fault", f"{what} is answered with {str(reply)[:120]}, not with an `error`"


def starts_empty(subject: Subject) -> Found:
    """Nothing is in a bank before anything was ingested."""
    subject.memory.reset("check-new")
    if subject.asked() and texts_of(subject.memory.recall("check-new", QUERY, 5)):
        yield "fault", "a bank that was only reset gives something back"
    if subject.has("dump") and subject.memory.dump("check-new"):
        yield "fault", "a bank that was only reset holds something"


def takes_events(subject: Subject) -> Found:
    """Every event is accepted, and the bank settles."""
    subject.memory.reset("check-1")
    given = events([*FILLER, fact("quorvane")])
    accepted = sum(subject.memory.ingest("check-1", [event]) for event in given)
    if accepted != len(given):
        yield "fault", f"it was given {len(given)} events and says that it accepted {accepted}"
    settled = subject.memory.settle("check-1", WAIT)
    if not settled.ready:
        yield "fault", f"not ready after {WAIT:g} s, {settled.pending} events pending"


def finds(subject: Subject) -> Found:
    """An event is found by its own words as soon as the bank has settled."""
    if not subject.asked():
        return
    subject.fresh("check-1", *FILLER, fact("quorvane"))
    first = subject.memory.recall("check-1", QUERY, 5)
    if not holds(first, "quorvane"):
        yield (
            "note",
            "of three events it does not find the one that is asked about in its own words",
        )
    subject.rest()
    if holds(subject.memory.recall("check-1", QUERY, 5), "quorvane") and not holds(
        first, "quorvane"
    ):
        yield "fault", "it says that it is settled and finds an event only a second later"


def keeps_to_k(subject: Subject) -> Found:
    """No more items than asked for, and no fault where there are fewer."""
    if not subject.asked():
        return
    subject.fresh("check-1", *FILLER, fact("quorvane"))
    for k in (1, 2):
        count = len(subject.memory.recall("check-1", QUERY, k).items)
        if count > k:
            yield "fault", f"asked for {k} items it gives {count}"
    subject.memory.recall("check-1", QUERY, 1000)  # more than there are


def repeats(subject: Subject) -> Found:
    """Recall is repeatable."""
    if not subject.asked():
        return
    subject.fresh("check-1", *FILLER, fact("quorvane"))
    first, *others = (texts_of(subject.memory.recall("check-1", QUERY, 3)) for _ in range(5))
    if any(other != first for other in others):
        yield "note", "the same query, put five times, gives different replies"


def keeps_banks_apart(subject: Subject) -> Found:
    """What went into one bank never comes out of another."""
    if not subject.asked():
        return
    subject.fresh("check-1", *FILLER, fact("quorvane"))
    subject.fresh("check-2", *FILLER, fact("tesselby"))
    for bank, other in (("check-1", "tesselby"), ("check-2", "quorvane")):
        if holds(subject.memory.recall(bank, QUERY, 5), other):
            yield "fault", f"bank {bank} gives back what was ingested into another bank ({other})"


def resets(subject: Subject) -> Found:
    """An emptied bank is empty, the others are not, and nothing comes back later."""
    subject.fresh("check-1", *FILLER, fact("quorvane"))
    subject.fresh("check-2", *FILLER, fact("tesselby"))
    before = subject.asked() and holds(subject.memory.recall("check-2", QUERY, 5), "tesselby")
    subject.memory.reset("check-1")
    if subject.asked() and holds(subject.memory.recall("check-1", QUERY, 5), "quorvane"):
        yield "fault", "after `reset` it still gives back what was in the bank"
    if subject.has("dump") and subject.memory.dump("check-1"):
        yield "fault", "after `reset` its dump is not empty"
    if before and not holds(subject.memory.recall("check-2", QUERY, 5), "tesselby"):
        yield "fault", "`reset` of one bank empties another"
    subject.fresh("check-1", *FILLER, fact("morrowin"))
    if subject.asked() and holds(subject.memory.recall("check-1", QUERY, 5), "quorvane"):
        yield "fault", "filled again after `reset`, a bank gives back what it held before"


def survives_odd_texts(subject: Subject) -> Found:
    """Each of the texts in `ODD` goes in and, where there is a dump, comes out."""
    for what, text in ODD.items():
        try:
            subject.fresh("check-odd", text, FILLER[0])
            if subject.asked():
                subject.memory.recall("check-odd", text[:200], 5)
            kept = subject.has("dump") and [item.text for item in subject.memory.dump("check-odd")]
            if kept and subject.described.writes == "verbatim" and text not in kept:
                yield "note", f"a text with {what} is not in its dump as it was given"
        except MemoryFault as fault:
            yield "fault" if fault.gone else "note", f"a text with {what}: {fault}"


def survives_the_same_id_twice(subject: Subject) -> Found:
    """Two events with one id are two events."""
    subject.memory.reset("check-twice")
    for text in (fact("quorvane"), fact("tesselby")):
        subject.memory.ingest("check-twice", [Event("same", "2025-01-09", "Ada", text)])
    subject.memory.settle("check-twice", WAIT)
    if subject.has("dump") and len(subject.memory.dump("check-twice")) < 2:
        yield "note", "of two events with the same id it keeps one"


def tells_its_usage(subject: Subject) -> Found:
    """Usage counts from the last time it was asked for."""
    subject.memory.usage()
    if subject.memory.usage().calls:
        yield "note", "`usage` must tell what was spent since it was last asked for"


def has_what_it_lists(subject: Subject) -> Found:
    """The tools have names."""
    if subject.has("tools"):
        subject.memory.reset("check-1")
        for tool in subject.memory.tools():
            if not isinstance(tool, dict) or not tool.get("name"):
                yield "fault", f"a tool has no name: {str(tool)[:120]}"


def survives_a_kill(subject: Subject) -> Found:
    """Killed, it starts again; lasting banks are there, others can be filled anew."""
    memory = subject.memory
    if not isinstance(memory, Process):
        return
    subject.fresh("check-1", *FILLER, fact("quorvane"))
    before = subject.asked() and holds(memory.recall("check-1", QUERY, 5), "quorvane")
    memory.kill()
    subject.memory.describe()
    lasting = before and subject.described is not None and subject.described.lasting
    if lasting and not holds(subject.memory.recall("check-1", QUERY, 5), "quorvane"):
        yield "fault", "it says that banks last; killed and started again it finds nothing"
    subject.fresh("check-1", *FILLER, fact("tesselby"))
    if before and not holds(subject.memory.recall("check-1", QUERY, 5), "tesselby"):
        yield "fault", "killed, started again and filled anew, a bank finds nothing"


CHECKS: dict[str, Callable[[Subject], Found]] = {
    "it starts and describes itself": describes,
    "wrong input is answered with an error": refuses_wrong_input,
    "a new bank is empty": starts_empty,
    "events are accepted and settle": takes_events,
    "what was ingested is found": finds,
    "at most k items come back": keeps_to_k,
    "the same query gives the same items": repeats,
    "banks are kept apart": keeps_banks_apart,
    "reset empties a bank, and that bank alone": resets,
    "odd texts are survived": survives_odd_texts,
    "the same id twice is survived": survives_the_same_id_twice,
    "usage is told": tells_its_usage,
    "optional verbs that it lists are there": has_what_it_lists,
    "a topic told twice is kept twice": keeps_both,
    "near topics are kept apart": keeps_near_apart,
    "a date is kept as it was told": keeps_dates,
    "it can be killed and started again": survives_a_kill,
}


def check_system(
    start: Callable[[], Memory], names: Iterable[str] = CHECKS, *, pause: float = PAUSE
) -> list[Check]:
    """Put the checks to the system that `start` starts; it is started again where it ended.

    `pause` is how many seconds later it is asked again for what it did not find.

    Where it can't even be started or described, the other checks are not put.
    """
    subject, found = Subject(start, pause), []
    try:
        for name in names:
            check = CHECKS[name]
            said = list(_said(check, subject))
            found += [Check(name, state, words) for state, words in said] or [Check(name, "ok")]
            if check is describes and subject.described is None:
                break
    finally:
        subject.close()
    return found


def _said(check: Callable[[Subject], Found], subject: Subject) -> Found:
    try:
        yield from check(subject)
    except MemoryFault as fault:
        where = f"`{fault.verb}`" + (f" on bank {fault.bank}" if fault.bank else "")
        yield "fault", f"{where}: {fault}" if fault.verb else str(fault)
