# Reads: config/*.yaml, data/weights.csv.
# Writes: data/models/, results/{study}/config.json and config/{part}.json, the trial's prompts.


rule resolve_config:
    """What of the config decides the result, in one file, for the freeze and the report."""
    output:
        resolved="results/{study}/config.json",
    log:
        "logs/{study}/models/resolve_config.log",
    params:
        config=design_config(config),
        code=code_of("models/resolve_config.py"),
    script:
        "../scripts/models/resolve_config.py"


RESULTS["study"] += [f"results/{STUDY}/config.json"]


rule resolve_own:
    """What of the config decides one part's result, or, as `study`, what all parts share."""
    output:
        resolved="results/{study}/config/{room}.json",
    log:
        "logs/{study}/models/resolve_own/{room}.log",
    params:
        config=lambda wildcards: own_config(wildcards.room),
        code=code_of("models/resolve_config.py"),
    script:
        "../scripts/models/resolve_config.py"


rule fetch_weights:
    """An embedded model's weights, known by their SHA-256; the output is the receipt. Derived ones
    are made of weights that are fetched by themselves first."""
    input:
        table="data/weights.csv",
        source=source_of_weights,
    output:
        receipt="data/models/{weights}.json",
    log:
        "logs/models/fetch_weights/{weights}.log",
    priority: weights_ahead
    resources:
        downloads=lambda wildcards: int(not source_of_weights(wildcards)),
    params:
        model="{weights}",
        folder=lambda wildcards: config.get("models_folder", "data/models"),
        code=code_of("models/fetch_weights.py"),
    script:
        "../scripts/models/fetch_weights.py"


rule write_trial:
    """Three questions, one of each form, to try a model before a study is run on it."""
    output:
        prompts="results/{study}/trial/prompts/hello.jsonl",
    log:
        "logs/{study}/models/write_trial.log",
    params:
        code=code_of("models/write_trial.py"),
    script:
        "../scripts/models/write_trial.py"
