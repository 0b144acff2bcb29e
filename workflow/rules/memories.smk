# Reads: the config's memory systems.
# Writes: nothing yet; `snakemake check_memory` prints what it finds.

MEMORY_SYSTEMS = (config.get("memories") or {}).get("systems", {})


rule check_memory:
    """Does every memory system of the config keep the protocol? Told in words, before any study."""
    log:
        f"logs/{STUDY}/memories/check_memory.log",
    params:
        systems=MEMORY_SYSTEMS,
        code=code_of("memories/check_memory.py"),
    script:
        "../scripts/memories/check_memory.py"
