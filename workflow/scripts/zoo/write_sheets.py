"""Write what the zoo's judge is shown: every distinct answer of the judged studies, once."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from veridical.base.script import run
from veridical.corpora.corpus import read_corpus
from veridical.models.prompts import write_prompts
from veridical.zoo.judging import distinct, judge_prompts, run_judged
from veridical.zoo.measuring import Design
from veridical.zoo.studies import Size


def main(
    settings: Sequence[Path],
    prompts: Path,
    *,
    entries: int,
    probes: int,
    k: int,
    seed: int,
    around: Sequence[str],
    judge: Mapping[str, Any],
) -> None:
    """`judge` holds `studies`, `encounters` and `parameters`; lives are of the first corpus."""
    corpus = read_corpus(settings[0])
    design = Design(Size(entries, probes, k), 0, around=tuple(around), seed=seed)
    found = run_judged(corpus, design, judge)
    rng = np.random.default_rng([seed, *b"sheets"])
    sheets = list(judge_prompts(distinct(found), corpus.language, rng, judge["parameters"]))
    write_prompts(prompts, sheets)
    print(f"{len(sheets)} distinct answers of {len(found)} studies")


if __name__ == "__main__":
    run(main, snakemake)
