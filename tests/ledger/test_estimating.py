from __future__ import annotations

import math
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from support.scripted import Scripted
from veridical.base.config import check_config, parts_on
from veridical.corpora.corpus import read_corpus
from veridical.ledger.collecting import collect
from veridical.ledger.estimating import Estimate, as_text, estimate
from veridical.ledger.pricing import Price, Prices
from veridical.models.asks import Ask
from veridical.models.exchange import Call, Form, Model, Raw
from veridical.models.limits import likely_input, most_input, most_output
from veridical.models.prompts import Prompt, Turn, write_prompts

ROOT = Path(__file__).parents[2]
HEAD = "provider,model,input,output,batch,dated,source,checked\n"
GPT = Model("gpt", "openai", "gpt-4.1-2025-04-14", parameters={"max_tokens": 10})
SMALL = {"provider": "embedded", "model": "small", "quoting": True}
LIMITED = {"provider": "openai", "model": "gpt-4.1", "parameters": {"max_tokens": 10}}
CORPORA = ("A", "B")


def study(**over) -> dict:
    """A config of all parts with its defaults, some sections overridden."""
    sections = {
        "documents": {"author": "small"},
        "control1": {
            "corpora": ["A"],
            "responders": ["small"],
            "judges": ["gpt", "small"],
            "verdict": {"max_tokens": 160},
            **{"none": False, "reversed": False, "repeated": 0, "positive": 0},
        },
        "control2": {"corpus": "A", "responders": ["gpt"]},
        "control3": {
            "corpora": ["A", "B"],
            "responders": ["gpt", "small"],
            "forced": False,
            "noticing": {"probes": 0},
        },
        "aas": {"models": ["gpt"]},
        "vpe": {"models": ["small"], "problems": "data/problems/arithmetic.jsonl", "n_problems": 6},
    }
    for name, keys in over.items():
        sections[name] = sections[name] | keys
    models = {"gpt": LIMITED, "small": SMALL}
    return check_config({"study": "s", "seed": 1, "models": models, **sections})


def asked(config: dict) -> list[Ask]:
    """What every part of a study says that it asks."""
    corpora = {name: read_corpus(ROOT / "data/corpora" / name) for name in CORPORA}
    rooms = [import_module(f"veridical.{part}.asks") for part in ["documents", *parts_on(config)]]
    return [ask for room in rooms for ask in room.asks(config, corpora)]


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)  # a config's names are looked up from the project's folder


@pytest.fixture
def prices(tmp_path: Path) -> Prices:
    path = tmp_path / "prices.csv"
    path.write_text(f"{HEAD}openai,gpt-4.1,2,8,0.5,2026-04,https://x,no\n")
    return Prices(path)


def test_the_calls_that_a_config_implies():
    """The study's own numbers: 42 + 7 responses beside the 7 anchors that corpus A brings, 49
    verdicts a judge; 24 probes under three documents in each corpus, asked twice of a model that
    quotes; 2 tasks x 2 phases x 20 sessions; 6 problems x 32 rollouts x 2 horizons."""
    found = [(ask.collection, ask.model.name, ask.calls) for ask in asked(study())]
    assert found == [
        ("author", "small", 3),
        ("responses", "small", 49),
        ("verdicts", "gpt", 49),
        ("verdicts", "small", 49),
        ("control2", "gpt", 72),
        ("control3", "gpt", 144),
        ("control3", "small", 288),
        ("aas", "gpt", 80),
        ("vpe", "small", 384),
    ]


def test_control2_asks_about_each_of_its_corpora():
    """24 probes under two documents and, ten times, under none; the author twice a probe; each by
    the files of its corpus, which are called as ever where it is one."""
    config = study(control2={"corpus": None, "corpora": ["A", "B"], "prior_samples": 10,
                             "alterations": "author"})  # fmt: skip
    found = [(ask.collection, ask.prompts, ask.calls) for ask in asked(config)]
    for corpus in "AB":
        assert ("author", f"control2/alterations/prompts-{corpus}.jsonl", 48) in found
        assert ("control2", f"control2/prompts/*-{corpus}.jsonl", 288) in found
    assert sum(calls for collection, _, calls in found if collection == "control2") == 2 * 288


def test_anchors_that_a_corpus_lacks_are_asked_for():
    """Corpus B brings none: 7 more responses, under its encounter log; the verdicts stay 49."""
    found = [(ask.collection, ask.calls) for ask in asked(study(control1={"corpora": ["B"]}))]
    assert found[1:4] == [("responses", 42 + 7 + 7), ("verdicts", 49), ("verdicts", 49)]


def test_sheets_beside_the_sources_are_counted():
    """Seven answers more without a document; 49 sheets, these seven, four turned round (half of
    seven, rounded up), five once more (a tenth of 49, rounded up), six known by construction."""
    beside = {"none": True, "reversed": 0.5, "repeated": 0.1, "positive": 6}
    found = [(ask.collection, ask.calls) for ask in asked(study(control1=beside))]
    assert found[1:4] == [("responses", 49 + 7), ("verdicts", 71), ("verdicts", 71)]


def test_what_control3_asks_beside_is_counted():
    """Forced: 24 probes on each of two corpora. Noticing: 8 under three documents of corpus A, one
    model. The other order: 24 under three documents of each corpus; quoted under two of them."""
    beside = {
        "forced": True,
        "reversed": True,
        "noticing": {"probes": 8, "corpora": ["A"], "responders": ["gpt"]},
    }
    found = {
        (ask.prompts.split("/")[-1], ask.model.name): ask.calls
        for ask in asked(study(control3=beside))
        if ask.prompts.startswith("control3/beside/")
    }
    assert found == {
        ("forced-*.jsonl", "gpt"): 48,
        ("forced-*.jsonl", "small"): 48,
        ("reversed-*.jsonl", "gpt"): 144,
        ("reversed-*.jsonl", "small"): 144 + 96,
        ("noticing-*.jsonl", "gpt"): 24,
    }
    few = {"forced": False, "noticing": {"probes": 100, "corpora": ["A"], "responders": ["gpt"]}}
    (ask,) = (
        one for one in asked(study(control3=few)) if one.prompts.startswith("control3/beside")
    )
    assert ask.calls == 72  # no more than there are


def test_a_part_that_is_off_asks_nothing():
    """Control 3 alone: no author, though the documents' section has its defaults."""
    config = study()
    alone = check_config({key: config[key] for key in ("study", "seed", "models", "control3")})
    assert {ask.collection for ask in asked(alone)} == {"control3"}


def test_a_led_author_is_called_once_an_entry():
    """Thirty entries, three lives."""
    led = study(documents={"author_form": "entries"})
    assert next(ask.calls for ask in asked(led) if ask.collection == "author") == 90


def test_nested_horizons_are_asked_once_and_presets_each():
    """6 problems x 32 rollouts at the longest horizon only, under two presets."""
    nested = study(vpe={"nested": True, "also": ["digest"]})
    (ask,) = (ask for ask in asked(nested) if ask.collection == "vpe")
    assert (ask.calls, ask.prompts) == (384, "vpe/prompts/*-160.jsonl")


def test_repeated_priors_further_attempts_and_authored_alterations_are_counted():
    """(2 + 10) x 24 recognitions; 3 first attempts and 2 further ones; two alterations a probe."""
    more = study(
        documents={"further_attempts": {"foreign-2": ["short", "long"]}},
        control2={"prior_samples": 10, "alterations": "author"},
    )
    found = [(ask.collection, ask.prompts, ask.calls) for ask in asked(more)]
    assert found[0] == ("author", "documents/prompts/*.jsonl", 5)
    assert ("author", "control2/alterations/prompts.jsonl", 48) in found
    assert ("control2", "control2/prompts/*.jsonl", 288) in found


def test_unwritten_prompts_are_counted_from_the_config(tmp_path, prices):
    """49 verdicts: 700 tokens in, at most 160 out: 34,300 * $2 + 7,840 * $8 a million. Likely are
    four times (nothing holds this model to the form) a fourth of the answer's 107 characters."""
    ask = next(ask for ask in asked(study()) if ask.collection == "verdicts")
    found = estimate(ask, tmp_path / "results", tmp_path / "ledger", prices)
    assert (found.calls, found.held, found.to_ask, found.unwritten) == (49, 0, 49, 49)
    assert (found.prompt_tokens, found.completion_tokens) == (34_300, 7_840)
    example = '{"A":{"identity_markers":0.5,"memory_reference":0.5},"B":' + (
        '{"identity_markers":0.5,"memory_reference":0.5}}'
    )
    likely = 49 * 4 * math.ceil(len(example) / 4)
    assert found.likely_tokens == likely
    assert found.ceiling == pytest.approx(0.0686 + 0.06272)
    assert found.cost == pytest.approx(0.0686 + likely * 8e-6)
    assert found.seconds == pytest.approx(49 * (1 + 700 * 0.0002 + likely / 49 * 0.02))
    assert not (tmp_path / "ledger").exists()


def test_written_prompts_are_walked_beside_the_ledger(tmp_path, prices):
    """Four prompts of two turns, two of them answered: four calls are left. Each first turn has
    (4 + 400/4) = 104 tokens, each second one those, the reply's 4 + three quarters of
    10, and 104."""
    results, ledgers = tmp_path / "results", tmp_path / "ledger"
    path = results / "control3" / "prompts" / "x.jsonl"
    path.parent.mkdir(parents=True)
    prompts = [Prompt(f"p{i}", (Turn(f"{i:0400}"), Turn(f"{i:0400}"))) for i in range(4)]
    write_prompts(path, prompts[:2])
    ledger = ledgers / "control3" / "gpt.sqlite"
    collect(path, GPT, ledger, out=tmp_path / "out.jsonl", provider=Scripted(lambda c, n: "yes"))
    write_prompts(path, prompts)
    ask = Ask("control3", GPT, "control3/prompts/*.jsonl", 10, 1800)
    found = estimate(ask, results, ledgers, prices)
    assert (found.calls, found.held, found.unwritten) == (10, 4, 2)
    assert found.prompt_tokens == 2 * 104 + 2 * (104 + 12 + 104) + 2 * 1800
    assert found.completion_tokens == 6 * 10
    assert found.dated == "2026-04"
    half = replace(ask, model=replace(GPT, options={"batch": True}))
    assert estimate(half, results, ledgers, prices).cost == pytest.approx(found.cost / 2)


def test_what_calls_came_to_goes_before_a_guess(tmp_path, prices):
    """Two of six calls are held, with 5 tokens and 3 seconds each; four are left."""
    results, ledgers = tmp_path / "results", tmp_path / "ledger"
    path = results / "aas" / "prompts" / "x.jsonl"
    path.parent.mkdir(parents=True)
    prompts = [Prompt(f"p{i}", (Turn(f"{i}"),)) for i in range(6)]
    write_prompts(path, prompts[:2])

    told = Raw("yes", completion_tokens=5, latency=3.0)
    ledger = ledgers / "aas" / "gpt.sqlite"
    collect(path, GPT, ledger, out=tmp_path / "out.jsonl", provider=Scripted(lambda c, n: told))
    write_prompts(path, prompts)
    found = estimate(Ask("aas", GPT, "aas/prompts/*.jsonl", 6, 50), results, ledgers, prices)
    assert (found.to_ask, found.likely_tokens, found.completion_tokens) == (4, 20, 40)
    assert found.seconds == pytest.approx(12)


def test_the_table_says_what_to_bear_in_mind():
    more = {"likely_tokens": 2_000, "seconds": 90.0, "ceiling": 3.0, "dated": "2026-04"}
    text = as_text(
        [
            Estimate("control3", "gpt", 1444, 444, 0, 1_000_000, 10_000, 2.08, **more),
            Estimate("aas", "new", 80, 0, 80, 100, 10),
        ],
        {"money": 20},
    )
    row = next(line for line in text.splitlines() if line.startswith("control3"))
    cells = ["control3", "gpt", "1,444", "444", "1,000", "1,000,000"]
    assert row.split() == [*cells, "2,000", "10,000", "1.5", "2.08"]
    assert "With every reply at its limit the cost is 3.00 $" in text
    assert "aas         new      80*     0      80" in text
    assert "2026-04" in text
    assert "check them" in text
    assert "No price is known, and none counted, for aas/new" in text
    assert "The budget: money 20" in text


def test_prices_of_snapshots_and_of_models_that_cost_nothing(prices):
    assert prices.of("openai", "gpt-4.1-2025-04-14") == prices.of("openai", "gpt-4.1")
    assert prices.of("openai", "gpt-4.1-mini") is None
    assert prices.of("ollama", "llama3") == Price(0, 0)
    assert prices.of("anthropic", "gpt-4.1") is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("provider,model,input\nopenai,x,1\n", "line 2: column 'output' is missing"),
        (f"{HEAD}openai,x,one,2,0.5,,,\n", "line 2: no price"),
        (f"{HEAD}openai,x,-1,2,0.5,,,\n", "line 2: a negative price"),
        (f"{HEAD}openai,x,1,2,0.5,,,\nopenai,x,1,2,0.5,,,\n", "line 3: a second price"),
    ],
)
def test_a_bad_price_is_refused(tmp_path, text, words):
    (tmp_path / "prices.csv").write_text(text)
    with pytest.raises(ValueError, match=words):
        Prices(tmp_path / "prices.csv")


def test_the_table_that_ships_is_dated_and_sourced():
    table = Prices(Path(__file__).parents[2] / "data" / "prices.csv")
    for price in table._table.values():
        assert price.dated
        assert price.source.startswith("https://")
        assert price.checked
        assert 0 < price.input < price.output


def test_token_limits_and_guesses():
    call = Call(GPT, ({"role": "user", "content": "x" * 400},))
    assert most_output(call) == 10
    assert most_output(Call(GPT, (), parameters={"max_completion_tokens": 5})) == 5
    assert most_output(Call(Model("m", "openai", "x"), ())) == 4096
    room = Model("m", "openai", "x", parameters={"max_tokens": 1}, options={"thinking_room": 99})
    assert most_output(Call(room, (), Form())) == 100
    assert likely_input(call) == 104
    assert most_input(call) == 216
