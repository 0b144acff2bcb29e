"""Derived weights: tensors become Q4_0 by the format's definition, all else stays byte for byte."""

from __future__ import annotations

import hashlib
import os
import struct
import subprocess
import sys
from pathlib import Path

import gguf
import numpy as np
import pytest
from gguf import GGMLQuantizationType as Kind
from hypothesis import given
from hypothesis import strategies as st
from support.small_gguf import TENSORS, content_of, drawn, finish, write_model
from veridical.models.requantised import package_version, requantise
from veridical.models.weights_table import WeightsError

ROOT = Path(__file__).parents[2]

# What a tensor is by its format's definition, block by block; written here for itself, so that the
# package is not its own witness.


def scale(block: bytes, at: int = 0) -> np.float32:
    return np.float32(np.frombuffer(block, np.float16, 1, at)[0])


def nibbles(block: bytes) -> list[int]:
    """Sixteen bytes: the low halves are the first sixteen numbers, the high ones the others."""
    return [byte & 15 for byte in block] + [byte >> 4 for byte in block]


def read_q4_1(block: bytes) -> list[np.float32]:
    return [scale(block) * np.float32(each) + scale(block, 2) for each in nibbles(block[4:20])]


def read_q5_0(block: bytes) -> list[np.float32]:
    (fifth,) = struct.unpack("<I", block[2:6])
    whole = [low | (fifth >> i & 1) << 4 for i, low in enumerate(nibbles(block[6:22]))]
    return [scale(block) * np.float32(each - 16) for each in whole]


def read_q6_k(block: bytes) -> list[np.float32]:
    """256 numbers: low four bits, high two bits, sixteen scales of eight bits, one scale of all."""
    low, high, scales = block[:128], block[128:192], np.frombuffer(block, np.int8, 16, 192)
    found = []
    for i in range(256):
        half, at = divmod(i, 128)
        four, two = divmod(at, 64)[0] * 4, at // 32 * 2
        q = (low[64 * half + at % 64] >> four & 15) | (high[32 * half + at % 32] >> two & 3) << 4
        found.append(scale(block, 208) * np.float32(scales[i // 16]) * np.float32(q - 32))
    return found


def read_q4_k(block: bytes) -> list[np.float32]:
    """256 numbers in eight runs of 32, each with a scale and a minimum of six bits in 12 bytes."""
    six, found = block[4:16], []
    for run in range(8):
        if run < 4:
            of, least = six[run] & 63, six[run + 4] & 63
        else:
            of = six[run + 4] & 15 | six[run - 4] >> 6 << 4
            least = six[run + 4] >> 4 | six[run] >> 6 << 4
        step, below = scale(block) * np.float32(of), scale(block, 2) * np.float32(least)
        part = block[16 + run // 2 * 32 :][:32]
        found += [step * np.float32(each >> run % 2 * 4 & 15) - below for each in part]
    return found


READERS = {
    Kind.F32: (4, lambda block: [np.frombuffer(block, np.float32)[0]]),
    Kind.F16: (2, lambda block: [np.float32(np.frombuffer(block, np.float16)[0])]),
    Kind.BF16: (2, lambda block: [np.frombuffer(b"\0\0" + block, np.float32)[0]]),
    Kind.Q4_1: (20, read_q4_1),
    Kind.Q5_0: (22, read_q5_0),
    Kind.Q4_K: (144, read_q4_k),
    Kind.Q6_K: (210, read_q6_k),
}


def numbers(content: bytes, kind: Kind) -> list[np.float32]:
    size, read = READERS[kind]
    blocks = [content[at : at + size] for at in range(0, len(content), size)]
    return [each for block in blocks for each in read(block)]


def to_q4_0(values: list[np.float32]) -> bytes:
    """Block of 32: the number of the largest magnitude is -8 scales, all are rounded to whole
    scales and kept from 0 to 15."""
    written = b""
    for at in range(0, len(values), 32):
        block = values[at : at + 32]
        largest = max(block, key=abs)  # the first of equals
        d = np.float32(largest) / np.float32(-8)
        inverse = np.float32(1) / d if d else np.float32(0)
        q = [min(15, int(np.float32(x) * inverse + np.float32(8.5))) for x in block]
        written += np.float16(d).tobytes()
        written += bytes(first | second << 4 for first, second in zip(q[:16], q[16:], strict=True))
    return written


KEPT = {
    "token_embd.weight": "a row is looked up",
    "blk.0.attn_norm.weight": "a vector",
    "blk.0.attn_v.weight": "finer than the rest",
    "blk.0.narrow.weight": "48 is no whole number of blocks",
    "blk.1.ffn_gate.weight": "is what it should be; rounded twice it would be another",
}


def made(tmp_path: Path, **settings) -> tuple[gguf.GGUFReader, gguf.GGUFReader]:
    """The source and what became of it, read."""
    source, target = write_model(tmp_path / "a.gguf", **settings), tmp_path / "b.gguf"
    requantise(source, target, lambda size: None)
    return gguf.GGUFReader(source), gguf.GGUFReader(target)


def tensors_of(reader: gguf.GGUFReader) -> dict[str, gguf.ReaderTensor]:
    return {tensor.name: tensor for tensor in reader.tensors}


@pytest.mark.parametrize("name", [name for name in TENSORS if name not in KEPT])
def test_a_tensor_becomes_what_the_formats_definition_says(tmp_path, name):
    before, after = map(tensors_of, made(tmp_path))
    kind, shape = TENSORS[name]
    expected = to_q4_0(numbers(before[name].data.tobytes(), kind))
    assert after[name].tensor_type == Kind.Q4_0
    assert after[name].data.tobytes() == expected
    assert after[name].shape.tolist() == before[name].shape.tolist() == [*shape][::-1]
    back = gguf.dequantize(after[name].data, Kind.Q4_0).ravel()
    held = np.array(numbers(before[name].data.tobytes(), kind))
    largest = np.abs(held.reshape(-1, 32)).max(
        axis=1
    )  # a step is an eighth of it, or one is cut off
    assert (np.abs(back - held).reshape(-1, 32).max(axis=1) <= largest / 8 * 1.01).all()


@pytest.mark.parametrize("name", list(KEPT))
def test_some_tensors_stay_byte_for_byte(tmp_path, name):
    before, after = map(tensors_of, made(tmp_path))
    assert after[name].tensor_type == before[name].tensor_type == TENSORS[name][0]
    assert after[name].data.tobytes() == before[name].data.tobytes()


def test_all_tensors_are_there_in_their_order(tmp_path):
    before, after = made(tmp_path)
    assert [each.name for each in after.tensors] == [each.name for each in before.tensors]


def test_of_the_metadata_the_file_type_alone_is_another(tmp_path):
    before, after = made(tmp_path)
    end = before.tensors[0].field.offset
    assert after.tensors[0].field.offset == end
    (differs,) = np.flatnonzero(before.data[:end] != after.data[:end])
    told = before.fields["general.file_type"]
    assert told.offset <= differs < told.offset + sum(part.nbytes for part in told.parts)
    assert before.fields["general.file_type"].contents() == 3
    assert after.fields["general.file_type"].contents() == 2  # "mostly Q4_0" in the format
    assert after.fields["tokenizer.ggml.tokens"].contents() == ["a", "Ġb", "ç", ""]


def test_the_source_is_left_as_it_is(tmp_path):
    source = write_model(tmp_path / "a.gguf")
    before = source.read_bytes()
    requantise(source, tmp_path / "b.gguf", lambda size: None)
    assert source.read_bytes() == before


def test_a_file_that_tells_no_type_is_told_none(tmp_path, monkeypatch):
    monkeypatch.setattr(gguf.GGUFWriter, "add_file_type", lambda self, kind: None)
    before, after = made(tmp_path)
    assert before.fields.keys() == after.fields.keys()
    assert "general.file_type" not in after.fields


@pytest.mark.parametrize("alignment", [8, 32, 64, 4096])
def test_contents_lie_where_the_file_says(tmp_path, alignment):
    _, after = made(tmp_path, alignment=alignment)
    assert after.alignment == alignment
    assert after.data_offset % alignment == 0
    ends = [int(after.data_offset)]
    for tensor in after.tensors:
        assert tensor.data_offset == ends[-1] + -ends[-1] % alignment
        assert not after.data[ends[-1] : tensor.data_offset].any()
        ends.append(int(tensor.data_offset + tensor.n_bytes))
    assert len(ends) == 1 + len(TENSORS)
    assert len(after.data) == ends[-1] + -ends[-1] % alignment


def test_a_file_without_tensors_is_copied(tmp_path):
    before, after = made(tmp_path, tensors={})
    assert after.tensors == []
    assert len(after.data) == after.data_offset == before.data_offset


def test_progress_is_told_in_bytes_written_and_reaches_them_all(tmp_path):
    told: list[int] = []
    requantise(write_model(tmp_path / "a.gguf"), tmp_path / "b.gguf", told.append)
    assert sum(told) == (tmp_path / "b.gguf").stat().st_size
    assert len(told) == 1 + len(TENSORS)


BLOCKS = st.lists(st.floats(-8, 8, width=16), min_size=32, max_size=32)


@given(block=BLOCKS)
def test_any_block_is_rounded_as_defined(block, tmp_path_factory):
    """Zeros, equals of either sign, numbers below the smallest scale: what drawn normals lack."""
    folder = tmp_path_factory.mktemp("block")
    writer = gguf.GGUFWriter(folder / "a.gguf", "llama")
    writer.add_tensor("w", np.array([block], dtype=np.float32))
    finish(writer)
    requantise(folder / "a.gguf", folder / "b.gguf", lambda size: None)
    (tensor,) = gguf.GGUFReader(folder / "b.gguf").tensors
    assert tensor.data.tobytes() == to_q4_0([np.float32(each) for each in block])


def test_one_block_by_hand(tmp_path):
    """-8 scales is the largest, so d = 4 / -8 = -0.5: 4 → 0, 1 → 6.5 cut to 6, -1 → 10, -4 → 15."""
    block = np.zeros((1, 32), dtype=np.float32)
    block[0, :4] = 4, 1, -1, -4
    writer = gguf.GGUFWriter(tmp_path / "a.gguf", "llama")
    writer.add_tensor("w", block)
    finish(writer)
    requantise(tmp_path / "a.gguf", tmp_path / "b.gguf", lambda size: None)
    (tensor,) = gguf.GGUFReader(tmp_path / "b.gguf").tensors
    # half precision of -0.5 is 0xB800; of zeros, the nibble 8 stands in either half
    assert tensor.data.tobytes().hex() == "00b8" + "80868a8f" + "88" * 12


def test_every_process_writes_the_same_bytes(tmp_path):
    """Other hash seeds, thread counts and vector instructions."""
    source = write_model(tmp_path / "a.gguf")
    call = (
        "import sys; from pathlib import Path; from veridical.models.requantised import requantise;"
        "requantise(Path(sys.argv[1]), Path(sys.argv[2]), lambda size: None)"
    )
    for name, own in {
        "one": {"PYTHONHASHSEED": "1", "OMP_NUM_THREADS": "1"},
        "two": {"PYTHONHASHSEED": "2", "OMP_NUM_THREADS": "4", "NPY_DISABLE_CPU_FEATURES": "AVX2"},
    }.items():
        command = [sys.executable, "-W", "ignore", "-c", call, source, tmp_path / name]
        subprocess.run(command, check=True, env={**os.environ, **own})
    requantise(source, tmp_path / "here", lambda size: None)
    assert len({(tmp_path / name).read_bytes() for name in ("one", "two", "here")}) == 1


@pytest.mark.parametrize("left", [0, 3, 30, 200, 900, -1, -200])
def test_a_file_that_is_cut_off_is_named_and_leaves_nothing(tmp_path, left):
    source = write_model(tmp_path / "a.gguf")
    whole = source.read_bytes()
    assert whole.endswith(content_of(*TENSORS["output.weight"]).tobytes())  # with no padding after
    source.write_bytes(whole[:left])
    with pytest.raises(WeightsError, match=r"a\.gguf: gguf [\d.]+ can't read it, it is cut off"):
        requantise(source, tmp_path / "b.gguf", lambda size: None)
    assert [path.name for path in tmp_path.iterdir()] == ["a.gguf"]


def test_what_is_no_gguf_file_is_named(tmp_path):
    (tmp_path / "a.gguf").write_bytes(b"PK" * 400)
    with pytest.raises(WeightsError, match=r"a\.gguf: .*no GGUF file.*magic invalid"):
        requantise(tmp_path / "a.gguf", tmp_path / "b.gguf", lambda size: None)


def test_a_type_that_is_in_no_version_of_the_format_is_named(tmp_path):
    """The type of `output.weight` is told by the four bytes before its place in the file."""
    source = write_model(tmp_path / "a.gguf")
    field = gguf.GGUFReader(source).tensors[-1].field
    at = field.offset + sum(part.nbytes for part in field.parts[:4])
    content = bytearray(source.read_bytes())
    content[at : at + 4] = struct.pack("<I", 999)
    source.write_bytes(content)
    with pytest.raises(
        WeightsError, match=r"a\.gguf: .*a type that is unknown: .*999.* is not a valid"
    ):
        requantise(source, tmp_path / "b.gguf", lambda size: None)


def test_a_type_that_cant_be_read_is_named_with_its_tensor_and_leaves_nothing(tmp_path):
    writer = gguf.GGUFWriter(tmp_path / "a.gguf", "llama")
    writer.add_tensor("fine", drawn((2, 32)))
    writer.add_tensor("counts", np.ones((2, 32), dtype=np.int32))
    finish(writer)
    with pytest.raises(
        WeightsError, match=r"a\.gguf: counts has type I32, which gguf [\d.]+ can't"
    ):
        requantise(tmp_path / "a.gguf", tmp_path / "b.gguf", lambda size: None)
    assert [path.name for path in tmp_path.iterdir()] == ["a.gguf"]


def test_another_byte_order_is_refused(tmp_path):
    source = tmp_path / "a.gguf"
    writer = gguf.GGUFWriter(source, "llama", endianess=gguf.GGUFEndian.BIG)
    writer.add_tensor("w", drawn((2, 32)))
    finish(writer)
    with pytest.raises(WeightsError, match=r"a\.gguf is in another byte order"):
        requantise(source, tmp_path / "b.gguf", lambda size: None)


def test_without_the_package_it_is_said_what_to_do(tmp_path, monkeypatch):
    source = write_model(tmp_path / "a.gguf")
    monkeypatch.setitem(sys.modules, "gguf", None)
    with pytest.raises(
        WeightsError, match=r"package gguf, which isn't installed .*uv sync --locked"
    ):
        requantise(source, tmp_path / "b.gguf", lambda size: None)
    with pytest.raises(WeightsError, match="uv sync --locked"):
        package_version()


def test_a_full_disk_leaves_nothing(tmp_path):
    """Whatever fails, while writing too; here the one who is told of progress."""

    def full(size: int) -> None:
        raise OSError(28, "No space left on device")

    source = write_model(tmp_path / "a.gguf")
    with pytest.raises(OSError, match="No space left"):
        requantise(source, tmp_path / "b.gguf", full)
    assert [path.name for path in tmp_path.iterdir()] == ["a.gguf"]


def test_the_shipped_small_model_is_made_as_its_row_says(small_model, tmp_path):
    from veridical.models.weights import folder_of_models
    from veridical.models.weights_table import read_weights

    row = read_weights(f"{small_model}-as-Q4_0", ROOT / "data/weights.csv")
    source = folder_of_models(str(ROOT / "data/models")) / row.source.file
    requantise(source, tmp_path / row.file, lambda size: None)
    content = (tmp_path / row.file).read_bytes()
    assert len(content) == row.bytes
    assert hashlib.sha256(content).hexdigest() == row.sha256
