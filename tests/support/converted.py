"""Small files of our own in every form that a life can be made from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from veridical.converters.life import Wish

PEOPLE = ("Ada", "Bruno")
THINGS = (
    "boat",
    "lamp",
    "ladder",
    "kettle",
    "rope",
    "barrow",
    "stove",
    "gate",
    "clock",
    "chair",
    "basket",
    "bench",
    "mirror",
    "hammer",
    "bucket",
)
SAYS = (
    "I put the {thing} beside the north wall before breakfast.",
    "The {thing} needs a coat of paint before the winter comes.",
)


def talk(days: int = 15) -> list[dict[str, str]]:
    """A talk of two people, two turns a day: who says which is told by nothing but the turn."""
    turns = []
    for day in range(days):
        for place, name in enumerate(PEOPLE if day % 3 else PEOPLE[::-1]):
            turns.append(
                {
                    "speaker": name,
                    "text": SAYS[place].format(thing=THINGS[day]),
                    "time": f"2025-03-{day + 1:02}T0{8 + place}:15",
                }
            )
    return turns


def chat(path: Path, turns: list[dict[str, Any]] | None = None) -> Path:
    """A plain chat export: a message a line."""
    lines = (
        [json.dumps({"role": t["speaker"], "content": t["text"], "time": t["time"]}) for t in turns]
        if turns is not None
        else [
            json.dumps({"role": t["speaker"], "content": t["text"], "time": t["time"]})
            for t in talk()
        ]
    )
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def locomo(path: Path) -> Path:
    """One conversation in LoCoMo's form, a session a day, with questions about it."""
    conversation: dict[str, Any] = {"speaker_a": PEOPLE[0], "speaker_b": PEOPLE[1]}
    turns = talk()
    for day in range(15):
        own = turns[2 * day : 2 * day + 2]
        name = f"session_{day + 1}"
        conversation[f"{name}_date_time"] = f"{day % 12 + 1}:56 pm on {day + 1} March, 2025"
        conversation[name] = [
            {"speaker": t["speaker"], "dia_id": f"D{day + 1}:{n}", "text": t["text"]}
            for n, t in enumerate(own, start=1)
        ]
    asked = [
        {"question": f"Where is the {thing}?", "answer": "outside", "category": 4, "evidence": []}
        for thing in THINGS[:9]
    ]
    asked.append({"question": "Where was Ada born?", "category": 5, "evidence": []})
    record = {"sample_id": "conv-1", "conversation": conversation, "qa": asked}
    path.write_text(json.dumps([record]), encoding="utf-8")
    return path


def longmemeval(path: Path) -> Path:
    """One question in LongMemEval's form, its history of fifteen sessions."""
    turns = talk()
    sessions = [
        [
            {"role": role, "content": turn["text"]}
            for role, turn in zip(("user", "assistant"), turns[2 * n : 2 * n + 2], strict=True)
        ]
        for n in range(15)
    ]
    record = {
        "question_id": "q1",
        "question_type": "single-session-user",
        "question": "Where did I put the lamp?",
        "answer": "beside the north wall",
        "question_date": "2025/04/01 (Tue) 10:00",
        "answer_session_ids": ["s2"],
        "haystack_session_ids": [f"s{n}" for n in range(15)],
        "haystack_dates": [f"2025/03/{n + 1:02} (Sat) 08:0{n % 10}" for n in range(15)],
        "haystack_sessions": sessions,
    }
    path.write_text(json.dumps([record]), encoding="utf-8")
    return path


def wish(path: Path, form: str, **given: Any) -> Wish:
    """A wish with what no form tells."""
    told = {"language": "en", "licence": "CC0-1.0", "origin": "Made up", **given}
    return Wish(str(path), form, "Ada", told)
