"""The age score's tables, one line a column."""

from __future__ import annotations

from dataclasses import replace

from veridical.aas.grading import MARKS
from veridical.aas.protocol import PHASES
from veridical.aas.score import TASKS
from veridical.aas.spoken import LANGUAGES
from veridical.base.contract import Contract, Shown, flag, interval, number, share, text, whole
from veridical.models.exchange import STATES

REDUNDANCIES = ("zero", "estimated")
BITS = {"unit": "bits", "low": 0}
RECALL = {"unit": "share", "low": 0, "high": 1}

OWN_TASK = r"{}_((?!(?:semantic|episodic)$)[a-z][a-z0-9_]*)"  # columns of a study's own tasks
MODEL = text("model", "the model's name in the study, or of the table of own sessions")
PHASE = text(
    "phase",
    "a new conversation each, one thread, or a memory carried",
    *PHASES,
    shown="value:phase",
)
SESSION = whole("session", "the session's number", low=1)
RUN = whole("run", "the run, where there are several", low=1, optional=True)
ASKED = (
    text("task", "which question", shown="value:task"),
    replace(
        text("kind", "whether it asks for what is known or for what happened", *TASKS),
        shown=None,
        optional=True,
    ),
    text("language", "the language asked in", *LANGUAGES),
    text("question", "the question as asked"),
    text("expected", "the right answer"),
)
READING = (
    text("reading", "which parameters the formula has"),
    flag("registered", "whether they are those of the config", shown=""),
    text("redundancy", "R set to 0, or estimated", *REDUNDANCIES, shown="value:redundancy"),
)

OWN = Contract(
    "own sessions",
    "Sessions gathered by hand (`aas: sessions_csv`).",
    text("model", "the model; the file's name where the column is absent", optional=True),
    SESSION,
    PHASE,
    RUN,
    *ASKED,
    text("answer", "what was answered; empty where nothing was said"),
    key=("model", "phase", "run", "session", "task"),
    by_hand=True,
)
SESSIONS = Contract(
    "aas/sessions",
    "Every answer of every session, scored.",
    MODEL,
    PHASE,
    RUN,
    SESSION,
    *ASKED,
    text("answer", "what came back; missing where no reply could be had", missing=True),
    text("state", "what became of the reply", *STATES),
    number("x", "recall: 1 right, 0 not, between where graded", **RECALL, missing=True),
    text("mark", "how the answer was read", *MARKS, "missing"),
    text("given", "the answer that was read", missing=True),
    text("answer_language", "the language that the answer tells", missing=True),
    flag("language_kept", "whether it is the one asked in", missing=True),
    number("phi", "the penalty of x", **BITS, missing=True),
    number("R", "redundancy of the answers to this task so far", **RECALL, missing=True),
    key=("model", "phase", "run", "session", "task"),
)
BY_SESSION = Contract(
    "aas/by_session",
    "The age score of every session, under each reading of the formula.",
    MODEL,
    PHASE,
    RUN,
    SESSION,
    text("language", "the language asked in", *LANGUAGES),
    *(
        number(
            f"x_{task}",
            f"recall of the {task} question",
            **RECALL,
            missing=True,
            shown=Shown(f"x_{task}", "number", digits=1),
        )
        for task in TASKS
    ),
    number(
        "x_own",
        "recall of a question of the study's own",
        **RECALL,
        missing=True,
        pattern=OWN_TASK.format("x"),
        shown=Shown("x_own", "number", digits=2, pattern=OWN_TASK.format("x")),
    ),
    *(
        number(f"R_{task}", f"redundancy of the {task} answers", **RECALL, missing=True, shown="")
        for task in TASKS
    ),
    number(
        "R_own",
        "redundancy of its answers",
        **RECALL,
        missing=True,
        pattern=OWN_TASK.format("R"),
        shown="",
    ),
    *READING,
    number("aas", "the age score", **BITS, missing=True),
    number("bound", "the score of a session that recalls nothing", **BITS, shown=""),
    key=("model", "phase", "run", "session", "reading", "redundancy"),
)
MEAN = number("mean_aas", "mean over sessions", **BITS, missing=True)
SUMMARY = Contract(
    "aas/summary",
    "The age score of every phase, under each reading of the formula.",
    MODEL,
    PHASE,
    *READING,
    whole("n_sessions", "sessions scored", unit="sessions"),
    whole("n_missing", "sessions with an answer missing", unit="sessions", shown=""),
    whole("n_runs", "runs with a scored session", unit="runs", optional=True),
    MEAN,
    *(
        replace(end, optional=True)
        for end in interval(
            "mean_interval",
            "95 % interval over runs",
            MEAN,
            ("mean_low", "mean_high"),
            missing=True,
        )
    ),
    number("sd_aas", "standard deviation over sessions", **BITS, missing=True),
    number("min_aas", "least of any session", **BITS, missing=True, shown=""),
    number("max_aas", "greatest of any session", **BITS, missing=True),
    number("bound", "the score of a session that recalls nothing", **BITS),
    whole("n_alarms", "sessions at the alarm's score or above", unit="sessions", optional=True),
    whole("first_alarm", "the first of them", low=1, missing=True, optional=True),
    *(share(f"{task}_recall", f"{task} answers recalled", missing=True) for task in TASKS),
    number(
        "recall_own",
        "answers to a question of the study's own recalled",
        **RECALL,
        missing=True,
        pattern=OWN_TASK.format("recall"),
        shown=Shown("recall_own", "share", pattern=OWN_TASK.format("recall")),
    ),
    whole("abstained", "answers that abstain", unit="answers", shown=""),
    share("language_adherence", "answers in the language asked in", missing=True),
    whole("n_language", "answers that tell a language", unit="answers", shown=""),
    key=("model", "phase", "reading", "redundancy"),
)

TABLES = (SESSIONS, BY_SESSION, SUMMARY)
