# Reads: what the parts append to DESIGN, RESPONSES, VERDICTS and RESULTS; the code of the analysis.
# Writes: results/{study}/freeze/{stage}.json (receipts); the records are in data/freeze/{study}/.

from veridical.freeze.evidence import is_vouched
from veridical.freeze.sealing import log_digest, times_digest

# `vouched` has a stage looked at again where its record is gone or another's than its receipt says.


rule seal_design:
    """Seal what decides the result before anything is collected; later, check that it holds."""
    input:
        files=lambda wildcards: design_files(),
    output:
        receipt="results/{study}/freeze/design.json",
    log:
        "logs/{study}/freeze/seal_design.log",
    params:
        stage="design",
        vouched=is_vouched(STUDY, "design"),
        timestamps=aside(timestamp_servers()),
        code=code_of("freeze/seal_stage.py"),
    script:
        "../scripts/freeze/seal_stage.py"


rule seal_responses:
    """Seal what the responders said, before a judge sees it and before it is scored."""
    input:
        files=lambda wildcards: RESPONSES,
        before="results/{study}/freeze/design.json",
    output:
        receipt="results/{study}/freeze/responses.json",
    log:
        "logs/{study}/freeze/seal_responses.log",
    params:
        stage="responses",
        vouched=is_vouched(STUDY, "responses"),
        timestamps=aside(timestamp_servers()),
        code=code_of("freeze/seal_stage.py"),
    script:
        "../scripts/freeze/seal_stage.py"


rule seal_verdicts:
    """Seal what the judges said, before it is analysed."""
    input:
        files=lambda wildcards: VERDICTS,
        before="results/{study}/freeze/responses.json",
    output:
        receipt="results/{study}/freeze/verdicts.json",
    log:
        "logs/{study}/freeze/seal_verdicts.log",
    params:
        stage="verdicts",
        vouched=is_vouched(STUDY, "verdicts"),
        timestamps=aside(timestamp_servers()),
        code=code_of("freeze/seal_stage.py"),
    script:
        "../scripts/freeze/seal_stage.py"


rule seal_results:
    """Seal every table."""
    input:
        files=lambda wildcards: RESULTS,
        before="results/{study}/freeze/verdicts.json",
    output:
        receipt="results/{study}/freeze/results.json",
    log:
        "logs/{study}/freeze/seal_results.log",
    params:
        stage=lambda wildcards: "results",
        vouched=is_vouched(STUDY, "results"),
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
