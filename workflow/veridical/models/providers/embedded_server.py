"""The embedded model's server: llama.cpp in this process, on loopback, with one model's weights."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

from veridical.models.exchange import ProviderError
from veridical.models.providers.errors import WireError


class Server:
    """One server of the runtime on loopback; who asks it holds `taken` until the call is done."""

    def __init__(self, path: Path, context: int, slots: int, threads: int, timeout: float):
        self.path, self.context, self.slots = path, context, slots
        self.threads, self.timeout = threads, timeout
        self.taken = asyncio.Lock()  # held by the call that is being answered
        self._server: Any = None
        self._client: Any = None

    async def post(self, body: dict[str, Any]) -> Any:
        """The server's response. Raises ProviderError where it doesn't answer at all."""
        import httpx2

        for attempt in (1, 2, 3):  # rarely a request to the loopback server hangs
            try:
                return await self._client.post("/v1/chat/completions", json=body)
            except (httpx2.TransportError, WireError) as error:
                if attempt == 3:
                    message = f"the embedded server did not answer ({error or type(error)})"
                    raise ProviderError(message, transient=True) from error
                await self.stop()
                await self.start()

    async def start(self) -> None:
        """Load the weights and listen."""
        from veridical.models.providers.wire import Wire

        shape = (self.context, self.slots, self.threads)
        self._server = await asyncio.to_thread(load, self.path, *shape)
        self._client = Wire(
            self._server.listening_address, {}, timeout=self.timeout, environ=os.environ
        )

    async def stop(self) -> None:
        """Let go of server and weights."""
        if self._client is not None:
            await self._client.aclose()
        self._client = self._server = None


def load(path: Path, context: int, slots: int, threads: int) -> Any:
    """The runtime's server with these weights, listening at its `listening_address`; it ends when
    it is let go of. Raises ProviderError."""
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")
    xllamacpp = runtime()
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = context * slots
    params.n_parallel = slots
    params.kv_unified = False
    params.n_batch = params.n_ubatch = 512
    params.n_gpu_layers = 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    params.cache_ram_mib = 0
    params.verbosity = 0
    params.warmup = False
    params.fit_params = (
        False  # would load all once more to see what fits, though the config says it
    )
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    return xllamacpp.Server(params)


def runtime() -> Any:
    """The runtime's module. Raises ProviderError where it can't be loaded."""
    try:
        import xllamacpp
    except ImportError as error:
        hint = " (install the system's libgomp1)" if "libgomp" in str(error) else ""
        message = f"the embedded runtime can't be loaded: {error}{hint}"
        raise ProviderError(message, transient=False) from error
    return xllamacpp
