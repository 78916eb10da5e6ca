"""Points that a person gave stand while answer and automatic score do, and are asked for again where they do not."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from sqlalchemy import select

from autograder.classroom.done import Done
from autograder.gradebook_access.graded_answers import GRADED, answers
from autograder.grader.sandbox_outputs import not_a_check
from autograder.nbgrader_plugin.points_by_hand import SaveScores
from autograder.nbgrader_plugin.ungraded_cells import LeaveUngraded
from tests.class_runs import CLASS, EXERCISE, run_class
from tests.course import db_url, hand_in, nbgrader
from tests.depth import proof
from tests.submissions import as_bytes, cell_of, solved

NAMES = ("f", "01", "student-01")
"""Notebook, assignment and student."""


def cell(kind: str, source: str, value: str = "", **marks: Any) -> NotebookNode:
    """A cell as it stands in a graded notebook."""
    made = nbformat.v4.new_code_cell(source) if kind == "code" else nbformat.v4.new_markdown_cell(source)
    if value:
        made.outputs = [nbformat.v4.new_output("execute_result", {"text/plain": value})]
    if marks:
        usual = {"grade": False, "solution": False, "task": False, "points": 3, "checksum": "", "schema_version": 3}
        made.metadata["nbgrader"] = NotebookNode(usual | marks)
    return made


def notebook(
    answer: str = "def f(): ...", score: str = "1", essay: str = "words", helper: str = "", points: float = 3
) -> NotebookNode:
    """A task with its check, an essay, nbgrader's own kind of task, and what the student added."""
    return nbformat.v4.new_notebook(
        cells=[
            cell("code", answer, grade_id="f", solution=True),
            cell("code", 'check("f")', score, grade_id="check_f", grade=True, points=points),
            cell("markdown", essay, grade_id="essay", grade=True, solution=True),
            cell("markdown", "Draw it.", grade_id="drawing", task=True),
            *([cell("code", helper)] if helper else []),
        ]
    )


@pytest.fixture
def gradebook(new_gradebook: Path, tmp_path: Path) -> Iterator[Gradebook]:
    shutil.copy(new_gradebook, tmp_path)
    with Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}") as gradebook:
        yield gradebook


@pytest.fixture
def save(gradebook: Gradebook) -> Callable[..., list[str]]:
    """Save a notebook's scores; which points by hand are asked for, and why."""

    def save(*, judged: bool = True, **what: Any) -> list[str]:
        names = dict(zip(("notebook", "assignment", "student"), NAMES, strict=True))
        graded, about = notebook(**what), {"nbgrader": names | {"db_url": str(gradebook.engine.url)}}
        if not judged:  # a plain test stands in the place of the check
            cell_of(graded, "check_f").outputs = [nbformat.from_dict(not_a_check())]
        for step in (SaveScores, LeaveUngraded):
            step(log=logging.getLogger("quiet")).preprocess(graded, about)
        gradebook.db.expire_all()
        return list(SaveScores.asked)

    return save


def give(gradebook: Gradebook, name: str, **given: float) -> None:
    """What the formgrader does."""
    grade = gradebook.find_grade(name, *NAMES)
    for attribute, points in given.items():
        setattr(grade, attribute, points)
    grade.needs_manual_grade = False
    gradebook.db.commit()


def waits(gradebook: Gradebook, name: str) -> bool:
    return gradebook.find_grade(name, *NAMES).needs_manual_grade


def test_a_decision_stands_where_nothing_changed(gradebook: Gradebook, save: Callable) -> None:
    save()
    for name in ("check_f", "essay", "drawing"):
        give(gradebook, name, manual_score=2.5, extra_credit=1.0)
    gradebook.find_comment("f", *NAMES).manual_comment = "Well argued."
    gradebook.db.commit()
    assert save() == []
    for name in ("check_f", "essay", "drawing"):
        grade = gradebook.find_grade(name, *NAMES)
        assert (grade.manual_score, grade.score, grade.needs_manual_grade) == (2.5, 3.5, False)
    assert gradebook.find_comment("f", *NAMES).comment == "Well argued."


def test_a_decision_about_what_no_check_judges_stands(gradebook: Gradebook, save: Callable) -> None:
    save(judged=False)
    assert waits(gradebook, "check_f")
    give(gradebook, "check_f", manual_score=2.0)
    assert save(judged=False) == []
    assert not waits(gradebook, "check_f")
    assert save(judged=False, answer="def f(): pass") == ["f (the answer changed)"]


@pytest.mark.parametrize("given", ["manual_score", pytest.param("extra_credit", marks=proof)])
@pytest.mark.parametrize(
    ("change", "asked"),
    [
        ({"answer": "def f(): pass"}, ["f (the answer changed)", "drawing (the answer changed)"]),
        ({"score": "2"}, ["f (the automatic score was 1 and is 2)"]),
        ({"points": 6}, ["f (worth 6 points now, and 3 then)"]),
        ({"essay": "others"}, ["essay (the answer changed)", "drawing (the answer changed)"]),
        ({"helper": "x = 1"}, [f"{name} (the answer changed)" for name in ("f", "essay", "drawing")]),
    ],
    ids=["answer", "score", "points", "essay", "helper"],
)
def test_it_is_asked_for_again_where_something_did(
    given: str, change: dict, asked: list[str], gradebook: Gradebook, save: Callable
) -> None:
    save()
    for name in ("check_f", "essay", "drawing"):
        give(gradebook, name, **{given: 1.0})
    assert save(**change) == asked
    told = {one.partition(" ")[0] for one in asked}
    assert {name for name in ("f", "essay", "drawing") if waits(gradebook, name.replace("f", "check_f"))} == (
        told if given == "manual_score" else told | {"essay", "drawing"}  # which have no score, and so wait for one
    )
    assert save(**change) == []
    assert waits(gradebook, asked[0].partition(" ")[0].replace("f", "check_f")), "nobody has decided yet"
    give(gradebook, "check_f", **{given: 2.0})
    assert save(**change) == []
    assert not waits(gradebook, "check_f")


def test_a_file_that_cannot_be_read_is_another_answer_than_the_released_one() -> None:
    released = notebook()
    released.metadata["autograder"] = {"unreadable": "it is empty"}
    before, after = answers(notebook()), answers(released)
    assert before.keys() == after.keys()
    assert all(before[name] != after[name] for name in before)


def test_what_was_graded_before_the_answers_were_kept_is_asked_for(gradebook: Gradebook, save: Callable) -> None:
    give(gradebook, "check_f", manual_score=2.5)
    assert save() == ["f (it is not known which answer they were given for)"]


def test_nothing_is_asked_where_nothing_was_given(gradebook: Gradebook, save: Callable) -> None:
    save()
    assert save(answer="def f(): pass", score="3") == []
    assert not waits(gradebook, "check_f")


def test_an_older_gradebook_brings_back_what_its_decisions_were_made_on(
    gradebook: Gradebook, save: Callable, tmp_path: Path
) -> None:
    save()
    give(gradebook, "check_f", manual_score=2.5)
    older = (tmp_path / "gradebook.db").read_bytes()
    save(answer="def f(): pass")
    gradebook.close()
    (tmp_path / "gradebook.db").write_bytes(older)
    assert save(answer="def f(): pass") == ["f (the answer changed)"]
    assert save() == []


def test_what_is_kept_of_answers_is_no_text_of_theirs(gradebook: Gradebook, save: Callable) -> None:
    save(answer="def f(): return 'a secret'")
    (kept,) = gradebook.db.execute(select(GRADED.c.answers)).scalars()
    assert "secret" not in kept


def decide(course: Path, student: str, points: float) -> None:
    """Give points for `partials` by hand."""
    with Gradebook(db_url(course)) as gradebook:
        grade = gradebook.find_grade("check_partials", EXERCISE, EXERCISE, student)
        grade.manual_score, grade.needs_manual_grade = points, False
        gradebook.db.commit()


def standing(course: Path, student: str) -> tuple[float, bool]:
    """Points by hand, and whether they are asked for."""
    with Gradebook(db_url(course)) as gradebook:
        grade = gradebook.find_grade("check_partials", EXERCISE, EXERCISE, student)
        return grade.manual_score, grade.needs_manual_grade


@proof
@pytest.mark.parametrize("by", ["autograder grade", "nbgrader autograde"])
def test_a_class_is_graded_again(by: str, course: Path) -> None:
    """One hands in what they had, the other something new that earns as much."""

    def again() -> dict[str, Done]:
        if by == "autograder grade":
            return run_class(course, force=True)
        nbgrader(course, "autograde", EXERCISE, "--force", "--student", "student-0[13]")
        return {}

    for student in ("student-01", "student-03"):
        decide(course, student, 2.5)
    again()
    assert [standing(course, student) for student in ("student-01", "student-03")] == [(2.5, False)] * 2
    changed = solved(EXERCISE)
    cell_of(changed, "partials").source += "\n# another way"
    hand_in(course, "student-01", EXERCISE, as_bytes(changed))
    done = again()
    assert [standing(course, student) for student in ("student-01", "student-03")] == [(2.5, True), (2.5, False)]
    assert {name: one.by_hand for name, one in done.items() if one.by_hand} == (
        {"student-01": ["partials (the answer changed)"]} if done else {}
    )
    assert set(done) in (set(CLASS), set())
