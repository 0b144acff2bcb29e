"""Any server that speaks Chat Completions: vLLM, llama.cpp, LM Studio, a gateway."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from veridical.models.exchange import Call, Raw
from veridical.models.forms import pieces_of
from veridical.models.grammars import grammar
from veridical.models.providers import openai


class Provider(openai.Provider):
    """An OpenAI-compatible server at `base_url`; a key only where `api_key_env` names one.

    Beyond what OpenAI does: `structured: grammar` sends a GBNF `grammar` for choices (llama.cpp)
    and a schema for objects, and option `prefill: true` says that the server goes on from a turn
    of the assistant's already begun (llama.cpp does; vLLM with the parameters
    `continue_final_message: true` and `add_generation_prompt: false`).
    """

    default_key_env = None
    default_url = None
    modes = ("schema", "grammar", "tool", "text")
    names = {"max_tokens": "max_tokens"}  # noqa: RUF012 — as the study says it, whatever else

    def prefills(self, call: Call) -> bool:
        """As the model's option `prefill` says."""
        return bool(self.model.options.get("prefill", False))

    def enforces(self, call: Call) -> bool:
        """A grammar binds every form but free text, also one begun in words where it prefills."""
        if self.model.structured != "grammar" or call.form.kind == "json":
            return super().enforces(call)
        bound = call.form.kind == "choice" or bool(call.form.pieces)
        return bound and (self.prefills(call) or not call.form.begin)

    def enforcement(self, call: Call) -> dict[str, Any]:
        """A grammar where the model takes one, else as OpenAI."""
        if self.model.structured == "grammar" and call.form.kind != "json":
            return {"grammar": grammar(pieces_of(call.form))}
        return super().enforcement(call)

    def read(self, body: Mapping[str, Any]) -> Raw:
        """As OpenAI; a model named by the path of its file is known by the file's name."""
        raw = super().read(body)
        if not str(raw.served_model or "").endswith(".gguf"):
            return raw
        return replace(raw, served_model=PurePath(raw.served_model).name)
