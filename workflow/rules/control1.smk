# Reads: results/{study}/documents/, data/corpora/{corpus}/test_day.csv; responder's and judges' replies.
# Writes: results/{study}/control1/: responses, sheets, blinding map, verdicts, contrasts; figures.

from veridical.base.counterfeits import counterfeits, documents_of
from veridical.base.instrument import metric_labels
from veridical.control1.asks import is_direct, shown_by

# None of either where the verdicts are brought, and no responder where the answers are.
CORPORA1 = list(config["control1"].get("corpora", []))
RESPONDERS1 = list(config["control1"].get("responders", []))
CELLS1 = [(responder, corpus) for corpus in CORPORA1 for responder in RESPONDERS1]
CORPUS1 = {
    "settings": [f"data/corpora/{corpus}/corpus.yaml" for corpus in CORPORA1],
    "files": [path for corpus in CORPORA1 for path in corpus_files(corpus)],
}
BROUGHT1 = [path for path in [config["control1"].get("verdicts_csv")] if path]
ANSWERED1 = [path for path in [config["control1"].get("responses_csv")] if path]
EARLIER1 = [path for path in [config["control1"].get("original_csv")] if path]
JUDGES = config["control1"]["judges"]
# Where the responder answers from what a memory system recalls, what it recalled is not known before.
RECALLED1 = ["control1"] if config["control1"].get("memory") else []
# What the real memory is held against, and of which a memory system's bank may not be admitted.
DECLARED1 = {
    corpus: [*counterfeits(config, corpus), *(["none"] if config["control1"]["none"] else [])]
    for corpus in CORPORA1
}
OWN1 = {corpus: own_texts_about(corpus) for corpus in CORPORA1}
DIRECT = is_direct(config["control1"])  # answers under two memories on one sheet, and no anchor
SHOWN = shown_by(config["control1"])  # the texts that a judge reads
BESIDE = ["none", "reversed", "repeated", "positive"]  # keys of sheets beside the source's design
LABELS = metric_labels(config)  # how figures name the study's own metrics


rule write_response_prompts:
    """Every test-day input under every memory document; under the whole log where anchors lack."""
    input:
        **CORPUS,
        fidelity="results/{study}/documents/{corpus}/fidelity.csv",
        documents=lambda wildcards: [
            f"results/{{study}}/documents/{wildcards.corpus}/{document}.txt"
            for document in [*documents_of(config, wildcards.corpus), "encounter-log"]
        ],
        recalled=collect(
            "results/{study}/memories/recalled/{part}-{corpus}.jsonl",
            part=RECALLED1,
            allow_missing=True,
        ),
        texts=lambda wildcards: fixed_texts(
            wildcards.corpus,
            "recalled" if RECALLED1 else "memory",
            "no-memory",
            "task-response",
        ),
    output:
        prompts="results/{study}/control1/prompts/responses-{corpus}.jsonl",
    log:
        "logs/{study}/control1/write_response_prompts/{corpus}.log",
    params:
        seed=lookup(within=config, dpath="seed"),
        parameters=lookup(within=config, dpath="control1/response"),
        none=lookup(within=config, dpath="control1/none"),
        pairs=lookup(within=config, dpath="control1/pairs"),
        own=lambda wildcards: own_texts_about(wildcards.corpus),
        code=code_of("control1/write_response_prompts.py"),
    script:
        "../scripts/control1/write_response_prompts.py"


use rule collect_replies as collect_responses with:
    """Ask one responder every test-day input of one corpus under every document."""
    input:
        prompts="results/{study}/control1/prompts/responses-{corpus}.jsonl",
        sealed="results/{study}/freeze/control1-design.json",
        weights=weights_of,
    output:
        replies="results/{study}/control1/replies/responses-{corpus}/{model}.jsonl",
    log:
        "logs/{study}/control1/collect_responses/{corpus}.{model}.log",
    priority: ahead(9)
    params:
        collection="responses",
        record="data/freeze/{study}/control1-design.json",
        ledger="data/ledger/{study}/responses/{model}.sqlite",


rule gather_responses:
    """The table of responses: every cell's items under every document, and their anchors."""
    input:
        **CORPUS1,
        prompts=collect(
            "results/{study}/control1/prompts/responses-{corpus}.jsonl",
            corpus=[] if ANSWERED1 else CORPORA1,
            allow_missing=True,
        ),
        replies=[
            f"results/{{study}}/control1/replies/responses-{corpus}/{responder}.jsonl"
            for responder, corpus in ([] if ANSWERED1 else CELLS1)
        ],
        brought=ANSWERED1,
    output:
        responses=report(
            "results/{study}/control1/responses.csv",
            caption="../report/control1_responses.rst",
            category="Control 1",
        ),
    log:
        "logs/{study}/control1/gather_responses.log",
    params:
        decisions=config.get("replies", {}),
        responders=RESPONDERS1,
        documents={corpus: counterfeits(config, corpus) for corpus in CORPORA1},
        none=lookup(within=config, dpath="control1/none"),
        pairs=lookup(within=config, dpath="control1/pairs"),
        code=code_of("control1/gather_responses.py"),
    script:
        "../scripts/control1/gather_responses.py"


rule write_positive_pairs:
    """Pairs that any judge sensitive to memory must tell apart: its own quoted, and a stranger's."""
    input:
        **CORPUS1,
        fidelity=collect(
            "results/{study}/documents/{corpus}/fidelity.csv",
            corpus=CORPORA1 if config["control1"]["positive"] else [],
            allow_missing=True,
        ),
        documents=collect(
            "results/{study}/documents/{corpus}/{document}.txt",
            corpus=CORPORA1,
            document=FOREIGN if config["control1"]["positive"] else [],
            allow_missing=True,
        ),
        texts=texts_about(CORPORA1, "positive-input", "positive-answer"),
    output:
        positive="results/{study}/control1/positive.csv",
    log:
        "logs/{study}/control1/write_positive_pairs.log",
    params:
        numbers={"seed": config["seed"], "pairs": config["control1"]["positive"]},
        own=OWN1,
        code=code_of("control1/write_positive_pairs.py"),
    script:
        "../scripts/control1/write_positive_pairs.py"


rule blind_responses:
    """Draw for each judge which answer stands first and in which order the pairs are shown."""
    input:
        **CORPUS1,
        responses="results/{study}/control1/responses.csv",
        positive="results/{study}/control1/positive.csv",
    output:
        blinding_map="results/{study}/control1/blinding_map.csv",
    log:
        "logs/{study}/control1/blind_responses.log",
    params:
        seed=lookup(within=config, dpath="seed"),
        cells=[] if ANSWERED1 or RECALLED1 else CELLS1,
        judges=JUDGES,
        beside={key: config["control1"][key] for key in BESIDE},
        earlier=bool(EARLIER1),
        pairs=lookup(within=config, dpath="control1/pairs"),
        code=code_of("control1/blind_responses.py"),
    script:
        "../scripts/control1/blind_responses.py"


rule write_sheets:
    """One judge's sheets: rubric, input, answers A and B, and nothing that tells the condition."""
    input:
        **CORPUS1,
        responses="results/{study}/control1/responses.csv",
        blinding_map="results/{study}/control1/blinding_map.csv",
        positive="results/{study}/control1/positive.csv",
        texts=texts_about(
            CORPORA1,
            *SHOWN.values(),
            *(
                ["metrics"]
                if set(config["control1"]["metrics"]) - {*config["control1"]["wording"]}
                else []
            ),
        ),
    output:
        sheets="results/{study}/control1/sheets/{model}.jsonl",
    log:
        "logs/{study}/control1/write_sheets/{model}.log",
    params:
        metrics=lookup(within=config, dpath="control1/metrics"),
        rationale=lookup(within=config, dpath="control1/rationale"),
        sheet=lookup(within=config, dpath="control1/sheet"),
        pairs=lookup(within=config, dpath="control1/pairs"),
        parameters=lookup(within=config, dpath="control1/verdict"),
        wording=lookup(within=config, dpath="control1/wording"),
        own=OWN1,
        code=code_of("control1/write_sheets.py"),
    script:
        "../scripts/control1/write_sheets.py"


use rule collect_replies as collect_verdicts with:
    """Ask one judge for its verdicts on its blinded sheets."""
    input:
        prompts="results/{study}/control1/sheets/{model}.jsonl",
        sealed="results/{study}/freeze/control1-responses.json",
        weights=weights_of,
    output:
        replies="results/{study}/control1/replies/verdicts/{model}.jsonl",
    log:
        "logs/{study}/control1/collect_verdicts/{model}.log",
    priority: ahead(9)
    params:
        collection="verdicts",
        record="data/freeze/{study}/control1-responses.json",
        ledger="data/ledger/{study}/verdicts/{model}.sqlite",
        reask=config["control1"]["attempts"] - 1,


rule read_verdicts:
    """All verdicts, unblinded: both answers' scores on each metric; incomplete ones stay, named."""
    input:
        blinding_map="results/{study}/control1/blinding_map.csv",
        replies=collect(
            "results/{study}/control1/replies/verdicts/{judge}.jsonl",
            judge=JUDGES,
            allow_missing=True,
        ),
        earlier=EARLIER1,
    output:
        verdicts=report(
            "results/{study}/control1/verdicts.csv",
            caption="../report/control1_verdicts.rst",
            category="Control 1",
        ),
    log:
        "logs/{study}/control1/read_verdicts.log",
    params:
        metrics=lookup(within=config, dpath="control1/metrics"),
        code=code_of("control1/read_verdicts.py"),
    script:
        "../scripts/control1/read_verdicts.py"


rule read_choices:
    """All choices on direct pairs, unblinded; incomplete ones stay, named."""
    input:
        blinding_map="results/{study}/control1/blinding_map.csv",
        replies=collect(
            "results/{study}/control1/replies/verdicts/{judge}.jsonl",
            judge=JUDGES,
            allow_missing=True,
        ),
    output:
        choices=report(
            "results/{study}/control1/choices.csv",
            caption="../report/control1_choices.rst",
            category="Control 1",
        ),
    log:
        "logs/{study}/control1/read_choices.log",
    params:
        metrics=lookup(within=config, dpath="control1/metrics"),
        code=code_of("control1/read_choices.py"),
    script:
        "../scripts/control1/read_choices.py"


if BROUGHT1:

    ruleorder: take_verdicts > read_verdicts
    ruleorder: take_verdicts > blind_responses

    rule take_verdicts:
        """Verdicts that were given elsewhere, as they stand, and the blinding map that they imply."""
        input:
            brought=BROUGHT1,
        output:
            verdicts=report(
                "results/{study}/control1/verdicts.csv",
                caption="../report/control1_verdicts.rst",
                category="Control 1",
            ),
            blinding_map="results/{study}/control1/blinding_map.csv",
        log:
            "logs/{study}/control1/take_verdicts.log",
        params:
            responders=RESPONDERS1,
            corpora=CORPORA1,
            code=code_of("control1/take_verdicts.py"),
        script:
            "../scripts/control1/take_verdicts.py"


rule test_contrasts:
    """Does a score move when the memory is another's? Anchored and not, by two methods."""
    input:
        verdicts="results/{study}/control1/verdicts.csv",
        blinding_map="results/{study}/control1/blinding_map.csv",
        sealed="results/{study}/freeze/control1-verdicts.json",
    output:
        contrasts=report(
            "results/{study}/control1/contrasts.csv",
            caption="../report/control1_contrasts.rst",
            category="Control 1",
        ),
        drift=report(
            "results/{study}/control1/drift.csv",
            caption="../report/control1_drift.rst",
            category="Control 1",
        ),
        findings="results/{study}/control1/findings.csv",
        instrument="results/{study}/control1/instrument.csv",
        noise="results/{study}/control1/noise.csv",
    log:
        "logs/{study}/control1/test_contrasts.log",
    params:
        seed=lookup(within=config, dpath="seed"),
        settings=lookup(within=config, dpath="control1"),
        declared=DECLARED1 if RECALLED1 else {},
        cells=CELLS1,
        code=code_of("control1/test_contrasts.py"),
    script:
        "../scripts/control1/test_contrasts.py"


rule test_preferences:
    """Which answer is preferred on one sheet, by the panel and by each judge; or is neither?"""
    input:
        choices="results/{study}/control1/choices.csv",
        blinding_map="results/{study}/control1/blinding_map.csv",
        sealed="results/{study}/freeze/control1-verdicts.json",
    output:
        preferences=report(
            "results/{study}/control1/preferences.csv",
            caption="../report/control1_preferences.rst",
            category="Control 1",
        ),
        alone="results/{study}/control1/alone.csv",
        panel="results/{study}/control1/panel.csv",
        choosers="results/{study}/control1/choosers.csv",
    log:
        "logs/{study}/control1/test_preferences.log",
    params:
        seed=lookup(within=config, dpath="seed"),
        settings=lookup(within=config, dpath="control1"),
        declared=DECLARED1 if RECALLED1 else {},
        cells=CELLS1,
        code=code_of("control1/test_preferences.py"),
    script:
        "../scripts/control1/test_preferences.py"


rule examine_judges:
    """The judges as instruments: scores, agreement, order effects, each alone and each left out."""
    input:
        verdicts="results/{study}/control1/verdicts.csv",
        blinding_map="results/{study}/control1/blinding_map.csv",
        sealed="results/{study}/freeze/control1-verdicts.json",
    output:
        judges=report(
            "results/{study}/control1/judges.csv",
            caption="../report/control1_judges.rst",
            category="Control 1",
        ),
    log:
        "logs/{study}/control1/examine_judges.log",
    params:
        seed=lookup(within=config, dpath="seed"),
        settings=lookup(within=config, dpath="control1"),
        code=code_of("control1/examine_judges.py"),
    script:
        "../scripts/control1/examine_judges.py"


rule simulate_power:
    """How many items would make each contrast conclusive, given the spread that the items showed?"""
    input:
        verdicts="results/{study}/control1/verdicts.csv",
        blinding_map="results/{study}/control1/blinding_map.csv",
        sealed="results/{study}/freeze/control1-verdicts.json",
    output:
        power=report(
            "results/{study}/control1/power.csv",
            caption="../report/control1_power.rst",
            category="Control 1",
        ),
    log:
        "logs/{study}/control1/simulate_power.log",
    resources:
        runtime=60,
        mem_mb=3000,
    params:
        seed=lookup(within=config, dpath="seed"),
        settings=lookup(within=config, dpath="control1"),
        code=code_of("control1/simulate_power.py"),
    script:
        "../scripts/control1/simulate_power.py"


rule draw_forest:
    """Every contrast with its intervals, by both methods, against the band of the negligible."""
    input:
        texts=TEXTS,
        contrasts="results/{study}/control1/contrasts.csv",
    output:
        svg=report(
            "figures/{study}/control1_forest.svg",
            caption="../report/control1_forest.rst",
            category="Control 1",
        ),
        pdf="figures/{study}/control1_forest.pdf",
    log:
        "logs/{study}/control1/draw_forest.log",
    params:
        bound=lookup(within=config, dpath="control1/equivalence_bound"),
        labels=LABELS,
        code=code_of("control1/draw_forest.py"),
    script:
        "../scripts/control1/draw_forest.py"


rule draw_drift:
    """The same anchors, scored in two sessions: how far each item's moved."""
    input:
        texts=TEXTS,
        drift="results/{study}/control1/drift.csv",
    output:
        svg=report(
            "figures/{study}/control1_drift.svg",
            caption="../report/control1_drift_figure.rst",
            category="Control 1",
        ),
        pdf="figures/{study}/control1_drift.pdf",
    log:
        "logs/{study}/control1/draw_drift.log",
    params:
        labels=LABELS,
        code=code_of("control1/draw_drift.py"),
    script:
        "../scripts/control1/draw_drift.py"


rule draw_scores:
    """Scores by judge and condition: what each instrument can tell apart."""
    input:
        texts=TEXTS,
        verdicts="results/{study}/control1/verdicts.csv",
    output:
        svg=report(
            "figures/{study}/control1_scores.svg",
            caption="../report/control1_scores.rst",
            category="Control 1",
        ),
        pdf="figures/{study}/control1_scores.pdf",
    log:
        "logs/{study}/control1/draw_scores.log",
    params:
        labels=LABELS,
        code=code_of("control1/draw_scores.py"),
    script:
        "../scripts/control1/draw_scores.py"


rule draw_power:
    """Probability of a conclusive verdict by the number of items."""
    input:
        texts=TEXTS,
        power="results/{study}/control1/power.csv",
    output:
        svg=report(
            "figures/{study}/control1_power.svg",
            caption="../report/control1_power_figure.rst",
            category="Control 1",
        ),
        pdf="figures/{study}/control1_power.pdf",
    log:
        "logs/{study}/control1/draw_power.log",
    params:
        labels=LABELS,
        code=code_of("control1/draw_power.py"),
    script:
        "../scripts/control1/draw_power.py"


rule draw_preferences:
    """Which answer was preferred: the panel's share and each judge's, beside one half."""
    input:
        texts=TEXTS,
        preferences="results/{study}/control1/preferences.csv",
        alone="results/{study}/control1/alone.csv",
    output:
        svg=report(
            "figures/{study}/control1_preferences.svg",
            caption="../report/control1_preferences_figure.rst",
            category="Control 1",
        ),
        pdf="figures/{study}/control1_preferences.pdf",
    log:
        "logs/{study}/control1/draw_preferences.log",
    params:
        margin=lookup(within=config, dpath="control1/preference_margin"),
        labels=LABELS,
        code=code_of("control1/draw_preferences.py"),
    script:
        "../scripts/control1/draw_preferences.py"


SCORED1 = ["contrasts", "drift", "findings", "instrument", "judges", "noise", "power"]
CHOSEN1 = ["preferences", "alone", "panel", "choosers"]
CONTROL1 = collect(
    "results/{study}/control1/{table}.csv",
    study=STUDY,
    table=CHOSEN1 if DIRECT else SCORED1,
)
CONTROL1_FIGURES = collect(
    "figures/{study}/control1_{figure}.{suffix}",
    study=STUDY,
    figure=["preferences"] if DIRECT else ["forest", "drift", "scores", "power"],
    suffix=["svg", "pdf"],
)
DESIGN["control1"] += [*BROUGHT1, *ANSWERED1, *EARLIER1]
VERDICTS["control1"] += [f"results/{STUDY}/control1/{'choices' if DIRECT else 'verdicts'}.csv"]
if BROUGHT1:
    VERDICTS["control1"] += [f"results/{STUDY}/control1/blinding_map.csv"]
if not BROUGHT1:
    DESIGN["control1"] += [f"results/{STUDY}/control1/positive.csv"]
    RESPONSES["control1"] += [
        f"results/{STUDY}/control1/responses.csv",
        f"results/{STUDY}/control1/blinding_map.csv",
        *collect("results/{study}/control1/sheets/{judge}.jsonl", study=STUDY, judge=JUDGES),
    ]
    VERDICTS["control1"] += collect(
        "results/{study}/control1/replies/verdicts/{judge}.jsonl", study=STUDY, judge=JUDGES
    )
if not BROUGHT1 and not ANSWERED1:
    DESIGN["control1"] += collect(
        "results/{study}/documents/{corpus}/encounter-log.txt", study=STUDY, corpus=CORPORA1
    )
    (RESPONSES if RECALLED1 else DESIGN)["control1"].extend(
        collect(
            "results/{study}/control1/prompts/responses-{corpus}.jsonl",
            study=STUDY,
            corpus=CORPORA1,
        )
    )
    RESPONSES["control1"] += [
        f"results/{STUDY}/control1/replies/responses-{corpus}/{responder}.jsonl"
        for responder, corpus in CELLS1
    ]
RESULTS["control1"] += CONTROL1
FIGURES += CONTROL1_FIGURES
