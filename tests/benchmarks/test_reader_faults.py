"""Any field of any form may be anything: a file is read, or refused in words, and never crashes."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.benchmark_forms import CONTEXTS, FORMS, write_form, write_json, write_lines
from veridical.benchmarks.items import BenchmarkError, items_table
from veridical.benchmarks.reading import formats, read_benchmark
from veridical.benchmarks.source import Source, file_hash

#: What may stand in a field by mistake: each kind that JSON has, empty and not.
WRONG = (None, "", "   ", "x", "[1]", 0, 7, 2.5, True, [], [[]], ["x"], [None], {}, {"x": "y"})


def places(value: Any, path: tuple = ()) -> Iterator[tuple]:
    """The path of every value inside a value."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in pairs:
        yield (*path, key)
        if isinstance(each, dict | list):
            yield from places(each, (*path, key))


def put(value: Any, path: tuple, new: Any) -> Any:
    """A copy of the value with another one at the path."""
    changed = found = copy.deepcopy(value)
    for key in path[:-1]:
        found = found[key]
    found[path[-1]] = new
    return changed


def reads_or_refuses(path, format: str | None = None) -> str:
    """What a broken file comes to: `read`, or what it was refused for; anything else raises."""
    try:
        benchmark = read_benchmark(path, format)
    except BenchmarkError as refusal:
        return str(refusal)
    table = items_table(benchmark.items)
    assert len(table) == len(benchmark.items) > 0
    assert table["item_id"].is_unique
    keyed = [each for each in benchmark.items if each.key is not None]
    assert all(each.answer == each.options[each.key] for each in keyed)
    return "read"


@pytest.mark.parametrize("name", list(FORMS))
def test_one_wrong_value_anywhere_is_read_or_refused(tmp_path, name):
    """Every place of the form, each taking every kind of wrong value."""
    make, write = FORMS[name]
    whole, said = make(), set()
    table = name.startswith("personamem")  # whose fields are text, row by row
    wrong = [each for each in WRONG if isinstance(each, str) or not table]
    paths = [path for path in places(whole) if len(path) == 2 or not table]
    for number, path in enumerate(paths):
        for nth, each in enumerate(wrong):
            if (number + nth) % 3 == 0:  # every third, which still meets each place and each kind
                place = write(tmp_path, put(whole, path, each))
                said.add(reads_or_refuses(place) == "read")
    assert False in said  # a wrong value was refused somewhere


@pytest.mark.parametrize("name", list(FORMS))
@pytest.mark.parametrize("format", list(FORMS))
def test_a_form_read_as_another_is_read_or_refused(tmp_path, name, format):
    path = write_form(tmp_path, name)
    said = reads_or_refuses(path, format)
    assert said == "read" or name != format


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["question", "answer", "options", "history", "sessions", "id", "turns"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(json_values, min_size=1, max_size=3))
def test_any_lines_of_json_are_read_as_the_plain_form_or_refused(tmp_path, lines):
    reads_or_refuses(write_lines(tmp_path / "any.jsonl", lines), "plain")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(tmp_path, content):
    path = tmp_path / "any.json"
    path.write_bytes(content)
    reads_or_refuses(path)


@pytest.mark.parametrize(("messages", "told"), [(7, "a whole number"), ({}, "an object")])
def test_a_session_that_is_no_list_of_messages_is_named(tmp_path, messages, told):
    path = write_form(
        tmp_path, "longmemeval", lambda v: v[0]["haystack_sessions"].insert(1, messages)
    )
    with pytest.raises(BenchmarkError, match="3 sessions"):
        read_benchmark(path)
    path = write_form(
        tmp_path, "longmemeval", lambda v: v[0].update(haystack_sessions=[messages] * 2)
    )
    with pytest.raises(
        BenchmarkError, match=f"item a1, session s1: {told} where a list of messages"
    ):
        read_benchmark(path)


def test_a_folder_where_a_format_is_one_file_is_named(tmp_path):
    path = write_form(tmp_path, "beam")
    for format in set(FORMS) - {"beam"}:
        with pytest.raises(BenchmarkError, match="100K: a folder where this format is one file"):
            read_benchmark(path, format)


def test_a_list_where_kinds_were_expected_is_named(tmp_path):
    with pytest.raises(
        BenchmarkError, match=r"locomo10\.json: a list where an object was expected"
    ):
        read_benchmark(write_form(tmp_path, "locomo"), "membench")


# ---------------------------------------------------------------- the plain form's histories


def lines(tmp_path, *values: Any):
    return write_lines(tmp_path / "b.jsonl", values)


def asked(**more: Any) -> dict[str, Any]:
    return {"question": "Which?", "answer": "green"} | more


def test_a_history_may_be_named_by_a_number(tmp_path):
    path = lines(tmp_path, {"history": 7, "sessions": ["I sailed."]}, asked(history=7))
    (item,) = read_benchmark(path).items
    assert item.history.id == "7"
    assert item.history.sessions[0].text == "I sailed."


@pytest.mark.parametrize("value", [8, "8", {"a": 1}, True])
def test_a_history_that_no_line_defines_is_refused_whatever_its_kind(tmp_path, value):
    path = lines(tmp_path, {"history": 7, "sessions": ["I sailed."]}, asked(history=value))
    with pytest.raises(BenchmarkError, match=r"line 2, field 'history'"):
        read_benchmark(path)


@pytest.mark.parametrize(
    ("sessions", "texts", "dates", "names"),
    [
        (["a", "b"], ["a", "b"], ["", ""], ["1", "2"]),
        ([["a", {"speaker": "Ada", "text": "b"}]], ["a\nAda: b"], [""], ["1"]),
        ([{"text": "a", "date": "May"}], ["a"], ["May"], ["1"]),
        (
            [{"turns": [{"role": "user", "content": "a"}], "id": "s"}, "b"],
            ["user: a", "b"],
            ["", ""],
            ["s", "2"],
        ),
        ([[]], [""], [""], ["1"]),
    ],
)
def test_sessions_may_be_texts_turns_or_objects(tmp_path, sessions, texts, dates, names):
    (item,) = read_benchmark(lines(tmp_path, asked(history=sessions))).items
    found = item.history.sessions
    assert [each.text for each in found] == texts
    assert [each.date for each in found] == dates
    assert [each.id for each in found] == names


def test_a_long_text_is_a_history_by_itself_and_a_short_one_a_name(tmp_path):
    (item,) = read_benchmark(lines(tmp_path, asked(history="I sailed. " * 12))).items
    assert item.history.sessions[0].text.startswith("I sailed. I sailed.")
    assert item.history.characters == len(item.history.sessions[0].text)
    with pytest.raises(BenchmarkError, match=r"no line before this one defines 'I sailed\.'"):
        read_benchmark(lines(tmp_path, asked(history="I sailed.")))


def test_a_history_must_stand_before_the_items_that_name_it(tmp_path):
    later = lines(tmp_path, asked(history="ada"), {"history": "ada", "sessions": ["a"]})
    with pytest.raises(BenchmarkError, match="line 1, field 'history': no line before this one"):
        read_benchmark(later)


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ("red | green", ("red", "green")),
        ('["red", "green"]', ("red", "green")),
        ("['red', 'green']", ("red", "green")),
        (["(a) red", "(b) green"], ("red", "green")),
        ([], ()),
        ("", ()),
        (None, ()),
    ],
)
def test_options_as_a_list_as_its_text_or_parted(tmp_path, options, found):
    (item,) = read_benchmark(lines(tmp_path, asked(options=options))).items
    assert item.options == found
    assert item.key == (1 if found else None)
    assert item.chance == (0.5 if found else 0)


@pytest.mark.parametrize(
    ("evidence", "found"),
    [
        ("t1", ("t1",)),
        ("t1 | t2", ("t1", "t2")),
        ('["t1", 2]', ("t1", "2")),
        (["t1", ["t2", {"at": "t3"}]], ("t1", "t2", "t3")),
        ("[t1", ("[t1",)),
        ("", ()),
        (None, ()),
    ],
)
def test_evidence_however_it_is_written(tmp_path, evidence, found):
    (item,) = read_benchmark(lines(tmp_path, asked(evidence=evidence))).items
    assert item.evidence == found


@pytest.mark.parametrize(
    ("flag", "abstains"), [("yes", True), ("NO", False), (1, True), (0, False), (True, True)]
)
def test_abstention_however_it_is_written(tmp_path, flag, abstains):
    (item,) = read_benchmark(lines(tmp_path, asked(abstention=flag))).items
    assert item.abstention is abstains


def test_only_where_it_cant_be_known_may_an_answer_be_empty(tmp_path):
    (item,) = read_benchmark(lines(tmp_path, asked(answer="", abstention=True))).items
    assert (item.answer, item.abstention) == ("", True)
    with pytest.raises(BenchmarkError, match="line 1, field 'answer': empty"):
        read_benchmark(lines(tmp_path, asked(answer="", abstention=False)))
    with pytest.raises(BenchmarkError, match="field 'answer'"):
        read_benchmark(lines(tmp_path, asked(answer="", abstention=True, options=["a", "b"])))


# ---------------------------------------------------------------- files and folders


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("a.json", '[{"a": 1}]', "json"),
        ("a.json", '\ufeff[{"a": 1}]', "json"),
        ("a.json", '{"a": 1}', "json"),
        ("a.json", '{\n"a": 1}', "json"),
        ("a.jsonl", '{"a": 1}', "jsonl"),
        ("a.txt", '{"a": 1}\n{"a": 2}\n', "jsonl"),
        ("a.txt", '{"a": 1}\n\n  \n', "json"),
        ("a.csv", "a,b\n1,2\n", "csv"),
        ("a.json", "", "csv"),
    ],
)
def test_what_kind_of_file_it_is(tmp_path, name, text, kind):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert Source(path).kind == kind


def test_records_know_where_they_stand(tmp_path):
    lines = tmp_path / "l.jsonl"
    lines.write_text('\n{"a": 1}\n\n{"a": 2}\n', encoding="utf-8")
    assert Source(lines).records == [("l.jsonl, line 2", {"a": 1}), ("l.jsonl, line 4", {"a": 2})]
    table = tmp_path / "t.csv"
    table.write_text('a,b\n1,"two\nlines"\n3,4\n', encoding="utf-8")
    assert Source(table).records == [
        ("t.csv, line 3", {"a": "1", "b": "two\nlines"}),  # the line on which the row ends
        ("t.csv, line 4", {"a": "3", "b": "4"}),
    ]
    one = write_json(tmp_path / "o.json", {"a": 1})
    assert Source(one).records == [("o.json, item 1", {"a": 1})]
    assert Source(tmp_path).first == {}


def test_a_broken_line_is_named_by_its_number(tmp_path):
    path = tmp_path / "l.jsonl"
    path.write_text('{"question": "a", "answer": "b"}\n\n{"question": \n', encoding="utf-8")
    with pytest.raises(BenchmarkError, match=r"l.jsonl, line 3: not JSON"):
        read_benchmark(path)


def test_what_lies_beside_is_found_from_a_file_and_from_a_folder(tmp_path):
    one, two = write_json(tmp_path / "one.json", []), write_json(tmp_path / "two.json", [])
    assert Source(one).beside("three.json", "two.json") == two
    assert Source(tmp_path).beside("one.json") == one
    assert Source(one).beside("three.json") is None


def test_a_hash_is_that_of_the_bytes(tmp_path):
    import hashlib

    path = tmp_path / "a.json"
    path.write_bytes(b"[]" * 4000)
    assert file_hash(path) == hashlib.sha256(b"[]" * 4000).hexdigest() == Source(path).sha256


# ---------------------------------------------------------------- single forms


def test_a_message_with_time_but_no_place_is_stamped_with_what_there_is(tmp_path):
    def change(value):
        value["simple"]["roles"][0]["message_list"][0][0].pop("place")

    first = read_benchmark(write_form(tmp_path, "membench", change)).items[0]
    assert [turn.text for turn in first.history.sessions[0].turns] == [
        "[t] My uncle is Lan.",
        "Noted.",
    ]


def test_messages_in_sessions_are_numbered_through(tmp_path):
    def change(value):
        said = {"user": "a", "assistant": "b"}
        value["simple"]["roles"][0]["message_list"] = [[said], [said, "c"]]

    first = read_benchmark(write_form(tmp_path, "membench", change)).items[0]
    assert [[turn.id for turn in each.turns] for each in first.history.sessions] == [
        ["0", "0"],
        ["1", "1", "2"],
    ]


def test_a_conversation_is_cut_where_the_question_was_asked(tmp_path):
    path = write_form(tmp_path, "personamem", lambda v: v[1].update(end_index_in_shared_context=2))
    write_lines(tmp_path / "shared_contexts_32k.jsonl", CONTEXTS)
    first, second = read_benchmark(path).items
    assert [len(each.history.sessions[0].turns) for each in (first, second)] == [1, 2]
    assert first.history.id != second.history.id
    assert first.cluster == second.cluster


@pytest.mark.parametrize("end", ["-1", "two", "1.5"])
def test_an_end_that_is_no_whole_number_is_refused(tmp_path, end):
    path = write_form(
        tmp_path, "personamem", lambda v: v[0].update(end_index_in_shared_context=end)
    )
    write_lines(tmp_path / "shared_contexts_32k.jsonl", CONTEXTS)
    with pytest.raises(BenchmarkError, match=r"end_index_in_shared_context.*no whole number"):
        read_benchmark(path)


def test_a_linked_chat_is_found_from_the_table_or_above_it(tmp_path):
    folder = tmp_path / "tables"
    folder.mkdir()
    path = write_form(folder, "personamem_v2")
    assert read_benchmark(path).missing[0].endswith("can't be found from the table")
    chat = [{"role": "user", "content": "Milk, please."}]
    link = "data/chat_history_32k/chat_3.json"
    write_json(tmp_path / link, {"chat_history": chat})
    found = read_benchmark(path)
    assert found.missing == ()
    assert found.items[0].history.sessions[0].text == "user: Milk, please."
    (tmp_path / link).write_text("{", encoding="utf-8")
    with pytest.raises(BenchmarkError, match=r"chat_3.json: not JSON"):
        read_benchmark(path)


@pytest.mark.parametrize(
    ("query", "question"),
    [
        ('{"role": "user", "content": "What?"}', "What?"),
        ("{'content': \"What's it?\"}", "What's it?"),
        ("What is it?", "What is it?"),
        ("7", "7"),
    ],
)
def test_a_query_is_a_message_or_its_text(tmp_path, query, question):
    path = write_form(tmp_path, "personamem_v2", lambda v: v[0].update(user_query=query))
    assert read_benchmark(path).items[0].question == question


def test_ids_of_a_context_are_taken_where_they_are_as_many_and_distinct(tmp_path):
    def names(ids):
        path = write_form(
            tmp_path, "memoryagentbench", lambda v: v[0]["metadata"].update(qa_pair_ids=ids)
        )
        return [each.id for each in read_benchmark(path).items]

    assert names(["f0", "f1"]) == ["1:f0", "1:f1"]
    assert names(["f0", "f0"]) == ["1:0", "1:1"]
    assert names(["f0"]) == ["1:0", "1:1"]


def test_evidence_in_halumem_is_the_session_that_holds_the_point(tmp_path):
    first, second = read_benchmark(write_form(tmp_path, "halumem")).items
    assert first.evidence == ("1",)
    assert second.evidence == ("Nobody said this.",)
    assert [len(each.history.sessions) for each in (first, second)] == [1, 2]
    assert (first.abstention, second.abstention) == (False, True)


def test_talks_are_read_in_the_order_of_their_numbers(tmp_path):
    def change(value):
        talk = value[0]["conversation"]
        for number in (10, 9):
            talk[f"session_{number}"] = [{"speaker": "Ada", "dia_id": f"D{number}:1", "text": "x"}]

    item = read_benchmark(write_form(tmp_path, "locomo", change)).items[0]
    assert [each.id for each in item.history.sessions] == ["S1", "S2", "S9", "S10"]
    assert [each.date for each in item.history.sessions][2:] == ["", ""]


def test_every_format_has_what_reading_asks_of_it():
    for name, reader in formats().items():
        assert reader.TITLE, name
        assert callable(reader.fits), name
        assert callable(reader.read), name
        assert json.dumps(reader.TITLE)
