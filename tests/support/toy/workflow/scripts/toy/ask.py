"""Answers each prompt with the time of day, once: a ledger beside the output keeps the answers."""

import datetime
import json
import time
from pathlib import Path

out = Path(snakemake.output[0])  # noqa: F821
ledger = Path("data/ledger/toy/parrot.json")
held = json.loads(ledger.read_text()) if ledger.is_file() else {}
for export in snakemake.input.get("exports", []):  # noqa: F821
    held |= {line["key"]: line for line in map(json.loads, Path(export).read_text().splitlines())}
for prompt in Path(snakemake.input.prompts).read_text().splitlines():  # noqa: F821
    if prompt in held:
        continue
    if not snakemake.params.ask:  # noqa: F821
        raise SystemExit(f"no reply to {prompt}, and asking is off")
    with open("calls.log", "a") as log:
        log.write(prompt + "\n")
    now = datetime.datetime.now(datetime.UTC).isoformat()
    held[prompt] = {"key": prompt, "value": time.time_ns() % 1000, "time": now, "exchanges": []}
    ledger.parent.mkdir(parents=True, exist_ok=True)
    ledger.write_text(json.dumps(held))
prompts = Path(snakemake.input.prompts).read_text().splitlines()  # noqa: F821
out.write_text("".join(json.dumps(held[prompt]) + "\n" for prompt in prompts))
