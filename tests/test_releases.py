"""Cells of an older release are told from edited ones: the summary names tampering alone."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbgrader.converters import GenerateAssignment, GenerateFeedback
from traitlets import import_item
from traitlets.config import PyFileConfigLoader

from autograder.checks.catalogue import exercises, tasks_of
from autograder.gradebook_access.handed_out_cells import Release, release_of
from autograder.gradebook_access.known_cells import KnownCells
from autograder.gradebook_access.repairs import Repairs, repair
from autograder.tasks.folders import exercise_folder
from tests.course import hand_in, nbgrader, new_course
from tests.depth import proof
from tests.submissions import COURSE, as_bytes, cell_of, released, solved
from tests.test_what_is_not_graded import autograder, said

EXERCISE = "02_grad"
CHECK = "check_all_partials"
ABOUT = "about_all_partials"


def cells(notebook: NotebookNode) -> KnownCells:
    """What the gradebook knows of a released notebook."""
    marked = [cell for cell in notebook.cells if "nbgrader" in cell.metadata]
    return {
        cell.metadata.nbgrader.grade_id: (dict(cell.metadata.nbgrader), cell.cell_type, cell.source) for cell in marked
    }


def older(*, without: str = "") -> NotebookNode:
    """The exercise as an earlier release had it."""
    notebook = released(EXERCISE)
    cell_of(notebook, ABOUT).source += "\n\nWith a misprint."
    notebook.cells = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") != without]
    return notebook


def repaired(handed_in: NotebookNode, *handed_out: NotebookNode) -> Repairs:
    """What is repaired of a notebook where these releases are known."""
    known: list[Release] = [release_of(cells(one).values()) for one in handed_out]
    return repair(handed_in, cells(released(EXERCISE)), known)


def test_a_cell_of_an_older_release_is_brought_up_to_date_and_is_no_tampering() -> None:
    assert repaired(older(), older(), released(EXERCISE)) == Repairs([], [ABOUT])
    assert repaired(older(), released(EXERCISE)) == Repairs([f"{ABOUT} (edited)"], []), "not known here"
    assert not repaired(released(EXERCISE), older(), released(EXERCISE))


def test_what_the_newest_release_left_out_is_put_back_and_no_other_release() -> None:
    """As hidden tests are, which only the gradebook's cells have."""
    notebook = older()
    assert not repaired(notebook, older())
    assert cell_of(notebook, ABOUT).source == cell_of(released(EXERCISE), ABOUT).source


def test_tampering_on_an_older_release_is_still_named() -> None:
    notebook = older()
    cell_of(notebook, CHECK).source = "3.0"
    notebook.cells.append(nbformat.from_dict(cell_of(notebook, "about_one_at_a_time")))
    result = repaired(notebook, older(), released(EXERCISE))
    assert set(result.tampered) == {f"{CHECK} (edited)", "about_one_at_a_time (doubled)"}
    assert result.updated == [ABOUT]


def test_a_cell_that_an_older_release_did_not_have_is_not_deleted() -> None:
    before = older(without=CHECK)
    assert repaired(older(without=CHECK), before, released(EXERCISE)) == Repairs([], [ABOUT, CHECK])
    deleted = released(EXERCISE)
    deleted.cells.remove(cell_of(deleted, CHECK))
    assert repaired(deleted, before, released(EXERCISE)) == Repairs([f"{CHECK} (deleted)"], [])


def test_a_cell_that_only_an_older_release_had_is_no_foreign_one() -> None:
    gone = older()
    cell_of(gone, CHECK).metadata.nbgrader.grade_id = "check_gone"
    gone.cells.append(cell_of(released(EXERCISE), CHECK))
    assert repaired(nbformat.from_dict(gone), gone, released(EXERCISE)).tampered == []
    assert "a foreign cell" in repaired(gone, older(), released(EXERCISE)).tampered


@pytest.mark.parametrize("exercise", exercises())
def test_tasks_are_known_without_loading_the_checks(exercise: str) -> None:
    assert exercise_folder(exercise).tasks == tuple(tasks_of(exercise))


@pytest.mark.parametrize("step", [GenerateAssignment, GenerateFeedback])
def test_nbgraders_own_steps_are_all_there_in_their_order(step: type) -> None:
    """The configuration names them all: traitlets adds what is appended in a file more than once."""
    config = PyFileConfigLoader("nbgrader_config.py", path=str(COURSE)).load_config()
    own = step.preprocessors.default()
    named = [import_item(name) for name in config[step.__name__].preprocessors]
    found = [one for name in named for one in dict.fromkeys(own) if issubclass(name, one)]  # or ours, derived from it
    assert found == own


@proof
def test_after_an_update_the_summary_counts_the_class_and_names_who_tampered(tmp_path: Path) -> None:
    course = new_course(tmp_path)
    source = course / "solutions" / EXERCISE / f"{EXERCISE}.ipynb"
    newest = source.read_text()
    notebook = nbformat.reads(newest, as_version=4)
    cell_of(notebook, ABOUT).source += "\n\nWith a misprint."
    nbformat.write(notebook, source)
    nbgrader(course, "generate_assignment", EXERCISE, "--force")
    on_the_older = solved(EXERCISE)
    cell_of(on_the_older, ABOUT).source += "\n\nWith a misprint."
    for number in range(1, 4):
        hand_in(course, f"student-{number:02}", EXERCISE, as_bytes(on_the_older))
    cell_of(on_the_older, CHECK).source = "4.0"
    hand_in(course, "student-04", EXERCISE, as_bytes(on_the_older))
    hand_in(course, "student-05", EXERCISE, as_bytes(solved(EXERCISE)))
    source.write_text(newest)
    nbgrader(course, "generate_assignment", EXERCISE, "--force")
    text = said(autograder(course, "grade", EXERCISE))
    assert "Cells of another release of the exercise, brought to this one: in 4 submissions." in text
    assert f"restored: student-04: {CHECK} (edited) " in text
    assert text.count("(edited)") == 1
