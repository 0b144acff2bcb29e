"""Every reader's answers: the ideal reader's from the recalls, the models' from their replies."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from veridical.base.script import run
from veridical.base.tables import write_table
from veridical.choices.answers import score_replies
from veridical.ledger.replies import read_replies
from veridical.memories.keeping import outcomes
from veridical.memories.plan import read_plan
from veridical.memories.readers import IDEAL, ITSELF, answer_row, balanced, ideal_rows, own_rows
from veridical.memories.tables import ANSWERS
from veridical.models.prompts import read_prompts


def main(
    plans: Sequence[Path],
    recalls: Sequence[Path],
    prompts: Sequence[Path],
    replies: Sequence[Path],
    answers: Path,
    *,
    probes: int | None,
) -> None:
    """`recalls` lie in a folder a corpus, a file a system; `replies` in a folder a corpus and
    system (`A-full-text`), a file a model, each with the prompts of the same name. `probes` says
    how many of a bank each model was asked; what it was not, for want of admission, is `failed`.
    """
    planned = {path.stem: read_plan(path) for path in plans}
    tables = []
    for path in recalls:
        where = {"system": path.stem, "corpus": path.parent.name}
        plan, observed = planned[path.parent.name], outcomes(path)
        for reader, rows in ((IDEAL, ideal_rows), (ITSELF, own_rows)):
            found = [where | {"reader": reader} | row for row in rows(plan, observed)]
            tables += [pd.DataFrame(found)] if found else []
    asked = {path.stem: read_prompts(path) for path in prompts}
    for path in replies:
        corpus, system = path.parent.name.split("-", 1)
        where = {"system": system, "corpus": corpus, "reader": path.stem}
        scored = score_replies(asked[path.parent.name], read_replies(path), path.stem)
        said = {(row["document"], row["probe_id"]): row for row in scored.to_dict("records")}
        plan, nothing = planned[corpus], {"state": "failed", "answer": None}
        rows = []
        for bank in plan.banks:
            for query in balanced(plan.probes, probes):
                each = said.get((bank.document, query.id), nothing)
                rows.append(where | answer_row(bank, query, each["state"], each["answer"]))
        tables.append(pd.DataFrame(rows))
    write_table(pd.concat(tables, ignore_index=True)[ANSWERS.names], answers, ANSWERS)


if __name__ == "__main__":
    run(main, snakemake)
