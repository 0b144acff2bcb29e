"""Any program as a model: one JSON request on its standard input, one JSON reply on its output."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from veridical.base.keyless import variables_named
from veridical.base.secrets import redact
from veridical.models.counts import count, dollars
from veridical.models.exchange import Call, Model, ProviderError, Raw
from veridical.models.forms import split_thinking
from veridical.models.providers.errors import seconds
from veridical.models.providers.fitting import split_system
from veridical.models.providers.reading import ENDS, FILTERED

PROTOCOL = 1
TRY_AGAIN = 75  # exit code EX_TEMPFAIL
LONGEST = 16 * 2**20  # bytes of output read
REPLY = {  # what a reply may say, and its type
    **dict.fromkeys(("text", "thinking", "finish", "model", "version"), str),
    **dict.fromkeys(("refused", "filtered", "truncated"), bool),
    **dict.fromkeys(("prompt_tokens", "completion_tokens"), int),
    "cost": int | float,
}


class Provider:
    """A program of the user's, started anew for every call, without a shell.

    Options: `command` (a list: the program and its arguments), `timeout` (s, default 600),
    `concurrency` (default 1). The request on standard input is one JSON object (see `request`).
    The reply on standard output is one JSON object: `text`, and where they apply `thinking`,
    `finish`, `refused`, `filtered`, `truncated`, `prompt_tokens`, `completion_tokens`, `cost` (US
    dollars), `model`,
    `version`; or `error`, with `transient` and `retry_after` (s).
    Exit code 75, a time-out and a transient `error` may be tried again, any other failure not.
    """

    block = 1

    def __init__(self, model: Model, *, environ: Mapping[str, str], **context: Any):
        command = model.options.get("command")
        listed = isinstance(command, Sequence) and not isinstance(command, str) and command
        if not listed or not all(isinstance(part, str) for part in command):
            raise ValueError(
                f"model {model.name!r}: `command` must be a list, the program and its arguments "
                f"(no shell reads it), e.g. [python, agent.py]; it is {command!r}"
            )
        if model.structured != "text":
            raise ValueError(f"model {model.name!r}: a command has structured: text")
        self.model = model
        self.command = list(command)
        self.concurrency = int(model.options.get("concurrency", 1))
        self.timeout = float(model.options.get("timeout", 600))
        self._environ = dict(environ)

    async def __aenter__(self) -> Provider:
        if shutil.which(self.command[0], path=self._environ.get("PATH")) is None:
            raise self._error(f"there is no program {self.command[0]!r}")
        return self

    async def __aexit__(self, *exc: object) -> None:
        return None

    async def ask(self, call: Call) -> Raw:
        """Run the program once. Raises ProviderError."""
        start = time.perf_counter()
        code, out, err = await self._run(json.dumps(request(call), ensure_ascii=False).encode())
        latency = time.perf_counter() - start
        err = self._struck(err).strip()  # before it is cut: half a key is a key's half
        said = f"; it said: {err[-500:]}" if err else ""
        if code != 0:
            raise self._error(f"ended with exit code {code}{said}", transient=code == TRY_AGAIN)
        return self._read(out, said, request(call)["parameters"], latency)

    async def sample(self, call: Call, samples: Sequence[int]) -> list[Raw]:
        """Run the program once for each sample index, one after the other."""
        return [await self.ask(call.with_sample(index)) for index in samples]

    async def _run(self, given: bytes) -> tuple[int, str, str]:
        try:
            process = await asyncio.create_subprocess_exec(
                *self.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=self._environ,
                start_new_session=True,
            )
        except OSError as error:
            raise self._error(f"can't be started: {error}") from None
        try:
            out, err, code = await asyncio.wait_for(_talk(process, given), self.timeout)
        except OverflowError as error:
            raise self._error(str(error)) from None
        except TimeoutError:
            raise self._error(f"no answer within {self.timeout:g} s", transient=True) from None
        finally:
            await _end(process)
        return code, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")

    def _read(self, out: str, said: str, parameters: Mapping[str, Any], latency: float) -> Raw:
        try:
            reply = json.loads(out)
        except (ValueError, RecursionError):
            reply = None
        if not isinstance(reply, dict):
            raise self._error(f"wrote no JSON object: {self._struck(out)[:200]!r}{said}")
        if reply.get("error"):
            transient = reply.get("transient", False)
            if not isinstance(transient, bool):
                raise self._error(f"`transient` of its reply is no bool: {self._shown(transient)}")
            raise self._error(
                self._struck(str(reply["error"]))[:500],
                transient=transient,
                retry_after=seconds(reply.get("retry_after")),
            )
        for name, kind in REPLY.items():
            if reply.get(name) is not None and not isinstance(reply[name], kind):
                named, shown = getattr(kind, "__name__", "number"), self._shown(reply[name])
                raise self._error(f"`{name}` of its reply is no {named}: {shown}")
        if reply.get("text") is None:
            raise self._error(f"its reply has no `text`: {self._struck(out)[:200]!r}")
        text, thought = split_thinking(reply["text"])
        cut = reply.get("truncated")
        if cut is None:  # it says how it ended at most: what isn't known to be an end is none
            cut = bool(reply.get("finish")) and reply["finish"].lower() not in {*ENDS, *FILTERED}
        filtered = reply.get("filtered")
        if filtered is None:
            filtered = str(reply.get("finish")).lower() in FILTERED
        return Raw(
            text=text,
            thinking="\n\n".join(part for part in (reply.get("thinking"), thought) if part),
            finish=reply.get("finish"),
            prompt_tokens=count(reply.get("prompt_tokens")),
            completion_tokens=count(reply.get("completion_tokens")),
            served_model=reply.get("model"),
            refused=reply.get("refused") or False,
            filtered=filtered,
            truncated=cut,
            cost=dollars(reply.get("cost")),
            parameters=dict(parameters),
            sdk=reply.get("version") or "",
            latency=latency,
        )

    def _error(
        self, message: str, *, transient: bool = False, retry_after: float | None = None
    ) -> ProviderError:
        text = self._struck(f"model {self.model.name!r} (command {self.command[0]}): {message}")
        return ProviderError(text, transient=transient, retry_after=retry_after)

    def _shown(self, value: Any) -> str:
        return self._struck(repr(value))[:200]

    def _struck(self, text: str) -> str:
        return redact(text, self._environ, variables_named(vars(self.model)))


def request(call: Call) -> dict[str, Any]:
    """What the program reads: the call, with the memory document apart from its instruction.

    `protocol` (1), `model`, `messages` (role, content: all of them, in order), `system` (the
    system prompt in force), `document` (the memory document in it, null where there is none),
    `about` (the age score's phase and session; empty elsewhere),
    `form` (kind; options, abstention, schema, begin where they apply), `parameters`, `sample`,
    and `key`, which is the same for the same request.
    """
    system, _ = split_system(call.messages)
    form = call.form.to_dict()
    form.pop("pieces", None)
    return {
        "protocol": PROTOCOL,
        "model": call.model.model,
        "system": system or None,
        "document": call.document,
        "about": dict(call.about),
        "messages": [dict(message) for message in call.messages],
        "form": form,
        "parameters": call.effective(),
        "sample": call.sample,
        "key": call.key,
    }


async def _talk(process: asyncio.subprocess.Process, given: bytes) -> tuple[bytes, bytes, int]:
    """Write the request, read both outputs to their end (or limit), wait for the program."""

    async def write() -> None:
        with suppress(BrokenPipeError, ConnectionResetError):  # it need not read its input
            process.stdin.write(given)
            await process.stdin.drain()
        process.stdin.close()

    _, out, err = await asyncio.gather(write(), _some(process.stdout), _some(process.stderr))
    return out, err, await process.wait()


async def _some(stream: asyncio.StreamReader) -> bytes:
    found = bytearray()
    while chunk := await stream.read(65536):
        found += chunk
        if len(found) > LONGEST:
            raise OverflowError(f"wrote more than {LONGEST} bytes")
    return bytes(found)


async def _end(process: asyncio.subprocess.Process) -> None:
    """End the program and what it started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    # The wait is for its pipes too, and one that was left unread would never be seen to end.
    process._transport.close()
    await process.wait()
