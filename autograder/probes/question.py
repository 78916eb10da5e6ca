"""Questions: which probe to run, with which inputs. Plain data that the grader makes and the sandbox answers."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import hashlib
import json
from typing import Any

import torch

from autograder.probes.devices import CPU, WITHOUT_FLOAT64, make_ready
from autograder.probes.specimens import build, real_tensor
from autograder.wire.frames import pack
from autograder.wire.operation import Operation
from autograder.wire.plain import Specimen, decode, encode


@dataclasses.dataclass(frozen=True)
class Question:
    """A probe and its inputs.

    Attributes:
        probe: the probe's name.
        inputs: its keyword arguments: numbers, text, sequences, dicts, tensors and specimens.
        device: the type of device that the question is asked on.
    """

    probe: str
    inputs: dict[str, Any]
    device: str = CPU

    def on(self, device: str) -> Question:
        """Return the same question for a device, or for the CPU if it needs float64 and the device lacks it."""
        lacks_float64 = device in WITHOUT_FLOAT64 and needs_float64(self.inputs)
        there = CPU if lacks_float64 else device
        return self if there == self.device else dataclasses.replace(self, device=there)

    def pack(self) -> tuple[Any, bytes]:
        """Return the question as a JSON tree and raw bytes, made once: public questions are put to a whole class."""
        return self._packed

    @functools.cached_property
    def _packed(self) -> tuple[Any, bytes]:
        tree, blob = encode(self.inputs)
        return {"probe": self.probe, "inputs": tree, "device": self.device}, blob

    @functools.cached_property
    def request(self) -> bytes:
        """The frame that requests the answer of a sandbox, made once."""
        tree, blob = self.pack()
        return pack({"op": Operation.ASK, "question": tree}, blob)

    @functools.cached_property
    def digest(self) -> bytes:
        """A digest of what `pack` returns, made once."""
        tree, blob = self.pack()
        text = json.dumps(tree).encode()
        return hashlib.sha256(b"%d " % len(text) + text + blob).digest()

    @staticmethod
    def unpack(tree: Any, blob: bytes) -> Question:
        """Rebuild a question in the sandbox, with real tensors on its device and built specimens."""
        device = tree["device"]
        make_ready(device)
        there = functools.partial(real_tensor, device)
        with contextlib.nullcontext() if device == CPU else torch.device(device):
            return Question(tree["probe"], decode(tree["inputs"], blob, tensor=there, specimen=build), device)


def needs_float64(value: Any) -> bool:
    """Return whether a question's inputs contain a float64 tensor, or a program that makes one."""
    if isinstance(value, Specimen):
        return needs_float64(value.coefficients)
    if isinstance(value, dict):
        return any(map(needs_float64, value.values()))
    if isinstance(value, list | tuple):
        return any(map(needs_float64, value))
    if isinstance(value, torch.Tensor):
        return bool(value.dtype == torch.float64)
    return isinstance(value, str) and ("float64" in value or ".double(" in value)
