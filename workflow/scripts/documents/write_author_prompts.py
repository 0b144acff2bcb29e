"""Write what the author is asked for every foreign counterfeit, and for every further attempt."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.base.script import run
from veridical.corpora.corpus import read_corpus
from veridical.documents.attempts import attempts_of
from veridical.documents.foreign import (
    author_prompts,
    choose_life,
    plan_life,
    read_lives,
)
from veridical.models.prompts import write_prompts


def main(
    settings: Path,
    prompts: Path,
    *,
    seeds: Sequence[int],
    form: str,
    parameters: Mapping[str, Any],
    further: Mapping[str, Sequence[str]],
    own: Mapping[str, str] | None = None,
) -> None:
    """One frozen prompt (or one an entry) for each seed and each attempt that a reason asks for."""
    corpus = read_corpus(settings, own)
    lives = read_lives(corpus.language)
    asked = []
    for seed in seeds:
        life = choose_life(lives, corpus, seed)
        plan = plan_life(corpus, life, seed)
        for number, name in enumerate(attempts_of(seed, further), start=1):
            asked += author_prompts(
                name,
                corpus,
                life,
                plan,
                form=form,
                parameters=parameters,
                seed=100_000 * seed + 1_000 * number,
            )
    write_prompts(prompts, asked)


if __name__ == "__main__":
    run(main, snakemake)
