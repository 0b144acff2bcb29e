# Reads: the config's `aas`; models' replies; a table of your own sessions where it names one.
# Writes: results/{study}/aas/: prompts, replies, sessions, scores by session, summary; a figure.

AGED = config["aas"]["models"]
PHASES = config["aas"]["phases"]


rule plan_sessions:
    """The same sessions in each phase: a conversation each, one thread, or with a memory carried."""
    output:
        prompts=collect(
            "results/{study}/aas/prompts/{phase}.jsonl", phase=PHASES, allow_missing=True
        ),
    log:
        "logs/{study}/aas/plan_sessions.log",
    params:
        phases=PHASES,
        sessions=lookup(within=config, dpath="aas/sessions", default=None),
        tasks=lookup(within=config, dpath="aas/tasks", default=[]),
        runs=lookup(within=config, dpath="aas/runs", default=1),
        start=lookup(within=config, dpath="aas/start"),
        dates=lookup(within=config, dpath="aas/dates", default=[]),
        languages=lookup(within=config, dpath="aas/languages"),
        date_in=lookup(within=config, dpath="aas/date_in", default="system"),
        parameters=lookup(within=config, dpath="aas/parameters", default={}),
        code=code_of("aas/plan_sessions.py"),
    script:
        "../scripts/aas/plan_sessions.py"


use rule collect_replies as collect_sessions with:
    """One model's answers in one phase, through the ledger."""
    input:
        prompts="results/{study}/aas/prompts/{slice}.jsonl",
        sealed="results/{study}/freeze/aas-design.json",
        weights=weights_of,
        # an agent that remembers by itself is in one phase at a time
        before=lambda wildcards: collect(
            "results/{study}/aas/replies/{phase}/{model}.jsonl",
            phase=PHASES[: PHASES.index(wildcards.slice)][-1:],
            study=wildcards.study,
            model=wildcards.model,
        ),
    output:
        replies="results/{study}/aas/replies/{slice}/{model}.jsonl",
    log:
        "logs/{study}/aas/collect_sessions/{slice}.{model}.log",
    priority: ahead(4)
    params:
        collection="aas",
        record="data/freeze/{study}/aas-design.json",
        ledger="data/ledger/{study}/aas/{model}.sqlite",


rule score_sessions:
    """Answers read as right, wrong or abstained; the age score under each reading of its formula."""
    input:
        prompts=collect(
            "results/{study}/aas/prompts/{phase}.jsonl", phase=PHASES, allow_missing=True
        ),
        replies=collect(
            "results/{study}/aas/replies/{phase}/{model}.jsonl",
            phase=PHASES,
            model=AGED,
            allow_missing=True,
        ),
        own=[path for path in [config["aas"].get("sessions_csv")] if path],
        sealed="results/{study}/freeze/aas-responses.json",
    output:
        sessions=report(
            "results/{study}/aas/sessions.csv",
            caption="../report/aas_answers.rst",
            category="Age score",
        ),
        by_session=report(
            "results/{study}/aas/by_session.csv",
            caption="../report/aas_by_session.rst",
            category="Age score",
        ),
        summary=report(
            "results/{study}/aas/summary.csv",
            caption="../report/aas_summary.rst",
            category="Age score",
        ),
    log:
        "logs/{study}/aas/score_sessions.log",
    params:
        reading=lookup(within=config, dpath="aas"),
        code=code_of("aas/score_sessions.py"),
    script:
        "../scripts/aas/score_sessions.py"


rule score_own_sessions:
    """Your own table of sessions alone (`aas: sessions_csv`): no model is asked, nothing is sealed."""
    input:
        prompts=[],
        replies=[],
        own=[path for path in [config["aas"].get("sessions_csv")] if path],
    output:
        sessions="results/{study}/aas/own/sessions.csv",
        by_session="results/{study}/aas/own/by_session.csv",
        summary="results/{study}/aas/own/summary.csv",
    log:
        "logs/{study}/aas/score_own_sessions.log",
    params:
        reading=lookup(within=config, dpath="aas"),
        code=code_of("aas/score_sessions.py"),
    script:
        "../scripts/aas/score_sessions.py"


rule draw_sessions:
    """The age score session by session in every phase, below the most it can be."""
    input:
        texts=TEXTS,
        by_session="results/{study}/aas/by_session.csv",
    output:
        svg=report(
            "figures/{study}/aas_sessions.svg",
            caption="../report/aas_sessions.rst",
            category="Age score",
        ),
        pdf="figures/{study}/aas_sessions.pdf",
    log:
        "logs/{study}/aas/draw_sessions.log",
    params:
        code=code_of("aas/draw_sessions.py"),
    script:
        "../scripts/aas/draw_sessions.py"


AAS = collect(
    "results/{study}/aas/{table}.csv", study=STUDY, table=["sessions", "by_session", "summary"]
)
AAS_FIGURES = collect("figures/{study}/aas_sessions.{suffix}", study=STUDY, suffix=["svg", "pdf"])
DESIGN["aas"] += [
    *collect("results/{study}/aas/prompts/{phase}.jsonl", study=STUDY, phase=PHASES),
    *[path for path in [config["aas"].get("sessions_csv")] if path],
]
RESPONSES["aas"] += collect(
    "results/{study}/aas/replies/{phase}/{model}.jsonl", study=STUDY, phase=PHASES, model=AGED
)
RESULTS["aas"] += AAS
FIGURES += AAS_FIGURES
