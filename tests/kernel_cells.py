"""A real kernel that is sent cells as a front end sends them: with the cell's id, and text that may have changed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from jupyter_client.manager import start_new_kernel

SECONDS = 60


class Kernel:
    """A kernel in a folder, of a notebook file if one is named.

    Args:
        folder: where it starts.
        notebook: the file that Jupyter's server would tell it.
        environment: further variables.
    """

    def __init__(self, folder: Path, notebook: Path | None = None, **environment: str) -> None:
        named = {} if notebook is None else {"JPY_SESSION_NAME": str(notebook)}
        self._manager, self._client = start_new_kernel(cwd=str(folder), env=os.environ | named | environment)

    def run(self, source: str, cell: str | None = None) -> list[dict[str, Any]]:
        """Run a cell with this id.

        Returns:
            The content of each message that it showed.
        """
        content = {"code": source, "silent": False, "store_history": True, "user_expressions": {}}
        content |= {"allow_stdin": True, "stop_on_error": False}
        metadata = {} if cell is None else {"cellId": cell}
        message = self._client.session.msg("execute_request", content, metadata=metadata)
        self._client.shell_channel.send(message)
        shown: list[dict[str, Any]] = []
        while True:
            got = self._client.get_iopub_msg(timeout=SECONDS)
            if got["parent_header"].get("msg_id") != message["header"]["msg_id"]:
                continue
            if got["msg_type"] == "status" and got["content"]["execution_state"] == "idle":
                self._client.get_shell_msg(timeout=SECONDS)
                return shown
            shown.append(got["content"])

    def card(self, source: str, kind: str = "text/plain") -> str:
        """What the display of a check says, as text on one line, or as HTML."""
        found = [one["data"][kind] for one in self.run(source) if "text/html" in one.get("data", {})]
        return " ".join(" ".join(found).split())

    def close(self) -> None:
        """End the kernel."""
        self._client.stop_channels()
        self._manager.shutdown_kernel(now=True)

    def __enter__(self) -> Kernel:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
