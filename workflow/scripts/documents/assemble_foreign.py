"""Write one counterfeit of another's life, written or brought; stop where a check fails."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from veridical.base.files import write_text
from veridical.base.script import run
from veridical.corpora.corpus import read_corpus
from veridical.documents.attempts import assemble, attempts_of, replies_of
from veridical.documents.fidelity import fidelity, require_fidelity
from veridical.documents.relatives import placed
from veridical.ledger.replies import read_replies
from veridical.models.prompts import read_prompts


def main(
    settings: Path,
    prompts: Path | None,
    replies: Path | None,
    document: Path,
    *,
    seed: int,
    tolerance: float,
    further: Mapping[str, Sequence[str]],
    kind: str = "foreign",
    brought: Path | None = None,
    life: Sequence[Path] = (),
) -> None:
    """Use the first output, or the last attempt that the config gives a reason for; or a life that
    is `brought`: a file, or a corpus by its corpus.yaml, whose other files are `life`."""
    corpus = read_corpus(settings)
    if brought or prompts is None or replies is None:
        text = placed(Path(brought or ""), corpus)
    else:
        name = attempts_of(seed, further)[-1]
        own, form = replies_of(name, read_prompts(prompts), read_replies(replies))
        text = assemble(own, form, corpus.line)
    require_fidelity(fidelity(f"{kind}-{seed}", text, corpus, tolerance))
    write_text(document, text + "\n")


if __name__ == "__main__":
    run(main, snakemake)
