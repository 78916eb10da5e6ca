"""A reply of a sandbox: a frame from a hostile process, decoded and compared with what is right."""

from __future__ import annotations

import json
import os
import random
import tracemalloc
from typing import Any

import torch

from autograder.comparison import differences, misshapen
from autograder.probes.specimens import real_tensor
from autograder.wire.frames import HEADER, MAGIC, Channel, TornFrameError, pack, unpack
from autograder.wire.plain import Absent, SeenTensor, Specimen, TooLargeError, decode, encode
from tests.fuzz.json_mutations import mutate

PER_BYTE = 128
"""Bytes that one byte of a frame may cost at most: `{},` makes a dict of 64 bytes and a place in a list."""
DEEP = 500
"""Brackets; json gives up at some depth that depends on how deep its caller stands, and each of two may."""
EXPECTED = (1.0, None, "x", True, [1.0, 2.0], torch.ones(2), torch.ones(2, 1, dtype=torch.float64), {"x": 1.0})


def check(data: bytes) -> None:
    """A torn frame, or a message; that, no plain data, or a value that can be compared, and travels back the same.

    Raises:
        AssertionError: where an invariant does not hold; any other exception is a find, too.
    """
    measured = len(data) % 16 == 0  # which makes it ten times slower
    if measured:
        tracemalloc.start()
    try:
        frame = _frame(data)
        if frame is not None:
            _decoded(*frame)
    finally:
        if measured:
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            assert peak < PER_BYTE * len(data) + (1 << 20), f"{peak} bytes for a frame of {len(data)}"


def _frame(data: bytes) -> tuple[Any, bytes] | None:
    try:
        message, blob = unpack(data)
    except TornFrameError:
        message = None
    through_pipe = _received(data)
    if message is None or (through_pipe is None and data.count(b"[") + data.count(b"{") > DEEP):
        return through_pipe
    packed = pack(message, blob)
    assert pack(*unpack(packed)) == packed, "packed again, it is another frame"
    assert through_pipe is not None, "a frame that a pipe does not carry"
    assert pack(*through_pipe) == packed, "through a pipe, it is another frame"
    return message, blob


def _received(data: bytes) -> tuple[Any, bytes] | None:
    """What a channel makes of these bytes."""
    reading, writing = os.pipe()
    channel = Channel(reading, writing, largest=1 << 20)
    try:
        os.write(writing, data[: 1 << 15])
        os.close(writing)
        return channel.receive(1.0)
    except TornFrameError:
        return None
    finally:
        os.close(reading)


def _decoded(message: Any, blob: bytes) -> None:
    tree = message.get("seen") if isinstance(message, dict) else message
    try:
        value = decode(tree, blob)
    except ValueError:
        return
    held: list[int] = []
    _measure(value, held)
    assert sum(held) <= len(blob), "tensors of more bytes than came"
    for expected in EXPECTED:
        for difference in differences(value, expected):
            assert len(difference.problem) < 500, "a sentence as long as the student wishes"
    misshapen(value, {"x": [1.0, 2.0]}, length=2)
    _travels(tree, blob)


def _travels(tree: Any, blob: bytes) -> None:
    try:
        sent = encode(decode(tree, blob, tensor=_real))
        assert encode(decode(*sent, tensor=_real)) == sent, "sent twice, it is another value"
    except TooLargeError:
        return


def _real(seen: SeenTensor) -> torch.Tensor:
    wanted = seen.requires_grad and (seen.data.is_floating_point() or seen.data.is_complex())
    return real_tensor("cpu", SeenTensor(seen.data, "cpu", wanted, seen.is_leaf))


def _measure(value: Any, held: list[int]) -> None:
    if isinstance(value, SeenTensor):
        held.append(value.data.numel() * value.data.element_size())
    elif isinstance(value, Specimen):
        _measure(value.coefficients, held)
    elif isinstance(value, dict):
        for inner in value.values():
            _measure(inner, held)
    elif isinstance(value, list | tuple):
        for inner in value:
            _measure(inner, held)


def mutated(data: bytes, chance: random.Random) -> bytes | None:
    """A frame whose JSON was changed, with a header that fits; None where it is none."""
    try:
        message, blob = unpack(data)
        text = json.dumps(mutate(message, chance), separators=(",", ":")).encode("ascii")
    except (TornFrameError, RecursionError):
        return None
    return HEADER.pack(MAGIC, len(text), len(blob)) + text + blob


def seeds() -> dict[str, bytes]:
    """One frame for each thing that travels."""
    values = {
        "numbers": [1, 2.5, True, None, "text", -0.0, float("nan"), float("inf"), -(2**63)],
        "dict": {"x": 1.0, 3: (1, 2), "deep": {"a": [[], {}]}},
        "tensor": torch.arange(6.0).reshape(2, 3),
        "tensors": [torch.tensor(2.5, dtype=torch.float64, requires_grad=True), torch.ones(2).half() > 0],
        "half": torch.ones(2).half(),
        "complex": {"x": torch.tensor([1 + 2j])},
        "empty": torch.empty(0, 3),
        "specimen": Specimen("cubic", {"a": torch.ones(2), "b": 1.0}),
        "absent": {"result": Absent("TypeError"), "x.grad": None},
        "foreign": [object(), 2**70],
    }
    frames = {}
    for name, value in values.items():
        tree, blob = encode(value)
        frames[name] = pack({"seen": tree}, blob)
    frames["error"] = pack({"error": {"kind": "raised", "type": "ValueError", "message": "é\ud800"}})
    return frames
