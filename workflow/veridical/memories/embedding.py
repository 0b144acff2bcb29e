"""all-MiniLM-L6-v2 in numpy: a sentence becomes a vector, from the publisher's weights.

Six layers of BERT (Devlin et al. 2019), the mean over the words' last states, scaled to length 1,
as the model's own card computes it (Reimers and Gurevych 2019). Weights and vocabulary are known by
their SHA-256 (data/weights.csv). One thread, so that a vector does not depend on how many
cores there are.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from threadpoolctl import threadpool_limits

from veridical.memories.adapters import need
from veridical.models.weights import weights_there

WEIGHTS = "all-MiniLM-L6-v2"
VOCABULARY = "all-MiniLM-L6-v2.tokenizer"
DIMENSIONS = 384
HEADS = 12
LAYERS = 6
LONGEST = 256  # word pieces, as the model's card has it
EPSILON = 1e-12  # of the layer norms
KEPT = 4096  # vectors that are not computed twice: every bank is asked the same questions


class Embedder:
    """Sentences to vectors of length 1; `adapter` is who needs it, for the errors.

    Raises MissingPackage, or FileNotFoundError naming how the weights are fetched.
    """

    def __init__(
        self,
        weights: str = WEIGHTS,
        *,
        adapter: str = "embedding",
        environ: Mapping[str, str] = os.environ,
    ):
        safetensors = need("safetensors.numpy", adapter, adapter)
        tokenizers = need("tokenizers", adapter, adapter)
        self._state = safetensors.load_file(weights_there(weights, None, environ))
        self._pieces = tokenizers.Tokenizer.from_file(str(weights_there(VOCABULARY, None, environ)))
        self._pieces.enable_truncation(LONGEST)
        self._pieces.no_padding()
        self._kept = lru_cache(KEPT)(self._vector)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector a text, as lists."""
        return [self(text).tolist() for text in texts]

    def __call__(self, text: str) -> np.ndarray:
        """The vector of a text, shape (384,), float32, of length 1; not to be written to."""
        with threadpool_limits(1):
            return self._kept(text)

    def _vector(self, text: str) -> np.ndarray:
        pieces = self._pieces.encode(text).ids
        hidden = self._embedded(pieces)
        for layer in range(LAYERS):
            hidden = self._layer(hidden, f"encoder.layer.{layer}")
        mean = hidden.mean(axis=0)
        return mean / np.linalg.norm(mean)

    def _embedded(self, pieces: Sequence[int]) -> np.ndarray:
        head = "embeddings"
        words = self._state[f"{head}.word_embeddings.weight"][np.asarray(pieces)]
        places = self._state[f"{head}.position_embeddings.weight"][: len(pieces)]
        kinds = self._state[f"{head}.token_type_embeddings.weight"][0]
        return self._norm(words + places + kinds, f"{head}.LayerNorm")

    def _layer(self, hidden: np.ndarray, head: str) -> np.ndarray:
        attended = self._attend(hidden, f"{head}.attention")
        hidden = self._norm(hidden + attended, f"{head}.attention.output.LayerNorm")
        inner = self._linear(hidden, f"{head}.intermediate.dense")
        widened = self._linear(_gelu(inner), f"{head}.output.dense")
        return self._norm(hidden + widened, f"{head}.output.LayerNorm")

    def _attend(self, hidden: np.ndarray, head: str) -> np.ndarray:
        asked, keys, values = (
            self._linear(hidden, f"{head}.self.{name}")
            .reshape(len(hidden), HEADS, -1)
            .swapaxes(0, 1)
            for name in ("query", "key", "value")
        )
        weights = asked @ keys.swapaxes(1, 2) / math.sqrt(asked.shape[-1])
        weights = np.exp(weights - weights.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        joined = (weights @ values).swapaxes(0, 1).reshape(len(hidden), -1)
        return self._linear(joined, f"{head}.output.dense")

    def _linear(self, hidden: np.ndarray, name: str) -> np.ndarray:
        return hidden @ self._state[f"{name}.weight"].T + self._state[f"{name}.bias"]

    def _norm(self, hidden: np.ndarray, name: str) -> np.ndarray:
        centred = hidden - hidden.mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + EPSILON)
        return scaled * self._state[f"{name}.weight"] + self._state[f"{name}.bias"]


def _gelu(values: np.ndarray) -> np.ndarray:
    from scipy.special import erf

    return 0.5 * values * (1 + erf(values / math.sqrt(2)))
