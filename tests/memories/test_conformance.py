"""The conformance check: a sound system passes, and each planted fault is named in words."""

from __future__ import annotations

import pytest
from support.memory_programs import broken, example, shipped, started
from veridical.memories import conformance, subject
from veridical.memories.conformance import CHECKS, check_system
from veridical.memories.process import Patience
from veridical.memories.protocol import Description, Item, Memory, Recalled, Wrapped

QUICK = Patience(**(dict.fromkeys(vars(Patience()), 5.0) | {"recall": 2.0, "close": 0.3}))
BANK = '    verb, bank = asked["verb"], asked.get("bank")\n'


def findings(program: str, folder) -> dict[str, str]:
    """What the check has to say of a program: check → words, for all that is not ok."""
    found = check_system(lambda: started(program, folder, patience=QUICK))
    assert {check.name for check in found} <= set(CHECKS)
    said: dict[str, str] = {}
    for check in found:
        if check.state != "ok":
            said[check.name] = said.get(check.name, "") + f"{check.state}: {check.words}\n"
    return said


def test_the_example_of_the_notes_has_no_fault(tmp_path):
    assert findings(example(), tmp_path) == {}


@pytest.mark.parametrize("adapter", ["fts5", "window"])
def test_adapters_without_dependencies_have_no_fault(adapter, tmp_path):
    found = check_system(lambda: shipped(adapter, tmp_path))
    assert [str(check) for check in found if check.state != "ok"] == []
    assert len(found) == len(CHECKS)


FAULTS = [  # what is planted (old, new), the check that must name it, words that must be in it
    (
        BANK,
        BANK + '    if verb == "recall": os._exit(9)\n',
        "a new bank is empty",
        "fault: `recall` on bank check-new: the program ended during `recall` (exit code 9)",
    ),
    (
        BANK,
        BANK + '    if verb == "settle": time.sleep(99)\n',
        "events are accepted and settle",
        "no reply to `settle`",
    ),
    (
        BANK,
        BANK + '    if verb == "dump": print("dumping")\n',
        "a new bank is empty",
        "what is no JSON: 'dumping'",
    ),
    (
        BANK,
        BANK + '    if verb == "dump": sys.stdout.write("[" * (101 << 20)); sys.stdout.flush()\n',
        "a new bank is empty",
        "more than 100 MB",
    ),
    (
        'raise ValueError(f"unknown verb {verb!r}")',
        "pass",
        "wrong input is answered with an error",
        "fault: an unknown verb is answered with {}, not with an `error`",
    ),
    (
        '    if verb == "reset":\n        banks[bank] = []\n',
        '    if verb == "reset":\n        banks.setdefault(bank, [])\n',
        "reset empties a bank, and that bank alone",
        "fault: after `reset` it still gives back what was in the bank",
    ),
    (
        "        banks[bank] = []\n",
        "        banks.clear(); banks[bank] = []\n",
        "reset empties a bank, and that bank alone",
        "fault: ",
    ),
    (
        BANK,
        BANK + '    bank = bank and "one"\n',
        "banks are kept apart",
        "fault: bank check-1 gives back what was ingested into another bank",
    ),
    (
        '{"accepted": len(asked["events"])}',
        '{"accepted": 0}',
        "events are accepted and settle",
        "fault: it was given 3 events and says that it accepted 0",
    ),
    (
        'return {"ready": True}',
        'return {"ready": False, "pending": 2}',
        "events are accepted and settle",
        "fault: not ready after",
    ),
    (
        'ranked[: asked["k"]]',
        "ranked",
        "at most k items come back",
        "fault: asked for 1 items it gives 3",
    ),
    (
        'ranked[: asked["k"]]',
        'sorted(ranked, key=lambda item: os.urandom(4))[: asked["k"]]',
        "the same query gives the same items",
        "note: ",
    ),
    (
        'ranked[: asked["k"]]',
        "[]",
        "what was ingested is found",
        "note: of three events it does not find the one",
    ),
    (
        '{"text": e["text"], ',
        '{"text": e["text"].split(chr(0))[0], ',
        "odd texts are survived",
        "note: a text with a NUL is not in its dump as it was given",
    ),
    (
        "        banks[bank] += [",
        '        if len(asked["events"][0]["text"]) > 99999: os._exit(4)\n        banks[bank] += [',
        "odd texts are survived",
        "fault: a text with one megabyte: the program ended during `ingest`",
    ),
    (
        '"optional": ["dump"]',
        '"lasting": True, "optional": ["dump"]',
        "it can be killed and started again",
        "fault: ",
    ),
    (
        '"version": "1"',
        '"version": ""',
        "it starts and describes itself",
        "fault: its version is empty",
    ),
    (
        '"optional": ["dump"]',
        '"optional": []',
        "it starts and describes itself",
        "note: it has no `dump`",
    ),
]


@pytest.mark.parametrize(
    ("old", "new", "check", "words"),
    FAULTS,
    ids=[f"{n}-{each[2]}" for n, each in enumerate(FAULTS)],
)
def test_a_planted_fault_is_named(old, new, check, words, tmp_path, monkeypatch):
    monkeypatch.setattr(subject, "WAIT", 1.0)
    monkeypatch.setattr(conformance, "WAIT", 1.0)
    found = findings(broken(old, new), tmp_path)
    assert words in found[check], found


def test_a_system_that_says_it_is_settled_and_is_not(tmp_path):
    """The check waits a second and asks again."""

    class Late(Wrapped):
        asked = 0

        def settle(self, bank, timeout):
            self.asked = 0
            return super().settle(bank, timeout)

        def recall(self, bank, query, k, at=None):
            self.asked += 1
            return Recalled() if self.asked == 1 else super().recall(bank, query, k, at)

    from veridical.memories.adapters.window import Adapter

    found = {check.name: check for check in check_system(lambda: Late(Adapter(tmp_path)))}
    assert "only a second later" in found["what was ingested is found"].words


def test_one_that_cannot_be_described_is_asked_nothing_more(tmp_path):
    found = check_system(lambda: started("raise SystemExit('no licence')", tmp_path))
    assert len(found) == 1
    assert "its last words: no licence" in found[0].words


def test_a_memory_read_by_its_tools_alone_is_asked_no_query():
    class Tools(Memory):
        def describe(self):
            return Description("t", "1", reads=("tools",), optional=("tools",))

        def reset(self, bank): ...

        def ingest(self, bank, events):
            return len(events)

        def tools(self):
            return [{"name": "view"}, {}]

    found = {check.name: check for check in check_system(Tools)}
    assert found["what was ingested is found"].state == "ok"
    assert found["optional verbs that it lists are there"].words == "a tool has no name: {}"


def test_a_wrapper_hands_on_the_optional_verbs(tmp_path):
    from veridical.memories.adapters.window import Adapter

    wrapped = Wrapped(Adapter(tmp_path))
    assert wrapped.dump("b") == ()
    with pytest.raises(AttributeError):
        wrapped.tools()
    assert wrapped.describe() == Adapter(tmp_path).describe()
    assert isinstance(Item("a"), Item)
