"""A course folder, as its nbgrader_config.py describes it, and the submissions in it."""

from __future__ import annotations

import dataclasses
import functools
import json
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from nbgrader.api import MissingEntry
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import make_url
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from autograder.classroom.database import opened
from autograder.classroom.errors import CourseError
from autograder.classroom.graded_copy import steps_of
from autograder.gradebook_access.deals import read_deal
from autograder.gradebook_access.disk import DATABASE
from autograder.gradebook_access.folder import gradebook_folder, submitted_folder
from autograder.gradebook_access.handed_out_cells import Release, releases
from autograder.gradebook_access.known_cells import KnownCells, known_cells
from autograder.names import with_nearest
from autograder.nbgrader_plugin.assignment_files import AssignmentFiles
from autograder.nbgrader_plugin.course_choice import notes_on_choice
from autograder.nbgrader_plugin.execution import Grade
from autograder.nbgrader_plugin.extensions import ExtensionsError
from autograder.nbgrader_plugin.readiness import allowance, check_extensions, extensions_table
from autograder.nbgrader_plugin.registering import exercises, register
from autograder.notebooks.reading import UnavailableNotebookError
from autograder.notebooks.submission_files import STUDENT, TO_DO, HandInTime, notebooks_in, time_of
from autograder.sharing import HOW
from autograder.tasks.dealing import Deal
from autograder.verdicts.graded_notebook import GradedNotebook

NOTEBOOK = re.compile(r"[\w. -]+")
"""A notebook's name that is worth a look where the release is elsewhere; what was released may have any name."""


@dataclasses.dataclass(frozen=True)
class Submission:
    """One student's notebook for one assignment.

    Attributes:
        student: the student's name, which is also the name of their folder.
        assignment: such as "01_doubling".
        notebook: the notebook's file name without `.ipynb`.
        path: of the file that was handed in.
    """

    student: str
    assignment: str
    notebook: str
    path: Path


class Course:
    """A course folder: its configuration, its assignments and what was handed in."""

    def __init__(self, root: Path = Path(), device: str | None = None, here: bool = True) -> None:
        """
        Args:
            root: the folder.
            device: overrides the configured device for submissions.
            here: whether submissions run on this machine, so that it must have the device.

        Raises:
            CourseError: if the folder holds no course.
        """
        if not (root / "nbgrader_config.py").exists():
            raise CourseError("there is no nbgrader_config.py here: run this in the course's folder")
        self.config: Config = PyFileConfigLoader("nbgrader_config.py", path=str(root.resolve())).load_config()
        self._here = here
        if device is not None:
            self.config.Grade.device = device
        self.directory = CourseDirectory(config=self.config)
        self.submitted, self.gradebook = submitted_folder(self.directory), gradebook_folder(self.directory)

    def _path(self, step: str, student: str, assignment: str) -> str:
        path: str = self.directory.format_path(step, student, assignment)
        return path

    @functools.cached_property
    def disks(self) -> dict[Path, str]:
        """Return what a run writes, in words, by its folder; the folders may be on several disks."""
        database = make_url(self.directory.db_url).database if self.directory.db_url.startswith("sqlite") else None
        return {
            self.gradebook / "answers": "answers",
            self.gradebook / "results": "results",
            self.gradebook / "autograded": "autograded notebooks",
            Path(tempfile.gettempdir()): "temporary files",
        } | ({Path(database).parent: DATABASE} if database else {})

    @functools.cached_property
    def limits(self) -> dict[str, Any]:
        """Return the configured limits of a submission, as keyword arguments of Limits."""
        return dataclasses.asdict(Grade(config=self.config).limits())

    @functools.cached_property
    def device(self) -> str:
        """Return the type of device where submissions run.

        Raises:
            CourseError: if this machine should have it and does not.
        """
        name = Grade(config=self.config).device
        if name == "cpu" or (name in ("cuda", "mps") and not self._here):
            return name  # the import below loads torch
        from autograder.probes.devices import DeviceError, resolve

        try:
            return resolve(name)
        except DeviceError as error:
            raise CourseError(str(error)) from error

    @functools.cached_property
    def steps(self) -> dict[str, Any]:
        """Return the configured steps of autograding, as a worker takes them."""
        return steps_of(self.config)

    @functools.cached_property
    def _variant(self) -> str:
        return Grade(config=self.config).variant

    def variant(self, submission: Submission) -> str:
        """Return the variant by which cohorts get different inputs: the table's, else the configured one."""
        granted = allowance(self.directory, self.config, submission.student, submission.assignment)
        return granted.cohort or self._variant

    @functools.cached_property
    def files(self) -> AssignmentFiles:
        """Return what lies beside notebooks when they run."""
        return Grade(config=self.config).files(self.directory)

    def autograded(self, submission: Submission) -> Path:
        """Return the path of the graded notebook."""
        folder = self._path(self.directory.autograded_directory, submission.student, submission.assignment)
        return Path(folder) / f"{submission.notebook}.ipynb"

    def released(self, submission: Submission) -> Path:
        """Return the path of the released notebook that the student was given."""
        return Path(self._path(self.directory.release_directory, ".", submission.assignment), submission.path.name)

    def assignments(self, names: list[str]) -> list[str]:
        """Return the named assignments that the gradebook knows; without names, all that have submissions.

        Released exercises are registered in the gradebook first, but only those with submissions, because every table
        and export lists each registered assignment.

        Raises:
            CourseError: if a name belongs to no exercise, or the gradebook cannot be opened.
        """
        released = exercises(self.directory)
        with opened(self.directory.db_url) as gradebook:
            for name in released:
                if (not names or name in names) and self._is_handed_in(name):
                    register(self.directory, name)
            known = [assignment.name for assignment in gradebook.assignments]
        for name in names:
            if name not in {*known, *released}:
                source = self.directory.source_directory
                if name == Path(name).name and Path(self._path(source, ".", name)).is_dir():
                    raise CourseError(f"{name} was never generated: run `nbgrader generate_assignment {name}` first")
                raise CourseError(
                    f"there is no exercise {with_nearest(name, {*known, *released})}: a new one is "
                    f"written in {source}/{name}, then run `nbgrader generate_assignment {name}`"
                )
        if names:
            return [name for name in names if name in known]
        return [name for name in sorted(known) if self._is_handed_in(name)]

    def _is_handed_in(self, assignment: str) -> bool:
        """Tell whether somebody's folder holds the assignment, of those that are not closed here."""
        return any(notebooks_in(one.path.parent) for one in self.submissions(assignment))

    @property
    def extensions(self) -> Path:
        """Return the path of the table of extensions."""
        return extensions_table(self.directory, self.config)

    def notes(self) -> list[str]:
        """Return remarks on the course's settings that a person should read before anything is graded.

        Raises:
            CourseError: if a line of the table of extensions is invalid.
        """
        try:
            said = check_extensions(self.directory, self.config)
        except ExtensionsError as error:
            raise CourseError(str(error)) from error
        with opened(self.directory.db_url) as gradebook:
            return [*said, *notes_on_choice(self.directory, [one.name for one in gradebook.assignments])]

    def cells(self, assignment: str) -> dict[str, KnownCells]:
        """Return the cells that the gradebook knows, for each notebook of an assignment.

        Raises:
            CourseError: if the gradebook does not know the assignment or cannot be opened.
        """
        with opened(self.directory.db_url) as gradebook:
            try:
                return {one.name: known_cells(one) for one in gradebook.find_assignment(assignment).notebooks}
            except MissingEntry:
                raise CourseError(f"the gradebook knows no assignment {assignment!r}") from None

    @functools.cache  # noqa: B019  (a course lasts as long as the command)
    def kernelspecs(self, assignment: str) -> dict[str, dict[str, Any]]:
        """Return the kernel that the gradebook has for each notebook of an assignment; empty if it has none.

        Raises:
            CourseError: if the gradebook cannot be opened.
        """
        with opened(self.directory.db_url) as gradebook:
            notebooks = gradebook.find_assignment(assignment).notebooks
            return {one.name: json.loads(one.kernelspec or "{}") for one in notebooks}

    @functools.cache  # noqa: B019  (as above)
    def releases(self, assignment: str, notebook: str) -> list[Release]:
        """Return the releases of a notebook that this gradebook knows."""
        return releases(self.directory, assignment, notebook)

    @functools.cache  # noqa: B019  (as above)
    def _deal(self, assignment: str, notebook: str) -> Deal | None:
        return read_deal(self.directory, assignment, notebook)

    def versions(self, submission: Submission) -> dict[str, int]:
        """Return, by task, the version that was dealt to a submission's author; empty if all get the same.

        Raises:
            ValueError: if the file that says how the assignment is dealt is damaged.
        """
        deal = self._deal(submission.assignment, submission.notebook)
        return {} if deal is None else deal.versions(submission.student)

    def require(self, students: list[str]) -> None:
        """Check that each of these students has handed something in.

        Raises:
            CourseError: if one has not; the message names the most similar student who has.
        """
        known = {path.name for path in self.submitted.iterdir()} if self.submitted.is_dir() else set()
        for student in students:
            if student not in known:
                raise CourseError(f"nothing was handed in by {with_nearest(student, known)}: see {self.submitted}")

    def submissions(self, assignment: str, students: list[str] | None = None) -> Iterator[Submission]:
        """Yield an assignment's submissions in the order of the students' names.

        Args:
            assignment: its name.
            students: yield only the submissions of these; of all students if empty.
        """
        release = Path(self._path(self.directory.release_directory, ".", assignment))
        released = {path.stem for path in release.glob("*.ipynb")}
        for folder in sorted(self.submitted.iterdir() if self.submitted.is_dir() else []):
            if not STUDENT.fullmatch(folder.name) or (students and folder.name not in students):
                continue
            names = notebooks_in(folder / assignment)
            for name in sorted(released) if names is None else names:  # of a closed folder, each is named as closed
                if name in released or NOTEBOOK.fullmatch(name):
                    yield Submission(folder.name, assignment, name, folder / assignment / f"{name}.ipynb")

    def time(self, submission: Submission) -> HandInTime:
        """Return when a submission was handed in, according to its timestamp file.

        Raises:
            UnavailableNotebookError: if that file cannot be read here.
        """
        found = time_of(self.submitted, self.parts(submission))
        if found.unavailable:
            raise UnavailableNotebookError(f"{found.why}: {TO_DO}")
        return found

    def graded(self, submission: Submission) -> GradedNotebook:
        """Read the graded notebook of a submission.

        Raises:
            UnavailableNotebookError: if it cannot be read here.
        """
        path = self.autograded(submission)
        found = GradedNotebook.read(path)
        if found.unavailable:
            raise UnavailableNotebookError(f"{path} cannot be read ({found.unavailable}): {HOW}")
        return found

    def missing(self, submission: Submission, notebooks: Iterable[str]) -> list[str]:
        """Return which of an assignment's notebooks were not handed in with a submission."""
        folder = submission.path.parent
        others = [name for name in notebooks if name != submission.notebook]
        return [name for name in others if not (folder / f"{name}.ipynb").exists()]

    def parts(self, submission: Submission) -> tuple[str, ...]:
        """Return the folder of a submission, as names on the way down from the folder of all submissions."""
        return submission.path.parent.relative_to(self.submitted).parts
