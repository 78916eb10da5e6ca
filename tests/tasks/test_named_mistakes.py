"""A mistake that a lesson, a statement or a hint names has its message, and the words that name it are still there."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.checks.catalogue import tasks_of
from autograder.proving import named_mistakes
from autograder.proving.named_mistakes import FILE, mistakes_said, with_messages
from tests.chosen import EXERCISES


@pytest.mark.parametrize("exercise", EXERCISES)
def test_what_the_course_names_has_its_message(exercise: str) -> None:
    first, *_ = tasks_of(exercise).values()
    assert list(with_messages(first)) == []


def test_the_claims_and_the_telling_sentences_of_a_lesson_are_found() -> None:
    cells = [
        "# A lesson\n\nIt is right. A common first answer is 6, which is wrong.",
        '**"It is 8."** No, see [the slip](#Nine).\n\nMore.\n\n**“It is 9”**, people say.',
        "**Well.** It is 10.",
    ]
    said = ["A common first answer is 6, which is wrong.", '"It is 8."', "“It is 9”", "No, see [the slip]."]
    assert list(mistakes_said(cells)) == said


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        ('"No lesson says this." = "a reason"', "words that have gone"),
        (
            '"Test gradients where all the answers differ." = { partials = "no such" }',
            "mistakes without a wrong answer",
        ),
        ('"Test gradients where all the answers differ." = { no_task = "sign" }', "tasks that are not there"),
        ("", "mistakes that are not listed"),
    ],
)
def test_what_is_amiss_is_reported(entry: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exercise = "01_scalar_graphs"
    first, *_ = tasks_of(exercise).values()
    (tmp_path / FILE).write_text(entry)

    class Folder:
        path = tmp_path

    monkeypatch.setattr(named_mistakes, "known_exercise", lambda name: Folder)
    assert kind in {problem.kind for problem in with_messages(first)}
