"""One sandbox process, seen from the grader: requests with a deadline, an interrupt, an end.

This is the border. What stands behind it (today a plain subprocess with a clean environment and a scratch
folder) may change without anything else here knowing.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from typing import Any

from autograder.wire.frames import Channel, TornFrameError

START_SECONDS = 120.0
GRACE_SECONDS = 2.0
KEPT_VARIABLES = ("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "LD_LIBRARY_PATH")


class SandboxEndedError(Exception):
    """The process ended, or had to be ended, while it owed an answer.

    Attributes:
        kind: "time" or "killed".
        reason: in a few words, for the student.
    """

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind, self.reason = kind, reason


class SandboxProcess:
    """A running sandbox with one notebook's state."""

    def __init__(self) -> None:
        self._scratch = tempfile.mkdtemp(prefix="sandbox-")
        theirs_read, ours_write = os.pipe()
        ours_read, theirs_write = os.pipe()
        environment = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
        environment |= {"HOME": self._scratch, "TMPDIR": self._scratch, "IPYTHONDIR": self._scratch}
        environment |= {"MPLCONFIGDIR": self._scratch, "JUPYTER_RUNTIME_DIR": self._scratch}
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-m", "autograder.sandbox", str(theirs_read), str(theirs_write)],
            pass_fds=(theirs_read, theirs_write),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=self._scratch,
            env=environment,
            start_new_session=True,
        )
        os.close(theirs_read)
        os.close(theirs_write)
        self._channel = Channel(ours_read, ours_write)
        self._ready = False

    def _wait_until_ready(self) -> None:
        try:
            self._channel.receive(START_SECONDS)
        except (TornFrameError, TimeoutError):
            self._process.kill()
            said = self._process.stderr.read().decode(errors="replace")[-2000:]
            raise RuntimeError(f"the sandbox does not start: {said}") from None
        self._ready = True

    def request(self, message: dict, blob: bytes = b"", *, seconds: float) -> tuple[dict, bytes, bool]:
        """Send one request and wait for its reply.

        Returns:
            The reply, its raw bytes, and whether it came only after an interrupt.

        Raises:
            SandboxEndedError: where no reply came; the process is gone then.
        """
        if not self._ready:
            self._wait_until_ready()
        try:
            self._channel.send(message, blob)
            with contextlib.suppress(TimeoutError):
                return *self._reply(seconds), False
            self._signal(signal.SIGINT)
            return *self._reply(GRACE_SECONDS), True
        except TimeoutError:
            self.close()
            raise SandboxEndedError("time", "it did not stop when its time was over") from None
        except TornFrameError:
            reason = self._how_it_ended()
            self.close()
            raise SandboxEndedError("killed", reason) from None

    def _reply(self, seconds: float) -> tuple[dict, bytes]:
        reply, blob = self._channel.receive(seconds)
        if not isinstance(reply, dict):
            raise TornFrameError("a reply is a dict")
        return reply, blob

    def _how_it_ended(self) -> str:
        try:
            code = self._process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            return "it closed its pipe to the grader"
        if code < 0:
            with contextlib.suppress(ValueError):
                return f"it was ended by {signal.Signals(-code).name}"
        return f"it exited with status {code}"

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(number)

    def close(self) -> None:
        """End the process and all that it started in its group, and remove its scratch folder."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process.stderr.close()
        self._channel.close()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def __enter__(self) -> SandboxProcess:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()
