"""A study of two parts for the tests of their chains: `vpe`, and `control1`, which has a judge."""

from __future__ import annotations

from pathlib import Path

from veridical.freeze.sealing import seal

CHAIN = {
    "study": ["uv.lock", "results/demo/config/study.json"],
    "control1-design": ["data/corpora/A/rubric.txt", "results/demo/control1/prompts/p.jsonl"],
    "control1-responses": ["results/demo/control1/replies/m.jsonl"],
    "control1-verdicts": ["results/demo/control1/verdicts.csv"],
    "control1-results": ["results/demo/control1/contrasts.csv"],
    "vpe-design": ["results/demo/vpe/prompts/p.jsonl"],
    "vpe-responses": ["results/demo/vpe/replies/m.jsonl"],
    "vpe-results": ["results/demo/vpe/summary.csv"],
    "results": ["results/demo/codebook.csv"],
}
FIRST = [stage for stage in CHAIN if stage.startswith("control1-")]
SECOND = [stage for stage in CHAIN if stage.startswith("vpe-")]
OLDER = {
    "design": [*CHAIN["study"], *CHAIN["control1-design"], *CHAIN["vpe-design"]],
    "responses": [*CHAIN["control1-responses"], *CHAIN["vpe-responses"]],
    "verdicts": CHAIN["control1-verdicts"],
    "results": [*CHAIN["control1-results"], *CHAIN["vpe-results"], *CHAIN["results"]],
}
WORDS = {"what": "one word", "why": "it misled", "effect": "none expected"}


def lay_out(folder: Path) -> Path:
    """Every file of the study, each with a line that names it."""
    for name in {name for files in CHAIN.values() for name in files}:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}\n" if ".json" in name else f"{name}\n", encoding="utf-8")
    return folder


def seal_stages(*stages: str, chain: dict[str, list[str]] = CHAIN) -> None:
    """Seal the stages named, in order (all where none is), in the current folder."""
    for stage in stages or chain:
        seal("demo", stage, chain[stage])


def record_of(stage: str) -> Path:
    return Path(f"data/freeze/demo/{stage}.json")


def records() -> dict[str, bytes]:
    """The bytes of every record that lies there."""
    place = Path("data/freeze/demo")
    return {path.stem: path.read_bytes() for path in sorted(place.glob("*.json"))}


def change(name: str) -> None:
    """A word more in a file."""
    Path(name).write_text(Path(name).read_text(encoding="utf-8") + "and more\n", encoding="utf-8")
