"""Do the tests notice? Small wrongs are put into the library, one at a time, and tests run on each.

    python tests/measured/mutants.py statistics control3 --sample 60 --seed 1

A mutant is one change to one module of a room: a comparison turned, an operation exchanged, a
number moved by one, a condition negated, `and` for `or`, a returned value lost. It is killed where
the tests of its module (or else of its room) fail or don't end in time. Survivors are listed in a
CSV, to be read: a test is missing, or the change makes no difference. Modules are loaded in
children of one process that has the heavy libraries in memory already, so a mutant costs its tests
and no more.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import csv
import importlib.abc
import importlib.util
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "workflow/veridical"
TESTS = ROOT / "tests"
PATIENCE = 120  # seconds that the tests of one mutant may take

COMPARISONS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OPERATIONS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Pow: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


@dataclass(frozen=True)
class Mutant:
    """One change: the module, its line, what stood there and what stands there now, all source."""

    module: Path
    line: int
    was: str
    now: str
    source: str

    @property
    def name(self) -> str:
        """The module's dotted name."""
        parts = self.module.relative_to(LIBRARY.parent).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def changes(node: ast.AST) -> Iterator[tuple[str, object]]:
    """The ways in which a node can be wrong, as a field and its other value."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
        yield "ops", [COMPARISONS[type(node.ops[0])](), *node.ops[1:]]
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in OPERATIONS:
        yield "op", OPERATIONS[type(node.op)]()
    if isinstance(node, ast.BoolOp):
        yield "op", ast.Or() if isinstance(node.op, ast.And) else ast.And()
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "op", ast.UAdd()
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        yield "test", ast.UnaryOp(ast.Not(), node.test)
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield "value", node.value + 1
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "value", not node.value
    if isinstance(node, ast.Return) and node.value is not None:
        yield "value", ast.Constant(None)


def mutants(module: Path) -> Iterator[Mutant]:
    """Every mutant of a module; docstrings and annotations have none."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    said = {id(each) for note in _annotations(tree) for each in ast.walk(note)}
    for node in ast.walk(tree):
        if id(node) in said:
            continue
        for field, value in changes(node):
            was, before = ast.unparse(node), getattr(node, field)
            setattr(node, field, value)
            ast.fix_missing_locations(tree)
            now = ast.unparse(node)
            if now != was:
                yield Mutant(module, node.lineno, was, now, ast.unparse(tree))
            setattr(node, field, before)


def _annotations(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        for field in ("annotation", "returns"):
            if getattr(node, field, None) is not None:
                yield getattr(node, field)


class Planted(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads the mutant in its module's place."""

    def __init__(self, mutant: Mutant):
        self.mutant = mutant

    def find_spec(self, name, path, target=None):
        if name != self.mutant.name:
            return None
        return importlib.util.spec_from_file_location(name, self.mutant.module, loader=self)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(compile(self.mutant.source, str(self.mutant.module), "exec"), module.__dict__)


def tests_of(module: Path) -> list[list[str]]:
    """What to run on a mutant, one after the other: the module's own tests, then its room's."""
    room = TESTS / module.relative_to(LIBRARY).parts[0]
    own = [path for path in room.glob("test_*.py") if module.stem in path.stem]
    rest = [path for path in sorted(room.glob("test_*.py")) if path not in own]
    return [[str(path) for path in paths] for paths in (own, rest) if paths]


def survives(mutant: Mutant) -> bool:
    """Whether all tests pass with the mutant in place, in a child of this process."""
    child = os.fork()
    if child == 0:
        os._exit(_passes(mutant))
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.02)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def _passes(mutant: Mutant) -> int:
    """Run the tests as the child: 0 where all pass."""
    import pytest

    os.setpgrp()
    out = os.open(os.devnull, os.O_WRONLY)
    os.dup2(out, 1)
    os.dup2(out, 2)
    sys.meta_path.insert(0, Planted(mutant))
    options = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:timeout", "-m", "not slow", "-o"]
    for paths in tests_of(mutant.module):
        code = pytest.main([*options, "timeout=0", "--rootdir", str(ROOT), *paths])
        if code != 0:
            return 1
    return 0


def warm() -> None:
    """Load what tests load, before any child is made."""
    sys.path.insert(0, str(ROOT / "workflow"))
    os.environ.setdefault("MPLBACKEND", "Agg")
    for name in (
        "numpy",
        "pandas",
        "scipy.stats",
        "statsmodels.api",
        "hypothesis",
        "pandera.pandas",
    ):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument(
        "rooms", nargs="+", help="folders of workflow/veridical, or modules in them"
    )
    parser.add_argument("--sample", type=int, default=60, help="mutants a room, drawn at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("mutants.csv"), help="the survivors")
    chosen = parser.parse_args()
    warm()
    rows = []
    for room in chosen.rooms:
        place = LIBRARY / room
        files = [place] if place.is_file() else sorted(place.rglob("*.py"))
        every = [mutant for path in files for mutant in mutants(path)]
        drawn = random.Random(chosen.seed).sample(every, min(chosen.sample, len(every)))
        left = []
        for number, mutant in enumerate(sorted(drawn, key=lambda m: (str(m.module), m.line)), 1):
            if survives(mutant):
                left.append(mutant)
            print(f"\r{room}: {number}/{len(drawn)}, {len(left)} survive", end="", file=sys.stderr)
        killed = len(drawn) - len(left)
        print(f"\n{room}: {killed} of {len(drawn)} killed ({killed / max(1, len(drawn)):.0%})")
        rows += [(str(m.module.relative_to(ROOT)), m.line, m.was, m.now) for m in left]
    with open(chosen.out, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("module", "line", "was", "now"), *rows])


if __name__ == "__main__":
    main()
