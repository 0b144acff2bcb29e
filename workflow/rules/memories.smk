# Reads: data/corpora/{corpus}/, the memory documents, Control 3's probes; what the systems give back.
# Writes: results/{study}/memories/: plans, recalls, receipts, answers, stages, cells, costs.

from veridical.memories.plan import EMPTY, SHAM, VERIDICAL
from veridical.memories.systems import System, code_files, parts_asked, systems_of, through

MEMORIES = config["memories"]
MEMORY_SYSTEMS = systems_of(config)
CORPORA_M = list(MEMORIES.get("corpora", CORPORA3))
READERS = {reader["model"]: reader for reader in MEMORIES["readers"]}
READ = [  # what each model reads: model, corpus, system
    (name, corpus, system)
    for name, reader in READERS.items()
    for corpus in CORPORA_M[: reader.get("corpora")]
    for system in reader.get("systems", MEMORY_SYSTEMS)
]
THROUGH_M = through(config)  # the other controls that go through one: control, (system, corpora)
GIVEN_M = [(part, system, name) for part, (system, on) in THROUGH_M.items() for name in on]
FURTHER_M = {  # by corpus, and the documents of each
    corpus: {
        part: (
            [*documents_of(config, corpus), "encounter-log"]
            if part == "control1"
            else ["veridical", config["control2"]["counterfeit"]]
        )
        for part, _, on in GIVEN_M
        if on == corpus
    }
    for corpus in CORPORA_M
}


wildcard_constraints:
    part="control1|control2",


rule write_plan:
    """What goes into every memory system, and what is asked of it, before anything is."""
    input:
        **CORPUS,
        probes="results/{study}/control3/probes/{corpus}.csv",
        documents=lambda wildcards: [
            f"results/{{study}}/documents/{wildcards.corpus}/{document}.txt"
            for document in (VERIDICAL, *CORRUPTED3[wildcards.corpus])
        ],
        further=lambda wildcards: [
            f"results/{{study}}/documents/{wildcards.corpus}/{document}.txt"
            for documents in FURTHER_M[wildcards.corpus].values()
            for document in documents
        ],
        recognition=lambda wildcards: (
            ["results/{study}/control2/probes.csv"]
            if wildcards.corpus in THROUGH_M.get("control2", ("", ()))[1]
            else []
        ),
        texts=lambda wildcards: fixed_texts(wildcards.corpus, "canary", "question-canary"),
    output:
        plan="results/{study}/memories/plans/{corpus}.json",
    log:
        "logs/{study}/memories/write_plan/{corpus}.log",
    params:
        numbers={
            "k": MEMORIES["k"],
            "seed": config["seed"],
            "entries": MEMORIES.get("entries"),
        },
        own=lambda wildcards: own_texts_about(wildcards.corpus),
        asked=lambda wildcards: FURTHER_M[wildcards.corpus],
        code=code_of("memories/write_plan.py"),
    script:
        "../scripts/memories/write_plan.py"


rule visit_memory:
    """Hygiene first; then every bank goes in by the system's own door, and every query is asked.

    One process a system, corpus and store: banks that share a store are told apart by the system.
    """
    input:
        plan="results/{study}/memories/plans/{corpus}.json",
        sealed=lambda wildcards: [
            f"results/{{study}}/freeze/{part}-design.json"
            for part in [
                "memories",
                *(
                    part
                    for part, *where in GIVEN_M
                    if where == [wildcards.system, wildcards.corpus]
                ),
            ]
        ],
        weights=weights_of_system,
    output:
        replies="results/{study}/memories/replies/systems/{corpus}/{system}.jsonl",
    log:
        "logs/{study}/memories/visit_memory/{corpus}.{system}.log",
    priority: 80
    resources:
        runtime=claimed("runtime"),
        mem_mb=claimed("mem_mb"),
    params:
        entry=lambda wildcards: MEMORIES["systems"][wildcards.system],
        parts=lambda wildcards: parts_asked(config, wildcards.system, wildcards.corpus),
        identity=lambda wildcards: MEMORY_SYSTEMS[wildcards.system].identity(),
        language=lambda wildcards: language_of(wildcards.corpus),
        version=lambda wildcards: MEMORY_SYSTEMS[wildcards.system].expected(),
        ledger="data/ledger/{study}/memories/{system}.sqlite",
        store="data/memories/{study}/{system}/{corpus}",
        budget=aside(config.get("budget", {})),
        collect=aside(config.get("collect", True)),
        record="data/freeze/{study}/memories-design.json",
        secret=aside(sorted(variables_named(config))),
        folder=aside(config.get("models_folder", "data/models")),
        code=code_of("memories/visit_memory.py"),
    script:
        "../scripts/memories/visit_memory.py"


rule tabulate_banks:
    """The receipt of every bank, the hygiene of every system, every recall."""
    input:
        plans=collect(
            "results/{study}/memories/plans/{corpus}.json", corpus=CORPORA_M, allow_missing=True
        ),
        replies=collect(
            "results/{study}/memories/replies/systems/{corpus}/{system}.jsonl",
            corpus=CORPORA_M,
            system=MEMORY_SYSTEMS,
            allow_missing=True,
        ),
    output:
        hygiene=report(
            "results/{study}/memories/hygiene.csv",
            caption="../report/memories_hygiene.rst",
            category="Memory systems",
        ),
        banks=report(
            "results/{study}/memories/banks.csv",
            caption="../report/memories_banks.rst",
            category="Memory systems",
        ),
        entries=report(
            "results/{study}/memories/entries.csv",
            caption="../report/memories_entries.rst",
            category="Memory systems",
        ),
        recalls=report(
            "results/{study}/memories/recalls.csv",
            caption="../report/memories_recalls.rst",
            category="Memory systems",
        ),
    log:
        "logs/{study}/memories/tabulate_banks.log",
    params:
        parts={
            f"{corpus}/{system}": parts_asked(config, system, corpus)
            for corpus in CORPORA_M
            for system in MEMORY_SYSTEMS
        },
        code=code_of("memories/tabulate_banks.py"),
    script:
        "../scripts/memories/tabulate_banks.py"


rule write_recalled:
    """What a system gave back for Control 1 or 2, where the control goes through it."""
    input:
        plan="results/{study}/memories/plans/{corpus}.json",
        replies=lambda wildcards: (
            "results/{{study}}/memories/replies/systems/{{corpus}}/{system}.jsonl".format(
                system=THROUGH_M[wildcards.part][0]
            )
        ),
    output:
        recalled="results/{study}/memories/recalled/{part}-{corpus}.jsonl",
    log:
        "logs/{study}/memories/write_recalled/{part}.{corpus}.log",
    params:
        code=code_of("memories/write_recalled.py"),
    script:
        "../scripts/memories/write_recalled.py"


rule tabulate_recalled:
    """How much of each memory Controls 1 and 2 were given, where they go through a system."""
    input:
        recalled=[
            f"results/{{study}}/memories/recalled/{part}-{corpus}.jsonl"
            for part, _, corpus in GIVEN_M
        ],
    output:
        contexts=report(
            "results/{study}/memories/contexts.csv",
            caption="../report/memories_contexts.rst",
            category="Memory systems",
        ),
    log:
        "logs/{study}/memories/tabulate_recalled.log",
    params:
        given=GIVEN_M,
        code=code_of("memories/tabulate_recalled.py"),
    script:
        "../scripts/memories/tabulate_recalled.py"


rule write_reader_prompts:
    """Control 3's question behind what one system recalled, for the banks that are admitted."""
    input:
        **CORPUS,
        plan="results/{study}/memories/plans/{corpus}.json",
        drawn="results/{study}/control3/probes/{corpus}.csv",
        replies="results/{study}/memories/replies/systems/{corpus}/{system}.jsonl",
        texts=lambda wildcards: fixed_texts(
            wildcards.corpus,
            "recalled",
            "no-memory",
            "task-partner",
            "question-partner",
            "quote-partner",
        ),
    output:
        prompts="results/{study}/memories/prompts/{corpus}-{system}.jsonl",
    log:
        "logs/{study}/memories/write_reader_prompts/{corpus}.{system}.log",
    params:
        probes=MEMORIES.get("reader_probes"),
        own=lambda wildcards: own_texts_about(wildcards.corpus),
        code=code_of("memories/write_reader_prompts.py"),
    script:
        "../scripts/memories/write_reader_prompts.py"


use rule collect_replies as collect_recalled with:
    """Ask one model Control 3's question from what one system recalled."""
    input:
        prompts="results/{study}/memories/prompts/{slice}.jsonl",
        sealed="results/{study}/freeze/memories-design.json",
        weights=weights_of,
    output:
        replies="results/{study}/memories/replies/readers/{slice}/{model}.jsonl",
    log:
        "logs/{study}/memories/collect_recalled/{slice}.{model}.log",
    priority: ahead(7)
    params:
        collection="memories",
        record="data/freeze/{study}/memories-design.json",
        ledger="data/ledger/{study}/memories/{model}.sqlite",


rule score_readers:
    """Every reader's answers: the ideal reader's by string match, the models' from their replies."""
    input:
        plans=collect(
            "results/{study}/memories/plans/{corpus}.json", corpus=CORPORA_M, allow_missing=True
        ),
        recalls=collect(
            "results/{study}/memories/replies/systems/{corpus}/{system}.jsonl",
            corpus=CORPORA_M,
            system=MEMORY_SYSTEMS,
            allow_missing=True,
        ),
        prompts=[
            f"results/{{study}}/memories/prompts/{corpus}-{system}.jsonl"
            for corpus, system in dict.fromkeys(read[1:] for read in READ)
        ],
        replies=[
            f"results/{{study}}/memories/replies/readers/{corpus}-{system}/{name}.jsonl"
            for name, corpus, system in READ
        ],
    output:
        answers=report(
            "results/{study}/memories/answers.csv",
            caption="../report/memories_answers.rst",
            category="Memory systems",
        ),
    log:
        "logs/{study}/memories/score_readers.log",
    params:
        probes=MEMORIES.get("reader_probes"),
        code=code_of("memories/score_readers.py"),
    script:
        "../scripts/memories/score_readers.py"


rule test_memories:
    """Stored, found, followed; the cells, exact and corrected by Holm; two equal banks beside them."""
    input:
        plans=collect(
            "results/{study}/memories/plans/{corpus}.json", corpus=CORPORA_M, allow_missing=True
        ),
        replies=collect(
            "results/{study}/memories/replies/systems/{corpus}/{system}.jsonl",
            corpus=CORPORA_M,
            system=MEMORY_SYSTEMS,
            allow_missing=True,
        ),
        banks="results/{study}/memories/banks.csv",
        recalls="results/{study}/memories/recalls.csv",
        answers="results/{study}/memories/answers.csv",
        sealed="results/{study}/freeze/memories-responses.json",
    output:
        **{
            name: report(
                f"results/{{study}}/memories/{name}.csv",
                caption=f"../report/memories_{name}.rst",
                category="Memory systems",
            )
            for name in ("stages", "curve", "cells", "sham", "costs")
        },
    log:
        "logs/{study}/memories/test_memories.log",
    params:
        swapped={corpus: CORRUPTED3[corpus] for corpus in CORPORA_M},
        partners={corpus: PARTNERS3[corpus] for corpus in CORPORA_M},
        systems=list(MEMORY_SYSTEMS),
        code=code_of("memories/test_memories.py"),
    script:
        "../scripts/memories/test_memories.py"


rule draw_stages:
    """Three bars a system: stored, found, followed, under the true and the swapped memory."""
    input:
        texts=TEXTS,
        stages="results/{study}/memories/stages.csv",
    output:
        svg=report(
            "figures/{study}/memories_stages.svg",
            caption="../report/memories_stages_figure.rst",
            category="Memory systems",
        ),
        pdf="figures/{study}/memories_stages.pdf",
    log:
        "logs/{study}/memories/draw_stages.log",
    params:
        code=code_of("memories/draw_stages.py"),
    script:
        "../scripts/memories/draw_stages.py"


rule check_memory:
    """Does every memory system of the config keep the protocol? Told in words, before any study."""
    input:
        weights=[
            f"data/models/{name}.json"
            for each in MEMORY_SYSTEMS.values()
            for name in each.weights()
        ],
    log:
        f"logs/{STUDY}/memories/check_memory.log",
    params:
        systems=MEMORIES["systems"],
        folder=config.get("models_folder", "data/models"),
        code=code_of("memories/check_memory.py"),
    script:
        "../scripts/memories/check_memory.py"


DESIGN["memories"] += [
    *collect("results/{study}/memories/plans/{corpus}.json", study=STUDY, corpus=CORPORA_M),
    *collect("results/{study}/control3/probes/{corpus}.csv", study=STUDY, corpus=CORPORA_M),
    *[
        f"results/{STUDY}/documents/{corpus}/{document}.txt"
        for corpus in CORPORA_M
        for document in (VERIDICAL, *CORRUPTED3[corpus])
    ],
    *code_files(MEMORY_SYSTEMS),
]
RESPONSES["memories"] += [
    *collect(
        "results/{study}/memories/replies/systems/{corpus}/{system}.jsonl",
        study=STUDY,
        corpus=CORPORA_M,
        system=MEMORY_SYSTEMS,
    ),
    *[
        f"results/{STUDY}/memories/replies/readers/{corpus}-{system}/{name}.jsonl"
        for name, corpus, system in READ
    ],
    *collect(
        "results/{study}/memories/{table}.csv",
        study=STUDY,
        table=["hygiene", "banks", "entries", "recalls", "answers"],
    ),
]
for part, _, corpus in GIVEN_M:
    RESPONSES["memories"] += [f"results/{STUDY}/memories/recalled/{part}-{corpus}.jsonl"]
    RESPONSES[part] += [f"results/{STUDY}/memories/recalled/{part}-{corpus}.jsonl"]
if THROUGH_M:
    RESPONSES["memories"] += [f"results/{STUDY}/memories/contexts.csv"]
RESULTS["memories"] += collect(
    "results/{study}/memories/{table}.csv",
    study=STUDY,
    table=["stages", "curve", "cells", "sham", "costs"],
)
FIGURES += collect("figures/{study}/memories_stages.{suffix}", study=STUDY, suffix=["svg", "pdf"])
