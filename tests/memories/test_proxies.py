"""A memory system on this machine is reached past every proxy: it is sent memory documents."""

from __future__ import annotations

import subprocess
import sys

import pytest
from support.raw_server import RawServer, http
from veridical.base.network import straight_home
from veridical.memories.systems import environment

CLIENTS = {
    "httpx": "import httpx, sys; print(httpx.post(sys.argv[1], content='a memory').status_code)",
    "urllib": "import sys; from urllib.request import urlopen\n"
    "print(urlopen(sys.argv[1], b'a memory').status)",
}


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"])
def test_a_systems_process_reaches_its_server_and_the_proxy_sees_nothing(client, variable):
    """By clients that heed the environment, as the libraries under an adapter do."""
    if client == "urllib" and variable.isupper() and variable.startswith("ALL"):
        pytest.skip("urllib knows no proxy for all")
    with RawServer(http(b"{}")) as server, RawServer(http(b"{}")) as proxy:
        given = environment(None, {"PATH": "/usr/bin", variable: proxy.url})
        done = subprocess.run(
            [sys.executable, "-c", CLIENTS[client], f"{server.url}/add"],
            env=given, capture_output=True, text=True,
        )  # fmt: skip
        assert done.stdout.strip() == "200", done.stderr
        assert len(server.requests) == 1
        assert proxy.requests == []


def test_an_environment_without_a_proxy_stays_as_it_is():
    plain = {"PATH": "/usr/bin", "HTTP_PROXY": "", "MY_KEY": "x"}
    assert straight_home(plain) == plain


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ({}, "localhost,127.0.0.1,::1"),
        ({"NO_PROXY": "x.org, localhost"}, "x.org,localhost,127.0.0.1,::1"),
        ({"no_proxy": "a.org", "NO_PROXY": "b.org"}, "a.org,localhost,127.0.0.1,::1"),
        ({"no_proxy": "*"}, "*"),
    ],
)
def test_what_goes_past_the_proxy_already_still_does(told, kept):
    found = straight_home({"https_proxy": "http://p:1", **told})
    assert (found["no_proxy"], found["NO_PROXY"]) == (kept, kept)
    assert found["https_proxy"] == "http://p:1"
