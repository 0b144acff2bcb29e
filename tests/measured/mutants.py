"""Do the tests notice? Small wrongs are put into the library, one at a time, and tests run on each.

    python tests/measured/mutants.py statistics control3 --sample 60 --seed 1
    python tests/measured/mutants.py statistics --again mutants.csv    # are they killed by now?

A mutant is one change to one module of a room: a comparison turned, an operation exchanged, a
number moved by one, a condition negated, `and` for `or`, a returned value lost. It is killed where
a test of its room fails or doesn't end in time. Survivors are listed in a CSV, to be read: a test
is missing, or the change makes no difference. Annotations, decorators, messages of errors and the
`strict` of a zip have no mutants.

The tests are collected once and run once, in a child that notes which test reaches which line.
Then each mutant gets a child of its own, in which its function's code is exchanged and the tests
that reach its line run, the shortest first. A mutant outside of functions (a constant, a contract)
is bound to its name wherever that is known, and the tests that reach its module run; where they
pass it is planted before its module is loaded anew, and its room's tests run whole.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import csv
import importlib.abc
import importlib.util
import os
import pickle
import random
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "workflow/veridical"
TESTS = ROOT / "tests"
PATIENCE = 120  # seconds that the tests of one mutant may take
UNCHANGED, BROKEN = 98, 99  # what a child returns where its function can't be exchanged; at a fault
QUIET = ["-q", "-s", "-n", "0", "-p", "no:cacheprovider", "-p", "no:timeout", "-m", "not slow"]
QUIET += [
    "-W",
    "ignore::pytest.PytestConfigWarning",
    "-o",
    "tmp_path_retention_policy=none",
    "--rootdir",
    str(ROOT),
]
QUIET += ["--hypothesis-profile", "mutants"]

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
    """One change: the module, its line, what stood there and what stands there now, compiled.

    `function` is the outermost function that it lies in, as (qualified name, first line), or None;
    `lines` are those of the statement changed.
    """

    module: Path
    line: int
    was: str
    now: str
    code: CodeType
    function: tuple[str, int] | None
    lines: range

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
    """Every mutant of a module."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    left_out = {id(each) for part in _said_only(tree) for each in ast.walk(part)}
    places = dict(_places(tree))
    for node in [each for each in ast.walk(tree) if id(each) not in left_out]:
        for field, value in changes(node):
            was, before = ast.unparse(node), getattr(node, field)
            setattr(node, field, value)
            ast.fix_missing_locations(tree)
            now = ast.unparse(node)
            if now != was:
                code = compile(tree, str(module), "exec")
                yield Mutant(module, node.lineno, was, now, code, *places[id(node)])
            setattr(node, field, before)


def _said_only(tree: ast.AST) -> Iterator[ast.AST]:
    """What is for readers or a second guard: annotations, decorators, messages, strict zips."""
    for node in ast.walk(tree):
        for field in ("annotation", "returns"):
            if getattr(node, field, None) is not None:
                yield getattr(node, field)
        yield from getattr(node, "decorator_list", ())
        if isinstance(node, ast.Raise):
            yield from (each for each in ast.walk(node) if isinstance(each, ast.JoinedStr))
        if isinstance(node, ast.keyword) and node.arg == "strict":
            yield node


def _places(
    node: ast.AST, within: tuple[str, ...] = (), function=None, lines: range = range(0)
) -> Iterator[tuple[int, tuple[tuple[str, int] | None, range]]]:
    """Of every node the function and the statement in which it lies."""
    for field, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST):
                continue
            inside, at, spans = within, function, lines
            if isinstance(node, ast.ClassDef) and function is None and field == "body":
                inside = (*within, node.name)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and field == "body":
                first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                at = function or (".".join((*within, node.name)), first)
            if isinstance(child, ast.stmt):
                header = getattr(child, "test", None) or getattr(child, "iter", None)
                last = header.end_lineno if header else child.end_lineno
                spans = range(child.lineno, (last or child.lineno) + 1)
            yield id(child), (at, spans)
            yield from _places(child, inside, at, spans)


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
        exec(self.mutant.code, module.__dict__)


def exchange(mutant: Mutant) -> bool:
    """Put the mutant in its place in what is loaded; whether that could be done."""
    return _rebind(mutant) if mutant.function is None else _exchange_code(mutant)


def _rebind(mutant: Mutant) -> bool:
    """Give every name of the module that stands for something else now its new value, wherever it
    was imported to; functions and classes stay as they are."""
    module = importlib.import_module(mutant.name)  # not yet, where tests import it themselves
    changed = dict(vars(module))
    exec(mutant.code, changed)
    done = False
    for name, new in changed.items():
        old = vars(module).get(name)
        if name.startswith("__") or callable(new) or repr(new) == repr(old):
            continue
        for each in list(sys.modules.values()):
            if getattr(each, "__dict__", {}).get(name, each) is old:
                setattr(each, name, new)
        done = True
    return done


def _exchange_code(mutant: Mutant) -> bool:
    module = importlib.import_module(mutant.name)
    live = {
        (each.__qualname__, each.__code__.co_firstlineno): each
        for each in _functions(vars(module).values(), mutant.name)
    }
    done = False
    for code in _codes(mutant.code):
        if (code.co_qualname, code.co_firstlineno) == mutant.function:
            with contextlib.suppress(ValueError, KeyError):  # another closure; not to be found
                live[mutant.function].__code__ = code
                done = True
    return done


def _codes(code: CodeType) -> Iterator[CodeType]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _codes(each)


def _functions(values: Iterable[object], module: str) -> Iterator[FunctionType]:
    """The module's functions among the values, those in classes, properties and caches included."""
    for value in values:
        if isinstance(value, FunctionType) and value.__module__ == module:
            yield value
        if isinstance(value, type):
            if value.__module__ == module:
                yield from _functions(vars(value).values(), module)
            continue
        for field in ("fget", "fset", "func", "__func__", "__wrapped__"):
            inner = getattr(value, field, None)
            if callable(inner):
                yield from _functions([inner], module)


def in_child(work: Callable[[], int], patience: float = PATIENCE) -> int | None:
    """What the work returns in a child of this process, kept quiet; None where it doesn't end."""
    child = os.fork()
    if child == 0:
        os.setpgrp()
        told, out = os.dup(2), os.open(os.devnull, os.O_WRONLY)
        os.dup2(out, 1)
        os.dup2(out, 2)
        code = BROKEN
        try:
            code = work()
        except BaseException:
            os.write(told, traceback.format_exc().encode())
        os._exit(code)
    ends = time.monotonic() + patience
    while time.monotonic() < ends:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            if code == BROKEN:
                raise RuntimeError("the tests could not be run on a mutant")
            return code
        time.sleep(0.005)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def planted_survives(mutant: Mutant) -> bool:
    """Whether the room's tests pass with the mutant loaded, its module's own tests first."""
    import pytest

    room = TESTS / mutant.module.relative_to(LIBRARY).parts[0]
    files = sorted(room.glob("test_*.py"), key=lambda p: (mutant.module.stem not in p.stem, p))

    def work() -> int:
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None)).startswith((str(LIBRARY), str(TESTS))):
                del sys.modules[name]
        sys.meta_path.insert(0, Planted(mutant))
        return int(pytest.main([*QUIET, "-x", f"--basetemp={place}/tests", *map(str, files)]))

    with tempfile.TemporaryDirectory() as place:
        return in_child(work) == 0


class Session:
    """A plug-in of pytest that runs mutants instead of running the tests."""

    def __init__(self, room: str, drawn: list[Mutant], report: Callable[[Mutant, bool], None]):
        self.room, self.drawn, self.report = room, drawn, report

    def pytest_runtestloop(self, session) -> bool:
        """Note what each test reaches, then give each mutant the tests that reach it."""
        session.config._tmp_path_factory.getbasetemp()
        reached, spent = self._reached(session.items)
        for mutant in self.drawn:
            file = str(mutant.module)
            own = [
                item
                for item in session.items
                if any(
                    path == file and (line in mutant.lines or mutant.function is None)
                    for path, line in reached[item.nodeid]
                )
            ]
            own.sort(key=lambda item: spent[item.nodeid])
            patience = PATIENCE + 10 * sum(spent[item.nodeid] for item in own)  # of a busy machine
            work = lambda own=own, mutant=mutant: self._fails(own, mutant)  # noqa: E731
            code = in_child(work, patience) if own else 0
            survived = code == 0
            if code == UNCHANGED or (survived and mutant.function is None):
                survived = planted_survives(mutant)
            self.report(mutant, survived)
        return True

    def _fails(self, items, mutant: Mutant) -> int:
        if not exchange(mutant):
            return UNCHANGED
        for at, item in enumerate(items):
            if not _passes(item, items[at + 1] if at + 1 < len(items) else None):
                return 1
        return 0

    def _reached(self, items) -> tuple[dict[str, set[tuple[str, int]]], dict[str, float]]:
        """The lines of the room that each test reaches, its fixtures' among them; its seconds."""
        place = str(LIBRARY / self.room)
        with tempfile.TemporaryDirectory() as folder:
            kept = Path(folder) / "reached"
            work = lambda: kept.write_bytes(pickle.dumps(_trace(items, place))) and 0  # noqa: E731
            if in_child(work, patience=3_600) != 0:
                raise SystemExit(f"the tests of {self.room} can't be run: do they pass?")
            reached, spent, failed = pickle.loads(kept.read_bytes())
        if failed:
            raise SystemExit(f"{', '.join(failed)}: fails without any mutant")
        together = defaultdict(set)
        for item in items:
            for name in _wide_fixtures(item):
                together[name] |= reached[item.nodeid]
        for item in items:
            for name in _wide_fixtures(item):
                reached[item.nodeid] = reached[item.nodeid] | together[name]
        return reached, spent


def _trace(items, place: str):
    """Run every test with a trace of the lines that lie under `place`."""
    reached, spent, failed = {}, {}, []

    def follow(frame, event, arg):
        if not frame.f_code.co_filename.startswith(place):
            return None
        now.add((frame.f_code.co_filename, frame.f_lineno))
        return follow

    for at, item in enumerate(items):
        reached[item.nodeid] = now = set()
        begun = time.monotonic()
        sys.settrace(follow)
        threading.settrace(follow)
        passed = _passes(item, items[at + 1] if at + 1 < len(items) else None)
        sys.settrace(None)
        spent[item.nodeid] = time.monotonic() - begun
        failed += [] if passed else [item.nodeid]
    return reached, spent, failed


def _passes(item, following) -> bool:
    from _pytest.runner import runtestprotocol

    return not any(each.failed for each in runtestprotocol(item, log=False, nextitem=following))


def _wide_fixtures(item) -> list[str]:
    found = item._fixtureinfo.name2fixturedefs
    return [name for name, each in found.items() if each[-1].scope in ("module", "session")
            and not name.startswith("tmp_path")]  # fmt: skip


def warm() -> None:
    """Load what tests load, before any child is made; give hypothesis few and fixed examples."""
    import hypothesis

    sys.path.insert(0, str(ROOT / "workflow"))
    os.environ.setdefault("MPLBACKEND", "Agg")
    # pytest removes older folders of its own, and a fault of that kind is no kill
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.mkdtemp(prefix="mutants-"))
    for name in ("numpy", "pandas", "scipy.stats", "statsmodels.api", "pandera.pandas"):
        importlib.import_module(name)
    for name in ("statsmodels.stats.multitest", "statsmodels.stats.proportion", "matplotlib"):
        importlib.import_module(name)
    phases = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
    hypothesis.settings.register_profile(
        "mutants", deadline=None, derandomize=True, database=None, phases=phases, max_examples=30
    )


def run(room: str, drawn: list[Mutant]) -> list[Mutant]:
    """The mutants of a room that survive."""
    import pytest

    left, done = [], 0

    def report(mutant: Mutant, survived: bool) -> None:
        nonlocal done
        done += 1
        left.extend([mutant] if survived else [])
        print(f"\r{room}: {done}/{len(drawn)}, {len(left)} survive", end="", file=sys.stderr)

    with tempfile.TemporaryDirectory() as place:  # nobody else's tests clean up there
        options = [*QUIET, f"--basetemp={place}/tests", str(TESTS / room)]
        pytest.main(options, plugins=[Session(room, drawn, report)])
    if done < len(drawn):
        raise SystemExit(f"{room}: {done} of {len(drawn)} mutants were tried")
    return left


def row_of(mutant: Mutant) -> tuple[str, str, str, str]:
    """A mutant as the list of survivors has it."""
    return str(mutant.module.relative_to(ROOT)), str(mutant.line), mutant.was, mutant.now


def survivors(path: Path) -> set[tuple[str, ...]]:
    """The rows of a list of survivors."""
    with open(path, newline="", encoding="utf-8") as file:
        return set(map(tuple, csv.reader(file)))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("rooms", nargs="+", help="folders of workflow/veridical")
    parser.add_argument("--sample", type=int, default=60, help="mutants a room, drawn at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="modules whose name begins so")
    parser.add_argument("--again", type=Path, help="survivors of an earlier run: these alone")
    parser.add_argument("--out", type=Path, default=Path("mutants.csv"), help="the survivors")
    chosen = parser.parse_args()
    warm()
    rows = []
    for room in chosen.rooms:
        files = sorted((LIBRARY / room).rglob(f"{chosen.only}*.py"))
        every = [mutant for path in files for mutant in mutants(path)]
        if chosen.again:
            known = survivors(chosen.again)
            every = [mutant for mutant in every if row_of(mutant) in known]
        drawn = random.Random(chosen.seed).sample(every, min(chosen.sample, len(every)))
        left = run(room, sorted(drawn, key=lambda m: (str(m.module), m.line)))
        killed = len(drawn) - len(left)
        print(f"\n{room}: {killed} of {len(drawn)} killed ({killed / max(1, len(drawn)):.0%})")
        rows += [row_of(mutant) for mutant in left]
    with open(chosen.out, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("module", "line", "was", "now"), *rows])


if __name__ == "__main__":
    main()
