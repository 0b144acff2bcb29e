# Reads: data/corpora/{corpus}/ and the config; nothing that was collected, and no model is asked.
# Writes: results/{study}/zoo/: rates, instruments, faults, power, thresholds; the heat map.

ZOO = config["zoo"]
CORPORA_Z = list(ZOO.get("corpora", config["control3"]["corpora"]))
ZOO_TABLES = ["rates", "instruments", "faults", "power", "thresholds"]


rule measure_zoo:
    """Plant every fault in sound memories, study by study, and count what each instrument notices."""
    input:
        settings=collect("data/corpora/{corpus}/corpus.yaml", corpus=CORPORA_Z),
        life=collect(
            "data/corpora/{corpus}/{file}",
            corpus=CORPORA_Z,
            file=["encounters.csv", "memory_block.txt"],
        ),
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
    params:
        numbers={
            "entries": config["control3"]["document_encounters"],
            "probes": config["control3"]["probes"],
            "k": config.get("memories", {}).get("k", 5),
            "cells": len(config.get("memories", {}).get("systems", [1])) * len(CORPORA_Z),
            "seed": config["seed"],
        },
        design={key: ZOO[key] for key in ("studies", "power_studies", "strengths", "around")},
        yours=ZOO["instruments"],
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


RESULTS += collect("results/{study}/zoo/{table}.csv", study=STUDY, table=ZOO_TABLES)
FIGURES += collect("figures/{study}/zoo_noticed.{suffix}", study=STUDY, suffix=["svg", "pdf"])
