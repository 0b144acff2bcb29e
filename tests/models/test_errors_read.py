"""What a server's failure means, from its status, headers and words; never a key among them."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.models.counts import count
from veridical.models.exchange import Model, ProviderError
from veridical.models.providers import open_provider
from veridical.models.providers.errors import (
    Blocked,
    WireError,
    error_inside,
    http_error,
    of_prompt,
    of_template,
    retry_after,
    seconds,
)
from veridical.models.providers.filters import STATUSES, filter_verdict, names_filter
from veridical.models.providers.reading import (
    NoReply,
    as_json,
    joined,
    last_of,
    listed,
    mapping,
    named_stop,
    token_lengths,
    total,
    within,
    word,
    words,
)

KEY = "sk-" + "Zq4" * 10
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def read(status: int, message: str = "", **headers: str) -> tuple[str, bool, float | None]:
    lines = {name.replace("_", "-"): value for name, value in headers.items()}
    return http_error(status, message, lines, model="m-1", key_env="THE_KEY", now=NOW)


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529, 599])
def test_what_passes_may_be_tried_again(status):
    assert read(status)[1] is True


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 413, 422, 451])
def test_what_stays_may_not(status):
    assert read(status, retry_after="3")[1:] == (False, None)


@pytest.mark.parametrize(
    ("status", "message", "hint"),
    [
        (401, "no", "the key in environment variable THE_KEY is wrong"),
        (400, "API key not valid. Pass another.", "the key in environment variable THE_KEY"),
        (404, "no", "is there a model 'm-1' at this address?"),
        (402, "no", "the account's quota is spent"),
        (429, '{"error": {"code": "insufficient_quota"}}', "the account's quota is spent"),
        (429, "your credit balance is too low", "the account's quota is spent"),
        (400, "maximum context length is 4096 tokens", "longer than the model reads"),
        (500, "Error rendering prompt with jinja template", "set `system: last` or"),
    ],
)
def test_an_error_says_what_to_do(status, message, hint):
    told, transient, _ = read(status, message)
    assert hint in told
    assert told.startswith(f"HTTP {status}: ")
    assert not transient


def test_without_a_key_variable_the_server_asks_for_one():
    told, _, _ = http_error(401, "", {}, model="m", key_env=None)
    assert told == "HTTP 401: no message (it asks for a key: name its variable as `api_key_env`)"


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ('{"error": {"message": "too\\nbusy", "code": "overloaded"}}', "too busy [overloaded]"),
        ('{"error": {"message": "busy", "type": "load"}}', "busy [load]"),
        ('{"error": "busy"}', "busy"),
        ('[{"error": {"message": "busy"}}]', "busy"),
        ('{"detail": "busy"}', "busy"),
        ('{"message": "busy"}', "busy"),
        ("<h1>busy</h1>", "<h1>busy</h1>"),
        ("[]", "[]"),
        ("[1]", "[1]"),
        ("", "no message"),
        ("[" * 100_000, "[" * 500),
        ("x" * 900, "x" * 500),
    ],
)
def test_the_message_is_found_in_any_shape(body, shown):
    assert read(503, body)[0] == f"HTTP 503: {shown}"


@given(st.text(max_size=200), st.integers(400, 599))
def test_any_body_is_read(body, status):
    told, transient, wait = read(status, body)
    assert told.startswith(f"HTTP {status}: ")
    assert "\n" not in told
    assert transient in (True, False)
    assert wait is None or wait >= 0


# How long to wait


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"Retry-After": " 7 "}, 7.0),
        ({"retry-after": "-7"}, 0.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after": "Sun, 01 Mar 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Sun, 01 Mar 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "Sun, 01 Mar 2026 12:00:30"}, 30.0),  # no zone: taken for UTC
        ({"retry-after": "tomorrow"}, None),
        ({"retry-after": "nan"}, None),
        ({}, None),
    ],
)
def test_how_long_a_server_asks_to_wait(headers, wait):
    assert retry_after(headers, now=NOW) == wait


def test_a_date_counts_from_the_servers_own_clock():
    headers = {
        "retry-after": "Sun, 01 Mar 2026 12:00:30 GMT",
        "date": "Sun, 01 Mar 2026 12:00:20 GMT",
    }
    assert retry_after(headers) == 10.0


@pytest.mark.parametrize(
    ("details", "wait"),
    [
        ([{"retryDelay": "34s"}], 34.0),
        ([{"other": 1}, {"retryDelay": "0.5s"}], 0.5),
        ([{"retryDelay": 4}], 4.0),
        ([{"retryDelay": "soon"}], None),
        ([], None),
        ("none", None),
        (None, None),
    ],
)
def test_google_names_its_delay_in_the_body(details, wait):
    assert retry_after({}, json.dumps({"error": {"details": details}})) == wait


@given(st.one_of(st.floats(), st.integers(), st.text(max_size=8), st.booleans(), st.none()))
def test_a_time_to_wait_is_a_number_of_seconds_or_none(value):
    found = seconds(value)
    assert found is None or 0 <= found <= 10**9


# An error inside a 200


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"error": {"code": 429, "message": "slow"}}, 429),
        ({"error": {"code": "503"}}, 503),
        ({"error": {"type": "overloaded_error"}}, 529),
        ({"error": {"status": "RESOURCE_EXHAUSTED"}}, 429),
        ({"error": {"code": "content_filter"}}, 400),
        ({"error": {"code": "strange"}}, 500),
        ({"error": {"code": 1301}}, 500),  # no status of HTTP
        ({"error": "down"}, 500),
        ({"choices": [{"error": {"code": 502}}]}, 502),
        ({"object": "error", "code": 404}, 404),
    ],
)
def test_an_error_inside_a_reply_amounts_to_a_status(body, status):
    assert error_inside(body)[0] == status


@pytest.mark.parametrize(
    "body",
    [{}, {"error": None}, {"error": ""}, {"choices": []}, {"choices": [None]}, {"choices": "x"},
     {"choices": [{"message": {"content": "error"}}]}],
)  # fmt: skip
def test_a_reply_without_one_has_none(body):
    assert error_inside(body) is None


# Which errors may be one prompt's own


@pytest.mark.parametrize(
    ("status", "message", "own"),
    [
        (400, "bad", True),
        (413, "too large", True),
        (422, "bad", True),
        (400, "API_KEY_INVALID", False),
        (401, "bad", False),
        (404, "bad", False),
        (500, "bad", False),
        (500, "roles must alternate", True),
    ],
)
def test_an_error_that_may_concern_one_prompt_alone(status, message, own):
    assert of_prompt(status, message) == own


@pytest.mark.parametrize("status", [400, 422, 500])
def test_a_template_is_known_by_its_words_whatever_the_case(status):
    assert of_template(status, "JINJA exception")
    assert not of_template(status, "the server is busy")
    assert not of_template(429, "jinja exception")


# A filter's verdict


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ('{"error": {"code": "content_filter"}}', "content_filter"),
        ('{"error": {"type": "ResponsibleAIPolicyViolation"}}', "ResponsibleAIPolicyViolation"),
        ('{"error": {"message": "Your prompt was flagged"}}', "content_filter"),
        ('{"error": {"message": "It violates our usage policies"}}', "content_filter"),
        ("blocked by content management policy", "content_filter"),
        ('{"error": {"message": "no such parameter"}}', None),
        ('{"error": {"message": "Your account was suspended for unsafe content"}}', None),
        ('{"request": {"message": "unsafe content"}}', None),  # it repeats the prompt
        ('{"messages": [{"message": "flagged by me"}], "error": {"message": "busy"}}', None),
        ("[" * 100_000, None),
    ],
)
def test_a_filters_verdict_is_read_from_the_errors_own_words(status, body, verdict):
    assert filter_verdict(status, body) == verdict


@pytest.mark.parametrize("status", [200, 401, 404, 429, 500, 503])
def test_in_an_outage_a_filters_name_is_no_verdict(status):
    assert filter_verdict(status, '{"error": {"code": "content_filter"}}') is None


def test_a_filters_code_is_known_by_its_letters():
    assert names_filter("Content-Filter")
    assert names_filter("DataInspectionFailed")
    assert not names_filter("filter")


# Errors that name model and server, and hold no key


@pytest.fixture
def provider():
    entry = {"provider": "openai-compatible", "model": "m-1", "base_url": "http://localhost:9/v1"}
    entry |= {"api_key_env": "MY_SECRET"}
    return open_provider(Model.from_config("parrot", entry), environ={"MY_SECRET": KEY})


def test_an_error_names_model_and_server_and_no_key(provider):
    error = provider.error(f"it said {KEY}", retry_after=3.0)
    assert str(error).startswith("model 'parrot' (openai-compatible, http://localhost:9/v1): it")
    assert KEY not in str(error)
    assert (error.transient, error.retry_after, error.of_prompt) == (True, 3.0, False)


def test_half_a_key_is_struck_before_the_text_is_cut(provider):
    shown = provider.shown("x" * 190 + KEY)
    assert KEY[:10] not in shown


def test_a_verdict_is_blocked_and_carries_its_name(provider):
    error = provider.failed(400, '{"error": {"code": "content_filter", "message": "no"}}', {})
    assert isinstance(error, Blocked)
    assert error.verdict == "content_filter"
    assert not error.transient


@pytest.mark.parametrize(
    ("status", "message", "transient", "of_prompt_", "of_template_"),
    [
        (400, "bad", False, True, False),
        (503, "busy", True, False, False),
        (500, "roles must alternate", False, True, True),
        (401, "no", False, False, False),
    ],
)
def test_a_failure_says_whom_it_concerns(
    provider, status, message, transient, of_prompt_, of_template_
):
    error = provider.failed(status, message, {})
    found = (error.transient, error.of_prompt, error.of_template)
    assert found == (transient, of_prompt_, of_template_)


class _Response:
    """What an SDK's error carries, as far as it is read."""

    def __init__(self, status: int, text: str, headers: dict[str, str]):
        self.status_code, self.text, self.headers = status, text, headers


def raised(kind: type[Exception], message: str = "", **fields) -> Exception:
    error = kind(message)
    for name, value in fields.items():
        setattr(error, name, value)
    return error


class ReadTimeoutError(Exception):
    """As SDKs call theirs."""


class APIConnectionError(Exception):
    """As SDKs call theirs."""


@pytest.mark.parametrize(
    ("error", "said", "transient"),
    [
        (WireError("a redirect elsewhere", transient=False), "a redirect elsewhere", False),
        (WireError("cut off"), "cut off", True),
        (TimeoutError(), "no answer within 600 s", True),
        (ReadTimeoutError(), "no answer within 600 s", True),
        (ConnectionResetError("gone"), "the connection failed (ConnectionResetError: gone)", True),
        (APIConnectionError("gone"), "the connection failed (APIConnectionError: gone)", True),
        (KeyError("choices"), "KeyError: 'choices'", False),
        (raised(ValueError, response=_Response(200, "", {})), "ValueError: ", False),
        (
            raised(ValueError, response=_Response(503, "busy", {"retry-after": "4"})),
            "HTTP 503",
            True,
        ),
    ],
)
def test_whatever_an_sdk_raises_is_translated(provider, error, said, transient):
    found = provider.translate(error)
    assert isinstance(found, ProviderError)
    assert said in str(found)
    assert found.transient == transient


def test_what_caused_an_sdks_error_counts(provider):
    outer = APIConnectionError("Connection error.")
    outer.__cause__ = WireError("the proxy that HTTP_PROXY names refused", transient=False)
    found = provider.translate(outer)
    assert "the proxy that HTTP_PROXY names refused" in str(found)
    assert not found.transient


def test_a_providers_own_error_is_left_as_it_is(provider):
    own = ProviderError("as it is", transient=False)
    assert provider.translate(own) is own


# Reading a body


@pytest.mark.parametrize(
    ("value", "kind"),
    [(None, "null"), (True, "true or false"), (1, "a number"), (1.5, "a number"), ("x", "text"),
     ([], "a list"), ({}, "an object")],
)  # fmt: skip
def test_a_value_of_another_kind_is_named(value, kind):
    if not isinstance(value, dict):
        with pytest.raises(NoReply, match=f"it is {kind}, not an object"):
            mapping(value, "it")
    if not isinstance(value, list):
        with pytest.raises(NoReply, match=f"it is {kind}, not a list"):
            listed(value, "it")
    if value is not None and not isinstance(value, str):
        with pytest.raises(NoReply, match=f"it is {kind}, not text"):
            words(value, "it")


def test_what_only_adds_to_a_reply_may_have_any_shape():
    assert (within([]), within(None), within({"a": 1})) == ({}, {}, {"a": 1})
    assert (word(None), word(""), word([1]), word({}), word(5)) == (None, None, None, None, "5")
    assert word("x" * 300) == "x" * 200
    assert (named_stop("END"), named_stop(""), named_stop(None), named_stop(3)) == (
        ("END",), None, None, None,
    )  # fmt: skip


def test_counts_are_added_where_any_is_known():
    assert total([3, None, 4]) == 7
    assert total([None, "x"]) is None
    assert total([]) is None


@given(st.one_of(st.integers(), st.floats(), st.text(max_size=5), st.booleans(), st.none()))
def test_a_count_is_a_whole_number_above_zero_or_unknown(value):
    found = count(value)
    assert found is None or (isinstance(found, int) and found > 0 and found == value)


@given(st.lists(st.text("ab", max_size=2), max_size=5))
def test_parts_are_put_together_and_what_is_said_twice_counts_once(parts):
    alike = len(set(parts)) == 1 and len(parts) > 1
    assert joined(parts) == (parts[0] if alike else "".join(parts))


@given(st.lists(st.sampled_from(["", " ", "A", "B"]), max_size=5))
def test_the_last_message_that_says_something_is_the_answer(messages):
    answer, beside = last_of(messages)
    said_ = [message for message in messages if message.strip()]
    assert answer == (said_[-1] if said_ else "")
    assert answer not in beside.split("\n\n") or answer == ""


@pytest.mark.parametrize(
    ("tokens", "lengths"),
    [
        ([{"token": "é"}, {"token": "x", "bytes": [1, 2, 3]}], [2, 3]),
        ([{"token": "a", "bytes": None}], [1]),
        ([{"bytes": []}], [0]),
        ([{"token": "a"}, {}], None),
        ([None], None),
        ([], None),
        ("x", None),
        (None, None),
    ],
)
def test_the_lengths_of_tokens_are_known_for_all_or_not_at_all(tokens, lengths):
    assert token_lengths(tokens) == lengths


def test_a_tools_arguments_are_text_or_an_object():
    assert as_json('{"a": 1}', "it") == '{"a": 1}'
    assert json.loads(as_json({"città": 1}, "it")) == {"città": 1}
    assert "città" in as_json({"città": 1}, "it")
    with pytest.raises(NoReply, match="it is a list, not an object"):
        as_json([1], "it")
