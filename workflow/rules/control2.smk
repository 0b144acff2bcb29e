# Reads: data/corpora/{corpus}/, results/{study}/documents/; the responders' replies.
# Writes: results/{study}/control2/: probes, prompts, answers, validity, prior bias; figures.

CORPORA2 = list(config["control2"].get("corpora", []))  # none where the answers are brought
# By what the names of its files end with: nothing in a study of one corpus.
ABOUT2 = {f"-{corpus}" if len(CORPORA2) > 1 else "": corpus for corpus in CORPORA2}
CORPUS2 = {
    "settings": lambda wildcards: f"data/corpora/{ABOUT2[wildcards.about]}/corpus.yaml",
    "files": lambda wildcards: corpus_files(ABOUT2[wildcards.about]),
}
AUTHORED2 = config["control2"]["alterations"] == "author"
BROUGHT2 = [path for path in [config["control2"].get("answers_csv")] if path]
PROBES2 = [path for path in [config["control2"].get("probes_csv")] if path]
RESPONDERS2 = config["control2"]["responders"]
# Where the models are given what a memory system recalls, what it recalled is not known before.
RECALLED2 = ["control2"] if config["control2"].get("memory") else []
GIVEN2 = {  # the document of each condition, as its bank is called
    "veridical": "veridical",
    "counterfeit": config["control2"]["counterfeit"],
    "none": "none",
}
CONDITIONS2 = {
    "veridical": ["veridical"],
    "counterfeit": [config["control2"]["counterfeit"]],
    "none": [],
}
SLICES2 = [
    f"{condition}{about}" for about in ABOUT2 for condition in ([] if BROUGHT2 else CONDITIONS2)
]


wildcard_constraints:
    about="(-[A-Za-z0-9_]+)?",
    condition="veridical|counterfeit|none",


rule write_alteration_prompts:
    """What the author is asked where it, and not a rule, alters the details."""
    input:
        **CORPUS2,
        texts=lambda wildcards: fixed_texts(ABOUT2[wildcards.about], "alter-detail", "detail-kinds"),
    output:
        prompts="results/{study}/control2/alterations/prompts{about}.jsonl",
    log:
        "logs/{study}/control2/write_alteration_prompts{about}.log",
    params:
        numbers={"n": config["control2"]["probes"], "seed": config["seed"]},
        own=lambda wildcards: own_texts_about(ABOUT2[wildcards.about]),
        code=code_of("control2/write_alteration_prompts.py"),
    script:
        "../scripts/control2/write_alteration_prompts.py"


use rule collect_replies as collect_alterations with:
    """Have the author model alter one detail of each text, where the config asks for it."""
    input:
        prompts="results/{study}/control2/alterations/prompts{about}.jsonl",
        sealed="results/{study}/freeze/study.json",
        weights=weights_of,
    output:
        replies="results/{study}/control2/alterations/replies{about}/{model}.jsonl",
    log:
        "logs/{study}/control2/collect_alterations{about}/{model}.log",
    params:
        collection="author",
        ledger="data/ledger/{study}/author/{model}.sqlite",


rule draw_recognition_probes:
    """Pairs of texts, one true and outside the memory block, one with a single detail altered."""
    input:
        settings=[f"data/corpora/{corpus}/corpus.yaml" for corpus in CORPORA2],
        files=[path for corpus in CORPORA2 for path in corpus_files(corpus)],
        brought=PROBES2,
        asked=collect(
            "results/{study}/control2/alterations/prompts{about}.jsonl",
            about=ABOUT2 if AUTHORED2 else [],
            allow_missing=True,
        ),
        altered=collect(
            "results/{study}/control2/alterations/replies{about}/{author}.jsonl",
            about=ABOUT2 if AUTHORED2 else [],
            author=AUTHOR,
            allow_missing=True,
        ),
    output:
        probes=report(
            "results/{study}/control2/probes.csv",
            caption="../report/control2_probes.rst",
            category="Control 2",
        ),
    log:
        "logs/{study}/control2/draw_recognition_probes.log",
    params:
        numbers={"n": config["control2"]["probes"], "seed": config["seed"]},
        code=code_of("control2/draw_probes.py"),
    script:
        "../scripts/control2/draw_probes.py"


rule write_recognition_prompts:
    """Every probe behind one document, or behind none; all of them share their beginning."""
    input:
        **CORPUS2,
        probes="results/{study}/control2/probes.csv",
        document=lambda wildcards: collect(
            "results/{study}/documents/{corpus}/{document}.txt",
            study=wildcards.study,
            corpus=ABOUT2[wildcards.about],
            document=CONDITIONS2[wildcards.condition],
        ),
        recalled=lambda wildcards: collect(
            "results/{study}/memories/recalled/{part}-{corpus}.jsonl",
            study=wildcards.study,
            part=RECALLED2,
            corpus=ABOUT2[wildcards.about],
        ),
        texts=lambda wildcards: fixed_texts(
            ABOUT2[wildcards.about],
            "recalled" if RECALLED2 else "memory",
            "no-memory",
            "task-recognition",
            "question-recognition",
        ),
    output:
        prompts="results/{study}/control2/prompts/{condition}{about}.jsonl",
    log:
        "logs/{study}/control2/write_recognition_prompts/{condition}{about}.log",
    params:
        samples=lambda wildcards: (
            config["control2"].get("prior_samples", 1) if wildcards.condition == "none" else 1
        ),
        own=lambda wildcards: own_texts_about(ABOUT2[wildcards.about]),
        code=code_of("control2/write_prompts.py"),
    script:
        "../scripts/control2/write_prompts.py"


use rule collect_replies as collect_recognition with:
    """Ask one model every recognition probe in one condition."""
    input:
        prompts="results/{study}/control2/prompts/{slice}.jsonl",
        sealed="results/{study}/freeze/control2-design.json",
        weights=weights_of,
    output:
        replies="results/{study}/control2/replies/{slice}/{model}.jsonl",
    log:
        "logs/{study}/control2/collect_recognition/{slice}.{model}.log",
    priority: ahead(6)
    params:
        collection="control2",
        record="data/freeze/{study}/control2-design.json",
        ledger="data/ledger/{study}/control2/{model}.sqlite",


rule score_recognition:
    """Every reply as an answer: right, wrong, or none, with its honest state."""
    input:
        prompts=collect(
            "results/{study}/control2/prompts/{slice}.jsonl",
            slice=SLICES2,
            allow_missing=True,
        ),
        replies=collect(
            "results/{study}/control2/replies/{slice}/{model}.jsonl",
            slice=SLICES2,
            model=RESPONDERS2,
            allow_missing=True,
        ),
        brought=BROUGHT2,
    output:
        answers=report(
            "results/{study}/control2/answers.csv",
            caption="../report/control2_answers.rst",
            category="Control 2",
        ),
        samples="results/{study}/control2/samples.csv",
    log:
        "logs/{study}/control2/score_recognition.log",
    params:
        corpora=CORPORA2,
        code=code_of("control2/score_answers.py"),
    script:
        "../scripts/control2/score_answers.py"


rule judge_validity:
    """Can a model pass the probe with no memory document? Then the probe measures no memory."""
    input:
        answers="results/{study}/control2/answers.csv",
        recalled=collect(
            "results/{study}/memories/recalled/{part}-{corpus}.jsonl",
            part=RECALLED2,
            corpus=CORPORA2,
            allow_missing=True,
        ),
        sealed="results/{study}/freeze/control2-responses.json",
    output:
        validity=report(
            "results/{study}/control2/validity.csv",
            caption="../report/control2_validity.rst",
            category="Control 2",
        ),
    log:
        "logs/{study}/control2/judge_validity.log",
    params:
        corpora=CORPORA2,
        models=RESPONDERS2,
        documents=GIVEN2,
        rules=lookup(within=config, dpath="control2/validity"),
        code=code_of("control2/judge_validity.py"),
    script:
        "../scripts/control2/judge_validity.py"


rule estimate_prior:
    """What a model prefers with no document, and what a document adds to that, probe by probe."""
    input:
        answers="results/{study}/control2/answers.csv",
        samples="results/{study}/control2/samples.csv",
        recalled=collect(
            "results/{study}/memories/recalled/{part}-{corpus}.jsonl",
            part=RECALLED2,
            corpus=CORPORA2,
            allow_missing=True,
        ),
        sealed="results/{study}/freeze/control2-responses.json",
    output:
        effects=report(
            "results/{study}/control2/prior_bias.csv",
            caption="../report/control2_prior_bias.rst",
            category="Control 2",
        ),
        preferences="results/{study}/control2/preferences.csv",
    log:
        "logs/{study}/control2/estimate_prior.log",
    params:
        corpora=CORPORA2,
        models=RESPONDERS2,
        documents=GIVEN2,
        code=code_of("control2/estimate_prior.py"),
    script:
        "../scripts/control2/estimate_prior.py"


rule draw_accuracy:
    """Accuracy by model in three conditions, against chance: valid or not at a glance."""
    input:
        texts=TEXTS,
        validity="results/{study}/control2/validity.csv",
    output:
        svg=report(
            "figures/{study}/control2_accuracy.svg",
            caption="../report/control2_accuracy.rst",
            category="Control 2",
        ),
        pdf="figures/{study}/control2_accuracy.pdf",
    log:
        "logs/{study}/control2/draw_accuracy.log",
    params:
        code=code_of("control2/draw_accuracy.py"),
    script:
        "../scripts/control2/draw_accuracy.py"


rule draw_prior:
    """The memory effect beyond each model's own preference, with its interval."""
    input:
        texts=TEXTS,
        effects="results/{study}/control2/prior_bias.csv",
    output:
        svg=report(
            "figures/{study}/control2_prior.svg",
            caption="../report/control2_prior.rst",
            category="Control 2",
        ),
        pdf="figures/{study}/control2_prior.pdf",
    log:
        "logs/{study}/control2/draw_prior.log",
    params:
        code=code_of("control2/draw_prior.py"),
    script:
        "../scripts/control2/draw_prior.py"


CONTROL2 = collect(
    "results/{study}/control2/{table}.csv", study=STUDY, table=["validity", "prior_bias"]
)
CONTROL2_FIGURES = collect(
    "figures/{study}/control2_{figure}.{suffix}",
    study=STUDY,
    figure=["accuracy", "prior"],
    suffix=["svg", "pdf"],
)
DESIGN["control2"] += [
    *([] if BROUGHT2 else [f"results/{STUDY}/control2/probes.csv"]),
    *PROBES2,
    *BROUGHT2,
    *collect(
        [
            "results/{study}/control2/alterations/prompts{about}.jsonl",
            "results/{study}/control2/alterations/replies{about}/{author}.jsonl",
        ],
        study=STUDY,
        about=ABOUT2 if AUTHORED2 and not BROUGHT2 else [],
        author=AUTHOR,
    ),
]
(RESPONSES if RECALLED2 else DESIGN)["control2"].extend(
    collect(
        "results/{study}/control2/prompts/{slice}.jsonl",
        study=STUDY,
        slice=SLICES2,
    )
)
RESPONSES["control2"] += [
    *collect(
        "results/{study}/control2/replies/{slice}/{model}.jsonl",
        study=STUDY,
        slice=SLICES2,
        model=RESPONDERS2,
    ),
    f"results/{STUDY}/control2/answers.csv",
    f"results/{STUDY}/control2/samples.csv",
]
RESULTS["control2"] += [*CONTROL2, f"results/{STUDY}/control2/preferences.csv"]
FIGURES += CONTROL2_FIGURES
