"""Anonymous grading: one switch, `c.Grade.anonymous`, that hides names in the formgrader's pages and in our tables.

nbgrader looks for the templates of its pages in folders that the configuration may name, and takes ours for the page on
which a submission is graded. The formgrader's lists have no such setting.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograder.standings.handed_in import HandedIn
from autograder.standings.standing import Standing

OURS = Path(__file__).with_name("templates")
HIDDEN = "(not in the formgrader)"
"""What a student is called whose submission has no page in the formgrader yet."""


def is_anonymous(config: Config) -> bool:
    """Return whether the course grades anonymously."""
    from autograder.nbgrader_plugin.execution import Grade  # here, because it loads nbgrader's preprocessors

    return bool(Grade(config=config).anonymous)


def hide_names(c: Config) -> None:
    """Have the formgrader grade submissions on pages without names."""
    import nbgrader

    theirs = Path(nbgrader.__file__).parent / "server_extensions" / "formgrader"
    c.HTMLExporter.extra_template_basedirs = [str(OURS), str(theirs / "templates")]  # ours is found first
    c.HTMLExporter.extra_template_paths = [str(theirs)]  # where ours finds nbgrader's, as templates/formgrade/...


def formgrader_numbers(every: Collection[Standing], course: CourseDirectory, assignment: str) -> dict[str, str]:
    """Call each student as the formgrader's list of the assignment's first notebook does: "submission #3".

    Args:
        every: the standings of the assignment.
        course: locates the graded notebooks.
        assignment: the assignment's name.
    """
    handed_in, ids = HandedIn(course, assignment), dict[str, str]()
    rows = {one.student: one.submission.notebooks for one in every if one.submission is not None}
    first = min((notebook.name for some in rows.values() for notebook in some), default="")
    for student, some in rows.items():
        for notebook in some:
            if notebook.name == first and handed_in.graded(student, first).exists():
                ids[student] = notebook.id
    places = {student: place for place, student in enumerate(sorted(ids, key=ids.__getitem__), start=1)}
    return {one.student: f"submission #{places[one.student]}" if one.student in places else HIDDEN for one in every}
