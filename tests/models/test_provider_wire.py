"""What goes over the wire, and to whom: proxies, redirects, an SDK's environment, odd bodies."""

from __future__ import annotations

import asyncio
import gzip
import json
import tracemalloc
import zlib

import pytest
from support.raw_server import RawServer, http
from support.wire_server import SUCCESS, Answer, WireServer, ollama
from veridical.models.exchange import Call, Form, Model, ProviderError
from veridical.models.providers import open_provider, wire
from veridical.models.providers.errors import WireError

APIS = ("chat", "responses", "anthropic", "google", "ollama")
CANARY = "canary-5be1c0de"
KEYS = {
    name: f"key-{CANARY}"
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "OTHER_KEY")
}
ENTRIES = {
    "chat": {"provider": "openai", "base": "/v1"},
    "responses": {"provider": "openai", "base": "/v1", "api": "responses"},
    "anthropic": {"provider": "anthropic", "parameters": {"max_tokens": 64}},
    "google": {"provider": "google"},
    "ollama": {"provider": "ollama", "context": 4096, "api_key_env": "OTHER_KEY"},
}
TEXT = Form()


@pytest.fixture
def server():
    with WireServer() as server:
        yield server


@pytest.fixture
def other():
    with WireServer() as server:
        yield server


def model_at(api: str, url: str, **entry) -> Model:
    own = dict(ENTRIES[api])
    address = url + own.pop("base", "")
    return Model.from_config("m", {"model": "asked-1", "base_url": address, **own, **entry})


def ask(model: Model, times: int = 1, environ=None):
    said = ({"role": "system", "content": "The memory."}, {"role": "user", "content": "Whom?"})

    async def run():
        async with open_provider(model, environ={**KEYS, **(environ or {})}) as provider:
            return [await provider.ask(Call(model, said, TEXT)) for _ in range(times)]

    return asyncio.run(run())


def fails(model: Model, environ=None) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        ask(model, environ=environ)
    assert CANARY not in str(caught.value)
    assert "'m'" in str(caught.value)
    return caught.value


# What goes out is what was made here


@pytest.mark.parametrize("api", ["chat", "responses"])
@pytest.mark.parametrize("entry", [{}, {"parameters": {"of_the_house": [1, None]}}])
def test_openais_sdk_sends_the_body_as_it_is(api, entry, server):
    """Key by key in its order, also what no method of the SDK has an argument for."""
    model = model_at(api, server.url, **entry)
    said = ({"role": "user", "content": "Whom? ☕ \u2028"},)
    made = open_provider(model, environ=KEYS).body(Call(model, said, TEXT))

    async def run():
        async with open_provider(model, environ=KEYS) as provider:
            return await provider.ask(Call(model, said, TEXT))

    assert asyncio.run(run()).text == "Llama"
    (sent,) = server.requests
    assert sent["path"] == {"chat": "/v1/chat/completions", "responses": "/v1/responses"}[api]
    assert list(sent["body"].items()) == list(made.items())
    assert sent["headers"]["content-type"] == "application/json"
    assert not [name for name in sent["headers"] if name.startswith("x-stainless")]


# Proxies

PROXIES = ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("scheme", ["http", "socks5"])
def test_loopback_never_goes_through_a_proxy(api, scheme, server, other, monkeypatch):
    """A proxy that answers 200 would be the model, and would have read the memory."""
    for variable in PROXIES:
        monkeypatch.setenv(variable, other.url.replace("http:", f"{scheme}:"))
    assert ask(model_at(api, server.url), environ=dict.fromkeys(PROXIES, other.url))[0].text
    assert ask(model_at(api, server.url.replace("127.0.0.1", "localhost")))[0].text == "Llama"
    assert other.requests == []
    assert len(server.requests) == 2


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
def test_elsewhere_the_proxy_that_is_set_is_used(variable, other):
    model = model_at("chat", "http://models.example.org")
    assert ask(model, environ={variable: other.url})[0].text == "Llama"
    assert other.requests[0]["path"] == "http://models.example.org/v1/chat/completions"
    fails(model_at("chat", "http://192.0.2.7:1", timeout=0.2), {"NO_PROXY": "*", variable: "x:1"})


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(
    ("address", "transient"),
    [
        ("http://127.0.0.1:9", True),  # nobody listens
        ("socks5://user:hushhush@127.0.0.1:9", True),
        ("socks4://127.0.0.1:9", False),  # no such proxy can be used
        ("nonsense://[", False),
    ],
)
def test_a_proxy_that_fails_is_named_by_its_variable(api, address, transient):
    model = model_at(api, "http://models.example.org")
    error = fails(model, {"ALL_PROXY": address})
    assert "ALL_PROXY" in str(error)
    assert "hushhush" not in str(error)
    assert error.transient is transient


def test_a_proxy_that_answers_for_itself_is_named():
    with RawServer(http(b"", status="407 Proxy Authentication Required")) as proxy:
        error = fails(model_at("chat", "https://models.example.org"), {"https_proxy": proxy.url})
    assert "https_proxy" in str(error)
    assert b"memory" not in proxy.requests[0]  # only CONNECT: the rest would be under TLS


# Redirects and cookies


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_another_server_is_refused(api, status, other):
    """Another port is another server; neither key nor prompt nor cookie goes there."""
    location = f"location: {other.url}/v1/chat/completions"
    answer = http(b"", location, "set-cookie: a=b", status=f"{status} Moved")
    with RawServer(answer) as server:
        error = fails(model_at(api, server.url))
    assert other.requests == []
    assert len(server.requests) == 1
    assert not error.transient
    assert other.url in str(error)
    assert "base_url" in str(error)


@pytest.mark.parametrize(
    "location",
    ["//elsewhere.example.org/v1", "https://127.0.0.1/v1", "http://[bad", "", "file:///etc/passwd"],
)
def test_odd_redirects_are_refused(location):
    answer = http(b"", *([f"location: {location}"] if location else []), status="307 Go")
    with RawServer(answer) as server:
        fails(model_at("ollama", server.url))
    assert len(server.requests) == 1


@pytest.mark.parametrize("api", APIS)
def test_a_redirect_within_the_server_is_followed_with_the_body(api, server):
    with RawServer() as first:
        ask_path = {"chat": "/v1/chat/completions", "responses": "/v1/responses"}
        path = ask_path.get(api, {"anthropic": "/v1/messages", "ollama": "/api/chat"}.get(api))
        path = path or "/v1beta/models/asked-1:generateContent"
        first.answer = http(b"", f"location: {path}?once", status="307 Temporary Redirect")
        error = fails(model_at(api, first.url))  # which sends it on and on
    assert "more than 3 redirects" in str(error) or "isn't followed" in str(error)
    asked = [request.partition(b"\r\n")[0] for request in first.requests]
    assert asked[1] == f"POST {path}?once HTTP/1.1".encode()
    assert all(b"Whom?" in request for request in first.requests)


@pytest.mark.parametrize("api", APIS)
def test_no_cookie_is_kept(api):
    body = json.dumps(reply_of(api)).encode()
    with RawServer(http(body, "set-cookie: session=42; Path=/")) as server:
        ask(model_at(api, server.url), times=2)
    assert len(server.requests) == 2
    assert b"cookie" not in server.requests[1].lower().partition(b"\r\n\r\n")[0]


def reply_of(api: str, text: str = "Llama") -> dict:
    if api == "ollama":
        return ollama(Answer(text), {"model": "asked-1"}, 400)
    return SUCCESS[api](Answer(text), {"model": "asked-1"}, "/models/asked-1:generateContent")


# The SDKs' own environment

SDKS = {
    "OPENAI_CUSTOM_HEADERS": f"x-secret: {CANARY}\nauthorization: Bearer {CANARY}\nuser-agent: me",
    "OPENAI_ORG_ID": f"org-{CANARY}",
    "OPENAI_PROJECT_ID": f"proj-{CANARY}",
    "OPENAI_ADMIN_KEY": f"admin-{CANARY}",
    "ANTHROPIC_AUTH_TOKEN": f"token-{CANARY}",
    "ANTHROPIC_CUSTOM_HEADERS": f"x-secret: {CANARY}\nx-api-key: {CANARY}",
    "GOOGLE_API_KEY": f"google-{CANARY}",
    "GOOGLE_CLOUD_PROJECT": f"cloud-{CANARY}",
    "GOOGLE_GENAI_USE_VERTEXAI": "true",
    "GOOGLE_GENAI_CLIENT_MODE": "replay",
    "GOOGLE_GENAI_REPLAYS_DIRECTORY": "/nowhere",
    "GOOGLE_API_USE_MTLS_ENDPOINT": "always",
}
ADDRESSES = ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL")
ADDRESSES += ("GOOGLE_VERTEX_BASE_URL", "OLLAMA_HOST")
HEADERS = {"host", "accept", "accept-encoding", "connection", "content-type", "content-length"}
HEADERS |= {"user-agent", "authorization", "x-api-key", "x-goog-api-key", "anthropic-version"}


@pytest.mark.parametrize("api", APIS)
def test_the_sdks_environment_does_not_travel(api, server, other, monkeypatch):
    for name, value in SDKS.items():
        monkeypatch.setenv(name, value)
    for name in ADDRESSES:
        monkeypatch.setenv(name, other.url)
    monkeypatch.setenv("MINE", "the-key-that-the-config-names")
    model = model_at(api, server.url, api_key_env="MINE")
    assert ask(model, environ={"MINE": "the-key-that-the-config-names", **SDKS})[0].text == "Llama"
    assert other.requests == []
    (request,) = server.requests
    assert CANARY not in str(request)
    assert set(request["headers"]) <= HEADERS
    assert request["headers"]["user-agent"].startswith("veridical/")
    assert "the-key-that-the-config-names" in str(request["headers"])


def test_a_server_without_a_key_is_sent_none(server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    monkeypatch.setenv("OPENAI_ORG_ID", CANARY)
    ask(Model("m", "openai-compatible", "x", base_url=f"{server.url}/v1"))
    assert CANARY not in str(server.requests)


def test_openai_itself_is_told_the_account():
    """The organisation and the project are of that account: they go there, and only there."""
    environ = {**KEYS, "OPENAI_ORG_ID": "org-1", "OPENAI_PROJECT_ID": "proj-1"}
    told = {"openai-organization": "org-1", "openai-project": "proj-1"}

    def headers(**entry):
        provider = open_provider(Model("m", "openai", "gpt", **entry), environ=environ)
        return provider.headers("k")

    assert headers() == {"authorization": "Bearer k", **told}
    assert headers(base_url="https://api.openai.com:443/v1/") == {
        "authorization": "Bearer k",
        **told,
    }
    assert headers(base_url="https://api.openai.com.evil.org/v1") == {"authorization": "Bearer k"}
    assert headers(base_url="http://api.openai.com/v1") == {"authorization": "Bearer k"}


def test_nothing_goes_to_a_server_that_the_config_does_not_name(server, other):
    """Whatever an SDK makes of its environment: another port, another scheme, a user's name."""

    async def post(address: str) -> None:
        async with wire.Wire(server.url, {}, timeout=5, environ={}) as client:
            await client.post(address, json={"model": "x"})

    for address in (other.url, server.url.replace("http:", "https:"), "http://localhost@a.b/"):
        with pytest.raises(WireError, match="a request would go to") as caught:
            asyncio.run(post(f"{address}/v1/chat/completions"))
        assert not caught.value.transient
    asyncio.run(post("/v1/chat/completions"))
    assert (len(server.requests), other.requests) == (1, [])


@pytest.mark.parametrize(
    "url", ["localhost:8000/v1", "ftp://a.b", "http://", "http://[::1", "http://a:x"]
)
def test_an_address_that_is_none_is_refused_before_anything_is_asked(url):
    with pytest.raises(ValueError, match=r"model 'm': base_url .* is no address"):
        open_provider(Model("m", "openai-compatible", "x", base_url=url), environ={})


# Bodies


def test_a_body_that_unpacks_without_end_is_cut_off():
    """306 KB of gzip were 3.4 GB of memory: here some 200 KB that would be 200 MB."""
    packed = gzip.compress(b" " * 200_000_000, 9)
    assert len(packed) < 300_000
    with RawServer(http(packed, "content-encoding: gzip")) as server:
        model = model_at("chat", server.url)
        ask_once = fails(model)  # imports are done
        tracemalloc.start()
        error = fails(model)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert f"more than {wire.LONGEST} bytes" in str(error)
    assert ask_once.transient
    assert error.transient
    assert most < 3 * wire.LONGEST


@pytest.mark.parametrize("api", APIS)
def test_a_body_that_is_too_long_is_cut_off(api, monkeypatch):
    monkeypatch.setattr(wire, "LONGEST", 5000)
    with RawServer() as server:
        model = model_at(api, server.url)
        server.answer = http(json.dumps(reply_of(api, "x" * 4000)).encode())
        assert ask(model)[0].text == "x" * 4000
        server.answer = http(json.dumps(reply_of(api, "x" * 5000)).encode())
        assert "more than 5000 bytes" in str(fails(model))
        server.answer = http(b"x" * 6000, status="500 Oh no")
        assert "more than 5000 bytes" in str(fails(model))
        endless = b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n" + b"x" * 10_000
        server.answer = endless
        assert "more than 5000 bytes" in str(fails(model))


def bare(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def halves(data: bytes) -> bytes:
    return gzip.compress(data[:50]) + gzip.compress(data[50:])


@pytest.mark.parametrize("api", APIS)
def test_packed_answers_are_read(api):
    plain = json.dumps(reply_of(api, "Lláma 羊"), ensure_ascii=False).encode()
    cases = [("identity", plain), ("gzip", gzip.compress(plain)), ("deflate", zlib.compress(plain))]
    cases += [
        ("GZIP", halves(plain)),
        ("deflate", bare(plain)),
        ("identity", b"\xef\xbb\xbf" + plain),
    ]
    with RawServer() as server:
        for encoding, body in cases:
            server.answer = http(body, f"content-encoding: {encoding}")
            assert ask(model_at(api, server.url))[0].text == "Lláma 羊"
        asked = server.requests[0].lower()
    assert b"accept-encoding: gzip, deflate\r\n" in asked  # and nothing that isn't unpacked here


BROKEN = {
    "cut": ("gzip", gzip.compress(b'{"a": 1}')[:-9]),
    "broken": ("gzip", b"\x1f\x8b\x08\x00" + b"\xff" * 40),
    "not packed": ("gzip", b'{"a": 1}'),
    "twice": ("gzip, gzip", gzip.compress(gzip.compress(b"{}"))),
    "unknown": ("br", b"\x0b\x02\x80{}\x03"),
    "no UTF-8": ("identity", b'{"a": "\xff\xfe"}'),
    "Latin-1": ("identity", '{"a": "è"}'.encode("latin-1")),
    "UTF-16": ("identity", '{"a": 1}'.encode("utf-16")),
}


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_body_is_a_transient_error(api, case):
    encoding, body = BROKEN[case]
    with RawServer(http(body, f"content-encoding: {encoding}")) as server:
        error = fails(model_at(api, server.url))
    assert error.transient
    assert "answered " in str(error)


RAW = {
    "nothing": b"",
    "no HTTP": b"hello\r\n\r\n",
    "two lengths": b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 9\r\n\r\n{}",
    "a length that is none": b"HTTP/1.1 200 OK\r\ncontent-length: -4\r\n\r\n{}",
    "a chunk cut": b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{}",
    "a chunk of no size": b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n",
    "a body cut": b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{}",
    "headers without end": b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 30_000 + b"\r\n{}",
    "a bad status": b"HTTP/1.1 2x0 OK\r\n\r\n",
}


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("case", RAW)
def test_broken_http_is_a_transient_error(api, case):
    with RawServer(RAW[case]) as server:
        error = fails(model_at(api, server.url))
    assert error.transient, str(error)
    assert len(server.requests) == 1


@pytest.mark.parametrize("api", APIS)
def test_an_error_in_another_code_is_told_all_the_same(api):
    with RawServer(http("è troppo".encode("latin-1"), status="400 Bad Request")) as server:
        assert "troppo" in str(fails(model_at(api, server.url)))
