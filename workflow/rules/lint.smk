# Reads: a benchmark's own file, wherever it lies (--config benchmark=...).
# Writes: results/lint/{name}/: items, checks, strata, flags, lint.json, summary.txt, strata.svg.

from veridical.benchmarks.asked import lint_name

LINTED = f"results/lint/{lint_name(config.get('benchmark'))}"

if config.get("benchmark"):  # a path that leads nowhere is told before any job
    benchmark_file(None)


rule lint_benchmark:
    """What of a benchmark can be answered without any memory; no model is asked."""
    input:
        benchmark=benchmark_file,
    output:
        item_table=f"{LINTED}/items.csv",
        checks=f"{LINTED}/checks.csv",
        strata=f"{LINTED}/strata.csv",
        flags=f"{LINTED}/flags.csv",
        summary_json=f"{LINTED}/lint.json",
        summary_text=f"{LINTED}/summary.txt",
    log:
        f"logs/lint/{lint_name(config.get('benchmark'))}.log",
    params:
        format=config.get("benchmark_format"),
        seed=config["seed"],
        clean=config.get("benchmark_clean", 0),
        code=code_of("benchmarks/lint_benchmark.py"),
    script:
        "../scripts/benchmarks/lint_benchmark.py"


rule draw_lint:
    """What each stratum gives away to guessing, to one constant answer, and to words alone."""
    input:
        strata=f"{LINTED}/strata.csv",
    output:
        svg=f"{LINTED}/strata.svg",
        pdf=f"{LINTED}/strata.pdf",
    log:
        f"logs/lint/{lint_name(config.get('benchmark'))}.figure.log",
    params:
        code=code_of("benchmarks/draw_lint.py"),
    script:
        "../scripts/benchmarks/draw_lint.py"


rule lint:
    """Does a benchmark need memory? snakemake lint --config benchmark=path/to/file.json"""
    input:
        summary_text=f"{LINTED}/summary.txt",
        figure=f"{LINTED}/strata.svg",
    log:
        f"logs/lint/{lint_name(config.get('benchmark'))}.summary.log",
    params:
        code=code_of("benchmarks/print_summary.py"),
    script:
        "../scripts/benchmarks/print_summary.py"
