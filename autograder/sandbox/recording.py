"""Record what a kernel would publish as outputs of the running cell: streams, displays, errors."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import tempfile
from typing import Any

from jupyter_client.session import Session
from nbformat.v4 import output_from_msg

from autograder.sandbox.limits import CELL_CHARACTERS, CELL_OUTPUTS, CUT_OFF

LONGEST_RESULT = 100
DESCRIPTORS = {"stdout": 1, "stderr": 2}


class RecordingSession(Session):
    """A session that turns messages into nbformat outputs instead of sending them to a socket.

    Attributes:
        outputs: of the running cell, as far as they may be shown.
        characters: how many it has put out, those that are cut off included.
        complained: whether any of them went to stderr.
        result: the beginning of the text of the cell's result, which may be points; None without one.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(key=b"", **kwargs)
        self.outputs: list[dict[str, Any]] = []
        self.characters = 0
        self.complained = False
        self.result: str | None = None
        self._clear_next = False
        self._shown: dict[str, list[dict[str, Any]]] = {}

    def begin(self) -> None:
        """Forget the last cell's outputs, because a new cell starts."""
        self.outputs, self.characters, self._clear_next, self._shown = [], 0, False, {}
        self.complained, self.result = False, None

    def send(self, stream: Any, msg_or_type: Any, content: Any = None, *args: Any, **kwargs: Any) -> None:
        """Record a message."""
        message = self.msg(msg_or_type, content) if isinstance(msg_or_type, str) else msg_or_type
        kind = message["header"]["msg_type"]
        if kind == "clear_output":
            self._clear_next = bool(message["content"].get("wait"))
            if not self._clear_next:
                self._clear()
        elif kind == "update_display_data":
            self._update(message["content"])
        else:
            with contextlib.suppress(ValueError):  # not every message is an output
                output = output_from_msg(message)
                self._record(dict(output), message["content"].get("transient") or {})

    def admit(self, text: str) -> str:
        """Return the part of a text that the cell may still show; add a note to the first that is cut."""
        room = CELL_CHARACTERS - self.characters
        if room <= 0:
            return ""
        self.characters += len(text)
        return text if len(text) <= room else f"{text[:room]}\n{CUT_OFF}"

    def stream(self, name: str, text: str) -> None:
        """Record printed text, appended to the last output if that is the same stream."""
        last = self.outputs[-1] if self.outputs else {}
        if last.get("output_type") == "stream" and last.get("name") == name and not self._clear_next:
            last["text"] += text
        else:
            self._append({"output_type": "stream", "name": name, "text": text})
        self.complained |= name == "stderr"

    def _record(self, output: dict[str, Any], transient: dict[str, Any]) -> None:
        if output["output_type"] == "execute_result":
            self.result = str(output["data"].get("text/plain", ""))[:LONGEST_RESULT]
        self.characters += sum(len(str(value)) for value in output.get("data", {}).values())
        if self.characters <= CELL_CHARACTERS:
            self._append(output)
            if "display_id" in transient:
                self._shown.setdefault(str(transient["display_id"]), []).append(output)

    def _clear(self) -> None:
        """Clear the cell's outputs, which then count for nothing."""
        self.outputs.clear()
        self.complained, self.result = False, None

    def _update(self, content: dict[str, Any]) -> None:
        """Replace what this cell has shown under a display id."""
        self.characters += sum(len(str(value)) for value in content["data"].values())
        if self.characters <= CELL_CHARACTERS:
            for output in self._shown.get(str(content.get("transient", {}).get("display_id")), []):
                output["data"], output["metadata"] = content["data"], content["metadata"]

    def _append(self, output: dict[str, Any]) -> None:
        if self._clear_next:
            self._clear()
            self._clear_next = False
        if len(self.outputs) < CELL_OUTPUTS:
            self.outputs.append(output)


class RecordedStream(io.TextIOBase):
    """A replacement for sys.stdout or sys.stderr that buffers text until it is flushed, like a kernel's stream."""

    encoding = "utf-8"

    def __init__(self, session: RecordingSession, name: str, low_level: int | None) -> None:
        self._session, self._name, self._low_level = session, name, low_level
        self._parts: list[str] = []

    def write(self, text: str) -> int:
        """Buffer the part of a text that the cell may still show."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._session.complained |= bool(text) and self._name == "stderr"
        if admitted := self._session.admit(text):
            self._parts.append(admitted)
        return len(text)

    def flush(self) -> None:
        """Record the buffered text, then what was written to the descriptor directly."""
        parts, self._parts = self._parts, []
        drained = self._drained()
        self._session.complained |= bool(drained) and self._name == "stderr"
        text = "".join(parts) + self._session.admit(drained)
        if text:
            self._session.stream(self._name, text)

    def _drained(self) -> str:
        if self._low_level is None:
            return ""
        with contextlib.suppress(OSError):  # a cell may close or reuse any descriptor
            return drain(self._low_level)
        return ""

    def writable(self) -> bool:
        """Return True."""
        return True

    def fileno(self) -> int:
        """Return the descriptor that a subprocess may write to."""
        return DESCRIPTORS[self._name]


def catch_low_level() -> dict[str, int]:
    """Redirect the descriptors of stdout and stderr, which C code and subprocesses use, to unnamed files.

    Returns:
        The descriptor of each stream's file.
    """
    for descriptor in DESCRIPTORS.values():
        with tempfile.TemporaryFile() as file:
            os.dup2(file.fileno(), descriptor)
        fcntl.fcntl(descriptor, fcntl.F_SETFL, os.O_APPEND)  # so that `drain` can truncate it while others write
    return DESCRIPTORS


def drain(file: int) -> str:
    """Return what has been written to a file and empty it."""
    size = os.fstat(file).st_size
    if not size:
        return ""
    written = os.pread(file, min(size, 4 * CELL_CHARACTERS), 0)
    os.ftruncate(file, 0)
    return written.decode(errors="replace")
