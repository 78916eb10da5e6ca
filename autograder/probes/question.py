"""A question: which probe, with which inputs. Plain data; the grader makes it, the sandbox answers it."""

from __future__ import annotations

import dataclasses
from typing import Any

from autograder.wire.plain import decode, encode


@dataclasses.dataclass(frozen=True)
class Question:
    """What a probe is asked.

    Attributes:
        probe: name of a probe.
        inputs: its keyword arguments: numbers, text, sequences, dicts, tensors and specimens.
    """

    probe: str
    inputs: dict[str, Any]

    def pack(self) -> tuple[Any, bytes]:
        """As (JSON tree, raw bytes)."""
        tree, blob = encode(self.inputs)
        return {"probe": self.probe, "inputs": tree}, blob

    @staticmethod
    def unpack(tree: Any, blob: bytes) -> Question:
        """What the sandbox makes of it: real tensors, built specimens."""
        from autograder.probes.specimens import build, real_tensor

        return Question(tree["probe"], decode(tree["inputs"], blob, tensor=real_tensor, specimen=build))
