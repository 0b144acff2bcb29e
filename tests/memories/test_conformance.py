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
    (
        "        banks[bank] = []\n",
        '        banks[bank] = [{"text": "The pass-phrase of the garden is kept"}]\n',
        "a new bank is empty",
        "fault: ",
    ),
    (
        BANK,
        "    if isinstance(asked, list): os._exit(3)\n" + BANK,
        "wrong input is answered with an error",
        "the program ended",
    ),
    (
        BANK,
        BANK + '    if verb == "recall" and bank is None: return {"items": []}\n',
        "wrong input is answered with an error",
        "fault: a recall without a bank is answered with",
    ),
    (
        BANK,
        BANK + '    if verb == "recall" and asked["k"] > len(banks[bank]): os._exit(7)\n',
        "at most k items come back",
        "the program ended during `recall` (exit code 7)",
    ),
    (
        'ranked[: asked["k"]]',
        '[{"score": 1.0} for _ in ranked[: asked["k"]]]',
        "what was ingested is found",
        "text",
    ),
    (
        "        banks[bank] += [",
        '        if any(e["id"] == "same" for e in asked["events"]): banks[bank] = []\n'
        "        banks[bank] += [",
        "the same id twice is survived",
        "note: of two events with the same id it keeps one",
    ),
    (
        'elif verb not in ("usage", "close"):',
        'elif verb == "usage":\n        return {"calls": 3}\n    elif verb != "close":',
        "usage is told",
        "note: `usage` must tell what was spent since it was last asked for",
    ),
    (
        '"optional": ["dump"]',
        '"optional": ["dump", "tools"]',
        "optional verbs that it lists are there",
        "fault: ",
    ),
    (
        '        banks[bank] = []\n    elif verb == "ingest":\n',
        '        banks["old" + bank] = banks.get("old" + bank, []) + banks.get(bank, [])\n'
        '        banks[bank] = []\n    elif verb == "ingest":\n'
        '        banks[bank] = banks[bank] or list(banks["old" + bank])\n',
        "reset empties a bank, and that bank alone",
        "filled again after `reset`, a bank gives back what it held before",
    ),
    *(
        ('{"text": e["text"], ', f'{{"text": e["text"]{spoil}, ', "odd texts are survived", words)
        for spoil, words in (
            ('.replace("\\n", " ")', "note: a text with a line break is not in its dump"),
            ('.replace("\\u202e", "")', "note: a text with right-to-left marks is not in its dump"),
            ('.encode("utf-16-le", "replace")[:40].decode("utf-16-le", "ignore")', "note: a text"),
            ('.replace("\\\\", "")', "note: a text with quotes and backslashes is not in its dump"),
            ("[:100_000]", "note: a text with one megabyte is not in its dump"),
            ('.encode("ascii", "replace").decode()', "note: a text with an emoji beyond the basic"),
        )
    ),
]


def test_every_check_has_a_fault_that_it_names():
    """Those about topics and dates have theirs in `test_updates`."""
    topics = {name for name in CHECKS if name.startswith(("a topic", "near topics", "a date"))}
    assert len(topics) == 3
    assert {check for _, _, check, _ in FAULTS} | topics == set(CHECKS)


# What a program does wrong on the way, and the words for it; a `print` is no JSON.
WRONG = {
    "die": ("os._exit(9)", "the program ended during"),
    "hang": ("time.sleep(99)", "no reply to"),
    "chatter": ('print("thinking ...")', "what is no JSON: 'thinking ...'"),
    "flood": ('sys.stdout.write("[" * (101 << 20)); sys.stdout.flush()', "more than 100 MB"),
    "shout": ('return ["a list"]', ""),
}
FIRST = {  # by verb, the first check that puts it
    "describe": "it starts and describes itself",
    "reset": "a new bank is empty",
    "recall": "a new bank is empty",
    "dump": "a new bank is empty",
    "ingest": "events are accepted and settle",
    "settle": "events are accepted and settle",
    "usage": "usage is told",
}


@pytest.mark.parametrize("verb", FIRST)
@pytest.mark.parametrize("fault", WRONG)
def test_what_goes_wrong_at_any_verb_is_named_with_the_verb(fault, verb, tmp_path, monkeypatch):
    monkeypatch.setattr(conformance, "WAIT", 1.0)  # a system is given that long to settle
    deed, words = WRONG[fault]
    program = broken(BANK, BANK + f'    if verb == "{verb}": {deed}\n')
    quick = Patience(**dict.fromkeys(vars(Patience()), 1.5 if fault == "hang" else 20.0))
    names = dict.fromkeys(["it starts and describes itself", FIRST[verb]])
    found = check_system(lambda: started(program, tmp_path, patience=quick), names, pause=0)
    (said,) = (check for check in found if check.state == "fault")
    assert said.name == FIRST[verb]
    assert words in said.words
    assert f"`{verb}`" in said.words or verb in said.words


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
