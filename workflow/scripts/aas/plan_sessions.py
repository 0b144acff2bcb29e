"""Write the prompts of the age score's two phases."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.aas.protocol import phase_prompts, plan_sessions
from veridical.base.script import run
from veridical.models.prompts import write_prompts


def main(
    stateless: Path,
    persistent: Path,
    *,
    sessions: int,
    start: str,
    languages: Sequence[str],
    date_in: str,
    parameters: Mapping[str, Any],
    dates: Sequence[str] = (),
) -> None:
    """Plan the sessions and write a prompts file a phase."""
    plan = plan_sessions(sessions, str(start), languages, dates)
    write_prompts(stateless, phase_prompts("stateless", plan, parameters, date_in))
    write_prompts(persistent, phase_prompts("persistent", plan, parameters, date_in))


if __name__ == "__main__":
    run(main, snakemake)
