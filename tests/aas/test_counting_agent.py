"""An agent that remembers by itself, in a file, is young in both phases: it is asked day by day."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import pytest
from veridical.aas.protocol import phase_prompts, plan_sessions
from veridical.aas.sessions import answers_from_replies, score_sessions
from veridical.ledger.collecting import collect
from veridical.ledger.replies import read_replies
from veridical.models.exchange import Model
from veridical.models.prompts import write_prompts

# It counts the experiments of a phase in a file, one line each, and works out the weekday.
AGENT = """
    import datetime, json, pathlib, re, sys

    MONTHS = {name: n % 12 + 1 for n, name in enumerate(
        "January February March April May June July August September October November December "
        "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık".split())}
    DAYS = {
        "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
        "tr": "Pazartesi Salı Çarşamba Perşembe Cuma Cumartesi Pazar".split(),
    }
    asked = json.load(sys.stdin)
    question = asked["messages"][-1]["content"]
    book = pathlib.Path(sys.argv[1], asked["about"]["phase"])
    lived = book.read_text().splitlines() if book.exists() else []
    if "day" in question or "günlerden" in question:
        lived.append("one more")
        book.write_text("\\n".join(lived))
        day, month, year = re.search(r"(\\d+) (\\w+) (\\d{4})", asked["system"]).groups()
        language = "tr" if "günlerden" in question else "en"
        date = datetime.date(int(year), MONTHS[month], int(day))
        text = DAYS[language][date.weekday()]
    else:
        text = str(len(lived))
    print(json.dumps({"text": text}))
"""


@pytest.fixture
def agent(tmp_path: Path) -> Model:
    (tmp_path / "book").mkdir()
    program = tmp_path / "agent.py"
    program.write_text(textwrap.dedent(AGENT), encoding="utf-8")
    command = [sys.executable, str(program), str(tmp_path / "book")]
    return Model("counter", "command", "counter-1", structured="text", options={"command": command})


@pytest.mark.parametrize("phase", ["stateless", "persistent"])
def test_an_agent_that_counts_has_a_score_of_zero(phase, agent, tmp_path):
    plan = plan_sessions(6, "2025-08-11", ["en", "tr"])
    prompts = phase_prompts(phase, plan)
    write_prompts(tmp_path / "prompts.jsonl", prompts)
    replies = tmp_path / f"{phase}.jsonl"
    collect(tmp_path / "prompts.jsonl", agent, tmp_path / "l.sqlite", out=replies)
    answers = answers_from_replies("counter", prompts, read_replies(replies))
    assert score_sessions(answers, 1e-6).x.eq(1).all()


def test_the_thread_begins_anew_and_takes_no_answer_from_the_stateless_phase(agent, tmp_path):
    """The first session's words are the same in both phases; both are asked: 2 questions, twice."""
    plan = plan_sessions(1, "2025-08-11", ["en"])
    ledger = tmp_path / "l.sqlite"
    asked = []
    for phase in ("stateless", "persistent"):
        write_prompts(tmp_path / f"{phase}.in", phase_prompts(phase, plan))
        out = tmp_path / f"{phase}.jsonl"
        asked.append(collect(tmp_path / f"{phase}.in", agent, ledger, out=out).asked)
    assert asked == [2, 2]
    assert sorted(path.name for path in (tmp_path / "book").iterdir()) == [
        "persistent",
        "stateless",
    ]


def test_sessions_are_put_in_the_order_of_their_days():
    plan = plan_sessions(5, "2025-08-11", ["en", "tr"])
    numbers = [prompt.turns[0].facts["session"] for prompt in phase_prompts("stateless", plan)]
    assert numbers == [1, 2, 3, 4, 5]
