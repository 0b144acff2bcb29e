# Reads: data/published/*.csv, the figures that the sources print.
# Writes: results/published/check.csv, the same figures recomputed from the sources' own counts.


rule check_figures:
    """Recompute with the study's own functions what the sources print; no model is asked."""
    input:
        tables=collect(
            "data/published/{table}.csv",
            table=[
                "kairos_control1_contrasts",
                "kairos_control1_drift",
                "kairos_control2",
                "kairos_control3_a",
                "kairos_control3_b",
                "kairos_design",
                "aas",
                "vpe",
                "methods",
                "unrecomputable",
            ],
        ),
    output:
        check=report(
            "results/published/check.csv",
            caption="../report/published_check.rst",
            category="Published figures",
            labels={"table": "printed and recomputed"},
        ),
    log:
        "logs/published/check_figures.log",
    params:
        folder=lambda wildcards: "data/published",
        code=code_of("published/check_figures.py"),
    script:
        "../scripts/published/check_figures.py"


PUBLISHED = ["results/published/check.csv"]
