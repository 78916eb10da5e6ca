"""A sandbox on systems without the supervisor: a plain process with resource limits and a scratch folder."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from typing import Any

from autograder.sandbox.limits import Limits
from autograder.supervisor.gpu import CUDA
from autograder.wire.files import lay_out, remove

KEPT_VARIABLES = ("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "LD_LIBRARY_PATH")


class PlainProcess:
    """A sandbox as a subprocess with a clean environment, in its own session."""

    def __init__(self, limits: Limits, requests: int, replies: int, device: str = "cpu", files: bytes = b"") -> None:
        self._scratch = tempfile.mkdtemp(prefix="sandbox-")
        try:
            lay_out(files, self._scratch)
        except BaseException:
            remove(self._scratch)
            raise
        environment = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
        folders = ("HOME", "TMPDIR", "IPYTHONDIR", "MPLCONFIGDIR", "JUPYTER_RUNTIME_DIR")
        environment |= dict.fromkeys(folders, self._scratch)
        if device != CUDA:
            environment["CUDA_VISIBLE_DEVICES"] = ""
        resources = {"CPU": round(limits.cpu), "FSIZE": limits.file, "NOFILE": limits.files, "CORE": 0}
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-m", "autograder.sandbox", str(requests), str(replies), json.dumps(resources)],
            pass_fds=(requests, replies),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            cwd=self._scratch,
            env=environment,
            start_new_session=True,
        )

    def interrupt(self) -> None:
        """Send SIGINT to the student's code, which may catch it."""
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGINT)

    def wait(self, seconds: float) -> dict[str, Any] | None:
        """Wait for the process to end; return `status` in os.waitpid's encoding, or None after a timeout."""
        try:
            code = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        return {"status": -code if code < 0 else code << 8}

    def end(self) -> None:
        """Kill the process and its process group, and remove its scratch folder."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        remove(self._scratch)
