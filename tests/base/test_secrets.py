"""What a key is: by its value in every writing, by its looks, and not where it is none.

No key is written out here: each is put together when the test runs.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
import quopri
import string
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.base.secrets import (
    PART,
    STRUCK,
    as_sent,
    clean,
    key_values,
    names_key,
    redact,
    spots,
    strike,
)
from veridical.models.exchange import Raw

ROOT = Path(__file__).parents[2]
TAIL = "Zq4" * 14  # 42 letters and digits
LETTERS = "abcdefghij" * 4
KEY = "pw/" + "+aB3&c=" * 4  # signs that every encoding writes otherwise

# By host, one form each; those of two parts are joined here so that no scanner finds them.
HOSTS = {
    "OpenAI": "sk-" + TAIL,
    "OpenAI, project": "sk-proj-" + TAIL + "_" + TAIL,
    "OpenAI, masked by the server": "sk-" + "proj-" + "*" * 12 + "aB3d",
    "Anthropic": "sk-ant-" + "api03-" + TAIL + "-AA",
    "OpenRouter": "sk-or-" + "v1-" + "0123456789abcdef" * 4,
    "Google": "AIza" + TAIL[:35],
    "Google OAuth": "ya29" + ".a0Af" + TAIL,
    "Google client": "GOCSPX" + "-" + TAIL[:28],
    "GitHub": "ghp_" + TAIL[:36],
    "GitHub, server": "ghs_" + TAIL[:36],
    "GitHub, fine": "github_pat" + "_11" + TAIL + "_" + TAIL,
    "GitLab": "glpat" + "-" + TAIL[:20],
    "Hugging Face": "hf_" + LETTERS[:34],
    "Amazon": "AKIA" + "A1B2C3D4E5F6G7H8",
    "Amazon, for a session": "ASIA" + "A1B2C3D4E5F6G7H8",
    "Azure": "A" * 20 + TAIL[:32] + "JQQJ9" + "9BAC" + TAIL[:24],
    "Slack": "xoxb-" + "123456789012-abc",
    "Slack, app": "xapp-" + "1-A0123456789-" + TAIL,
    "Stripe": "sk_live" + "_" + TAIL[:24],
    "Stripe, restricted": "rk_test" + "_" + TAIL[:24],
    "Groq": "gsk_" + TAIL,
    "xAI": "xai-" + TAIL * 2,
    "Perplexity": "pplx-" + TAIL,
    "Replicate": "r8_" + TAIL[:37],
    "NVIDIA": "nvapi-" + TAIL,
    "npm": "npm_" + TAIL[:36],
    "PyPI": "pypi-" + "AgEIcHlwaS5vcmc" + TAIL,
    "SendGrid": "SG." + TAIL[:22] + "." + TAIL,
    "Telegram": "123456789" + ":AA" + TAIL[:33],
    "Vault": "hvs." + TAIL,
    "JWT": "eyJ" + TAIL + ".eyJ" + TAIL + "." + TAIL,
    "private key": f"-----BEGIN {'RSA PRIVATE'} KEY-----\n{TAIL}\n-----END RSA PRIVATE KEY-----",
    "private key, cut off": f"-----BEGIN {'PRIVATE'} KEY-----\n{TAIL}\n{TAIL}",
    "private key in JSON": rf"-----BEGIN {'PRIVATE'} KEY-----\n{TAIL}\n-----END PRIVATE KEY-----",
    "Zenodo": (TAIL + "xY7" * 6),
}  # fmt: skip
# (before, key, after): only what stands in the middle is the key
PLACES = {
    "bearer": ("Authorization: Bearer ", TAIL, ""),
    "basic": ("authorization: Basic ", "YWRhOnNlY3JldA==", ""),
    "assigned": ("AZURE_OPENAI_API_KEY=", "0123456789abcdef" * 2, "\n"),
    "assigned in JSON": ('{"api_key": "', "0123456789abcdef" * 2, '"}'),
    "assigned in JSON in JSON": (r"{\"subscription-key\": \"", "0123456789abcdef" * 2, r"\"}"),
    "Amazon's secret": ("aws_secret_access_key = ", "wJalr/K7MDENG+bPxRfiCYzEXAMPLEKE12345678", ""),
    "Azure's account": ("AccountKey=", "a1B2/" * 16 + "==", ";EndpointSuffix=core"),
    "zenodo_token": ("ZENODO_TOKEN=", "a1B2c3D4e5F6g7H8", ""),
    "query": ("https://x.org/v1?subscription-key=", "ab12cd34", "&b=1"),
    "signature": ("https://x.org/v1?sv=1&sig=", "ab%2Fcd34%3D", ""),
    "amazon's query": ("https://x.org/?X-Amz-Signature=", "0f" * 32, "&X"),
    "address": ("postgres://ada:", "hunter2", "@db.org/x"),
}


@pytest.mark.parametrize("host", HOSTS)
def test_each_hosts_form_is_struck_whole(host):
    key = HOSTS[host]
    assert strike(f"said: {key}.") in (f"said: {STRUCK}.", f"said: {STRUCK}")
    assert strike(f'"{key}"') == f'"{STRUCK}"'
    assert strike(key) == STRUCK


@pytest.mark.parametrize("place", PLACES)
def test_what_stands_where_only_a_key_stands_is_struck_and_nothing_else(place):
    before, key, after = PLACES[place]
    assert strike(before + key + after) == before + STRUCK + after


def test_amazons_secret_goes_with_its_id():
    secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLEKE"
    assert strike(f"{HOSTS['Amazon']},{secret}\n") == f"{STRUCK}\n"


ORDINARY = [
    "task-specific-and-rather-long-names-of-things-2024",
    "key-value-store, pk-list, desk-2024-report-of-the-year",
    "sklearn's sk-learn and sk-SK, a disk-based approach",
    "api_key_env: OPENAI_API_KEY",
    "the password is in the safe; the secret: he never said it",
    "a secret: 'the harbour at 5'",
    "the bearer of the letter, uncharacteristically late, bearer bonds",
    "max_tokens: 64, prompt_tokens=1024, eos_token: </s>, token=x",
    "sha256 " + "0123456789abcdef" * 4,
    "0123456789abcdef0123456789abcdef",  # an MD5
    "commit 1fdccf7c2b0a3d4e5f60718293a4b5c6d7e8f901",
    "550e8400-e29b-41d4-a716-446655440000",
    "veridical-demo-4567cdef.zip, control3_cells.pdf, A-veridical.jsonl",
    "https://example.org/v1?api-version=2024-06-01&deployment=gpt-4.1",
    "https://example.org/a:b@c and mail me @home",
    "xoxo-with-love-from-ada",
    "hf_dataset, gsk_none, npm_config_cache, pypi-server, r8_",
    "glance-at-the-harbour-and-go globe-trotting-adventurers-2024",
    "20250914 123456789:ABC 8.00:AAB",
    "He scored 12 of 24; p = 8.3e-07, CI [21.2, 57.3]",
    "eyJust.a.word",
    "x" * 60,
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" * 3,
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_left_alone(text):
    assert spots(text) == []


def test_images_in_base64_hold_no_key():
    """Two megabytes of what a picture looks like in a page; drawn by a hash, the same each time."""
    data = b"".join(hashlib.sha256(str(n).encode()).digest() for n in range(50_000))
    assert spots("src='data:image/png;base64," + base64.b64encode(data).decode() + "'") == []
    lines = base64.encodebytes(data[:200_000]).decode()
    assert spots(lines) == []


@pytest.mark.parametrize(
    "name", ["README.md", "Snakefile", "uv.lock", "config/config.yaml", "config/README.md"]
)
def test_the_projects_own_texts_hold_no_key(name):
    assert spots((ROOT / name).read_text(encoding="utf-8")) == []


# Values, in every writing


WRITINGS = {
    "as it is": lambda key: key,
    "JSON": lambda key: json.dumps(key)[1:-1],
    "JSON of another make": lambda key: key.replace("/", "\\/").replace("&", "\\u0026"),
    "JSON in JSON": lambda key: json.dumps(json.dumps(key))[3:-3],
    "all in \\u": lambda key: "".join(f"\\u{ord(sign):04X}" for sign in key),
    "all in \\x": lambda key: "".join(f"\\x{ord(sign):02x}" for sign in key),
    "address": lambda key: quote(key, safe=""),
    "address, small letters": lambda key: quote(key, safe="").lower().replace("ab3", "aB3"),
    "query": quote_plus,
    "address, twice": lambda key: quote(quote(key, safe=""), safe=""),
    "address, every sign": lambda key: "".join(f"%{ord(sign):02x}" for sign in key),
    "HTML": html.escape,
    "HTML by number": lambda key: "".join(f"&#{ord(sign)};" for sign in key),
    "HTML by hex number": lambda key: "".join(f"&#x{ord(sign):X};" for sign in key),
    "mail": lambda key: quopri.encodestring(key.encode()).decode().replace("=\n", ""),
    "base64": lambda key: base64.b64encode(key.encode()).decode(),
    "base64, as a login": lambda key: base64.b64encode(f"ada:{key}".encode()).decode(),
    "base64, one further on": lambda key: base64.b64encode(f"adam:{key}\n".encode()).decode(),
    "base64 for addresses": lambda key: base64.urlsafe_b64encode(key.encode()).decode(),
    "hex": lambda key: key.encode().hex(),
    "HEX": lambda key: key.encode().hex().upper(),
}


@pytest.mark.parametrize("writing", WRITINGS)
def test_a_value_is_struck_in_every_writing(writing):
    written = WRITINGS[writing](KEY)
    left = strike(f"it said: {written} and more", [KEY])
    assert STRUCK in left
    assert left.startswith("it said: ")
    assert left.endswith(" and more")
    if not writing.startswith("base64"):  # there, up to a sign at either end tells nothing
        assert left == f"it said: {STRUCK} and more"
    else:
        assert len(left) < len("it said:  and more") + 2 * 9


@given(st.text(string.ascii_letters + string.digits + "-_/+=&%\\\"' ", min_size=8, max_size=40))
def test_no_value_survives_whatever_it_is_made_of(key):
    key = as_sent(key)
    if len(key) < 8:
        return
    for written in (key, json.dumps(key), quote(key, safe=""), f"<{key}{key}>"):
        left = strike(written, [key])
        assert key not in left.replace(STRUCK, "\0")
        assert strike(left, [key]) == left or key in STRUCK


@given(st.text(max_size=200))
def test_striking_twice_is_striking_once(text):
    assert strike(strike(text)) == strike(text)


@pytest.mark.parametrize("end", ["\n", "\r\n", " ", "\t", "\r", "\ufeff", "\u200b", '"', "\u00a0"])
def test_a_key_is_compared_as_it_is_sent(end):
    key = "canary-" + TAIL[:20]
    for value in (key + end, end + key, end + key + end):
        assert key_values({"LAB_KEY": value}) == [key]
        assert redact(f"bad key {key}!", {"LAB_KEY": value}) == f"bad key {STRUCK}!"


def test_a_cut_key_is_struck_as_far_as_it_shows():
    key = "sk_like-" + TAIL[:30]
    for size in range(len("sk_like-") + PART, len(key)):
        assert strike(f"key {key[:size]}… is bad", [key]) == f"key {STRUCK}… is bad"
        assert strike(f"key …{key[-size:]} is bad", [key]) == f"key …{STRUCK} is bad"


def test_the_beginning_that_all_keys_of_a_host_share_is_no_key():
    key = "sk-ant-" + "api03-" + TAIL
    assert strike("keys begin with sk-ant-api03-", [key]) == "keys begin with sk-ant-api03-"
    assert strike("the demo-study-one", ["demo-study-key-1"]) == "the demo-study-one"


def test_variables_are_keys_by_their_name_or_because_the_config_names_them():
    environ = {
        "OPENAI_KEY": "value-of-one",
        "lab_token": "value-of-two",
        "DB_PWD": "value-of-three",
        "AWS_SECRET_ACCESS_KEY": "value-of-four",
        "NAMED_BY_CONFIG": "value-of-five",
        "HTTP_PROXY": "http://ada:value-of-six@proxy:3128",
        "KEYBOARD": "not-a-key-1",
        "MAX_TOKENS": "12345678",
        "PIN_TOKEN": "12345678",
        "PWD": "/work/not-a-key",
        "SHORT_KEY": "abc",
        "LOCAL_KEY": "not-needed",
        "SSH_AUTH_SOCK": "/tmp/agent.sock",
        "SIGN_KEY": str(Path(__file__)),
    }
    found = set(key_values(environ, ["NAMED_BY_CONFIG"]))
    assert found == {f"value-of-{n}" for n in ("one", "two", "three", "four", "five", "six")}


def test_a_number_is_a_key_only_where_the_config_says_so():
    assert key_values({"PIN_TOKEN": "12345678"}) == []
    assert key_values({"PIN": "12345678"}, ["PIN"]) == ["12345678"]


def test_several_keys_in_one_variable_count_each():
    one, two = "first-" + TAIL[:16], "second-" + TAIL[:16]
    assert {one, two} < set(key_values({"KEYS": f"{one}, {two}"}, ["KEYS"]))
    assert "abcdefgh12" in key_values({"LAB_AUTH": "Bearer abcdefgh12"})


@pytest.mark.parametrize("name", ["API_KEY", "X_APIKEY", "TOKEN", "MY_CREDENTIALS", "key", "A_PAT"])
def test_names_that_say_key(name):
    assert names_key(name)


@pytest.mark.parametrize("name", ["PATH", "PWD", "OLDPWD", "MONKEY", "TOKENIZERS_PARALLELISM"])
def test_names_that_do_not(name):
    assert not names_key(name)


def test_an_answer_is_cleaned_in_every_part_and_keeps_its_tokens_only_where_whole():
    key = "canary-" + TAIL[:20]
    nested = {"headers": [{f"x-{key}": key}], "n": 1}
    raw = Raw(f"a {key}", key, key, served_model=key, sdk=key, parameters=nested, token_bytes=[1])
    kept = clean(raw, [key])
    assert key not in repr(kept)
    assert kept.token_bytes is None
    assert kept.parameters == {"headers": [{f"x-{STRUCK}": STRUCK}], "n": 1}
    assert clean(Raw("a b", token_bytes=[1, 2]), [key]).token_bytes == [1, 2]
    half = clean(Raw("half \ud800 of one"), [])
    assert half.text == "half ? of one"


def test_a_name_is_struck_by_the_keys_of_its_own_call():
    """What was found in a name once is kept, but of the keys that were looked for then."""
    name = "names-" + TAIL[:12]
    assert clean(Raw("a", served_model=name), []).served_model == name
    assert clean(Raw("a", served_model=name), [name]).served_model == STRUCK
    assert clean(Raw("a", served_model=name), (name[:-1],)).served_model != name
    assert clean(Raw("a", served_model=name), []).served_model == name
    assert clean(Raw(name), [name]).text == STRUCK
    long = f"{'word ' * 30}{name}"
    assert clean(Raw(long, served_model=long), [name]).served_model == f"{'word ' * 30}{STRUCK}"


def test_striking_costs_little():
    """A page of prose, three keys: well under the millisecond that a call's other work takes."""
    import time

    text = "He said that 12% of them = more, on 2025-08-11 (see https://example.org). " * 60
    values = [HOSTS["OpenAI"], KEY, "hunter2hunter2"]
    strike(text, values)
    start = time.process_time()
    for _ in range(20):
        strike(text, values)
    assert (time.process_time() - start) / 20 < 0.02  # twenty times what it takes on a free core


def test_the_environment_of_these_tests_shows_nothing():
    assert all(value not in redact(value, os.environ) for value in key_values())


AROUND = [
    "\u2028",
    "\x85",
    "\u200e",
    "\u00ad",
    "\u2066",
    "\u202c",
    "\u180e",
    "\u3000",
    "\x1b",
    "\u2069'",
]


@pytest.mark.parametrize("sign", AROUND, ids=[f"U+{ord(sign[0]):04X}" for sign in AROUND])
def test_marks_that_nobody_sees_around_a_key_are_none_of_it(sign):
    """Pasted from a page or a chat: the server is sent the key alone, and repeats that."""
    value = "correct-horse-battery"  # drawn by nobody: its beginning alone wouldn't tell it
    for held in (value + sign, sign + value, sign + value + sign):
        (found,) = key_values({"LAB_API_KEY": held})
        assert found == value
        assert strike(f"bad key {value}.", [found]) == "bad key [key]."


def test_marks_within_a_key_are_its_own():
    assert key_values({"LAB_API_KEY": "pass\u200dphrase word"}) == ["pass\u200dphrase word"]


@pytest.mark.parametrize(("length", "cut"), [(PART + 1, False), (PART + 2, True)])
def test_a_short_key_is_known_by_the_whole_of_it_alone(length, cut):
    """Its beginning is nearly all of it: what else begins so is not known to be the key."""
    key = "sk-" + TAIL[:length]
    said = f"key {key[: 3 + PART]}… is bad"
    assert strike(said, [key]) == (f"key {STRUCK}… is bad" if cut else said)
    assert strike(f"key {key} is bad", [key]) == f"key {STRUCK} is bad"
