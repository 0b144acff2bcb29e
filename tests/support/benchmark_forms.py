"""A small benchmark of our own in the form of each public one, to be read and to be broken."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any


def write_json(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")
    return path


def write_lines(path: Path, values: Sequence[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(value, ensure_ascii=False) for value in values]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def write_csv(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def plain() -> list[dict[str, Any]]:
    said = [{"id": "t1", "speaker": "Ada", "text": "The boat is green."}]
    sessions = [{"date": "2024-03-01", "id": "s1", "turns": said}, "A day without news."]
    return [
        {"history": "ada", "sessions": sessions},
        {
            "id": "q1",
            "question": "What colour is the boat?",
            "answer": "green",
            "options": ["red", "green", "blue"],
            "evidence": ["t1"],
            "stratum": "facts",
            "topic": "boats",
            "cluster": "ada",
            "history": "ada",
            "date": "2024-04-01",
        },
        {"id": "q2", "question": "Who sold it?", "answer": "", "abstention": True},
    ]


def locomo() -> list[dict[str, Any]]:
    first = [
        {"speaker": "Ada", "dia_id": "D1:1", "text": "I sold the boat."},
        {"speaker": "Ben", "dia_id": "D1:2", "text": "Here:", "blip_caption": "a green boat"},
    ]
    talk = {
        "speaker_a": "Ada",
        "speaker_b": "Ben",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": first,
        "session_2_date_time": "2:00 pm on 9 May, 2023",
        "session_2": [{"speaker": "Ben", "dia_id": "D2:1", "text": "In 2022."}],
    }
    asked = [
        {"question": "What did Ada sell?", "answer": "a boat", "evidence": ["D1:1"], "category": 4},
        {"question": "When?", "answer": 2022, "evidence": ["D2:1"], "category": 2},
        {
            "question": "What did Ben sell?",
            "evidence": [],
            "category": 5,
            "adversarial_answer": "x",
        },
    ]
    return [{"sample_id": "conv-1", "conversation": talk, "qa": asked}]


def longmemeval() -> list[dict[str, Any]]:
    said = [{"role": "user", "content": "I moved to Pellam.", "has_answer": True}]
    item = {
        "question_id": "a1",
        "question_type": "single-session-user",
        "question": "Where did I move?",
        "answer": "Pellam",
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": ["s1", "s2"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 02:21"],
        "haystack_sessions": [said, [{"role": "assistant", "content": "Good day."}]],
        "answer_session_ids": ["s1"],
    }
    return [item, {**item, "question_id": "a1_abs", "answer": "You did not say."}]


def longmemeval_v2() -> list[dict[str, Any]]:
    item = {
        "id": "w1",
        "domain": "web",
        "environment": "shop",
        "question_type": "static-environment",
        "question": "Which button ends the order?",
        "answer": "Place order",
        "eval_function": "norm_phrase_set_match|lower=true",
        "image": None,
    }
    wrong = {**item, "id": "w2", "question_type": "procedure-abs", "environment": None}
    return [item, {**wrong, "question": {"text": "Where is the tax page?", "image": "q.png"}}]


def personamem() -> list[dict[str, Any]]:
    rows = []
    for number, options in enumerate(
        (
            '["(a) tea, of course", "(b) milk"]',
            "['(a) It\\'s tea', \"(b) It's milk\"]",
        )
    ):
        rows.append(
            {
                "persona_id": 7,
                "question_id": f"p{number}",
                "question_type": "recall_user_shared_facts",
                "topic": "drinks",
                "user_question_or_message": "What do I drink?",
                "correct_answer": "(b)",
                "all_options": options,
                "shared_context_id": "ctx",
                "end_index_in_shared_context": 1,
            }
        )
    return rows


CONTEXTS = [
    {
        "ctx": [
            {"role": "user", "content": "User: I drink milk."},
            {"role": "user", "content": "User: later than the question"},
        ]
    }
]


def personamem_v2() -> list[dict[str, Any]]:
    return [
        {
            "persona_id": 3,
            "chat_history_32k_link": "data/chat_history_32k/chat_3.json",
            "user_query": "{'role': 'user', 'content': \"What's my drink?\"}",
            "correct_answer": "milk",
            "incorrect_answers": '["tea", "beer", "water"]',
            "topic_preference": "drinks",
            "pref_type": "neutral",
        }
    ]


def membench() -> dict[str, Any]:
    said = [
        {
            "mid": 0,
            "user": "My uncle is Lan.",
            "assistant": "Noted.",
            "time": "t",
            "place": "Pellam",
        }
    ]
    asked = {
        "qid": 0,
        "question": "Who is my uncle?",
        "answer": "Lan",
        "target_step_id": [[0, 0]],
        "choices": {"A": "Ben", "B": "Lan", "C": "Tom", "D": "Max"},
        "ground_truth": "B",
        "time": "'2024-10-01 08:13' Tuesday",
    }
    flat = [{"mid": 4, "message": "Lan sails.", "time": "t", "place": "p"}, "It rained."]
    third = {"tid": 0, "message_list": flat, "QA": {**asked, "target_step_id": [4]}}
    return {
        "simple": {"roles": [{"tid": 0, "message_list": [said], "QA": asked}]},
        "noisy": {"events": [third]},
    }


def beam() -> dict[str, list[dict[str, Any]]]:
    return {
        "abstention": [{"question": "Who?", "ideal_response": "It was not said.", "rubric": []}],
        "event_ordering": [{"question": "Order?", "answer": "a, b", "source_chat_ids": [0]}],
        "knowledge_update": [
            {"question": "Now?", "answer": "b", "source_chat_ids": {"old": [0], "new": [1]}}
        ],
    }


BEAM_CHAT = [
    {
        "batch_number": 1,
        "time_anchor": "March-15-2024",
        "turns": [[{"role": "user", "id": 0, "content": "a"}], [{"role": "user", "id": 1}]],
    }
]


def halumem() -> list[dict[str, Any]]:
    point = "Martin sails."
    asked = {"question": "What does he do?", "answer": "He sails.", "question_type": "Multi-hop"}
    first = {
        "start_time": "Dec 15, 2025, 06:11:23",
        "dialogue": [{"role": "user", "content": "I sail."}],
        "memory_points": [{"index": 1, "memory_content": point}],
        "questions": [{**asked, "evidence": [{"memory_content": point}]}],
    }
    second = {
        "dialogue": [{"role": "user", "content": "Later."}],
        "questions": [
            {
                **asked,
                "question_type": "Memory Boundary",
                "evidence": [{"memory_content": "Nobody said this."}],
            }
        ],
    }
    return [{"uuid": "u1", "sessions": [first, second]}]


def memoryagentbench() -> list[dict[str, Any]]:
    return [
        {
            "context": "0. Quill was born in Bergen.",
            "questions": ["Where was Quill born?", "Who is Quill?"],
            "answers": [["Bergen", "the city of Bergen"], ["a painter"]],
            "metadata": {"source": "facts_sh", "qa_pair_ids": ["f0", "f1"]},
        }
    ]


def gsm8k() -> list[dict[str, Any]]:
    return [{"question": "Two and two?", "answer": "2+2=<<2+2=4>>4\n#### 1,004"}]


def write_beam(folder: Path, value: Any) -> Path:
    write_json(folder / "1/probing_questions/probing_questions.json", value)
    write_json(folder / "1/chat.json", BEAM_CHAT)
    write_json(folder / "1/topic.json", {"category": "Travel"})
    return folder


#: By format: what its records are, and how they are written into a folder.
FORMS: dict[str, tuple[Callable[[], Any], Callable[[Path, Any], Path]]] = {
    "plain": (plain, lambda folder, value: write_lines(folder / "plain.jsonl", value)),
    "locomo": (locomo, lambda folder, value: write_json(folder / "locomo10.json", value)),
    "longmemeval": (longmemeval, lambda folder, value: write_json(folder / "s.json", value)),
    "longmemeval_v2": (
        longmemeval_v2,
        lambda folder, value: write_lines(folder / "questions.jsonl", value),
    ),
    "personamem": (
        personamem,
        lambda folder, value: write_csv(folder / "questions_32k.csv", value),
    ),
    "personamem_v2": (
        personamem_v2,
        lambda folder, value: write_csv(folder / "benchmark.csv", value),
    ),
    "membench": (membench, lambda folder, value: write_json(folder / "simple.json", value)),
    "beam": (beam, lambda folder, value: write_beam(folder / "100K", value)),
    "halumem": (halumem, lambda folder, value: write_lines(folder / "medium.jsonl", value)),
    "memoryagentbench": (
        memoryagentbench,
        lambda folder, value: write_lines(folder / "conflict.jsonl", value),
    ),
    "gsm8k": (gsm8k, lambda folder, value: write_lines(folder / "test.jsonl", value)),
}


def write_form(folder: Path, name: str, change: Callable[[Any], None] | None = None) -> Path:
    """A small benchmark in the named form; `change` breaks its records first."""
    make, write = FORMS[name]
    value = make()
    if change:
        change(value)
    return write(folder, value)
