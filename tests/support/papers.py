"""A server that plays a paper's models: each has the right answers that the source prints, no more.

It knows every prompt of the study (they are written before anyone is asked) and so what would be
right; which probes a model gets right, the order of their ids decides.
"""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from support.wire_server import SUCCESS, Answer, WireServer, api_of
from veridical.base.calendars import DAYS
from veridical.models.forms import answer_schema
from veridical.models.prompts import Prompt, Turn, read_prompts
from veridical.models.providers.scripted import _value

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT / "data/published"
FILLER = "and it was talked over twice before the evening came and nobody was in a hurry to go "

#: The model as the server is asked for it, prompt, turn, how often that was asked, most tokens.
Asked = tuple[str, Prompt, Turn, int, int | None]


class PaperServer(WireServer):
    """Answers every API's requests with what `play` says to the prompt that it recognises."""

    def __init__(self, folder: Path, play: Callable[[Asked], str]):
        super().__init__()
        self.folder, self.play = folder, play
        self.times: Counter[tuple] = Counter()
        self.known: dict[tuple[str, str], tuple[Prompt, Turn]] = {}
        self.threads: list[Prompt] = []
        self.read: set[Path] = set()
        self.guard = threading.Lock()

    def handle(self, http):
        body = json.loads(http.rfile.read(int(http.headers["content-length"])))
        path = http.path.partition("?")[0]
        api = api_of(path)
        model, system, users = taken_apart(api, body, path)
        prompt, turn = self.find(system, users)
        with self.guard:
            tokens = body.get("options", {}).get("num_predict") if api == "ollama" else None
            key = (model, prompt.id, turn.user, tokens)
            time = self.times[key]
            self.times[key] += 1
        text = self.play((model, prompt, turn, time, tokens))
        if turn.form.kind != "text" and bound(body):
            is_object = turn.form.kind == "json"
            text = text if is_object else json.dumps({"answer": text}, ensure_ascii=False)
        read = len(json.dumps(body, ensure_ascii=False)) // 4  # four characters a token
        step = Answer(text=text, model=model, prompt_tokens=read)
        if api == "anthropic" and body.get("tools"):
            step = replace(step, text=None, tool=json.loads(text))
        if api == "ollama":
            self.reply(http, *self.as_ollama(body, step))
        else:
            self.reply(http, 200, SUCCESS[api](step, body, path))

    def find(self, system: str, users: list[str]) -> tuple[Prompt, Turn]:
        """The prompt that a request asks, by its last question and the system prompt before it."""
        with self.guard:
            if (system, users[-1]) not in self.known:
                self.learn()
            # where no schema binds the answer, words that do stand after the question
            asked = (key for key in self.known if system == key[0] and users[-1].startswith(key[1]))
            prompt, turn = self.known[max(asked, key=lambda key: len(key[1]))]
            if len(users) > 2:  # the thread, whose questions the sessions alone ask too
                (prompt,) = self.threads
                turn = prompt.turns[len(users) - 1]
        return prompt, turn

    def learn(self) -> None:
        """Read the prompts that have been written since."""
        for path in self.folder.rglob("*.jsonl"):
            if path.parent.name in ("prompts", "sheets") and path not in self.read:
                self.read.add(path)
                for prompt in read_prompts(path):
                    self.threads += [prompt] if len(prompt.turns) > 2 else []
                    for turn in prompt.turns:
                        self.known.setdefault((turn.system or "", turn.user), (prompt, turn))


def taken_apart(api: str, body: Mapping[str, Any], path: str) -> tuple[str, str, list[str]]:
    """Model, last system prompt and user messages of a request, whichever API it is of."""
    if api == "google":
        model = path.rpartition("/")[2].partition(":")[0]
        told = "".join(part["text"] for part in body["systemInstruction"]["parts"])
        contents = [c for c in body["contents"] if c["role"] == "user"]
        return model, told, ["".join(p["text"] for p in c["parts"]) for c in contents]
    messages = body["input"] if "input" in body else body["messages"]
    texts = [(m["role"], _text(m["content"])) for m in messages]
    systems = [text for role, text in texts if role in ("system", "developer")]
    told = body.get("instructions") or _text(body.get("system", "")) or (systems or [""])[-1]
    return body["model"], told, [text for role, text in texts if role == "user"]


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def bound(body: Mapping[str, Any]) -> bool:
    """Whether the reply was asked for by a schema."""
    return any(
        found
        for found in (
            body.get("format"),
            body.get("text", {}).get("format"),
            body.get("tools"),
            body.get("response_format"),
            body.get("generationConfig", {}).get("responseJsonSchema"),
            body.get("generationConfig", {}).get("responseSchema"),
        )
    )


# ---------------------------------------------------------------- KAIROS


def printed(table: str) -> dict[str, dict[str, str]]:
    """A published table's rows by model."""
    rows = pd.read_csv(PUBLISHED / table, dtype=str, keep_default_na=False)
    return {row["model"]: row for row in rows.to_dict("records")}


def published_name(model: str, names: Iterable[str]) -> str:
    """The name under which the source prints a served model: `gpt-4.1-2025-04-14` is gpt-4.1."""
    return next(name for name in names if model == name or model.startswith(f"{name}-20"))


#: Corpus B, of which the source prints the ends of its ranges and the worst p alone: counts of
#: right answers within them, (veridical, corrupted, right under both), in the panel's order.
B_COUNTS = ((24, 0, 0), (24, 8, 8), (18, 5, 5), (24, 1, 1), (23, 2, 2), (24, 3, 3), (22, 2, 2))


class Kairos:
    """Plays the seven models of Controls 2 and 3, the author, the responder and the judges."""

    def __init__(self) -> None:
        self.second, self.third = printed("kairos_control2.csv"), printed("kairos_control3_a.csv")

    def __call__(self, asked: Asked) -> str:
        model, prompt, turn, *_ = asked
        facts = prompt.facts
        if "attempt_of" in facts:
            return foreign(turn.user)
        if turn.form.kind == "json":
            rng = np.random.default_rng(len(prompt.id))
            return json.dumps(_value(answer_schema(turn.form), rng))
        if turn.form.kind == "text":
            return "We spoke about it in the spring, and I would do the same again."
        right = self.right(published_name(model, self.second), facts)
        others = [option for option in turn.form.options if option != facts["truth"]]
        return facts["truth"] if right else others[0]

    def right(self, model: str, facts: Mapping[str, Any]) -> bool:
        rank = int(re.search(r"(\d+)$", facts["probe_id"])[1]) - 1
        if "document_partner" not in facts:
            return rank < int(self.second[model][f"{facts['condition']}_correct"])
        if facts["document"] == "none":
            return rank % 2 == 0
        veridical, corrupted, both = self.counts(model, facts["corpus"])
        if facts["document"] == "veridical":
            return rank < veridical
        return rank < both or veridical <= rank < veridical + corrupted - both

    def counts(self, model: str, corpus: str) -> tuple[int, int, int]:
        if corpus != "A":
            return B_COUNTS[list(self.second).index(model)]
        row = self.third[model]
        veridical, corrupted = int(row["veridical_correct"]), int(row["corrupted_correct"])
        return veridical, corrupted, veridical - int(row["b"])


def foreign(asked: str) -> str:
    """A foreign life as the author is asked for it: its plan's lines, of the length wanted."""
    plan = re.findall(r"^(\d{4}-\d\d-\d\d), ([^,]+), (.+)$", asked, re.MULTILINE)
    wanted = int(re.search(r"with (\d+) characters", asked)[1])
    lines = [f"{day} — met {who} — the {what.split(' ', 1)[1]}: " for day, who, what in plan]
    room = wanted - sum(map(len, lines)) - len(lines) + 1
    each = room // len(lines)
    notes = [(FILLER[n % 8 * 2 :] + FILLER * 4).strip()[:each].rstrip() for n in range(len(lines))]
    return "\n".join(line + note for line, note in zip(lines, notes, strict=True))


# ---------------------------------------------------------------- the age score


def ageing(asked: Asked) -> str:
    """Knows the day, and the number of the experiment in one thread alone: else it is the first."""
    _, prompt, turn, *_ = asked
    facts = turn.facts
    if facts["task"] == "semantic":
        return DAYS[facts["language"]][DAYS["en"].index(facts["expected"])]
    return facts["expected"] if prompt.facts["phase"] == "persistent" else "1"


# ---------------------------------------------------------------- VPE


class Mirror:
    """Solves of each problem, of 32 rollouts, as many as `solved` says for model and horizon.

    With 154 more of 960 rollouts right, and nine more problems of 30 solved at all, verified
    probability, pass@32 and the fraction never solved rise by what the source prints.
    """

    def __init__(self, solved: Mapping[tuple[str, int], list[int]]):
        self.solved = solved

    def __call__(self, asked: Asked) -> str:
        model, prompt, _, time, horizon = asked
        number = int(re.search(r"(\d+)$", prompt.id)[1]) - 1
        right = time < self.solved[model, horizon][number]
        return f"Step 1.\n#### {prompt.facts['gold'] if right else 'unknown'}"
