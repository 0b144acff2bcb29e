"""Ask one model what a prompts file asks, through the ledger; write the replies when complete."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.base.decisions import Decisions
from veridical.base.files import file_sha256
from veridical.base.script import run
from veridical.ledger import collecting
from veridical.ledger.budget import Budget
from veridical.ledger.exports import exports_of
from veridical.models.exchange import Model


def main(
    prompts: Path,
    replies: Path,
    *,
    model: str,
    entry: Mapping[str, Any],
    ledger: Path,
    collection: str,
    collect: bool = True,
    reask: int = 0,
    reask_parameters: Mapping[str, Any] | None = None,
    budget: Mapping[str, float] | None = None,
    folder: str | None = None,
    threads: int = 1,
    secret: Sequence[str] = (),
    record: Path | None = None,
    decisions: Mapping[str, Any] | None = None,
) -> None:
    """Collect the replies of the model `model`, whose config entry is `entry`.

    `secret` names the environment variables that hold keys of the study's models; `record` is
    where the record of the stage before lies once that is sealed.
    """
    limits = Budget.from_config(ledger.parents[1], budget) if collect else None
    tally = collecting.collect(
        prompts,
        Model.from_config(model, entry),
        ledger,
        out=replies,
        collection=collection,
        asking=collect,
        reask=reask,
        reask_parameters=reask_parameters,
        budget=limits,
        exports=exports_of(replies),
        context={
            "models_folder": folder,
            "threads": threads,
            "batches": ledger.parent / "batches",
        },
        secret=secret,
        record=file_sha256(record) if record and record.is_file() else "",
        decisions=Decisions.from_config(decisions),
    )
    print(
        f"{model}, {collection}/{prompts.stem}: {tally.conversations} conversations, "
        f"{tally.held} of them from the ledger; {tally.asked} calls made"
    )


if __name__ == "__main__":
    run(main, snakemake)
