"""Cells run as a Jupyter kernel runs them: ipykernel's own shell, its messages recorded, no socket."""

from __future__ import annotations

import builtins
import codecs
import contextlib
import getpass
import os
import signal
import subprocess
import sys
from typing import Any

from ipykernel.compiler import XCachingCompiler
from ipykernel.zmqshell import ZMQInteractiveShell
from IPython.core.error import StdinNotImplementedError
from traitlets.config import Config

from autograder.sandbox.recording import RecordedStream, RecordingSession, catch_low_level, drain


def no_input(prompt: str = "") -> str:
    """As where nobody sits at the keyboard."""
    raise StdinNotImplementedError("raw_input was called, but this frontend does not support input requests.")


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
        for file in self.low_level.values():
            with contextlib.suppress(OSError):
                drain(file)  # what came between two cells belongs to none
        count = self.execution_count
        stdout, stderr = sys.stdout, sys.stderr
        streams = [RecordedStream(self.recording, name, self.low_level.get(name)) for name in ("stdout", "stderr")]
        sys.stdout, sys.stderr = streams
        try:
            result = self.run_cell(source, store_history=True)
        finally:
            sys.stdout, sys.stderr = stdout, stderr
            for stream in streams:
                stream.flush()
        return {"outputs": self.recording.outputs, "ok": bool(result.success), "count": count}

    def catch_low_level(self) -> None:
        """From now on, show what is written past Python to the standard streams."""
        self.low_level = catch_low_level()

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
    shell = RecordingShell.instance(config=config, compiler_class=XCachingCompiler)
    shell.recording = RecordingSession()
    shell.low_level = {}
    builtins.input = getpass.getpass = no_input
    shell.displayhook.session = shell.display_pub.session = shell.recording
    shell.displayhook.topic = b"execute_result"
    return shell
