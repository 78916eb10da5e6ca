"""Cells run as a Jupyter kernel runs them: ipykernel's own shell, its messages recorded, no socket."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import signal
import subprocess
import sys
from typing import Any

from ipykernel.zmqshell import ZMQInteractiveShell
from jupyter_client.session import Session
from nbformat.v4 import output_from_msg
from traitlets.config import Config

MOST_CHARACTERS = 1_000_000  # of one cell's outputs
MOST_OUTPUTS = 1_000


class RecordingSession(Session):
    """Turns what a kernel would publish into the outputs of the cell that runs."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(key=b"", **kwargs)
        self.outputs: list[dict] = []
        self.characters = 0
        self._clear_next = False

    def begin(self) -> None:
        """A new cell runs."""
        self.outputs, self.characters, self._clear_next = [], 0, False

    def send(self, stream: Any, msg_or_type: Any, content: Any = None, *args: Any, **kwargs: Any) -> None:
        """Record a message; the socket is None."""
        message = msg_or_type
        if isinstance(msg_or_type, str):
            message = self.msg(msg_or_type, content)
        kind = message["header"]["msg_type"]
        if kind == "clear_output":
            self._clear_next = bool(message["content"].get("wait"))
            if not self._clear_next:
                self.outputs.clear()
            return
        if kind == "update_display_data":
            kind = message["header"]["msg_type"] = "display_data"
        with contextlib.suppress(ValueError):  # messages that are no outputs
            self._record(dict(output_from_msg(message)))

    def stream(self, name: str, text: str) -> None:
        """Record printed text, joined to what was printed just before."""
        last = self.outputs[-1] if self.outputs else {}
        room = MOST_CHARACTERS - self.characters
        if room <= 0:
            return
        self.characters += len(text)
        text = text if len(text) <= room else text[:room] + "\n... and more that was cut off\n"
        if last.get("output_type") == "stream" and last.get("name") == name and not self._clear_next:
            last["text"] += text
        else:
            self._append({"output_type": "stream", "name": name, "text": text})

    def _record(self, output: dict) -> None:
        self.characters += sum(len(str(value)) for value in output.get("data", {}).values())
        if self.characters <= MOST_CHARACTERS:
            self._append(output)

    def _append(self, output: dict) -> None:
        if self._clear_next:
            self.outputs.clear()
            self._clear_next = False
        if len(self.outputs) < MOST_OUTPUTS:
            self.outputs.append(output)


class RecordedStream(io.TextIOBase):
    """Stands in for sys.stdout or sys.stderr."""

    encoding = "utf-8"

    def __init__(self, session: RecordingSession, name: str) -> None:
        self._session, self._name = session, name

    def write(self, text: str) -> int:
        """Record it."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if text:
            self._session.stream(self._name, text)
        return len(text)

    def writable(self) -> bool:
        """Always."""
        return True


def run_command(command: str) -> int:
    """Run a shell command, its output on sys.stdout as it comes; returns its status as Python gives it."""
    text = codecs.getincrementaldecoder("utf-8")(errors="replace")
    with subprocess.Popen(
        ["/bin/sh", "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            while chunk := process.stdout.read1(1 << 16):
                sys.stdout.write(text.decode(chunk).replace("\n", "\r\n"))
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return process.returncode


class RecordingShell(ZMQInteractiveShell):
    """ipykernel's shell without a kernel around it."""

    def ask_exit(self) -> None:
        """`exit` in a cell ends the cell, not the grading."""

    def enable_gui(self, gui: Any = None) -> None:
        """`%matplotlib inline` asks for no event loop, and any other gets none."""

    def system_piped(self, cmd: str) -> None:
        """`!command`, over a pipe: a sandbox has no terminals. Lines end as on a terminal, as in a kernel."""
        if cmd.rstrip().endswith("&"):
            raise OSError("Background processes not supported.")
        self.user_ns["_exit_code"] = run_command(self.var_expand(cmd, depth=1))

    system = system_piped

    def run(self, source: str) -> dict:
        """Run one cell.

        Returns:
            Its `outputs` (as nbformat has them), `ok`, and the `count` of executions.
        """
        self.recording.begin()
        count = self.execution_count
        stdout, stderr = sys.stdout, sys.stderr
        sys.stdout = RecordedStream(self.recording, "stdout")
        sys.stderr = RecordedStream(self.recording, "stderr")
        try:
            result = self.run_cell(source, store_history=True)
        finally:
            sys.stdout, sys.stderr = stdout, stderr
        return {"outputs": self.recording.outputs, "ok": bool(result.success), "count": count}

    def forget(self) -> None:
        """Be as new: names, counts, results and tracebacks of what has run are gone."""
        self.reset(new_session=True)
        self.recording.begin()
        self.execution_count = 1
        for name in ("last_traceback", "last_type", "last_value", "last_exc"):
            if hasattr(sys, name):
                delattr(sys, name)


def make_shell() -> RecordingShell:
    """The one shell of this process."""
    config = Config()
    config.HistoryManager.enabled = False
    shell = RecordingShell.instance(config=config)
    shell.recording = RecordingSession()
    shell.displayhook.session = shell.display_pub.session = shell.recording
    shell.displayhook.topic = b"execute_result"
    return shell
