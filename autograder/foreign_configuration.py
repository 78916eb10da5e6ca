"""Which files pytest follows or run although somebody else wrote them: those of a submission.

A `pytest.ini` runs code as well as a `conftest.py` does: `pythonpath = .` and a warning's category are an import.
pytest does so before it loads a plug-in, so what is said here warns and ends the run, but protects from no attack:
`autograder progress`, which reads nothing beside a notebook, does.
"""

from __future__ import annotations

from pathlib import Path

COURSE = "nbgrader_config.py"
SUBMITTED = "submitted"
"""nbgrader's folder of what was handed in, below the course's own."""

THIS_COURSE = Path(__file__).resolve().parent.parent
"""Where the package lies in a checkout, beside what it is configured with."""


def objection(paths: list[Path], configuration: Path | None, start: Path) -> str | None:
    """Why pytest should not go on, as a sentence; None where all that it follows is the caller's own.

    Args:
        paths: what it was asked to look at.
        configuration: the file that it found for them.
        start: the folder where it was started.
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
    """Whether a path leads into a course's folder of submissions."""
    folders = [folder for folder in (path, *path.parents) if folder.name == SUBMITTED]
    return any((above / COURSE).is_file() for folder in folders for above in folder.parents)


def _advice(path: Path) -> str:
    notebook = path if path.suffix == ".ipynb" else path / "NOTEBOOK.ipynb"
    return f"Check a notebook with `autograder progress {notebook}`, which reads nothing beside it."
