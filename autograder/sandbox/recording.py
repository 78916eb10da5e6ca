"""What a kernel would publish, kept as the outputs of the cell that runs: streams, displays, errors."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import tempfile
from typing import Any

from jupyter_client.session import Session
from nbformat.v4 import output_from_msg

from autograder.supervisor.limits import CELL_CHARACTERS, CELL_OUTPUTS, CUT_OFF

DESCRIPTORS = {"stdout": 1, "stderr": 2}


class RecordingSession(Session):
    """Turns messages into outputs as nbformat has them. There is no socket."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(key=b"", **kwargs)
        self.outputs: list[dict] = []
        self.characters = 0
        self._clear_next = False
        self._shown: dict[str, list[dict]] = {}

    def begin(self) -> None:
        """A new cell runs."""
        self.outputs, self.characters, self._clear_next, self._shown = [], 0, False, {}

    def send(self, stream: Any, msg_or_type: Any, content: Any = None, *args: Any, **kwargs: Any) -> None:
        """Record a message."""
        message = self.msg(msg_or_type, content) if isinstance(msg_or_type, str) else msg_or_type
        kind = message["header"]["msg_type"]
        if kind == "clear_output":
            self._clear_next = bool(message["content"].get("wait"))
            if not self._clear_next:
                self.outputs.clear()
        elif kind == "update_display_data":
            self._update(message["content"])
        else:
            with contextlib.suppress(ValueError):  # messages that are no outputs
                self._record(dict(output_from_msg(message)), message["content"].get("transient") or {})

    def admit(self, text: str) -> str:
        """As much of a text as a cell may still show; the first that is too much gets a note instead."""
        room = CELL_CHARACTERS - self.characters
        if room <= 0:
            return ""
        self.characters += len(text)
        return text if len(text) <= room else f"{text[:room]}\n{CUT_OFF}"

    def stream(self, name: str, text: str) -> None:
        """Record printed text, joined to what was printed just before."""
        last = self.outputs[-1] if self.outputs else {}
        if last.get("output_type") == "stream" and last.get("name") == name and not self._clear_next:
            last["text"] += text
        else:
            self._append({"output_type": "stream", "name": name, "text": text})

    def _record(self, output: dict, transient: dict) -> None:
        self.characters += sum(len(str(value)) for value in output.get("data", {}).values())
        if self.characters <= CELL_CHARACTERS:
            self._append(output)
            if "display_id" in transient:
                self._shown.setdefault(str(transient["display_id"]), []).append(output)

    def _update(self, content: dict) -> None:
        """Show something else in place of what this cell has shown under that id."""
        self.characters += sum(len(str(value)) for value in content["data"].values())
        if self.characters <= CELL_CHARACTERS:
            for output in self._shown.get(str(content.get("transient", {}).get("display_id")), []):
                output["data"], output["metadata"] = content["data"], content["metadata"]

    def _append(self, output: dict) -> None:
        if self._clear_next:
            self.outputs.clear()
            self._clear_next = False
        if len(self.outputs) < CELL_OUTPUTS:
            self.outputs.append(output)


class RecordedStream(io.TextIOBase):
    """Stands in for sys.stdout or sys.stderr: gathers text, as a kernel's stream does, until it is flushed."""

    encoding = "utf-8"

    def __init__(self, session: RecordingSession, name: str, low_level: int | None) -> None:
        self._session, self._name, self._low_level = session, name, low_level
        self._parts: list[str] = []

    def write(self, text: str) -> int:
        """Gather it."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if admitted := self._session.admit(text):
            self._parts.append(admitted)
        return len(text)

    def flush(self) -> None:
        """Record what has been gathered, and what was written past Python meanwhile."""
        parts, self._parts = self._parts, []
        text = "".join(parts) + self._session.admit(self._drained())
        if text:
            self._session.stream(self._name, text)

    def _drained(self) -> str:
        if self._low_level is None:
            return ""
        with contextlib.suppress(OSError):  # a cell may close or fill any descriptor
            return drain(self._low_level)
        return ""

    def writable(self) -> bool:
        """Always."""
        return True

    def fileno(self) -> int:
        """Where a subprocess may write instead."""
        return DESCRIPTORS[self._name]


def catch_low_level() -> dict[str, int]:
    """Let what C code and subprocesses write to the standard streams go to files without a name.

    Returns:
        For each stream, the descriptor of its file.
    """
    for descriptor in DESCRIPTORS.values():
        with tempfile.TemporaryFile() as file:
            os.dup2(file.fileno(), descriptor)
        fcntl.fcntl(descriptor, fcntl.F_SETFL, os.O_APPEND)  # so that it can be emptied under those who write
    return DESCRIPTORS


def drain(file: int) -> str:
    """What has been written since the last time; the file is empty afterwards."""
    size = os.fstat(file).st_size
    if not size:
        return ""
    written = os.pread(file, min(size, 4 * CELL_CHARACTERS), 0)
    os.ftruncate(file, 0)
    return written.decode(errors="replace")
