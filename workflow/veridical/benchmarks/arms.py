"""What stands before the question in each arm: a history, part of it, a false one, or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from veridical.benchmarks.items import Benchmark, BenchmarkError, History, Item, Session, Turn

ARMS = ("none", "counterfeit", "corrupted", "oracle", "full")
DONORS = 5  # lives that a counterfeit may be made from at most
MEMORYLESS = ("none", "counterfeit")  # in these nothing of the item's own life is given

# Speakers that are parts in a talk, not people: exchanging them says nothing of who remembers.
PARTS = frozenset({"", "user", "assistant", "system", "human", "ai", "bot", "agent", "model"})


@dataclass(frozen=True)
class Given:
    """What one item is given in one arm: sessions (none at all in the arm `none`), and how it was
    made where that is to be told."""

    sessions: tuple[Session, ...]
    how: str = ""

    @cached_property
    def text(self) -> str:
        """The sessions as a model reads them: each under its date, a blank line between."""
        return "\n\n".join(
            "\n".join(part for part in (f"[{each.date}]" if each.date else "", each.text) if part)
            for each in self.sessions
        )


def fitting(arm: str, items: Sequence[Item]) -> list[Item]:
    """The items that can be asked in an arm: in `oracle` those that name evidence, or of which the
    right answer is that it can't be known; in every other arm all of them."""
    return [each for each in items if arm != "oracle" or each.evidence or each.abstention]


class Arms:
    """The arms of one benchmark's items."""

    def __init__(self, benchmark: Benchmark):
        self.items = {each.id: each for each in benchmark.items}
        self._lives: dict[str, list[History]] = {}
        self._counterfeits: dict[str, Given] = {}
        seen = set()
        for each in benchmark.items:
            if each.history and each.history.id not in seen:
                seen.add(each.history.id)
                self._lives.setdefault(life_of(each), []).append(each.history)

    def give(self, arm: str, item: Item) -> Given:
        """What the item is given in the arm.

        Raises BenchmarkError, naming the item, where the arm can't be made for it: no history, no
        evidence, no other life, nothing in the history that could be exchanged.
        """
        if arm not in ARMS:
            raise BenchmarkError(f"no arm {arm!r}; known: {', '.join(ARMS)}")
        if arm == "none":
            return Given(())
        if item.history is None:
            raise BenchmarkError(f"item {item.id}: arm {arm!r} needs a history, and it has none")
        make = {
            "full": lambda: Given(item.history.sessions),
            "oracle": lambda: oracle(item),
            "corrupted": lambda: corrupted(item),
            "counterfeit": lambda: self.counterfeit(item),
        }
        return make[arm]()

    def counterfeit(self, item: Item) -> Given:
        """Another life's sessions, about as long as the item's own history.

        The life whose history is nearest in length gives its last sessions; where it is too short,
        the next nearest adds some of its own. What would be too long is cut by whole turns.
        """
        if item.history.id not in self._counterfeits:
            self._counterfeits[item.history.id] = self._counterfeit(item)
        return self._counterfeits[item.history.id]

    def _counterfeit(self, item: Item) -> Given:
        wanted = item.history.characters
        donors = sorted(
            (
                (abs(each.characters - wanted), each.id, each)
                for life, histories in self._lives.items()
                if life != life_of(item)
                for each in histories
            ),
            key=lambda donor: donor[:2],
        )
        if not donors:
            raise BenchmarkError(
                f"item {item.id}: arm 'counterfeit' needs another life, and the file has one only"
            )
        sessions: list[Session] = []
        names: list[str] = []
        left = wanted
        for _, name, donor in donors[:DONORS]:
            for session in reversed(donor.sessions):
                part = _cut(session, left)
                if part is None:
                    break
                sessions.append(part)
                names.append(name)
                left -= len(part.text)
            if left < 0.05 * wanted:
                break
        how = f"of {', '.join(dict.fromkeys(names))}" if names else "nothing fits"
        return Given(tuple(reversed(sessions)), how)


def life_of(item: Item) -> str:
    """Whose life an item is about: its cluster, else its history."""
    return item.cluster or (item.history.id if item.history else item.id)


def _cut(session: Session, room: int) -> Session | None:
    """As many of the session's first turns as have room; None where not one has."""
    turns: list[Turn] = []
    for turn in session.turns:
        longer = Session((*turns, turn))
        if len(longer.text) > room:
            break
        turns.append(turn)
    return replace(session, turns=tuple(turns)) if turns else None


def oracle(item: Item) -> Given:
    """The evidence alone: the sessions it names, or of a session only the turns it names.

    Nothing where the item names no evidence, as where the right answer is that it can't be known.
    """
    named = set(item.evidence)
    if not named and not item.abstention:
        raise BenchmarkError(f"item {item.id}: arm 'oracle' needs evidence, and it names none")
    sessions = []
    for session in item.history.sessions:
        turns = tuple(turn for turn in session.turns if turn.id in named)
        if session.id in named:
            sessions.append(session)
        elif turns:
            sessions.append(replace(session, turns=turns))
    if named and not sessions:
        raise BenchmarkError(f"item {item.id}: its evidence {item.evidence[0]!r} is nowhere")
    return Given(tuple(sessions))


def corrupted(item: Item) -> Given:
    """The own history with its two speakers exchanged, and its sessions' dates moved on.

    Speakers are exchanged where two people speak, dates where sessions have different ones: each
    session takes the next one's, the last the first's.
    """
    sessions, done = item.history.sessions, []
    people = _two_people(sessions)
    if people:
        done.append("speakers exchanged")
        sessions = tuple(_exchange(session, people) for session in sessions)
    dates = [session.date for session in sessions]
    if len(set(dates)) > 1:
        done.append("dates moved on")
        moved = [*dates[1:], dates[0]]
        sessions = tuple(replace(s, date=date) for s, date in zip(sessions, moved, strict=True))
    if not done:
        raise BenchmarkError(
            f"item {item.id}: arm 'corrupted' needs two named speakers or sessions of different "
            "dates, and its history has neither"
        )
    return Given(sessions, ", ".join(done))


def _two_people(sessions: Sequence[Session]) -> Mapping[str, str] | None:
    """Each of two people's names for the other's; None where not exactly two speak."""
    found = Counter(turn.speaker for session in sessions for turn in session.turns)
    names = [name for name in found if name.casefold() not in PARTS]
    if len(names) != 2:
        return None
    first, second = names
    return {first: second, second: first}


def _exchange(session: Session, people: Mapping[str, str]) -> Session:
    turns = (
        replace(turn, speaker=people.get(turn.speaker, turn.speaker)) for turn in session.turns
    )
    return replace(session, turns=tuple(turns))
