"""Draw the problems and write the prompts of one preset and horizon."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.base.script import run
from veridical.models.prompts import write_prompts
from veridical.vpe.problems import draw_problems, file_sha256, read_problems
from veridical.vpe.rollouts import DOCUMENT, rollout_prompts, samplings


def main(
    problems: Path,
    prompts: Path,
    *,
    n_problems: int,
    rollouts: int,
    horizon: int,
    preset: str,
    sampling: Mapping[str, Any],
    also: Sequence[str],
    seed: int,
    nested: bool = False,
    document: Sequence[Path] = (),
) -> None:
    """The problems are the same for every preset and horizon: seed and file alone draw them.

    With `nested`, the tokens' own log-probabilities are asked for, since with them come the tokens
    at which a rollout is cut. The preset `document` is the first one with a document.
    """
    drawn = draw_problems(read_problems(problems), n_problems, seed)
    facts = {"problems": str(problems), "sha256": file_sha256(problems)}
    presets = samplings(sampling, also)
    sent = presets[next(iter(presets)) if preset == DOCUMENT else preset]
    added = Path(document[0]).read_text(encoding="utf-8").strip() if document else ""
    if preset == DOCUMENT and not added:
        raise ValueError(f"vpe.document: {document[0] if document else 'no file'} holds no text")
    if nested:
        sent["logprobs"] = True
    write_prompts(
        prompts,
        rollout_prompts(
            drawn, horizon, rollouts, sent, preset=preset, seed=seed, facts=facts, document=added
        ),
    )


if __name__ == "__main__":
    run(main, snakemake)
