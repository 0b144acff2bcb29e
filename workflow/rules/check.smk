# Reads: the config, data/corpora/, data/prices.csv, the texts, the environment.
# Writes: nothing; prints what would stop the study, all of it at once.


rule check:
    """Corpora, texts, probes, keys, programs, prices, contexts: what is wrong, before a call is made."""
    input:
        prices="data/prices.csv",
    log:
        f"logs/{STUDY}/check/check.log",
    params:
        config=config,
        code=code_of("check/check_study.py"),
    script:
        "../scripts/check/check_study.py"
