"""Score every session's answers: the models' and, where there are any, the user's own."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.aas.score import AgeReading
from veridical.aas.sessions import (
    answers_from_replies,
    gather,
    read_sessions,
    readings_in_use,
    score_by_session,
    score_sessions,
)
from veridical.aas.summary import summarise_phases
from veridical.aas.tables import BY_SESSION, SESSIONS, SUMMARY
from veridical.aas.tasks import Task
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.ledger.replies import answered


def main(
    prompts: Sequence[Path],
    replies: Sequence[Path],
    own: Sequence[Path],
    sessions: Path,
    by_session: Path,
    summary: Path,
    *,
    reading: Mapping[str, Any],
) -> None:
    """`prompts` are those of the phases, `replies` every model's to them, `own` CSV files."""
    answers = [answers_from_replies(*each) for each in answered(prompts, replies)]
    tasks = {task["id"]: Task(**task) for task in reading.get("tasks", ())}
    answers += [read_sessions(path, tasks) for path in own]
    if not answers:
        raise ValueError("no sessions to score: name models under aas.models, or aas.sessions_csv")
    registered = AgeReading.from_config("registered", reading)
    scored = score_sessions(gather(answers), registered.epsilon, tasks)
    scores = score_by_session(scored, readings_in_use(registered))
    write_table(scored, sessions, SESSIONS)
    write_table(scores, by_session, BY_SESSION)
    write_table(summarise_phases(scores, scored, reading.get("alarm")), summary, SUMMARY)


if __name__ == "__main__":
    run(main, snakemake)
