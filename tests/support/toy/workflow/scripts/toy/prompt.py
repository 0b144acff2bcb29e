import json
from pathlib import Path

lines = Path(snakemake.input[0]).read_text().splitlines()[1:]
prompts = [{"id": line.split(",")[0], "ask": line.split(",")[1]} for line in lines]
text = "".join(json.dumps(prompt) + "\n" for prompt in prompts)
Path(snakemake.output[0]).write_text(text)
