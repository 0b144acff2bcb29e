"""The first tokens of a text, by the tokenizer inside an embedded model's weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pandas as pd

from veridical.exchanges.exchange import Model
from veridical.exchanges.weights import folder_of_models, read_weights

Tokenizer = Callable[[str], list[bytes]]


def cut_rollouts(replies: pd.DataFrame, horizon: int, tokenize: Tokenizer) -> pd.DataFrame:
    """Each rollout's first `horizon` tokens: columns id, sample, state, text, completion_tokens.

    A rollout that was longer is `truncated`, as a collection at that horizon would have left it; a
    shorter one stays as it is. A character that the cut splits is left out.
    """
    rows = []
    for row in replies.itertuples():
        pieces = tokenize(row.text or "")
        state, text = row.state, row.text
        if len(pieces) > horizon:
            state = "truncated"
            text = b"".join(pieces[:horizon]).decode("utf-8", errors="ignore")
        rows.append((row.id, row.sample, state, text, min(len(pieces), horizon)))
    return pd.DataFrame(rows, columns=["id", "sample", "state", "text", "completion_tokens"])


@contextmanager
def tokenizer_of(model: Model, folder: str | None = None) -> Iterator[Tokenizer]:
    """The tokenizer of an embedded model. Raises ValueError for another provider's model.

    The texts are tokenized anew: a model may, rarely, have written the same text in other tokens.
    """
    if model.provider != "embedded":
        raise ValueError(
            f"vpe.nested: the tokens of model {model.name!r} (provider {model.provider}) are not "
            "known, so its rollouts can't be cut at a shorter horizon: set nested: false"
        )
    import httpx
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(Path(folder_of_models(folder)) / read_weights(model.model).file)
    params.n_ctx, params.n_parallel, params.n_gpu_layers = 256, 1, 0
    params.warmup, params.verbosity, params.cache_ram_mib = False, 0, 0
    params.hostnames, params.port = ["127.0.0.1"], 0
    server = xllamacpp.Server(params)
    with httpx.Client(base_url=server.listening_address, timeout=60) as client:

        def tokenize(text: str) -> list[bytes]:
            asked = {"content": text, "with_pieces": True, "add_special": False}
            answer = client.post("/tokenize", json=asked).raise_for_status().json()
            return [_bytes(token["piece"]) for token in answer["tokens"]]

        yield tokenize


def _bytes(piece: str | Sequence[int]) -> bytes:
    # a piece that is no whole character comes as a list of bytes
    return piece.encode() if isinstance(piece, str) else bytes(piece)
