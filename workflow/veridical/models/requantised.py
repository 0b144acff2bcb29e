"""Weights made of other weights: tensors of many types become Q4_0.

Published small models are mostly in types (Q4_1, Q5_0, K-quants) that the embedded runtime reads by
general kernels; for Q4_0 it has fast ones. What is lost is a bit or less of each number, so derived
weights are weights of their own, with a row and a hash of their own.

The result is the same bytes everywhere. Types are read and written by the `gguf` package, whose
arithmetic for them is numpy's element by element, in single precision: negation, product, quotient,
sum, truncation and conversion to half precision, which IEEE 754 rounds in one way alone, and the
argmax of a block, which takes the first of equals. Each is a call of its own, so that no compiler
may fuse two roundings into one. Nothing is summed over elements and no matrix is multiplied: orders
of summation, and with them BLAS, threads and vector widths, have no say. The SHA-256 that the table
pins holds all this.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from veridical.models.weights_table import WeightsError

if TYPE_CHECKING:
    from gguf import GGUFReader, ReaderTensor

BLOCK = 32  # numbers that share one scale in Q4_0
BLOCK_BYTES = 18  # a scale of two bytes and 32 times four bits
EMBEDDINGS = "token_embd."  # a row is looked up, not multiplied: a faster kernel gains nothing


def requantise(source: Path, target: Path, progress: Callable[[int], object]) -> None:
    """Write a GGUF file's copy in which tensors are Q4_0, but for those that `kept` names.

    Metadata is copied byte for byte; of it `general.file_type` alone is set, to "mostly Q4_0".
    `progress` is called with the bytes written, tensor by tensor. Nothing is left at `target` where
    this fails. Raises WeightsError where the package is not installed, or naming the source where
    it is no GGUF file of this machine's byte order, is cut off, or has a type that can't be read.
    """
    gguf = _package()
    reader = _read(gguf, source)
    written = False
    try:
        with open(target, "wb") as file:
            progress(file.write(_head(gguf, reader)))
            for tensor in reader.tensors:
                content = _content(gguf, source, tensor)
                progress(file.write(content + bytes(_short(reader, len(content)))))
        written = True
    finally:
        if not written:
            target.unlink(missing_ok=True)


def package_version() -> str:
    """The version of `gguf` that makes derived weights here. Raises WeightsError without one."""
    from importlib.metadata import version

    _package()
    return version("gguf")


def kept(tensor: ReaderTensor) -> bool:
    """Whether a tensor stays as it is: token embeddings, vectors, rows that are no whole number of
    blocks, Q8_0 (what a publisher left finer than the rest), and what is Q4_0 already."""
    return (
        tensor.name.startswith(EMBEDDINGS)
        or len(tensor.shape) < 2
        or int(tensor.shape[0]) % BLOCK != 0  # the file names the innermost dimension first
        or tensor.tensor_type.name in ("Q8_0", "Q4_0")
    )


def _package() -> ModuleType:
    try:
        import gguf
    except ImportError as error:
        raise WeightsError(
            f"derived weights are made with the package gguf, which isn't installed ({error}): "
            "run `uv sync --locked`"
        ) from None
    return gguf


def _read(gguf: ModuleType, source: Path) -> GGUFReader:
    """A file's fields and tensors, in memory that is this process's own where it is written to."""
    try:
        reader = gguf.GGUFReader(source, "c")
    except (ValueError, IndexError, KeyError) as error:
        raise WeightsError(
            f"{source}: gguf {package_version()} can't read it, it is cut off, no GGUF file, or of "
            f"a type that is unknown: {error}"
        ) from None
    if reader.byte_order != "I":
        raise WeightsError(f"{source} is in another byte order than this machine")
    return reader


def _head(gguf: ModuleType, reader: GGUFReader) -> bytes:
    """All that stands before the tensors' contents, with their new types and places."""
    if field := reader.get_field("general.file_type"):
        field.parts[field.data[0]][0] = gguf.LlamaFileType.MOSTLY_Q4_0
    begun = reader.tensors[0].field.offset if reader.tensors else reader.data_offset
    return b"".join(_pieces(gguf, reader, begun))


def _pieces(gguf: ModuleType, reader: GGUFReader, begun: int) -> Iterator[bytes]:
    """The metadata, then of each tensor its name and dimensions as they are, type and place."""
    yield reader.data[:begun].tobytes()
    size, place = begun, 0
    for tensor in reader.tensors:
        *same, _, _ = tensor.field.parts
        kind = tensor.tensor_type if kept(tensor) else gguf.GGMLQuantizationType.Q4_0
        info = b"".join(part.tobytes() for part in same) + struct.pack("=IQ", kind, place)
        yield info
        size, place = size + len(info), place + _size(tensor)
        place += _short(reader, place)
    yield bytes(_short(reader, size))


def _short(reader: GGUFReader, size: int) -> int:
    """How many bytes a place in the file is short of the next at which a content may begin."""
    return -size % int(reader.alignment)


def _size(tensor: ReaderTensor) -> int:
    """The bytes of a tensor's new content."""
    return tensor.n_bytes if kept(tensor) else tensor.n_elements // BLOCK * BLOCK_BYTES


def _content(gguf: ModuleType, source: Path, tensor: ReaderTensor) -> bytes:
    if kept(tensor):
        return tensor.data.tobytes()
    try:
        numbers = gguf.dequantize(tensor.data, tensor.tensor_type)
    except NotImplementedError:
        raise WeightsError(
            f"{source}: {tensor.name} has type {tensor.tensor_type.name}, which gguf "
            f"{package_version()} can't read"
        ) from None
    return gguf.quantize(numbers, gguf.GGMLQuantizationType.Q4_0).tobytes()
