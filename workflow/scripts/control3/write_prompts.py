"""Write what every model is asked about one document of Control 3."""

from pathlib import Path

from veridical.base.tables import read_table
from veridical.choices.probing import partner_prompts
from veridical.control3.symmetric import PROBE_COLUMNS
from veridical.corpora.corpus import read_corpus
from veridical.models.prompts import write_prompts


def main(folder: Path, probes: Path, document: Path | None, out: Path, *, name: str) -> None:
    """Put each probe behind the document `name`, or behind none."""
    table = read_table(probes, text=PROBE_COLUMNS)
    text = document.read_text(encoding="utf-8") if document else None
    write_prompts(out, partner_prompts(read_corpus(folder), text, name, table))


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    documents = [Path(path) for path in snakemake.input.document]  # noqa: F821
    main(
        Path(snakemake.input.settings).parent,  # noqa: F821
        Path(snakemake.input.probes),  # noqa: F821
        documents[0] if documents else None,
        Path(snakemake.output.prompts),  # noqa: F821
        name=snakemake.wildcards.document,  # noqa: F821
    )
