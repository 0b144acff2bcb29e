"""Control 1's worlds: judges and documents whose truth is known."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from veridical.claims.claim import Tables, Truth, World
from veridical.claims.worlds import choosing
from veridical.claims.worlds.judging import Bench, Design, draw
from veridical.control1.rules import conclude, examine, judged
from veridical.control1.tables import CELL

OPENED = "open book"  # how worlds are called that only judges who see the memory live in


def analyse(tables: Tables, design: Design) -> Tables:
    """The study's own analysis, of many studies at once; of choices, where pairs were direct."""
    if "control1/choices" in tables:
        return choosing.analyse(tables, design)
    verdicts, by = tables["control1/verdicts"], ["study"]
    one = {name: "" for name in CELL if name not in verdicts}  # made elsewhere, of one cell
    verdicts = verdicts.assign(**one)
    items, documents = judged(verdicts, by)
    instrument = examine(verdicts, items, bound=design.bound, by=by)
    found = conclude(items, documents, instrument, bound=design.bound, by=by)
    return {"control1/findings": found, "control1/instrument": instrument}


def world(key: str, bench: Bench) -> World:
    """A world of one bench of judges; its truths follow from it."""

    def effect(rows: pd.DataFrame) -> NDArray[np.float64]:
        kinds = rows["contrast"].astype(str).str.removeprefix("veridical-")
        cells = zip(rows["responder"], rows["corpus"], strict=True)
        seen = not bench.blind
        each = [bench.of(kind, cell) * seen for kind, cell in zip(kinds, cells, strict=True)]
        return np.abs(np.array(each, dtype=float))

    def hears(rows: pd.DataFrame) -> NDArray[np.bool_]:
        numbers = rows["metric"].astype(str).str.removeprefix("metric-").astype(int).to_numpy()
        most = int(numbers.max(initial=1))
        worth = {name: bench.heard(most, name) for name in rows["corpus"].unique()}
        heard = [worth[name][n - 1] for name, n in zip(rows["corpus"], numbers, strict=True)]
        return np.array(heard, dtype=float) > 0.10 + 1e-9

    moved = bench.contrast != 0 and bench.effect != 0.0  # the anchor shifts with its neighbour

    def everywhere(flag: bool) -> Truth:
        return lambda rows: np.full(len(rows), flag)

    truths: dict[str, Truth] = {
        "control1.different": lambda rows: effect(rows) > 0,
        "control1.different_here": lambda rows: (effect(rows) > 0) | (bench.documents > 0),
        "control1.equivalent": lambda rows: (effect(rows) < 0.10 - 1e-9) & hears(rows),
        "control1.sensitive": hears,
        "control1.order": everywhere(bench.first != 0),
        "control1.drift": everywhere(bench.drift != 0 or moved),
    }
    some = bench.first_cell or bench.first_heard  # nothing of its own in a design of one cell

    def fits(design: Design) -> bool:
        opened = design.sheet == "open" or not key.startswith(OPENED)
        return not design.direct and opened and (design.several or not some)

    drawn = lambda design, studies, rng: draw(design, bench, studies, rng)  # noqa: E731
    return World(key, "control1", drawn, truths, fits)


WORLDS = (
    world("nothing differs", Bench()),
    world("nothing differs, noise 0.15", Bench(noise=0.15)),
    world("nothing differs, noise 0.30", Bench(noise=0.30, items=0.0)),
    world("documents differ by 0.06", Bench(documents=0.06)),
    world("documents differ by 0.10", Bench(documents=0.10)),
    world("documents differ by 0.15", Bench(documents=0.15)),
    world("constant judges", Bench(constant=1.0)),
    world("nearly constant judges", Bench(constant=0.97)),
    world("judges blind to memory", Bench(blind=True)),
    world("judges blind to memory, own memory worth 0.3", Bench(effect=0.3, blind=True)),
    world("at the bound", Bench(effect=0.10)),
    world("at the bound, noise 0.15", Bench(effect=0.10, noise=0.15)),
    world("drift of 0.12", Bench(drift=0.12)),
    world("drift hides a difference at the bound", Bench(effect=0.10, drift=0.10)),
    world("the first text gains 0.10", Bench(first=0.10)),
    world("scores move towards their neighbour's", Bench(effect=0.15, contrast=-0.4)),
    world("scores move away from their neighbour's", Bench(contrast=0.4)),
    world("a harsh judge missing on one side", Bench(harsh=0.3)),
    world("scores in steps of 0.1", Bench(step=0.1)),
    world("deaf to quotations", Bench(quoted=0.0)),
    world("quotations worth the bound", Bench(quoted=0.10)),
    world("quotations worth the bound, noise 0.15", Bench(quoted=0.10, noise=0.15)),
    world("hears on one metric, one kind at the bound",
          Bench(effect={"foreign": 0.10}, quoted=(0.4, 0.10))),
    world("parts every quotation alike", Bench(quoted=0.5, step=0.5, noise=0.0)),
    world("nothing remembered scores as memory", Bench(effect={"foreign": 0.2, "shuffled": 0.2})),
    world("only no memory differs by 0.20", Bench(effect={"none": 0.20})),
    world("different by 0.20", Bench(effect=0.20)),
    world("different by 0.20, noise 0.15", Bench(effect=0.20, noise=0.15)),
    world("only foreign differs by 0.20", Bench(effect={"foreign": 0.20})),
    world("different by 0.30, documents by 0.03", Bench(effect=0.30, documents=0.03)),
    world("only the first cell differs by 0.20", Bench(effect=0.20, first_cell=True)),
    world("quotations are heard in the first corpus alone", Bench(first_heard=True)),
    world("open book: half of the answers can be checked, at the bound",
          Bench(effect=0.10, some=0.5)),
    world("open book: half of the answers can be checked, different by 0.20",
          Bench(effect=0.20, some=0.5)),
    world("open book: judges read unevenly, at the bound", Bench(effect=0.10, uneven=True)),
    world("open book: every answer near the top", Bench(lift=0.35)),
    world("open book: both answers are held against the memory", Bench(effect=0.10, contrast=0.4)),
    world("open book: own memory plain", Bench(effect=0.40, noise=0.10)),
    *choosing.WORLDS,
)  # fmt: skip
