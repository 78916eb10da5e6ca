"""Check Python, torch and the packages that the course needs; explain in one sentence what is wrong.

Imported before anything else, by any Python: it uses only the standard library and syntax that Python 3.9 can parse.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Iterator

PYTHON = (3, 11, 2)
"""The oldest supported Python, with which every pinned package is tested."""
COURSE = "gradients-course"
"""This package's name for pip; `autograder` on the package index is another project."""
SUMMARY = "A course on gradients in PyTorch that grades itself"
"""The summary in pyproject.toml."""
TORCH = "2.13.0"
"""The torch that the course was written for and tested with."""
GRADING = ("AUTOGRADER_SANDBOX", "NBGRADER_EXECUTION")
"""Environment variables that are set where a notebook runs to be graded or validated, and nobody sits at it."""
_PIP_NAMES = {"sklearn": "scikit-learn", "IPython": "ipython", "PIL": "pillow"}
"""The names for pip of packages that are imported under another name."""


def is_graded() -> bool:
    """Return whether this process runs a notebook to grade or to validate it."""
    return any(os.environ.get(name) for name in GRADING)


def at_desk(name: str) -> bool:
    """Return whether a student sits at this notebook; where it is graded, say in a line that a function is silent.

    Args:
        name: the function's, which helps a student and nobody else.
    """
    if is_graded():
        print(f"{name}() helps at your desk; where the notebook is graded, it shows nothing.")
    return not is_graded()


def check_python() -> None:
    """Refuse a Python that is too old, before it meets syntax that it cannot parse.

    Raises:
        ImportError: if it is too old; the message says what to do.
    """
    if sys.version_info < PYTHON:
        raise ImportError(
            f"The course needs Python {_dotted(PYTHON)} or newer, and this is {_dotted(sys.version_info[:3])}: choose "
            "another kernel, or make the environment anew with a newer Python.",
            name="autograder",
        )


@functools.lru_cache(None)
def check_package() -> None:
    """Refuse to run if another project's `autograder` is installed in the same folder, its files among ours.

    Raises:
        ImportError: if one is; the message says what to do.
    """
    from importlib import metadata  # here, because it costs more than the rest of this file

    for found in metadata.distributions(name="autograder"):
        # With the same summary it is this course, installed before it had its own name.
        if found.metadata["Summary"] != SUMMARY:
            raise ImportError(
                f"This is the autograder of {COURSE}, and the package index's autograder {found.version}, another "
                f"project, is installed in the same place: run `{_pip()} uninstall -y autograder {COURSE}`, install "
                "the course again, and restart the kernel.",
                name="autograder",
            )


@contextlib.contextmanager
def loading() -> Iterator[None]:
    """Explain in one sentence why an import within the block fails.

    Raises:
        ImportError: if a package is missing or does not load; the message says what to do.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (sentence := missing(error)) is None:
            raise
        if (error.name or "").startswith("torch.") and (note := torch_note()) is not None:  # a torch without this part
            raise ImportError(note, name="torch") from None
        raise ImportError(sentence, name=error.name) from None
    except Exception as error:
        if (note := torch_note()) is not None:
            raise ImportError(note, name="torch") from None
        if isinstance(error, (ImportError, OSError)):  # a library that does not fit this machine
            raise ImportError(_does_not_load(error), name=getattr(error, "name", None)) from None
        raise


def torch_note() -> str | None:
    """Return a warning about the loaded torch; None if the course was written for it."""
    torch = sys.modules.get("torch")
    there = str(getattr(torch, "__version__", TORCH))
    if there.split(".")[:2] == TORCH.split(".")[:2]:
        return None
    return (
        f"The course is written for torch {TORCH}, and this is {there}, whose numbers and messages can differ: run "
        f"`{_pip()} install torch=={TORCH}` and restart the kernel."
    )


def missing(error: ModuleNotFoundError) -> str | None:
    """Return what to do about a missing package; None if it is a module of this package."""
    name = (error.name or "").partition(".")[0]
    if name in ("", "autograder"):
        return None
    package = _PIP_NAMES.get(name, name)
    pinned = f"{package}=={TORCH}" if package == "torch" else package
    return (
        f"This Python, {sys.executable}, lacks the package {package}: choose the kernel in which the course is "
        f"installed, or run `{_pip()} install {pinned}` and restart the kernel."
    )


def _pip() -> str:
    return "%pip" if "ipykernel" in sys.modules else "pip"


def _does_not_load(error: Exception) -> str:
    said = (str(error).splitlines() or [type(error).__name__])[0][:200]
    return f"A package that the course needs is installed but does not load ({said}): install it again."


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(str(part) for part in version)
