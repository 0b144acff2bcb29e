# Reads: every table in RESULTS, every SVG in FIGURES, the freezes, workflow/report/.
# Writes: results/{study}/codebook.csv, results/{study}/report/index.html.


report: "../report/workflow.rst"


rule write_codebook:
    """What every table holds: each column with its type, range, unit, words and a sentence."""
    output:
        codebook=report(
            "results/{study}/codebook.csv",
            caption="../report/codebook.rst",
            category="A page to read first",
        ),
    log:
        "logs/{study}/report/write_codebook.log",
    params:
        code=code_of("report/write_codebook.py"),
    script:
        "../scripts/report/write_codebook.py"


rule build_report:
    """The report: one page, from each number to the rows and exchanges that it came from."""
    input:
        config="results/{study}/config.json",
        tables=lambda wildcards: together(RESULTS),
        figures=lambda wildcards: [path for path in FIGURES if path.endswith(".svg")],
        published=lambda wildcards: PUBLISHED,
        sealed="results/{study}/freeze/results.json",
        texts=TEXTS,
        templates=collect(
            "workflow/report/templates/{name}.html.j2", name=["page", "part", "macros"]
        ),
        styles=collect("workflow/report/assets/{name}.css", name=["page", "parts", "drill"]),
        scripts=collect(
            "workflow/report/assets/{name}.js",
            name=["theme", "terms", "columns", "rows", "drill", "main"],
        ),
    output:
        page=report(
            "results/{study}/report/index.html",
            caption="../report/report.rst",
            category="A page to read first",
        ),
    log:
        "logs/{study}/report/build_report.log",
    params:
        drawings="figures/{study}",
        title=config.get("title", ""),
        language=config.get("language", "en"),
        deviations=log_digest(STUDY),
        times=times_digest(STUDY),
        code=code_of("report/build_report.py"),
    script:
        "../scripts/report/build_report.py"


RESULTS["study"] += [f"results/{STUDY}/codebook.csv"]
REPORT = [f"results/{STUDY}/report/index.html"]
