"""Where an address leads."""

from __future__ import annotations

import socket

import pytest
from veridical.base.network import Proxy, is_here, is_loopback, origin, proxy_of

HERE = ["localhost", "LocalHost.", "model.localhost", "127.0.0.1", "127.8.9.10", "::1", "[::1]"]
HERE += ["127.1", "2130706433", "0x7f000001", "::ffff:127.0.0.1", "0.0.0.0", "::"]
ELSEWHERE = [
    "10.0.0.1",
    "8.8.8.8",
    "::2",
    "localhost.example.org",
    "127.0.0.1.nip.io",
    "",
    "a" * 300,
]


@pytest.mark.parametrize("host", HERE)
def test_loopback_in_all_its_spellings(host):
    assert is_loopback(host)


@pytest.mark.parametrize("host", ELSEWHERE)
def test_what_is_not_loopback(host):
    assert not is_loopback(host)


def test_this_machine_by_its_name_and_no_other():
    assert is_here(f"http://{socket.gethostname()}:8000/v1")
    assert is_here("http://[::1]:8000/v1")
    assert not is_here("http://192.0.2.7:8000/v1")  # TEST-NET-1: nobody's
    assert not is_here("http://127.0.0.1@gateway.example.org/v1")  # the host is behind the @
    assert not is_here("https://openrouter.ai/api/v1")
    assert not is_here("")


def test_an_origin_is_scheme_host_and_port():
    assert origin("http://a.b/c") == origin("http://A.B.:80/d?e=f") == ("http", "a.b", 80)
    assert origin("https://a.b") != origin("http://a.b")
    assert origin("http://a.b:81") != origin("http://a.b")


PROXIED = {"HTTPS_PROXY": "http://p:1", "http_proxy": "q:2", "ALL_PROXY": "socks5://r:3"}


@pytest.mark.parametrize(
    ("url", "environ", "found"),
    [
        ("https://a.b/v1", PROXIED, Proxy("HTTPS_PROXY", "http://p:1")),
        ("http://a.b/v1", PROXIED, Proxy("http_proxy", "http://q:2")),  # no scheme: http
        ("http://a.b", {"ALL_PROXY": "socks5://r:3"}, Proxy("ALL_PROXY", "socks5://r:3")),
        (
            "http://a.b",
            {"http_proxy": "l:1", "HTTP_PROXY": "u:1"},
            Proxy("http_proxy", "http://l:1"),
        ),
        ("http://a.b", {"HTTPS_PROXY": "p:1"}, None),  # the other scheme's
        ("http://a.b", {"HTTP_PROXY": " "}, None),
        ("http://a.b", PROXIED | {"NO_PROXY": "x.y, a.b"}, None),
        ("http://c.a.b:8", PROXIED | {"no_proxy": ".a.b"}, None),
        ("http://a.b", PROXIED | {"no_proxy": "*"}, None),
        ("http://a.b", {}, None),
    ],
)
def test_the_proxy_of_an_address(url, environ, found):
    assert proxy_of(url, environ) == found


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8080", "[::1]:11434", "x.localhost:1"])
def test_loopback_has_no_proxy(host):
    assert proxy_of(f"http://{host}/v1", PROXIED) is None
