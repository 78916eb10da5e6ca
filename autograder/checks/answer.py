"""One answer as the sandbox sent it: limited to the size that its question allows, and decoded once.

The student's process wrote it, so it may be anything that fits into a frame. Only what a probe could have sent is kept,
in bounded size, so that all later code may read it as often as it likes.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any

from autograder.probes.call_changes import MOST_CHANGES
from autograder.probes.known_state import MOST_PRINTED
from autograder.probes.states import MOST_NUMBERS
from autograder.wire.frames import Room
from autograder.wire.outcome import Outcome
from autograder.wire.plain import ANSWER_ITEMS, ANSWER_TEXT, MOST_BYTES, Encoder, TooLargeError, decode

FRAME = Room(text=2 * ANSWER_TEXT, blob=MOST_BYTES, values=16 * ANSWER_ITEMS)
"""Limit on the frame of an answer before its question is known."""
TOO_LARGE = {"kind": Outcome.TOO_LARGE}
UNREADABLE = {"kind": Outcome.UNASKED, "reason": "The answer that was returned is not readable."}
LONGEST_WORDS = 500
"""Characters kept of each field of an error."""


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
        """Return the size of these values in the encoding of `wire.plain`."""
        encoder = Encoder()
        for value in values:
            encoder.encode(value)
        return Size(encoder.items, len(encoder.blob))


EASY = Size(2_000, 512 << 10)
"""Size that every answer may have; those of the course have 650 items and 5 kB at most."""
TIMES = 16
"""Limit on a larger answer, in multiples of the size of its question and the right answer together."""


@dataclasses.dataclass(frozen=True)
class Answer:
    """One answer: JSON with the observations or an error, and raw bytes of tensors."""

    envelope: dict[str, Any]
    blob: bytes = b""
    _decoded: dict[str, Any] = dataclasses.field(default_factory=dict, compare=False, repr=False)

    @property
    def changes(self) -> list[dict[str, Any]]:
        """What the student's calls changed of what they were handed, as `probes.call_changes` reports it."""
        return list(self.envelope.get("changes") or ())

    def seen(self, device: str, most_items: int = ANSWER_ITEMS) -> Any:
        """Return the observations, decoded at the first call.

        Args:
            device: the type of device where the question was asked.
            most_items: how many values they may have.

        Raises:
            ValueError: if they are not plain data.
            TooLargeError: if they have more items.
        """
        if device not in self._decoded:
            there = functools.partial(dataclasses.replace, asked=device)
            tree = self.envelope.get("seen")
            self._decoded[device] = decode(tree, self.blob, most_items=most_items, tensor=there)
        return self._decoded[device]

    def kept(self, device: str, need: Callable[[], Size]) -> Answer:
        """Return what is kept of the answer: the fields that a probe fills, within the size that the question allows.

        Args:
            device: the type of device where the question was asked.
            need: computes the size of the question with its right answer; called for unusually large answers only.
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


def _fields(envelope: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of an envelope that a probe fills, none larger than a probe makes it."""
    printed, began, error = (envelope.get(name) for name in ("printed", "nan_began", "error"))
    if error is not None:
        error = {key: _word(value) for key, value in error.items()} if _is_error(error) else UNREADABLE
    return {
        "seen": envelope.get("seen") if error is None else None,
        "error": error,
        "printed": printed[: MOST_PRINTED + 100] if isinstance(printed, str) else "",
        "nan_began": began[:LONGEST_WORDS] if isinstance(began, str) else None,
        "changes": _changes(envelope.get("changes")),
    }


def _changes(given: Any) -> list[dict[str, Any]]:
    """Return the changes that the probe could have reported."""
    kept = []
    for one in given[:MOST_CHANGES] if isinstance(given, list) else ():
        found = one if isinstance(one, dict) else {}
        words = {key: found[key] for key in ("at", "place", "what", "of") if isinstance(found.get(key), str)}
        now = found.get("now")
        if len(words) == 4 and isinstance(now, list | tuple):
            numbers = [_word(number) for number in now[:MOST_NUMBERS] if isinstance(number, int | float)]
            kept.append({key: _word(word) for key, word in words.items()} | {"now": numbers})
    return kept


def _is_error(error: Any) -> bool:
    fields = len(error) if isinstance(error, dict) else 0
    return 0 < fields <= 16 and all(isinstance(value, str | int | float) for value in error.values())


def _word(value: str | float) -> str | float:
    if isinstance(value, str):
        return value[:LONGEST_WORDS]
    return value if abs(value) < 2**63 else 0  # a longer int fits into no float; nan is left out too
