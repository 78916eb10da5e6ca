"""Run cells as a Jupyter kernel does: in ipykernel's own shell, with its messages recorded instead of sent."""

from __future__ import annotations

import builtins
import codecs
import contextlib
import getpass
import os
import signal
import subprocess
import sys
from io import BufferedReader
from typing import Any, NoReturn, TextIO, cast

from ipykernel.compiler import XCachingCompiler
from ipykernel.zmqshell import ZMQInteractiveShell
from IPython.core.error import StdinNotImplementedError
from traitlets.config import Config

from autograder.sandbox.asserts import Asserts
from autograder.sandbox.recording import RecordedStream, RecordingSession, catch_low_level, drain


def no_input(prompt: object = "", stream: TextIO | None = None) -> NoReturn:
    """Refuse to read input, as a kernel does whose frontend has no keyboard."""
    raise StdinNotImplementedError("raw_input was called, but this frontend does not support input requests.")


def run_command(command: str) -> int:
    """Run a shell command, copy its output to sys.stdout as it arrives, and return its exit status."""
    text = codecs.getincrementaldecoder("utf-8")(errors="replace")
    with subprocess.Popen(
        ["/bin/sh", "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            while chunk := cast(BufferedReader, process.stdout).read1(1 << 16):
                sys.stdout.write(text.decode(chunk).replace("\n", "\r\n"))
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return process.returncode


class RecordingShell(ZMQInteractiveShell):  # type: ignore[misc]  # ipykernel is Any
    """ipykernel's shell without a kernel; it records the outputs of each cell."""

    recording: RecordingSession
    low_level: dict[str, int]
    asserts: Asserts | None = None
    asserting = False

    def ask_exit(self) -> None:
        """Ignore `exit`, so that it ends its cell and not the sandbox."""

    def enable_gui(self, gui: Any = None) -> None:
        """Start no event loop: `%matplotlib inline` needs none, and other backends get none."""

    def system_piped(self, cmd: str) -> None:
        """Run `!command` over a pipe, as a sandbox has no terminal, but end lines as on a terminal, like a kernel."""
        if cmd.rstrip().endswith("&"):
            raise OSError("Background processes not supported.")
        self.user_ns["_exit_code"] = run_command(self.var_expand(cmd, depth=1))

    system = system_piped

    def run(self, source: str) -> dict[str, Any]:
        """Run one cell.

        Returns:
            Its `outputs` (in nbformat's form), `ok`, whether it `complained` on stderr, the beginning of its
            `result` as text, and its execution `count`.
        """
        self.recording.begin()
        for file in self.low_level.values():
            with contextlib.suppress(OSError):
                drain(file)  # output between two cells belongs to neither
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
        told = self.recording
        ended = {"ok": bool(result.success), "complained": told.complained, "result": told.result, "count": count}
        return {"outputs": told.outputs} | ended

    def keep(self, modules: list[str], names: dict[str, tuple[str, str]]) -> None:
        """Keep from now on what cells with asserts rely on; see `Asserts`."""
        self.asserts = Asserts(self, modules, names)

    def run_released(self, request: dict[str, Any]) -> dict[str, Any]:
        """Run a cell whose text is the instructor's.

        Args:
            request: its `source`, the names of attributes that it `stores`, and of a cell with asserts, what it `uses`.

        Returns:
            What `run` does, and the names of what the notebook had `changed` beneath asserts, before or while they ran.
        """
        if self.asserts is None:
            return self.run(request["source"])
        used = request.get("uses")
        self.asserting = used is not None
        changed = self.asserts.put_back(used) if used is not None else []
        try:
            ran = self.run(request["source"])
        finally:
            self.asserting = False
        self.asserts.accept(request["stores"], moved="chdir" in request["source"] or "%cd" in request["source"])
        if used is not None:
            changed += [name for name in self.asserts.put_back([]) if name not in changed]
        return ran | {"changed": changed}

    def catch_low_level(self) -> None:
        """Record from now on what C code and subprocesses write to the standard streams."""
        self.low_level = catch_low_level()

    def forget(self) -> None:
        """Reset the shell to a new one's state: no names, results, tracebacks or execution count."""
        self.reset(new_session=True)
        self.recording.begin()
        self.execution_count = 1
        for name in ("last_traceback", "last_type", "last_value", "last_exc"):
            if hasattr(sys, name):
                delattr(sys, name)


def make_shell() -> RecordingShell:
    """Create this process's only shell."""
    config = Config()
    config.HistoryManager.enabled = False
    shell: RecordingShell = RecordingShell.instance(config=config, compiler_class=XCachingCompiler)
    shell.recording = RecordingSession()
    shell.low_level = {}
    builtins.input = getpass.getpass = no_input
    shell.displayhook.session = shell.display_pub.session = shell.recording
    shell.displayhook.topic = b"execute_result"
    return shell
