"""Late work, extensions, cohorts; a student's data deleted, or handed out without names."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from sqlalchemy import select

from autograder.class_report.page import ANONYMOUS
from autograder.class_report.stored_reports import PAGE, report_folder
from autograder.classroom.course import Course
from autograder.classroom.errors import CourseError
from autograder.command_line import main
from autograder.gradebook_access.graded_answers import GRADED, keep_answers
from autograder.grader.secret_seed import submission_seed
from autograder.nbgrader_plugin.extensions import hours_granted
from autograder.nbgrader_plugin.late_work import DAY, LateWork
from autograder.student_data.stored import export_anonymously, forget, stored
from tests.depth import one_of_each

TABLE = "student,assignment,hours\nstudent-01,01_scalar_graphs,24\nstudent-02,,48\nstudent-02,01_scalar_graphs,1\n"

PATTERN = r"""
c.FileNameCollectorPlugin.named_regexp = r".*[\\/](?P<student_id>\w[\w.@-]*?)_(?P<file_id>\d\d_\w+)"
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "extensions.csv"
    path.write_text(TABLE)
    return path


@pytest.mark.parametrize(
    ("student", "assignment", "hours"),
    [
        ("student-01", "01_scalar_graphs", 24),
        ("student-01", "02_grad", 0),
        ("student-02", "01_scalar_graphs", 48),
        ("student-03", "01_scalar_graphs", 0),
    ],
)
def test_the_longest_extension_counts(table: Path, student: str, assignment: str, hours: float) -> None:
    assert hours_granted(table, student, assignment) == hours


def test_no_table_grants_nothing(tmp_path: Path) -> None:
    assert hours_granted(tmp_path / "none.csv", "student-01", "01_scalar_graphs") == 0


@pytest.mark.parametrize(
    ("student", "late", "penalty"),
    [
        ("student-03", 0.5 * DAY, 2.0),
        ("student-03", 1.5 * DAY, 4.0),
        ("student-03", 30 * DAY, 20.0),
        ("student-02", 1.5 * DAY, None),
        ("student-02", 2.5 * DAY, 2.0),
    ],
)
def test_each_day_begun_costs_its_share(table: Path, student: str, late: float, penalty: float | None) -> None:
    plugin = LateWork(lost_per_day=0.1, extensions=str(table))
    assert plugin.late_submission_penalty(student, 20.0, late) == penalty


def test_another_cohort_gets_other_inputs() -> None:
    assert submission_seed(b"s", b"notebook", "autumn") != submission_seed(b"s", b"notebook", "spring")
    assert submission_seed(b"s", b"notebook") == submission_seed(b"s", b"notebook", "")


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Course:
    """A course with files of three students, one of whose names begins with another's."""
    (tmp_path / "nbgrader_config.py").write_text(
        "c = get_config()\n"
        f"c.CourseDirectory.root = {str(tmp_path)!r}\n"
        'c.CourseDirectory.submitted_directory = "gradebook/submitted"\n'
        'c.CourseDirectory.autograded_directory = "gradebook/autograded"\n'
        'c.CourseDirectory.feedback_directory = "gradebook/feedback"\n'
        'c.ZipCollectApp.downloaded_directory = "gradebook/downloaded"\n'
        f'c.CourseDirectory.db_url = "sqlite:///{tmp_path}/gradebook/gradebook.db"\n'
    )
    for student in ("student-01", "student-01.b", "student-02"):
        for place in (
            f"submitted/{student}/ex/ex.ipynb",
            f"autograded/{student}/ex/ex.ipynb",
            f"feedback/{student}/ex/ex.html",
            f"results/ex/{student}/ex.json",
            f"answers/ex/{student}.0a1b2c3d.{'f' * 32}.answers",
            f"exchange/gradients/inbound/{student}+ex+2026/ex.ipynb",
        ):
            path = tmp_path / "gradebook" / place
            path.parent.mkdir(parents=True) if not path.parent.exists() else None
            path.write_text("{}")
    (tmp_path / "gradebook" / "extensions.csv").write_text(TABLE)
    with Gradebook(f"sqlite:///{tmp_path}/gradebook/gradebook.db") as gradebook:
        gradebook.add_assignment("ex")
        gradebook.add_notebook("ex", "ex")
        for student in ("student-01", "student-02"):
            gradebook.add_student(student)
            (notebook,) = gradebook.add_submission("ex", student).notebooks
            keep_answers(gradebook, {notebook.id: {"check_f": [student, 1.0]}})
            gradebook.db.commit()
    monkeypatch.chdir(tmp_path)
    return Course()


def test_all_of_a_student_is_deleted_and_nothing_of_others(course: Course) -> None:
    removed = forget(course, "student-01")
    assert len(removed) == 8
    assert "student-01" not in (course.gradebook / "extensions.csv").read_text()
    assert "student-02,,48" in (course.gradebook / "extensions.csv").read_text()
    left = [str(path) for path in course.gradebook.rglob("*") if path.is_file()]
    assert not [path for path in left if "student-01/" in path or "student-01+" in path or "student-01.0a" in path]
    assert len([path for path in left if "student-01.b" in path]) == 6
    assert len([path for path in left if "student-02" in path]) == 6
    with Gradebook(course.directory.db_url) as gradebook:
        assert [student.id for student in gradebook.students] == ["student-02"]
        kept = gradebook.db.execute(select(GRADED.c.answers)).scalars().all()
        assert [json.loads(one) for one in kept] == [{"check_f": ["student-02", 1.0]}]
    assert forget(course, "student-01") == []
    (course.gradebook / "extensions.csv").write_text(TABLE + "student-09,,soon\n")  # a broken line keeps nobody's data
    assert forget(course, "student-01") == ["lines of extensions.csv"]


def test_downloaded_files_are_deleted_and_archives_are_named(
    course: Course, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with (course.gradebook.parent / "nbgrader_config.py").open("a") as config:
        config.write(PATTERN)
    downloaded = course.gradebook / "downloaded" / "01_a"
    theirs = [f"{place}/student-01_01_a.{kind}" for place in ("archive", "extracted/all") for kind in ("ipynb", "txt")]
    others = ["extracted/all/student-02_01_a.ipynb", "extracted/all/student-01.b_01_a.ipynb"]
    for name in (*theirs, *others):
        (downloaded / name).parent.mkdir(parents=True, exist_ok=True)
        (downloaded / name).write_text("{}")
    with zipfile.ZipFile(downloaded / "archive" / "all.zip", "w") as archive:
        for name in ("student-01_01_a.ipynb", "student-02_01_a.ipynb", "student-01\x1b[2J_01_a.ipynb"):
            archive.writestr(name, "{}")
    (downloaded / "archive" / "broken.zip").write_bytes(b"PK")
    assert forgotten(monkeypatch, "student-01", "--yes") == 0
    said = capsys.readouterr().out
    assert not [name for name in theirs if (downloaded / name).exists()]
    assert all((downloaded / name).exists() for name in others)
    assert "not deleted: downloaded/01_a/archive/all.zip holds student-01_01_a.ipynb, and zip_collect would" in said
    assert "broken" not in said
    assert forgotten(monkeypatch, "student-01", typed="") == 1  # the archive still holds it
    assert "all.zip holds student-01_01_a.ipynb" in capsys.readouterr().out


def test_all_of_a_student_is_deleted_in_nbgraders_own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n" + PATTERN)
    monkeypatch.chdir(tmp_path)
    made = [tmp_path / step / "student-01" / "ps1" / "a.ipynb" for step in ("submitted", "autograded", "feedback")]
    made += [tmp_path / f"downloaded/ps1/extracted/student-0{n}_01_a.ipynb" for n in (1, 2)]
    made.append(report_folder(tmp_path / "gradebook", "ps1") / PAGE)
    for path in made:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(ANONYMOUS)
    assert len(stored(Course(), "student-01")) == len(made) - 1
    forget(Course(), "student-01")
    assert [path.name for path in made if path.exists()] == ["student-02_01_a.ipynb"]


def test_exported_tables_that_still_hold_a_student_are_named(
    course: Course, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (course.gradebook / "grades.csv").write_text("assignment,student_id,score\nex,student-01,3\n")
    (course.gradebook / "canvas.csv").write_text('"SIS Login ID"\r\n"student-01.b"\r\n')
    assert forgotten(monkeypatch, "student-01", "--yes") == 0
    said = capsys.readouterr().out
    assert "not deleted: grades.csv holds student-01: export it again, or delete it\n" in said
    assert "canvas.csv" not in said
    assert "extensions.csv holds" not in said


def test_exported_tables_are_found_by_every_id_of_a_student(
    course: Course, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (course.gradebook / "moodle").mkdir()
    (course.gradebook / "moodle" / "ex.csv").write_text("Email address,First name\none@example.org,Ben\n")
    (course.gradebook / "canvas.csv").write_text('Student,ID\n"Roe, Ben",4711\n')
    with Gradebook(course.directory.db_url) as gradebook:
        gradebook.update_or_create_student("student-01", email="one@example.org", lms_user_id="4711")
    assert forgotten(monkeypatch, "student-01", "--yes") == 0
    said = capsys.readouterr().out
    assert "not deleted: moodle/ex.csv holds one@example.org: export it again, or delete it\n" in said
    assert "not deleted: canvas.csv holds 4711: " in said


@pytest.mark.parametrize("roster", ["id,email,group\nstudent-30,a@b,\nx,,\n", "id,email\nstudent-30,a@b\nx,\n"])
def test_a_student_who_is_only_in_the_roster_is_listed_and_deleted(course: Course, roster: str) -> None:
    path = course.gradebook / "students.csv"
    path.write_text(roster)
    assert stored(course, "student-30") == [f"the lines of student-30 in {path}"]
    assert forget(course, "student-30") == ["lines of students.csv"]
    assert "a@b" not in path.read_text()


def test_a_file_in_a_folder_that_does_not_exist_is_refused_in_one_sentence(
    course: Course, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export-anonymous", "nowhere/scores.csv"]) == 2
    said = capsys.readouterr().err
    assert said.endswith("scores.csv: No such file or directory: see to that file or folder, then repeat the command\n")
    assert "Traceback" not in said


def forgotten(monkeypatch: pytest.MonkeyPatch, *words: str, typed: str | None = None) -> int:
    """Run `autograder forget`, where somebody types this; without a terminal where nobody does."""
    stdin = io.StringIO(typed or "")
    monkeypatch.setattr(stdin, "isatty", lambda: typed is not None, raising=False)
    monkeypatch.setattr("sys.stdin", stdin)
    return main(["forget", *words])


def test_an_unknown_student_is_refused_at_once(
    course: Course, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(course.gradebook.rglob("*"))
    for more in ((), ("--yes",)):
        assert forgotten(monkeypatch, "student-99", *more, typed="student-99\n") == 2
        said = capsys.readouterr()
        assert said.err.startswith("autograder forget: there is nothing here of 'student-99' (did you mean 'student-0")
        assert not said.out
    assert sorted(course.gradebook.rglob("*")) == before


def test_nothing_is_deleted_unless_the_name_is_typed(
    course: Course, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for typed, status in ((None, 2), ("", 1), ("yes\n", 1), ("student-01\n", 0)):
        assert forgotten(monkeypatch, "student-01", typed=typed) == status
        said = capsys.readouterr()
        assert (course.gradebook / "submitted" / "student-01").exists() == (status != 0)
        assert f"the lines of student-01 in {course.extensions}" in said.out
        assert said.err.count("\n") == (typed is None)
        assert said.err.endswith("repeat it with --yes\n") == (typed is None)


@pytest.mark.parametrize("name", one_of_each(["..", "", "a/b", "*"], type))
def test_what_is_no_name_deletes_nothing(course: Course, name: str) -> None:
    before = sorted(course.gradebook.rglob("*"))
    with pytest.raises(CourseError):
        forget(course, name)
    assert sorted(course.gradebook.rglob("*")) == before


def test_an_export_names_nobody(course: Course) -> None:
    from autograder.classroom.store import Store

    verdict = {
        "task": "partials",
        "points": 1,
        "maximum": 3,
        "results": [{"kind": "wrong", "mistake": "sign"}, {"kind": "passed", "mistake": ""}],
    }
    for submission in course.submissions("ex"):
        Store(course.gradebook).keep_record(submission, {"student": submission.student, "verdicts": [verdict]})
    written = io.StringIO()
    assert export_anonymously(course, written) == 3
    assert "student" not in written.getvalue()
    rows = list(csv.DictReader(io.StringIO(written.getvalue())))
    assert len({row["who"] for row in rows}) == 3
    assert {row["diagnoses"] for row in rows} == {"sign"}
    again = io.StringIO()
    export_anonymously(course, again)
    assert again.getvalue() == written.getvalue()
