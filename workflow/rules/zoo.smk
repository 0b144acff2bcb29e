# Reads: data/corpora/{corpus}/ and the config; a judge's replies, where one is on, and no others.
# Writes: results/{study}/zoo/: rates, instruments, faults, power, thresholds; sheets and verdicts where
# there is a judge; the heat map.

from veridical.zoo.asks import TEXTS as TEXTS_OF_SHEETS, judge_of, own_files

ZOO = config["zoo"]
CORPORA_Z = list(ZOO.get("corpora", config["control3"]["corpora"]))
ZOO_JUDGE = [model for model in [judge_of(config)] if model]
ZOO_TABLES = ["rates", "instruments", "faults", "power", "thresholds"]
ZOO_TABLES += ["verdicts" for _ in ZOO_JUDGE]
ZOO_SIZE = {
    "entries": config["control3"]["document_encounters"],
    "probes": config["control3"]["probes"],
    "k": config.get("memories", {}).get("k", 5),
    "seed": config["seed"],
}
ZOO_SHEETS = [f"results/{STUDY}/zoo/prompts/answers.jsonl" for _ in ZOO_JUDGE]
ZOO_REPLIES = [f"results/{STUDY}/zoo/replies/answers/{model}.jsonl" for model in ZOO_JUDGE]


rule write_zoo_sheets:
    """Every distinct answer of the judged studies, for a judge who knows nothing else of it."""
    input:
        settings=f"data/corpora/{CORPORA_Z[0]}/corpus.yaml",
        life=collect(
            "data/corpora/{corpus}/{file}",
            corpus=CORPORA_Z[0],
            file=["encounters.csv", "memory_block.txt"],
        ),
        texts=fixed_texts(CORPORA_Z[0], *TEXTS_OF_SHEETS),
    output:
        prompts="results/{study}/zoo/prompts/answers.jsonl",
    log:
        "logs/{study}/zoo/write_zoo_sheets.log",
    params:
        numbers=ZOO_SIZE,
        around=ZOO["around"],
        judge=ZOO["judge"],
        code=code_of("zoo/write_sheets.py"),
    script:
        "../scripts/zoo/write_sheets.py"


use rule collect_replies as collect_zoo with:
    """Have the judge grade every distinct answer, through the ledger."""
    input:
        prompts="results/{study}/zoo/prompts/{slice}.jsonl",
        sealed="results/{study}/freeze/zoo-design.json",
        weights=weights_of,
    output:
        replies="results/{study}/zoo/replies/{slice}/{model}.jsonl",
    log:
        "logs/{study}/zoo/collect_zoo/{slice}.{model}.log",
    priority: ahead(5)
    params:
        collection="zoo",
        record="data/freeze/{study}/zoo-design.json",
        ledger="data/ledger/{study}/zoo/{model}.sqlite",


rule measure_zoo:
    """Plant every fault in sound memories, study by study, and count what each instrument notices."""
    input:
        replies=ZOO_REPLIES,
        sealed=[f"results/{STUDY}/freeze/zoo-responses.json" for _ in ZOO_JUDGE],
        settings=collect("data/corpora/{corpus}/corpus.yaml", corpus=CORPORA_Z),
        life=[file for corpus in CORPORA_Z for file in corpus_files(corpus)],
        functions=[
            entry["function"].rpartition(":")[0]
            for entry in ZOO["instruments"].values()
            if "function" in entry
        ],
        programs=[
            part
            for entry in ZOO["instruments"].values()
            for part in entry.get("command", [])
            if Path(part).is_file()
        ],
        texts=sorted(
            {
                text
                for corpus in CORPORA_Z
                for text in fixed_texts(corpus, "canary", "question-canary")
            }
        ),
    output:
        **{
            table: report(
                f"results/{{study}}/zoo/{table}.csv",
                caption=f"../report/zoo_{table}.rst",
                category="Fault zoo",
            )
            for table in ZOO_TABLES
        },
    log:
        "logs/{study}/zoo/measure_zoo.log",
    resources:
        runtime=60,
        mem_mb=3000,
    params:
        numbers={
            **ZOO_SIZE,
            "cells": len(config.get("memories", {}).get("systems", [1])) * len(CORPORA_Z),
        },
        design={key: ZOO[key] for key in ("studies", "power_studies", "strengths", "around")},
        yours=ZOO["instruments"],
        judge=ZOO["judge"],
        code=code_of("zoo/measure_zoo.py"),
    script:
        "../scripts/zoo/measure_zoo.py"


rule draw_zoo:
    """A square a fault and instrument, the fuller the more studies noticed; sound memories below."""
    input:
        texts=TEXTS,
        rates="results/{study}/zoo/rates.csv",
    output:
        svg=report(
            "figures/{study}/zoo_noticed.svg",
            caption="../report/zoo_figure.rst",
            category="Fault zoo",
        ),
        pdf="figures/{study}/zoo_noticed.pdf",
    log:
        "logs/{study}/zoo/draw_zoo.log",
    params:
        code=code_of("zoo/draw_zoo.py"),
    script:
        "../scripts/zoo/draw_zoo.py"


rule zoo:
    """The fault zoo alone: its tables and its figure."""
    input:
        collect("results/{study}/zoo/{table}.csv", study=STUDY, table=ZOO_TABLES),
        f"figures/{STUDY}/zoo_noticed.svg",


DESIGN["zoo"] += [*ZOO_SHEETS, *own_files(ZOO["instruments"])]
RESPONSES["zoo"] += ZOO_REPLIES
RESULTS["zoo"] += collect("results/{study}/zoo/{table}.csv", study=STUDY, table=ZOO_TABLES)
FIGURES += collect("figures/{study}/zoo_noticed.{suffix}", study=STUDY, suffix=["svg", "pdf"])
