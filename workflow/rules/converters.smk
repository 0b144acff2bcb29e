# Reads: a file that people have, wherever it lies (--config 'convert={...}').
# Writes: data/corpora/{to}/, a life of events and facts; never over one that is there.


rule convert:
    """A life from a chat, a benchmark, a store, a calendar or a table; what can't be derived is said."""
    log:
        "logs/convert/convert.log",
    params:
        settings=config.get("convert"),
        code=code_of("converters/convert_life.py"),
    script:
        "../scripts/converters/convert_life.py"
