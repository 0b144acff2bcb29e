# Reads: data/corpora/{corpus}/, the author model's replies.
# Writes: results/{study}/documents/{corpus}/: the memory documents, fidelity.csv, attempts.csv.

from veridical.base.counterfeits import (
    authored,
    brought_life,
    counterfeited,
    documents_of,
    life_files,
)

CORPUS = {
    "settings": "data/corpora/{corpus}/corpus.yaml",
    "files": lambda wildcards: corpus_files(wildcards.corpus),
}
OWN_LIVES = config["documents"]["own"]  # other lives that are brought, by corpus and document
AUTHOR = config["documents"].get("author", "none")
FOREIGN = [f"foreign-{seed}" for seed in config["documents"]["foreign_seeds"]]


rule copy_memory:
    """The veridical document: the memory block, as the corpus has it."""
    input:
        **CORPUS,
    output:
        document="results/{study}/documents/{corpus}/veridical.txt",
    log:
        "logs/{study}/documents/copy_memory/{corpus}.log",
    params:
        content="veridical",
        code=code_of("documents/copy_memory.py"),
    script:
        "../scripts/documents/copy_memory.py"


rule copy_log:
    """The encounter log: the whole life, for the anchors that the corpus doesn't bring itself."""
    input:
        **CORPUS,
    output:
        document="results/{study}/documents/{corpus}/encounter-log.txt",
    log:
        "logs/{study}/documents/copy_log/{corpus}.log",
    params:
        content="encounter-log",
        code=code_of("documents/copy_memory.py"),
    script:
        "../scripts/documents/copy_memory.py"


rule shuffle_memory:
    """A shuffled counterfeit: the agent's own entries, who, what and when bound anew."""
    input:
        **CORPUS,
    output:
        document="results/{study}/documents/{corpus}/shuffled-{seed}.txt",
    log:
        "logs/{study}/documents/shuffle_memory/{corpus}.{seed}.log",
    params:
        tolerance=lookup(within=config, dpath="documents/length_tolerance"),
        code=code_of("documents/shuffle_memory.py"),
    script:
        "../scripts/documents/shuffle_memory.py"


rule corrupt_bindings:
    """The memory block with the partners exchanged: topics and dates right, every name wrong."""
    input:
        **CORPUS,
        checks="results/{study}/control3/symmetry/{corpus}.csv",
    output:
        document="results/{study}/documents/{corpus}/{document}.txt",
    log:
        "logs/{study}/documents/corrupt_bindings/{corpus}.{document}.log",
    wildcard_constraints:
        document="binding-corrupted(-[0-9]+)?",
    params:
        name="{document}",
        code=code_of("documents/corrupt_bindings.py"),
    script:
        "../scripts/documents/corrupt_bindings.py"


rule write_author_prompts:
    """What the author is asked: a life that nobody lived, as long and in the form of the real one."""
    input:
        **CORPUS,
        texts=lambda wildcards: fixed_texts(
            wildcards.corpus,
            "foreign-life",
            "foreign-entry",
            "foreign-whole",
            "foreign-examples",
            "subjects",
            "lives.yaml",
            "foreign-words.yaml",
        ),
    output:
        prompts="results/{study}/documents/prompts/{corpus}.jsonl",
    log:
        "logs/{study}/documents/write_author_prompts/{corpus}.log",
    params:
        seeds=lambda wildcards: authored(config, wildcards.corpus),
        form=lookup(within=config, dpath="documents/author_form"),
        parameters=lookup(within=config, dpath="documents/author_parameters"),
        further=lookup(within=config, dpath="documents/further_attempts"),
        own=lambda wildcards: own_texts_about(wildcards.corpus),
        code=code_of("documents/write_author_prompts.py"),
    script:
        "../scripts/documents/write_author_prompts.py"


use rule collect_replies as collect_foreign with:
    """Have the author write the lives that nobody lived, entry by entry."""
    input:
        prompts="results/{study}/documents/prompts/{slice}.jsonl",
        sealed="results/{study}/freeze/study.json",
        weights=weights_of,
    output:
        replies="results/{study}/documents/replies/{slice}/{model}.jsonl",
    log:
        "logs/{study}/documents/collect_foreign/{slice}.{model}.log",
    priority: ahead(10)
    params:
        collection="author",
        ledger="data/ledger/{study}/author/{model}.sqlite",
        threads=author_servers,


rule assemble_foreign:
    """A foreign counterfeit: the author's first output, or the attempt that the config accounts for."""
    input:
        **CORPUS,
        prompts=lambda wildcards: (
            []
            if f"foreign-{wildcards.seed}" in OWN_LIVES.get(wildcards.corpus, {})
            else "results/{study}/documents/prompts/{corpus}.jsonl"
        ),
        replies=lambda wildcards: (
            []
            if f"foreign-{wildcards.seed}" in OWN_LIVES.get(wildcards.corpus, {})
            else f"results/{{study}}/documents/replies/{{corpus}}/{AUTHOR}.jsonl"
        ),
        brought=lambda wildcards: brought_life(
            config, wildcards.corpus, f"foreign-{wildcards.seed}"
        )[:1],
        life=lambda wildcards: brought_life(config, wildcards.corpus, f"foreign-{wildcards.seed}")[
            1:
        ],
    output:
        document="results/{study}/documents/{corpus}/foreign-{seed}.txt",
    log:
        "logs/{study}/documents/assemble_foreign/{corpus}.{seed}.log",
    params:
        tolerance=lookup(within=config, dpath="documents/length_tolerance"),
        further=lookup(within=config, dpath="documents/further_attempts"),
        kind="foreign",
        code=code_of("documents/assemble_foreign.py"),
    script:
        "../scripts/documents/assemble_foreign.py"


use rule assemble_foreign as place_relative with:
    """An adjacent counterfeit: a near relative's life, which the study brings."""
    input:
        **CORPUS,
        prompts=[],
        replies=[],
        brought=lambda wildcards: brought_life(
            config, wildcards.corpus, f"adjacent-{wildcards.seed}"
        )[:1],
        life=lambda wildcards: brought_life(
            config, wildcards.corpus, f"adjacent-{wildcards.seed}"
        )[1:],
    output:
        document="results/{study}/documents/{corpus}/adjacent-{seed}.txt",
    log:
        "logs/{study}/documents/place_relative/{corpus}.{seed}.log",
    params:
        kind="adjacent",


rule alter_memory:
    """A counterfeit by rule: some bindings traded, or superseded values held as current."""
    input:
        **CORPUS,
    output:
        document="results/{study}/documents/{corpus}/{document}.txt",
    log:
        "logs/{study}/documents/alter_memory/{corpus}.{document}.log",
    wildcard_constraints:
        document="partial-[0-9]+-[0-9]+|stale",
    params:
        name="{document}",
        tolerance=lookup(within=config, dpath="documents/length_tolerance"),
        code=code_of("documents/alter_memory.py"),
    script:
        "../scripts/documents/alter_memory.py"


rule list_attempts:
    """Every attempt at a foreign counterfeit, with its reason and what was wrong with it."""
    input:
        **CORPUS,
        prompts="results/{study}/documents/prompts/{corpus}.jsonl",
        replies=f"results/{{study}}/documents/replies/{{corpus}}/{AUTHOR}.jsonl",
    output:
        attempts=report(
            "results/{study}/documents/{corpus}/attempts.csv",
            caption="../report/documents_attempts.rst",
            category="Memory documents",
        ),
    log:
        "logs/{study}/documents/list_attempts/{corpus}.log",
    params:
        seeds=lambda wildcards: authored(config, wildcards.corpus),
        tolerance=lookup(within=config, dpath="documents/length_tolerance"),
        further=lookup(within=config, dpath="documents/further_attempts"),
        code=code_of("documents/list_attempts.py"),
    script:
        "../scripts/documents/list_attempts.py"


rule check_fidelity:
    """Length, form, bindings and names of every document against the real block; stops on a failure."""
    input:
        **CORPUS,
        documents=lambda wildcards: collect(
            "results/{study}/documents/{corpus}/{document}.txt",
            document=documents_of(config, wildcards.corpus),
            allow_missing=True,
        ),
    output:
        fidelity=report(
            "results/{study}/documents/{corpus}/fidelity.csv",
            caption="../report/documents_fidelity.rst",
            category="Memory documents",
        ),
    log:
        "logs/{study}/documents/check_fidelity/{corpus}.log",
    params:
        tolerance=lookup(within=config, dpath="documents/length_tolerance"),
        code=code_of("documents/check_fidelity.py"),
    script:
        "../scripts/documents/check_fidelity.py"


# A part that has counterfeits seals all of its corpus's: their fidelity is checked together.
for part in PARTS:
    about = counterfeited({part: config[part]})
    written = [corpus for corpus in about if authored(config, corpus)]
    DESIGN[part] += [
        *(
            f"results/{STUDY}/documents/{corpus}/{document}.txt"
            for corpus in about
            for document in documents_of(config, corpus)
        ),
        *collect("results/{study}/documents/{corpus}/fidelity.csv", study=STUDY, corpus=about),
        *(
            file
            for corpus in about
            for path in OWN_LIVES.get(corpus, {}).values()
            for file in life_files(path)
        ),
        *collect(
            [
                "results/{study}/documents/{corpus}/attempts.csv",
                "results/{study}/documents/prompts/{corpus}.jsonl",
                "results/{study}/documents/replies/{corpus}/{author}.jsonl",
            ],
            study=STUDY,
            corpus=written,
            author=AUTHOR,
        ),
    ]
