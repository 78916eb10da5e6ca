"""What has changed in a course since submissions were graded, told before anything is graded again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from autograder.gradebook_access.known_cells import KnownCells, exercise_digest, points_of
from autograder.grader.provenance import changed_points, differences, provenance
from autograder.standings.number_text import submissions
from autograder.verdicts.graded_notebook import GradedNotebook
from autograder.visible_text import visible

OTHER_CELLS = "cells of the exercise have changed"
ASIDE = "something else that answers depend on has changed: the autograder's own code, or a file beside the notebook"
"""Said where only the key of stored answers differs."""


def course_changes(graded: GradedNotebook, notebook: str, known: KnownCells) -> list[str]:
    """Say what has changed in the course since a notebook was graded, a clause each; empty if nothing has.

    Args:
        graded: the graded notebook.
        notebook: the notebook's name.
        known: the cells of the exercise that the gradebook knows.
    """
    if not graded.exists:
        return []
    said = [*differences(graded.provenance, provenance(notebook)), *changed_points(graded.worth, points_of(known))]
    if graded.exercise and graded.exercise != exercise_digest(known):
        said.append(OTHER_CELLS)
    return [visible(one, kept="") for one in said]


def told(assignment: str, changed: Iterable[Iterable[str]]) -> Iterator[str]:
    """Yield a sentence for all submissions of an assignment that were graded before the same changes.

    Args:
        assignment: its name.
        changed: for each submission, what has changed since it was graded, as from `course_changes`.
    """
    for clauses, count in Counter(tuple(one) for one in changed if one).most_common():
        yield sentence(assignment, clauses, f"{submissions(count)} {'was' if count == 1 else 'were'}")


def sentence(assignment: str, clauses: Iterable[str], which: str = "some submissions were") -> str:
    """Say what has changed since submissions were graded, and that nothing follows from it by itself.

    Args:
        assignment: its name.
        clauses: as from `course_changes`.
        which: the submissions, with the verb.
    """
    said = (
        f"{assignment}: since {which} graded, {'; '.join(clauses)}. The recorded points stay until `autograder grade "
        f"{assignment} --rejudge`; with `--diff` it says what would change"
    )
    return visible(said, kept="")
