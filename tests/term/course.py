"""A course in a folder of its own for a term: its commands and the scores in its gradebook."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import sys
from pathlib import Path

from autograder.tasks.folders import COURSE as COURSE_VARIABLE
from tests.submissions import COURSE
from tests.term.made_class import LOST_PER_DAY, student

SETTINGS = f"""c = get_config()
c.AssignLatePenalties.plugin_class = "autograder.nbgrader_plugin.late_work.LateWork"
c.LateWork.lost_per_day = {LOST_PER_DAY}
"""
STUDENTS_SETTINGS = """c = get_config()
c.Exchange.root = {exchange!r}
c.CourseDirectory.course_id = "gradients"
c.CourseDirectory.student_id = {student!r}
c.ExchangeFactory.fetch_assignment = "autograder.nbgrader_plugin.fetching.FetchAssignment"
"""


class TermCourse:
    """The folder of a course.

    Attributes:
        folder: the course's.
        exchange: nbgrader's exchange, shared with students.
    """

    def __init__(self, place: Path) -> None:
        self.folder, self.exchange = place / "course", place / "exchange"
        skipped = shutil.ignore_patterns("__pycache__")
        for name in ("solutions", "exercises"):
            shutil.copytree(COURSE / name, self.folder / name, ignore=skipped)
        shutil.copy(COURSE / "nbgrader_config.py", self.folder)
        self.exchange.mkdir(mode=0o777)
        self.exchange.chmod(0o777)
        self.gradebook.mkdir()
        (self.gradebook / "settings.py").write_text(SETTINGS)
        self.environment = {
            **os.environ,
            COURSE_VARIABLE: str(self.folder / "solutions"),
            "NBGRADER_EXCHANGE": str(self.exchange),
            "HOME": str(place),
            "COLUMNS": "200",  # so that no sentence is wrapped
        }

    @property
    def gradebook(self) -> Path:
        """The folder of everything about students."""
        return self.folder / "gradebook"

    def run(self, *command: str, status: int = 0, folder: Path | None = None, **environment: str) -> str:
        """Run a command of the environment that runs this; return what it printed."""
        program = [sys.executable, "-m", command[0], *command[1:]]
        place = {**self.environment, **environment}
        done = subprocess.run(program, cwd=folder or self.folder, env=place, capture_output=True, text=True)
        said = done.stdout + done.stderr
        assert done.returncode == status, f"{' '.join(command)} ended with {done.returncode}:\n{said[-3000:]}"
        assert "Traceback" not in said, f"{' '.join(command)}:\n{said[-3000:]}"
        return said

    def write_students(self, count: int, group: str) -> None:
        """Write the class list that nbgrader imports; one student in ten is in the group."""
        some = self.in_group(count)
        lines = [f"{name},{group if name in some else ''}" for name in map(student, range(1, count + 1))]
        (self.gradebook / "students.csv").write_text("\n".join(("id,group", *lines)) + "\n")

    def in_group(self, count: int) -> set[str]:
        """The students of the group."""
        return {student(number) for number in range(10, count + 1, 10)}

    def handed_out(self, name: str, exercise: str) -> Path:
        """The notebook that a student got: the dealt one, else the released one."""
        dealt = self.gradebook / "dealt" / exercise / name / f"{exercise}.ipynb"
        return dealt if dealt.exists() else self.folder / "exercises" / exercise / f"{exercise}.ipynb"

    def as_student(self, student: str, *command: str) -> Path:
        """Run a command of nbgrader in a student's own folder; return the folder."""
        home = self.folder.with_name(student)
        home.mkdir(exist_ok=True)
        (home / "nbgrader_config.py").write_text(STUDENTS_SETTINGS.format(exchange=str(self.exchange), student=student))
        self.run("nbgrader", *command, "--log-level=ERROR", folder=home, HOME=str(home), JUPYTERHUB_USER=student)
        return home

    def submitted(self, student: str, exercise: str) -> Path:
        """Where a collected hand-in lies."""
        return self.gradebook / "submitted" / student / exercise

    def collected(self, student: str, exercise: str, notebook: bytes, time: str) -> None:
        """Put a hand-in where nbgrader's collector would."""
        folder = self.submitted(student, exercise)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{exercise}.ipynb").write_bytes(notebook)
        (folder / "timestamp.txt").write_text(time)

    def scores(self) -> dict[tuple[str, str], float]:
        """The final scores that `nbgrader export` writes, by student and exercise, of all who handed in."""
        self.run("nbgrader", "export", "--log-level=ERROR")
        with (self.gradebook / "grades.csv").open(newline="", encoding="utf-8") as file:
            lines = [
                line for line in csv.DictReader(file) if self.submitted(line["student_id"], line["assignment"]).exists()
            ]
        return {(line["student_id"], line["assignment"]): float(line["score"]) for line in lines if line["score"]}
