"""Write one judge's sheets."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.base.script import run
from veridical.base.tables import read_table
from veridical.control1 import blinding
from veridical.control1.asks import texts_shown
from veridical.control1.cells import read_corpora
from veridical.control1.direct.choices import choice_form, facing
from veridical.control1.responses import read_responses
from veridical.control1.tables import POSITIVE
from veridical.control1.verdicts import rubric, verdict_form
from veridical.models.prompts import write_prompts


def main(
    settings: Sequence[Path],
    responses: Path,
    blinding_map: Path,
    positive: Path,
    sheets: Path,
    *,
    model: str,
    metrics: Sequence[str],
    rationale: bool,
    parameters: Mapping[str, Any],
    wording: Mapping[str, Any] | None = None,
    own: Mapping[str, Mapping[str, str]] | None = None,
    sheet: str = "blind",
    pairs: str = "anchored",
) -> None:
    """The rubric is the same for every sheet in a language; the map decides what stands first.

    On an `open` sheet the corpus's memory block stands above the pair. Direct `pairs` are chosen
    between, and not scored.
    """
    direct = pairs == "direct"
    shown = texts_shown(direct=direct, opened=sheet == "open")
    answers = read_responses(responses)
    form = choice_form if direct else verdict_form
    readings = {
        name: blinding.Reading(
            inputs=corpus.test_day.set_index("item_id")["input"].to_dict(),
            rubric=rubric(metrics, corpus.language, wording, corpus.texts, shown["rubric"]),
            language=corpus.language,
            own=corpus.texts,
            memory=corpus.memory_block if sheet == "open" else None,
            direct=direct,
        )
        for name, corpus in read_corpora(settings, own).items()
    }
    written = blinding.sheets(
        blinding.read_map(blinding_map, model),
        facing(answers) if direct else answers,
        readings,
        form(metrics, rationale=rationale),
        parameters=parameters,
        positive=read_table(positive, POSITIVE),
    )
    write_prompts(sheets, written)


if __name__ == "__main__":
    run(main, snakemake)
