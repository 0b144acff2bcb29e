"""Write the prompts of the age score's phases."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.aas.protocol import phase_prompts, plan_sessions
from veridical.base.script import run
from veridical.models.prompts import write_prompts


def main(
    prompts: Sequence[Path],
    *,
    phases: Sequence[str],
    sessions: int | None,
    start: str,
    languages: Sequence[str],
    date_in: str,
    parameters: Mapping[str, Any],
    dates: Sequence[str] = (),
    tasks: Sequence[Mapping[str, Any]] = (),
    runs: int = 1,
) -> None:
    """Plan the sessions and write a prompts file a phase, in the order of `phases`."""
    plan = plan_sessions(sessions, str(start), languages, dates, tasks)
    for path, phase in zip(prompts, phases, strict=True):
        write_prompts(path, phase_prompts(phase, plan, parameters, date_in, runs))


if __name__ == "__main__":
    run(main, snakemake)
