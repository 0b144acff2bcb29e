# Reads: the config, corpora's lists of partners; nothing that was collected.
# Writes: results/{study}/claims/claims.csv, made by `snakemake claims`.


rule measure_claims:
    """How often each claim would be said where it is false, in this study's own design."""
    output:
        claims="results/{study}/claims/claims.csv",
    log:
        "logs/{study}/claims/measure_claims.log",
    resources:
        runtime=60,
        mem_mb=3000,
    params:
        config=config,
        corpora=lambda wildcards: "data/corpora",
        numbers={"studies": 250, "seed": config["seed"]},
        code=code_of("claims/measure_claims.py"),
    script:
        "../scripts/claims/measure_claims.py"


rule claims:
    """The table of claims; no model is asked."""
    input:
        f"results/{STUDY}/claims/claims.csv",
