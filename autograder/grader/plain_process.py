"""A sandbox where no supervisor can fork one: a process with a few limits, and a scratch folder."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

from autograder.supervisor.gpu import CUDA
from autograder.supervisor.limits import Limits

KEPT_VARIABLES = ("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "LD_LIBRARY_PATH")


class PlainProcess:
    """A subprocess with a clean environment, in a session of its own."""

    def __init__(self, limits: Limits, requests: int, replies: int, device: str = "cpu") -> None:
        self._scratch = tempfile.mkdtemp(prefix="sandbox-")
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
        """Stop what the student's code is doing, if it lets itself be stopped."""
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGINT)

    def wait(self, seconds: float) -> dict | None:
        """How it ended: `status` as os.waitpid has it; None where it has not ended in that time."""
        try:
            code = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        return {"status": -code if code < 0 else code << 8}

    def end(self) -> None:
        """End the process and all that it started in its group, and remove its scratch folder."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        shutil.rmtree(self._scratch, ignore_errors=True)
