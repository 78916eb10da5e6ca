"""The table of scores keeps its columns, whatever a student is called and however narrow the window is."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from rich.cells import cell_len

from autograder import scores
from autograder.command_line import main
from autograder.standings.cell_score import CellScore
from autograder.standings.standing import Standing
from autograder.standings.state import State
from autograder.terminal import Terminal
from tests.course import hand_in
from tests.test_empty_exports import COMING, DONE, course, template  # noqa: F401

REASON = "`partials(3.0, 2.0, 1.0)['x']` is 3, expected 2. [swapped]"
LONG_NAMES = ["a" * 200, "大" * 80, "name with " * 20]


def shown(student: str, width: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines that `autograder scores` prints for a class of two."""
    tasks = (("partials", 1.0), ("all_partials", 0.0), ("values", 3.0))
    cells = tuple(
        CellScore(task, task, 3.0, automatic=points, reason=REASON if points < 3 else "") for task, points in tasks
    )
    class_of_two = [Standing(name, State.GRADED, 9.0, cells) for name in (student, "bob")]
    file = io.StringIO()
    monkeypatch.setattr(scores, "course_directory", CourseDirectory)
    monkeypatch.setattr(scores, "class_standings", lambda *_: (class_of_two, []))
    monkeypatch.setattr(scores, "Terminal", lambda: Terminal(file=file, width=width))
    assert scores.print_scores("01_scalar_graphs") == 0
    return file.getvalue().splitlines()


@pytest.mark.parametrize("student", ["alice", *LONG_NAMES], ids=["short", "long", "wide", "words"])
@pytest.mark.parametrize("width", [200, 100, 80, 60, 40, 20])
def test_everything_is_there_and_fits(student: str, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = shown(student, width, monkeypatch)
    assert max(map(cell_len, lines)) <= width
    letters = "".join("".join(lines).split())
    for character in set(student) - {" "}:
        assert letters.count(character) >= student.count(character)
    folded = "".join(letters.translate(dict.fromkeys(map(ord, "│┃┡┩╇━─├┤┼└┘┴┏┓┳"))))
    for part in ("all_partials", "0/3", "1/3", "4/9", "bob"):
        assert part in folded
    if width >= 60:  # a column that has been lost has words of one or two letters
        assert any("expected" in line for line in lines)
        assert any("all_partials" in line for line in lines)


def test_a_name_is_no_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    assert any("[red]alice[/red]" in line for line in shown("[red]alice[/red]", 100, monkeypatch))


def test_without_a_name_it_says_how_far_each_assignment_is(
    course: Path,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(course)
    monkeypatch.setenv("COLUMNS", "120")
    hand_in(course, "student-02", COMING, b"{}")
    assert main(["scores"]) == 0
    rows = [line.translate({ord("│"): " "}).split() for line in capsys.readouterr().out.splitlines()]
    assert [DONE, "1"] in rows
    assert [COMING, "1"] in rows


def test_a_table_that_is_not_there_says_why_and_what_to_do(
    course: Path,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(course)
    (course / "exercises" / "03_new").mkdir(parents=True)
    (course / "exercises" / "03_new" / "03_new.ipynb").write_text("{}")

    def complaint(*words: str) -> str:
        assert main(["scores", *words]) == 2
        return capsys.readouterr().err

    assert complaint("01_scalar_grahps") == (
        "autograder scores: there is no assignment '01_scalar_grahps' (did you mean '01_scalar_graphs'?)\n"
    )
    assert complaint("03_new") == "autograder scores: 03_new has no submission\n"
    hand_in(course, "student-01", "03_new", b"{}")
    assert complaint("03_new").endswith("03_new is not graded yet: run `autograder grade 03_new`\n")
    database = course / "gradebook" / "gradebook.db"
    database.unlink()
    advice = "put a backup of it back, or run `autograder grade`, which makes one of what was handed in\n"
    for words in ([], [DONE]):
        assert complaint(*words) == f"autograder scores: the gradebook sqlite:///{database} is not there: {advice}"
        assert not database.exists()
    with Gradebook(f"sqlite:///{database}"):
        pass
    assert complaint(DONE) == f"autograder scores: the gradebook sqlite:///{database} is empty: {advice}"
