"""`autograder work` fills the workspace; `autograder lab` does so too and opens JupyterLab on it, as students need it.

Jupyter's documented places for settings are used, in a hidden folder of the workspace: nbgrader's tools for instructors
are off, Markdown opens as a page, and no dialogue about news stands before the first notebook.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from autograder.desk.welcome import WELCOME
from autograder.desk.workspace import Filled, Workspace, WorkspaceError, not_readable
from autograder.terminal import Terminal, complain
from autograder.whole_files import is_refused, write_whole

SETTINGS = ".jupyter"
EXCHANGE = "NBGRADER_EXCHANGE"
"""The environment variable that names the folder through which a class hands in."""
FOR_INSTRUCTORS = ("formgrader", "course-list", "create-assignment")
HANDING_IN = "assignment-list"
VALIDATE = "validate-assignment"
CONFIGURATION = "nbgrader_config.py"
OURS = '''"""Made by `autograder lab`: the Assignment List hands in as the course's configuration says."""

load_subconfig("../../nbgrader_config.py")
'''


def fill_workspace(take: list[str]) -> int:
    """Fill the workspace and say what is new, or take newer versions.

    Args:
        take: names of notebooks whose newer version is wanted.

    Returns:
        The exit status: 0, or 2 if the workspace cannot be made or a notebook does not exist.
    """
    console = Terminal()
    try:
        workspace = Workspace.above(Path.cwd())
        console.lines((line for name in take for line in _taken(workspace, name)) if take else _filled(workspace))
    except (WorkspaceError, OSError) as error:
        complain("autograder work", _sentence(error))
        return 2
    return 0


def open_lab(options: list[str]) -> int:
    """Fill the workspace and open JupyterLab on it.

    Args:
        options: further options of `jupyter lab`.

    Returns:
        JupyterLab's exit status, or 2 if the workspace cannot be made.
    """
    try:
        workspace = Workspace.above(Path.cwd())
        Terminal().lines([*_filled(workspace), "JupyterLab opens in your browser; Ctrl-C here ends it"])
        settings = workspace.folder / SETTINGS
        for name, content in _settings(workspace.course).items():
            workspace.refuse_links(settings / name)
            write_whole(settings / name, content.encode())
    except (WorkspaceError, OSError) as error:
        complain("autograder lab", _sentence(error))
        return 2
    path = os.pathsep.join(filter(None, [str(settings), os.environ.get("JUPYTER_CONFIG_PATH", "")]))
    # -P: Python would import what lies in the course's folder first.
    command = [sys.executable, "-P", "-m", "jupyterlab", *_options(workspace, options), *options]
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])  # for its terminals
    return _run(command, workspace.course, os.environ | {"JUPYTER_CONFIG_PATH": path, "PATH": programs})


def _run(command: list[str], folder: Path, environment: dict[str, str]) -> int:
    """Become that program, where the system can; else wait for it, and leave Ctrl-C to it."""
    if sys.platform != "win32":
        os.chdir(folder)
        sys.stdout.flush()
        os.execve(command[0], command, environment)
    signal.signal(signal.SIGINT, lambda *_: None)
    return subprocess.call(command, cwd=folder, env=environment)


def _options(workspace: Workspace, given: list[str]) -> list[str]:
    """Return JupyterLab's options; its log stays out of the way of what was said, unless somebody asks for it."""
    asks = any(option.startswith(("--log-level", "--debug", "--Application.log_level")) for option in given)
    return [
        *([] if asks else ["--log-level=WARN"]),
        f"--ServerApp.root_dir={workspace.folder}",
        f"--LabApp.default_url=/lab/tree/{WELCOME}",
        f"--LabApp.workspaces_dir={workspace.folder / SETTINGS / 'layouts'}",
    ]


def _settings(course: Path) -> dict[str, str]:
    """Return the files of settings, by their paths."""
    hidden = (*FOR_INSTRUCTORS, *([] if os.environ.get(EXCHANGE) else [HANDING_IN]))
    shown = [name for name in (HANDING_IN, VALIDATE) if name not in hidden]
    servers = {f"nbgrader.server_extensions.{name.replace('-', '_')}": name in shown for name in (*hidden, *shown)}
    servers.pop("nbgrader.server_extensions.create_assignment")  # has no part in the server
    plugins = [*hidden, *([] if HANDING_IN in shown else ["menu"])]  # which would be empty
    files: dict[str, Any] = {
        "jupyter_server_config.d/nbgrader.json": {"ServerApp": {"jpserver_extensions": servers}},
        "labconfig/page_config.json": {"disabledExtensions": {f"@jupyter/nbgrader:{name}": True for name in plugins}},
        "labconfig/default_setting_overrides.json": {
            "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
            "@jupyterlab/docmanager-extension:plugin": {"defaultViewers": {"markdown": "Markdown Preview"}},
        },
    }
    made = {name: json.dumps(content, indent=1) for name, content in files.items()}
    return made | ({CONFIGURATION: OURS} if (course / CONFIGURATION).is_file() else {})


def _filled(workspace: Workspace) -> list[str]:
    """Fill the workspace, and say what became of it."""
    filled = workspace.fill()
    return [*_said(filled), *(not_readable(path.relative_to(workspace.course)) for path in filled.unreadable)]


def _said(filled: Filled) -> list[str]:
    """Say what is new in the workspace, what was taken over, and what the course has a newer version of."""
    lines = [f"work/ is ready; new in it: {_listed(filled.new)}" if filled.new else "work/ is ready"]
    if filled.begun:
        lines.append(
            f"Your answers from exercises/ are in work/ now: {', '.join(filled.begun)}. If `git pull` stops at these "
            "files, run `git restore exercises` first; it leaves work/ unchanged"
        )
    if filled.behind:
        lines.append(
            f"exercises/ has answers that work/ does not have: {', '.join(filled.behind)}. Copy what you need before "
            "you run `git restore exercises`, which discards them"
        )
    if filled.newer:
        lines.append(
            f"The course has a newer version of {', '.join(filled.newer)}. Yours stays as it is; "
            f"`autograder work --take {filled.newer[0]}` takes the newer one with your answers, and keeps yours"
        )
    return lines


def _listed(names: tuple[str, ...], most: int = 3) -> str:
    return (
        ", ".join(names) if len(names) <= most else f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"
    )


def _taken(workspace: Workspace, name: str) -> Iterator[str]:
    copy, kept, taken = workspace.take(name)
    here = workspace.course
    if kept is None:
        yield f"{copy.relative_to(here)} is the newest version"
        return
    yield f"{copy.relative_to(here)} is the newer version now; yours is kept as {kept.relative_to(here)}"
    if taken.changed:
        yield f"The text of these tasks has changed; read it, and check your answers again: {', '.join(taken.changed)}"
    if taken.gone:
        yield f"The course has these tasks no more; your answers are only in the kept file: {', '.join(taken.gone)}"
    yield "If the notebook is open in JupyterLab, choose File > Reload Notebook from Disk"


def _sentence(error: Exception) -> str:
    if not isinstance(error, OSError):
        return str(error)
    why = f"{error.filename or 'work/'}: {error.strerror or error}"
    if is_refused(error):
        return f"{why}. The course's folder must be one that you may write in: copy it to your own, and start there"
    return f"{why}. Your files are unchanged; make room, or repair this, and try again"
