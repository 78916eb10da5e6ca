"""Which version of the course this is: what stored answers, verdicts and other machines are compared with."""

from __future__ import annotations

import functools
import hashlib
import hmac
from importlib import metadata
from pathlib import Path

import autograder

ASKING = ("probes", "wire", "sandbox", "supervisor")
"""Folders of this package on which an answer to a given question depends."""
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


def version() -> str:
    """Of everything that a grade depends on: two machines with the same one give the same grades."""
    return f"{sources(('.',))[:12]} with torch {torch_version().partition('+')[0]}"
