"""Every form a life is made from: a small file of our own, and a broken one, told where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import converted
from support.converted import PEOPLE, wish
from support.scripts import load_script
from veridical.converters.forms import FORMS, convert
from veridical.converters.life import ConversionError, Life
from veridical.converters.speakers import SPEAKER
from veridical.corpora.corpus import read_corpus

SCRIPT = "converters/convert_life.py"


def dump(path: Path, value) -> Path:
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def life(path: Path, form: str, **given) -> Life:
    return convert(wish(path, form, **given))


# ---------------------------------------------------------------- talk: LoCoMo, LongMemEval, chat


@pytest.mark.parametrize(
    ("make", "form", "given"),
    [
        (converted.locomo, "locomo", {}),
        (converted.longmemeval, "longmemeval", {"names": {"user": "Ada", "assistant": "Bruno"}}),
        (converted.chat, "chat", {}),
    ],
)
def test_from_a_file_to_a_corpus_with_no_row_written_by_hand(make, form, given, tmp_path, capsys):
    path = make(tmp_path / "file.json")
    told = wish(path, form).given if form == "chat" else {}
    settings = {"file": str(path), "from": form, "to": "Ada", **told, **given}
    load_script(SCRIPT).main(settings=settings, corpora=tmp_path / "corpora")
    corpus = read_corpus(tmp_path / "corpora/Ada")
    assert sorted(corpus.partners) == list(PEOPLE)
    assert len(corpus.events) == 30
    assert corpus.today == "2025-03-15"
    # 15 turns of each, all of them told once: every one is asked about, as many of each speaker.
    counts = corpus.facts["value"].value_counts().to_dict()
    assert counts == {"Ada": 15, "Bruno": 15}
    assert corpus.asked == SPEAKER
    # Who said it stands in the memory, and is what an exchange changes.
    true = corpus.written()
    swapped = [PEOPLE[name == PEOPLE[0]] for name in corpus.facts["value"]]
    first, other = true.splitlines()[0], corpus.written(swapped).splitlines()[0]
    name = next(name for name in PEOPLE if f" {name}: I put the boat beside" in first)
    assert other == first.replace(name, next(each for each in PEOPLE if each != name))
    said = capsys.readouterr().err
    assert "30 events in" in said
    assert "Not derived:" in said
    assert "facts: speaker, 30 of 2 values (" in said


def test_locomo_says_its_terms_its_days_and_asks_its_own_questions(tmp_path):
    found = life(converted.locomo(tmp_path / "l.json"), "locomo")
    assert found.known["licence"] == "CC-BY-NC-4.0"
    assert found.events[0].time == "2025-03-01T13:56"
    assert found.events[0].session == "S1"
    assert len(found.inputs) == 7  # of nine questions; the one on what nobody said is none
    assert found.inputs[0] == "Where is the boat?"
    assert not any("born" in text for text in found.inputs)


def test_the_first_sessions_alone(tmp_path):
    found = life(converted.locomo(tmp_path / "l.json"), "locomo", sessions=12)
    assert {event.session for event in found.events} == {f"S{n}" for n in range(1, 13)}
    assert len(found.facts) == 24


def test_a_history_that_is_not_there(tmp_path):
    path = converted.locomo(tmp_path / "l.json")
    with pytest.raises(ConversionError, match=r"no history 'conv-9'; `which` is one of conv-1"):
        life(path, "locomo", which="conv-9")


def test_a_session_whose_day_is_in_doubt(tmp_path):
    path = converted.locomo(tmp_path / "l.json")
    text = path.read_text(encoding="utf-8").replace("1:56 pm on 1 March, 2025", "3/4/2025")
    with pytest.raises(ConversionError, match=r"history conv-1, session S1, date: '3/4/2025'"):
        life(dump(path, text), "locomo")


def test_chats_name_things_in_many_ways(tmp_path):
    messages = [
        {"sender": "Ada", "text": "One two three four five.", "timestamp": 1741000000},
        {"author": "Bruno", "body": "Six seven.", "date": "2025-03-03 12:00:00+00:00"},
        {"role": "system", "content": "You are helpful.", "time": "2025-03-03"},
        {"role": "Ada", "content": [{"type": "text", "text": "Parts"}, {"type": "image"}],
         "created_at": 1741010000000},
    ]  # fmt: skip
    found = life(dump(tmp_path / "c.json", {"messages": messages}), "chat")
    assert [(e.speaker, e.text) for e in found.events] == [
        ("Ada", "One two three four five."),
        ("Bruno", "Six seven."),
        ("Ada", "Parts"),
    ]
    assert found.events[0].time == "2025-03-03T11:06:40+00:00"
    assert found.events[0].session == "2025-03-03"
    assert found.facts == ()  # one turn is long enough, and twelve of each are needed
    assert "Ada 1, Bruno 0" in found.lacking[0]


def test_who_says_it_is_no_kind_of_message_and_may_be_an_object(tmp_path):
    messages = [
        {"type": "message", "user": "U01", "text": "Hi", "ts": "1741000000.000100"},
        {"author": {"id": "7", "name": "Bruno"}, "content": "Ho", "timestamp": "2025-03-04"},
    ]
    found = life(dump(tmp_path / "c.json", messages), "chat")
    assert [event.speaker for event in found.events] == ["U01", "Bruno"]
    nobody = dump(tmp_path / "d.json", [{"type": "message", "text": "Hi", "date": "2025-03-04"}])
    with pytest.raises(ConversionError, match="message 1: who says it"):
        life(nobody, "chat")


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ('{"role": "a", "content": "x", "time": "2025-03-01"}\n{"role":', "line 2: not JSON"),
        (
            '{"role": "a", "content": "x"}',
            r"message 1: no time; give every message its time.*start",
        ),
        ('{"role": "a", "content": "x", "time": "soon"}', r"message 1: 'time', 'soon', is no time"),
        ('{"content": "x", "time": "2025-03-01"}', "message 1: who says it"),
        ('["x"]', r"message 1: text where an object"),
        ("nothing", "not JSON"),
        ('{"messages": []}', "nothing is said in it"),
        ("[]", "nothing is said in it"),
    ],
)
def test_a_broken_chat_is_refused_where_it_breaks(lines, told, tmp_path):
    with pytest.raises(ValueError, match=told) as error:
        life(dump(tmp_path / "chat.jsonl", lines), "chat")
    assert str(tmp_path / "chat.jsonl") in str(error.value)


def test_messages_without_times_stand_a_minute_apart_from_when_they_began(tmp_path):
    path = dump(tmp_path / "c.json", [{"role": "a", "content": f"say {n}"} for n in range(3)])
    found = life(path, "chat", start="2025-03-31 23:59")
    assert [e.time for e in found.events] == [
        "2025-03-31T23:59",
        "2025-04-01T00:00",
        "2025-04-01T00:01",
    ]
    with pytest.raises(ConversionError, match=r"convert/start: 'noon' is no time"):
        life(path, "chat", start="noon")


# ---------------------------------------------------------------- stores: mem0, Letta, LangGraph


def test_a_dump_of_mem0(tmp_path):
    found = life(
        dump(
            tmp_path / "m.json",
            {
                "results": [
                    {
                        "id": "b",
                        "memory": "Likes tea",
                        "user_id": "ada",
                        "created_at": "2025-03-02",
                    },
                    {
                        "id": "a",
                        "memory": "Has a boat",
                        "user_id": "ada",
                        "created_at": "2025-03-01",
                    },
                ]
            },
        ),
        "mem0",
    )
    assert [(e.id, e.text, e.speaker) for e in found.events] == [
        ("a", "Has a boat", "ada"),
        ("b", "Likes tea", "ada"),
    ]
    assert found.facts == ()
    assert any(text.startswith("facts: mem0 keeps sentences") for text in found.lacking)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"results": [{"created_at": "2025-03-01"}]}, r"memory 1, field 'memory': missing"),
        ({"results": [{"memory": "x"}]}, r"memory 1, field 'created_at': None is no time"),
        ({"other": 1}, r"no list of memories, under `results`"),
    ],
)
def test_a_broken_dump_of_mem0(value, told, tmp_path):
    with pytest.raises(ValueError, match=told):
        life(dump(tmp_path / "m.json", value), "mem0")


def agent(name: str, **more) -> dict:
    parts = [{"type": "text", "text": "Hi"}]
    said = [
        {"role": "user", "content": parts, "created_at": "2025-03-01T10:00"},
        {"role": "tool", "content": "ok", "created_at": "2025-03-01T10:01"},
        {"role": "assistant", "content": "Hello", "created_at": "2025-03-01T10:02"},
    ]
    return {"name": name, "messages": said, **more}


def test_an_agent_file_of_letta_brings_its_memory(tmp_path):
    file = {
        "agents": [agent("Otto", block_ids=["b1"]), agent("Pia")],
        "blocks": [{"id": "b1", "label": "human", "value": "Ada has a boat."}, {"id": "b2"}],
    }
    found = life(dump(tmp_path / "a.af", file), "letta", which="Otto")
    assert [(e.speaker, e.text) for e in found.events] == [("user", "Hi"), ("assistant", "Hello")]
    assert found.memory == "human\nAda has a boat."
    assert found.known == {"agent": "Otto"}
    assert life(dump(tmp_path / "a.af", file), "letta", which="Pia").memory is None
    assert life(dump(tmp_path / "a.af", file), "letta").known == {"agent": "Otto"}  # the first
    with pytest.raises(ValueError, match="`which` must name one agent of Otto, Pia"):
        life(dump(tmp_path / "a.af", file), "letta", which="Ugo")
    older = agent("Otto", core_memory={"persona": "I help."})
    assert life(dump(tmp_path / "b.json", older), "letta").memory == "persona\nI help."


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"agents": []}, r"`which` must name one agent of"),
        ([1], r"no agent file"),
        ({"agents": [{"name": "Otto"}]}, r"agent 1, field 'messages': missing"),
    ],
)
def test_a_broken_agent_file(value, told, tmp_path):
    with pytest.raises(ValueError, match=told):
        life(dump(tmp_path / "a.af", value), "letta")


def test_states_of_langgraph_date_a_message_by_the_first_that_has_it(tmp_path):
    first = {"type": "human", "content": "Hi", "id": "1"}
    second = {"type": "ai", "data": {"content": "Hello", "id": "2"}}
    states = [  # as get_state_history lists them: the newest first
        {"values": {"messages": [first, second]}, "created_at": "2025-03-01T10:05:00"},
        {"values": {"messages": [first]}, "created_at": "2025-03-01T10:00:00"},
    ]
    found = life(dump(tmp_path / "s.json", states), "langgraph")
    assert [(e.time, e.speaker, e.text) for e in found.events] == [
        ("2025-03-01T10:00:00", "user", "Hi"),
        ("2025-03-01T10:05:00", "assistant", "Hello"),
    ]


def test_langchains_own_form_of_messages_has_system_and_tools_as_no_turns(tmp_path):
    def made(kind: str, text: str) -> dict:
        path = ["langchain_core", "messages", kind]
        return {"type": "constructor", "id": path, "kwargs": {"content": text}}

    messages = [
        made("SystemMessage", "Never tell."),
        made("HumanMessage", "Hi"),
        made("ToolMessage", "{}"),
        made("AIMessageChunk", "Hello"),
    ]
    state = {"values": {"messages": messages}, "created_at": "2025-03-01T10:00:00"}
    found = life(dump(tmp_path / "s.json", [state]), "langgraph")
    assert [(e.speaker, e.text) for e in found.events] == [("user", "Hi"), ("assistant", "Hello")]


def test_states_and_memories_come_in_the_order_of_their_moments(tmp_path):
    """01:30 at seven hours west is earlier than 01:10 at eight."""
    early, late = "2025-03-01T01:30:00-07:00", "2025-03-01T01:10:00-08:00"
    memories = [
        {"id": "b", "memory": "Late", "user_id": "ada", "created_at": late},
        {"id": "a", "memory": "Early", "user_id": "ada", "created_at": early},
    ]
    found = life(dump(tmp_path / "m.json", {"results": memories}), "mem0")
    assert [event.text for event in found.events] == ["Early", "Late"]
    first, second = ({"type": "human", "content": t, "id": t} for t in ("Hi", "Ho"))
    states = [
        {"values": {"messages": [first, second]}, "created_at": late},
        {"values": {"messages": [first]}, "created_at": early},
    ]
    found = life(dump(tmp_path / "s.json", states), "langgraph")
    assert [event.time for event in found.events] == [early, late]


def test_items_of_a_langgraph_store(tmp_path):
    items = [
        {"namespace": ["memories", "ada"], "key": "k", "value": {"content": "Ada has a boat"},
         "created_at": "2025-03-01T10:00:00"},
    ]  # fmt: skip
    (event,) = life(dump(tmp_path / "i.json", items), "langgraph").events
    assert (event.speaker, event.text, event.session) == ("ada", "Ada has a boat", "memories/ada")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ([{"x": 1}], r"neither states .* nor items"),
        ([{"values": {"messages": [{"content": "x"}]}}], r"state 1, message 1, field 'type'"),
        ([{"values": {"messages": [{"type": "ai", "content": "x"}]}}], r"no time; give every"),
        ([{"namespace": ["a"], "key": "k", "value": "x"}], r"item 1, field 'created_at'"),
    ],
)
def test_a_broken_dump_of_langgraph(value, told, tmp_path):
    with pytest.raises(ValueError, match=told):
        life(dump(tmp_path / "s.json", value), "langgraph")


# ---------------------------------------------------------------- a calendar


def calendar(path: Path, *entries: str) -> Path:
    inner = "".join(f"BEGIN:VEVENT\r\n{entry}\r\nEND:VEVENT\r\n" for entry in entries)
    text = f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//\r\n{inner}END:VCALENDAR\r\n"
    path.write_bytes(text.encode())
    return path


def entry(day: int, summary: str, place: str = "", more: str = "") -> str:
    lines = [f"UID:{day}", f"DTSTART:202503{day:02}T100000", f"SUMMARY:{summary}"]
    return "\r\n".join([*lines, *([f"LOCATION:{place}"] if place else []), *filter(None, [more])])


def test_an_entry_that_was_cancelled_never_took_place(tmp_path):
    entries = [entry(2, "Choir", "Town hall"), entry(5, "Swim", "Pool", "STATUS:CANCELLED")]
    found = life(calendar(tmp_path / "c.ics", *entries, entry(6, "Swim", "Lake")), "calendar")
    assert [event.text for event in found.events] == ["Choir, Town hall", "Swim, Lake"]
    assert [fact.value for fact in found.facts] == ["Town hall", "Lake"]


def test_a_calendars_places_are_facts_and_may_change(tmp_path, capsys):
    path = calendar(
        tmp_path / "c.ics",
        entry(9, "Choir", "Old mill"),
        entry(2, "Choir", "Town hall", "RRULE:FREQ=WEEKLY"),
        entry(5, "Dentist", "North street 4"),
        entry(7, "Swim"),
    )
    settings = {**wish(path, "calendar").given, "file": str(path), "from": "calendar"}
    load_script(SCRIPT).main(
        settings={**settings, "to": "Ada", "agent": "Ada"}, corpora=tmp_path / "corpora"
    )
    corpus = read_corpus(tmp_path / "corpora/Ada")
    assert corpus.asked == "place"
    assert corpus.shape == "lines"
    facts = corpus.facts[["subject", "value", "state"]].to_numpy().tolist()
    assert facts == [
        ["Choir", "Town hall", "superseded"],
        ["Dentist", "North street 4", "holds"],
        ["Choir", "Old mill", "holds"],
    ]
    assert "'Choir' recurs, and is taken once" in capsys.readouterr().err


def test_times_with_and_without_a_zone_need_to_know_where(tmp_path):
    path = calendar(
        tmp_path / "c.ics",
        "UID:1\r\nDTSTART:20250302T100000Z\r\nSUMMARY:One",
        "UID:2\r\nDTSTART:20250303T100000\r\nSUMMARY:Two",
        "UID:3\r\nDTSTART;VALUE=DATE:20250304\r\nSUMMARY:Three",
    )
    with pytest.raises(ConversionError, match=r"some times say their zone.*zone: Europe/Rome"):
        life(path, "calendar")
    found = life(path, "calendar", zone="Europe/Rome")
    assert [event.time for event in found.events] == [
        "2025-03-02T10:00+00:00",
        "2025-03-03T10:00+01:00",
        "2025-03-04",
    ]
    with pytest.raises(ConversionError, match=r"convert/zone: no zone 'Rome'"):
        life(path, "calendar", zone="Rome")


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        (["UID:7\r\nSUMMARY:One"], r"entry 7, DTSTART: missing"),
        (["UID:7\r\nDTSTART:20250302T100000"], r"entry 7, SUMMARY: empty"),
        ([], r"no entry \(VEVENT\)"),
    ],
)
def test_a_broken_calendar(entries, told, tmp_path):
    with pytest.raises(ConversionError, match=told):
        life(calendar(tmp_path / "c.ics", *entries), "calendar")


def test_what_is_no_calendar(tmp_path):
    with pytest.raises(ConversionError, match=r"c\.ics: no (calendar|entry)"):
        life(dump(tmp_path / "c.ics", "hello"), "calendar")


# ---------------------------------------------------------------- a table

TABLE = "When,Who,What,Thing,Shop\n2025-03-01,Ada,Bought the lamp,the lamp,Rossi\n"


def test_a_tables_columns_are_named_and_may_hold_facts(tmp_path):
    text = TABLE + "31/03/2025,Ada,Bought the rope,the rope,Bianchi\n2025-04-01,Ada,Rested,,\n"
    columns = {"time": "When", "speaker": "Who", "text": "What", "subject": "Thing"}
    found = life(dump(tmp_path / "t.csv", text), "table", columns=columns, facts={"shop": "Shop"})
    assert [(f.subject, f.attribute, f.value) for f in found.facts] == [
        ("the lamp", "shop", "Rossi"),
        ("the rope", "shop", "Bianchi"),
    ]
    assert [event.time for event in found.events] == ["2025-03-01", "2025-03-31", "2025-04-01"]
    first = life(
        tmp_path / "t.csv", "table", columns=columns, facts={"shop": "Shop"}, sessions=1
    )  # facts of what is cut off are cut off with it
    assert [f.subject for f in first.facts] == ["the lamp"]
    empty = dump(tmp_path / "h.csv", TABLE.splitlines()[0] + "\n")
    with pytest.raises(ValueError, match="nothing is said in it"):
        life(empty, "table", columns=columns, facts={"shop": "Shop"})
    assert not any(text.startswith("who said it") for text in found.lacking)


@pytest.mark.parametrize(
    ("text", "given", "told"),
    [
        (TABLE, {}, r"no column 'time' for time; it has When, Who, What.*columns: \{time: …\}"),
        ("time,text\n3/4/2025,x\n", {}, r"line 2, column time: '3/4/2025' is no time that is sure"),
        ("time,text\n2025-03-01,\n", {}, r"line 2, column text: empty"),
        ("time,text\n2025-03-01,x,y\n", {}, r"line 2: not as many cells"),
        ("time,text,text\n2025-03-01,x,y\n", {}, r"column 'text' is there more than once"),
        ('time,"te"xt\n2025-03-01,x\n', {}, r"line 1: "),
        ("time,text\n2025-03-01,x\n", {"facts": {"a": "b"}}, r"name its column.*subject"),
        (
            "time,text,subject\n2025-03-01,x,y\n",
            {"facts": {"shop": "Shop"}},
            r"line 2: no column 'Shop', named in `facts`",
        ),
    ],
)
def test_a_broken_table(text, given, told, tmp_path):
    with pytest.raises(ConversionError, match=told):
        life(dump(tmp_path / "t.csv", text), "table", **given)


def test_a_table_as_spreadsheets_save_it(tmp_path):
    text = "time, text ,speaker\n2025-03-01,x,Ada\n,,\n2025-03-02,y,Ada\n"
    found = life(dump(tmp_path / "t.csv", text), "table")
    assert [(event.time, event.text) for event in found.events] == [
        ("2025-03-01", "x"),
        ("2025-03-02", "y"),
    ]
    with pytest.raises(ValueError, match="';'"):
        life(dump(tmp_path / "s.csv", "time;text\n2025-03-01;x\n"), "table")


def test_a_form_or_file_that_is_not_there(tmp_path):
    with pytest.raises(ConversionError, match=r"convert/from: no form 'sms'; known: locomo"):
        life(tmp_path / "x", "sms")
    with pytest.raises(ConversionError, match=r"convert/file: no file"):
        life(tmp_path / "x", "chat")


def test_the_config_knows_every_form():
    from veridical.base.schema import read_schema

    assert read_schema()["properties"]["convert"]["properties"]["from"]["enum"] == list(FORMS)
