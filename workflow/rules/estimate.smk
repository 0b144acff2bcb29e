# Reads: the config, data/prices.csv, data/corpora/, prompts files and ledgers where there are any.
# Writes: nothing; prints what collecting would take before anything is asked.


rule estimate:
    """Calls, tokens and cost by stage and model, and how much of it the ledgers hold already."""
    input:
        prices="data/prices.csv",
    log:
        f"logs/{STUDY}/models/estimate.log",
    params:
        config=config,
        code=code_of("models/estimate_cost.py"),
    script:
        "../scripts/models/estimate_cost.py"
