import json
from pathlib import Path

text = json.dumps(snakemake.params.config, indent=2, sort_keys=True)
Path(snakemake.output[0]).write_text(text + "\n")
