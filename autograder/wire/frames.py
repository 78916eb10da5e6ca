"""Frames on a pipe: a fixed header, a JSON text, then raw bytes.

Layout: 4 bytes magic, 4 bytes length of the JSON text, 8 bytes length of the raw bytes (big endian).
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import re
import select
import struct
import time
from typing import Any

MAGIC = b"grad"
HEADER = struct.Struct(">4sIQ")
LARGEST_TEXT = 64 << 20
LARGEST_BLOB = 256 << 20
MOST_VALUES = 2_000_000
"""In a frame's JSON: 64 MB of `[],` would be 1.7 GB of empty lists where they are read."""

_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"')


@dataclasses.dataclass(frozen=True)
class Room:
    """How much one frame may hold.

    Attributes:
        text: bytes of its JSON text.
        blob: raw bytes.
        values: values in its JSON.
    """

    text: int = LARGEST_TEXT
    blob: int = LARGEST_BLOB
    values: int = MOST_VALUES


WIDEST = Room()


class TornFrameError(Exception):
    """The other side closed the pipe, or what it sent is not a frame."""


def pack(message: Any, blob: bytes = b"") -> bytes:
    """One message and its raw bytes as one frame."""
    text = json.dumps(message, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    if len(text) > LARGEST_TEXT or len(blob) > LARGEST_BLOB:
        raise TornFrameError(f"a frame of {len(text)} + {len(blob)} bytes is too large to send")
    return HEADER.pack(MAGIC, len(text), len(blob)) + text + blob


def unpack_header(header: bytes) -> tuple[int, int]:
    """The two lengths in a header.

    Raises:
        TornFrameError: for anything that `pack` did not make.
    """
    magic, text, blob = HEADER.unpack(header)
    if magic != MAGIC or text > LARGEST_TEXT or blob > LARGEST_BLOB:
        raise TornFrameError("what arrived is not a frame")
    return text, blob


def unpack(frame: bytes) -> tuple[Any, bytes]:
    """The message and raw bytes of one whole frame.

    Raises:
        TornFrameError: for anything that `pack` did not make.
    """
    try:
        text_size, blob_size = unpack_header(frame[: HEADER.size])
        body = frame[HEADER.size :]
        if len(body) != text_size + blob_size:
            raise TornFrameError("the frame is cut short, or too long")
        return _plain(body[:text_size], WIDEST.values)[0], body[text_size:]
    except (struct.error, ValueError, RecursionError) as error:
        raise TornFrameError("what arrived is not a frame") from error


def _plain(text: bytes, most: int) -> tuple[Any, int]:
    """Parse the JSON; lone surrogates, which no file and no page could hold, become question marks.

    Returns:
        What it says, and about how many values are in it.

    Raises:
        ValueError: for anything but JSON in ASCII, and for more than `most` values.
    """
    values = text.count(b",")
    if values > most:
        values = _STRING.sub(b"", text).count(b",")
    if values > most:
        raise ValueError("there are too many values in it")
    message = json.loads(text.decode("ascii"))
    if rb"\ud" in text or rb"\uD" in text:
        written = json.dumps(message, ensure_ascii=False).encode("utf-8", errors="replace")
        message = json.loads(written.decode("utf-8"))
    return message, values


class Channel:
    """Two file descriptors that carry frames, with deadlines.

    Attributes:
        largest: the size of the largest frame that is accepted.
        last_size: the size of the frame that was received last.
        last_values: about how many values were in its JSON.
    """

    def __init__(self, read_fd: int, write_fd: int, largest: int = LARGEST_TEXT + LARGEST_BLOB) -> None:
        self.read_fd, self.write_fd, self.largest = read_fd, write_fd, largest
        self.last_size = self.last_values = 0
        self._pending = bytearray()  # of a frame that has not arrived whole

    def send(self, message: Any, blob: bytes = b"", seconds: float | None = None) -> None:
        """Write one frame, waiting at most `seconds` for the reader to take it (None: for ever).

        Raises:
            TimeoutError: where the reader did not take all of it; the channel is of no further use.
            TornFrameError: where the reader is gone.
        """
        frame = memoryview(pack(message, blob))
        deadline = None if seconds is None else time.monotonic() + seconds
        try:
            while frame:
                if deadline is not None:
                    # A pipe that is ready takes this much at once; a longer write could wait for ever.
                    left = deadline - time.monotonic()
                    if left <= 0 or not select.select([], [self.write_fd], [], left)[1]:
                        raise TimeoutError
                frame = frame[os.write(self.write_fd, frame[: select.PIPE_BUF] if deadline else frame) :]
        except TimeoutError:
            raise
        except OSError as error:
            raise TornFrameError("the other side closed the pipe") from error

    def receive(self, seconds: float | None = None, room: Room = WIDEST) -> tuple[Any, bytes]:
        """Read one frame, waiting at most `seconds` for all of it (None: for ever).

        Raises:
            TimeoutError: where it did not arrive in time; what did is kept for the next call.
            TornFrameError: where the pipe closed or carried something else, or more than there is room for.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        header = self._read(HEADER.size, deadline)
        text_size, blob_size = unpack_header(header)
        self.last_size = HEADER.size + text_size + blob_size
        if self.last_size > self.largest or text_size > room.text or blob_size > room.blob:
            raise TornFrameError("what arrived is larger than a frame may be")
        body = self._read(HEADER.size + text_size + blob_size, deadline)
        self._pending.clear()
        text = body[HEADER.size : HEADER.size + text_size]
        try:
            message, self.last_values = _plain(text, room.values)
            return message, body[HEADER.size + text_size :]
        except (ValueError, RecursionError) as error:
            raise TornFrameError("what arrived is not a frame") from error

    def _read(self, size: int, deadline: float | None) -> bytes:
        """The first `size` bytes of the frame under way; kept until the frame is whole."""
        buffer = self._pending
        while len(buffer) < size:
            if deadline is not None:
                left = deadline - time.monotonic()
                if left <= 0 or not select.select([self.read_fd], [], [], left)[0]:
                    raise TimeoutError
            try:
                chunk = os.read(self.read_fd, min(size - len(buffer), 1 << 20))
            except OSError as error:
                raise TornFrameError("the pipe broke") from error
            if not chunk:
                raise TornFrameError("the other side closed the pipe")
            buffer += chunk
        return bytes(buffer[:size])

    def close(self) -> None:
        """Close both ends held here."""
        for fd in (self.read_fd, self.write_fd):
            with contextlib.suppress(OSError):
                os.close(fd)
