"""Write what every model is asked in one condition of Control 2."""

from pathlib import Path

from veridical.base.tables import read_table
from veridical.choices.probing import recognition_prompts
from veridical.control2.recognition import TEXT_COLUMNS, check_probes
from veridical.corpora.corpus import read_corpus
from veridical.models.prompts import write_prompts


def main(
    folder: Path, probes: Path, document: Path | None, out: Path, *, condition: str, samples: int
) -> None:
    """Put each probe behind the document (or none), asked `samples` times."""
    corpus = read_corpus(folder)
    table = read_table(probes, text=TEXT_COLUMNS)
    check_probes(table, corpus.memory_block)
    text = document.read_text(encoding="utf-8") if document else None
    write_prompts(out, recognition_prompts(corpus, text, condition, table, samples))


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    documents = [Path(path) for path in snakemake.input.document]  # noqa: F821
    main(
        Path(snakemake.input.settings).parent,  # noqa: F821
        Path(snakemake.input.probes),  # noqa: F821
        documents[0] if documents else None,
        Path(snakemake.output.prompts),  # noqa: F821
        condition=snakemake.wildcards.condition,  # noqa: F821
        samples=snakemake.params.samples,  # noqa: F821
    )
