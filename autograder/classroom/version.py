"""Digests that identify the course's version, compared with those of stored answers, verdicts and other machines."""

from __future__ import annotations

import ast
import functools
import hashlib
import hmac
from importlib import metadata
from pathlib import Path

import autograder
from autograder.tasks.folders import TASKS, course_folder

ASKING = ("probes", "wire", "sandbox", "supervisor")
"""Folders of this package whose code determines the answer to a given question."""
JUDGING = ("checks", "comparison", "diagnosis", "references", "tasks")
"""Folders of this package whose code, with the course's own, determines the verdict on given answers."""


@functools.cache
def torch_version() -> str:
    """Return the installed torch's version without loading torch."""
    return metadata.version("torch")


def judging_digest() -> str:
    """Return one digest of all files that determine verdicts."""
    return _sources(JUDGING, course_folder())


@functools.cache
def _sources(folders: tuple[str, ...], course: Path) -> str:
    root = Path(autograder.__file__).parent
    places = [root / name for name in folders] + sorted(course.glob(f"*/{TASKS}"))
    paths = (path for place in places for path in sorted(place.rglob("*")))
    contents = (path.read_bytes() for path in paths if path.suffix in (".py", ".toml"))
    return hmac.new(b"", b"\0".join(contents), hashlib.sha256).hexdigest()


@functools.cache
def code_digest(folders: tuple[str, ...]) -> str:
    """Return one digest of the programs in these folders, without their comments, docstrings and layout."""
    root = Path(autograder.__file__).parent
    digest = hashlib.sha256()
    for path in (path for name in folders for path in sorted((root / name).rglob("*.py"))):
        tree = ast.parse(path.read_bytes())
        for node in ast.walk(tree):
            if isinstance(body := getattr(node, "body", None), list):
                body[:] = [one for one in body if not _is_text(one)]
        digest.update(f"{path.relative_to(root)}\0{ast.dump(tree)}\0".encode())
    return digest.hexdigest()


def _is_text(statement: ast.AST) -> bool:
    """Tell whether a statement is a bare string, such as a docstring."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def version() -> str:
    """Return the version of everything that determines a grade: machines with the same version give the same grades."""
    return f"{_sources(('.',), course_folder())[:12]} with torch {torch_version().partition('+')[0]}"
