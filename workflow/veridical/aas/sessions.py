"""From answers to age scores: collect the sessions, score each, sum up each phase."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from veridical.aas.grading import expected_value, score_answer
from veridical.aas.protocol import PHASES
from veridical.aas.redundancy import redundancy_so_far
from veridical.aas.score import PUBLISHED_READINGS, TASKS, AgeReading, phi
from veridical.aas.tables import OWN, REDUNDANCIES
from veridical.base.tables import read_cells, read_table
from veridical.models.prompts import Prompt

KEYS = ["model", "phase", "session", "task"]


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
                | {key: fact[key] for key in ("session", "task", "language", "question")}
                | {"expected": fact["expected"], "answer": answer, "state": reply.state}
            )
    return pd.DataFrame(rows)


def read_sessions(path: Path | str) -> pd.DataFrame:
    """Sessions gathered by hand: a CSV as `tables.OWN` has it.

    Without a column `model` the file's name stands for it. An empty answer is one that said
    nothing. Raises ValueError naming file, row and column of whatever can't be read, and a column
    that it doesn't know: nothing that somebody noted is dropped in silence.
    """
    check_columns(path)
    table = read_table(path, OWN)
    if "model" not in table:
        table["model"] = Path(path).stem
    problems = []
    for row, entry in enumerate(table.itertuples(), start=2):
        try:
            expected_value(entry.task, entry.expected)
        except ValueError as error:
            problems.append(f"row {row}, column expected: {error}")
    if problems:
        raise ValueError(f"{path}: " + "; ".join(problems[:5]))
    table["state"] = np.where(table["answer"].str.strip() == "", "empty", "ok")
    try:
        check_sessions(table)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    names = ["model", "phase", "session", "task", "language", "question", "expected", "answer"]
    return table[[*names, "state"]]


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


def check_sessions(answers: pd.DataFrame) -> None:
    """Refuse a series with a session missing or twice, naming model, phase, session and task."""
    twice = answers[answers.duplicated(KEYS)]
    if len(twice):
        row = twice.iloc[0]
        raise ValueError(
            f"{row.model}, {row.phase}: session {row.session}, {row.task}, occurs twice"
        )
    for (model, phase), group in answers.groupby(["model", "phase"], sort=False):
        present = set(zip(group.session, group.task, strict=True))
        for session in range(1, int(group.session.max()) + 1):
            missing = [task for task in TASKS if (session, task) not in present]
            if missing:
                raise ValueError(
                    f"{model}, {phase}: session {session} has no {' and no '.join(missing)} answer"
                )


def score_sessions(answers: pd.DataFrame, epsilon: float) -> pd.DataFrame:
    """Score every answer; adds the columns x, mark, given, answer_language, language_kept, phi, R.

    x in {0, 1}; phi in bits at `epsilon`; R in [0, 1], estimated over the answers given to the
    task in the sessions up to this one. `language_kept` is NA where the answer tells no language
    (digits). All are NA where no reply could be had (`mark` missing): that answer counts neither
    as recalled nor as forgotten. Raises ValueError where a session lacks or comes twice.
    """
    check_sessions(answers)
    order = {task: n for n, task in enumerate(TASKS)}
    table = answers.sort_values(
        KEYS, key=lambda column: column.map(order) if column.name == "task" else column
    )
    # models and phases keep their order of appearance
    rank = {name: n for n, name in enumerate(answers.model.unique())}
    table = table.sort_values("phase", key=lambda c: c.map(PHASES.index), kind="stable")
    table = table.sort_values("model", key=lambda c: c.map(rank), kind="stable")
    table = table.reset_index(drop=True)
    scored = [
        None
        if pd.isna(row.answer)
        else score_answer(
            row.task, row.language, row.expected, row.answer, complete=row.state != "truncated"
        )
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
    for _, rows in table[answered].groupby(["model", "phase", "task"], sort=False):
        table.loc[rows.index, "R"] = redundancy_so_far(rows.given.tolist())
    return table


def readings_in_use(registered: AgeReading) -> list[AgeReading]:
    """The registered reading first, then the published ones that are not the same."""
    others = [
        reading
        for reading in PUBLISHED_READINGS
        if (reading.epsilon, dict(reading.weights), reading.normalise)
        != (registered.epsilon, dict(registered.weights), registered.normalise)
    ]
    return [registered, *others]


def score_by_session(scored: pd.DataFrame, readings: Sequence[AgeReading]) -> pd.DataFrame:
    """AAS of every session, under each reading, with R = 0 and R as estimated.

    Columns: model, phase, session, language, x_semantic, x_episodic, R_semantic, R_episodic,
    reading, registered, redundancy (zero, estimated), aas (bits), bound (bits). The first reading
    is the registered one. aas is NA where an answer is missing.
    """
    keys = ["model", "phase", "session"]
    wide = scored.pivot(index=keys, columns="task", values=["x", "R"])
    wide = wide.reindex(pd.MultiIndex.from_frame(scored[keys].drop_duplicates()))
    x = wide["x"][list(TASKS)].to_numpy(dtype=float)
    R = wide["R"][list(TASKS)].to_numpy(dtype=float)
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
            for t, task in enumerate(TASKS):
                frame[f"x_{task}"] = x[:, t]
            for t, task in enumerate(TASKS):
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


def summarise_phases(
    by_session: pd.DataFrame, scored: pd.DataFrame, alarm: float | None = None
) -> pd.DataFrame:
    """Each model's phases in one row a reading and redundancy.

    Columns: model, phase, reading, registered, redundancy, n_sessions (scored), n_missing,
    mean_aas, sd_aas (NA below two sessions), min_aas, max_aas, bound; with an `alarm`, in bits,
    n_alarms (sessions that score as much or more) and first_alarm (the first of them, NA where
    there is none); semantic_recall and
    episodic_recall (shares of all scored answers), abstained (answers), language_adherence
    (share of the answers that tell a language), n_language (how many do).
    """
    answers = {}
    for key, group in scored.groupby(["model", "phase"], sort=False):
        recall = group.groupby("task").x.mean()
        told = group.language_kept.dropna()
        answers[key] = {
            **{f"{task}_recall": recall[task] for task in TASKS},
            "abstained": int((group.mark == "abstained").sum()),
            "language_adherence": float(told.mean()) if len(told) else np.nan,
            "n_language": len(told),
        }
    rows = []
    keys = ["model", "phase", "reading", "registered", "redundancy"]
    for key, group in by_session.groupby(keys, sort=False):
        aas = group.aas.dropna()
        rows.append(
            dict(zip(keys, key, strict=True))
            | {
                "n_sessions": len(aas),
                "n_missing": len(group) - len(aas),
                "mean_aas": aas.mean(),
                "sd_aas": aas.std(ddof=1),
                "min_aas": aas.min(),
                "max_aas": aas.max(),
                "bound": group.bound.iloc[0],
            }
            | _alarms(group, alarm)
            | answers[key[:2]]
        )
    return pd.DataFrame(rows)


def _alarms(group: pd.DataFrame, alarm: float | None) -> dict[str, int | None]:
    """How many sessions of a phase score at the threshold or above, and which is the first."""
    if alarm is None:
        return {}
    raised = group[group["aas"] >= alarm]
    first = int(raised["session"].min()) if len(raised) else None
    return {"n_alarms": len(raised), "first_alarm": first}
