"""Keys in a config: refused for all models at once, before anything is asked, and never shown."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest
import yaml
from veridical.base.config import ConfigError, check_config
from veridical.base.keyless import check_model, keys_in, says_key, variables_named
from veridical.models.exchange import Model

ROOT = Path(__file__).parents[2]
SECRET = "hunter2" + "Zq4" * 5  # of no host's form
OPENAI = "sk-" + "Zq4" * 10
ZENODO = "Zq4" * 20


def entry(**keys) -> dict:
    return {"provider": "openai-compatible", "model": "m", "base_url": "http://x.org/v1"} | keys


def command(*arguments: str) -> dict:
    return {"provider": "command", "model": "m", "command": ["python", "agent.py", *arguments]}


REFUSED = {
    "in the variable's name": entry(api_key_env=OPENAI),
    "in the variable's name, and it could be one": entry(api_key_env="hf_" + "abcdefghij" * 4),
    "in the variable's name, of no host": entry(api_key_env="a1b2c3d4e5f60718"),
    "in the variable's name, of Zenodo's form": entry(api_key_env=ZENODO),
    "before the @": entry(base_url=f"https://ada:{SECRET}@x.org/v1"),
    "before the @, no password": entry(base_url=f"https://{SECRET}@x.org/v1"),
    "before the @, written otherwise": entry(base_url=f"https://ada%3A{SECRET}%40x.org/v1"),
    "before the @, no scheme": entry(base_url=f"ada:{SECRET}@x.org/v1"),
    "in a query": entry(base_url=f"https://x.org/v1?subscription-key={SECRET}"),
    "in a query, second": entry(base_url="https://x.org/v1?sv=1&sig=abc"),
    "in a query, name written otherwise": entry(base_url="https://x.org/v1?api%5Fkey=abc"),
    "in a query, camels": entry(base_url="https://x.org/v1?apiKey=abc"),
    "in a query, one word": entry(base_url="https://x.org/v1?key=abc"),
    "in a query, name unknown": entry(base_url=f"https://x.org/v1?q={'Zq4' * 8}"),
    "in a query after a semicolon": entry(base_url="https://x.org/v1?a=1;token=abc"),
    "after the #": entry(base_url="https://x.org/v1#access_token=abc"),
    "in the path": entry(base_url=f"https://x.org/{'Zq4' * 8}/v1"),
    "in a header": entry(parameters={"extra_headers": {"Authorization": "Bearer abc"}}),
    "in a header of another name": entry(parameters={"extra_headers": {"X-Auth": "abc"}}),
    "in a cookie": entry(parameters={"extra_headers": {"Cookie": "session=abc"}}),
    "in a parameter": entry(parameters={"extra_body": {"credentials": {"apiKey": "abc"}}}),
    "in a parameter's list": entry(parameters={"stop": ["a", OPENAI]}),
    "as a parameter's name": entry(parameters={OPENAI: 1}),
    "as a number": entry(parameters={"api_key": 1234567890}),
    "as the model's name": entry(model=OPENAI),
    "in an instruction": entry(instructions={"choice": f"use {OPENAI}"}),
    "as an argument": command("--api-key", "abc"),
    "as an argument, in one": command("--api-key=abc"),
    "as an argument, one dash": command("-token", SECRET),
    "as a header's argument": command("-H", "X-Api-Key: abc"),
    "as a login": command("-u", "ada:abc"),
    "as a variable's value": {**command(), "command": ["env", "MY_SECRET=abc", "agent"]},
    "in a line for a shell": {**command(), "command": ["sh", "-c", "agent --password abc"]},
    "in a line that is no list": {**command(), "command": "agent --password abc"},
    "by its form": command("--with", OPENAI),
    "in an argument's address": command("--at", f"https://x.org/?access_token={SECRET}"),
}
SYSTEMS = {  # of memory systems: what adapters and their programs are given
    "a program's variable": {"adapter": "mcp", "settings": {"env": {"MEM_TOKEN": "abc123def"}}},
    "a program's variable, in a list": {
        "adapter": "mcp",
        "settings": {"env": ["MEM_TOKEN=abc12345"]},
    },
    "a variable of a harmless name": {"adapter": "mcp", "settings": {"env": {"X": OPENAI}}},
    "deep in the settings": {
        "adapter": "mem0",
        "settings": {"llm": {"config": {"api_key": "abc"}}},
    },
    "in a camel's hump": {"adapter": "mem0", "settings": {"store": {"qdrantApiKey": "abc"}}},
    "in an address": {"adapter": "mem0", "settings": {"url": "https://q.example.org/?api_key=abc"}},
    "in a database's address": {"adapter": "x", "settings": {"dsn": "pg://me:pw123456@db/x"}},
    "in a database's pairs": {"adapter": "x", "settings": {"dsn": "host=db password=pw123456"}},
    "in pairs with semicolons": {
        "adapter": "x",
        "settings": {"dsn": "Server=db;Pwd = 'pw123456';"},
    },
    "in a header": {"adapter": "mcp", "settings": {"headers": {"Authorization": "Bearer abcdef"}}},
    "as an argument": {"adapter": "command", "command": ["python", "m.py", "--token", "hunter2x"]},
    "in a line for a shell": {
        "adapter": "command",
        "command": ["sh", "-c", "M_API_KEY=abcd1234 run"],
    },
}
SYSTEMS_TAKEN = [
    {"adapter": "mcp", "settings": {"env": {"MEM_TOKEN": "$MEM_TOKEN"}}},
    {"adapter": "mcp", "settings": {"api_key_env": "MEM_TOKEN", "env": {"LANG": "C.UTF-8"}}},
    {"adapter": "x", "settings": {"dsn": "host=db port=5432 dbname=lives user=reader"}},
    {"adapter": "x", "settings": {"dsn": "host=db password=$DB_PASSWORD"}},
    {"adapter": "fts5", "settings": {"tokenize": "unicode61", "query": "topic = {topic}; k=5"}},
]
TAKEN = [
    entry(api_key_env="OPENAI_KEY", base_url="https://x.org/v1?api-version=2024-06-01"),
    entry(api_key_env="lab_key_2"),
    entry(base_url="https://gateway.example/v1/0123456789abcdef0123456789abcdef/lab/openai"),
    entry(base_url="http://localhost:8000/v1"),
    entry(parameters={"prompt_cache_key": "study-1", "eos_token": "</s>", "stop_token": 2}),
    entry(parameters={"logprobs": True, "token": False, "max_tokens": 64, "sort_key": "date"}),
    entry(parameters={"extra_headers": {"X-Title": "Veridical", "X-Session-Id": "demo"}}),
    command("--tokens", "64", "--key-file", "key.txt", "--token-budget", "512"),
    command("--api-key", "none"),
    command("--api-key", "$LAB_KEY"),
    command("--api-key-env", "LAB_KEY"),
    command("-u", "1000:1000"),
    command("--at", "http://127.0.0.1:8000", "--model", "gpt-4.1-2025-04-14"),
]


@pytest.fixture
def config(monkeypatch) -> dict:
    monkeypatch.chdir(ROOT)
    return yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("where", REFUSED)
def test_a_key_is_refused_by_the_config_check_and_not_shown(config, where):
    config["models"]["mine"] = REFUSED[where]
    with pytest.raises(ConfigError, match="models/mine/") as caught:
        check_config(config, environ={})
    message = str(caught.value)
    assert "a config is no place for a key" in message
    for secret in (SECRET, OPENAI, ZENODO, "abcdefghij", "a1b2c3d4", "Zq4Zq4"):
        assert secret not in message


@pytest.mark.parametrize("model", TAKEN, ids=str)
def test_what_is_no_key_is_taken(config, model):
    config["models"]["mine"] = model
    check_config(config, environ={})


def test_all_models_are_looked_at_and_the_rest_of_the_config(config):
    config["models"]["one"] = REFUSED["in a query"]
    config["models"]["two"] = REFUSED["as an argument"]
    config["title"] = f"mine {OPENAI}"
    config["deposit"] = {"token_env": ZENODO, "server": f"https://me:{SECRET}@zenodo.org"}
    with pytest.raises(ConfigError) as caught:
        check_config(config, environ={})
    lines = str(caught.value).splitlines()[1:]
    assert [line.split(":")[0].strip("- ") for line in lines] == [
        "title",
        "models/one/base_url",
        "models/two/command",
        "deposit/token_env",
        "deposit/server",
    ]


@pytest.mark.parametrize("end", ["", "\r\n", " "])
def test_a_key_of_the_environment_is_refused_wherever_it_stands(config, end):
    """Of no host's form, under no telling name; but the variable that the config names holds it."""
    config["models"]["mine"] = entry(api_key_env="LAB", parameters={"user": f"me:{SECRET}"})
    check_config(config, environ={"LAB": "another-value"})
    with pytest.raises(ConfigError, match="models/mine/parameters/user"):
        check_config(config, environ={"LAB": SECRET + end})


def test_the_check_does_not_quote_what_it_refuses_for_another_reason(config):
    config["models"]["mine"] = {**entry(), "api_key_env": [OPENAI]}
    with pytest.raises(ConfigError) as caught:
        check_config(config, environ={})
    assert OPENAI not in str(caught.value)


def test_variables_that_a_config_names():
    config = {
        "models": {"a": {"api_key_env": "ONE", "headers_env": {"X-A": "TWO", "X-B": "THREE"}}},
        "deposit": {"token_env": "FOUR"},
        "memories": {"m": {"env": ["FIVE"], "command": ["sh", "-c", "x $SIX ${SEVEN}"]}},
        "started": {"env": {"EIGHT": "a value"}},
    }
    names = {"ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN"}
    assert variables_named(config) == names


def test_a_value_given_to_a_variable_is_looked_at_by_the_variables_name():
    assert list(keys_in({"env": {"PYTHONPATH": "src lib", "MODE": "fast"}}, {})) == []
    (found,) = keys_in({"env": {"LAB_KEY": "abc"}}, {})
    assert found.startswith("env/LAB_KEY: ")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Ocp-Apim-Subscription-Key", True),
        ("api%2Dkey", True),
        ("clientSecret", True),
        ("APIKey", True),
        ("x.auth.token", True),
        ("max_tokens", False),
        ("tokenizer", False),
        ("keyboard", False),
        ("routing_key", False),
        ("pad_token", False),
        ("", False),
    ],
)
def test_names(name, says):
    assert says_key(name) is says


def test_a_model_that_comes_by_no_config_is_looked_at_too():
    for where, found in REFUSED.items():
        with pytest.raises(ValueError, match="models/m/"):
            check_model(Model.from_config("m", copy.deepcopy(found)))
        assert where


@pytest.mark.parametrize("where", SYSTEMS)
def test_a_memory_systems_key_is_refused_and_not_shown(config, where):
    config["memories"] = {"systems": {"mine": SYSTEMS[where]}}
    (found, *_) = keys_in(config, {})
    assert found.startswith("memories/systems/mine/")
    assert "looks like a key" in found
    for secret in ("abc123def", "pw123456", "hunter2x", "abcd1234", "abcdef", OPENAI):
        assert secret not in found


@pytest.mark.parametrize("system", SYSTEMS_TAKEN)
def test_what_is_no_memory_systems_key_is_taken(config, system):
    config["memories"] = {"systems": {"mine": system}}
    assert list(keys_in(config, {})) == []


@pytest.mark.parametrize("section", [
    {"timestamps": {"rfc3161": ["https://tsa.example.org/tsr?token=abc"]}},
    {"timestamps": {"opentimestamps": ["https://me:pw123456@calendar.example.org"]}},
    {"deposit": {"server": "https://me:pw123456@zenodo.org"}},
    {"deposit": {"token_env": "abcdEFGH1234abcd"}},
])  # fmt: skip
def test_a_key_among_the_servers_of_other_sections_is_refused(config, section):
    (found,) = keys_in(config | section, {})
    assert "key" in found
    assert "pw123456" not in found
