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
SMALL = 64 << 10
"""Bytes that are read at once at least, if there are so many: as many as a pipe holds."""
MOST_VALUES = 2_000_000
"""Values in a frame's JSON, counted by commas and brackets: 64 MB of `[],` or of `[[[` would take gigabytes."""
FEW_VALUES = 10_000
"""Values so few that those which strings only seem to hold may count, too."""
CLOSED, NO_FRAME = "the other side closed the pipe", "what arrived is not a frame"

_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"')


@dataclasses.dataclass(frozen=True)
class Room:
    """The most that one frame may hold.

    Attributes:
        text: bytes of JSON text.
        blob: raw bytes.
        values: values in the JSON.
    """

    text: int = LARGEST_TEXT
    blob: int = LARGEST_BLOB
    values: int = MOST_VALUES


WIDEST = Room()


class TornFrameError(Exception):
    """The other side closed the pipe or sent something that is not a frame."""


def pack(message: Any, blob: bytes = b"") -> bytes:
    """Return one frame that holds a message and its raw bytes.

    Raises:
        TornFrameError: if the frame would be too large.
    """
    text = json.dumps(message, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    if len(text) > LARGEST_TEXT or len(blob) > LARGEST_BLOB:
        raise TornFrameError(f"a frame of {len(text)} + {len(blob)} bytes is too large to send")
    return HEADER.pack(MAGIC, len(text), len(blob)) + text + blob


def unpack_header(header: bytes) -> tuple[int, int]:
    """Return the length of the JSON text and of the raw bytes that a header announces.

    Raises:
        TornFrameError: if `pack` cannot have made this header.
    """
    magic, text, blob = HEADER.unpack(header)
    if magic != MAGIC or text > LARGEST_TEXT or blob > LARGEST_BLOB:
        raise TornFrameError(NO_FRAME)
    return text, blob


def unpack(frame: bytes) -> tuple[Any, bytes]:
    """Return the message and the raw bytes of one complete frame.

    Raises:
        TornFrameError: if `pack` cannot have made this frame.
    """
    try:
        text_size, blob_size = unpack_header(frame[: HEADER.size])
        body = frame[HEADER.size :]
        if len(body) != text_size + blob_size:
            raise TornFrameError("the frame is cut short, or too long")
        return _plain(body[:text_size], WIDEST.values)[0], body[text_size:]
    except (struct.error, ValueError, RecursionError) as error:
        raise TornFrameError(NO_FRAME) from error


def _plain(text: bytes, most: int) -> tuple[Any, int]:
    """Parse JSON text; replace lone surrogates, which cannot be encoded in UTF-8, by question marks.

    Returns:
        The parsed message and roughly how many values it has.

    Raises:
        ValueError: if the text is not JSON in ASCII.
        TornFrameError: if it has more than `most` values.
    """
    values = _values(text)
    if values > FEW_VALUES:
        values = _values(_STRING.sub(b"", text))
    if values > most:
        raise TornFrameError("what arrived has more values than a frame may")
    message = json.loads(text.decode("ascii"))
    if rb"\ud" in text or rb"\uD" in text:
        written = json.dumps(message, ensure_ascii=False).encode("utf-8", errors="replace")
        message = json.loads(written.decode("utf-8"))
    return message, values


def _values(text: bytes) -> int:
    return text.count(b",") + text.count(b"[") + text.count(b"{")


class Channel:
    """A pair of file descriptors that carries frames both ways, with deadlines.

    A deadline holds against another reader or writer of the same pipes only where the descriptors do not block.

    Attributes:
        largest: bytes of the largest frame that `receive` accepts.
        last_size: bytes of the frame received last.
        last_values: roughly how many values its JSON had.
    """

    def __init__(self, read_fd: int, write_fd: int, largest: int = LARGEST_TEXT + LARGEST_BLOB) -> None:
        self.read_fd, self.write_fd, self.largest = read_fd, write_fd, largest
        self.last_size = self.last_values = 0
        self._pending = bytearray()  # bytes that arrived and belong to no frame received so far

    def send(self, message: Any, blob: bytes = b"", seconds: float | None = None) -> None:
        """Write one frame, waiting at most `seconds` for the reader to take it (None: no limit).

        Raises:
            TimeoutError: if the reader did not take the whole frame in time; the channel is then unusable.
            TornFrameError: if the reader has closed the pipe.
        """
        self.send_packed(pack(message, blob), seconds)

    def send_packed(self, packed: bytes, seconds: float | None = None) -> None:
        """Write one frame as `pack` returned it; otherwise like `send`."""
        frame = memoryview(packed)
        deadline = None if seconds is None else time.monotonic() + seconds
        while frame:
            if deadline is not None:
                # A ready pipe takes PIPE_BUF bytes without blocking; a longer write could block for ever.
                left = deadline - time.monotonic()
                if left <= 0 or not select.select([], [self.write_fd], [], left)[1]:
                    raise TimeoutError
            try:
                frame = frame[os.write(self.write_fd, frame[: select.PIPE_BUF] if deadline else frame) :]
            except BlockingIOError:  # somebody else filled the pipe meanwhile
                continue
            except OSError as error:
                raise TornFrameError(CLOSED) from error

    def receive(self, seconds: float | None = None, room: Room = WIDEST) -> tuple[Any, bytes]:
        """Read one frame, waiting at most `seconds` for all of it (None: no limit).

        Raises:
            TimeoutError: if the frame is not complete in time; the next call resumes with the bytes that came.
            TornFrameError: if the pipe closed, or carried no frame or one larger than `room`.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        self._fill(HEADER.size, deadline)
        text_size, blob_size = unpack_header(bytes(self._pending[: HEADER.size]))
        self.last_size = HEADER.size + text_size + blob_size
        if self.last_size > self.largest or text_size > room.text or blob_size > room.blob:
            raise TornFrameError("what arrived is larger than a frame may be")
        self._fill(self.last_size, deadline)
        text_end = HEADER.size + text_size
        text, raw = bytes(self._pending[HEADER.size : text_end]), bytes(self._pending[text_end : self.last_size])
        del self._pending[: self.last_size]
        try:
            message, self.last_values = _plain(text, room.values)
            return message, raw
        except (ValueError, RecursionError) as error:
            raise TornFrameError(NO_FRAME) from error

    def _fill(self, size: int, deadline: float | None) -> None:
        """Read until the first `size` bytes of the current frame are there; what comes after them waits its turn."""
        buffer = self._pending
        while len(buffer) < size:
            if deadline is not None:
                left = deadline - time.monotonic()
                if left <= 0 or not select.select([self.read_fd], [], [], left)[0]:
                    raise TimeoutError
            try:
                # A small frame comes whole, header and all, in one read.
                chunk = os.read(self.read_fd, min(max(size - len(buffer), SMALL), 1 << 20))
            except BlockingIOError:  # somebody else emptied the pipe meanwhile
                continue
            except OSError as error:
                raise TornFrameError("the pipe broke") from error
            if not chunk:
                raise TornFrameError(CLOSED)
            buffer += chunk

    def close(self) -> None:
        """Close both descriptors."""
        for fd in (self.read_fd, self.write_fd):
            with contextlib.suppress(OSError):
                os.close(fd)
