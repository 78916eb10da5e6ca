"""A question: which probe, with which inputs. Plain data; the grader makes it, the sandbox answers it."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from typing import Any

import torch

from autograder.probes.devices import CPU, WITHOUT_FLOAT64, make_ready
from autograder.wire.plain import Specimen, decode, encode


@dataclasses.dataclass(frozen=True)
class Question:
    """What a probe is asked.

    Attributes:
        probe: name of a probe.
        inputs: its keyword arguments: numbers, text, sequences, dicts, tensors and specimens.
        device: the type of device where it is asked.
    """

    probe: str
    inputs: dict[str, Any]
    device: str = CPU

    def on(self, device: str) -> Question:
        """The same question there; on the CPU where it needs float64 and the device has none."""
        here = device in WITHOUT_FLOAT64 and needs_float64(self.inputs)
        return dataclasses.replace(self, device=CPU if here else device)

    def pack(self) -> tuple[Any, bytes]:
        """As (JSON tree, raw bytes)."""
        tree, blob = encode(self.inputs)
        return {"probe": self.probe, "inputs": tree, "device": self.device}, blob

    @staticmethod
    def unpack(tree: Any, blob: bytes) -> Question:
        """What the sandbox makes of it: real tensors, built specimens."""
        from autograder.probes.specimens import build, real_tensor

        device = tree["device"]
        make_ready(device)
        there = functools.partial(real_tensor, device)
        with contextlib.nullcontext() if device == CPU else torch.device(device):
            return Question(tree["probe"], decode(tree["inputs"], blob, tensor=there, specimen=build), device)


def needs_float64(value: Any) -> bool:
    """Whether a tensor of 64-bit floats, or a program that makes one, is among a question's inputs."""
    if isinstance(value, Specimen):
        return needs_float64(value.coefficients)
    if isinstance(value, dict):
        return any(map(needs_float64, value.values()))
    if isinstance(value, list | tuple):
        return any(map(needs_float64, value))
    if isinstance(value, torch.Tensor):
        return value.dtype == torch.float64
    return isinstance(value, str) and ("float64" in value or ".double(" in value)
