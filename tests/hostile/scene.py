"""What lies outside the sandboxes while attacks run: a canary, listeners, a folder, the grader itself."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

# Names that a hostile cell may use; the scene gives them their values.
FOLDER = CANARY = TOKEN = ABSTRACT = UNIX = ""
GRADER = PORT = UDP = 0

VARIABLE = "HOSTILE_CANARY"
"""An environment variable of the grader and all its workers, with a secret as its value."""
PREFIX = "canary-"
"""How each secret begins: an attack may know that, and search memory for it."""
NOTING_SECONDS = 10


class Scene:
    """Set up once for all attacks.

    Attributes:
        secrets: texts that may occur in nothing that comes back.
        visits: listeners at which somebody knocked.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.token = secrets.token_hex(8)
        in_file, in_environment = (PREFIX + secrets.token_hex(16) for _ in range(2))
        self.secrets = [in_file, in_environment]
        self.canary = folder / "gradebook" / "secret_seed"
        self.canary.parent.mkdir()
        self.canary.write_text(in_file)
        self.canary.chmod(0o644)
        os.environ[VARIABLE] = in_environment
        self.visits: set[str] = set()
        self._sockets: list[socket.socket] = []
        self._listen("tcp", socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))
        self._listen("udp", socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))
        self._listen("unix", socket.AF_UNIX, socket.SOCK_STREAM, str(folder / "socket"))
        self._listen("abstract", socket.AF_UNIX, socket.SOCK_STREAM, f"\0hostile-{self.token}")
        self.files = self._files()

    def _listen(self, name: str, family: int, kind: int, address: object) -> None:
        server = socket.socket(family, kind)
        server.bind(address)
        if kind == socket.SOCK_STREAM:
            server.listen()
        self._sockets.append(server)
        threading.Thread(target=self._note, args=(name, server), daemon=True).start()

    def _note(self, name: str, server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                if server.type == socket.SOCK_STREAM:
                    visitor = server.accept()[0]
                    self.visits.add(name)
                    visitor.close()
                else:
                    server.recvfrom(100)
                    self.visits.add(name)

    def is_visited(self, since: set[str]) -> bool:
        """Whether a further listener was reached, which its thread may note after the visitor has ended."""
        deadline = time.monotonic() + NOTING_SECONDS
        while self.visits <= since and time.monotonic() < deadline:
            time.sleep(0.01)
        return not self.visits <= since

    @property
    def values(self) -> dict[str, str | int]:
        """The names in capitals with their values."""
        tcp, udp, *_ = self._sockets
        return {
            "FOLDER": str(self.folder),
            "CANARY": str(self.canary),
            "TOKEN": self.token,
            "GRADER": os.getpid(),
            "PORT": tcp.getsockname()[1],
            "UDP": udp.getsockname()[1],
            "UNIX": str(self.folder / "socket"),
            "ABSTRACT": f"\0hostile-{self.token}",
        }

    def cell(self, source: str) -> str:
        """A hostile cell with the values of the names that it uses."""
        lines = [f"{name} = {value!r}\n" for name, value in self.values.items() if name in source]
        # In two pieces, so that a traceback that quotes the cell does not show the word.
        return "".join(lines) + source.replace('"BREACH', '"BRE" "ACH')

    def outside(self, source: str) -> str:
        """What the cell prints in a plain Python process beside the grader."""
        done = subprocess.run(
            [sys.executable, "-c", self.cell(source)], capture_output=True, text=True, timeout=120, cwd=self.folder
        )
        return done.stdout + done.stderr

    def _files(self) -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}

    def traces(self) -> list[str]:
        """What an attack left on this machine: files, processes, visits, segments of memory."""
        found = [f"{name} was reached" for name in sorted(self.visits)]
        if self._files() != self.files:
            found.append("files beside the grader changed")
        for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run", "/", str(Path.home())):
            found += [str(path) for path in Path(folder).glob(f"*{self.token}*")]
        for process in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                if self.token.encode() in process.read_bytes():
                    found.append(f"process {process.parent.name} lives on")
        segments = Path("/proc/sysvipc/shm")
        if segments.exists() and str(0x5EED5EED) in segments.read_text():
            found.append("a System V segment lives on")
        return found

    def restore(self) -> None:
        """Put the folder back to what it was."""
        for path in self.folder.rglob("*"):
            if path.is_file() and str(path) not in self.files:
                path.unlink()
        for name, content in self.files.items():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_bytes(content)

    def close(self) -> None:
        """Close the listeners."""
        os.environ.pop(VARIABLE, None)
        for server in self._sockets:
            server.close()
