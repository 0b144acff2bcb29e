"""The one client under all SDKs: one server, our headers, no cookie, no redirect, a bounded body.

The SDKs read an environment of their own: headers, an organisation, another address. None of it
reaches the wire. What goes out is the request's body with headers that are made here, to the server
that the config names and to no other; what comes back is text of bounded length.
"""

from __future__ import annotations

import ssl
import time
import zlib
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx2

from veridical import __version__
from veridical.base.network import Proxy, origin, proxy_of
from veridical.models.providers.errors import WireError

LONGEST = 32 * 2**20  # bytes of one reply, unpacked
LONGEST_FILE = 2**30  # of a batch's results
HOPS = 3  # redirects followed within one server
_KEPT = ("content-type", "content-length", "transfer-encoding", "host", "connection")
_PACKED = {"gzip", "x-gzip", "deflate"}


class Wire(httpx2.AsyncClient):
    """An HTTP client that speaks to the server at `url` alone.

    `headers` go with every request (the key's among them) and no others do. The proxies of
    `environ` are used, but never for loopback. Raises WireError, also when it is made: where the
    proxy can't be used, where a request or a redirect would go to another server, where a body is
    longer than `longest` bytes, broken or no UTF-8.
    """

    def __init__(
        self, url: str, headers: Mapping[str, str], *, timeout: float, environ: Mapping[str, str]
    ):
        self.origin = origin(url)
        self.own = {"user-agent": f"veridical/{__version__}", **headers}
        self.longest = LONGEST
        self.proxy = proxy_of(url, environ)
        try:
            super().__init__(
                base_url=url,
                timeout=timeout,
                verify=_trusted(url),
                trust_env=False,
                proxy=self.proxy.address if self.proxy else None,
                limits=httpx2.Limits(max_connections=None, max_keepalive_connections=200),
            )
        except (ImportError, ValueError) as error:
            raise WireError(
                f"{_named(self.proxy)} can't be used: {error}", transient=False
            ) from None

    @contextmanager
    def taking(self, longest: int) -> Iterator[None]:
        """Take bodies of another length for a while."""
        before, self.longest = self.longest, longest
        try:
            yield
        finally:
            self.longest = before

    async def send(self, request: httpx2.Request, *, stream: bool = False, **rest: Any) -> Any:
        """Send a request; the response is read whole, as UTF-8, whatever `stream` says."""
        target = str(request.url)
        for _ in range(HOPS + 1):
            start = time.perf_counter()
            response = await self._once(self._cleaned(request, target))
            onward = await self._redirect(target, response)
            if onward is None:
                return await self._read(request, response, start)
            target = onward
        raise WireError(f"more than {HOPS} redirects", transient=False)

    async def _once(self, request: httpx2.Request) -> httpx2.Response:
        try:
            return await super().send(request, stream=True, follow_redirects=False)
        except httpx2.ProxyError as error:
            raise WireError(f"{_named(self.proxy)} failed: {error}", transient=True) from None
        except httpx2.TransportError as error:
            if self.proxy is None or isinstance(error, httpx2.TimeoutException):
                raise
            words = f"through {_named(self.proxy)}: {type(error).__name__}: {error}"
            raise WireError(f"the connection failed {words}", transient=True) from None

    def _cleaned(self, request: httpx2.Request, target: str) -> httpx2.Request:
        """The request with headers of ours alone. Raises WireError where it would go elsewhere."""
        if origin(target) != self.origin:
            raise WireError(
                f"a request would go to {_place(target)}: only the config says where to (an "
                "SDK's environment variable may have said otherwise)",
                transient=False,
            )
        kept = {name: request.headers[name] for name in _KEPT if name in request.headers}
        if "multipart/" not in kept.get("content-type", ""):
            kept["content-type"] = "application/json"
        asked = {"accept": "application/json", "accept-encoding": "gzip, deflate"}
        # an address that was read once isn't read again: a twentieth of what a call costs
        return httpx2.Request(
            request.method,
            request.url if target == str(request.url) else target,
            headers={**kept, **asked, **self.own},
            stream=request.stream,
            extensions=request.extensions,
        )

    async def _redirect(self, target: str, response: httpx2.Response) -> str | None:
        """Where a response sends the request on to, within this server; None where it doesn't."""
        status = response.status_code
        if not 300 <= status < 400:
            return None
        onward = urljoin(target, response.headers.get("location", ""))
        await response.aclose()
        if status in (307, 308) and onward != target and _origin_of(onward) == self.origin:
            return onward
        raise WireError(
            f"answered with a redirect ({status}) to {_place(onward)}, which isn't followed: "
            "nothing was sent there. If that is the server, name it under base_url",
            transient=False,
        )

    async def _read(self, request: httpx2.Request, response: httpx2.Response, start: float) -> Any:
        """The response with its body read: unpacked, of bounded length, valid UTF-8.

        It keeps the request as the SDK made it, which it looks into to know what it wanted.
        """
        try:
            packing = response.headers.get("content-encoding", "")
            chunks = _unpacked(response.aiter_raw(), packing.lower(), self.longest)
            body = b"".join([chunk async for chunk in chunks])
        finally:
            await response.aclose()
        text = _text(body, strict=response.is_success)
        headers = [(n, v) for n, v in response.headers.multi_items() if n.lower() not in _CHANGED]
        kind = response.headers.get("content-type", "application/json").partition(";")[0]
        headers.append(("content-type", f"{kind}; charset=utf-8"))
        whole = httpx2.Response(
            response.status_code, headers=headers, content=text.encode(), request=request
        )
        whole.elapsed = timedelta(seconds=time.perf_counter() - start)
        return whole


_CHANGED = {"content-encoding", "content-length", "transfer-encoding", "content-type", "set-cookie"}


def _text(body: bytes, *, strict: bool) -> str:
    """A body as text; an error's may be in any code, an answer's may not."""
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if not strict:
            return body.decode("utf-8-sig", "replace")
        raise WireError(f"answered with bytes that are no UTF-8 ({error.reason})") from None


async def _unpacked(raw: AsyncIterator[bytes], packing: str, longest: int) -> AsyncIterator[bytes]:
    """Unpack a body as it comes, and stop where it grows longer than `longest` bytes."""
    packings = [each for each in map(str.strip, packing.split(",")) if each not in ("", "identity")]
    if len(packings) > 1 or not set(packings) <= _PACKED:
        raise WireError(f"answered in the encoding {packing!r}, which was not asked for")
    unpack = _Unpacker(longest) if packings else None
    length = 0
    async for chunk in raw:
        for piece in unpack(chunk) if unpack else [chunk]:
            length += len(piece)
            if length > longest:
                raise WireError(f"answered with more than {longest} bytes")
            yield piece
    if unpack and not unpack.ended:
        raise WireError("answered with a packed body that was cut")


class _Unpacker:
    """Unpacks gzip and deflate, one member after the other, at most `longest` bytes at a time."""

    def __init__(self, longest: int):
        self.longest = longest
        self._bare = False
        self._start()

    def _start(self) -> None:
        self._stream = zlib.decompressobj(-zlib.MAX_WBITS if self._bare else zlib.MAX_WBITS | 32)
        self._begun = False

    @property
    def ended(self) -> bool:
        """Whether the last member is complete."""
        return self._stream.eof or not self._begun

    def __call__(self, chunk: bytes) -> Iterator[bytes]:
        while chunk:
            if self._stream.eof:
                self._start()
            yield self._some(chunk)
            chunk = self._stream.unconsumed_tail or self._stream.unused_data

    def _some(self, chunk: bytes) -> bytes:
        try:
            piece = self._stream.decompress(chunk, self.longest + 1)
        except zlib.error as error:
            if self._begun or self._bare:
                raise WireError(f"answered with a packed body that is broken ({error})") from None
            self._bare = True  # deflate without the frame that it should have
            self._start()
            return self._some(chunk)
        self._begun = True
        return piece


def _trusted(url: str) -> Any:
    """The certificates to trust: the system's and those that SSL_CERT_FILE or SSL_CERT_DIR name."""
    if urlsplit(url).scheme != "https":
        return ssl.create_default_context()  # never used, and quick to make
    return httpx2.create_ssl_context()


def _named(proxy: Proxy | None) -> str:
    """A proxy by the variable that names it; its address may hold a password."""
    return f"the proxy that {proxy.variable} names" if proxy else "the connection"


def _origin_of(url: str) -> tuple[str, str, int | None] | None:
    try:
        return origin(url)
    except ValueError:
        return None


def _place(url: str) -> str:
    """Scheme, host and port of an address, in words; a path may hold what nobody should see."""
    found = _origin_of(url)
    if found is None:
        return "an address that is none"
    scheme, host, port = found
    return f"{scheme}://{host}" + (f":{port}" if port else "")
