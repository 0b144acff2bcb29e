"""Direct pairs on the page: how they were shown, what came back, and what there is to open."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from veridical.base.counterfeits import counterfeits
from veridical.control1.cells import cell_names
from veridical.control1.direct.findings import find
from veridical.control1.direct.tables import (
    ALONE,
    CHOICES,
    CHOOSERS,
    PANEL,
    PREFERENCES,
    PREFERRED,
)
from veridical.control1.drill import answers, asked_inputs, with_replies
from veridical.control1.kinds import by_dose
from veridical.control1.method import (
    beside,
    documents,
    limits,
    store,
    truncated,
    worded_metrics,
)
from veridical.control1.tables import CELL, COMPARED, QUOTED, REPEATED, RESPONSES
from veridical.documents.names import COUNTERFEITS
from veridical.report.drill import Drill, Group, Nested, details, documents_of, heads, states
from veridical.report.finding import Finding
from veridical.report.part import View
from veridical.report.study import Study
from veridical.report.tabulate import Table, tabulate, to
from veridical.report.wording import Wording

CONTRACTS = (CHOICES, PREFERENCES, ALONE, PANEL, CHOOSERS)
TO_CONTRAST = to("control1", *CELL, "metric", "contrast")
VIEWS = (
    View(PREFERENCES, TO_CONTRAST, by_dose),
    View(ALONE, TO_CONTRAST),
    View(PANEL),
    View(CHOOSERS),
)
MAIN = ("counterfeit",)
COUNTS = ("preferred_own", "preferred_other", "preferred_neither")  # choices on an item's pairs


def find_study(study: Study, words: Wording) -> Finding:
    """Which answer did the judges prefer?"""
    margin = study.config["control1"]["preference_margin"]
    tables = [study[contract] for contract in (PREFERENCES, ALONE, PANEL, CHOOSERS)]
    return find(*tables, margin, words)


def method(study: Study, words: Wording) -> Iterator[str]:
    """How it was run, its numbers filled from the data and the config."""
    config, choices = study.config["control1"], study.table(CHOICES)
    for corpus in () if config.get("responses_csv") else config["corpora"]:
        yield from documents(study, corpus, words)
    responses = study.table(RESPONSES)
    given = 0 if responses is None else int(responses["condition"].isin(COUNTERFEITS).sum())
    main = None if choices is None else choices[choices["session"].isin(MAIN)]
    cells, held = _size(study)
    key = "method_answers_cells" if cells > 1 else "method_answers"
    yield words(
        "method_answers_brought" if config.get("responses_csv") else key,
        responder=words.join(config.get("responders", ())),
        corpora=words.join(config["corpora"]),
        cells=words.count(cells, "cell"),
        inputs=words.count(int(study[PREFERENCES]["n_items"].max()), "input"),
        documents=words.span(held, lambda count: words.numeral(count)),
        answers=words.count(given, "answer", word=False),
        limits=words.join(limits(study, words)),
    )
    yield words(
        "method_direct",
        judges=words.count(len(config["judges"]), "judge"),
        names=words.join(config["judges"]),
        verdicts=words.count(_sheets(main), "verdict", word=False),
        incomplete=words.number(_sheets(main, "incomplete"), 0),
    )
    if config.get("sheet") == "open":
        yield words("method_open")
    yield from truncated(responses, words)
    yield from worded_metrics(study, words)
    yield from store(study, words)
    if choices is None:
        return
    yield from beside(choices[~choices["session"].isin(MAIN)], words, direct=True)
    yield words(
        "method_preferences",
        n=int(study[PREFERENCES]["n_items"].max()),
        margin=words.number(config["preference_margin"], 2),
    )


def _size(study: Study) -> tuple[int, list[int]]:
    """How many cells there are, and how many counterfeits each corpus has."""
    corpora = study.config["control1"]["corpora"]
    cells = study[PREFERENCES][list(CELL)].drop_duplicates()
    return len(cells), [len(counterfeits(study.config, corpus)) for corpus in corpora]


def _sheets(choices: pd.DataFrame | None, state: str = "") -> int:
    """How many sheets were judged, or ended in a state."""
    if choices is None:
        return 0
    rows = choices[choices["state"] == state] if state else choices
    return len(rows.drop_duplicates(["sheet_id", "judge"]))


def brief(study: Study, words: Wording) -> Table:
    """What was found on every metric and kind."""
    columns = PREFERENCES.shown(
        *(*CELL, "metric", "contrast", "share", "share_interval"),
        *("toward", "away", "p_adjusted", "finding"),
    )
    return tabulate(by_dose(study[PREFERENCES]), columns, words, "brief_direct", TO_CONTRAST)


def drill(study: Study, words: Wording) -> Drill | None:
    """A cell's contrast → items → the answers and the choices."""
    choices, responses = study.table(CHOICES), study.table(RESPONSES)
    if choices is None or responses is None:  # nothing was there to judge
        return None
    rows = _items(choices)
    items = pd.MultiIndex.from_frame(rows[["corpus", "item_id"]])
    rows["input"] = asked_inputs(study).reindex(items).fillna("").to_numpy()
    preferred = [words.value("preferred", name) for name in choices["preferred"]]
    said = choices.assign(state=states(choices, words), preferred=preferred)
    said = with_replies(said, study)
    return Drill(
        part="control1",
        keys=(*CELL, "metric", "contrast"),
        id="item_id",
        groups=tuple(_groups(study[PREFERENCES], words)),
        rows=rows,
        columns=heads(words, "item_id", *((name, "number") for name in COUNTS)),
        details=details(words, "input"),
        nested=(answers(words), _choices(said, words)),
        tables={"answers": responses, "choices": said},
        documents=documents_of(
            study,
            words,
            list(study.config["control1"]["corpora"]),
            responses["document"].drop_duplicates(),
        ),
    )


def _items(choices: pd.DataFrame) -> pd.DataFrame:
    """How often each answer of an item's pairs was preferred, by cell, metric and contrast."""
    shown = choices[~choices["session"].isin([QUOTED, REPEATED])]
    shown = shown.assign(contrast="veridical-" + shown["condition"])
    keys = [*CELL, "metric", "contrast", "item_id"]
    counts = shown.groupby(keys, sort=False)["preferred"].value_counts().unstack(fill_value=0)
    counts = counts.reindex(columns=list(PREFERRED), fill_value=0)
    return counts.rename(columns=dict(zip(PREFERRED, COUNTS, strict=True))).reset_index()


def _groups(preferences: pd.DataFrame, words: Wording) -> Iterator[Group]:
    """A group a cell and contrast."""
    cells = cell_names(preferences)
    for row in preferences.assign(cell=cells).to_dict("records"):
        heading = words.value("metric", row["metric"])
        yield Group(
            path=(row["responder"], row["corpus"], row["metric"], row["contrast"]),
            label=words.value("contrast", row["contrast"]),
            heading=f"{row['cell']}: {heading}" if row["cell"] else heading,
            facts=(words.percent(row["share"], 0), words.value("finding", row["finding"])),
            where={"condition": ["veridical", COMPARED[row["contrast"]]]},
        )


def _choices(choices: pd.DataFrame, words: Wording) -> Nested:
    """Each judge's choice, its reasons and its reply where there are any."""
    told = [("rationale", "quote"), ("reply", "quote")]
    told = [pair for pair in told if choices[pair[0]].fillna("").ne("").any()]
    shown = heads(words, "judge", "document", "session", "preferred", "own_position", *told)
    return Nested(words("drill.nested.choices"), "choices", (*CELL, "item_id", "metric"), shown)
