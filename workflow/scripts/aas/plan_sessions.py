"""Write the prompts of the age score's two phases."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.aas.protocol import phase_prompts, plan_sessions
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
) -> None:
    """Plan the sessions and write a prompts file a phase."""
    plan = plan_sessions(sessions, str(start), languages)
    write_prompts(stateless, phase_prompts("stateless", plan, parameters, date_in))
    write_prompts(persistent, phase_prompts("persistent", plan, parameters, date_in))


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        Path(snakemake.output.stateless),  # noqa: F821
        Path(snakemake.output.persistent),  # noqa: F821
        sessions=snakemake.params.sessions,  # noqa: F821
        start=snakemake.params.start,  # noqa: F821
        languages=snakemake.params.languages,  # noqa: F821
        date_in=snakemake.params.date_in,  # noqa: F821
        parameters=snakemake.params.parameters,  # noqa: F821
    )
