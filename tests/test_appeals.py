"""Appeals: a student contests a task, an instructor sees what was asked, expected and got, and decides."""

from __future__ import annotations

import json
import os
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell

from autograder.classroom.course import Course
from autograder.command_line import main
from autograder.decisions.contests import LONGEST, MOST, appeals, open_appeals_note
from autograder.decisions.log import DecisionLog
from tests.class_runs import CLASS, EXERCISE, inside
from tests.course import hand_out, nbgrader, new_course

WORDS = "My gradient is right, only the names are swapped."


@pytest.fixture
def contested(course: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """student-03 contests a task in a file beside the notebook."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(course)
    write(course, "student-03", "appeal_partials.txt", WORDS)
    return course


def write(course: Path, student: str, name: str, text: str | bytes) -> Path:
    path = course / "gradebook" / "submitted" / student / EXERCISE / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def found(course: Path) -> list[tuple[str, str, str]]:
    with inside(course):
        return [(one.student, one.task, one.words) for one in appeals(Course().directory, EXERCISE)]


def appeal(capsys: pytest.CaptureFixture, *arguments: str, status: int = 0) -> str:
    assert main(["appeal", *arguments]) == status
    out = capsys.readouterr()
    assert "Traceback" not in out.err
    return " ".join((out.err if status else out.out).split())


def test_a_file_and_a_cell_are_appeals(contested: Path) -> None:
    notebook = nbformat.reads(CLASS["student-01"].decode(), as_version=4)
    notebook.cells.append(new_markdown_cell("### Appeal: `check_path_sum`\n\nLook at *this*."))
    notebook.cells.append(new_markdown_cell("I appeal to your kindness."))
    write(contested, "student-01", f"{EXERCISE}.ipynb", nbformat.writes(notebook))
    assert found(contested) == [("student-01", "path_sum", "Look at *this*."), ("student-03", "partials", WORDS)]
    with inside(contested):
        (note,) = open_appeals_note(Course().directory, EXERCISE)
    assert note == f"{EXERCISE}: 2 appeals are open: `autograder appeal {EXERCISE}` shows them"


@pytest.mark.parametrize(
    ("source", "task", "words"),
    [
        ("Appeal: path_sum My answer is right.", "path_sum", "My answer is right."),
        ("Appeal: path_sum. The sign is right.", "path_sum", "The sign is right."),
        ("**Appeal: path_sum**\n\nLook.", "path_sum", "Look."),
        ("> appeal: task `path_sum`: look", "path_sum", "look"),
        ("Appeal: task_gradients\nLook.", "task_gradients", "Look."),
        ("Appeal path_sum\nLook.", "path_sum", "Look."),
        ("Appeal:\npath_sum\nLook.", "path_sum", "Look."),
        ("## **Appeal: path_sum**\nLook.", "path_sum", "Look."),
        ("> ### _Appeal_: path_sum, look.", "path_sum", "look."),
        ("Appeal: I was ill.", "I", "was ill."),
        ("Appeal to your kindness.", "", ""),
        ("An appeal: no", "", ""),
    ],
)
def test_where_the_reasons_of_an_appeal_begin(contested: Path, source: str, task: str, words: str) -> None:
    notebook = nbformat.reads(CLASS["student-01"].decode(), as_version=4)
    notebook.cells.append(new_markdown_cell(source))
    write(contested, "student-01", f"{EXERCISE}.ipynb", nbformat.writes(notebook))
    expected = [("student-01", task, words)] if task else []
    assert [one for one in found(contested) if one[0] == "student-01"] == expected


def test_hostile_words_are_text_of_a_limited_size(contested: Path, capsys: pytest.CaptureFixture) -> None:
    for path in (contested / "gradebook/submitted/student-03" / EXERCISE).glob("appeal_*"):
        path.unlink()
    write(contested, "student-03", "appeal_partials.txt", b"\x1b[2J<script>\xff [red]" + b"a" * 100_000)
    (contested / "gradebook/submitted/student-03" / EXERCISE / "appeal_path_sum.txt").symlink_to("/etc/passwd")
    os.mkfifo(contested / "gradebook/submitted/student-02" / EXERCISE / "appeal_partials.txt")
    for number in range(MOST + 5):
        write(contested, "student-05", f"appeal_t{number}.txt", "no")
    every = found(contested)
    ((_, _, words),) = [one for one in every if one[0] == "student-03"]
    assert words.startswith("\\x1b[2J<script>")
    assert len(words) < LONGEST + 20
    assert len([one for one in every if one[0] == "student-05"]) == MOST
    assert not [one for one in every if one[0] == "student-02"]
    told = appeal(capsys, EXERCISE, "student-03")
    assert "\\x1b[2J<script>" in told
    assert "[red]" in told
    assert "root:" not in told


def test_one_is_shown_with_question_expected_and_got(contested: Path, capsys: pytest.CaptureFixture) -> None:
    table = appeal(capsys, EXERCISE)
    assert "student-03" in table
    assert "open" in table
    told = appeal(capsys, EXERCISE, "student-03", "partials")
    assert f"student-03 contests partials of {EXERCISE}, in appeal_partials.txt: {WORDS}" in told
    assert "Recorded: 0 of 3 points" in told
    for word in ("asked partials(", "expected {'", "got {'", "drawn for this submission; students never see"):
        assert word in told, told
    assert "Today's checks judge the same answers alike" in told
    asked = told.split("drawn for this submission", 1)[1].split("asked ", 1)[1].split("expected")[0]
    assert asked.startswith("partials("), "with its numbers, which no feedback shows"
    page = (contested / f"gradebook/autograded/student-03/{EXERCISE}/{EXERCISE}.ipynb").read_text()
    assert asked.strip() not in page


def test_a_decision_is_logged_closes_the_appeal_and_reaches_the_feedback(
    contested: Path, capsys: pytest.CaptureFixture
) -> None:
    names = (EXERCISE, "student-03", "partials")
    assert "needs a reason" in appeal(capsys, *names, "--decide", "upheld", status=2)
    told = appeal(capsys, *names, "--decide", "rejected", "--reason", "Names <b>count</b>.", "--by", "ada")
    assert "is rejected" in told
    assert appeal(capsys, EXERCISE) == "No appeal is open."
    (line,) = (json.loads(line) for line in DecisionLog(contested / "gradebook").path.read_text().splitlines())
    assert (line["kind"], line["by"], line["student"], line["task"]) == ("rejected", "ada", "student-03", "partials")
    assert "rejected" in appeal(capsys, "--log")
    nbgrader(contested, "generate_feedback", EXERCISE, "--student", "student-03")
    page = (contested / f"gradebook/feedback/student-03/{EXERCISE}/{EXERCISE}.html").read_text()
    assert "Your appeal about partials was rejected on" in page
    assert "Names &lt;b&gt;count&lt;/b&gt;." in page
    appeal(capsys, *names, "--decide", "upheld", "--reason", "I was wrong.")
    assert [one.kind for one in DecisionLog(contested / "gradebook").decisions] == ["rejected", "upheld"]
    nbgrader(contested, "generate_feedback", EXERCISE, "--student", "student-03", "--force")
    page = (contested / f"gradebook/feedback/student-03/{EXERCISE}/{EXERCISE}.html").read_text()
    assert "was upheld on" in page
    assert "was rejected on" not in page


def test_other_words_are_another_appeal(contested: Path, capsys: pytest.CaptureFixture) -> None:
    names = (EXERCISE, "student-03", "partials")
    appeal(capsys, *names, "--decide", "rejected", "--reason", "No.")
    write(contested, "student-03", "appeal_partials.txt", "But look at the third question.")
    assert "But look" in appeal(capsys, EXERCISE)


def test_an_appeal_by_another_way_is_recorded(contested: Path, capsys: pytest.CaptureFixture) -> None:
    told = appeal(capsys, EXERCISE, "student-01", "path_sum", "--record", "By mail: it is right.", "--by", "ada")
    assert "is recorded, and open" in told
    assert "recorded by ada" in appeal(capsys, EXERCISE, "student-01")


def test_tables_count_what_is_open(contested: Path, capsys: pytest.CaptureFixture) -> None:
    note = f"{EXERCISE}: 1 appeal is open: `autograder appeal {EXERCISE}` shows it"
    for command in (["scores", EXERCISE], ["grade", EXERCISE]):
        assert main(command) == 0
        assert note in " ".join(capsys.readouterr().out.split())
    assert main(["report", EXERCISE, "--anonymous"]) == 0
    page = contested / "gradebook" / "report" / "assignments" / EXERCISE / "index.html"
    assert "1 appeal is open" in page.read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["99_none"], "there is no assignment '99_none'"),
        (["02_grad"], "02_grad has no submission"),
        ([EXERCISE, "student-99"], "by 'student-99' (did you mean"),
        ([EXERCISE, "student-01"], "student-01 has no appeal"),
        ([EXERCISE, "student-03", "partial"], "has no appeal about 'partial' (did you mean 'partials'?)"),
        ([EXERCISE, "student-03", "nothing", "--record", "x"], "has no task 'nothing'"),
        ([EXERCISE, "student-03", "partials", "--record", " "], "--record needs the student's words"),
        ([EXERCISE, "--decide", "upheld"], "name the appeal"),
        ([EXERCISE, "student-03", "--decide", "upheld"], "needs a reason"),
    ],
)
def test_bad_input_is_a_sentence(
    arguments: list[str], said: str, contested: Path, capsys: pytest.CaptureFixture
) -> None:
    assert said in appeal(capsys, *arguments, status=2)


def test_an_appeal_about_a_task_that_does_not_exist(contested: Path, capsys: pytest.CaptureFixture) -> None:
    write(contested, "student-01", "appeal_path_sums.txt", "Look.")
    told = appeal(capsys, EXERCISE, "student-01")
    assert "student-01 contests 'path_sums' (did you mean 'path_sum'?), a task that" in told
    names = (EXERCISE, "student-01", "path_sums")
    assert "can only be rejected" in appeal(capsys, *names, "--decide", "upheld", "--reason", "yes", status=2)
    appeal(capsys, *names, "--decide", "rejected", "--reason", "There is no such task.")


def test_answers_that_are_gone_are_told(contested: Path, capsys: pytest.CaptureFixture) -> None:
    for path in (contested / "gradebook" / "answers" / EXERCISE).glob("student-03.*"):
        path.write_bytes(b"damaged")
    assert "Not replayed, because these are no answers" in appeal(capsys, EXERCISE, "student-03")
    for path in (contested / "gradebook" / "answers" / EXERCISE).glob("student-03.*"):
        path.unlink()
    assert "Not replayed, because its answers are not stored" in appeal(capsys, EXERCISE, "student-03")


def test_a_course_without_a_gradebook_or_a_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "run this in the course's folder" in appeal(capsys, status=2)
    course = new_course(tmp_path / "course")
    monkeypatch.chdir(course)
    assert "is not there" in appeal(capsys, status=2)
    hand_out(course)
    assert appeal(capsys) == "No appeal is open."
    assert "has no submission" in appeal(capsys, EXERCISE, "student-01", status=2)
