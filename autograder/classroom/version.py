"""Which version of the course this is: what stored answers, verdicts and other machines are compared with."""

from __future__ import annotations

import ast
import functools
import hashlib
import hmac
from importlib import metadata
from pathlib import Path

import autograder

ASKING = ("probes", "wire", "sandbox", "supervisor")
"""Folders of this package on whose code an answer to a given question depends."""
JUDGING = ("checks", "comparison", "diagnosis", "references")
"""Folders on which verdicts depend; which questions there are is kept beside the answers."""


@functools.cache
def torch_version() -> str:
    """Of the one that is installed, without loading it."""
    return metadata.version("torch")


@functools.cache
def sources(folders: tuple[str, ...]) -> str:
    """One digest of all files in these folders of the package."""
    root = Path(autograder.__file__).parent
    paths = (path for name in folders for path in sorted((root / name).rglob("*")))
    contents = (path.read_bytes() for path in paths if path.suffix in (".py", ".toml"))
    return hmac.new(b"", b"\0".join(contents), hashlib.sha256).hexdigest()


@functools.cache
def code(folders: tuple[str, ...]) -> str:
    """One digest of what the programs in these folders do: comments, docstrings and layout are not part of it."""
    root = Path(autograder.__file__).parent
    digest = hashlib.sha256()
    for path in (path for name in folders for path in sorted((root / name).rglob("*.py"))):
        tree = ast.parse(path.read_bytes())
        for node in ast.walk(tree):
            if isinstance(body := getattr(node, "body", None), list):
                node.body = [one for one in body if not _is_text(one)]
        digest.update(f"{path.relative_to(root)}\0{ast.dump(tree)}\0".encode())
    return digest.hexdigest()


def _is_text(statement: ast.AST) -> bool:
    """Whether a statement is a string that nothing is done with."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def version() -> str:
    """Of everything that a grade depends on: two machines with the same one give the same grades."""
    return f"{sources(('.',))[:12]} with torch {torch_version().partition('+')[0]}"
