"""Readers: each public form read as its makers describe it, and refused where it is broken."""

from __future__ import annotations

import csv
import json
import shutil

import pytest
from support.benchmark_forms import CONTEXTS, FORMS, write_csv, write_form, write_json, write_lines
from veridical.benchmarks.items import BenchmarkError, items_table
from veridical.benchmarks.reading import formats, read_benchmark
from veridical.benchmarks.records import find_key, listed, option_faults, unlabelled
from veridical.benchmarks.source import Source


def test_every_reader_has_a_form_here():
    assert set(FORMS) == set(formats())


def test_the_plain_form_is_tried_last():
    assert list(formats())[-1] == "plain"


@pytest.mark.parametrize("name", list(FORMS))
def test_a_form_is_recognised_and_gives_a_table(tmp_path, name):
    benchmark = read_benchmark(write_form(tmp_path, name))
    assert benchmark.format == name
    assert benchmark.release == ""  # no hash of ours is a public release's
    table = items_table(benchmark.items)
    assert len(table) == len(benchmark.items) > 0
    assert table["item_id"].is_unique
    assert (table["question"] != "").all()
    chances = [1 / len(item.options) if item.options else 0 for item in benchmark.items]
    assert table["chance"].tolist() == chances


@pytest.mark.parametrize("name", list(FORMS))
def test_no_other_reader_takes_a_form_before_its_own(tmp_path, name):
    source = Source(write_form(tmp_path, name))
    taken = [each for each, reader in formats().items() if reader.fits(source)]
    assert taken[0] == name


def test_plain(tmp_path):
    one, two = read_benchmark(write_form(tmp_path, "plain")).items
    assert (one.id, one.answer, one.key, one.options) == (
        "q1",
        "green",
        1,
        ("red", "green", "blue"),
    )
    assert (one.stratum, one.topic, one.cluster, one.date) == (
        "facts",
        "boats",
        "ada",
        "2024-04-01",
    )
    assert one.evidence == ("t1",)
    assert one.history.names == {"t1", "s1", "2"}
    assert one.history.sessions[0].text == "Ada: The boat is green."
    assert one.history.sessions[1].text == "A day without news."
    assert two.abstention
    assert (two.answer, two.options, two.history) == ("", (), None)


def test_plain_as_csv_and_as_json(tmp_path):
    rows = [
        {"question": "A?", "answer": "B", "options": "red | green", "history": ""},
        {"question": "B?", "answer": "red", "options": '["red", "green"]', "history": "x " * 60},
    ]
    table = read_benchmark(write_csv(tmp_path / "a.csv", rows)).items
    assert [item.key for item in table] == [1, 0]
    assert [item.id for item in table] == ["1", "2"]
    assert table[1].history.sessions[0].turns[0].text == "x " * 60
    values = [{"question": "A?", "answer": 4, "history": [["a", {"role": "u", "content": "b"}]]}]
    (item,) = read_benchmark(write_json(tmp_path / "a.json", values)).items
    assert item.answer == "4"
    assert item.history.sessions[0].text == "a\nu: b"


@pytest.mark.parametrize("broken", [False, True])
def test_a_long_history_in_a_csv_is_read_and_no_other_file_is_read_otherwise(tmp_path, broken):
    before = csv.field_size_limit()
    rows = [{"question": "A?", "answer": "B", "history": "x " * before}]
    path = write_csv(tmp_path / "a.csv", rows)
    if broken:
        path.write_text(path.read_text(encoding="utf-8") + "one field\n", encoding="utf-8")
        with pytest.raises(BenchmarkError, match="not as many fields"):
            read_benchmark(path)
    else:
        (item,) = read_benchmark(path).items
        assert len(item.history.sessions[0].turns[0].text) == 2 * before
    assert csv.field_size_limit() == before


def test_locomo(tmp_path):
    one, two, three = read_benchmark(write_form(tmp_path, "locomo")).items
    assert (one.id, one.stratum, one.cluster) == ("conv-1:0", "single-hop", "conv-1")
    assert (one.answer, one.evidence) == ("a boat", ("D1:1",))
    assert (two.answer, two.stratum) == ("2022", "temporal")
    assert (three.answer, three.abstention, three.stratum) == ("", True, "adversarial")
    assert one.history is two.history
    assert [session.date for session in one.history.sessions] == [
        "1:56 pm on 8 May, 2023",
        "2:00 pm on 9 May, 2023",
    ]
    assert one.history.sessions[0].text == "Ada: I sold the boat.\nBen: Here: [shares a green boat]"
    assert {"S1", "S2", "D1:1", "D2:1"} <= one.history.names


def test_longmemeval(tmp_path):
    one, two = read_benchmark(write_form(tmp_path, "longmemeval")).items
    assert (one.stratum, one.answer, one.date) == (
        "single-session-user",
        "Pellam",
        "2023/05/30 (Tue) 23:40",
    )
    assert one.evidence == ("s1",)
    assert one.cluster != two.cluster
    assert (one.abstention, two.abstention) == (False, True)
    assert one.history.sessions[0].text == "user: I moved to Pellam."


def test_longmemeval_v2(tmp_path):
    benchmark = read_benchmark(write_form(tmp_path, "longmemeval_v2"))
    one, two = benchmark.items
    assert (one.topic, two.topic) == ("shop", "web")
    assert (one.abstention, two.abstention) == (False, True)
    assert two.question == "Where is the tax page?"
    assert "trajectories" in benchmark.missing[0]


def test_personamem(tmp_path):
    path = write_form(tmp_path, "personamem")
    benchmark = read_benchmark(path)
    assert [item.options for item in benchmark.items] == [
        ("tea, of course", "milk"),
        ("It's tea", "It's milk"),
    ]
    assert [item.key for item in benchmark.items] == [1, 1]
    assert benchmark.items[0].cluster == "7"
    assert benchmark.missing == ("histories: no shared_contexts_32k.jsonl beside the questions",)
    write_lines(tmp_path / "shared_contexts_32k.jsonl", CONTEXTS)
    benchmark = read_benchmark(path)
    assert benchmark.missing == ()
    assert benchmark.items[0].history.sessions[0].text == "user: User: I drink milk."


def test_personamem_v2(tmp_path):
    path = write_form(tmp_path, "personamem_v2")
    benchmark = read_benchmark(path)
    (item,) = benchmark.items
    assert not benchmark.ordered
    assert (item.question, item.answer) == ("What's my drink?", "milk")
    assert item.options == ("milk", "tea", "beer", "water")
    assert "can't be found" in benchmark.missing[0]
    chat = {"chat_history": [{"role": "user", "content": "Milk, please."}]}
    write_json(tmp_path / "data/chat_history_32k/chat_3.json", chat)
    assert read_benchmark(path).items[0].history.sessions[0].text == "user: Milk, please."


def test_membench(tmp_path):
    one, two = read_benchmark(write_form(tmp_path, "membench")).items
    assert (one.stratum, one.topic, one.id) == ("simple/roles", "roles", "simple/roles/0")
    assert (one.options, one.key, one.answer) == (("Ben", "Lan", "Tom", "Max"), 1, "Lan")
    assert set(one.evidence) <= one.history.names
    assert set(two.evidence) <= two.history.names
    assert one.history.sessions[0].text == "user: [t, Pellam] My uncle is Lan.\nassistant: Noted."
    assert two.history.sessions[0].text == "[t, p] Lan sails.\nIt rained."


def test_beam_by_folder_and_by_file(tmp_path):
    folder = write_form(tmp_path, "beam")
    items = read_benchmark(folder).items
    assert [item.stratum for item in items] == ["abstention", "event_ordering", "knowledge_update"]
    assert [item.abstention for item in items] == [True, False, False]
    assert [item.answer for item in items] == ["It was not said.", "a, b", "b"]
    assert items[2].evidence == ("0", "1")
    assert items[0].topic == "Travel"
    assert items[0].history.sessions[0].date == "March 15 2024"
    assert items[0].history.names == {"0", "1", "batch 1"}
    file = folder / "1/probing_questions/probing_questions.json"
    assert [i.question for i in read_benchmark(file).items] == [i.question for i in items]
    assert len(read_benchmark(folder / "1").items) == 3


def test_beams_longest_chats_part_batches_into_plans(tmp_path):
    folder = write_form(tmp_path, "beam")
    chat = json.loads((folder / "1/chat.json").read_text())
    write_json(folder / "1/chat.json", [{"plan-1": chat}, {"plan-2": chat}])
    assert len(read_benchmark(folder).items[0].history.sessions) == 2


def test_halumem(tmp_path):
    one, two = read_benchmark(write_form(tmp_path, "halumem")).items
    assert one.evidence == ("1",)  # the session that holds the quoted point
    assert set(one.evidence) <= one.history.names
    assert len(one.history.sessions) == 1
    assert len(two.history.sessions) == 2
    assert (one.abstention, two.abstention) == (False, True)
    assert two.evidence == ("Nobody said this.",)


def test_memoryagentbench(tmp_path):
    one, two = read_benchmark(write_form(tmp_path, "memoryagentbench")).items
    assert (one.id, one.stratum, one.cluster) == ("1:f0", "facts_sh", "1")
    assert (one.answer, one.accepted) == ("Bergen", ("the city of Bergen",))
    assert one.history is two.history


def test_gsm8k(tmp_path):
    (item,) = read_benchmark(write_form(tmp_path, "gsm8k")).items
    assert (item.answer, item.options) == ("1004", ())


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        ("plain", lambda v: v[1].pop("answer"), ["line 2, field 'answer'", "missing"]),
        ("plain", lambda v: v[1].update(question=["x"]), ["line 2, field 'question'", "a list"]),
        ("plain", lambda v: v[1].update(history="bea"), ["line 2, field 'history'", "'bea'"]),
        ("plain", lambda v: v[1].update(id="q2"), ["item q2", "occurs twice"]),
        ("plain", lambda v: v[1].update(abstention="perhaps"), ["field 'abstention'", "perhaps"]),
        ("plain", lambda v: v[1].update(options={"a": 1}), ["field 'options'", "neither a list"]),
        ("plain", lambda v: v.insert(0, v[0]), ["line 2, field 'history'", "defined twice"]),
        ("locomo", lambda v: v[0]["qa"][1].pop("question"), ["conv-1:1, field 'question'"]),
        ("locomo", lambda v: v[0]["qa"][1].pop("answer"), ["conv-1:1, field 'answer'"]),
        ("locomo", lambda v: v[0]["qa"][0].update(category=9), ["conv-1:0, field 'category'", "9"]),
        ("locomo", lambda v: v[0].update(qa={"a": 1}), ["item 1, field 'qa'", "an object"]),
        (
            "locomo",
            lambda v: v[0]["conversation"].update(session_1=[{"text": "a", "dia_id": "D1:1"}]),
            ["session_1[1], field 'speaker'"],
        ),
        ("longmemeval", lambda v: v[0].pop("answer"), ["item a1, field 'answer'"]),
        ("longmemeval", lambda v: v[0]["haystack_dates"].pop(), ["haystack_dates", "1 for 2"]),
        ("longmemeval_v2", lambda v: v[1].pop("answer"), ["item w2, field 'answer'"]),
        ("personamem", lambda v: v[1].update(all_options="tea"), ["line 3", "'all_options'"]),
        ("personamem_v2", lambda v: v[0].update(incorrect_answers="tea"), ["incorrect_answers"]),
        (
            "membench",
            lambda v: v["simple"]["roles"][0]["QA"].pop("ground_truth"),
            ["item 1 (simple/roles), QA, field 'ground_truth'"],
        ),
        ("membench", lambda v: v.update(other={"roles": 3}), ["other/roles"]),
        ("beam", lambda v: v["event_ordering"][0].pop("answer"), ["event_ordering[1]", "'answer'"]),
        (
            "halumem",
            lambda v: v[0]["sessions"][0]["questions"][0].pop("answer"),
            ["line 1, sessions[1], questions[1], field 'answer'"],
        ),
        ("memoryagentbench", lambda v: v[0]["answers"].pop(), ["field 'answers'", "1 for 2"]),
        ("memoryagentbench", lambda v: v[0].update(answers=[[], ["a"]]), ["question 1:f0"]),
        ("gsm8k", lambda v: v.append({"question": "a", "answer": "4"}), ["line 2", "####"]),
    ],
)
def test_a_broken_file_is_refused_with_file_item_and_field(tmp_path, name, change, told):
    path = write_form(tmp_path, name, change)
    with pytest.raises(BenchmarkError) as refusal:
        read_benchmark(path)
    where = "1/probing_questions.json" if name == "beam" else path.name
    for word in [where, *told] if name != "membench" or "item" in told[0] else told:
        assert word in str(refusal.value)


def test_a_context_that_is_not_there_is_named(tmp_path):
    path = write_form(tmp_path, "personamem", lambda v: v[0].update(shared_context_id="other"))
    write_lines(tmp_path / "shared_contexts_32k.jsonl", CONTEXTS)
    with pytest.raises(BenchmarkError, match=r"line 2 \(question p0\).*'other' is no conversation"):
        read_benchmark(path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "in no form known"),
        ("[]", "in no form known"),
        ('{"a": 1}', "Fields of the first record: a"),
        ('{"question": "a", "answer": "b"', "not JSON"),
        ("question,answer\nA?\n", "not as many fields as columns"),
        ('question,answer\n"A?\n', "not a CSV table"),
    ],
)
def test_what_is_no_benchmark_is_refused(tmp_path, text, told):
    path = tmp_path / "file.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BenchmarkError) as refusal:
        read_benchmark(path)
    assert told in str(refusal.value)
    assert "file.json" in str(refusal.value)


def test_a_file_in_another_encoding_is_refused(tmp_path):
    path = tmp_path / "old.csv"
    path.write_bytes("question,answer\nÈ?,sì\n".encode("latin-1"))
    with pytest.raises(BenchmarkError, match=r"old.csv: not UTF-8"):
        read_benchmark(path)


def test_a_path_that_leads_nowhere_and_a_format_that_is_none(tmp_path):
    with pytest.raises(BenchmarkError, match="no such file"):
        read_benchmark(tmp_path / "a.json")
    with pytest.raises(BenchmarkError, match="no format 'lokomo'; known: beam"):
        read_benchmark(write_form(tmp_path, "locomo"), "lokomo")


def test_a_known_release_is_known_by_its_hash(tmp_path, monkeypatch):
    from veridical.benchmarks import reading

    path = write_form(tmp_path, "gsm8k")
    monkeypatch.setattr(reading, "known_release", {Source(path).sha256: "ours"}.get)
    assert read_benchmark(path).release == "ours"


def test_a_folders_hash_is_that_of_its_files_whatever_its_place(tmp_path):
    first = write_form(tmp_path, "beam")
    copy = shutil.copytree(first, tmp_path / "elsewhere")
    assert Source(first).sha256 == Source(copy).sha256
    write_json(copy / "1/topic.json", {})
    assert Source(first).sha256 != Source(copy).sha256


@pytest.mark.parametrize(
    ("answer", "options", "key"),
    [
        ("tea", ("tea", "milk"), 0),
        (" TEA ", ("tea", "milk"), 0),
        ("B", ("tea", "milk"), 1),
        ("(b)", ("tea", "milk"), 1),
        ("b.", ("tea", "milk"), 1),
        ("C", ("tea", "milk"), None),
        ("coffee", ("tea", "milk"), None),
        ("a", ("b", "a"), 1),  # the text comes before the letter
        ("tea", ("tea", "tea"), None),  # two that read the same: which is meant can't be told
    ],
)
def test_find_key(answer, options, key):
    assert find_key(answer, options) == key


@pytest.mark.parametrize(
    ("options", "key", "faults"),
    [
        (("a", "b"), 0, ()),
        (("a", "A "), 0, ("two options read the same",)),
        (("a", ""), None, ("an option is empty", "the key is none of the options")),
        (("a",), 0, ("fewer than two options",)),
    ],
)
def test_option_faults(options, key, faults):
    assert option_faults(options, key) == faults


def test_labels_go_only_where_every_option_bears_its_own():
    assert unlabelled(["(a) x", "(b) y"]) == ("x", "y")
    assert unlabelled(["A. x", "B. y"]) == ("x", "y")
    assert unlabelled(["(b) x", "(a) y"]) == ("(b) x", "(a) y")
    assert unlabelled(["a) x", "y"]) == ("a) x", "y")


def test_listed_reads_json_and_python():
    assert listed('["a", "b"]') == ["a", "b"]
    assert listed("['it\\'s', \"b\"]") == ["it's", "b"]
    assert listed("a, b") is None
    assert listed('{"a": 1}') is None
