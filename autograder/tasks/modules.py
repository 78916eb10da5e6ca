"""Import the Python files of task folders, as modules of one package per course.

So `from ..shared import leaf` works in a task folder, although an exercise's name begins with a digit and the course is
not on `sys.path`; and each file is imported only once.
"""

from __future__ import annotations

import hashlib
import importlib
import sys
import traceback
import types
from pathlib import Path

from autograder.tasks.folders import TASKS
from autograder.tasks.tables import TaskFolderError
from autograder.tasks.versions import source_of_version


def module(file: Path) -> types.ModuleType:
    """Import a file of a task folder, or of the folder above it.

    Args:
        file: somewhere below a course's `_tasks`.

    Raises:
        TaskFolderError: if it cannot be imported; the message names the file and the line.
    """
    file = file.resolve()
    tasks = next(folder for folder in file.parents if folder.name == TASKS)
    course = tasks.parent.parent
    own, version = source_of_version(file.parent)
    package = _package(course, *own.parents[2:3] if version else ())  # a version's folder holds nothing else
    name = ".".join((package, *file.relative_to(course).with_suffix("").parts))
    try:
        return importlib.import_module(name)
    except TaskFolderError:
        raise
    except Exception as error:
        said = error.msg if isinstance(error, SyntaxError) else str(error).replace(f"{_package(course)}.", "")
        raise TaskFolderError(f"{_where(error, file, course)}: {type(error).__name__}: {said}") from error


def _package(course: Path, *also: Path) -> str:
    """Return the name of a package that consists of a course's folder; create it on first use.

    Args:
        course: the course's folder.
        also: folders of which it has what the course's folder lacks.
    """
    name = f"course_{hashlib.sha256(str(course).encode()).hexdigest()[:8]}"
    if name not in sys.modules:
        package = types.ModuleType(name, f"The task folders of {course}.")
        package.__path__ = [*map(str, (course, *also))]
        sys.modules[name] = package
    return name


def _where(error: Exception, file: Path, course: Path) -> str:
    """Return the file and line of the course that raised an exception; only `file` if no frame is in the course."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}, line {error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(course)]
    return f"{own[-1].filename}, line {own[-1].lineno}" if own else str(file)
