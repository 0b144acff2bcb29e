# Reads: the config's `vpe`; problems in GSM8K's format; models' rollouts.
# Writes: results/{study}/vpe/: prompts, replies, rollouts, problems, summary, curves, contrasts; figures.

from veridical.vpe.rollouts import DOCUMENT, samplings

SAMPLED = config["vpe"]["models"]
HORIZONS = sorted(config["vpe"]["horizons"])
# nested: only the longest horizon is asked, the others are the beginnings of its rollouts
ASKED = HORIZONS[-1:] if config["vpe"].get("nested", False) else HORIZONS
PRESETS = list(samplings(config["vpe"].get("sampling", {}), config["vpe"].get("also", [])))
ADDED = config["vpe"].get("document", {})  # a file, or a corpus whose memory document it is
MAPPED = config["vpe"].get("maps", {})  # mode maps beside the registered one
PRESETS += [DOCUMENT] if ADDED else []


rule write_rollout_prompts:
    """The problems drawn by the seed, each asked many times with a budget of new tokens."""
    input:
        problems=config["vpe"]["problems"],
        document=lambda wildcards: (
            [
                ADDED.get("file")
                or f"results/{wildcards.study}/documents/{ADDED['corpus']}/veridical.txt"
            ]
            if wildcards.preset == DOCUMENT
            else []
        ),
    output:
        prompts="results/{study}/vpe/prompts/{preset}-{horizon}.jsonl",
    log:
        "logs/{study}/vpe/write_rollout_prompts/{preset}-{horizon}.log",
    wildcard_constraints:
        preset="[a-z]+",
        horizon="[0-9]+",
    params:
        numbers={
            "n_problems": config["vpe"]["n_problems"],
            "rollouts": config["vpe"]["rollouts"],
            "seed": config["seed"],
        },
        sampling=lookup(within=config, dpath="vpe/sampling", default={}),
        also=lookup(within=config, dpath="vpe/also", default=[]),
        nested=lookup(within=config, dpath="vpe/nested", default=False),
        code=code_of("vpe/write_rollout_prompts.py"),
    script:
        "../scripts/vpe/write_rollout_prompts.py"


use rule collect_replies as collect_rollouts with:
    """One model's rollouts at one preset and horizon, through the ledger."""
    input:
        prompts="results/{study}/vpe/prompts/{slice}.jsonl",
        sealed="results/{study}/freeze/vpe-design.json",
        weights=weights_of,
    output:
        replies="results/{study}/vpe/replies/{slice}/{model}.jsonl",
    log:
        "logs/{study}/vpe/collect_rollouts/{slice}.{model}.log",
    priority: ahead(6)
    params:
        collection="vpe",
        record="data/freeze/{study}/vpe-design.json",
        ledger="data/ledger/{study}/vpe/{model}.sqlite",


rule cut_rollouts:
    """A shorter horizon as the beginning of the longest one's rollouts (`nested` only)."""
    input:
        replies=f"results/{{study}}/vpe/replies/{{preset}}-{HORIZONS[-1]}/{{model}}.jsonl",
    output:
        rollouts="results/{study}/vpe/cut/{preset}-{horizon}/{model}.csv",
    log:
        "logs/{study}/vpe/cut_rollouts/{preset}-{horizon}.{model}.log",
    wildcard_constraints:
        preset="[a-z]+",
        horizon="[0-9]+",
    params:
        code=code_of("vpe/cut_rollouts.py"),
    script:
        "../scripts/vpe/cut_rollouts.py"


rule score_rollouts:
    """Every rollout read as verified or not, with its final number and its mode."""
    input:
        prompts=collect(
            "results/{study}/vpe/prompts/{preset}-{horizon}.jsonl",
            preset=PRESETS,
            horizon=HORIZONS,
            allow_missing=True,
        ),
        replies=[
            *collect(
                "results/{study}/vpe/replies/{preset}-{horizon}/{model}.jsonl",
                preset=PRESETS,
                horizon=ASKED,
                model=SAMPLED,
                allow_missing=True,
            ),
            *collect(
                "results/{study}/vpe/cut/{preset}-{horizon}/{model}.csv",
                preset=PRESETS,
                horizon=[horizon for horizon in HORIZONS if horizon not in ASKED],
                model=SAMPLED,
                allow_missing=True,
            ),
        ],
        sealed="results/{study}/freeze/vpe-responses.json",
    output:
        rollouts=report(
            "results/{study}/vpe/rollouts.csv",
            caption="../report/vpe_rollouts.rst",
            category="Path entropy",
        ),
    log:
        "logs/{study}/vpe/score_rollouts.log",
    params:
        modes=lookup(within=config, dpath="vpe/modes", default={}),
        language=lookup(within=config, dpath="vpe/language", default="en"),
        code=code_of("vpe/score_rollouts.py"),
    script:
        "../scripts/vpe/score_rollouts.py"


rule measure_paths:
    """Viable path entropy a problem and on average, its curves, and the paired contrasts."""
    input:
        rollouts="results/{study}/vpe/rollouts.csv",
    output:
        problems=report(
            "results/{study}/vpe/problems.csv",
            caption="../report/vpe_problems.rst",
            category="Path entropy",
        ),
        summary=report(
            "results/{study}/vpe/summary.csv",
            caption="../report/vpe_summary.rst",
            category="Path entropy",
        ),
        pass_at_k="results/{study}/vpe/pass_at_k.csv",
        coverage="results/{study}/vpe/coverage.csv",
        entropy="results/{study}/vpe/entropy.csv",
        contrasts=report(
            "results/{study}/vpe/contrasts.csv",
            caption="../report/vpe_contrasts.rst",
            category="Path entropy",
        ),
        lead_table="results/{study}/vpe/leads.csv",
    log:
        "logs/{study}/vpe/measure_paths.log",
    params:
        numbers={
            "smoothing": config["vpe"].get("smoothing", 0.5),
            "seed": config["seed"],
            "resamples": config["vpe"].get("resamples", 10000),
        },
        modes=config["vpe"].get("modes", {}),
        code=code_of("vpe/measure_paths.py"),
    script:
        "../scripts/vpe/measure_paths.py"


rule compare_maps:
    """The same rollouts under every mode map of the study (`maps` only)."""
    input:
        rollouts="results/{study}/vpe/rollouts.csv",
    output:
        table="results/{study}/vpe/maps.csv",
    log:
        "logs/{study}/vpe/compare_maps.log",
    params:
        of="maps",
        modes=config["vpe"].get("modes", {}),
        maps=MAPPED,
        margins=lookup(within=config, dpath="vpe/margins", default={}),
        numbers={
            "smoothing": config["vpe"].get("smoothing", 0.5),
            "seed": config["seed"],
            "resamples": config["vpe"].get("resamples", 10000),
        },
        code=code_of("vpe/measure_beside.py"),
    script:
        "../scripts/vpe/measure_beside.py"


use rule compare_maps as contrast_maps with:
    """Which of two models keeps more ways open under every mode map (`maps` only)."""
    output:
        table="results/{study}/vpe/map_contrasts.csv",
    log:
        "logs/{study}/vpe/contrast_maps.log",
    params:
        of="map_contrasts",


use rule compare_maps as compare_document with:
    """The problems with an added document against the same without it (`document` only)."""
    output:
        table="results/{study}/vpe/document.csv",
    log:
        "logs/{study}/vpe/compare_document.log",
    params:
        of="document",


rule draw_plane:
    """Reach against diversity: the two terms of path entropy, for each model and horizon."""
    input:
        texts=TEXTS,
        summary="results/{study}/vpe/summary.csv",
    output:
        svg=report(
            "figures/{study}/vpe_plane.svg",
            caption="../report/vpe_plane.rst",
            category="Path entropy",
        ),
        pdf="figures/{study}/vpe_plane.pdf",
    log:
        "logs/{study}/vpe/draw_plane.log",
    params:
        code=code_of("vpe/draw_plane.py"),
    script:
        "../scripts/vpe/draw_plane.py"


rule draw_coverage:
    """Distinct verified modes as the number of rollouts grows."""
    input:
        texts=TEXTS,
        table="results/{study}/vpe/coverage.csv",
        summary="results/{study}/vpe/summary.csv",
    output:
        svg=report(
            "figures/{study}/vpe_coverage.svg",
            caption="../report/vpe_coverage.rst",
            category="Path entropy",
        ),
        pdf="figures/{study}/vpe_coverage.pdf",
    log:
        "logs/{study}/vpe/draw_coverage.log",
    params:
        of="coverage",
        code=code_of("vpe/draw_curve.py"),
    script:
        "../scripts/vpe/draw_curve.py"


use rule draw_coverage as draw_entropy with:
    """Entropy of the verified modes as the number of rollouts grows."""
    input:
        texts=TEXTS,
        table="results/{study}/vpe/entropy.csv",
        summary="results/{study}/vpe/summary.csv",
    output:
        svg=report(
            "figures/{study}/vpe_entropy.svg",
            caption="../report/vpe_entropy.rst",
            category="Path entropy",
        ),
        pdf="figures/{study}/vpe_entropy.pdf",
    log:
        "logs/{study}/vpe/draw_entropy.log",
    params:
        of="entropy",


use rule draw_coverage as draw_pass_at_k with:
    """The chance that one of k rollouts is right, as k grows."""
    input:
        texts=TEXTS,
        table="results/{study}/vpe/pass_at_k.csv",
        summary="results/{study}/vpe/summary.csv",
    output:
        svg=report(
            "figures/{study}/vpe_pass_at_k.svg",
            caption="../report/vpe_pass_at_k.rst",
            category="Path entropy",
        ),
        pdf="figures/{study}/vpe_pass_at_k.pdf",
    log:
        "logs/{study}/vpe/draw_pass_at_k.log",
    params:
        of="pass_at_k",


VPE = collect(
    "results/{study}/vpe/{table}.csv",
    study=STUDY,
    table=[
        "rollouts",
        "problems",
        "summary",
        "pass_at_k",
        "coverage",
        "entropy",
        "contrasts",
        "leads",
        *(["maps", "map_contrasts"] if MAPPED else []),
        *(["document"] if ADDED else []),
    ],
)
VPE_FIGURES = collect(
    "figures/{study}/vpe_{figure}.{suffix}",
    study=STUDY,
    figure=["plane", "coverage", "entropy", "pass_at_k"],
    suffix=["svg", "pdf"],
)
DESIGN["vpe"] += [
    config["vpe"]["problems"],
    *[path for path in [ADDED.get("file")] if path],
    *collect(
        "results/{study}/vpe/prompts/{preset}-{horizon}.jsonl",
        study=STUDY,
        preset=PRESETS,
        horizon=HORIZONS,
    ),
]
RESPONSES["vpe"] += collect(
    "results/{study}/vpe/replies/{preset}-{horizon}/{model}.jsonl",
    study=STUDY,
    preset=PRESETS,
    horizon=ASKED,
    model=SAMPLED,
)
RESULTS["vpe"] += VPE
FIGURES += VPE_FIGURES
