"""The age score's sessions, written before anyone is asked: when, in which language, what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from veridical.aas.score import TASKS
from veridical.aas.spoken import LANGUAGES, tell_date
from veridical.aas.tasks import Task, own_tasks
from veridical.base.calendars import DAYS
from veridical.models.exchange import Form
from veridical.models.prompts import Prompt, Turn

PHASES = ("stateless", "persistent", "carried")
SESSIONS = 20  # where neither their number nor their dates are given

DATE_IN = ("system", "message")

SERIES = {
    "en": (
        "You take part in a series of experiments. Each session is one experiment. Your first "
        "session is experiment 1, your second is experiment 2, and so on. "
    ),
    "tr": (
        "Bir dizi deneye katılıyorsun. Her oturum bir deneydir. İlk oturumun 1 numaralı deney, "
        "ikincisi 2 numaralı deneydir ve böyle devam eder. "
    ),
    "it": (
        "Partecipi a una serie di esperimenti. Ogni sessione è un esperimento. La tua prima "
        "sessione è l'esperimento 1, la seconda è l'esperimento 2, e così via. "
    ),
}
IN_LANGUAGE = {
    "en": (
        "Answer in English, with the day or the number alone. If you cannot tell, answer: "
        "I don't know. "
    ),
    "tr": "Yalnızca günü ya da numarayı Türkçe yaz. Söyleyemiyorsan yanıtın: Bilmiyorum. ",
    "it": (
        "Rispondi in italiano, soltanto con il giorno o con il numero. Se non puoi dirlo, "
        "rispondi: Non lo so. "
    ),
}
IN_ITS_LANGUAGE = {
    "en": (
        "Answer in the language of the question, with the day or the number alone. If you cannot "
        "tell, say in that language that you don't know."
    ),
    "tr": (
        "Yalnızca günü ya da numarayı sorunun dilinde yaz. Söyleyemiyorsan o dilde bilmediğini "
        "söyle."
    ),
    "it": (
        "Rispondi nella lingua della domanda, soltanto con il giorno o con il numero. Se non puoi "
        "dirlo, di' in quella lingua che non lo sai."
    ),
}
#: The same where a study asks tasks of its own, whose answer is no day and no number.
BRIEFLY = {
    "en": "Answer in English, as briefly as you can. If you cannot tell, answer: I don't know. ",
    "tr": "Türkçe ve olabildiğince kısa yanıt ver. Söyleyemiyorsan yanıtın: Bilmiyorum. ",
    "it": (
        "Rispondi in italiano, nel modo più breve possibile. Se non puoi dirlo, rispondi: Non lo "
        "so. "
    ),
}
BRIEFLY_IN_ITS = {
    "en": (
        "Answer in the language of the question, as briefly as you can. If you cannot tell, say in "
        "that language that you don't know."
    ),
    "tr": (
        "Sorunun dilinde ve olabildiğince kısa yanıt ver. Söyleyemiyorsan o dilde bilmediğini "
        "söyle."
    ),
    "it": (
        "Rispondi nella lingua della domanda, nel modo più breve possibile. Se non puoi dirlo, di' "
        "in quella lingua che non lo sai."
    ),
}
TODAY = {"en": "Today is {date}.", "tr": "Bugün {date}.", "it": "Oggi è {date}."}
#: What an agent that carries a memory is told of it: how it begins, a line a session, none yet.
CARRIED = {
    "en": (" Your memory of the sessions before this one:", "Experiment {number}: {date}", "none"),
    "tr": (" Bundan önceki oturumlara ait belleğin:", "Deney {number}: {date}", "yok"),
    "it": (
        " La tua memoria delle sessioni prima di questa:",
        "Esperimento {number}: {date}",
        "nessuna",
    ),
}
OPENING = {"en": "New session. ", "tr": "Yeni oturum. ", "it": "Nuova sessione. "}
QUESTIONS = {
    "en": {
        "semantic": "What day is it today?",
        "episodic": "What is the number of this experiment?",
    },
    "tr": {
        "semantic": "Bugün günlerden ne?",
        "episodic": "Bu deneyin numarası kaç?",
    },
    "it": {
        "semantic": "Che giorno è oggi?",
        "episodic": "Qual è il numero di questo esperimento?",
    },
}


@dataclass(frozen=True)
class AgeSession:
    """One session: its number from 1, its day and its language; `tasks` are the study's own."""

    number: int
    day: date
    language: str
    tasks: tuple[Task, ...] = ()

    def turns(self, date_in: str, series_language: str) -> tuple[Turn, ...]:
        """The session's questions and the system prompt in force.

        The date is told at the end of the system prompt, which is then in the session's language
        and changes from session to session; or at the beginning of the session's first message,
        under one system prompt for all sessions, in the language of the first.
        """
        today = TODAY[self.language].format(date=tell_date(self.day, self.language))
        asked = [fact["question"] for fact in self.facts()]
        if date_in == "system":
            manner = BRIEFLY if self.tasks else IN_LANGUAGE
            told = SERIES[self.language] + manner[self.language] + today
        elif date_in == "message":
            manner = BRIEFLY_IN_ITS if self.tasks else IN_ITS_LANGUAGE
            told = SERIES[series_language] + manner[series_language]
            asked[0] = f"{OPENING[self.language]}{today} {asked[0]}"
        else:
            raise ValueError(f"aas.date_in is {date_in!r}: it must be one of {DATE_IN}")
        return tuple(
            Turn(question, Form(), told, facts=facts)
            for question, facts in zip(asked, self.facts(), strict=True)
        )

    def carried(self, before: Sequence[AgeSession]) -> str:
        """The memory that the session is given: a line for each one before, in its own language."""
        begins, line, none = CARRIED[self.language]
        told = [
            line.format(number=each.number, date=tell_date(each.day, self.language))
            for each in before
        ]
        return "\n".join([begins, *(told or [none])])

    def facts(self) -> list[dict[str, Any]]:
        """What the scorer needs, a dict a question: the day is expected in English."""
        where = {"session": self.number, "date": self.day.isoformat()}
        known = {"semantic": DAYS["en"][self.day.weekday()], "episodic": str(self.number)}
        asked = [(task, task, QUESTIONS[self.language][task], known[task]) for task in TASKS]
        here = (self.language, self.number)
        asked += [(own.id, own.kind, own.asked(*here), own.wanted(*here)) for own in self.tasks]
        return [
            where
            | {"task": task, **({"kind": kind} if self.tasks else {}), "language": self.language}
            | {"question": question, "expected": expected}
            for task, kind, question, expected in asked
        ]


def session_count(sessions: int | None, dates: Sequence[Any] = ()) -> int:
    """How many sessions a phase has: as said, else one a date, else `SESSIONS`.

    >>> session_count(None, ["2024-08-10", "2024-08-13"]), session_count(None), session_count(3)
    (2, 20, 3)
    """
    return sessions if sessions is not None else len(dates) or SESSIONS


def plan_sessions(
    sessions: int | None,
    start: date | str,
    languages: Sequence[str],
    dates: Sequence[date | str] = (),
    tasks: Sequence[Mapping[str, Any]] = (),
) -> list[AgeSession]:
    """Sessions on consecutive days from `start`, or on `dates`; the languages take turns.

    `tasks` are the study's own, as the config has them (`tasks.own_tasks`).

    How many there are, `session_count` says. Raises ValueError where a value is not of its kind, or
    the dates are not one a session, each after the one before.

    >>> [s.language for s in plan_sessions(3, "2025-08-11", ["en", "tr"])]
    ['en', 'tr', 'en']
    """
    sessions = session_count(sessions, dates)
    if sessions < 1:
        raise ValueError(f"aas.sessions is {sessions}: at least one session is needed")
    unknown = [language for language in languages if language not in LANGUAGES]
    if unknown or not languages:
        raise ValueError(f"aas.languages: {list(languages)}, expected some of {LANGUAGES}")
    if dates:
        days = [_day(each, f"aas.dates, entry {n}") for n, each in enumerate(dates, start=1)]
        if len(days) != sessions or any(b <= a for a, b in pairwise(days)):
            raise ValueError(
                f"aas.dates: {len(days)} for {sessions} sessions; one each is needed, in order"
            )
    else:
        first = _day(start, "aas.start")
        days = [first + timedelta(days=n) for n in range(sessions)]
    own = tuple(own_tasks(tasks, languages[:sessions], sessions))
    return [
        AgeSession(n + 1, day, languages[n % len(languages)], own) for n, day in enumerate(days)
    ]


def _day(value: date | str, where: str) -> date:
    try:
        return value if isinstance(value, date) else date.fromisoformat(value)
    except ValueError as error:
        raise ValueError(f"{where}: {value!r} is no date, as in 2025-08-11") from error


def phase_prompts(
    phase: str,
    plan: Sequence[AgeSession],
    parameters: Mapping[str, Any] | None = None,
    date_in: str = "system",
    runs: int = 1,
) -> list[Prompt]:
    """The prompts of one phase: a conversation a session (stateless), or one for all of them.

    In the phase `carried` each session is a conversation of its own as well, and the system prompt
    ends with a memory of the sessions before it, a dated line each: what is known stays in the
    model, what happened is carried from outside.

    Sessions are put in the order of their days in both phases, since an agent that remembers by
    itself counts them as they come. The thread is another take of what was said: its first session
    is asked, not taken from the stateless phase. With several `runs` all sessions are lived so many
    times, one run after another, and in each all is asked anew; the first is that of a study of
    one. Raises ValueError where `phase` or `date_in` is unknown, or `runs` is below 1.
    """
    if phase not in PHASES:
        raise ValueError(f"phase {phase!r}: it must be one of {', '.join(PHASES)}")
    if runs < 1:
        raise ValueError(f"aas.runs is {runs}: at least one run is needed")
    prompts = []
    for run in range(1, runs + 1):
        told = {"phase": phase} | ({"run": run} if runs > 1 else {})
        prefix = f"run{run}-" if run > 1 else ""
        again = {"take": int(phase == "persistent"), "run": run - 1}
        prompts += [
            Prompt(prefix + name, turns, parameters=dict(parameters or {}), facts=told, **again)
            for name, turns in _conversations(phase, plan, date_in)
        ]
    return prompts


def _conversations(
    phase: str, plan: Sequence[AgeSession], date_in: str
) -> Iterator[tuple[str, tuple[Turn, ...]]]:
    """A phase's conversations, each with its name."""
    lived = [session.turns(date_in, plan[0].language) for session in plan]
    if phase == "persistent":
        yield phase, tuple(turn for turns in lived for turn in turns)
        return
    for n, (session, turns) in enumerate(zip(plan, lived, strict=True)):
        memory = session.carried(plan[:n]) if phase == "carried" else ""
        told = tuple(replace(turn, system=turn.system + memory) for turn in turns)
        yield f"{phase}-{session.number:02d}", told
