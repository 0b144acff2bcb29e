# Reads: prompts files, weights' receipts; the config, data/prices.csv and corpora for the estimate.
# Writes: replies files (through data/ledger/); the estimate is printed before anything is asked.

from veridical.base.keyless import variables_named


rule collect_replies:
    """Ask one model every prompt of one file, through the ledger; every part collects like this."""
    input:
        prompts="results/{study}/trial/prompts/{slice}.jsonl",
        weights=weights_of,
    output:
        replies="results/{study}/trial/replies/{slice}/{model}.jsonl",
    log:
        "logs/{study}/trial/collect_replies/{slice}.{model}.log",
    threads: model_threads
    resources:
        openai=place("openai"),
        anthropic=place("anthropic"),
        google=place("google"),
        ollama=place("ollama"),
        command=place("command"),
        runtime=claimed("runtime"),
        mem_mb=claimed("mem_mb"),
    params:
        collection="trial",
        ledger="data/ledger/{study}/trial/{model}.sqlite",
        entry=lambda wildcards: MODELS[wildcards.model],
        budget=aside(config.get("budget", {})),
        collect=aside(config.get("collect", True)),
        folder=aside(config.get("models_folder", "data/models")),
        record="data/freeze/{study}/study.json",
        secret=aside(sorted(variables_named(config))),
        decisions=decided,
        threads=1,
    script:
        "../scripts/ledger/collect_replies.py"


rule list_served:
    """Under which name each model's server answered, stage by stage."""
    input:
        collected=lambda wildcards: [
            path
            for lists in (DESIGN, RESPONSES, VERDICTS)
            for path in together(lists)
            if path.endswith(".jsonl")
        ],
    output:
        served=report(
            "results/{study}/served.csv",
            caption="../report/served.rst",
            category="A page to read first",
        ),
    log:
        "logs/{study}/ledger/list_served.log",
    params:
        models=MODELS,
        code=code_of("ledger/list_served.py"),
    script:
        "../scripts/ledger/list_served.py"


RESULTS["study"] += [f"results/{STUDY}/served.csv"]


rule estimate:
    """Calls, tokens and cost by collection and model, and how much of it the ledgers hold already."""
    input:
        prices="data/prices.csv",
    log:
        f"logs/{STUDY}/ledger/estimate.log",
    params:
        config=config,
        unsaid=UNSAID,
        results=f"results/{STUDY}",
        ledgers=f"data/ledger/{STUDY}",
        code=code_of("ledger/estimate_cost.py"),
    script:
        "../scripts/ledger/estimate_cost.py"


rule timeline:
    """When each collection asked which model, and how many asked at once; while it runs or after."""
    input:
        prices="data/prices.csv",
    log:
        f"logs/{STUDY}/ledger/timeline.log",
    params:
        ledgers=f"data/ledger/{STUDY}",
        code=code_of("ledger/show_timeline.py"),
    script:
        "../scripts/ledger/show_timeline.py"
