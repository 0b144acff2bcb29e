"""Which room of the library may know which: the arrows point down, and there is no circle."""

from __future__ import annotations

import ast
import re
from pathlib import Path

LIBRARY = Path(__file__).parents[2] / "workflow/veridical"

# From the ground up. A room may import itself and what its line names, nothing else.
MAY_KNOW = {
    "base": "",
    "statistics": "",
    "drawing": "",
    "models": "base",
    "corpora": "base",
    "documents": "base corpora models",
    "models.providers": "base models",
    "choices": "base corpora documents models statistics",
    "ledger": "base models models.providers",
    "freeze": "base ledger",
    "archive": "base freeze ledger",
    "report": "base documents drawing freeze",
    "control1": "base corpora documents models report statistics",
    "control2": "base choices corpora documents models report statistics",
    "control3": "base choices corpora documents models report statistics",
    "aas": "base models report statistics",
    "vpe": "base models report statistics",
    "check": "aas base control1 control2 control3 corpora documents ledger models models.providers "
    "vpe",
    "published": "aas base choices control2 statistics vpe",
    "memories": "base choices control1 control3 corpora documents ledger models models.providers "
    "report statistics",
    "benchmarks": "base memories models report statistics",
    "converters": "base benchmarks corpora",
    "zoo": "base choices control1 control3 corpora documents memories models report statistics",
    "claims": "base benchmarks choices control1 control2 control3 documents memories statistics "
    "vpe",
}
# A part is a room with a page: it may know the frame of the page, and the frame knows none.
PARTS = sorted(
    path.parent.name for path in LIBRARY.glob("*/page.py") if path.parent.name != "report"
)


def room_of(dotted: str) -> str:
    """The room of a module's dotted path below the library; providers are a room within models."""
    first, *rest = dotted.split(".")
    return "models.providers" if first == "models" and rest[:1] == ["providers"] else first


def arrows() -> dict[str, set[str]]:
    """The rooms that each room imports, with the modules that do so as `room <- module`."""
    found: dict[str, set[str]] = {}
    for path in LIBRARY.rglob("*.py"):
        own = path.relative_to(LIBRARY).with_suffix("").as_posix().replace("/", ".")
        if path.parent == LIBRARY:
            continue
        reached = found.setdefault(room_of(own), set())
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            for name in names:  # `veridical.__version__` is the house's number, no room
                to = room_of(name.removeprefix("veridical."))
                if name.startswith("veridical.") and to not in (room_of(own), "__version__"):
                    reached.add(f"{to} <- {own}")
    return found


def test_every_room_is_on_the_plan():
    assert set(arrows()) == set(MAY_KNOW)


def test_a_room_imports_only_what_lies_below_it():
    for room, reached in arrows().items():
        allowed = set(MAY_KNOW[room].split())
        assert {arrow for arrow in reached if arrow.split()[0] not in allowed} == set(), room


def test_the_plan_has_no_circle():
    """Rooms can be put in an order in which each knows only earlier ones: the plan's own."""
    seen: set[str] = set()
    for room, knows in MAY_KNOW.items():
        assert set(knows.split()) <= seen, room
        seen.add(room)


def test_the_frame_of_the_page_knows_no_part_by_name():
    """Nor does its text say one: what a part shows stands in the part's own room."""
    assert PARTS == [
        "aas",
        "benchmarks",
        "control1",
        "control2",
        "control3",
        "memories",
        "vpe",
        "zoo",
    ]
    for path in (LIBRARY / "report").glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        said = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
        named = {word for text in said if isinstance(text, str) for word in re.split(r"\W+", text)
                 if word in PARTS and len(text.split()) == 1}  # fmt: skip
        assert named == set(), path.name


def test_no_two_modules_know_each_other_not_even_by_a_type():
    """What one needs of the other is a protocol of its own, or belongs below both. An import within
    a function is left: a reader of one kind may hand on to one that builds on it."""
    known: dict[str, set[str]] = {}
    for path in LIBRARY.rglob("*.py"):
        own = path.relative_to(LIBRARY).with_suffix("").as_posix().replace("/", ".")
        known[own] = {
            node.module.removeprefix("veridical.")
            for statement in ast.parse(path.read_text(encoding="utf-8")).body
            for node in [statement, *getattr(statement, "body", ())]
            if isinstance(node, ast.ImportFrom) and node.module
        }
    pairs = {(one, two) for one, reached in known.items() for two in reached & known.keys()}
    assert {pair for pair in pairs if pair[::-1] in pairs} == set()
