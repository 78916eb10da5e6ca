"""A term after the first grades: appeals, a corrected check, feedback, exports, a backup, one student's data."""

from __future__ import annotations

import csv
import dataclasses
import shutil
from pathlib import Path

import nbformat

from tests.term.class_so_far import Term
from tests.term.made_class import (
    CONTESTING,
    COPYING,
    EXERCISES,
    FETCHING,
    FIRST,
    LEAVING,
    REFUSED,
    SOLVED,
    THIRD,
)

CHECK = '    """Entries that later passes leave alone."""\n    answers.agree()\n'
CORRECTED = 'answers.observe(lambda case, seen: "result" in seen, "Nothing was returned.")'
REASON = "The check refused a right answer."


def appeal(term: Term) -> str:
    """Two students contest their points; one is right."""
    course, folder = term.course, term.course.submitted(COPYING, FIRST.name)
    path = folder / f"{FIRST.name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(nbformat.v4.new_markdown_cell("Appeal: partials\n\nA friend has full points for this."))
    nbformat.write(notebook, path)
    (course.submitted(CONTESTING, THIRD.name) / "appeal_grad_after.txt").write_text("The entries are equal.")
    said = course.run("autograder", "grade", FIRST.name, THIRD.name)
    assert said.count("1 appeal is open") == 2, said[-2000:]
    shown = course.run("autograder", "appeal", FIRST.name, COPYING, "partials")
    assert "A friend has full points" in shown
    decide = ("autograder", "appeal", FIRST.name, COPYING, "partials", "--decide", "rejected")
    course.run(*decide, "--reason", "It is the answer to your friend's version.")
    return term.check_scores()


def correct_a_check(term: Term) -> str:
    """Correct a check in mid-term: nothing changes until it is rejudged, with a reason."""
    course, file = term.course, term.course.folder / "solutions" / THIRD.name / "_tasks" / "grad_after" / "task.py"
    text = file.read_text()
    assert CHECK in text
    file.write_text(text.replace(CHECK, CHECK.replace("answers.agree()", CORRECTED)))
    course.run("autograder", "grade", THIRD.name)
    before = term.check_scores()
    course.run("autograder", "grade", THIRD.name, "--rejudge", status=1)
    assert term.check_scores() == before
    course.run("autograder", "grade", THIRD.name, "--rejudge", "--reason", REASON)
    accepted = [one for one in term.of(THIRD) if one.kind == REFUSED]
    for one in accepted:
        term.hand_ins[one.student, THIRD.name] = dataclasses.replace(one, kind=SOLVED)
    decide = ("autograder", "appeal", THIRD.name, CONTESTING, "grad_after", "--decide", "upheld")
    course.run(*decide, "--reason", REASON)
    log = course.run("autograder", "appeal", "--log")
    assert "It is the answer to your friend's version." in log
    assert log.count(REASON) >= 2, log
    return f"{len(accepted)} rejudged, {term.check_scores()}"


def feedback(term: Term) -> str:
    """Make and release all feedback pages; a decision stands on its student's page."""
    for exercise in EXERCISES:
        term.course.run("autograder", "feedback", exercise.name)
    pages = list(term.course.gradebook.glob("feedback/*/*/*.html"))
    assert len(pages) == len(term.hand_ins)
    page = term.course.gradebook / "feedback" / COPYING / FIRST.name / f"{FIRST.name}.html"
    assert "the answer to your friend" in page.read_text()
    term.course.run("nbgrader", "release_feedback", FIRST.name, "--log-level=ERROR")
    home = term.course.as_student(FETCHING, "fetch_feedback", FIRST.name)
    (fetched,) = (home / FIRST.name / "feedback").rglob("*.html")
    own = term.course.gradebook / "feedback" / FETCHING / FIRST.name / fetched.name
    assert fetched.read_bytes() == own.read_bytes()
    term.course.run("autograder", "report")
    return f"{len(pages)} pages, one of them fetched by its student, and a report"


def export(term: Term) -> str:
    """Write the platforms' files; they hold the scores of the gradebook."""
    course, wanted = term.course, term.expected()
    roster = ["Student,ID,SIS Login ID,Section", "    Points Possible,,,"]
    roster += [f"{name},{number},{name},A" for number, name in enumerate(sorted({who for who, _ in wanted}), 1)]
    (course.folder / "exported.csv").write_text("\n".join(roster) + "\n")
    course.run("nbgrader", "export", "--exporter=autograder.exports.canvas.Canvas", "--Canvas.roster=exported.csv")
    course.run("nbgrader", "export", "--exporter=autograder.exports.moodle.Moodle")
    course.run("nbgrader", "export", "--exporter=autograder.exports.gradescope.Gradescope")
    with (course.gradebook / "canvas.csv").open(newline="") as file:
        canvas = {line["SIS Login ID"]: line for line in csv.DictReader(file)}
    for (student, exercise), points in wanted.items():
        column = next(name for name in canvas[student] if name.startswith(exercise))
        assert abs(float(canvas[student][column]) - points) < 1e-4, (student, exercise)
    results = list(course.gradebook.glob("gradescope/*/*/results.json"))
    assert len(results) == len(wanted)
    for exercise in EXERCISES:
        with (course.gradebook / "moodle" / f"{exercise.name}.csv").open(newline="", encoding="utf-8-sig") as file:
            found = {line["Username"]: float(line[exercise.name]) for line in csv.DictReader(file)}
        own = {student: points for (student, name), points in wanted.items() if name == exercise.name}
        assert found.keys() == own.keys()
        assert all(abs(found[student] - points) < 1e-4 for student, points in own.items())
    return f"{len(wanted)} scores in Canvas's file, {len(results)} results for Gradescope"


def back_up_and_restore(term: Term) -> str:
    """Lose the database, and restore it from a backup of the folder."""
    backup = term.course.folder.with_name("backup")
    shutil.copytree(term.course.gradebook, backup, symlinks=True)
    (term.course.gradebook / "gradebook.db").unlink()
    shutil.copy2(backup / "gradebook.db", term.course.gradebook)
    return term.check_scores()


def delete_a_student(term: Term) -> str:
    """Hand over to one student what is stored about them, then delete all of it."""
    listed = [Path(line) for line in term.course.run("autograder", "forget", LEAVING, status=2).splitlines()]
    files = [path for path in listed if path.is_absolute() and path.exists()]
    folders = {path.relative_to(term.course.gradebook).parts[0] for path in files}
    assert {"submitted", "autograded", "feedback"} <= folders, folders
    said = term.course.run("autograder", "forget", LEAVING, "--yes")
    assert f"grades.csv holds {LEAVING}" in said
    left = [path for path in term.course.gradebook.rglob("*") if LEAVING in path.name]
    assert not left, left
    for who in [who for who in term.hand_ins if who[0] == LEAVING]:
        del term.hand_ins[who]
    return f"{len(files)} files to hand over to {LEAVING}, of whom nothing is left, {term.check_scores()}"
