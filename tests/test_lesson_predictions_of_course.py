"""Every prediction of the lessons can be recorded; that each answer holds, the runs of the lessons show."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from tests import lesson_course
from tests.lesson_course import LESSON, PREDICTIONS
from tests.lesson_predictions import problems
from tests.lessons import with_proofs
from tests.submissions import COURSE


def test_every_prediction_of_the_lessons_can_be_recorded() -> None:
    assert problems(COURSE / "lessons") == []


@pytest.fixture
def lessons(tmp_path: Path) -> Path:
    return lesson_course.made(tmp_path).parent / "lessons"


def changed(lessons: Path, change: object) -> list[str]:
    """The problems after a change of the lesson's cells."""
    path = lessons / f"{LESSON}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    change({cell.id: cell for cell in notebook.cells}, notebook.cells)
    nbformat.write(notebook, path)
    return problems(lessons)


def test_the_small_course_has_no_problem(lessons: Path) -> None:
    assert problems(lessons) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda by, cells: by["half-asked"].update(source='predict("halve")'), "not followed by a cell predict"),
        (lambda by, cells: cells.remove(by["half-asked"]), "half is not followed by a cell predict"),
        (lambda by, cells: by["half"].update(source="Run this."), "half has an entry, and no cell says"),
        (lambda by, cells: by["title"].update(source="**Predict before you run:** a or b?"), "title asks, and has no"),
        (lambda by, cells: cells.append(nbformat.from_dict(by["half-asked"] | {"id": "x"})), "half is asked 2 times"),
        (lambda by, cells: cells.remove(by["third-run"]), "third: neither code nor a folded answer below"),
    ],
)
def test_each_problem_is_found(lessons: Path, change: object, said: str) -> None:
    assert any(said in one for one in changed(lessons, change)), problems(lessons)


def test_names_are_unique_over_all_lessons(lessons: Path) -> None:
    (lessons / "04_again.ipynb").write_bytes((lessons / f"{LESSON}.ipynb").read_bytes())
    (lessons / "predictions" / "04_again.toml").write_text(PREDICTIONS)
    assert "half is the name of 2 predictions" in problems(lessons)


def test_proofs_stand_below_the_cells_that_show_the_answers(lessons: Path) -> None:
    cells = with_proofs(LESSON, lessons).cells
    names = [cell.id if not cell.id.startswith("holds") else cell.source.split(",")[0] for cell in cells]
    assert names[names.index("half-run") + 1] == "assert (half(6) == 3)"
    assert names[names.index("third-run") + 1] == "assert (abs(third - 1 / 3) < 1e-9)"
    assert len(cells) == len(lesson_course.CELLS) + 2
