"""Write data/benchmarks/quay.jsonl: a benchmark of which half needs a memory, by construction.

    python workflow/scripts/benchmarks/write_quay.py

Four pairs of neighbours in a harbour that doesn't exist; each pair talks on two days, and each
neighbour says two things of their own. Stratum `talk` asks for what one of them said, offered among
what the neighbour and two others said, so that nothing but the talk tells which is right. Stratum
`leading` asks for things of which no talk speaks and the question itself does.

Beside it `quay-open.jsonl`: the first half without options, and questions that no talk answers.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

OUT = Path(__file__).parents[3] / "data/benchmarks"
SEED = 20260301

PAIRS = (("Mira", "Tobin"), ("Ansel", "Greta"), ("Lorna", "Pike"), ("Edda", "Hugo"))
DAYS = ("2 March 2026", "9 March 2026")

# What is said of each kind, and asked; one value a neighbour, in the order of PAIRS.
SAID = (
    (
        "My boat is called {}.",
        "What is the name of {}'s boat?",
        ("Heron", "Petrel", "Otter", "Magpie", "Swift", "Badger", "Lantern", "Thistle"),
    ),
    (
        "I painted my front door {}.",
        "Which colour is {}'s front door?",
        ("green", "yellow", "blue", "white", "red", "black", "brown", "grey"),
    ),
)

# What a question gives away before it asks; one value a neighbour.
LED = (
    (
        "{0} has a cat, {1}, who sleeps all day. What is the cat called?",
        ("Pepper", "Button", "Clover", "Ginger", "Mouse", "Patch", "Smoke", "Velvet"),
    ),
    (
        "{0} plays the {1} in the evening. Which instrument is that?",
        ("fiddle", "harp", "flute", "drum", "cello", "horn", "oboe", "piano"),
    ),
)


def histories() -> Iterator[dict[str, Any]]:
    """One line a pair: on each day both say something of one kind."""
    for number, pair in enumerate(PAIRS):
        sessions = []
        for day, (said, _, values) in enumerate(SAID):
            turns = [
                {
                    "id": f"{number}.{day}.{place}",
                    "speaker": name,
                    "text": said.format(values[2 * number + place]),
                }
                for place, name in enumerate(pair)
            ]
            sessions.append({"id": f"{number}.{day}", "date": DAYS[day], "turns": turns})
        yield {"history": " and ".join(pair), "sessions": sessions}


def items() -> Iterator[dict[str, Any]]:
    """Four questions a pair that need its talk, and four that give their answer away."""
    generator = np.random.default_rng(SEED)
    places = {name: _places(generator) for name in ("talk", "leading")}
    for number, pair in enumerate(PAIRS):
        for kind, (_, asked, values) in enumerate(SAID):
            for place, name in enumerate(pair):
                own = {"question": asked.format(name), "evidence": [f"{number}.{kind}.{place}"]}
                offer = _offer(values, 2 * number + place, places["talk"], generator)
                yield _item("talk", number, kind, place) | own | offer
        for kind, (asked, values) in enumerate(LED):
            for place, name in enumerate(pair):
                own = {"question": asked.format(name, values[2 * number + place]), "evidence": []}
                offer = _offer(values, 2 * number + place, places["leading"], generator)
                yield _item("leading", number, kind, place) | own | offer


def _item(stratum: str, number: int, kind: int, place: int) -> dict[str, Any]:
    life, name = " and ".join(PAIRS[number]), f"{stratum}-{number}{kind}{place}"
    return {"id": name, "stratum": stratum, "cluster": life, "history": life}


def _places(generator: np.random.Generator) -> list[int]:
    """The right options' places of sixteen items: each place four times."""
    return generator.permutation(np.repeat(np.arange(4), 4)).tolist()


def _offer(
    values: Sequence[str], own: int, places: list[int], generator: np.random.Generator
) -> dict[str, Any]:
    """The own value among the neighbour's and two others', at the next place of those drawn."""
    neighbour = own + 1 if own % 2 == 0 else own - 1
    rest = [value for n, value in enumerate(values) if n not in (own, neighbour)]
    wrong = [values[neighbour], *generator.choice(rest, 2, replace=False).tolist()]
    options = generator.permutation(wrong).tolist()
    options.insert(places.pop(), values[own])
    return {"answer": values[own], "options": options}


def open_items() -> Iterator[dict[str, Any]]:
    """What needs the talk, without options; and a question a pair that can't be answered."""
    for item in items():
        if item["stratum"] == "talk":
            yield {key: value for key, value in item.items() if key != "options"}
    for number, (name, _) in enumerate(PAIRS):
        asked = {"question": f"Where was {name} born?", "answer": "", "abstention": True}
        yield _item("untold", number, 0, 0) | asked


def main(out: Path) -> None:
    """Write both into a folder: the histories, then the items."""
    out.mkdir(parents=True, exist_ok=True)
    for name, asked in (("quay", items()), ("quay-open", open_items())):
        lines = [json.dumps(line, ensure_ascii=False) for line in (*histories(), *asked)]
        text = "".join(f"{line}\n" for line in lines)
        (out / f"{name}.jsonl").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else OUT)
