"""The age score's sessions, written before anyone is asked: when, in which language, what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from veridical.aas import TASKS
from veridical.exchange import Form
from veridical.prompts import Prompt, Turn
from veridical.spoken import DAYS, LANGUAGES, tell_date

PHASES = ("stateless", "persistent")

# The fixed part comes first and the date last, so that sessions share a prefix.
INSTRUCTIONS = {
    "en": (
        "You take part in a series of experiments, one in each session. The experiments are "
        "numbered 1, 2, 3 and so on in the order in which you take part: the first you know of is "
        "number 1, and each session after it has the next number. Answer in English with the day "
        "or the number alone. If you cannot tell, answer: I don't know. Today is {date}."
    ),
    "tr": (
        "Her oturumda bir deney olmak üzere bir dizi deneye katılıyorsun. Deneyler katıldığın "
        "sırayla 1, 2, 3 diye numaralanır: bildiğin ilk deney 1 numaradır, sonraki her oturum bir "
        "sonraki numarayı alır. Yalnızca günü ya da numarayı Türkçe yaz. Söyleyemiyorsan yanıtın: "
        "Bilmiyorum. Bugün {date}."
    ),
}
QUESTIONS = {
    "en": {
        "semantic": "What day is it today?",
        "episodic": "What is the number of this experiment?",
    },
    "tr": {
        "semantic": "Bugün günlerden ne?",
        "episodic": "Bu deneyin numarası kaç?",
    },
}


@dataclass(frozen=True)
class AgeSession:
    """One session: its number from 1, its day and its language."""

    number: int
    day: date
    language: str

    def turns(self) -> tuple[Turn, ...]:
        """The session's two questions, under the system prompt that tells its date."""
        told = INSTRUCTIONS[self.language].format(date=tell_date(self.day, self.language))
        return tuple(Turn(QUESTIONS[self.language][task], Form(), told) for task in TASKS)

    def facts(self) -> list[dict[str, Any]]:
        """What the scorer needs, a dict a question: the day is expected in English."""
        expected = {"semantic": DAYS["en"][self.day.weekday()], "episodic": str(self.number)}
        return [
            {
                "session": self.number,
                "date": self.day.isoformat(),
                "task": task,
                "language": self.language,
                "question": QUESTIONS[self.language][task],
                "expected": expected[task],
            }
            for task in TASKS
        ]


def plan_sessions(sessions: int, start: date | str, languages: Sequence[str]) -> list[AgeSession]:
    """Sessions on consecutive days from `start`, the languages taking turns. Raises ValueError.

    >>> [s.language for s in plan_sessions(3, "2025-08-11", ["en", "tr"])]
    ['en', 'tr', 'en']
    """
    if sessions < 1:
        raise ValueError(f"aas.sessions is {sessions}: at least one session is needed")
    unknown = [language for language in languages if language not in LANGUAGES]
    if unknown or not languages:
        raise ValueError(f"aas.languages: {list(languages)}, expected some of {LANGUAGES}")
    first = start if isinstance(start, date) else date.fromisoformat(start)
    return [
        AgeSession(n + 1, first + timedelta(days=n), languages[n % len(languages)])
        for n in range(sessions)
    ]


def phase_prompts(
    phase: str, plan: Sequence[AgeSession], parameters: Mapping[str, Any] | None = None
) -> list[Prompt]:
    """The prompts of one phase: a conversation a session (stateless), or one for all of them."""
    sent = dict(parameters or {})
    if phase == "stateless":
        return [
            Prompt(
                f"stateless-{session.number:02d}",
                session.turns(),
                parameters=sent,
                facts={"phase": phase, "turns": session.facts()},
            )
            for session in plan
        ]
    if phase == "persistent":
        turns = tuple(turn for session in plan for turn in session.turns())
        facts = [fact for session in plan for fact in session.facts()]
        return [
            Prompt("persistent", turns, parameters=sent, facts={"phase": phase, "turns": facts})
        ]
    raise ValueError(f"phase {phase!r}: it must be one of {', '.join(PHASES)}")
