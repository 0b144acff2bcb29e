# Reads: the config, corpora's lists of partners, the items asked; nothing that was collected.
# Writes: results/{study}/claims/{part}.csv, sealed with the part's design; claims.csv, all of them.

# Controls, memory systems, path entropy and benchmarks say sentences whose rates can be measured.
CLAIMING = {part: [part] for part in ("control1", "control2", "control3", "vpe") if part in PARTS}
CLAIMING |= {part: ["control3", part] for part in ("memories",) if part in PARTS}
CLAIMING |= {part: [part] for part in ("benchmarks",) if part in PARTS}


rule measure_claims:
    """How often each claim of a part would be said where it is false, in this study's own design."""
    input:
        asked=branch(
            lambda wildcards: wildcards.room == "benchmarks",
            then="results/{study}/benchmarks/asked.csv",
            otherwise=[],
        ),
    output:
        claims="results/{study}/claims/{room}.csv",
    log:
        "logs/{study}/claims/measure_claims/{room}.log",
    priority: 150
    resources:
        runtime=60,
        mem_mb=3000,
    params:
        config=lambda wildcards: {
            key: config[key] for key in [*CLAIMING[wildcards.room], "documents"] if key in config
        },
        part="{room}",
        corpora=lambda wildcards: "data/corpora",
        numbers={"studies": config["claims"]["studies"], "seed": config["seed"]},
        code=code_of("claims/measure_claims.py"),
    script:
        "../scripts/claims/measure_claims.py"


rule gather_claims:
    """The claims of all parts, with how often each would be said where it is false."""
    input:
        parts=collect("results/{study}/claims/{part}.csv", part=CLAIMING, allow_missing=True),
    output:
        claims=report(
            "results/{study}/claims/claims.csv",
            caption="../report/claims.rst",
            category="A page to read first",
        ),
    log:
        "logs/{study}/claims/gather_claims.log",
    params:
        code=code_of("claims/gather_claims.py"),
    script:
        "../scripts/claims/gather_claims.py"


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


for part in CLAIMING:
    DESIGN[part] += [f"results/{STUDY}/claims/{part}.csv"]
RESULTS["study"] += [f"results/{STUDY}/claims/claims.csv"]
