"""A real Jupyter server in a course's folder, with nbgrader's formgrader in it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path

TOKEN = "for-this-test"


QUIET = {"fetchNews": "false", "checkForUpdates": False}
"""JupyterLab's question whether it may fetch news, which would lie over what the tests look at."""


def home(folder: Path) -> dict[str, str]:
    """An environment in which a person without any settings of their own lives in that folder."""
    settings = folder / "settings"
    notification = settings / "@jupyterlab" / "apputils-extension" / "notification.jupyterlab-settings"
    notification.parent.mkdir(parents=True)
    notification.write_text(json.dumps(QUIET))
    return {
        "HOME": str(folder),
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(settings),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
        "IPYTHONDIR": str(folder / "ipython"),
    }


class Server:
    """A Jupyter server in a course's folder, of a person whose home lies beside it.

    Args:
        course: the folder.
        command: what starts it.
        environment: what the server's environment holds beside this process's.
    """

    def __init__(self, course: Path, command: Sequence[str] = ("jupyter", "lab"), **environment: str) -> None:
        self.course = course
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        options = [f"--port={self.port}", "--no-browser", "--allow-root", f"--IdentityProvider.token={TOKEN}"]
        self.process = subprocess.Popen(
            [*command, *options],
            cwd=course,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **home(course.with_name(f"{course.name}-home")), **environment},
        )

    def ask(self, path: str, method: str = "GET") -> object:
        """JSON from a path below the server's root."""
        return json.loads(self.page(path, method))

    def page(self, path: str, method: str = "GET") -> str:
        """Text from a path below the server's root."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/{path}", method=method, headers={"Authorization": f"token {TOKEN}"}
        )
        with urllib.request.urlopen(request, timeout=120) as answer:
            return answer.read().decode()

    def wait(self) -> None:
        """Until it answers."""
        for _ in range(120):
            try:
                self.ask("api/status")
                return
            except OSError:
                time.sleep(0.5)
        raise TimeoutError("the Jupyter server does not start")

    def __enter__(self) -> Server:
        try:
            self.wait()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exception: object) -> None:
        self.process.terminate()
        self.process.wait(30)

    def modules(self) -> set[str]:
        """Shared libraries in the server's memory, by file name."""
        maps = Path(f"/proc/{self.process.pid}/maps").read_text()
        return {line.rsplit("/", 1)[-1] for line in maps.splitlines() if "/" in line}
