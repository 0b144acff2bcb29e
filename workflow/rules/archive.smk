# Reads: everything that rule all builds, CITATION.cff, config/privacy-allowed.csv.
# Writes: results/{study}/archive/ (the zip and its receipt), data/deposits/{study}.json.

from veridical.freeze.design import archive_settings


rule pack_archive:
    """One deterministic zip of the study, checked and scanned first; the receipt names it."""
    input:
        made=lambda wildcards: [*together(RESULTS), *FIGURES, *PUBLISHED, *REPORT, *FREEZE],
        citation="CITATION.cff",
    output:
        receipt="results/{study}/archive/archive.json",
    log:
        "logs/{study}/archive/pack_archive.log",
    params:
        settings=archive_settings(config),
        sources=packed_sources,
        code=code_of("archive/pack_archive.py"),
    script:
        "../scripts/archive/pack_archive.py"


rule archive:
    """results/<study>/archive/veridical-<study>-<hash>.zip, from which anyone can replay the study."""
    input:
        f"results/{STUDY}/archive/archive.json",


rule deposit:
    """Put the archive on Zenodo, once: on its sandbox, and as a draft, unless the config says more."""
    input:
        receipt=f"results/{STUDY}/archive/archive.json",
    log:
        f"logs/{STUDY}/archive/deposit.log",
    params:
        study=STUDY,
        title=config.get("title", ""),
        record=f"data/deposits/{STUDY}.json",
        deposit=config.get("deposit", {}),
        code=code_of("archive/upload_archive.py"),
    script:
        "../scripts/archive/upload_archive.py"
