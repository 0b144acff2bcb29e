"""Where an address leads: to this machine or to another, straight or through a proxy."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import proxy_bypass_environment

if TYPE_CHECKING:
    import httpx

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Proxy:
    """A proxy and the environment variable that names it."""

    variable: str
    address: str


def origin(url: str) -> tuple[str, str, int | None]:
    """Scheme, host and port of an address: what must be equal for two to be one server.

    >>> origin("HTTPS://API.example.org/v1")
    ('https', 'api.example.org', 443)
    """
    parts = urlsplit(url)
    port = parts.port if parts.port is not None else _PORTS.get(parts.scheme)
    return parts.scheme, (parts.hostname or "").rstrip("."), port


def is_loopback(host: str) -> bool:
    """Whether a host is this machine by its own word, without asking any name server.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.53", "::1", "192.0.2.1")]
    [True, True, True, False]
    """
    host = host.strip("[]").rstrip(".").lower()
    if host == "localhost" or host.endswith(".localhost"):
        return True
    address = _address(host)
    if address is None:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    address = mapped or address
    return address.is_loopback or address.is_unspecified  # what listens on 0.0.0.0 is here


def is_here(url: str) -> bool:
    """Whether an address is this machine's: loopback, its own name, or one of its interfaces.

    A name other than its own is not looked up: where it leads may change from call to call.
    """
    host = (urlsplit(url).hostname or "").rstrip(".").lower()
    if is_loopback(host):
        return True
    if host and host in {socket.gethostname().lower(), socket.getfqdn().lower()}:
        return True
    address = _address(host)
    return address is not None and _is_ours(address)


def proxy_of(url: str, environ: Mapping[str, str] = os.environ) -> Proxy | None:
    """The proxy that the environment sets between this machine and an address; None for none.

    `http_proxy`, `https_proxy`, `all_proxy` and their capitals, as `no_proxy` allows. Loopback
    never goes through one: it would be the proxy's own.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    if is_loopback(host) or _bypassed(parts.netloc.rpartition("@")[2], environ):
        return None
    for name in (f"{parts.scheme}_proxy", "all_proxy"):
        for variable in (name, name.upper()):
            if address := environ.get(variable, "").strip():
                return Proxy(variable, address if "://" in address else f"http://{address}")
    return None


def straight_home(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """An environment for programs of others in which this machine is reached past every proxy.

    >>> straight_home({"HTTP_PROXY": "http://p:1", "NO_PROXY": "x.org"})["no_proxy"]
    'x.org,localhost,127.0.0.1,::1'
    """
    if not any(name.lower().endswith("_proxy") and value for name, value in environ.items()):
        return dict(environ)
    told = environ.get("no_proxy") or environ.get("NO_PROXY") or ""
    hosts = [host.strip() for host in told.split(",") if host.strip()]
    kept = ",".join(dict.fromkeys([*hosts, "localhost", "127.0.0.1", "::1"]))
    return {**environ, "no_proxy": told if "*" in hosts else kept,
            "NO_PROXY": told if "*" in hosts else kept}  # fmt: skip


def open_client(url: str, environ: Mapping[str, str] = os.environ, **rest: Any) -> httpx.Client:
    """A client for files and records at an address, through the proxy that is set for it, if any.

    `rest` goes to httpx. Raises ConnectionError, naming the variable, where the proxy can't be
    used.
    """
    import httpx

    proxy = proxy_of(url, environ)
    try:
        return httpx.Client(
            proxy=proxy.address if proxy else None,
            trust_env=False,
            verify=httpx.create_ssl_context(),  # heeds SSL_CERT_FILE and SSL_CERT_DIR
            **rest,
        )
    except (ImportError, ValueError) as error:
        named = f"the proxy that {proxy.variable} names" if proxy else "the connection"
        raise ConnectionError(f"{named} can't be used: {error}") from None


def _bypassed(host: str, environ: Mapping[str, str]) -> bool:
    listed = environ.get("no_proxy") or environ.get("NO_PROXY") or ""
    return bool(proxy_bypass_environment(host, {"no": listed}))


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that a host is; None where it is a name. `127.1` and `0x7f000001` are one."""
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))
    except (OSError, UnicodeEncodeError, ValueError):
        return None


def _is_ours(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether an interface of this machine has the address: one can't listen on another's."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    with closing(socket.socket(family, socket.SOCK_DGRAM)) as probe:
        try:
            probe.bind((str(address), 0))
        except OSError:
            return False
    return True
