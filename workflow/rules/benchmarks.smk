# Reads: the benchmark's file; the models' replies.
# Writes: results/{study}/benchmarks/: lint, items asked, prompts, answers, verdicts, arms, premium.

BENCHMARK = config["benchmarks"]
ARMS = BENCHMARK["arms"]
ASKED = BENCHMARK["models"]
JUDGED = BENCHMARK["judges"] if BENCHMARK["scoring"] == "judges" else []
THROUGH = BENCHMARK["systems"]  # memory systems that the histories go through
STORED = [arm for arm in ARMS if arm != "none"] if THROUGH else []
SLICES = [*ARMS, *(f"{arm}-{system}" for arm in STORED for system in THROUGH)]


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
        clean=BENCHMARK["clean"],


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
        sealed="results/{study}/freeze/benchmarks-design.json",
        weights=weights_of,
    output:
        replies="results/{study}/benchmarks/replies/{slice}/{model}.jsonl",
    log:
        "logs/{study}/benchmarks/collect_items/{slice}.{model}.log",
    wildcard_constraints:
        slice="|".join(SLICES),
    priority: ahead(5)
    params:
        collection="benchmarks",
        record="data/freeze/{study}/benchmarks-design.json",
        ledger="data/ledger/{study}/benchmarks/{model}.sqlite",


if THROUGH:

    rule write_bank_plans:
        """What goes into every memory system in one arm: a bank a history, and its questions."""
        input:
            benchmark=BENCHMARK["file"],
            asked="results/{study}/benchmarks/asked.csv",
        output:
            plans="results/{study}/benchmarks/plans/{arm}.jsonl",
        log:
            "logs/{study}/benchmarks/write_bank_plans/{arm}.log",
        wildcard_constraints:
            arm="[a-z]+",
        params:
            format=BENCHMARK.get("format"),
            k=MEMORIES["k"],
            code=code_of("benchmarks/write_bank_plans.py"),
        script:
            "../scripts/benchmarks/write_bank_plans.py"

    use rule visit_memory as visit_banks with:
        """Every history into a bank by the system's own door, and every question asked of it."""
        input:
            plan="results/{study}/benchmarks/plans/{arm}.jsonl",
            sealed="results/{study}/freeze/benchmarks-design.json",
            weights=weights_of_system,
        output:
            replies="results/{study}/benchmarks/replies/systems/{arm}/{system}.jsonl",
        log:
            "logs/{study}/benchmarks/visit_banks/{arm}.{system}.log",
        priority: 80
        params:
            record="data/freeze/{study}/benchmarks-design.json",
            parts=["control3"],
            language="en",
            store="data/memories/{study}/{system}/benchmark-{arm}",

    rule list_banks:
        """What every memory system took of every history, and what came back."""
        input:
            plans=collect(
                "results/{study}/benchmarks/plans/{arm}.jsonl", arm=STORED, allow_missing=True
            ),
            replies=collect(
                "results/{study}/benchmarks/replies/systems/{arm}/{system}.jsonl",
                arm=STORED,
                system=THROUGH,
                allow_missing=True,
            ),
        output:
            banks=report(
                "results/{study}/benchmarks/banks.csv",
                caption="../report/benchmarks_banks.rst",
                category="Benchmark",
            ),
        log:
            "logs/{study}/benchmarks/list_banks.log",
        params:
            code=code_of("benchmarks/list_banks.py"),
        script:
            "../scripts/benchmarks/list_banks.py"

    rule write_recalled_prompts:
        """Every item behind what one memory system recalled for it, of the banks that count."""
        input:
            benchmark=BENCHMARK["file"],
            asked="results/{study}/benchmarks/asked.csv",
            plans="results/{study}/benchmarks/plans/{arm}.jsonl",
            replies="results/{study}/benchmarks/replies/systems/{arm}/{system}.jsonl",
            texts=multiext(
                "workflow/veridical/texts/benchmark-",
                "memory.en.txt",
                "none.en.txt",
                "choice.en.txt",
                "letter.en.txt",
                "open.en.txt",
            ),
        output:
            prompts="results/{study}/benchmarks/prompts/{arm}-{system}.jsonl",
        log:
            "logs/{study}/benchmarks/write_recalled_prompts/{arm}.{system}.log",
        wildcard_constraints:
            arm="[a-z]+",
        params:
            format=BENCHMARK.get("format"),
            parameters=BENCHMARK["parameters"],
            code=code_of("benchmarks/write_recalled.py"),
        script:
            "../scripts/benchmarks/write_recalled.py"


if JUDGED:

    rule write_verdict_sheets:
        """Every different open answer once to each judge: question, right answer, answer given."""
        input:
            prompts=collect(
                "results/{study}/benchmarks/prompts/{slice}.jsonl",
                slice=SLICES,
                allow_missing=True,
            ),
            replies=collect(
                "results/{study}/benchmarks/replies/{slice}/{model}.jsonl",
                slice=SLICES,
                model=ASKED,
                allow_missing=True,
            ),
            asked="results/{study}/benchmarks/asked.csv",
            texts=multiext(
                "workflow/veridical/texts/verdict",
                ".en.txt",
                "-sheet.en.txt",
                "-words.en.txt",
            ),
        output:
            sheets="results/{study}/benchmarks/sheets.csv",
            written=collect(
                "results/{study}/benchmarks/sheets/{judge}.jsonl", judge=JUDGED, allow_missing=True
            ),
        log:
            "logs/{study}/benchmarks/write_verdict_sheets.log",
        params:
            seed=config["seed"],
            parameters=BENCHMARK["verdict"],
            code=code_of("benchmarks/write_sheets.py"),
        script:
            "../scripts/benchmarks/write_sheets.py"

    use rule collect_replies as collect_item_verdicts with:
        """Ask one judge whether each answer says what the right one says."""
        input:
            prompts="results/{study}/benchmarks/sheets/{model}.jsonl",
            sealed="results/{study}/freeze/benchmarks-responses.json",
            weights=weights_of,
        output:
            replies="results/{study}/benchmarks/replies/verdicts/{model}.jsonl",
        log:
            "logs/{study}/benchmarks/collect_item_verdicts/{model}.log",
        priority: ahead(5)
        params:
            collection="verdicts",
            record="data/freeze/{study}/benchmarks-responses.json",
            ledger="data/ledger/{study}/verdicts/{model}.sqlite",
            reask=2,

    rule judge_items:
        """Options by option, open answers by what more than half of the judges say."""
        input:
            prompts=collect(
                "results/{study}/benchmarks/prompts/{slice}.jsonl",
                slice=SLICES,
                allow_missing=True,
            ),
            replies=collect(
                "results/{study}/benchmarks/replies/{slice}/{model}.jsonl",
                slice=SLICES,
                model=ASKED,
                allow_missing=True,
            ),
            sheets="results/{study}/benchmarks/sheets.csv",
            verdicts=collect(
                "results/{study}/benchmarks/replies/verdicts/{judge}.jsonl",
                judge=JUDGED,
                allow_missing=True,
            ),
        output:
            answers=report(
                "results/{study}/benchmarks/answers.csv",
                caption="../report/benchmarks_answers.rst",
                category="Benchmark",
            ),
            judged="results/{study}/benchmarks/judged.csv",
        log:
            "logs/{study}/benchmarks/judge_items.log",
        params:
            code=code_of("benchmarks/settle_answers.py"),
        script:
            "../scripts/benchmarks/settle_answers.py"

    rule compare_judges:
        """How often do the judges say what exact match says?"""
        input:
            judged="results/{study}/benchmarks/judged.csv",
            sealed="results/{study}/freeze/benchmarks-verdicts.json",
        output:
            agreed=report(
                "results/{study}/benchmarks/agreement.csv",
                caption="../report/benchmarks_agreement.rst",
                category="Benchmark",
            ),
        log:
            "logs/{study}/benchmarks/compare_judges.log",
        params:
            code=code_of("benchmarks/compare_judges.py"),
        script:
            "../scripts/benchmarks/compare_judges.py"

else:

    rule score_items:
        """Every reply as right or not: by option, or by the answer's words."""
        input:
            prompts=collect(
                "results/{study}/benchmarks/prompts/{slice}.jsonl",
                slice=SLICES,
                allow_missing=True,
            ),
            replies=collect(
                "results/{study}/benchmarks/replies/{slice}/{model}.jsonl",
                slice=SLICES,
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
        sealed=f"results/{{study}}/freeze/benchmarks-{'verdicts' if JUDGED else 'responses'}.json",
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
        models=ASKED,
        systems=THROUGH,
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


DESIGN["benchmarks"] += [
    BENCHMARK["file"],
    *collect(
        "results/{study}/benchmarks/{table}.csv",
        study=STUDY,
        table=["asked", "sample", "given"],
    ),
    *collect("results/{study}/benchmarks/prompts/{arm}.jsonl", study=STUDY, arm=ARMS),
]
RESPONSES["benchmarks"] += collect(
    "results/{study}/benchmarks/replies/{slice}/{model}.jsonl",
    study=STUDY,
    slice=SLICES,
    model=ASKED,
)
if THROUGH:
    DESIGN["benchmarks"] += [
        *collect("results/{study}/benchmarks/plans/{arm}.jsonl", study=STUDY, arm=STORED),
        *code_files({system: MEMORY_SYSTEMS[system] for system in THROUGH}),
    ]
    RESPONSES["benchmarks"] += [
        *collect(
            "results/{study}/benchmarks/replies/systems/{arm}/{system}.jsonl",
            study=STUDY,
            arm=STORED,
            system=THROUGH,
        ),
        f"results/{STUDY}/benchmarks/banks.csv",
    ]
if JUDGED:
    RESPONSES["benchmarks"] += [
        f"results/{STUDY}/benchmarks/sheets.csv",
        *collect("results/{study}/benchmarks/sheets/{judge}.jsonl", study=STUDY, judge=JUDGED),
    ]
    VERDICTS["benchmarks"] += [
        *collect(
            "results/{study}/benchmarks/replies/verdicts/{judge}.jsonl", study=STUDY, judge=JUDGED
        ),
        f"results/{STUDY}/benchmarks/judged.csv",
        f"results/{STUDY}/benchmarks/answers.csv",
    ]
    RESULTS["benchmarks"] += [f"results/{STUDY}/benchmarks/agreement.csv"]
else:
    RESPONSES["benchmarks"] += [f"results/{STUDY}/benchmarks/answers.csv"]
RESULTS["benchmarks"] += collect(
    "results/{study}/benchmarks/{table}.csv",
    study=STUDY,
    table=["items", "checks", "strata", "flags", "arms", "contrasts", "premium"],
)
FIGURES += collect("figures/{study}/benchmarks_arms.{suffix}", study=STUDY, suffix=["svg", "pdf"])
