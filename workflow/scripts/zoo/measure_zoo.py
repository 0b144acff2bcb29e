"""Plant every fault in sound memories and count in how many studies each instrument notices it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.corpora.corpus import read_corpus
from veridical.ledger.replies import read_replies
from veridical.zoo.counting import tables
from veridical.zoo.custom import custom_instruments
from veridical.zoo.instruments import instruments as built_in
from veridical.zoo.judging import instrument, rights, run_judged, verdict_table
from veridical.zoo.measuring import Design, concluded, measure
from veridical.zoo.studies import Size
from veridical.zoo.tables import FAULT_TABLE, INSTRUMENTS, POWER, RATES, THRESHOLDS, VERDICTS


def main(
    settings: Sequence[Path],
    rates: Path,
    instruments: Path,
    faults: Path,
    power: Path,
    thresholds: Path,
    *,
    entries: int,
    probes: int,
    k: int,
    cells: int,
    seed: int,
    design: Mapping[str, Any],
    yours: Mapping[str, Mapping[str, Any]],
    judge: Mapping[str, Any],
    replies: Path | None = None,
    verdicts: Path | None = None,
) -> None:
    """`design` holds `studies`, `power_studies`, `strengths` and `around`; `yours` are the config's
    own instruments; `cells` counts the cells of a study's family, before its swapped documents;
    `replies` are a judge's, where the config's `judge` is one."""
    corpora = [read_corpus(path) for path in settings]
    swaps = max(len(corpus.partners) - 1 for corpus in corpora)
    size = Size(entries, probes, k, cells * swaps)
    lists = {key: tuple(design[key]) for key in ("strengths", "around")}
    wanted = Design(size, seed=seed, **{**design, **lists})
    every = [*built_in(judge=replies is not None), *custom_instruments(yours)]
    found = measure(corpora, wanted, every)
    if replies is not None and verdicts is not None:
        judged = run_judged(corpora[0], wanted, judge)
        said = verdict_table(read_replies(replies), judged)
        write_table(said, verdicts, VERDICTS)
        every.append(instrument(rights(said)))
        found += concluded(judged, every[-1:])
    made = tables(found, every)
    for contract, path in (
        (RATES, rates),
        (INSTRUMENTS, instruments),
        (FAULT_TABLE, faults),
        (POWER, power),
        (THRESHOLDS, thresholds),
    ):
        write_table(made[contract.name.rpartition("/")[2]], path, contract)
    print(f"{len(found)} studies of {len(corpora)} corpora, {len(every)} instruments")


if __name__ == "__main__":
    run(main, snakemake)
