"""How fast a collection is, beside the time it must wait, and whether its memory stays flat.

    python tests/measured/throughput.py [calls] [at once]

A server of its own process answers every Chat Completions request after 100 ms and counts them.
Printed: seconds from the first request to the last reply kept (start-up and export apart),
against the ideal calls / at once x 0.1 s; the server's own count; the same for a second run; the
most memory held, for a tenth of the calls and for all of them.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ANSWER = 0.1  # seconds


async def serve() -> None:
    """Answer Chat Completions over HTTP/1.1 with connections kept; GET tells the count."""
    count, first, last = 0, 0.0, 0.0

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal count, first, last
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                lines = head.decode("latin-1").lower().split("\r\n")
                length = next((int(x[15:]) for x in lines if x.startswith("content-length:")), 0)
                await reader.readexactly(length)
                if lines[0].startswith("get"):
                    body = {"count": count, "seconds": last - first}
                else:
                    first = first or time.monotonic()
                    count += 1
                    await asyncio.sleep(ANSWER)
                    last = time.monotonic()
                    message = {"role": "assistant", "content": f"answer {count}"}
                    body = {
                        "id": "x",
                        "object": "chat.completion",
                        "created": 0,
                        "model": "fixed-2025-01-01",
                        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                        "usage": {"prompt_tokens": 300, "completion_tokens": 2},
                    }
                text = json.dumps(body).encode()
                writer.write(
                    b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
                    + f"content-length: {len(text)}\r\n\r\n".encode()
                    + text
                )
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0, backlog=256)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def collect_once(port: int, calls: int, at_once: int, folder: Path) -> None:
    """One collection, in this process; prints what it measured as JSON."""
    from veridical.ledger import asking
    from veridical.ledger.collecting import collect
    from veridical.models.exchange import Model
    from veridical.models.prompts import Prompt, Turn, write_prompts

    prompts = folder / f"prompts-{calls}.jsonl"
    document = "An entry of a memory, of the length that such entries have. " * 20
    write_prompts(
        prompts,
        (Prompt(f"p{i:05}", (Turn(f"Question {i}?", system=document),)) for i in range(calls)),
    )
    model = Model(
        "fixed",
        "openai-compatible",
        "fixed",
        base_url=f"http://127.0.0.1:{port}/v1",
        parameters={"temperature": 0.0, "max_tokens": 16},
        options={"concurrency": at_once},
    )
    spans = []
    work = asking.Asking._work

    async def timed(self) -> None:
        start, cpu = time.perf_counter(), time.process_time()
        await work(self)
        spans.append((time.perf_counter() - start, time.process_time() - cpu))

    asking.Asking._work = timed
    start = time.perf_counter()
    ledger = folder / f"ledger-{calls}.sqlite"
    tally = collect(prompts, model, ledger, out=folder / f"replies-{calls}.jsonl")
    seconds, cpu = spans[0] if spans else (0.0, 0.0)
    print(
        json.dumps(
            {
                "asked": tally.asked,
                "held": tally.held,
                "seconds": seconds,
                "whole": time.perf_counter() - start,
                "cpu": cpu,
                "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            }
        )
    )


def count(port: int) -> dict[str, float]:
    """The server's own count, and its seconds from the first request to the last answer."""
    import httpx

    return httpx.get(f"http://127.0.0.1:{port}/").json()


def measured(*arguments: object) -> dict[str, float]:
    """Run this file in a process of its own."""
    command = [sys.executable, __file__, "collect", *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def main(calls: int = 2000, at_once: int = 32) -> None:
    """Measure and print."""
    server = subprocess.Popen(
        [sys.executable, __file__, "serve"], stdout=subprocess.PIPE, text=True
    )
    try:
        port = int(server.stdout.readline())
        with tempfile.TemporaryDirectory(dir=os.environ.get("VERIDICAL_SCRATCH")) as folder:
            small = measured(port, calls // 10, at_once, folder)
            before = count(port)["count"]
            first = measured(port, calls, at_once, folder)
            after = count(port)["count"]
            second = measured(port, calls, at_once, folder)
            again = count(port)["count"]
        ideal = calls / at_once * ANSWER
        print(f"calls {calls}, {at_once} at once; ideal {ideal:.2f} s; load {os.getloadavg()[0]}")
        print(f"first run: {first['seconds']:.2f} s = {first['seconds'] / ideal:.3f} x ideal")
        print(f"  of processor time {first['cpu']:.2f} s; with start-up and export, ", end="")
        print(f"{first['whole']:.2f} s in all")
        print(f"  the server counted {after - before}")
        print(f"second run: {second['whole']:.2f} s; the server counted {again - after}")
        print(f"memory: {small['megabytes']:.0f} MB for {calls // 10}", end=", ")
        print(f"{first['megabytes']:.0f} MB for {calls}")
    finally:
        server.kill()


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        asyncio.run(serve())
    elif sys.argv[1:2] == ["collect"]:
        collect_once(int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), Path(sys.argv[5]))
    else:
        main(*map(int, sys.argv[1:]))
