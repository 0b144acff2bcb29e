"""A provider whose server is a process of its own, which counts what it is asked; run as a script,
a collection from it: for tests in which collections are killed and run side by side."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

from veridical.models.exchange import Call, Model, Raw

WORKER = __file__
SERVER = r"""
import asyncio, json, sys
counts = {}
async def serve(reader, writer):
    while line := await reader.readline():
        key = line.decode().strip()
        counts[key] = counts.get(key, 0) + 1
        await asyncio.sleep(float(sys.argv[1]))
        writer.write(f"answer {key[:8]}\n".encode())
        await writer.drain()
async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, sys.stdin.readline):
        print(json.dumps(counts), flush=True)
asyncio.run(main())
"""


class Server:
    """A server of its own process that counts how often each key was asked."""

    def __init__(self, seconds: float):
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.port = int(self.process.stdout.readline())

    def counts(self) -> dict[str, int]:
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.process.kill()
        self.process.wait()


class Remote:
    """A provider that asks that server."""

    block = 1

    def __init__(self, port: int, concurrency: int = 8):
        self.port = port
        self.concurrency = concurrency

    async def __aenter__(self):
        self.free = asyncio.LifoQueue()
        for _ in range(self.concurrency):
            self.free.put_nowait(await asyncio.open_connection("127.0.0.1", self.port))
        return self

    async def __aexit__(self, *exc):
        while not self.free.empty():
            self.free.get_nowait()[1].close()

    async def ask(self, call: Call) -> Raw:
        reader, writer = await self.free.get()
        writer.write(f"{call.key}\n".encode())
        await writer.drain()
        text = (await reader.readline()).decode().strip()
        self.free.put_nowait((reader, writer))
        return Raw(text, finish="stop")


if __name__ == "__main__":
    from veridical.ledger.collecting import collect

    name, prompts, ledger, out, port = sys.argv[1:]
    model = Model("gpt", "openai", name, parameters={"temperature": 0.0, "max_tokens": 16})
    collect(Path(prompts), model, ledger, out=out, provider=Remote(int(port)))
