# Reads: data/corpora/{corpus}/, the veridical documents; the responders' replies.
# Writes: results/{study}/control3/: symmetry, probes, prompts, answers, cells; figures.

from veridical.base.brought import partners_in
from veridical.control3.arms import ARMS, arms_of
from veridical.documents.corrupted import COUNTED, corrupted_names, count_partners

CORPORA3 = config["control3"]["corpora"]
RESPONDERS3 = config["control3"]["responders"]
BROUGHT3 = [path for path in [config["control3"].get("answers_csv")] if path]
PROBES3 = [path for path in [config["control3"].get("probes_csv")] if path]
PARTNERS3 = (
    partners_in(BROUGHT3[0])
    if BROUGHT3
    else {corpus: count_partners(f"data/corpora/{corpus}") for corpus in CORPORA3}
)
CORRUPTED3 = {corpus: corrupted_names(k) for corpus, k in PARTNERS3.items()}
SLICES3 = [
    f"{corpus}-{document}"
    for corpus in ([] if BROUGHT3 else CORPORA3)
    for document in ["veridical", *CORRUPTED3[corpus], "none"]
]
LIVES3 = [corpus for corpus, k in PARTNERS3.items() if k == COUNTED and not BROUGHT3]
BESIDE3 = arms_of(config["control3"], CORRUPTED3, LIVES3)
ASKED3 = [(part, model) for part, models in BESIDE3.items() for model in models]


rule check_symmetry:
    """Stop, before anything is asked, where something but the document could tell a partner."""
    input:
        **CORPUS,
    output:
        checks="results/{study}/control3/symmetry/{corpus}.csv",
    log:
        "logs/{study}/control3/check_symmetry/{corpus}.log",
    params:
        numbers={name: config["control3"][name] for name in ("probes", "document_encounters")},
        code=code_of("control3/check_symmetry.py"),
    script:
        "../scripts/control3/check_symmetry.py"


rule draw_symmetric_probes:
    """Topics of the document, as many a partner, each partner as often offered first."""
    input:
        **CORPUS,
        checks="results/{study}/control3/symmetry/{corpus}.csv",
        brought=PROBES3,
    output:
        probes="results/{study}/control3/probes/{corpus}.csv",
    log:
        "logs/{study}/control3/draw_symmetric_probes/{corpus}.log",
    params:
        numbers={"n": config["control3"]["probes"], "seed": config["seed"]},
        code=code_of("control3/draw_probes.py"),
    script:
        "../scripts/control3/draw_probes.py"


rule gather_symmetry:
    """The symmetry checks of all corpora."""
    input:
        parts=collect(
            "results/{study}/control3/symmetry/{corpus}.csv", corpus=CORPORA3, allow_missing=True
        ),
    output:
        table=report(
            "results/{study}/control3/symmetry.csv",
            caption="../report/control3_symmetry.rst",
            category="Control 3",
        ),
    log:
        "logs/{study}/control3/gather_symmetry.log",
    params:
        of="symmetry",
        code=code_of("control3/gather_tables.py"),
    script:
        "../scripts/control3/gather_tables.py"


rule gather_symmetric_probes:
    """The probes of all corpora."""
    input:
        parts=collect(
            "results/{study}/control3/probes/{corpus}.csv", corpus=CORPORA3, allow_missing=True
        ),
    output:
        table=report(
            "results/{study}/control3/probes.csv",
            caption="../report/control3_probes.rst",
            category="Control 3",
        ),
    log:
        "logs/{study}/control3/gather_symmetric_probes.log",
    params:
        of="probes",
        code=code_of("control3/gather_tables.py"),
    script:
        "../scripts/control3/gather_tables.py"


rule write_partner_prompts:
    """Every probe behind one document, or behind none; all of them share their beginning."""
    input:
        **CORPUS,
        probes="results/{study}/control3/probes/{corpus}.csv",
        document=branch(
            lambda wildcards: wildcards.document == "none",
            then=[],
            otherwise=["results/{study}/documents/{corpus}/{document}.txt"],
        ),
        texts=lambda wildcards: fixed_texts(
            wildcards.corpus,
            "memory",
            "no-memory",
            "task-partner",
            "question-partner",
            "quote-partner",
        ),
    output:
        prompts="results/{study}/control3/prompts/{corpus}-{document}.jsonl",
    log:
        "logs/{study}/control3/write_partner_prompts/{corpus}.{document}.log",
    params:
        own=lambda wildcards: own_texts_about(wildcards.corpus),
        code=code_of("control3/write_prompts.py"),
    script:
        "../scripts/control3/write_prompts.py"


use rule collect_replies as collect_partners with:
    """Ask one model every symmetric probe of one corpus under one document."""
    input:
        prompts="results/{study}/control3/prompts/{slice}.jsonl",
        sealed="results/{study}/freeze/control3-design.json",
        weights=weights_of,
    output:
        replies="results/{study}/control3/replies/{slice}/{model}.jsonl",
    log:
        "logs/{study}/control3/collect_partners/{slice}.{model}.log",
    priority: ahead(7)
    params:
        collection="control3",
        record="data/freeze/{study}/control3-design.json",
        ledger="data/ledger/{study}/control3/{model}.sqlite",


rule score_partners:
    """Every reply as an answer: right, wrong, or none, with its honest state."""
    input:
        prompts=collect(
            "results/{study}/control3/prompts/{slice}.jsonl", slice=SLICES3, allow_missing=True
        ),
        replies=collect(
            "results/{study}/control3/replies/{slice}/{model}.jsonl",
            slice=SLICES3,
            model=RESPONDERS3,
            allow_missing=True,
        ),
        brought=BROUGHT3,
    output:
        answers=report(
            "results/{study}/control3/answers.csv",
            caption="../report/control3_answers.rst",
            category="Control 3",
        ),
    log:
        "logs/{study}/control3/score_partners.log",
    params:
        code=code_of("control3/score_answers.py"),
    script:
        "../scripts/control3/score_answers.py"


rule test_cells:
    """Do answers follow the document? Exact McNemar a cell, Holm over each corpus's cells."""
    input:
        answers="results/{study}/control3/answers.csv",
        sealed="results/{study}/freeze/control3-responses.json",
    output:
        cells=report(
            "results/{study}/control3/cells.csv",
            caption="../report/control3_cells.rst",
            category="Control 3",
        ),
    log:
        "logs/{study}/control3/test_cells.log",
    params:
        corpora=PARTNERS3,
        models=RESPONDERS3,
        code=code_of("control3/test_cells.py"),
    script:
        "../scripts/control3/test_cells.py"


rule write_beside_prompts:
    """The probes with no way out, in the other order, or in a form that can say what is wrong."""
    input:
        **CORPUS,
        probes="results/{study}/control3/probes/{corpus}.csv",
        texts=lambda wildcards: fixed_texts(
            wildcards.corpus,
            "memory",
            "no-memory",
            "task-partner",
            "question-partner",
            "quote-partner",
            "question-forced",
            "question-noticing",
            "flag",
        ),
    output:
        prompts="results/{study}/control3/beside/{arm}-{corpus}-{document}.jsonl",
    log:
        "logs/{study}/control3/write_beside_prompts/{arm}-{corpus}-{document}.log",
    wildcard_constraints:
        arm="|".join(ARMS),
    params:
        numbers={"noticing": config["control3"]["noticing"]["probes"], "seed": config["seed"]},
        own=lambda wildcards: own_texts_about(wildcards.corpus),
        code=code_of("control3/write_beside.py"),
    script:
        "../scripts/control3/write_beside.py"


use rule collect_replies as collect_beside with:
    """Ask one model what stands beside the registered probes."""
    input:
        prompts="results/{study}/control3/beside/{slice}.jsonl",
        sealed="results/{study}/freeze/control3-design.json",
        weights=weights_of,
    output:
        replies="results/{study}/control3/beside_replies/{slice}/{model}.jsonl",
    log:
        "logs/{study}/control3/collect_beside/{slice}.{model}.log",
    priority: ahead(7)
    params:
        collection="control3",
        record="data/freeze/{study}/control3-design.json",
        ledger="data/ledger/{study}/control3/{model}.sqlite",


rule count_beside:
    """With no way out, in either order, and where a form can say so: what was answered."""
    input:
        answers="results/{study}/control3/answers.csv",
        prompts=collect(
            "results/{study}/control3/beside/{slice}.jsonl",
            slice=list(BESIDE3),
            allow_missing=True,
        ),
        replies=[
            f"results/{{study}}/control3/beside_replies/{part}/{model}.jsonl"
            for part, model in ASKED3
        ],
        sealed="results/{study}/freeze/control3-responses.json",
    output:
        beside="results/{study}/control3/beside.csv",
        forced="results/{study}/control3/forced.csv",
        noticing="results/{study}/control3/noticing.csv",
        orders="results/{study}/control3/orders.csv",
        stale="results/{study}/control3/stale.csv",
    log:
        "logs/{study}/control3/count_beside.log",
    params:
        corpora=PARTNERS3,
        code=code_of("control3/score_beside.py"),
    script:
        "../scripts/control3/score_beside.py"


rule draw_cells:
    """Accuracy with the true and with the false document, cell by cell, against chance."""
    input:
        texts=TEXTS,
        cells="results/{study}/control3/cells.csv",
    output:
        svg=report(
            "figures/{study}/control3_cells.svg",
            caption="../report/control3_cells_figure.rst",
            category="Control 3",
        ),
        pdf="figures/{study}/control3_cells.pdf",
    log:
        "logs/{study}/control3/draw_cells.log",
    params:
        code=code_of("control3/draw_cells.py"),
    script:
        "../scripts/control3/draw_cells.py"


rule draw_parts:
    """What became of every probe under each document: right, wrong, abstained, unreadable."""
    input:
        texts=TEXTS,
        cells="results/{study}/control3/cells.csv",
    output:
        svg=report(
            "figures/{study}/control3_parts.svg",
            caption="../report/control3_parts.rst",
            category="Control 3",
        ),
        pdf="figures/{study}/control3_parts.pdf",
    log:
        "logs/{study}/control3/draw_parts.log",
    params:
        code=code_of("control3/draw_parts.py"),
    script:
        "../scripts/control3/draw_parts.py"


CONTROL3 = collect(
    "results/{study}/control3/{table}.csv",
    study=STUDY,
    table=[
        *([] if BROUGHT3 else ["symmetry", "probes"]),
        *["cells", "beside", "forced", "noticing", "orders", "stale"],
    ],
)
CONTROL3_FIGURES = collect(
    "figures/{study}/control3_{figure}.{suffix}",
    study=STUDY,
    figure=["cells", "parts"],
    suffix=["svg", "pdf"],
)
ASKED_ABOUT3 = [] if BROUGHT3 else CORPORA3
DESIGN["control3"] += [
    *BROUGHT3,
    *PROBES3,
    *collect("results/{study}/control3/symmetry/{corpus}.csv", study=STUDY, corpus=ASKED_ABOUT3),
    *collect("results/{study}/control3/probes/{corpus}.csv", study=STUDY, corpus=ASKED_ABOUT3),
    *collect("results/{study}/control3/prompts/{slice}.jsonl", study=STUDY, slice=SLICES3),
    *[f"results/{STUDY}/control3/beside/{part}.jsonl" for part in BESIDE3],
    *[
        f"results/{STUDY}/documents/{corpus}/{document}.txt"
        for corpus in ASKED_ABOUT3
        for document in ["veridical", *CORRUPTED3[corpus]]
    ],
]
RESPONSES["control3"] += [
    *collect(
        "results/{study}/control3/replies/{slice}/{model}.jsonl",
        study=STUDY,
        slice=SLICES3,
        model=RESPONDERS3,
    ),
    f"results/{STUDY}/control3/answers.csv",
    *[f"results/{STUDY}/control3/beside_replies/{part}/{model}.jsonl" for part, model in ASKED3],
]
RESULTS["control3"] += CONTROL3
FIGURES += CONTROL3_FIGURES
