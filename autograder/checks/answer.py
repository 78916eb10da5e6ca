"""One answer as it crossed the border: cut to the room that its question gives it, and decoded once.

The student's process wrote it, so it may be anything that fits into a frame. What is kept of it is what a probe
could have sent, in bounded size: everything after this file reads it as often as it likes.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any

from autograder.probes.known_state import MOST_PRINTED
from autograder.wire.frames import Room
from autograder.wire.plain import ANSWER_ITEMS, ANSWER_TEXT, MOST_BYTES, Encoder, TooLargeError, decode

FRAME = Room(text=2 * ANSWER_TEXT, blob=MOST_BYTES, values=10 * ANSWER_ITEMS)
"""What the frame of an answer may hold, before anything is known of its question."""
TOO_LARGE = {"kind": "too_large"}
UNREADABLE = {"kind": "unasked", "reason": "The answer that came back was not readable."}
LONGEST_WORDS = 500
"""So many characters of each part of an error are kept."""


@dataclasses.dataclass(frozen=True)
class Size:
    """How much an answer may hold.

    Attributes:
        items: values, and axes of tensors.
        data: bytes of tensors.
    """

    items: int
    data: int

    @staticmethod
    def of(*values: Any) -> Size:
        """The size of these values, as they would cross the border."""
        encoder = Encoder()
        for value in values:
            encoder.encode(value)
        return Size(encoder.items, len(encoder.blob))


EASY = Size(2_000, 512 << 10)
"""Every answer may be this large; those of the course have 650 items and 5 kB at most."""
TIMES = 16
"""A larger one may be so many times as large as its question and the right answer together."""


@dataclasses.dataclass(frozen=True)
class Answer:
    """One answer: JSON that says what was seen, and raw bytes."""

    envelope: dict
    blob: bytes = b""
    _decoded: dict[str, Any] = dataclasses.field(default_factory=dict, compare=False, repr=False)

    def seen(self, device: str, most_items: int = ANSWER_ITEMS) -> Any:
        """What was seen, decoded the first time that somebody asks.

        Args:
            device: the type of device where the question was asked.
            most_items: how many values it may have.

        Raises:
            ValueError: where it is not plain data.
            TooLargeError: where it has more items.
        """
        if device not in self._decoded:
            there = functools.partial(dataclasses.replace, asked=device)
            tree = self.envelope.get("seen")
            self._decoded[device] = decode(tree, self.blob, most_items=most_items, tensor=there)
        return self._decoded[device]

    def kept(self, device: str, need: Callable[[], Size]) -> Answer:
        """What is kept of it: the fields that a probe fills, within the room that the question gives.

        Args:
            device: the type of device where the question was asked.
            need: the size of the question with its right answer; worked out for unusually large answers alone.
        """
        envelope = _fields(self.envelope)
        if envelope["error"] is not None:
            return Answer(envelope)
        answer = Answer(envelope, self.blob)
        try:
            if len(self.blob) > EASY.data:
                raise TooLargeError
            answer.seen(device, EASY.items)
        except TooLargeError:
            return answer if _has_room(answer, device, need()) else Answer({"error": TOO_LARGE})
        except (ValueError, RecursionError):
            return Answer({"error": UNREADABLE})
        return answer


def _has_room(answer: Answer, device: str, need: Size) -> bool:
    try:
        answer.seen(device, max(EASY.items, min(TIMES * need.items, ANSWER_ITEMS)))
    except (ValueError, RecursionError):
        return False
    return len(answer.blob) <= max(EASY.data, TIMES * need.data)


def _fields(envelope: dict) -> dict[str, Any]:
    """The fields of an envelope that a probe fills, none larger than it would be."""
    printed, began, error = (envelope.get(name) for name in ("printed", "nan_began", "error"))
    if error is not None:
        error = {key: _word(value) for key, value in error.items()} if _is_error(error) else UNREADABLE
    return {
        "seen": envelope.get("seen") if error is None else None,
        "error": error,
        "printed": printed[: MOST_PRINTED + 100] if isinstance(printed, str) else "",
        "nan_began": began[:LONGEST_WORDS] if isinstance(began, str) else None,
    }


def _is_error(error: Any) -> bool:
    fields = len(error) if isinstance(error, dict) else 0
    return 0 < fields <= 16 and all(isinstance(value, str | int | float) for value in error.values())


def _word(value: str | float) -> str | float:
    if isinstance(value, str):
        return value[:LONGEST_WORDS]
    return value if abs(value) < 2**63 else 0  # a longer int fits into no float; nan is left out too
