"""How long a life of 100,000 events and 10,000 facts takes, in processor seconds.

    python tests/measured/large_life.py

Read and checked within 10 s; probes and documents built within 30 s. Says what it took, and fails
where it took longer.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "workflow"))
from veridical.control3.lives import changed_probes
from veridical.control3.prompts import partner_prompts
from veridical.control3.symmetric import check_symmetry, draw_probes
from veridical.corpora.corpus import read_corpus
from veridical.documents.life_counterfeits import partial, shuffle_life, stale
from veridical.documents.rebinding import rebind
from veridical.models.prompts import Document

EVENTS, FACTS, READ, BUILD = 100_000, 10_000, 10.0, 30.0
VALUES = ("red", "green", "blue", "white", "black")
SETTINGS = """\
form: life
agent: Memo
language: en
asked: box
memory: {shape}
attributes:
  box: {{ question: "In which box is {{subject}}?", fact: "{{subject}} is in the {{value}} box" }}
licence: CC0-1.0
origin: drawn for a measurement
"""


def write(folder: Path, shape: str) -> Path:
    """A life in which every tenth event says a fact, and a tenth of the facts change."""
    rng = np.random.default_rng(1)
    events = ["id,time,speaker,text,session\n"]
    facts = ["subject,attribute,value,event,valid_from,valid_to\n"]
    every = EVENTS // FACTS
    for n in range(EVENTS):
        minute, day = n % 1440, n // 1440
        stamp = np.datetime64("2025-01-01T00:00") + np.timedelta64(1440 * day + minute, "m")
        fact, rest = divmod(n, every)
        said = f"Nothing much happened at {n} and I went on with what I had begun before."
        if not rest:
            subject = f"the parcel {fact if fact % 10 else max(0, fact - 5)}"
            value = VALUES[int(rng.integers(len(VALUES)))]
            said = f"I put {subject} into the {value} box."
            facts.append(f"{subject},box,{value},e{n},,\n")
        events.append(f"e{n},{stamp},Ada,{said},s{day}\n")
    (folder / "corpus.yaml").write_text(SETTINGS.format(shape=shape))
    (folder / "events.csv").write_text("".join(events))
    (folder / "facts.csv").write_text("".join(facts))
    return folder


def measure(shape: str) -> tuple[float, float]:
    """Processor seconds of reading, and of building every document and 24 probes behind three."""
    with tempfile.TemporaryDirectory() as name:
        folder = write(Path(name), shape)
        begun = time.process_time()
        life = read_corpus(folder)
        read = time.process_time() - begun
    begun = time.process_time()
    rng = np.random.default_rng(1)
    check_symmetry(life, 24, 30)
    probes = draw_probes(life, 24, rng)
    changed_probes(life, rng)
    documents = {
        "veridical": life.memory_block,
        "binding-corrupted": rebind(life, "binding-corrupted"),
    }
    shuffle_life(life, rng)
    stale(life)
    for dose in (10, 30, 50, 100):
        partial(life, dose, 1)
    for name, text in documents.items():
        prompts = partner_prompts(life, Document(name, text), probes)
        assert len({id(prompt.turns[0].system) for prompt in prompts}) == 1  # one text for all
    return read, time.process_time() - begun


if __name__ == "__main__":
    slow = 0
    for shape in ("lines", "turns", "profile"):
        read, built = measure(shape)
        print(f"{shape}: read and checked in {read:.1f} s, built in {built:.1f} s")
        slow += read > READ or built > BUILD
    sys.exit(slow)
