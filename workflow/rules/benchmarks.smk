# Reads: the benchmark's file; the models' replies.
# Writes: results/{study}/benchmarks/: lint, items asked, prompts, answers, arms, contrasts, premium.

BENCHMARK = config["benchmarks"]
ARMS = BENCHMARK["arms"]
ASKED = BENCHMARK["models"]


use rule lint_benchmark as lint_asked with:
    """What of the study's benchmark can be answered without any memory."""
    input:
        benchmark=BENCHMARK["file"],
    output:
        item_table="results/{study}/benchmarks/items.csv",
        checks=report(
            "results/{study}/benchmarks/checks.csv",
            caption="../report/benchmarks_checks.rst",
            category="Benchmark",
        ),
        strata="results/{study}/benchmarks/strata.csv",
        flags="results/{study}/benchmarks/flags.csv",
        summary_json="results/{study}/benchmarks/lint.json",
        summary_text="results/{study}/benchmarks/summary.txt",
    log:
        "logs/{study}/benchmarks/lint_asked.log",
    params:
        format=BENCHMARK.get("format"),


rule draw_items:
    """The items that are asked, by stratum and seed, and what each is given in every arm."""
    input:
        benchmark=BENCHMARK["file"],
    output:
        asked="results/{study}/benchmarks/asked.csv",
        sample="results/{study}/benchmarks/sample.csv",
        given="results/{study}/benchmarks/given.csv",
    log:
        "logs/{study}/benchmarks/draw_items.log",
    params:
        format=BENCHMARK.get("format"),
        arms=ARMS,
        per_stratum=BENCHMARK.get("per_stratum"),
        seed=config["seed"],
        code=code_of("benchmarks/draw_sample.py"),
    script:
        "../scripts/benchmarks/draw_sample.py"


rule write_item_prompts:
    """Every item behind what one arm gives it; the words around it are the same in every arm."""
    input:
        benchmark=BENCHMARK["file"],
        asked="results/{study}/benchmarks/asked.csv",
        texts=multiext(
            "workflow/veridical/texts/benchmark-",
            "memory.en.txt",
            "none.en.txt",
            "choice.en.txt",
            "letter.en.txt",
            "open.en.txt",
        ),
    output:
        prompts="results/{study}/benchmarks/prompts/{arm}.jsonl",
    log:
        "logs/{study}/benchmarks/write_item_prompts/{arm}.log",
    wildcard_constraints:
        arm="[a-z]+",
    params:
        format=BENCHMARK.get("format"),
        parameters=BENCHMARK["parameters"],
        code=code_of("benchmarks/write_prompts.py"),
    script:
        "../scripts/benchmarks/write_prompts.py"


use rule collect_replies as collect_items with:
    """Ask one model every item in one arm."""
    input:
        prompts="results/{study}/benchmarks/prompts/{slice}.jsonl",
        sealed="results/{study}/freeze/design.json",
        weights=weights_of,
    output:
        replies="results/{study}/benchmarks/replies/{slice}/{model}.jsonl",
    log:
        "logs/{study}/benchmarks/collect_items/{slice}.{model}.log",
    priority: 5
    params:
        collection="benchmarks",
        ledger="data/ledger/{study}/benchmarks/{model}.sqlite",


rule score_items:
    """Every reply as right or not: by option, or by the answer's words."""
    input:
        prompts=collect(
            "results/{study}/benchmarks/prompts/{arm}.jsonl", arm=ARMS, allow_missing=True
        ),
        replies=collect(
            "results/{study}/benchmarks/replies/{arm}/{model}.jsonl",
            arm=ARMS,
            model=ASKED,
            allow_missing=True,
        ),
    output:
        answers=report(
            "results/{study}/benchmarks/answers.csv",
            caption="../report/benchmarks_answers.rst",
            category="Benchmark",
        ),
    log:
        "logs/{study}/benchmarks/score_items.log",
    params:
        scoring=BENCHMARK["scoring"],
        code=code_of("benchmarks/score_answers.py"),
    script:
        "../scripts/benchmarks/score_answers.py"


rule test_arms:
    """What does the memory earn over the best arm without one? Exact McNemar, and t over lives."""
    input:
        answers="results/{study}/benchmarks/answers.csv",
        asked="results/{study}/benchmarks/asked.csv",
        sealed="results/{study}/freeze/responses.json",
    output:
        earned=report(
            "results/{study}/benchmarks/arms.csv",
            caption="../report/benchmarks_arms.rst",
            category="Benchmark",
        ),
        contrast_table=report(
            "results/{study}/benchmarks/contrasts.csv",
            caption="../report/benchmarks_contrasts.rst",
            category="Benchmark",
        ),
        premium=report(
            "results/{study}/benchmarks/premium.csv",
            caption="../report/benchmarks_premium.rst",
            category="Benchmark",
        ),
    log:
        "logs/{study}/benchmarks/test_arms.log",
    params:
        arms=ARMS,
        code=code_of("benchmarks/test_arms.py"),
    script:
        "../scripts/benchmarks/test_arms.py"


rule draw_arms:
    """By stratum: guessing, words alone, no memory, another's, and the own history."""
    input:
        texts=TEXTS,
        earned="results/{study}/benchmarks/arms.csv",
        strata="results/{study}/benchmarks/strata.csv",
    output:
        svg=report(
            "figures/{study}/benchmarks_arms.svg",
            caption="../report/benchmarks_figure.rst",
            category="Benchmark",
        ),
        pdf="figures/{study}/benchmarks_arms.pdf",
    log:
        "logs/{study}/benchmarks/draw_arms.log",
    params:
        code=code_of("benchmarks/draw_arms.py"),
    script:
        "../scripts/benchmarks/draw_arms.py"


DESIGN += [
    BENCHMARK["file"],
    *collect(
        "results/{study}/benchmarks/{table}.csv",
        study=STUDY,
        table=["asked", "sample", "given"],
    ),
    *collect("results/{study}/benchmarks/prompts/{arm}.jsonl", study=STUDY, arm=ARMS),
]
RESPONSES += [
    *collect(
        "results/{study}/benchmarks/replies/{arm}/{model}.jsonl",
        study=STUDY,
        arm=ARMS,
        model=ASKED,
    ),
    f"results/{STUDY}/benchmarks/answers.csv",
]
RESULTS += collect(
    "results/{study}/benchmarks/{table}.csv",
    study=STUDY,
    table=["items", "checks", "strata", "flags", "arms", "contrasts", "premium"],
)
FIGURES += collect("figures/{study}/benchmarks_arms.{suffix}", study=STUDY, suffix=["svg", "pdf"])
