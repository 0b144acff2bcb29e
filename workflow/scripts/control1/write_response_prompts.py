"""Write what the responder is asked: the test day's inputs under every memory document."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.base.script import run
from veridical.control1.responses import LOG, needs_anchors, response_prompts
from veridical.corpora.corpus import read_corpus
from veridical.models.prompts import write_prompts


def main(
    settings: Path,
    documents: Sequence[Path],
    prompts: Path,
    *,
    seed: int,
    parameters: Mapping[str, Any],
) -> None:
    """Ask under the whole log, too, where the corpus brings no anchors of its own."""
    corpus = read_corpus(settings)
    texts = {path.stem: path.read_text(encoding="utf-8") for path in documents}
    if not needs_anchors(corpus):
        del texts[LOG]
    write_prompts(prompts, response_prompts(corpus, texts, seed, parameters))


if __name__ == "__main__":
    run(main, snakemake)
