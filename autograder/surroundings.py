"""What this package finds around it: Python, torch, the packages that it needs. What is wrong is one sentence.

Read before anything else is loaded, by whatever Python is there: standard library only, in words that 3.9 reads.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Iterator

PYTHON = (3, 11, 2)
"""The oldest Python, with which every pinned package is tried."""
COURSE = "gradients-course"
"""What pip calls this package; `autograder` on the package index is another project."""
SUMMARY = "A course on gradients in PyTorch that grades itself"
"""How pyproject.toml describes it."""
TORCH = "2.13.0"
"""What the course was written and tested with."""
_CALLED = {"sklearn": "scikit-learn", "IPython": "ipython", "PIL": "pillow"}
"""Packages that pip knows by another name."""


def check_python() -> None:
    """Refuse a Python that is too old, before it stumbles over what it cannot read.

    Raises:
        ImportError: with what to do.
    """
    if sys.version_info < PYTHON:
        raise ImportError(
            f"The course needs Python {_dotted(PYTHON)} or newer, and this is {_dotted(sys.version_info[:3])}: choose "
            "another kernel, or make the environment anew with a newer Python.",
            name="autograder",
        )


@functools.lru_cache(None)
def check_package() -> None:
    """Refuse to run where another project's `autograder` lies in the same folder, file beside file.

    Raises:
        ImportError: with what to do.
    """
    from importlib import metadata  # here, because it costs more than the rest of this file

    for found in metadata.distributions(name="autograder"):
        # The same summary: this course, as it was installed before it had a name of its own.
        if found.metadata["Summary"] != SUMMARY:
            raise ImportError(
                f"This is the autograder of {COURSE}, and the package index's autograder {found.version}, another "
                f"project, is installed in the same place: run `{_pip()} uninstall -y autograder {COURSE}`, install "
                "the course again, and restart the kernel.",
                name="autograder",
            )


@contextlib.contextmanager
def loading() -> Iterator[None]:
    """Around imports: what is not there, or does not load, is told in one sentence.

    Raises:
        ImportError: with what to do.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (sentence := missing(error)) is None:
            raise
        raise ImportError(sentence, name=error.name) from None
    except Exception as error:
        if (note := torch_note()) is not None:
            raise ImportError(note, name="torch") from None
        if isinstance(error, (ImportError, OSError)):  # a library that is there and does not fit this machine
            raise ImportError(_does_not_load(error), name=getattr(error, "name", None)) from None
        raise


def torch_note() -> str | None:
    """What is to be said of the torch that is loaded; None of the one that the course was written for."""
    torch = sys.modules.get("torch")
    there = str(getattr(torch, "__version__", TORCH))
    if there.split(".")[:2] == TORCH.split(".")[:2]:
        return None
    return (
        f"The course is written for torch {TORCH}, and this is {there}, whose numbers and messages can differ: run "
        f"`{_pip()} install torch=={TORCH}` and restart the kernel."
    )


def missing(error: ModuleNotFoundError) -> str | None:
    """What to do about a package that is not there; None of what is this package's own."""
    name = (error.name or "").partition(".")[0]
    if name in ("", "autograder"):
        return None
    package = _CALLED.get(name, name)
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


def _dotted(version: tuple) -> str:
    return ".".join(str(part) for part in version)
