"""The embedded model: real inference with the 98 MB model."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path

import pytest
from support.raw_server import RawServer, http
from veridical.ledger.collecting import collect
from veridical.ledger.replies import read_replies
from veridical.models.exchange import Call, Form, Model, ProviderError, Raw
from veridical.models.forms import read_answer
from veridical.models.pieces import Span
from veridical.models.prompts import Prompt, Turn
from veridical.models.providers import open_provider

ROOT = Path(__file__).parents[2]
TEXT = Form("text")


def ask(name: str, work, **parameters):
    """Run `work(provider, call)` with the provider open; `call` makes a call from user text."""
    settings = {"temperature": 0.0, "max_tokens": 24, **parameters}
    model = Model("small", "embedded", name, context=1024, parameters=settings)

    def call(text: str, form: Form = TEXT, sample: int = 0) -> Call:
        return Call(model, ({"role": "user", "content": text},), form, sample=sample)

    async def main():
        async with open_provider(model, models_folder=str(ROOT / "data/models")) as provider:
            return await work(provider, call)

    return asyncio.run(main())


@pytest.fixture(autouse=True)
def at_root(monkeypatch):
    monkeypatch.chdir(ROOT)


def test_the_runtimes_own_server_is_never_asked_through_a_proxy(small_model, monkeypatch):
    """Behind `HTTP_PROXY` the keyless demonstration could not run, or its proxy was the model."""
    with RawServer(http(b'{"choices": []}')) as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(
                name, proxy.url.replace("http:", "socks5:" if "A" in name else "http:")
            )

        async def work(provider, call):
            return await provider.ask(call("What is two and two?"))

        assert ask(small_model, work, max_tokens=4).text
    assert proxy.requests == []


def test_forms_bind_what_even_a_small_model_says(small_model):
    choice = Form("choice", options=("Llama", "DeepSeek"), abstention="I don't know")
    month = {"type": "integer", "minimum": 1, "maximum": 12}
    shape = {"type": "object", "properties": {"month": month}, "required": ["month"]}
    shape["additionalProperties"] = False
    json_form = Form("json", schema=shape)
    begun = Form("choice", ("Llama", "DeepSeek"), begin="It was", pieces=((" Llama", " DeepSeek"),))

    async def work(provider, call):
        return [
            await provider.ask(call("Who was it?", form)) for form in (choice, json_form, begun)
        ]

    first, second, third = ask(small_model, work)
    assert read_answer(first, choice)[0] in ("ok", "abstained")
    assert read_answer(second, json_form)[0] == "ok"
    assert " " not in second.text  # no budget is spent on white space
    assert 1 <= read_answer(second, json_form)[1]["month"] <= 12
    assert third.text in ("It was Llama", "It was DeepSeek")
    assert read_answer(third, begun)[1] in ("Llama", "DeepSeek")
    assert first.served_model == f"{small_model}.gguf"
    assert first.parameters["temperature"] == 0.0
    assert first.sdk.startswith("xllamacpp ")


VERDICT = Form(
    "json",
    schema={"type": "object"},
    pieces=('{"tone":0.', Span("0123456789"), ',"memory":0.', Span("0123456789"), "}"),
)


async def posted(provider) -> list[tuple[int, dict]]:
    """A list that fills with what the provider sends from now on: the server's number, the body."""
    sent = []
    await provider._start(provider.context, 1, provider.concurrency)
    for number, server in enumerate(provider._servers):

        async def post(body, number=number, post=server.post):
            sent.append((number, body))
            return await post(body)

        server.post = post
    return sent


def test_only_the_choices_are_drawn_and_options_come_out_as_token_by_token(
    small_model, monkeypatch
):
    """Twelve questions, once with what is certain written down and once token by token.

    Scores may come out otherwise: token by token, a small model writes `tone` as `t`, `one`.
    """
    choice = Form("choice", ("Llama", "DeepSeek"), "I don't know")
    asked = [f"Who sells the {thing}?" for thing in ("oats", "rope", "tar", "salt", "hats", "ink")]

    async def work(provider, call):
        sent = await posted(provider)
        answers = [await provider.ask(call(text, f)) for text in asked for f in (choice, VERDICT)]
        return sent, answers

    sent, jumped = ask(small_model, work)
    monkeypatch.setattr("veridical.models.providers.embedded.fixed", lambda pieces: None)
    whole_sent, whole = ask(small_model, work, max_tokens=40)
    assert len(whole_sent) == len(whole) == 12
    assert [raw.text for raw in jumped[::2]] == [raw.text for raw in whole[::2]]
    for raw in jumped[1::2]:
        assert read_answer(raw, VERDICT)[0] == "ok"
        assert raw.completion_tokens == 2  # the two digits
        assert not raw.truncated
    assert sum(raw.completion_tokens for raw in jumped) == len(sent)
    assert {body["max_tokens"] for _, body in sent} == {1}
    assert sum(raw.completion_tokens for raw in whole) > 2.5 * len(sent)
    begun = [body["messages"][-1] for _, body in sent]
    assert {"role": "assistant", "content": '{"tone":0.'} in begun


def test_the_budget_of_an_answer_drawn_by_its_choices_is_kept(small_model):
    async def work(provider, call):
        return [await provider.ask(call("Judge the tone.", VERDICT))]

    [short] = ask(small_model, work, max_tokens=1)
    assert short.truncated
    assert short.finish == "length"
    assert short.completion_tokens == 1
    assert read_answer(short, VERDICT) == ("truncated", None)
    for budget in (2, -1, None):
        [enough] = ask(small_model, work, max_tokens=budget)
        assert not enough.truncated


@pytest.mark.parametrize("seed", [-1, 2**32 - 1, 2**64])
def test_a_seed_that_the_runtime_would_replace_is_refused(small_model, seed):
    async def work(provider, call):
        return await provider.ask(call("Say something."))

    with pytest.raises(ProviderError, match=f"seed {seed} is not within 0 and 2147483647"):
        ask(small_model, work, seed=seed)


def test_choices_at_a_temperature_vary_with_the_sample_and_come_again(small_model):
    """Every token of a choice is drawn with a seed of its own, or both scores would be alike."""

    async def work(provider, call):
        return [await provider.ask(call("Judge it.", VERDICT, sample=n)) for n in range(24)]

    first = [raw.text for raw in ask(small_model, work, temperature=2.0)]
    assert first == [raw.text for raw in ask(small_model, work, temperature=2.0)]
    scores = [read_answer(Raw(text), VERDICT)[1] for text in first]
    assert len({score["tone"] for score in scores}) > 3
    assert len({score["memory"] for score in scores}) > 3
    assert sum(score["tone"] == score["memory"] for score in scores) < 16


def test_a_choice_whose_texts_are_written_in_pieces_of_characters_is_drawn_whole(small_model):
    """A model writes rare characters byte by byte, and no server tells half a character."""
    rare = Form("choice", ("\U00010330\U00010331", "\U00010332\U00010333"))

    async def work(provider, call):
        return [await provider.ask(call("Which rune?", rare))]

    [raw] = ask(small_model, work)
    assert read_answer(raw, rare)[0] == "ok"
    assert not raw.truncated


def test_a_call_that_is_answered_in_steps_is_not_broken_into(small_model):
    """Three calls at once on one server: the steps of each stand together."""

    async def work(provider, call):
        sent = await posted(provider)
        calls = [call(f"Judge number {n}.", VERDICT) for n in range(3)]
        await asyncio.gather(*(provider.ask(each) for each in calls))
        return sent

    told = [body["messages"][0]["content"] for _, body in ask(small_model, work)]
    assert [text for text, _ in itertools.groupby(told)] == [f"Judge number {n}." for n in range(3)]


def test_same_seed_same_text_and_a_resumed_batch_draws_the_same(small_model):
    async def work(provider, call):
        wanted = call("Tell me about tides.")
        whole = await provider.sample(wanted, range(16))
        part = await provider.sample(wanted, [3, 12])
        single = [await provider.ask(call("Tell me about tides.", sample=n)) for n in (0, 0, 1)]
        return whole, part, single

    whole, part, single = ask(small_model, work, temperature=0.9, max_tokens=12)
    assert [raw.text for raw in part] == [whole[3].text, whole[12].text]
    assert len({raw.text for raw in whole}) > 8
    assert single[0].text == single[1].text != single[2].text


def test_several_servers_take_the_calls_in_turn_and_write_the_same_again(small_model, tmp_path):
    """Six prompts at a temperature, on two servers of one thread; then anew, and on one."""
    model = Model("s", "embedded", small_model, context=1024)
    sent = {"temperature": 0.9, "max_tokens": 12}
    asked = [Prompt(str(n), (Turn(f"Say something about {n}."),), 1, sent) for n in range(6)]

    def written(threads: int, folder: str):
        out = tmp_path / folder / "out.jsonl"
        context = {"models_folder": str(ROOT / "data/models"), "threads": threads}
        collect(asked, model, tmp_path / folder / "ledger.sqlite", out=out, context=context)
        return read_replies(out)

    def turns():
        async def main():
            async with open_provider(
                model, models_folder=str(ROOT / "data/models"), threads=2
            ) as provider:
                calls = [
                    Call(model, ({"role": "user", "content": str(n)},), TEXT, {"max_tokens": 2})
                    for n in range(4)
                ]
                await provider.ask(calls[0])
                sent = await posted(provider)
                await asyncio.gather(*(provider.ask(call) for call in calls[1:]))
                return [number for number, _ in sent]

        return asyncio.run(main())

    first, again = written(2, "first"), written(2, "again")
    assert first["text"].tolist() == again["text"].tolist()
    assert len(set(first["text"])) == 6
    assert {parameters["threads"] for parameters in first["parameters"]} == {1}
    assert turns() == [1, 0, 1]


def test_cut_off_answer_says_so(small_model):
    async def work(provider, call):
        return await provider.ask(call("Write a long story."))

    raw = ask(small_model, work, max_tokens=5)
    assert raw.truncated
    assert read_answer(raw, Form())[0] == "truncated"


def test_prompt_longer_than_the_context_is_an_error(small_model):
    async def work(provider, call):
        return await provider.ask(call("tide " * 2000))

    with pytest.raises(ProviderError, match="1024") as caught:
        ask(small_model, work)
    assert not caught.value.transient


def test_missing_weights_say_how_to_get_them(tmp_path, monkeypatch):
    monkeypatch.setenv("VERIDICAL_MODELS", str(tmp_path))

    async def work(provider, call):
        return None

    with pytest.raises(ProviderError, match="snakemake data/models"):
        ask("SmolLM2-135M-Instruct.Q4_1", work)


def test_which_end_a_text_came_to_is_told_alone_and_in_batches(small_model):
    """A stop text that ends a rollout would else pass for the model's own end."""

    async def work(provider, call):
        one = call("Say hello, then write two sentences about eggs.")
        return [await provider.ask(one), *await provider.sample(one, range(4))]

    free = ask(small_model, work, max_tokens=200)
    stopped = ask(small_model, work, max_tokens=200, stop=["."])
    far = ask(small_model, work, max_tokens=200, stop=["\n\n", "\nProblem:"])
    cut = ask(small_model, work, max_tokens=3, stop=["."])
    assert {raw.stopped_by for raw in free if raw.finish == "stop"} == {()}
    assert free[0].finish == "stop"
    assert stopped[0].stopped_by == (".",)
    assert "." not in stopped[0].text
    assert far[0].stopped_by == ()  # no such text in it: the model ended it
    assert far[0].text == free[0].text  # nor does the asking change a word
    for raw in (*stopped, *far):
        assert (raw.stopped_by is None) == (raw.finish != "stop")
        assert raw.token_bytes is None  # they were not asked for
    assert [(raw.stopped_by, raw.truncated) for raw in cut] == [(None, True)] * 5
