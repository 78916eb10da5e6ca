"""Predictions in lessons: their tables, answers as text, what the record keeps of them, and what counts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy
import pytest

from autograder import record
from autograder.lesson_predictions import predict, review, session
from autograder.lesson_predictions.answers import UnclearAnswerError, is_right, labels, read_answer
from autograder.lesson_predictions.lesson_cells import place_of
from autograder.lesson_predictions.table import Prediction, concepts, find, predictions, read_lesson
from autograder.surroundings import GRADING
from autograder.tasks.tables import TaskFolderError
from tests import lesson_course
from tests.kernel_cells import Kernel
from tests.lesson_course import CELLS, LESSON, PREDICTIONS

SOURCES = {name: source for _, name, source in CELLS}


@pytest.fixture(autouse=True)
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The course, and a record of one's own."""
    monkeypatch.setenv(record.FOLDER, str(tmp_path / "kept"))
    monkeypatch.setenv("AUTOGRADER_COURSE", str(lesson_course.made(tmp_path / "course")))
    monkeypatch.setattr(session, "_shown", {})
    return tmp_path / "course"


def shell(*ran: str) -> Any:
    """A shell with cells that ran, the running one last."""
    return SimpleNamespace(history_manager=SimpleNamespace(input_hist_raw=["", *ran]))


def events() -> list[dict[str, Any]]:
    return [
        {key: value for key, value in one.items() if key not in ("at", "kind")} for one in record.events("prediction")
    ]


def test_tables_are_read_in_order_with_the_titles_of_concepts() -> None:
    assert list(predictions()) == ["half", "third"]
    assert find("half") == Prediction(
        *("half", LESSON, "rules", "What is `half(6)`?", "half(6) == 3", "`half` divides by 2 & returns a float."),
        choices=("2", "`3`", "it raises <b>ValueError</b>"),
        answer="`3`",
    )
    assert (find("third").number, find("third").within) == (0.333333, 0.01)
    assert list(concepts().items()) == [("signs", "Signs of things"), ("rules", "Rules")]


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ('concept = "rules"', "", 1, "lacks the key concept"),
        ('concept = "rules"', 'concept = "rule"', 2, "half: there is no concept 'rule' (did you mean 'rules'?)"),
        ('answer = "`3`"', 'answer = "4"', 5, "answer is not one of the choices"),
        ('answer = "`3`"\n', "", 4, "answer is not one of the choices"),
        ('choices = ["2", ', 'choices = ["3", ', 4, "two choices are alike"),
        ('choices = ["2", "`3`", "it raises <b>ValueError</b>"]', 'choices = ["`3`"]', 4, "choices are 2 to 5 texts"),
        ('choices = ["2", ', "choices = [2, ", 4, "choices are 2 to 5 texts"),
        ('holds = "half(6) == 3"', 'holds = "half(6) = 3"', 6, "holds is not a Python expression"),
        ('why = "`half`', 'wy = "`half`', 7, "unknown key 'wy'"),
        ('why = "1 divided by 3."', 'why = " "', 15, "third: why is empty"),
        ("number = 0.333333", "number = true", 12, "number is not a number"),
        ("number = 0.333333", 'number = 1\nanswer = "1"', 13, "number is the answer; leave answer out"),
        ("within = 0.01", "within = -1", 13, "within is negative"),
        ("number = 0.333333\nwithin = 0.01", "", 11, "give either choices with an answer, or a number"),
        ("[third]", "[[third]]", 9, "a prediction begins with a line [third]"),
        ("[third]", "[third", 9, "line 9"),
    ],
)
def test_an_error_in_a_table_names_file_and_line(tmp_path: Path, old: str, new: str, line: int, said: str) -> None:
    assert old in PREDICTIONS
    file = tmp_path / f"{LESSON}.toml"
    file.write_text(PREDICTIONS.replace(old, new, 1))
    with pytest.raises(TaskFolderError) as error:
        read_lesson(file, ("signs", "rules"))
    assert str(file) in str(error.value)
    assert said in str(error.value)
    if line > 1:
        assert f"line {line}" in str(error.value)


def test_a_name_that_stands_twice_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solutions = lesson_course.made(tmp_path / "twice")
    (solutions.parent / "lessons" / "predictions" / "04_more.toml").write_text(PREDICTIONS)
    monkeypatch.setenv("AUTOGRADER_COURSE", str(solutions))
    with pytest.raises(TaskFolderError, match=r"04_more\.toml: half is already among the predictions of 03_halving"):
        predictions()


@pytest.mark.parametrize(
    ("given", "meant"), [("b", "`3`"), ("B", "`3`"), ("`3`", "`3`"), ("3", "`3`"), (3, "`3`"), (3.0, "`3`"), (2, "2")]
)
def test_a_choice_is_meant_by_letter_text_or_number(given: object, meant: str) -> None:
    assert read_answer(find("half"), given) == meant


@pytest.mark.parametrize("given", ["d", "", "x" * 500, 4, True, [], None])
def test_what_is_no_choice_is_said(given: object) -> None:
    with pytest.raises(UnclearAnswerError, match="is not one of the choices: write a, b or c, in quotes"):
        read_answer(find("half"), given)


def test_a_letter_that_is_itself_a_choice_means_that_choice() -> None:
    tricky = Prediction("t", LESSON, "rules", "Which?", "True", "So.", choices=("b", "a"), answer="a")
    assert read_answer(tricky, "a") == "a"
    assert labels(tricky) == ("b", "a")


@pytest.mark.parametrize(
    ("given", "right"), [("1/3", True), (0.3333, True), ("0.33", True), (numpy.float32(1 / 3), True), (0.35, False)]
)
def test_a_number_is_right_within_its_limits(given: object, right: bool) -> None:
    assert is_right(find("third"), read_answer(find("third"), given)) is right


@pytest.mark.parametrize("given", ["a third", "nan", "1/0", "1/2/3", [], "1e999/1e999", "-inf"])
def test_what_is_no_number_is_said(given: object) -> None:
    with pytest.raises(UnclearAnswerError, match="is not a number: write one such as"):
        read_answer(find("third"), given)


def test_a_terminal_gets_question_and_answer_as_text(capsys: pytest.CaptureFixture) -> None:
    predict("half")
    asked = capsys.readouterr().out
    assert "Your prediction: What is `half(6)`?\n  a) 2\n  b) `3`\n" in asked
    assert 'Answer with predict("half", "a", sure=2)\n' in asked
    assert events() == []
    predict("half", "a", sure=3)
    said = capsys.readouterr().out
    assert said.startswith("Not right. You answered “2”, certain.\nThe answer is `3`.\n`half` divides by 2")
    assert events() == [{"which": "half", "answer": "2", "right": False, "sure": 3, "before": True, "review": False}]


def test_a_second_answer_is_told_of_the_first(capsys: pytest.CaptureFixture) -> None:
    predict("third", 3, sure=1)
    predict("third", "1/3")
    said = capsys.readouterr().out
    assert "you answered `3`, guessing: not right. The first answer counts." in said
    assert [one["right"] for one in events()] == [False, True]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("halve",), "There is no prediction 'halve' (did you mean 'half'?)"),
        ((None,), "A prediction is given by its name"),
        (("half", "z"), "is not one of the choices"),
        (("half", "b", 4), "4 does not say how sure you are: write 1 for guessing"),
        (("half", "b", True), "True does not say how sure"),
    ],
)
def test_a_mistyped_call_is_told_in_a_sentence(arguments: tuple, said: str, capsys: pytest.CaptureFixture) -> None:
    predict(*arguments)
    told = capsys.readouterr()
    assert said in " ".join(told.err.split())
    assert (told.out, events()) == ("", [])


def test_without_lessons_it_says_so_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setenv("AUTOGRADER_COURSE", str(tmp_path / "nowhere" / "course"))
    predict("half")
    review("03")
    told = capsys.readouterr()
    assert " ".join(told.out.split()).count("only its package is installed here") == 2
    assert told.err == ""


@pytest.mark.parametrize("variable", GRADING)
def test_grading_asks_and_keeps_nothing(
    variable: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, tmp_path: Path
) -> None:
    monkeypatch.setenv(variable, "1")
    predict("half", "b")
    review("03")
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert not (tmp_path / "kept").exists()


@pytest.mark.parametrize(
    ("ran", "before"),
    [
        ((), True),  # committed by a button
        (('predict("third", 0.3)',), True),  # in the next cell
        (('# less than a half\npredict("third", 0.3)',), True),
        ((SOURCES["half-run"],), True),
        ((SOURCES["half-run"], "x"), False),
        ((SOURCES["third-run"] + "\n",), False),
    ],
)
def test_an_answer_counts_if_only_cells_above_ran_since(
    ran: tuple[str, ...], before: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    asked = "import torch", 'predict("third")'
    monkeypatch.setattr(session, "shell", lambda: shell(*asked))
    predict("third")
    monkeypatch.setattr(session, "shell", lambda: shell(*asked, *ran))
    predict("third", 0.3)
    assert events()[0]["before"] is before
    assert ("a cell below had run" in " ".join(capsys.readouterr().out.split())) is not before


def test_a_misspelt_answer_is_no_other_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = ['predict("half")', 'predict("half", "z")', 'predict("half", "b")']
    for count, arguments in enumerate(((), ("z",), ("b",)), 1):
        monkeypatch.setattr(session, "shell", lambda count=count: shell(*ran[:count]))
        predict("half", *arguments)
    assert [one["before"] for one in events()] == [True]


def test_in_a_kernel_the_cell_right_after_the_question_is_seen(tmp_path: Path) -> None:
    with Kernel(tmp_path) as kernel:
        kernel.run("from autograder import predict")
        for between in ([], ["x = 1  # one of my own"]):
            for source in ('predict("half")', *between, 'predict("half", "b")'):
                kernel.run(source)
    assert [one["before"] for one in events()] == [True, False]


def test_the_place_in_the_lesson_is_read_without_its_asserts() -> None:
    place = place_of(find("half"))
    assert place.heading == "Halves"
    assert place.text.endswith("What is half of 6?")
    assert place.code == SOURCES["half-run"]
    assert place.code_to_read.endswith("print(half(6))")


@pytest.mark.parametrize("damage", ["", "{}", "[]", '{"cells": [{"id": "half"}]}', '{"cells": [3]}'])
def test_a_lesson_that_was_damaged_has_no_place_and_disturbs_nobody(course: Path, damage: str) -> None:
    (course / "lessons" / f"{LESSON}.ipynb").write_text(damage)
    assert place_of(find("half")).code == ""
    predict("half", "b")
    assert [one["right"] for one in events()] == [True]


def test_importing_it_loads_no_widgets_and_no_torch() -> None:
    source = (
        "import sys, autograder; from autograder import predict, review; predict('half'); predict('half', 'b')\n"
        "print(*[name for name in ('torch', 'pytest', 'ipywidgets', 'IPython') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""
    assert json.loads((record.path() or Path()).read_text())["which"] == "half"
