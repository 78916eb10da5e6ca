"""`practice()`: a wrong program of a mistake that was made, beside a right one."""

from __future__ import annotations

import random
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from autograder import practice, record
from autograder.checks.catalogue import exercises, find_task, tasks_of
from autograder.practising import asking, choosing
from autograder.practising.asking import question_of
from autograder.practising.pairs import is_right, pair_of
from autograder.practising.plain_programs import plain_lines, renamed
from autograder.surroundings import GRADING
from tests.depth import exhaustive

MADE = ("distance", "1 where rows coincide")


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A record of this test's own."""
    monkeypatch.setenv(record.FOLDER, str(tmp_path))
    monkeypatch.setattr(asking, "_shown", [])
    return tmp_path


def attempt(task: str, *mistakes: str, solved: bool = True) -> None:
    """A first check that names these mistakes, and a second one that passes."""
    for points, named in ((0, list(mistakes)), *([(2, [])] if solved else [])):
        record.note("attempt", task=task, points=points, maximum=2, mistakes=named)


def test_a_mistake_that_was_made_comes_back(capsys: pytest.CaptureFixture) -> None:
    attempt(*MADE)
    practice()
    text = capsys.readouterr().out
    assert "Practice: two programs for `distance`" in text
    assert MADE[1] not in text  # the name would tell
    pair, question = asking._shown[0]
    practice("abcdef"[question.right])
    assert capsys.readouterr().out.startswith("Right. ")
    wrong = (question.right + 1) % len(question.choices)
    practice("abcdef"[wrong])
    said = capsys.readouterr().out
    assert pair.sentence in said
    assert f"right is {'abcdef'[question.right]}" in said
    noted = list(record.events("practice"))
    assert [(one["task"], one["mistake"], one["right"]) for one in noted] == [(*MADE, True), (*MADE, False)]


@pytest.mark.parametrize("day", range(1, 7))
def test_the_wrong_line_is_that_of_the_wrong_program(day: int) -> None:
    task = find_task(MADE[0])
    pair = pair_of(task, MADE[1], random.Random(day))
    assert pair is not None
    assert is_right(task, pair.right)
    assert not is_right(task, pair.wrong)
    question = question_of(pair, random.Random(day))
    said = question.choices[question.right]
    place = 0 if said.startswith("program 1, ") else 1
    assert question.codes[place].text.splitlines()[pair.line].endswith(pair.wrong[pair.line])
    assert f"line {pair.line + 1}: " in said
    assert len({*question.choices}) == len(question.choices) >= 3
    assert {one.partition(",")[0] for one in question.choices} == {"program 1", "program 2"}


def test_the_day_decides_which_comes_first() -> None:
    pair = pair_of(find_task(MADE[0]), MADE[1], random.Random(0))
    assert pair is not None
    first = {question_of(pair, random.Random(f"day {k}")).codes[0].text for k in range(12)}
    assert len(first) == 2


def test_what_was_practised_today_comes_last() -> None:
    attempt("distance", MADE[1])
    attempt("stop_gradient", *(one.name for one in find_task("stop_gradient").answers.mistakes))
    seen = set()
    for _ in range(3):
        pair = choosing.pair_for(date.today())
        assert pair is not None
        assert (pair.task.name, pair.mistake) not in seen
        seen.add((pair.task.name, pair.mistake))
        record.note("practice", task=pair.task.name, mistake=pair.mistake, right=True)


def test_a_task_that_is_not_solved_is_not_given_away() -> None:
    attempt(*MADE, solved=False)
    assert choosing.pair_for(date.today()) is None


def test_no_note_of_the_author_tells_which_program_is_wrong() -> None:
    assert plain_lines('"""Every slip."""\ndef f(x):\n    """Say it."""\n    return x') == ["def f(x):", "    return x"]


def test_a_task_that_was_tried_without_a_mistake_lends_one_of_its_own() -> None:
    attempt("distance")
    pair = choosing.pair_for(date.today())
    assert pair is not None
    assert pair.task.name == "distance"


@pytest.mark.parametrize("event", [{}, {"task": "no_such_task", "mistakes": ["x"]}, {"task": 3, "mistakes": "all"}])
def test_without_anything_to_go_by_the_student_is_told_what_to_do(
    capsys: pytest.CaptureFixture, event: dict[str, Any]
) -> None:
    record.note("attempt", **event)
    practice()
    assert "work on a task and check it" in " ".join(capsys.readouterr().out.split())


def test_where_the_time_ends_first_the_student_is_not_told_that_nothing_is_recorded(
    capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempt(*MADE)
    monkeypatch.setattr(choosing, "PATIENCE", -1.0)
    practice()
    assert capsys.readouterr().out == f"{asking.OUT_OF_TIME}\n"


def test_an_answer_before_a_question(capsys: pytest.CaptureFixture) -> None:
    practice("a")
    assert "asks first" in capsys.readouterr().err


@pytest.mark.parametrize("variable", GRADING)
def test_where_a_notebook_is_graded_nothing_is_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, variable: str
) -> None:
    monkeypatch.setenv(variable, "autograde")
    monkeypatch.setattr(asking, "pair_for", lambda day: pytest.fail("a pair was looked for"))
    practice()
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_a_program_is_told_in_the_names_of_another() -> None:
    right = plain_lines("def f(x: int, n):\n    '''Say it.'''\n    total = x + n  # a sum\n    return total * n")
    wrong = plain_lines("def f(a, b):\n    s = a + b\n    return s * a")
    assert right == ["def f(x, n):", "    total = x + n", "    return total * n"]
    assert renamed(right, wrong) == ["def f(a, b):", "    s = a + b", "    return s * b"]


@exhaustive
@pytest.mark.parametrize("exercise", exercises())
def test_every_pair_is_what_it_says(exercise: str) -> None:
    """The program that is called right gets all points, the wrong one does not, and most tasks have a pair."""
    without = []
    for name, task in tasks_of(exercise).items():
        found = [pair for one in task.answers.mistakes if (pair := pair_of(task, one.name, random.Random(0)))]
        if not found:
            without.append(name)
        for pair in found:
            assert is_right(task, pair.right), (name, pair.mistake)
            assert not is_right(task, pair.wrong), (name, pair.mistake)
    assert len(without) <= len(tasks_of(exercise)) // 2, without
