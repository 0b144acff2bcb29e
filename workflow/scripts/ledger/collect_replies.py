"""Ask one model what a prompts file asks, through the ledger; write the replies when complete."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veridical.ledger.budget import Budget
from veridical.ledger.collecting import collect
from veridical.ledger.exports import exports_of
from veridical.models.exchange import Model


def main(
    prompts: Path,
    out: Path,
    *,
    model_name: str,
    entry: Mapping[str, Any],
    ledger: Path,
    stage: str,
    asking: bool = True,
    reask: int = 0,
    reask_parameters: Mapping[str, Any] | None = None,
    budget: Mapping[str, float] | None = None,
    exports: Sequence[Path] = (),
    context: Mapping[str, Any] | None = None,
) -> None:
    """Collect the replies of the model `model_name`, whose config entry is `entry`."""
    limits = Budget.from_config(ledger.parents[1], budget) if asking else None
    tally = collect(
        prompts,
        Model.from_config(model_name, entry),
        ledger,
        out=out,
        stage=stage,
        asking=asking,
        reask=reask,
        reask_parameters=reask_parameters,
        budget=limits,
        exports=exports,
        context=context,
    )
    print(
        f"{model_name}, {stage}/{prompts.stem}: {tally.conversations} conversations, "
        f"{tally.held} of them from the ledger; {tally.asked} calls made"
    )


if __name__ == "__main__":
    from veridical.base.script import log_to

    log_to(snakemake)  # noqa: F821
    main(
        Path(snakemake.input.prompts),  # noqa: F821
        Path(snakemake.output[0]),  # noqa: F821
        model_name=snakemake.wildcards.model,  # noqa: F821
        entry=snakemake.params.entry,  # noqa: F821
        ledger=Path(snakemake.params.ledger),  # noqa: F821
        stage=snakemake.params.stage,  # noqa: F821
        asking=snakemake.params.get("collect", True),  # noqa: F821
        reask=snakemake.params.get("reask", 0),  # noqa: F821
        reask_parameters=snakemake.params.get("reask_parameters", None),  # noqa: F821
        budget=snakemake.params.get("budget", None),  # noqa: F821
        exports=exports_of(snakemake.output[0]),  # noqa: F821
        context={
            "models_folder": snakemake.params.get("folder", None),  # noqa: F821
            "threads": snakemake.params.get("threads", 1),  # noqa: F821
            "batches": Path(snakemake.params.ledger).parent / "batches",  # noqa: F821
        },
    )
