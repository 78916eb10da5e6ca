"""Points of a saved notebook: it is run from a clean kernel in a sandbox and judged as at grading."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

from autograder.checks.catalogue import exercises, find_task, tasks_in, tasks_of
from autograder.grader.custody import evidence_of_file
from autograder.judging.judge import judge
from autograder.judging.time_and_memory import MEMORY
from autograder.names import completed, with_nearest
from autograder.notebooks.reading import UnreadableNotebookError, read_submission, task_of_grade_cell
from autograder.notebooks.weights import weights
from autograder.tasks.dealing import versions_in
from autograder.tasks.folders import COPY, WORK, exercise_of, released_name
from autograder.verdicts.verdict import Verdict, weighted
from autograder.wire.outcome import Outcome

ADVICE = "start this in the course's folder, or name the file of a saved notebook"


class NothingFoundError(LookupError):
    """An exercise was not found; the message says what to do."""


@dataclasses.dataclass(frozen=True)
class ExerciseProgress:
    """A student's progress in one exercise.

    Attributes:
        exercise: the exercise's name.
        verdicts: by task, in the exercise's order.
        lacking: tasks without a grade cell in the notebook, which was made for another version of the exercise.
    """

    exercise: str
    verdicts: dict[str, Verdict]
    lacking: tuple[str, ...] = ()

    @staticmethod
    def of(path: Path) -> ExerciseProgress:
        """Run a notebook file and judge it; a file that cannot be read earns no points, and the verdicts say why."""
        exercise = exercise_of(path.stem)
        tasks = tasks_of(exercise)
        try:
            notebook = read_submission(path.read_bytes())
            cells = notebook.cells
            tasks = tasks_in(notebook, exercise, versions_in(cells, exercise))
            asked = {task_of_grade_cell(cell) for cell in cells}
            lacking = tuple(name for name in tasks if name not in asked)
            judged = judge().verdicts([one.label for one in tasks.values()], evidence_of_file(path), MEMORY)
            verdicts = weighted({name: judged[name] for name in tasks}, weights(cells))
            return ExerciseProgress(exercise, verdicts, lacking)
        except (UnreadableNotebookError, OSError) as error:
            return ExerciseProgress(
                exercise, {n: Verdict.nothing(t, Outcome.UNREADABLE, str(error)) for n, t in tasks.items()}
            )

    @property
    def points(self) -> float:
        """The points earned so far."""
        return sum(verdict.points for verdict in self.verdicts.values())

    @property
    def maximum(self) -> float:
        """The points that can be earned."""
        return sum(verdict.maximum for verdict in self.verdicts.values())

    @property
    def done(self) -> int:
        """The number of tasks with all their points."""
        return sum(verdict.passed for verdict in self.verdicts.values())

    @property
    def next_task(self) -> str | None:
        """The task to do next: the first core task that lacks points, else the first extra one, if any."""
        open_tasks = [name for name, verdict in self.verdicts.items() if not verdict.passed]
        return min(open_tasks, key=lambda name: not find_task(name).core, default=None)


def notebooks(names: list[str], start: Path) -> list[Path]:
    """Find the notebook files of exercises.

    Args:
        names: names of exercises, or how they begin, or notebook files; empty for all that there are.
        start: the search for a workspace, the course's folder, or one with fetched exercises goes from here upwards.

    Raises:
        NothingFoundError: one of them does not exist, or several begin like that.
    """
    above = next(filter(None, map(_in_folder, _folders(start))), {})
    there = dict(sorted((above | _alone_in(start)).items()))
    if not names and not there:
        raise NothingFoundError(f"there is no exercise in {start} or above it: {ADVICE}")
    return [_named(name, there, start) for name in names or list(there)]


def _named(name: str, there: dict[str, Path], start: Path) -> Path:
    """Return the file of an exercise among those that there are, or the file that was named itself."""
    path = Path(name) if name.endswith(".ipynb") else there.get(completed(name, there))
    if path is not None and exercise_of(path.stem) in exercises() and path.is_file():
        return path
    if name and len(begun := [other for other in there if other.startswith(name)]) > 1:
        raise NothingFoundError(f"several exercises begin with {name!r}: {', '.join(begun)}")
    rest = f"here; there are {', '.join(there)}" if there else f"in {start} or above it: {ADVICE}"
    raise NothingFoundError(f"there is no exercise {with_nearest(name, there)} {rest}")


def _folders(start: Path) -> Iterator[Path]:
    for folder in (start, *start.parents):
        yield from (folder / WORK / "exercises", folder / released_name(folder), folder)


def _in_folder(folder: Path) -> dict[str, Path]:
    """Find notebooks in folders of the exercises' names: a student's copy, else the exercise itself."""
    paths = {name: (folder / name / f"{name}{COPY}.ipynb", folder / name / f"{name}.ipynb") for name in exercises()}
    found = {name: next(filter(Path.is_file, both), None) for name, both in paths.items()}
    return {name: path for name, path in found.items() if path is not None}


def _alone_in(folder: Path) -> dict[str, Path]:
    """Find notebooks that lie directly in a folder, outside the course's folders."""
    paths = {exercise_of(path.stem): path for path in sorted(folder.glob("*.ipynb"))}
    return {name: path for name, path in paths.items() if name in exercises() and _is_exercise(path)}


def _is_exercise(path: Path) -> bool:
    """Return whether a file exists and is an exercise, not the lesson of the same name."""
    try:
        return any(task_of_grade_cell(cell) for cell in read_submission(path.read_bytes()).cells)
    except (OSError, UnreadableNotebookError):
        return False
