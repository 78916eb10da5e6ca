"""What a class run records is what `nbgrader autograde` records of the same submissions: each row, file and time."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.api import Gradebook
from sqlalchemy import select

from autograder.classroom.course import Course
from autograder.classroom.executors import Cores
from autograder.classroom.run import ClassRun
from autograder.classroom.run_options import RunOptions
from autograder.gradebook_access.graded_answers import GRADED
from autograder.grader.supervision import supervisor
from autograder.supervisor.tiers import Tier
from tests import hostile
from tests.chosen import EXERCISES
from tests.class_runs import CLASS, inside
from tests.course import db_url, hand_in, hand_out, nbgrader, new_course
from tests.depth import exhaustive, proof
from tests.hostile.class_run import hostile_notebook
from tests.hostile.notebooks import FILES
from tests.hostile.scene import Scene
from tests.own_assignment import OWN, write_own_assignment
from tests.postgresql import PostgreSQL, binaries
from tests.sample_class import EXERCISE, sample_class
from tests.submissions import as_bytes, cell_of, released, solved
from tests.test_postgresql import server as server

SETTINGS = """
c = get_config()
c.AssignLatePenalties.plugin_class = "autograder.nbgrader_plugin.late_work.LateWork"
c.LateWork.lost_per_day = 0.1
c.LimitOutput.max_lines = 20
"""
DUE, LATE = "2026-01-01 12:00:00", "2026-01-02 13:00:00"
ADDRESS = re.compile(r"0x[0-9a-f]+")
Files = dict[str, tuple[int, str]]


def with_cells(*cells: Any) -> bytes:
    """A solved exercise with further cells before its tasks."""
    notebook = solved(EXERCISE)
    notebook.cells[2:2] = cells
    return as_bytes(notebook)


def tampered() -> bytes:
    """Points raised, a grade cell deleted, one doubled, metadata of its own, an answer as long as a book."""
    notebook = solved(EXERCISE)
    notebook.metadata["autograder"] = {"unreadable": "never", "answers": {}}
    marked = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade")]
    marked[0].metadata.nbgrader["points"] = 1000
    marked[1].source = "pass"
    notebook.cells.remove(marked[2])
    notebook.cells.append(marked[3].copy())
    cell_of(notebook, "fit_neuron").source += "\n#" + "x" * 300_000
    return as_bytes(notebook)


FEW = ("student-01", "late", "excused", "extended", "resubmits")
FIRST = CLASS | {
    "late": CLASS["student-01"],
    "excused": CLASS["student-01"],
    "extended": CLASS["student-03"],
    "resubmits": CLASS["student-01"],
    "tampered": tampered(),
    "shown": with_cells(
        new_markdown_cell("<script>alert(1)</script> $x$ [a](javascript:b)"),
        new_code_cell("for i in range(100): print(i)"),
        new_code_cell("1 / 0"),
    ),
}


def handed_in(course: Path, files: dict[str, bytes]) -> Path:
    """A class that has handed in: some late, some with files beside the notebook."""
    for student, raw in files.items():
        folder = hand_in(course, student, EXERCISE, raw)
        if student in ("late", "excused", "extended"):
            (folder / "timestamp.txt").write_text(LATE)
    beside = course / "gradebook" / "submitted" / "student-01" / EXERCISE
    (beside / "data").mkdir()
    for name in ("data/points.csv", "notes.txt", "module.py", ".hidden.txt", "other.ipynb", "no.png"):
        (beside / name).write_text("1,2")
    (beside / "link.csv").symlink_to("data/points.csv")
    (course / "solutions" / EXERCISE / "table.csv").write_text("the course's own")
    (course / "gradebook" / "settings.py").write_text(SETTINGS)
    (course / "gradebook" / "extensions.csv").write_text("student,assignment,hours\nexcused,,48\n")
    return course


def graded_by_nbgrader(course: Path, assignment: str = EXERCISE) -> None:
    nbgrader(course, "autograde", assignment, "--force")


def graded_as_a_class(folder: Path, assignment: str = EXERCISE) -> None:
    with inside(folder):
        course = Course()
        course.assignments([assignment])  # known to the gradebook from here on
        run = ClassRun(course, RunOptions(force=True), Cores(1))
        failed = {done.submission.student: done.reason for done in run.grade(assignment, print) if done.reason}
    assert failed == {}


def recorded(course: Path, assignment: str = EXERCISE) -> list[Any]:
    """All columns of the gradebook's rows but nbgrader's random ids."""
    with Gradebook(db_url(course)) as gradebook:
        kept = {known_as: answers for known_as, answers in gradebook.db.execute(select(GRADED))}
        return sorted(
            (
                (submission.student.id, str(submission.timestamp), str(submission.extension), submission.score),
                [
                    (
                        (notebook.name, notebook.late_submission_penalty, notebook.flagged, notebook.score),
                        json.loads(kept.get(notebook.id, "null")),
                        sorted(
                            (one.name, one.auto_score, one.manual_score, one.extra_credit, one.needs_manual_grade)
                            for one in notebook.grades
                        ),
                        sorted((one.name, one.auto_comment, one.manual_comment) for one in notebook.comments),
                    )
                    for notebook in submission.notebooks
                ],
            )
            for submission in gradebook.assignment_submissions(assignment)
        )


def files(course: Path) -> Files:
    """The graded copies: mode and content of each file."""
    folder = course / "gradebook" / "autograded"
    return {
        str(path.relative_to(folder)): (
            path.stat().st_mode & 0o777,
            ADDRESS.sub("0x", path.read_text(errors="surrogateescape")),
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def both(make: Callable[[Path], Path], folder: Path, *, handed_out: bool = False) -> tuple[Path, Path]:
    """A course for nbgrader and its copy for a class run, with the same secret seed."""
    theirs = make(folder / "theirs")
    if not handed_out:
        hand_out(theirs)
    (theirs / "gradebook" / "secret_seed").write_bytes(b"s" * 32)
    ours = folder / "ours"
    shutil.copytree(theirs, ours, symlinks=True)
    return theirs, ours


def give_points(course: Path, *students: str) -> None:
    """What people do after a first grading: due date, extension; to these points, extra credit and comments by hand."""
    with Gradebook(db_url(course)) as gradebook:
        gradebook.update_or_create_assignment(EXERCISE, duedate=DUE)
        gradebook.grant_extension(EXERCISE, "extended", hours=30)
        for student in students:
            place = EXERCISE, EXERCISE, student
            gradebook.find_grade("check_partials", *place).manual_score = 1.5
            gradebook.find_grade("check_path_sum", *place).extra_credit = 2.0
            gradebook.find_comment("partials", *place).manual_comment = "well done"
            for grade in gradebook.find_submission_notebook(*place).grades:
                grade.needs_manual_grade = grade.name == "check_fit_neuron"
        gradebook.db.commit()


def assert_same(theirs: Path, ours: Path, assignment: str = EXERCISE, stopped: str = "") -> None:
    """Compare all that was recorded; of a stopped answer's notebook not the text, which names where."""
    assert recorded(ours, assignment) == recorded(theirs, assignment)
    expected, found = files(theirs), files(ours)
    assert found.keys() == expected.keys()
    for name, content in expected.items():
        assert found[name][0] == content[0], name
        if stopped and name.startswith(stopped):
            continue
        assert found[name][1].splitlines() == content[1].splitlines(), name


@pytest.fixture
def database(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Chooses the database of the next commands: one for nbgrader, one for the class run."""
    if request.param == "sqlite":
        yield lambda name: None
        return
    if binaries() is None:
        pytest.skip("PostgreSQL is not installed")
    server: PostgreSQL = request.getfixturevalue("server")
    addresses = {name: server.create(name) for name in ("theirs", "ours")}
    monkeypatch.setenv("PGPASSFILE", str(server.passwords))
    yield lambda name: monkeypatch.setenv("COURSE_DB_URL", addresses[name])


@pytest.mark.parametrize(
    ("database", "students"),
    [("sqlite", FEW), pytest.param("sqlite", FIRST, marks=proof), pytest.param("postgresql", FIRST, marks=exhaustive)],
    indirect=["database"],
    ids=["few", "sqlite", "postgresql"],
)
def test_first_and_later_gradings_are_nbgraders(
    database: Callable[[str], None], students: Collection[str], tmp_path: Path
) -> None:
    class_of = {student: FIRST[student] for student in students}
    theirs, ours = both(lambda folder: handed_in(new_course(folder), class_of), tmp_path)
    again = {"resubmits": CLASS["student-03"], "student-02": CLASS["student-01"], "late": CLASS["student-05"]}
    again = {student: raw for student, raw in again.items() if student in students}
    found = {}
    for name, course, grade in (("theirs", theirs, graded_by_nbgrader), ("ours", ours, graded_as_a_class)):
        database(name)
        grade(course)
        found[name] = [recorded(course), files(course)]
        give_points(course, *again)
        for student, raw in again.items():
            hand_in(course, student, EXERCISE, raw)
        (course / "gradebook" / "submitted" / "excused" / EXERCISE / "timestamp.txt").unlink()
        (course / "gradebook" / "submitted" / "student-01" / EXERCISE / "notes.txt").unlink()
        grade(course)
        found[name] += [recorded(course), files(course)]
    for one, other in zip(found["ours"], found["theirs"], strict=True):
        assert one == other
    penalties = {row[0][0]: row[1][0][0][1] for row in found["ours"][2]}
    assert penalties["late"]
    assert not penalties["excused"]
    assert not penalties["extended"]


@exhaustive
def test_strange_files_are_recorded_as_nbgrader_records_them(tmp_path: Path) -> None:
    raw = {f"student-{number:02}": one.make() for number, one in enumerate(FILES)}
    theirs, ours = both(lambda folder: handed_in(new_course(folder), CLASS | raw), tmp_path)
    graded_by_nbgrader(theirs)
    graded_as_a_class(ours)
    assert_same(theirs, ours)


@proof
def test_attacks_are_recorded_as_nbgrader_records_them(tmp_path: Path) -> None:
    """Of one attack of each kind each row, and all that checks said; what its cell prints differs from run to run."""
    if supervisor().facts.tier is not Tier.NAMESPACES:
        pytest.skip("some attacks would succeed here: `autograder doctor` says what is missing")
    hostile.load()
    outside = tmp_path / "outside"
    outside.mkdir()
    scene = Scene(outside)
    first = {one.kind: one for one in reversed(hostile.ATTACKS)}
    raw = {kind.replace("_", "-"): as_bytes(hostile_notebook(one, scene)[0]) for kind, one in first.items()}
    theirs, ours = both(lambda folder: handed_in(new_course(folder), CLASS | raw), tmp_path)
    for course in (theirs, ours):
        with (course / "gradebook" / "settings.py").open("a") as settings:
            settings.write("c.Grade.cell_seconds, c.Grade.question_seconds, c.Grade.memory_mib = 5.0, 6.0, 1024\n")
    graded_by_nbgrader(theirs)
    graded_as_a_class(ours)
    scene.close()
    assert recorded(ours) == recorded(theirs)
    assert files(ours).keys() == files(theirs).keys()
    for student in CLASS | raw:
        assert said_by_checks(ours, student) == said_by_checks(theirs, student), student


def said_by_checks(course: Path, student: str) -> list[Any]:
    """All of a graded notebook but what the student's own cells put out."""
    notebook = nbformat.read(course / "gradebook" / "autograded" / student / EXERCISE / f"{EXERCISE}.ipynb", 4)
    for cell in notebook.cells:
        if cell.cell_type == "code" and not cell.metadata.get("nbgrader", {}).get("grade"):
            cell.outputs = []
    return [notebook.metadata, *notebook.cells]


@proof
def test_two_notebooks_of_an_assignment_are_recorded_as_nbgrader_records_them(tmp_path: Path) -> None:
    """Both in one transaction, and for those who handed in one of them."""
    second = "essay"

    def make(folder: Path) -> Path:
        course = new_course(folder)
        write_own_assignment(course)
        (course / "solutions" / OWN / f"{OWN}.ipynb").rename(course / "solutions" / EXERCISE / f"{second}.ipynb")
        nbgrader(course, "generate_assignment", EXERCISE, "--force")
        written = (course / "exercises" / EXERCISE / f"{second}.ipynb").read_bytes()
        for student in ("student-01", "student-03"):
            hand_in(course, student, EXERCISE, CLASS[student])
        for student in ("student-01", "student-02"):
            folder = hand_in(course, student, EXERCISE, CLASS[student])
            (folder / f"{second}.ipynb").write_bytes(written)
        (folder / f"{EXERCISE}.ipynb").unlink()
        return course

    theirs, ours = both(make, tmp_path, handed_out=True)
    graded_by_nbgrader(theirs)
    graded_as_a_class(ours)
    assert_same(theirs, ours)


@exhaustive
def test_the_sample_class_is_recorded_as_nbgrader_records_it(tmp_path: Path) -> None:
    raw = {one.name: one.raw for one in sample_class()}
    (stopped,) = (one.name for one in sample_class() if one.situation == "typical mistakes")
    theirs, ours = both(lambda folder: handed_in(new_course(folder), CLASS | raw), tmp_path)
    graded_by_nbgrader(theirs)
    graded_as_a_class(ours)
    assert_same(theirs, ours, stopped=stopped)


@pytest.mark.parametrize("exercise", EXERCISES)
@exhaustive
def test_every_exercise_is_recorded_as_nbgrader_records_it(exercise: str, tmp_path: Path) -> None:
    def make(folder: Path) -> Path:
        course = new_course(folder)
        hand_in(course, "student-01", exercise, as_bytes(solved(exercise)))
        hand_in(course, "student-02", exercise, as_bytes(released(exercise)))
        hand_out(course, exercise)
        return course

    theirs, ours = both(make, tmp_path)
    graded_by_nbgrader(theirs, exercise)
    graded_as_a_class(ours, exercise)
    assert_same(theirs, ours, exercise)
