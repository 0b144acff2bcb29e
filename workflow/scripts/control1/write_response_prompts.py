"""Write what the responder is asked: the test day's inputs under every memory document."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.control1.responses import LOG, needs_anchors, response_prompts
from veridical.corpora.corpus import read_corpus
from veridical.models.prompts import write_prompts


def main(
    folder: Path,
    documents: Sequence[Path],
    out: Path,
    *,
    seed: int,
    parameters: Mapping[str, Any],
) -> None:
    """Ask under the whole log, too, where the corpus brings no anchors of its own."""
    corpus = read_corpus(folder)
    texts = {path.stem: path.read_text(encoding="utf-8") for path in documents}
    if not needs_anchors(corpus):
        del texts[LOG]
    write_prompts(out, response_prompts(corpus, texts, seed, parameters))


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        Path(snakemake.input.settings).parent,  # noqa: F821
        [Path(path) for path in snakemake.input.documents],  # noqa: F821
        Path(snakemake.output.prompts),  # noqa: F821
        seed=snakemake.params.seed,  # noqa: F821
        parameters=snakemake.params.parameters,  # noqa: F821
    )
