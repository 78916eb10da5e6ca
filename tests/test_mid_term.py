"""What happens to graded work where a course changes in mid-term: it is said, and points stay until a rejudgement."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder.command_line import main
from autograder.grader import provenance
from autograder.tasks.folders import COURSE as COURSE_FOLDER
from autograder.tasks.folders import TASKS
from tests.class_runs import CLASS, EXERCISE, Nobody, inside, run_class
from tests.course import db_url, nbgrader, rows
from tests.depth import proof
from tests.submissions import COURSE, cell_of

STAY = f"The recorded points stay until `autograder grade {EXERCISE} --rejudge`"
KINDS = ("results/*/*/*.json", "autograded/*/*/*.ipynb")
Change = Callable[[Path, pytest.MonkeyPatch], str]


def own_course(course: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have the course read a copy of this exercise's task folders; return the folder of the tasks."""
    folder = course / "tasks"
    shutil.copytree(COURSE / "solutions" / EXERCISE, folder / EXERCISE, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setenv(COURSE_FOLDER, str(folder))
    return folder / EXERCISE / TASKS


def another_torch(course: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    was = provenance.torch_version().partition("+")[0]
    for where in ("autograder.grader.provenance", "autograder.classroom.preparing"):
        monkeypatch.setattr(f"{where}.torch_version", lambda: "9.9.9")
    return f"torch is 9.9.9 and was {was}"


def another_python(course: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    was = ".".join(provenance.platform.python_version_tuple()[:2])
    monkeypatch.setattr(provenance.platform, "python_version_tuple", lambda: ("9", "9", "9"))
    return f"Python is 9.9 and was {was}"


def other_checks(course: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    path = own_course(course, monkeypatch) / "partials" / "task.py"
    path.write_text(path.read_text() + "\nOTHER = 1\n")
    return "the checks of partials have changed"


def other_probes(course: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("autograder.classroom.preparing.code_digest", lambda folders: "other")
    monkeypatch.setattr(provenance, "source_digest", lambda folders: f"other {folders}")
    return "the autograder's own code has changed"


def other_points(course: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    source = course / "solutions" / EXERCISE / f"{EXERCISE}.ipynb"
    notebook = nbformat.read(source, as_version=4)
    cell_of(notebook, "check_partials").metadata.nbgrader.points = 6.0
    nbformat.write(notebook, source)
    nbgrader(course, "generate_assignment", EXERCISE, "--force")
    return "partials is worth 6 and was worth 3"


def removed_task(course: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    tasks = own_course(course, monkeypatch)
    shutil.rmtree(tasks / "fit_neuron")
    about = tasks / "exercise.toml"
    about.write_text("".join(line for line in about.read_text().splitlines(True) if '"fit_neuron"' not in line))
    return "the course no longer has fit_neuron, whose points a new judgement takes away"


CHANGES = [another_torch, another_python, other_checks, other_probes, other_points, removed_task]


def recorded(course: Path) -> tuple:
    """All that is recorded of the class."""
    files = (path for kind in KINDS for path in course.glob(f"gradebook/{kind}"))
    return rows(course, EXERCISE), {path: path.read_bytes() for path in files}


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("change", CHANGES)
def test_a_class_run_says_what_has_changed_and_keeps_the_points(
    change: Change, course: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    said, before = change(course, monkeypatch), recorded(course)
    done = run_class(course, Nobody)
    assert {one.state for one in done.values()} == {"unchanged"}
    assert recorded(course) == before
    with inside(course):
        assert main(["grade", EXERCISE]) == 0
    told = words(capsys.readouterr().out)
    assert f"{EXERCISE}: since {len(CLASS)} submissions were graded, {said}" in told
    assert STAY in told
    assert recorded(course) == before


def test_tables_and_the_report_say_it_too(
    course: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    said = another_torch(course, monkeypatch)
    with inside(course):
        assert main(["scores", EXERCISE]) == 0
        told = words(capsys.readouterr().out)
        assert main(["report", EXERCISE, "--anonymous"]) == 0
    assert f"since {len(CLASS)} submissions were graded, {said}" in told
    assert "30/30" in told
    page = (course / "gradebook" / "report" / "assignments" / EXERCISE / "index.html").read_text()
    assert f"since {len(CLASS)} submissions were graded, {said}" in page


def test_points_of_other_cells_are_not_current_and_say_which(
    course: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    said = other_points(course, monkeypatch)
    monkeypatch.setenv("COLUMNS", "250")
    with inside(course):
        assert main(["scores", EXERCISE]) == 0
    assert f"not current: the exercise's points were changed since it was graded ({said}); it was 30" in words(
        capsys.readouterr().out
    )
    told = nbgrader(course, "export", "--exporter=autograder.exports.moodle.Moodle").stderr
    assert f"({said})" in told
    assert f"`autograder grade {EXERCISE} --rejudge --diff` says what judging again would change" in told


def test_a_removed_task_keeps_its_points_and_is_not_taken_for_asserts(
    course: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    removed_task(course, monkeypatch)
    with inside(course):
        assert main(["scores", EXERCISE]) == 0
    told = words(capsys.readouterr().out)
    assert "30/30" in told
    assert "asserts" not in told


def test_nbgrader_leaves_the_points_and_says_why(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`nbgrader autograde --force`, which is what the formgrader's button runs, and feedback."""
    said, before = other_checks(course, monkeypatch), recorded(course)
    told = nbgrader(course, "autograde", EXERCISE, "--force", "--student", "student-01").stderr
    assert said in told
    assert STAY in told
    assert "student-01: not graded again, and its points stay" in told
    assert recorded(course) == before
    assert said in nbgrader(course, "generate_feedback", EXERCISE, "--student", "student-01").stderr
    assert said in nbgrader(course, "export", "--assignment", f"['{EXERCISE}']").stderr


@proof
def test_nbgrader_grades_what_was_handed_in_anew(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other_checks(course, monkeypatch)
    (course / f"gradebook/submitted/student-03/{EXERCISE}/{EXERCISE}.ipynb").write_bytes(CLASS["student-01"])
    told = nbgrader(course, "autograde", EXERCISE, "--force", "--student", "student-03").stderr
    assert "its points stay" not in told
    with Gradebook(db_url(course)) as gradebook:
        assert gradebook.find_submission(EXERCISE, "student-03").score == 30


def test_grades_of_an_earlier_version_stay_too(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It wrote neither versions nor the digest of the file into graded notebooks, nor settings into records."""
    for path in course.glob("gradebook/autograded/*/*/*.ipynb"):
        notebook = json.loads(path.read_text())
        for key in (provenance.PROVENANCE, provenance.HANDED_IN):
            del notebook["metadata"]["autograder"][key]
        path.chmod(0o600)
        path.write_text(json.dumps(notebook))
    for path in course.glob("gradebook/results/*/*/*.json"):
        record = json.loads(path.read_text())
        path.write_text(json.dumps({key: value for key, value in record.items() if key != "settings"}))
    another_torch(course, monkeypatch)
    before = recorded(course)
    done = run_class(course, Nobody)
    assert {one.state for one in done.values()} == {"unchanged"}
    assert all(one.changes for one in done.values())
    assert recorded(course) == before
