"""A study of six small files for the tests of sealing, with a ledger where they want one."""

from __future__ import annotations

import json
from pathlib import Path

from veridical.base.files import file_sha256
from veridical.freeze.sealing import FreezeError, seal
from veridical.ledger.ledger import Ledger
from veridical.models.exchange import Call, Model, Raw, Reply

CONTENT = {
    "uv.lock": "version = 1\n",
    "data/corpora/A/rubric.txt": "Score each answer as if it stood alone.\n",
    "results/demo/prompts/p.jsonl": "{}\n",
    "results/demo/replies/m.jsonl": "{}\n",
    "results/demo/verdicts.csv": "score\n1\n",
    "results/demo/table.csv": "mean\n1\n",
}
DESIGN = ["uv.lock", "data/corpora/A/rubric.txt", "results/demo/prompts/p.jsonl"]
RUBRIC = "data/corpora/A/rubric.txt"
STAGES = {
    "design": DESIGN,
    "responses": ["results/demo/replies/m.jsonl"],
    "verdicts": ["results/demo/verdicts.csv"],
    "results": ["results/demo/table.csv"],
}
WORDS = {"what": "one word of the rubric", "why": "a typo misled", "effect": "none expected"}


def lay_out(folder: Path) -> Path:
    for name, text in CONTENT.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def seal_all(*stages: str) -> None:
    """Seal the stages named (all where none is), in the current folder."""
    for stage in stages or STAGES:
        seal("demo", stage, STAGES[stage])


def record_of(stage: str) -> Path:
    return Path(f"data/freeze/demo/{stage}.json")


def change_rubric(text: str = "Score every answer as if it stood alone.\n") -> None:
    """Change the design and have the sealing rule list it."""
    Path(RUBRIC).write_text(text)
    try:
        seal("demo", "design", DESIGN)
    except FreezeError:
        return
    raise AssertionError("a changed design was sealed")


def make_calls(stage: str, record: str, n: int = 3, model: str = "m") -> None:
    """Answers in the study's ledger, asked for under a record."""
    asked = Model(model, "openai", "gpt")
    with Ledger(Path(f"data/ledger/demo/{stage}/{model}.sqlite")) as ledger:
        for number in range(n):
            call = Call(asked, ({"role": "user", "content": f"{record[:8]} {number}"},))
            ledger.keep(call, Reply(call.key, "ok", "yes", Raw("yes"), record=record))


def write_replies(path: str, stage: str, *records: str) -> None:
    """A replies file as its rule leaves it, each answer asked for under a record."""
    lines = []
    for number, record in enumerate(records):
        reply = {"key": str(number), "raw": {}} | ({"record": record} if record else {})
        entry = {"stage": stage, "id": str(number), "exchanges": [{"request": {}, "reply": reply}]}
        lines.append(json.dumps(entry) + "\n")
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text("".join(lines))


def sha_of(stage: str) -> str:
    return file_sha256(record_of(stage))
