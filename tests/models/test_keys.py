"""The key of a call decides what is asked again: it stays what it was when ledgers were written.

Every key below was computed once and is frozen; so is the grammar that enters it. Where one of
these tests fails, ledgers written before would be asked anew, call by call.
"""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest
from veridical.control1.verdicts import verdict_form
from veridical.control3.prompts import partner_prompts
from veridical.corpora.corpus import read_corpus
from veridical.documents.entries import entry_form, read_writing
from veridical.models.exchange import Call, Form, Model
from veridical.models.prompts import Document, Prompt, Turn, read_prompts, write_prompts

MODEL = Model(
    "small",
    "embedded",
    "weights",
    structured="grammar",
    context=8192,
    quoting=True,
    parameters={"temperature": 0.0, "max_tokens": 64},
    options={"slots": 4, "timeout": 60},
)
MONTH = {
    "type": "object",
    "properties": {"month": {"type": "integer", "minimum": 1, "maximum": 12}},
    "required": ["month"],
    "additionalProperties": False,
}
DOCUMENT = Document("veridical", "a line")
ENTRY = SimpleNamespace(date="2025-02-03", partner="Ada", topic_length=30, line_length=150)


@pytest.fixture(scope="module")
def corpus():
    """Corpus A, of whose memory block two entries are kept."""
    whole = read_corpus("data/corpora/A")
    marked = whole.encounters.index[whole.encounters["in_memory"]]
    kept = whole.encounters.assign(in_memory=whole.encounters.index.isin(marked[:2]))
    return replace(whole, encounters=kept)


def quoted(corpus) -> Form:
    """The form of a quote, as Control 3 asks for it."""
    probe = {
        "probe_id": "A-p01",
        "encounter_id": "A-003",
        "topic": "the spare key",
        "true_partner": "Llama",
        "options": list(corpus.partners),
    }
    (prompt,) = partner_prompts(corpus, DOCUMENT, pd.DataFrame([probe]))
    return prompt.turns[0].quote.form


def forms(corpus) -> dict[str, Form]:
    return {
        "text": Form(),
        "choice": Form("choice", ("A", "B"), "I don't know"),
        "json": Form("json", schema=MONTH),
        "quote": quoted(corpus),
        "verdict": verdict_form(["identity_markers", "memory_reference"], rationale=False),
        "reasoned verdict": verdict_form(["identity_markers"], rationale=True),
        "foreign entry": entry_form(corpus, ENTRY, read_writing("en")),
    }


KEYS = {  # of `ask(form)`
    "text": "3bcbabfe2844c009567a3ceeff277ee431565fa77f9be9b41449772e3d4c1217",
    "choice": "70f1cd911c9a97301d89497a817eb55e5c52428ec1a73bb29458787668de9d05",
    "json": "b220d873e5b8aadbe5f8938b75c5ebb4f312cc9c3111f5efe36ed94c325666bd",
    "quote": "74b1b3632d0687d1571bd8b7178f93281547a32489944a906bf6c36d8610cafb",
    "verdict": "ba041d0655b325a5abed89f5880667bce75cfb124d33f7ad916408ae00576029",
    "reasoned verdict": "726e78913ba00f54384928be181ce3375b35216720e9c7bd95d41e5ca6daf774",
    "foreign entry": "c989b8364fce5332f56a08ec1abcd52e94718d9b86c5e359acf9d3250b0354e5",
}

GRAMMARS = {  # one rule a line
    "quote": r"""
root ::= " " ("2025-01-08" | "2025-01-28") " — met" (" Llama" | " DeepSeek")
""",
    "verdict": r"""
root ::= "{" "\"A\":" scores ",\"B\":" scores "}"
scores ::= "{" "\"identity_markers\":" score "," "\"memory_reference\":" score "}"
score ::= "0." [0-9] | "1.0"
""",
    "reasoned verdict": r"""
root ::= "{" "\"rationale\":" text "," "\"A\":" scores ",\"B\":" scores "}"
scores ::= "{" "\"identity_markers\":" score "}"
score ::= "0." [0-9] | "1.0"
text ::= "\"" [^"\\\x00-\x1F]{1,300} "\""
""",
    "foreign entry": r"""
root ::= "the " topic ": " note "."
topic ::= [a-z] [A-Za-z' ]{14,40} [a-z]{1,8}
note ::= [a-z] [A-Za-z0-9' ,;]{43} [A-Za-z0-9' ]{0,82} [a-z]{0,8}
""",
}


def ask(form: Form) -> Call:
    """A call with a system prompt, parameters of its own and the third sample."""
    said = ({"role": "system", "content": "You are."}, {"role": "user", "content": "What?"})
    return Call(MODEL, said, form, {"seed": 7}, 2)


@pytest.mark.parametrize("kind", KEYS)
def test_a_call_keeps_its_key(corpus, kind):
    call = ask(forms(corpus)[kind])
    assert json.loads(call.canonical())["form"].get("grammar", "") == GRAMMARS.get(kind, "").strip()
    assert call.key == KEYS[kind]


@pytest.mark.parametrize("kind", KEYS)
def test_a_form_read_back_from_a_prompts_file_asks_the_same(corpus, kind, tmp_path):
    write_prompts(tmp_path / "p.jsonl", [Prompt("p", (Turn("What?", forms(corpus)[kind]),))])
    (prompt,) = read_prompts(tmp_path / "p.jsonl")
    assert ask(prompt.turns[0].form).key == KEYS[kind]


def test_how_a_server_is_treated_enters_no_key(corpus):
    kind = "choice"
    patient = replace(MODEL, options={"slots": 4, "timeout": 600, "concurrency": 2})
    assert replace(ask(forms(corpus)[kind]), model=patient).key == KEYS[kind]
    other = replace(MODEL, options={"slots": 8})
    assert replace(ask(forms(corpus)[kind]), model=other).key != KEYS[kind]
