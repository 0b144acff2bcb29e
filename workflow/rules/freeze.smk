# Reads: what the parts append to DESIGN, RESPONSES, VERDICTS and RESULTS; the code of the analysis.
# Writes: results/{study}/freeze/{stage}.json (receipts); the records are in data/freeze/{study}/.

# The study's own seal first; after it each part's chain, by itself; the closing seal after them all.

from veridical.freeze.evidence import is_vouched
from veridical.freeze.sealing import log_digest, times_digest

# `vouched` has a stage looked at again where its record is gone or another's than its receipt says.


rule seal_study:
    """Seal what all parts share, before anything is asked; later, check that it holds."""
    input:
        files=lambda wildcards: study_files(),
    output:
        receipt="results/{study}/freeze/study.json",
    log:
        "logs/{study}/freeze/seal_study.log",
    params:
        stage=lambda wildcards: "study",
        follows=[],
        vouched=lambda wildcards: is_vouched(STUDY, "study"),
        timestamps=aside(timestamp_servers()),
        code=code_of("freeze/seal_stage.py"),
    script:
        "../scripts/freeze/seal_stage.py"


rule seal_design:
    """Seal what decides a part's result, before anything of it is asked."""
    input:
        files=lambda wildcards: design_files(wildcards.room),
        before="results/{study}/freeze/study.json",
    output:
        receipt="results/{study}/freeze/{room}-design.json",
    log:
        "logs/{study}/freeze/seal_design/{room}.log",
    params:
        stage="{room}-design",
        follows=["study"],
        vouched=lambda wildcards: is_vouched(STUDY, f"{wildcards.room}-design"),
        timestamps=aside(timestamp_servers()),
        code=code_of("freeze/seal_stage.py"),
    script:
        "../scripts/freeze/seal_stage.py"


rule seal_responses:
    """Seal what a part's responders said, before a judge sees it and before it is scored."""
    input:
        files=lambda wildcards: RESPONSES[wildcards.room],
        before="results/{study}/freeze/{room}-design.json",
    output:
        receipt="results/{study}/freeze/{room}-responses.json",
    log:
        "logs/{study}/freeze/seal_responses/{room}.log",
    params:
        stage="{room}-responses",
        follows=["{room}-design"],
        vouched=lambda wildcards: is_vouched(STUDY, f"{wildcards.room}-responses"),
        timestamps=aside(timestamp_servers()),
        code=code_of("freeze/seal_stage.py"),
    script:
        "../scripts/freeze/seal_stage.py"


rule seal_verdicts:
    """Seal what a part's judges said, before it is analysed."""
    input:
        files=lambda wildcards: VERDICTS[wildcards.room],
        before="results/{study}/freeze/{room}-responses.json",
    output:
        receipt="results/{study}/freeze/{room}-verdicts.json",
    log:
        "logs/{study}/freeze/seal_verdicts/{room}.log",
    params:
        stage="{room}-verdicts",
        follows=["{room}-responses"],
        vouched=lambda wildcards: is_vouched(STUDY, f"{wildcards.room}-verdicts"),
        timestamps=aside(timestamp_servers()),
        code=code_of("freeze/seal_stage.py"),
    script:
        "../scripts/freeze/seal_stage.py"


rule seal_results:
    """Seal every table of a part."""
    input:
        files=lambda wildcards: RESULTS[wildcards.room],
        before=lambda wildcards: f"results/{STUDY}/freeze/{last_asked(wildcards.room)}.json",
    output:
        receipt="results/{study}/freeze/{room}-results.json",
    log:
        "logs/{study}/freeze/seal_results/{room}.log",
    params:
        stage="{room}-results",
        follows=lambda wildcards: [last_asked(wildcards.room)],
        vouched=lambda wildcards: is_vouched(STUDY, f"{wildcards.room}-results"),
        timestamps=aside(timestamp_servers()),
        code=code_of("freeze/seal_stage.py"),
    script:
        "../scripts/freeze/seal_stage.py"


rule seal_all:
    """The closing seal: the last of every part, and the tables that belong to none."""
    input:
        files=lambda wildcards: RESULTS["study"],
        before=collect("results/{study}/freeze/{room}-results.json", room=PARTS, allow_missing=True),
    output:
        receipt="results/{study}/freeze/results.json",
    log:
        "logs/{study}/freeze/seal_all.log",
    params:
        stage=lambda wildcards: "results",
        follows=[f"{part}-results" for part in PARTS],
        vouched=lambda wildcards: is_vouched(STUDY, "results"),
        timestamps=aside(timestamp_servers()),
        deviations=log_digest(STUDY),
        code=code_of("freeze/seal_stage.py"),
    script:
        "../scripts/freeze/seal_stage.py"


rule verify:
    """Check every sealed file by its hash and name each that changed, went missing or was added."""
    log:
        f"logs/{STUDY}/freeze/verify.log",
    params:
        study=STUDY,
        expected=lambda wildcards: counted(),
        code=code_of("freeze/verify_study.py"),
    script:
        "../scripts/freeze/verify_study.py"


rule timestamp:
    """Ask for what proofs of time are still lacking, and for the blocks that calendars promised."""
    log:
        f"logs/{STUDY}/freeze/timestamp.log",
    params:
        study=STUDY,
        timestamps=timestamp_servers(),
        code=code_of("freeze/ask_timestamps.py"),
    script:
        "../scripts/freeze/ask_timestamps.py"


FREEZE = [f"results/{STUDY}/freeze/results.json"]
