# Reads: the config, corpora's lists of partners, the items asked; nothing that was collected.
# Writes: results/{study}/claims/claims.csv, sealed with the design.


rule measure_claims:
    """How often each claim would be said where it is false, in this study's own design."""
    input:
        asked=branch(
            lookup("benchmarks", within=config, default=None),
            then="results/{study}/benchmarks/asked.csv",
            otherwise=[],
        ),
    output:
        claims=report(
            "results/{study}/claims/claims.csv",
            caption="../report/claims.rst",
            category="A page to read first",
        ),
    log:
        "logs/{study}/claims/measure_claims.log",
    priority: 150
    resources:
        runtime=60,
        mem_mb=3000,
    params:
        config=design_config(config),
        corpora=lambda wildcards: "data/corpora",
        numbers={"studies": config["claims"]["studies"], "seed": config["seed"]},
        code=code_of("claims/measure_claims.py"),
    script:
        "../scripts/claims/measure_claims.py"


rule claims:
    """The table of claims; no model is asked."""
    input:
        f"results/{STUDY}/claims/claims.csv",


rule plan_study:
    """Each claim's power at small, medium and large effects, and what the study would cost."""
    input:
        asked=branch(
            lookup("benchmarks", within=config, default=None),
            then="results/{study}/benchmarks/asked.csv",
            otherwise=[],
        ),
        prices="data/prices.csv",
    output:
        plan="results/{study}/claims/plan.csv",
    log:
        "logs/{study}/claims/plan_study.log",
    resources:
        runtime=60,
        mem_mb=3000,
    params:
        config=config,
        corpora=lambda wildcards: "data/corpora",
        results=lambda wildcards: f"results/{wildcards.study}",
        ledgers=lambda wildcards: f"data/ledger/{wildcards.study}",
        numbers={"studies": config["claims"]["studies"], "seed": config["seed"]},
        code=code_of("claims/plan_study.py"),
    script:
        "../scripts/claims/plan_study.py"


rule plan:
    """What could be found, at which cost, before anything is paid; no model is asked."""
    input:
        f"results/{STUDY}/claims/plan.csv",


DESIGN += [f"results/{STUDY}/claims/claims.csv"]
