"""From answers to age scores: collect the sessions, score each, sum up each phase."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from veridical.aas.grading import expected_value
from veridical.aas.protocol import PHASES
from veridical.aas.redundancy import redundancy_so_far
from veridical.aas.rules import grade
from veridical.aas.score import PUBLISHED_READINGS, TASKS, AgeReading, phi
from veridical.aas.tables import OWN, REDUNDANCIES
from veridical.aas.tasks import Task
from veridical.base.tables import read_cells, read_table
from veridical.models.prompts import Prompt

EMPTY: Mapping[str, Task] = {}


def series_of(table: pd.DataFrame) -> list[str]:
    """The columns that tell one series of sessions: model, phase and run, where it is told."""
    return ["model", "phase", *(["run"] if "run" in table else [])]


def answers_from_replies(
    model: str, prompts: Iterable[Prompt], replies: pd.DataFrame
) -> pd.DataFrame:
    """The sessions that a model lived, a row a question: the columns of `tables.OWN` and state.

    `replies` has id, turn, state, text (see `ledger.replies`). The text is scored even where the
    token budget ended it, but for what stands at its very end; a reply that could not be had stays
    missing (NA), never wrong.
    Raises ValueError naming prompt and turn where a reply lacks.
    """
    given = {(row.id, row.turn): row for row in replies.itertuples()}
    rows = []
    for prompt in prompts:
        for turn, fact in enumerate(turn.facts for turn in prompt.turns):
            reply = given.get((prompt.id, turn))
            if reply is None:
                raise ValueError(f"{model}: no reply to prompt {prompt.id!r}, turn {turn}")
            answer = None if reply.state == "failed" else str(reply.text or "")
            rows.append(
                {"model": model, "phase": prompt.facts["phase"]}
                | {key: prompt.facts[key] for key in ("run",) if key in prompt.facts}
                | {key: fact[key] for key in ("session", "task")}
                | {key: fact[key] for key in ("kind",) if key in fact}
                | {key: fact[key] for key in ("language", "question")}
                | {"expected": fact["expected"], "answer": answer, "state": reply.state}
            )
    return pd.DataFrame(rows)


def read_sessions(path: Path | str, own: Mapping[str, Task] = EMPTY) -> pd.DataFrame:
    """Sessions gathered by hand: a CSV as `tables.OWN` has it.

    Without a column `model` the file's name stands for it. An empty answer is one that said
    nothing. `own` are the study's own tasks by id. Raises ValueError naming file, row and column of
    whatever can't be read, and a column that it doesn't know: nothing that somebody noted is
    dropped in silence.
    """
    check_columns(path)
    table = read_table(path, OWN)
    if "model" not in table:
        table["model"] = Path(path).stem
    problems = []
    for row, entry in enumerate(table.itertuples(), start=2):
        if entry.task not in (*TASKS, *own):
            known = ", ".join((*TASKS, *own))
            problems.append(f"row {row}, column task: {entry.task!r} is none of {known}")
            continue
        try:
            if entry.task not in own:
                expected_value(entry.task, entry.expected)
            elif own[entry.task].grading == "numeric":
                float(entry.expected)
        except ValueError as error:
            problems.append(f"row {row}, column expected: {error}")
    if problems:
        raise ValueError(f"{path}: " + "; ".join(problems[:5]))
    table["state"] = np.where(table["answer"].str.strip() == "", "empty", "ok")
    try:
        check_sessions(table, (*TASKS, *own))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    if own:
        table["kind"] = [own[task].kind if task in own else task for task in table["task"]]
    names = [
        "session",
        "task",
        *(["kind"] if own else []),
        "language",
        "question",
        "expected",
        "answer",
    ]
    return table[[*series_of(table), *names, "state"]]


def gather(answers: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """All sessions in one table; where some tell their run, the others are a first one."""
    table = pd.concat(answers, ignore_index=True)
    if "run" in table:
        table["run"] = table["run"].fillna(1).astype(int)
    return table


def check_columns(path: Path | str) -> None:
    """Refuse a column that own sessions don't have, naming it and the one that may be meant."""
    columns = list(read_cells(path).columns)
    OWN.order(columns, str(path))  # what is missing comes first
    for name in columns:
        if name not in OWN.names:
            near = difflib.get_close_matches(name.strip().lower(), OWN.names, n=1, cutoff=0.6)
            hint = f"is {near[0]!r} meant?" if near else "take it out."
            raise ValueError(
                f"{path}: column {name!r} is unknown; {hint} The columns are {', '.join(OWN.names)}"
            )


def check_sessions(answers: pd.DataFrame, tasks: Sequence[str] = TASKS) -> None:
    """Refuse a series with a session missing or twice, naming model, phase, session and task."""
    series = series_of(answers)
    twice = answers[answers.duplicated([*series, "session", "task"])]
    if len(twice):
        row = twice.iloc[0]
        where = _named(series, row[series])
        raise ValueError(f"{where}: session {row.session}, {row.task}, occurs twice")
    for key, group in answers.groupby(series, sort=False):
        present = set(zip(group.session, group.task, strict=True))
        for session in range(1, int(group.session.max()) + 1):
            missing = [task for task in tasks if (session, task) not in present]
            if missing:
                lacks = f"session {session} has no {' and no '.join(missing)} answer"
                raise ValueError(f"{_named(series, key)}: {lacks}")


def _named(series: Sequence[str], key: Iterable[Any]) -> str:
    """A series in words: "gpt, stateless, run 2"."""
    return ", ".join(
        f"run {value}" if name == "run" else str(value)
        for name, value in zip(series, key, strict=True)
    )


def score_sessions(
    answers: pd.DataFrame, epsilon: float, own: Mapping[str, Task] = EMPTY
) -> pd.DataFrame:
    """Score every answer; adds the columns x, mark, given, answer_language, language_kept, phi, R.

    x in {0, 1}, and in [0, 1] where one of the study's `own` tasks, by id, is graded so; phi in
    bits at `epsilon`; R in [0, 1], estimated over the answers given to the
    task in the sessions up to this one. `language_kept` is NA where the answer tells no language
    (digits). All are NA where no reply could be had (`mark` missing): that answer counts neither
    as recalled nor as forgotten. Raises ValueError where a session lacks or comes twice.
    """
    tasks = (*TASKS, *own)
    check_sessions(answers, tasks)
    order = {task: n for n, task in enumerate(tasks)}
    table = answers.sort_values(
        [*series_of(answers), "session", "task"],
        key=lambda column: column.map(order) if column.name == "task" else column,
    )
    # models and phases keep their order of appearance
    rank = {name: n for n, name in enumerate(answers.model.unique())}
    table = table.sort_values("phase", key=lambda c: c.map(PHASES.index), kind="stable")
    table = table.sort_values("model", key=lambda c: c.map(rank), kind="stable")
    table = table.reset_index(drop=True)
    scored = [
        None
        if pd.isna(row.answer)
        else grade(own, row.task, row.language, row.expected, row.answer, row.state != "truncated")
        for row in table.itertuples()
    ]
    table["x"] = [np.nan if s is None else s.x for s in scored]
    table["mark"] = ["missing" if s is None else s.mark for s in scored]
    table["given"] = [None if s is None else s.given for s in scored]
    table["answer_language"] = [None if s is None else s.language for s in scored]
    table["language_kept"] = pd.array(
        [
            pd.NA if s is None or s.language is None else s.language == asked
            for s, asked in zip(scored, table.language, strict=True)
        ],
        dtype="boolean",
    )
    answered = table.x.notna()
    table["phi"] = np.nan
    table.loc[answered, "phi"] = phi(table.x[answered].to_numpy(), epsilon)
    table["R"] = np.nan
    for _, rows in table[answered].groupby([*series_of(table), "task"], sort=False):
        table.loc[rows.index, "R"] = redundancy_so_far(rows.given.tolist())
    return table


def readings_in_use(registered: AgeReading) -> list[AgeReading]:
    """The registered reading first, then the published ones that are not the same.

    Those know of the two published tasks alone, so a study with tasks of its own has none of them.
    """
    if registered.tasks != TASKS:
        return [registered]
    others = [
        reading
        for reading in PUBLISHED_READINGS
        if (reading.epsilon, dict(reading.weights), reading.normalise)
        != (registered.epsilon, dict(registered.weights), registered.normalise)
    ]
    return [registered, *others]


def score_by_session(scored: pd.DataFrame, readings: Sequence[AgeReading]) -> pd.DataFrame:
    """AAS of every session, under each reading, with R = 0 and R as estimated.

    Columns: model, phase, run where there are several, session, language, x_semantic, x_episodic
    and so for own tasks, R_semantic, R_episodic and so on, reading, registered, redundancy (zero,
    estimated), aas (bits), bound (bits). The first reading is the registered one. aas is NA where
    an answer is missing.
    """
    keys = [*series_of(scored), "session"]
    wide = scored.pivot(index=keys, columns="task", values=["x", "R"])
    wide = wide.reindex(pd.MultiIndex.from_frame(scored[keys].drop_duplicates()))
    tasks = readings[0].tasks
    x = wide["x"][list(tasks)].to_numpy(dtype=float)
    R = wide["R"][list(tasks)].to_numpy(dtype=float)
    complete = np.isfinite(x).all(axis=1)
    language = scored.drop_duplicates(keys).language.to_numpy()
    frames = []
    for n, reading in enumerate(readings):
        for redundancy in REDUNDANCIES:
            aas = np.full(len(x), np.nan)
            masked = np.zeros_like(R) if redundancy == "zero" else R
            if complete.any():
                aas[complete] = reading.score(x[complete], masked[complete])
            frame = wide.index.to_frame(index=False).assign(language=language)
            for t, task in enumerate(tasks):
                frame[f"x_{task}"] = x[:, t]
            for t, task in enumerate(tasks):
                frame[f"R_{task}"] = R[:, t]
            frames.append(
                frame.assign(
                    reading=reading.label,
                    registered=n == 0,
                    redundancy=redundancy,
                    aas=aas,
                    bound=reading.bound,
                )
            )
    return pd.concat(frames, ignore_index=True)
