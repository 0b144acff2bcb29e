"""Draw the problems and write the prompts of one preset and horizon."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.models.prompts import write_prompts
from veridical.vpe.problems import draw_problems, file_sha256, read_problems
from veridical.vpe.rollouts import rollout_prompts, samplings


def main(
    problems: Path,
    out: Path,
    *,
    n_problems: int,
    rollouts: int,
    horizon: int,
    preset: str,
    sampling: Mapping[str, Any],
    also: Sequence[str],
    seed: int,
    nested: bool = False,
) -> None:
    """The problems are the same for every preset and horizon: seed and file alone draw them.

    With `nested`, the tokens' own log-probabilities are asked for, since with them come the tokens
    at which a rollout is cut.
    """
    drawn = draw_problems(read_problems(problems), n_problems, seed)
    facts = {"problems": str(problems), "sha256": file_sha256(problems)}
    sent = samplings(sampling, also)[preset]
    if nested:
        sent["logprobs"] = True
    write_prompts(
        out,
        rollout_prompts(drawn, horizon, rollouts, sent, preset=preset, seed=seed, facts=facts),
    )


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        Path(snakemake.input.problems),  # noqa: F821
        Path(snakemake.output.prompts),  # noqa: F821
        **snakemake.params.numbers,  # noqa: F821
        horizon=int(snakemake.wildcards.horizon),  # noqa: F821
        preset=snakemake.wildcards.preset,  # noqa: F821
        sampling=snakemake.params.sampling,  # noqa: F821
        also=snakemake.params.also,  # noqa: F821
        nested=snakemake.params.nested,  # noqa: F821
    )
