"""The provenance of a grade: the versions and checks that gave it, beside the submission itself.

Grading writes it into the graded notebook, so that later commands can say what has changed since.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import platform
import time
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import autograder
from autograder.tasks.folders import ExerciseFolder, exercise_folder
from autograder.tasks.tables import TaskFolderError

ASKING = ("probes", "wire", "sandbox", "supervisor")
"""Folders of this package whose code determines the answer to a given question."""
JUDGING = ("checks", "comparison", "diagnosis", "references", "tasks")
"""Folders of this package whose code, with the course's own, determines the verdict on given answers."""
UNJUDGED = ("hints.toml",)
"""Files of a task that no verdict depends on."""
PROVENANCE, HANDED_IN = "provenance", "handed_in"
"""Keys of a graded notebook's metadata: its provenance, and the digest of the file that was handed in."""
DIGITS = 16
FRESH_SECONDS = 5.0
MOST_NAMED = 6


@functools.cache
def torch_version() -> str:
    """Return the installed torch's version without loading torch."""
    return metadata.version("torch")


@functools.cache
def code_digest(folders: tuple[str, ...]) -> str:
    """Return one digest of the programs in these folders, without their comments, docstrings and layout."""
    digest = hashlib.sha256()
    for name, raw in _programs(folders):
        digest.update(f"{name}\0{_program(raw)}\0".encode())
    return digest.hexdigest()


@functools.cache
def source_digest(folders: tuple[str, ...]) -> str:
    """Return one digest of the files of programs in these folders, which takes milliseconds and not a second."""
    digest = hashlib.sha256()
    for _, raw in _programs(folders):
        digest.update(raw)
    return digest.hexdigest()[:DIGITS]


def _programs(folders: tuple[str, ...]) -> Iterator[tuple[Path, bytes]]:
    """Yield the programs in folders of this package: the path below it, and the file."""
    root = Path(autograder.__file__).parent
    for path in (path for name in folders for path in sorted((root / name).rglob("*.py"))):
        yield path.relative_to(root), path.read_bytes()


def provenance(exercise: str) -> dict[str, Any]:
    """Return what a grade of an exercise depends on beside the submission, as data for a notebook's metadata.

    Args:
        exercise: the notebook's name; one that is not the course's has no tasks.
    """
    try:
        folder = exercise_folder(exercise)
    except TaskFolderError:  # grading says so itself
        folder = None
    about: dict[str, Any] = {
        "torch": torch_version().partition("+")[0],
        "python": ".".join(platform.python_version_tuple()[:2]),
        "asking": source_digest(ASKING),
        "judging": source_digest(JUDGING),
    }
    return about if folder is None else about | _checks(folder, int(time.monotonic() / FRESH_SECONDS))


@functools.lru_cache(maxsize=64)
def _checks(folder: ExerciseFolder, now: int) -> dict[str, Any]:
    """Return digests of an exercise's checks, read again after a few seconds, because a Jupyter server lives long."""
    return {
        "shared": _digest(path for path in folder.path.glob("*.py")),
        "tasks": {task: _digest(_judged(folder, task)) for task in folder.tasks},
    }


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Say what has changed between two provenances, a clause each; nothing if the earlier one is unknown.

    Args:
        before: of the grade; empty if an earlier version of the course gave it.
        now: of a grade that would be given today.
    """
    said = [
        f"{name} is {now[key]} and was {before[key]}"
        for key, name in (("torch", "torch"), ("python", "Python"))
        if key in before and before[key] != now.get(key)
    ]
    then, today = (one.get("tasks") for one in (before, now))
    if isinstance(then, Mapping):
        there = today if isinstance(today, Mapping) else {}
        if gone := [task for task in then if task not in there]:
            said.append(f"the course no longer has {_named(gone)}, whose points a new judgement takes away")
        if other := [task for task in then if task in there and then[task] != there[task]]:
            said.append(f"the checks of {_named(other)} have changed")
        if "shared" in before and "shared" in now and before["shared"] != now["shared"]:
            said.append("files that the exercise's tasks share have changed")
    if any(key in before and before[key] != now.get(key) for key in ("asking", "judging")):
        said.append("the autograder's own code has changed")
    return said


def changed_points(worth: Mapping[str, float], now: Mapping[str, float]) -> list[str]:
    """Say which graded cells are worth other points now, as one clause; empty if none is.

    Args:
        worth: by grade_id, the points of the cells when they were graded.
        now: the same in the exercise now.
    """
    other = [
        f"{name.removeprefix('check_')} is worth {now[name]:g} and was worth {points:g}"
        for name, points in worth.items()
        if name in now and now[name] != points
    ]
    return [", ".join(other)] if other else []


def file_digest(raw: bytes) -> str:
    """Return a digest of a file that was handed in."""
    return hashlib.sha256(raw).hexdigest()[:32]


def _judged(folder: ExerciseFolder, task: str) -> Iterator[Path]:
    """Yield the files of a task that determine its verdict."""
    for path in (folder.path / task).rglob("*"):
        if path.suffix in (".py", ".toml") and path.name not in UNJUDGED:
            yield path


def _digest(paths: Iterator[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(paths):
        status = path.stat()
        digest.update(f"{path.name}\0{_content(path, status.st_mtime_ns, status.st_size)}\0".encode())
    return digest.hexdigest()[:DIGITS]


@functools.cache
def _content(path: Path, modified: int, size: int) -> str:
    """Return a file's content, a program without its comments, docstrings and layout; read again after a change."""
    raw = path.read_bytes()
    if path.suffix == ".py":
        try:
            return hashlib.sha256(_program(raw).encode()).hexdigest()
        except (SyntaxError, ValueError):
            pass
    return hashlib.sha256(raw).hexdigest()


def _program(raw: bytes) -> str:
    tree = ast.parse(raw)
    for node in ast.walk(tree):
        if isinstance(body := getattr(node, "body", None), list):
            body[:] = [one for one in body if not _is_text(one)]
    return ast.dump(tree)


def _is_text(statement: ast.AST) -> bool:
    """Tell whether a statement is a bare string, such as a docstring."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _named(tasks: list[str]) -> str:
    shown = ", ".join(tasks[:MOST_NAMED])
    return f"{shown} and {len(tasks) - MOST_NAMED} more" if len(tasks) > MOST_NAMED else shown
