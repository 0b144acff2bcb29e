"""Write one foreign counterfeit from the author's replies; stop where a check fails."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from veridical.base.files import write_text
from veridical.corpora.corpus import read_corpus
from veridical.documents.fidelity import fidelity, require_fidelity
from veridical.documents.foreign import assemble, attempts_of, replies_of
from veridical.ledger.replies import read_replies
from veridical.models.prompts import read_prompts


def main(
    folder: Path,
    prompts: Path,
    replies: Path,
    out: Path,
    *,
    seed: int,
    tolerance: float,
    further: Mapping[str, Sequence[str]],
) -> None:
    """Use the first output, or the last attempt that the config gives a reason for."""
    corpus = read_corpus(folder)
    name = attempts_of(seed, further)[-1]
    own, form = replies_of(name, read_prompts(prompts), read_replies(replies))
    text = assemble(own, form, corpus.line)
    require_fidelity(fidelity(f"foreign-{seed}", text, corpus, tolerance))
    write_text(out, text + "\n")


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        Path(snakemake.input.settings).parent,  # noqa: F821
        Path(snakemake.input.prompts),  # noqa: F821
        Path(snakemake.input.replies),  # noqa: F821
        Path(snakemake.output.document),  # noqa: F821
        seed=int(snakemake.wildcards.seed),  # noqa: F821
        tolerance=snakemake.params.tolerance,  # noqa: F821
        further=snakemake.params.further,  # noqa: F821
    )
