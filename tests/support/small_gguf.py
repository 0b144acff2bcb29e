"""A small model in the GGUF format, with tensors of many types, in the package's own writing."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Kind


def drawn(shape: tuple[int, ...], seed: int = 7) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


#: By type: numbers and bytes of a block, and where in it the scales are.
DRAWN = {Kind.Q4_K: (256, 144, (0, 2)), Kind.Q6_K: (256, 210, (208,)), Kind.Q4_0: (32, 18, (0,))}


def content_of(kind: Kind, shape: tuple[int, ...]) -> np.ndarray:
    """A tensor's bytes in a type; of those that the package doesn't write, drawn bytes around
    scales of a usual size. So too of Q4_0, with no number at the end of the range, as another
    program may have written it: rounded anew, it would be another."""
    if kind not in DRAWN:
        return gguf.quantize(drawn(shape), kind)
    numbers, size, places = DRAWN[kind]
    raw = np.random.default_rng(3).integers(0, 256, (shape[0], shape[1] // numbers, size), np.uint8)
    if kind is Kind.Q4_0:
        raw |= 0x11
    for at in places:
        raw[..., at : at + 2] = np.float16([0.125, -0.25]).view(np.uint8).reshape(2, 2)
    return raw.reshape(shape[0], -1)


TENSORS = {  # by name: type and shape as numpy has it
    "token_embd.weight": (Kind.Q5_0, (6, 64)),
    "blk.0.ffn_down.weight": (Kind.Q5_0, (5, 96)),
    "blk.0.attn_norm.weight": (Kind.F32, (64,)),
    "blk.0.ffn_up.weight": (Kind.Q4_1, (33, 64)),
    "blk.0.attn_v.weight": (Kind.Q8_0, (3, 64)),
    "blk.0.attn_k.weight": (Kind.Q6_K, (3, 512)),
    "blk.1.attn_k.weight": (Kind.Q4_K, (3, 512)),
    "blk.0.attn_q.weight": (Kind.F16, (4, 64)),
    "blk.0.attn_o.weight": (Kind.BF16, (2, 32)),
    "blk.0.narrow.weight": (Kind.F32, (4, 48)),
    "blk.1.ffn_gate.weight": (Kind.Q4_0, (2, 64)),
    "blk.1.experts.weight": (Kind.F32, (2, 3, 32)),
    "output.weight": (Kind.F32, (7, 32)),
}


def finish(writer: gguf.GGUFWriter) -> None:
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def write_model(path: Path, tensors=TENSORS, *, alignment: int | None = None) -> Path:
    """A small model with metadata of every shape, in the package's own writing."""
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("Small — piccolo")
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q4_1)
    if alignment:
        writer.add_custom_alignment(alignment)
    writer.add_float32("llama.rope.freq_base", 9.999999747378752e-06)
    writer.add_bool("tokenizer.ggml.add_bos_token", False)
    writer.add_token_list(["a", "Ġb", "ç", ""])
    writer.add_token_types([1, 1, 3, 1])
    writer.add_uint64("llama.long", 2**63)
    for name, (kind, shape) in tensors.items():
        writer.add_tensor(name, content_of(kind, shape), raw_dtype=kind)
    finish(writer)
    return path
