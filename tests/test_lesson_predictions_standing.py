"""What the record says of predictions: figures by lesson and concept, how sure, and what comes back when."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from autograder import record
from autograder.desk import concepts as desk
from autograder.lesson_predictions import review, standing
from autograder.lesson_predictions.reviewing import answer_again, review_due
from autograder.lesson_predictions.standing import answered, comes_back, counted, due
from autograder.lesson_predictions.summary import advice, summary
from autograder.lesson_predictions.table import concepts, predictions
from autograder.terminal import Terminal
from tests import lesson_course
from tests.lesson_course import LESSON, keep, noted


@pytest.fixture(autouse=True)
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The course, and a record of one's own."""
    monkeypatch.setenv(record.FOLDER, str(tmp_path / "kept"))
    monkeypatch.setenv("AUTOGRADER_COURSE", str(lesson_course.made(tmp_path / "course")))
    return tmp_path / "course"


def day(number: int) -> date:
    """The day so many days after the first."""
    return lesson_course.FIRST_DAY.astimezone().date() + timedelta(days=number)


def again(number: int, right: bool, which: str = "half") -> dict[str, Any]:
    """A review's answer."""
    return noted(which, right, number, review=True)


@pytest.mark.parametrize(
    ("reviews", "back"),
    [
        ((), 2),
        (((2, True),), 9),
        (((3, True), (10, True)), 31),
        (((2, True), (9, True), (30, True)), None),
        (((2, True), (9, False)), 11),
        (((2, False), (4, True)), 11),
        (((2, True), (9, True), (30, True), (31, False)), None),  # what is learnt stays so
    ],
)
def test_a_missed_prediction_comes_back_until_it_is_right_three_times(reviews: tuple, back: int | None) -> None:
    keep(noted("half", False), *(again(number, right) for number, right in reviews))
    assert comes_back(answered()) == ({} if back is None else {"half": day(back)})


def test_only_a_missed_first_answer_comes_back() -> None:
    keep(noted("half", True), noted("half", False, 1), noted("third", False, 1, before=False))
    assert comes_back(answered()) == {"third": day(3)}


def test_what_is_due_is_what_the_course_still_asks_the_longest_due_first() -> None:
    keep(noted("third", False), noted("gone", False), noted("half", False, 1))
    assert due(answered(), predictions(), day(1)) == []
    assert due(answered(), predictions(), day(2)) == ["third"]
    assert due(answered(), predictions(), day(9)) == ["third", "half"]


def test_figures_count_first_answers_before_their_cells() -> None:
    keep(noted("half", False), noted("half", True, 1), again(2, True), noted("third", True, 3, before=False))
    assert [(one.which, one.right) for one in counted(answered(), predictions())] == [("half", False)]


@pytest.mark.parametrize("damage", [{"right": "yes"}, {"answer": None}, {"which": 3}, {"sure": "very"}, {"before": 1}])
def test_a_damaged_event_costs_no_other(damage: dict) -> None:
    keep(noted("half", True) | damage, noted("third", True))
    assert [one.which for one in answered()] == ["third"]


def test_a_lesson_is_summed_up(capsys: pytest.CaptureFixture) -> None:
    review("03")
    assert f"Lesson {LESSON}: no prediction made yet, of 2." in capsys.readouterr().out
    keep(noted("half", True, sure=3), noted("third", False, sure=1), noted("half", False, 1, sure=3))
    review(LESSON)
    said = " ".join(capsys.readouterr().out.split())
    assert "you made 2 of 2 predictions before their cells ran, and 1 was right." in said
    assert "When you were certain you were right in 1 of 1; when guessing, in 0 of 1." in said
    assert "Signs of things 0 of 1 right Rules 1 of 1 right" in said


@pytest.mark.parametrize("asked", ["04", "", 3, "3"])
def test_a_lesson_that_is_not_there_is_said(asked: object, capsys: pytest.CaptureFixture) -> None:
    review(asked)
    assert f"there are {LESSON}." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("sure", "rights", "said"),
    [
        (3, "rrw", "You were certain more often than right"),
        (3, "rrrw", ""),
        (3, "ww", ""),
        (1, "rrrw", "What you call guessing is mostly right"),
        (1, "rrw", ""),
        (2, "www", ""),
    ],
)
def test_one_sentence_where_certainty_and_rightness_disagree(sure: int, rights: str, said: str) -> None:
    keep(*(noted(f"p{number}", one == "r", sure=sure) for number, one in enumerate(rights)))
    assert advice(answered()).startswith(said)
    assert bool(advice(answered())) is bool(said)


def test_a_summary_has_concepts_without_titles_too() -> None:
    keep(noted("half", True))
    assert "  rules  1 of 1 right" in summary(LESSON, predictions(), {}, answered())


def test_a_review_asks_what_is_due_with_its_place(capsys: pytest.CaptureFixture) -> None:
    review_due(day(0))
    assert capsys.readouterr().out == "No prediction is due today.\n"
    keep(noted("half", False))
    review_due(day(1))
    assert f"The next is due on {day(2).day} {day(2):%B}." in capsys.readouterr().out
    review_due(day(2))
    said = capsys.readouterr().out
    assert said.startswith(f"1 prediction comes back today. From lesson {LESSON}, “Halves”")
    assert "What is half of 6?" in said
    assert "    def half(x):" in said
    assert "assert" not in said
    assert 'review("half", "a", sure=2)' in said


def test_an_answer_in_a_review_is_noted_as_such(capsys: pytest.CaptureFixture) -> None:
    keep(noted("half", False), noted("third", False))
    answer_again("half", "b", 3, day(5))
    said = " ".join(capsys.readouterr().out.split())
    assert "Right. You answered `3`, certain." in said
    assert "It will be asked again on" in said
    assert said.endswith("1 more today: review()")
    assert [(one.which, one.right, one.review) for one in answered()][2:] == [("half", True, True)]
    with pytest.raises(LookupError, match="half is not due today"):
        answer_again("half", "b", 3, day(5))


def test_without_a_record_nothing_comes_back_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setenv(record.FOLDER, "off")
    review()
    review("03")
    assert capsys.readouterr().out.count("No record is kept here (AUTOGRADER_RECORD is off)") == 2


def test_the_desk_shows_concepts_and_what_comes_back(capsys: pytest.CaptureFixture) -> None:
    keep(noted("half", False, sure=3), noted("third", True, sure=1))
    keep({"at": noted("half", True)["at"], "kind": "attempt", "task": "t", "points": 1, "maximum": 1, "mistakes": []})
    assert desk.print_concepts() == 0
    said = capsys.readouterr().out
    rows = [re.sub(r"[│┃\s]+", " ", line).strip() for line in said.splitlines()]
    assert "Signs of things 1 of 1" in rows
    assert "Rules 0 of 1 0 of 1" in rows
    assert "together 1 of 2" in rows
    assert "solved at the first check: 1 of 1 tasks" in rows
    assert "1 prediction comes back today: in a notebook, review()" in rows


@pytest.mark.parametrize(("number", "said"), [(1, ""), (2, "2 predictions come back today: in a notebook, review()\n")])
def test_progress_says_what_comes_back(number: int, said: str, capsys: pytest.CaptureFixture) -> None:
    keep(noted("half", False), noted("third", False))
    desk.print_due(Terminal(), day(number))
    assert capsys.readouterr().out == said


def test_progress_goes_on_without_lessons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setenv("AUTOGRADER_COURSE", str(tmp_path))
    desk.print_due(Terminal())
    assert capsys.readouterr() == ("", "")
    assert desk.print_concepts() == 2
    assert "only its package is installed here" in capsys.readouterr().err


def test_titles_are_those_of_the_list() -> None:
    assert [concepts()[one.concept] for one in predictions().values()] == ["Rules", "Signs of things"]
    assert standing.GAPS == (2, 7, 21)
