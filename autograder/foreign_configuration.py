"""Detect configuration and test files of a submission that pytest would run.

A `pytest.ini` can run code just like a `conftest.py`, because `pythonpath = .` and a warning's category import modules.
pytest reads it before it loads a plug-in, so the objection made here ends the run but does not stop an attack.
`autograder progress` does, because it reads nothing beside a notebook.
"""

from __future__ import annotations

from pathlib import Path

COURSE = "nbgrader_config.py"
SUBMITTED = "submitted"
"""nbgrader's folder of submissions, inside the course's folder."""

THIS_COURSE = Path(__file__).resolve().parent.parent
"""The folder that holds this package, which in a checkout also holds its pytest configuration."""


def objection(paths: list[Path], configuration: Path | None, start: Path) -> str | None:
    """Return a sentence that says why pytest should stop; None if all files that it follows are the caller's own.

    Args:
        paths: the paths that pytest was called with.
        configuration: the configuration file that it found for them.
        start: the folder in which it was started.
    """
    notebooks = [path for path in paths if path.suffix == ".ipynb"]
    for path in paths:
        if path not in notebooks and _inside_submissions(path):
            return f"{path} was handed in, and pytest runs what it finds there. {_advice(path)}"
    if notebooks and configuration is not None:
        callers = (start, *start.parents, THIS_COURSE)
        own = configuration.parent in callers and not _inside_submissions(configuration)
        if not own:
            return (
                f"pytest follows {configuration}, which lies with the notebook and may be its author's. "
                f"{_advice(notebooks[0])}"
            )
    return None


def _inside_submissions(path: Path) -> bool:
    """Return whether a path lies in a course's folder of submissions."""
    folders = [folder for folder in (path, *path.parents) if folder.name == SUBMITTED]
    return any((above / COURSE).is_file() for folder in folders for above in folder.parents)


def _advice(path: Path) -> str:
    notebook = path if path.suffix == ".ipynb" else path / "NOTEBOOK.ipynb"
    return f"Check a notebook with `autograder progress {notebook}`, which reads nothing beside it."
