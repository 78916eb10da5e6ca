"""Where a notebook file stands: it is run from clean in a process of its own, and judged as at grading."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

from autograder.checks.catalogue import exercises, find_task, tasks_of
from autograder.grader.custody import evidence_of_file
from autograder.grader.judge import judge
from autograder.grader.judging_limits import MEMORY
from autograder.grader.verdict import Verdict
from autograder.grader.weights import weighed, weights
from autograder.notebooks.reading import UnreadableNotebookError, read_submission, task_of_grade_cell

ADVICE = "start this in the course's folder, or name the file of a saved notebook"


class NothingFoundError(LookupError):
    """There is no exercise where one was looked for; the message says what to do."""


@dataclasses.dataclass(frozen=True)
class Standing:
    """One exercise.

    Attributes:
        exercise: its name.
        verdicts: of each task, by name.
        lacking: tasks for which the notebook has no check: it was made for another version of the exercise.
    """

    exercise: str
    verdicts: dict[str, Verdict]
    lacking: tuple[str, ...] = ()

    @staticmethod
    def of(path: Path) -> Standing:
        """Run a notebook file and judge it; one that cannot be read has no points, and says why."""
        tasks = tasks_of(path.stem)
        try:
            cells = read_submission(path.read_bytes()).cells
            asked = {task_of_grade_cell(cell) for cell in cells}
            lacking = tuple(name for name in tasks if name not in asked)
            verdicts = weighed(judge().verdicts(tasks, evidence_of_file(path), MEMORY), weights(cells))
            return Standing(path.stem, verdicts, lacking)
        except (UnreadableNotebookError, OSError) as error:
            return Standing(path.stem, {n: Verdict.nothing(t, "unreadable", str(error)) for n, t in tasks.items()})

    @property
    def points(self) -> float:
        """Earned so far."""
        return sum(verdict.points for verdict in self.verdicts.values())

    @property
    def maximum(self) -> float:
        """What can be earned."""
        return sum(verdict.maximum for verdict in self.verdicts.values())

    @property
    def done(self) -> int:
        """How many tasks have all their points."""
        return sum(verdict.passed for verdict in self.verdicts.values())

    @property
    def next_task(self) -> str | None:
        """What comes next: the first core task that lacks points, then the first extra one."""
        open_tasks = [name for name, verdict in self.verdicts.items() if not verdict.passed]
        return min(open_tasks, key=lambda name: not find_task(name).core, default=None)


def notebooks(names: list[str], start: Path) -> list[Path]:
    """The notebook files of exercises.

    Args:
        names: exercises or files; all that are there, where empty.
        start: the folder from which a course's folder, or one with fetched exercises, is looked for upwards.

    Raises:
        NothingFoundError: where one of them is not there.
    """
    above = next(filter(None, map(_in_folder, _folders(start))), {})
    there = dict(sorted((above | _alone_in(start)).items()))
    if not names and not there:
        raise NothingFoundError(f"there is no exercise in {start} or above it: {ADVICE}")
    found = []
    for name in names or list(there):
        path = Path(name) if name.endswith(".ipynb") else there.get(name)
        if path is None or path.stem not in exercises() or not path.is_file():
            rest = f"here; there are {', '.join(there)}" if there else f"in {start} or above it: {ADVICE}"
            raise NothingFoundError(f"there is no exercise {name!r} {rest}")
        found.append(path)
    return found


def _folders(start: Path) -> Iterator[Path]:
    for folder in (start, *start.parents):
        yield from (folder / "exercises", folder)


def _in_folder(folder: Path) -> dict[str, Path]:
    paths = {name: folder / name / f"{name}.ipynb" for name in exercises()}
    return {name: path for name, path in paths.items() if path.is_file()}


def _alone_in(folder: Path) -> dict[str, Path]:
    """Notebooks that were saved without the folders of the course."""
    paths = {name: folder / f"{name}.ipynb" for name in exercises()}
    return {name: path for name, path in paths.items() if _is_exercise(path)}


def _is_exercise(path: Path) -> bool:
    """Whether there is such a file and it is an exercise; a lesson has the same name."""
    try:
        return any(task_of_grade_cell(cell) for cell in read_submission(path.read_bytes()).cells)
    except (OSError, UnreadableNotebookError):
        return False
