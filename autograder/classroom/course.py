"""The course in a folder, as nbgrader_config.py describes it, and the submissions in it."""

from __future__ import annotations

import dataclasses
import functools
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbgrader.api import MissingEntry
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import make_url
from traitlets.config import Config, PyFileConfigLoader

from autograder.classroom.database import opened
from autograder.classroom.errors import CourseError
from autograder.names import with_nearest
from autograder.nbgrader_plugin.disk import DATABASE
from autograder.nbgrader_plugin.execution import Grade
from autograder.nbgrader_plugin.extensions import ExtensionsError
from autograder.nbgrader_plugin.readiness import check_extensions, extensions_table
from autograder.nbgrader_plugin.registering import exercises, register
from autograder.nbgrader_plugin.releases import Release, releases
from autograder.nbgrader_plugin.repair import Known, known_cells
from autograder.notebooks.opening import RefusedFileError
from autograder.notebooks.submission_files import STUDENT, timestamp


@dataclasses.dataclass(frozen=True)
class Submission:
    """One student's notebook for one assignment.

    Attributes:
        student: a name that is also a folder's.
        assignment: "01_scalar_graphs".
        notebook: the notebook's name, without its ending.
        path: where it was handed in.
    """

    student: str
    assignment: str
    notebook: str
    path: Path


class Course:
    """A course folder."""

    def __init__(self, root: Path = Path(), device: str | None = None, here: bool = True) -> None:
        """
        Args:
            root: the folder.
            device: where submissions run, in place of what the configuration says.
            here: whether they run on this machine, so that the device must be here.

        Raises:
            CourseError: where there is no course in that folder.
        """
        if not (root / "nbgrader_config.py").exists():
            raise CourseError("there is no nbgrader_config.py here: run this in the course's folder")
        self.config: Config = PyFileConfigLoader("nbgrader_config.py", path=str(root.resolve())).load_config()
        self._here = here
        if device is not None:
            self.config.Grade.device = device
        self.directory = CourseDirectory(config=self.config)
        self.submitted = Path(self._path(self.directory.submitted_directory, ".", ".")).resolve()
        self.gradebook = self.submitted.parent

    def _path(self, step: str, student: str, assignment: str) -> str:
        return self.directory.format_path(step, student, assignment)

    @functools.cached_property
    def disks(self) -> dict[Path, str]:
        """What a run writes, by the folder where it stands; they may be on several disks."""
        database = make_url(self.directory.db_url).database if self.directory.db_url.startswith("sqlite") else None
        return {
            self.gradebook / "answers": "answers",
            self.gradebook / "results": "results",
            self.gradebook / "autograded": "autograded notebooks",
            Path(tempfile.gettempdir()): "temporary files",
        } | ({Path(database).parent: DATABASE} if database else {})

    @functools.cached_property
    def limits(self) -> dict[str, Any]:
        """What the configuration allows a submission, as keyword arguments of Limits."""
        return dataclasses.asdict(Grade(config=self.config).limits())

    @functools.cached_property
    def device(self) -> str:
        """The type of device where submissions run.

        Raises:
            CourseError: where it is not here.
        """
        name = Grade(config=self.config).device
        if name == "cpu" or (name in ("cuda", "mps") and not self._here):
            return name  # without loading torch
        from autograder.probes.devices import DeviceError, resolve

        try:
            return resolve(name)
        except DeviceError as error:
            raise CourseError(str(error)) from error

    @functools.cached_property
    def variant(self) -> str:
        """The cohort."""
        return Grade(config=self.config).variant

    def autograded(self, submission: Submission) -> Path:
        """Where the graded notebook stands."""
        folder = self._path(self.directory.autograded_directory, submission.student, submission.assignment)
        return Path(folder) / f"{submission.notebook}.ipynb"

    def released(self, submission: Submission) -> Path:
        """Where the notebook stands that the student was given."""
        return Path(self._path(self.directory.release_directory, ".", submission.assignment), submission.path.name)

    def assignments(self, names: list[str]) -> list[str]:
        """These assignments, or all that have submissions; what the gradebook lacks of a released one is written.

        Raises:
            CourseError: for a name that is no exercise's, or where there is no gradebook to be had.
        """
        released = exercises(self.directory)
        with opened(self.directory.db_url) as gradebook:
            for name in released:
                if name in names or (not names and any(self.submissions(name))):
                    register(self.directory, name)
            known = [assignment.name for assignment in gradebook.assignments]
        for name in names:
            if name not in known:
                raise CourseError(
                    f"there is no exercise {with_nearest(name, {*known, *released})}: a new one is "
                    f"written in solutions/{name}, then run `nbgrader generate_assignment {name}`"
                )
        return names or [name for name in sorted(known) if any(self.submissions(name))]

    @property
    def extensions(self) -> Path:
        """The table of extensions."""
        return extensions_table(self.directory, self.config)

    def notes(self) -> list[str]:
        """What a person should know of this course's settings before anything is graded.

        Raises:
            CourseError: where a line of the table of extensions cannot be used.
        """
        try:
            return check_extensions(self.directory, self.config)
        except ExtensionsError as error:
            raise CourseError(str(error)) from error

    def cells(self, assignment: str) -> dict[str, Known]:
        """For each notebook of an assignment, the cells that the gradebook knows.

        Raises:
            CourseError: for an assignment that it does not know, or where there is no gradebook to be had.
        """
        with opened(self.directory.db_url) as gradebook:
            try:
                return {one.name: known_cells(one) for one in gradebook.find_assignment(assignment).notebooks}
            except MissingEntry:
                raise CourseError(f"the gradebook knows no assignment {assignment!r}") from None

    @functools.cache  # noqa: B019  (a course lasts as long as the command)
    def releases(self, assignment: str, notebook: str) -> list[Release]:
        """What was handed out of a notebook, so far as this gradebook knows."""
        return releases(self.directory, assignment, notebook)

    def require(self, students: list[str]) -> None:
        """See that each of these students has handed something in.

        Raises:
            CourseError: where one has not; names the nearest who has.
        """
        known = {path.name for path in self.submitted.iterdir()} if self.submitted.is_dir() else set()
        for student in students:
            if student not in known:
                raise CourseError(f"nothing was handed in by {with_nearest(student, known)}: see {self.submitted}")

    def submissions(self, assignment: str, students: list[str] | None = None) -> Iterator[Submission]:
        """What was handed in for an assignment, by student.

        Args:
            assignment: its name.
            students: only theirs.
        """
        for folder in sorted(self.submitted.iterdir() if self.submitted.is_dir() else []):
            if not STUDENT.fullmatch(folder.name) or (students and folder.name not in students):
                continue
            for path in sorted((folder / assignment).glob("*.ipynb")):
                if re.fullmatch(r"[\w.-]+", path.stem):
                    yield Submission(folder.name, assignment, path.stem, path)

    def timestamp(self, submission: Submission) -> str:
        """When it was handed in, as its file says; empty where it says nothing."""
        try:
            time = timestamp(self.submitted, submission.path.parent.relative_to(self.submitted).parts)
        except RefusedFileError:
            time = None
        return "" if time is None else time.isoformat(" ")
