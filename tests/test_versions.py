"""Versions of a task: read from its folder, dealt by name, graded as dealt, and proved against each other."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory

from autograder.checks.catalogue import find_task, tasks_of
from autograder.classroom.course import Course
from autograder.command_line import main
from autograder.grader.live import judge_namespace
from autograder.hints import hints_of
from autograder.nbgrader_plugin import fetching
from autograder.notebook import check, my_versions
from autograder.proving.versions import other_answers, parameters_used
from autograder.similarity.command import published
from autograder.similarity.fragments import Cell, fragments
from autograder.tasks import own_versions
from autograder.tasks.dealing import Deal, disagreement, versions_in
from autograder.tasks.folders import COURSE, exercises
from autograder.tasks.siblings import NAME
from autograder.tasks.tables import TaskFolderError
from autograder.tasks.versions import Versions, versions_of
from tests.class_runs import inside, run_class
from tests.course import gradebook_points, hand_in, hand_out, nbgrader, new_course
from tests.depth import proof
from tests.submissions import COURSE as COURSE_FOLDER
from tests.submissions import as_bytes, cell_of, released

EXERCISE, TASK = "01_scalar_graphs", "partials"
STUDENTS = [f"student-{number:02}" for number in range(1, 7)]
VERSIONED = [
    (exercise, name)
    for exercise in exercises()
    for name, task in tasks_of(exercise).items()
    if versions_of(task.folder)
]


def names_of(source: str) -> dict[str, object]:
    names: dict[str, object] = {}
    exec(source, names)
    return names


def test_the_first_version_is_what_the_files_say() -> None:
    first, task = find_task(f"{TASK}@1"), find_task(TASK)
    assert (first.solution, hints_of(f"{TASK}@1")) == (task.solution, hints_of(TASK))
    assert [one.id for one in first.checks] == [one.id.replace("/", "@1/") for one in task.checks]
    assert (task.other_versions, task.version) == ((), 0)


def test_longer_texts_are_replaced_before_those_in_them_and_whole_words_alone() -> None:
    versions = Versions(("a", "b"), (("relu", "abs"), ("relu(v)", "relu(-v)"), ("<", ">"), (">", "<")))
    assert versions.text("relu(v) < relu(u), prelu > 0", 2) == "relu(-v) > abs(u), prelu < 0"
    assert versions.text("relu(v)", 1) == "relu(v)"


@pytest.mark.parametrize(("exercise", "name"), VERSIONED)
def test_a_copied_answer_loses_its_points_under_its_own_name(exercise: str, name: str) -> None:
    count = versions_of(find_task(name).folder).count
    for version in range(1, count + 1):
        own = find_task(f"{name}@{version}")
        copied = find_task(f"{name}@{version % count + 1}")
        right, _ = judge_namespace(own.label, names_of(own.solution))
        assert (right.points, right.version) == (own.points, version)
        wrong, _ = judge_namespace(own.label, names_of(copied.solution))
        assert wrong.points <= own.points / 2
        assert NAME in {result.mistake for result in wrong.results}
        assert versions_of(find_task(name).folder).asks[version - 1] in next(
            r.advice for r in wrong.results if r.advice
        )
        assert list(parameters_used(find_task(name))) == []


@proof
@pytest.mark.parametrize(("exercise", "name"), VERSIONED)
def test_every_right_answer_to_another_version_loses_points(exercise: str, name: str) -> None:
    for version in range(1, versions_of(find_task(name).folder).count + 1):
        assert list(other_answers(find_task(f"{name}@{version}"))) == []


def test_the_deal_follows_from_the_name_and_is_even() -> None:
    deal = Deal.of(EXERCISE, b"secret")
    dealt = [deal.versions(f"student-{number:03}")[TASK] for number in range(300)]
    assert dealt == [Deal.from_data(deal.as_data()).versions(f"student-{number:03}")[TASK] for number in range(300)]
    assert {*dealt} == {1, 2, 3}
    assert min(Counter(dealt).values()) > 70
    assert Deal.of(EXERCISE, b"another").salt != deal.salt
    with pytest.raises(ValueError, match="salt"):
        Deal.from_data({"salt": 3})


def test_a_notebook_says_which_versions_it_holds() -> None:
    cells = [{"cell_type": "code", "source": "import os\nmy_versions(partials=2, nothing=1, path_sum=77)"}]
    assert versions_in(cells, EXERCISE) == {"partials": 2}
    assert versions_in([{"cell_type": "code", "source": "# my_versions(partials=2)"}], EXERCISE) == {}
    assert disagreement({"partials": 2}, {"partials": 2}) == ""
    assert "`partials` in version 3" in disagreement({"partials": 2}, {"partials": 3})


def test_check_and_hint_speak_of_the_notebooks_version(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(own_versions, "_own", {})
    monkeypatch.setattr("autograder.notebook._namespace", lambda: names_of(find_task(f"{TASK}@2").solution))
    assert check(TASK) < find_task(TASK).points
    my_versions(partials=9)
    assert "partials has 3 versions, and no version 9" in capsys.readouterr().err
    my_versions(partials=2)
    assert check(TASK) == find_task(TASK).points
    assert "partials, version 2: 3 of 3 points" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('asks = ["a"]\n[texts]\n', "asks takes 2 to 5 texts"),
        ('asks = ["a", "b"]\n[texts]\nx = ["1"]\n', "line 3: x takes 2 texts"),
        ('asks = ["a", "b"]\n[texts]\nx = ["1", "1"]\n', "two versions have the same texts"),
        ('asks = ["a", "b"]\nother = 1\n[texts]\n', "unknown key 'other'"),
        ('asks = ["a", "b"]\n[texts]\nx = ["1", "2"]\ny = ["1", "3"]\n', "replace the same text"),
    ],
)
def test_a_malformed_file_is_explained(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "versions.toml").write_text(text)
    with pytest.raises(TaskFolderError, match=said):
        versions_of(tmp_path)


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course whose gradebook knows the exercise and its students."""
    folder = new_course(tmp_path / "course")
    hand_out(folder)
    (folder / "gradebook" / "secret_seed").write_text("01" * 32)
    with Gradebook(f"sqlite:///{folder}/gradebook/gradebook.db") as gradebook:
        for student in STUDENTS:
            gradebook.add_student(student)
    return folder


def answered(notebook: NotebookNode, versions: dict[str, int]) -> NotebookNode:
    for name, task in tasks_of(EXERCISE, versions).items():
        cell_of(notebook, name).source = task.solution
    return notebook


def dealt(course: Path, student: str) -> tuple[NotebookNode, dict[str, int]]:
    path = course / "gradebook" / "dealt" / EXERCISE / student / f"{EXERCISE}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    return notebook, versions_in(notebook.cells, EXERCISE)


def test_a_class_is_dealt_and_graded_as_dealt(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with inside(course):
        assert main(["deal", EXERCISE, "--zip", "all.zip"]) == 0
    notebooks = {student: dealt(course, student) for student in STUDENTS}
    assert {versions[TASK] for _, versions in notebooks.values()} == {1, 2, 3}, "other names of students are needed"
    assert "min(0, v)" in "".join(
        cell_of(nb, f"about_{TASK}").source for nb, one in notebooks.values() if one[TASK] == 2
    )
    by_version = {versions[TASK]: student for student, (_, versions) in notebooks.items()}
    own, other, astray = by_version[2], by_version[3], by_version[1]
    hand_in(course, own, EXERCISE, as_bytes(answered(*notebooks[own])))
    copied = answered(notebooks[other][0], notebooks[own][1])  # the answers of a friend in one's own notebook
    hand_in(course, other, EXERCISE, as_bytes(copied))
    hand_in(course, astray, EXERCISE, as_bytes(answered(released(EXERCISE), {TASK: 1})))  # never took the dealt one

    done = run_class(course)
    verdicts = {student: next(v for v in one.verdicts if v["task"] == TASK) for student, one in done.items()}
    full = sum(task.points for task in tasks_of(EXERCISE).values())
    assert sum(gradebook_points(course, EXERCISE, own).values()) == full
    assert verdicts[own]["version"] == 2
    assert gradebook_points(course, EXERCISE, other)[TASK] == 0
    assert {one["mistake"] for one in verdicts[other]["results"]} == {NAME}
    assert gradebook_points(course, EXERCISE, astray)[TASK] == 3  # its answers are those of version 1
    graded = {
        student: (course / "gradebook" / "autograded" / student / EXERCISE / f"{EXERCISE}.ipynb").read_text()
        for student in (own, other, astray)
    }
    assert "partials, version 2: 3 of 3 points" in graded[own]
    said = "does not hold the versions that were dealt to you"
    assert [said in graded[student] for student in (own, other, astray)] == [False, False, True]
    assert {one.state for one in run_class(course).values()} == {"unchanged"}


def test_the_answers_to_all_versions_are_published_and_do_not_make_students_similar(course: Path) -> None:
    known = published(Course(COURSE_FOLDER), EXERCISE)
    for version in (1, 2, 3):
        assert fragments([Cell(TASK, find_task(f"{TASK}@{version}").solution)]).keys() <= known


def test_who_has_which_version_is_shown_and_nothing_is_written(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with inside(course):
        assert main(["deal", EXERCISE, "--show"]) == 2
        assert f"{EXERCISE} was not dealt" in capsys.readouterr().err
        assert main(["deal", EXERCISE]) == 0
        capsys.readouterr()
        assert main(["deal", EXERCISE, "--show", "--student", "student-90"]) == 0
    lines = [line.replace("│", " ").split() for line in capsys.readouterr().out.splitlines() if "student-" in line]
    shown = {student: version for student, version in lines}
    assert shown.keys() == {*STUDENTS, "student-90"}
    assert all(shown[student] == str(dealt(course, student)[1][TASK]) for student in STUDENTS)
    assert not (course / "gradebook" / "dealt" / EXERCISE / "student-90").exists()


def test_an_assignment_that_was_handed_in_is_not_dealt(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hand_in(course, "student-01", EXERCISE, as_bytes(released(EXERCISE)))
    with inside(course):
        assert main(["deal", EXERCISE]) == 2
        assert "student-01 has handed in 01_scalar_graphs already" in capsys.readouterr().err
        assert main(["deal", "02_nothing"]) == 2
        assert "02_nothing was never generated" in capsys.readouterr().err
    assert not (course / "gradebook" / "deals").exists()


def test_a_damaged_deal_grades_nobody(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hand_in(course, "student-01", EXERCISE, as_bytes(released(EXERCISE)))
    path = course / "gradebook" / "deals" / EXERCISE / f"{EXERCISE}.json"
    path.parent.mkdir(parents=True)
    path.write_text("{")
    (done,) = run_class(course).values()
    assert done.state == "failed"
    assert "run `autograder deal` again" in done.reason
    with inside(course):
        assert main(["similarity", EXERCISE]) == 2
    assert "run `autograder deal` again" in capsys.readouterr().err


@proof
def test_a_dealt_notebook_comes_through_the_exchange_and_is_autograded(course: Path, tmp_path: Path) -> None:
    exchange, work = tmp_path / "exchange", tmp_path / "work"
    work.mkdir()
    exchange.mkdir()
    exchange.chmod(0o777)
    environment = {"NBGRADER_EXCHANGE": str(exchange), "HOME": str(tmp_path), "JUPYTERHUB_USER": "student-02"}
    with inside(course):
        assert main(["deal", EXERCISE]) == 0
    nbgrader(course, "release_assignment", EXERCISE, **environment)
    (work / "nbgrader_config.py").write_text(
        f"c = get_config()\nc.Exchange.root = {str(exchange)!r}\nc.CourseDirectory.course_id = 'gradients'\n"
        "c.CourseDirectory.student_id = 'student-02'\n"
        "c.ExchangeFactory.fetch_assignment = 'autograder.nbgrader_plugin.fetching.FetchAssignment'\n"
    )
    nbgrader(work, "fetch_assignment", EXERCISE, **environment)
    fetched = work / EXERCISE / f"{EXERCISE}.ipynb"
    assert [path.name for path in fetched.parent.iterdir()] == [fetched.name]
    notebook, versions = dealt(course, "student-02")
    assert nbformat.read(fetched, as_version=4) == notebook
    hand_in(course, "student-02", EXERCISE, as_bytes(answered(notebook, versions)))
    nbgrader(course, "autograde", EXERCISE, **environment)
    full = sum(task.points for task in tasks_of(EXERCISE).values())
    assert sum(gradebook_points(course, EXERCISE, "student-02").values()) == full


def test_who_has_set_no_name_is_dealt_what_the_submission_will_be_graded_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[str]()
    (tmp_path / "07_jacobians.ipynb").touch()
    monkeypatch.setattr(fetching.ExchangeFetchAssignment, "copy_files", lambda self: None)
    monkeypatch.setattr(fetching, "get_username", lambda: "kim")
    monkeypatch.setattr(fetching.Deal, "from_data", lambda data: SimpleNamespace(versions=asked.append))
    monkeypatch.setattr(fetching, "_deal", lambda path, versions: None)
    for name in ("*", "student-02"):
        (tmp_path / fetching.PUBLISHED).write_text('{"07_jacobians": {}}')
        fetch = fetching.FetchAssignment(coursedir=CourseDirectory(student_id=name))
        fetch.src_path = fetch.dest_path = str(tmp_path)
        fetch.copy_files()
    assert asked == ["kim", "student-02"]
    (tmp_path / fetching.PUBLISHED).write_text('{"torch": "2.13"}')
    fetch.copy_files()
    assert (tmp_path / fetching.PUBLISHED).exists()  # a file of the assignment's own, perhaps in another course


def test_a_course_without_versions_has_nothing_to_deal(
    course: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(COURSE, str(Path(__file__).with_name("miniature")))
    with inside(course):
        assert main(["deal", EXERCISE]) == 2
    assert "no task of 01_scalar_graphs has versions" in capsys.readouterr().err
