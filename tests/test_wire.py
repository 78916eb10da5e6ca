"""What crosses the border arrives as it was, and what should not cross does not."""

from __future__ import annotations

import json
import math
import os
from unittest import mock

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from autograder.wire.frames import FEW_VALUES, HEADER, MAGIC, MOST_VALUES, Channel, TornFrameError, pack, unpack
from autograder.wire.plain import Foreign, SeenTensor, Specimen, TooLargeError, decode, encode

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.text(max_size=50),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4) | st.tuples(inner, inner)
    ),
    max_leaves=20,
)


@given(PLAIN)
def test_plain_values_travel_unchanged(value: object) -> None:
    tree, blob = encode(value)
    assert decode(json.loads(json.dumps(tree)), blob) == value


@pytest.mark.parametrize(
    "tensor",
    [
        torch.tensor(2.5, dtype=torch.float64, requires_grad=True),
        torch.arange(6.0).reshape(2, 3).T,  # not contiguous
        torch.tensor(1.5, dtype=torch.float64).expand(1),  # counts as contiguous, with a stride of 0
        torch.empty(0, 3),
        torch.tensor([True, False]),
        torch.tensor([1.5, -0.0], dtype=torch.bfloat16),
        torch.tensor([1 + 2j]),
        torch.tensor([float("nan"), float("inf")], dtype=torch.float16),
    ],
)
def test_tensors_travel_to_the_bit(tensor: torch.Tensor) -> None:
    seen = decode(*encode(tensor))
    assert isinstance(seen, SeenTensor)
    assert seen.data.dtype == tensor.dtype
    assert seen.data.shape == tensor.shape
    assert seen.requires_grad == tensor.requires_grad
    sent = tensor.detach().clone(memory_format=torch.contiguous_format)
    assert torch.equal(seen.data.reshape(-1).view(torch.uint8), sent.reshape(-1).view(torch.uint8))


@pytest.mark.parametrize("many", [b"[]," * (MOST_VALUES + 1) + b"[]", (b"[" * 500 + b"]" * 500 + b",") * 4001 + b"1"])
def test_a_frame_of_millions_of_small_lists_is_refused(many: bytes) -> None:
    text = b"[" + many + b"]"
    with pytest.raises(TornFrameError, match="more values"):
        unpack(HEADER.pack(MAGIC, len(text), 0) + text)


def test_a_frame_of_millions_of_numbers_arrives() -> None:
    text = b"[" + b"1," * (MOST_VALUES - 1) + b"1]"
    assert len(unpack(HEADER.pack(MAGIC, len(text), 0) + text)[0]) == MOST_VALUES


def test_what_stands_in_strings_is_no_value() -> None:
    ours, theirs = os.pipe()
    channel = Channel(ours, theirs)
    channel.send(["[{," * (FEW_VALUES // 2)])
    channel.receive()
    assert channel.last_values == 1
    channel.close()


def test_objects_arrive_as_their_type_alone() -> None:
    class Liar(dict):
        def items(self) -> list:
            raise RuntimeError

        def __iter__(self):
            raise RuntimeError

    class Meta(type):
        __name__ = property(lambda cls: 1 / 0)

    class Odd(metaclass=Meta):
        pass

    assert decode(*encode([math, Liar(a=1), Odd(), 2**70])) == [
        Foreign("module"),
        {"a": 1},
        Foreign("Odd"),
        Foreign("int beyond 64 bits"),
    ]


def test_a_subclass_of_tensor_does_not_travel() -> None:
    class Mine(torch.Tensor):
        pass

    assert decode(*encode(torch.ones(2).as_subclass(Mine))) == Foreign("Mine")


def test_specimens_travel() -> None:
    specimen = Specimen("cubic", {"a": 1.0})
    assert decode(*encode([specimen])) == [specimen]


def test_absurd_sizes_are_refused() -> None:
    loop: list = []
    loop.append(loop)
    for value in (loop, [0] * 300_000, torch.zeros(10**8)):
        with pytest.raises(TooLargeError):
            encode(value)


@pytest.mark.parametrize(
    "tree",
    [
        {"t": "tensor", "dtype": "float32", "shape": [2], "device": "cpu", "at": [0, 4]},
        {"t": "tensor", "dtype": "float32", "shape": [-1], "device": "cpu", "at": [0, 4]},
        {"t": "tensor", "dtype": "load", "shape": [1], "device": "cpu", "at": [0, 4]},
        {"t": "tensor", "dtype": "float32", "shape": [1], "device": "cpu", "at": [8, 4]},
        {"t": "tensor", "dtype": "quint8", "shape": [1], "device": "cpu", "at": [0, 1]},
        {"t": "tensor", "dtype": "bits8", "shape": [1], "device": "cpu", "at": [0, 1]},
        {"t": "tensor", "dtype": "float4_e2m1fn_x2", "shape": [1], "device": "cpu", "at": [0, 1]},
        {"t": "tensor", "dtype": "float32", "shape": [1], "device": "", "at": [0, 4]},
        {"t": "tensor", "dtype": "float32", "shape": [1], "device": "moon", "at": [0, 4]},
        {"t": "list", "v": 3},
        {"t": "dict", "v": [[{"t": "list", "v": []}, 1]]},
        {"t": "eval", "v": "1"},
        [1],
    ],
)
def test_forged_trees_are_refused(tree: object) -> None:
    with pytest.raises(ValueError, match="not plain data"):
        decode(tree, b"\0" * 8)


def test_no_byte_belongs_to_two_tensors() -> None:
    """Else 64 MB of text could ask for the same 80 MB half a million times."""
    tensor = {"t": "tensor", "dtype": "uint8", "shape": [8], "device": "cpu", "at": [0, 8]}
    decode({"t": "list", "v": [tensor]}, b"\0" * 8)
    with pytest.raises(ValueError, match="not plain data"):
        decode({"t": "list", "v": [tensor, tensor]}, b"\0" * 8)


def test_more_items_than_are_ever_sent_are_refused() -> None:
    decode({"t": "list", "v": [0] * 150_000}, b"")
    with pytest.raises(TooLargeError):
        decode({"t": "list", "v": [0] * 250_000}, b"")


def test_a_tensor_that_torch_cannot_compare_does_not_travel() -> None:
    assert decode(*encode(torch.ones(2).to(torch.float8_e4m3fn))) == Foreign("tensor of dtype float8_e4m3fn")


def _channel_with(raw: bytes) -> Channel:
    read, write = os.pipe()
    os.write(write, raw)
    os.close(write)
    return Channel(read, os.open(os.devnull, os.O_WRONLY))


def test_a_frame_arrives_whole() -> None:
    assert _channel_with(pack({"a": [1, "é"]}, b"raw")).receive(1) == ({"a": [1, "é"]}, b"raw")


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        pack({"a": 1})[:-1],
        b"xxxx" + pack({"a": 1})[4:],
        HEADER.pack(MAGIC, 2**31, 0),
        HEADER.pack(MAGIC, 2, 0) + b"{{",
    ],
)
def test_torn_and_forged_frames_are_refused(raw: bytes) -> None:
    with pytest.raises(TornFrameError):
        _channel_with(raw).receive(1)


def test_a_deadline_holds_beside_whoever_empties_or_fills_the_pipe() -> None:
    read, write = os.pipe()
    for end in (read, write):
        os.set_blocking(end, False)
    channel = Channel(read, write)
    with mock.patch("select.select", lambda *waited: (*waited[:3],)):  # ready, and a moment later no longer
        with pytest.raises(TimeoutError):
            channel.receive(0.05)
        with pytest.raises(TimeoutError):
            channel.send({}, bytes(1 << 20), 0.05)


def test_a_late_frame_is_not_lost() -> None:
    read, write = os.pipe()
    channel, frame = Channel(read, write), pack({"late": True})
    os.write(write, frame[:7])
    with pytest.raises(TimeoutError):
        channel.receive(0.01)
    os.write(write, frame[7:])
    assert channel.receive(1) == ({"late": True}, b"")
