"""Tables show a score as graded only where hand-in, graded notebook, gradebook and exercise agree today."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import AssignLatePenalties, SaveAutoGrades
from traitlets.config import Config, Configurable, PyFileConfigLoader
from traitlets.utils.importstring import import_item

from autograder.gradebook_access.penalties import QUIET, configured_steps
from autograder.nbgrader_plugin.feedback_notice import FeedbackNotice
from autograder.nbgrader_plugin.repair import Repair
from autograder.nbgrader_plugin.ungraded_cells import LeaveUngraded
from autograder.standings.handed_in import LATER as AGAIN
from autograder.standings.standing import Standing, standings
from autograder.standings.state import State
from autograder.verdicts.verdict import VERDICT
from tests.course import hand_in
from tests.own_assignment import essay, marked
from tests.submissions import COURSE
from tests.test_standings import LATE_WORK

NAME, STUDENT = "03_points", "student-01"
DUE, LATE, LATER = (f"2026-01-0{day} 11:00:00 UTC" for day in (1, 2, 4))


def notebook(code: str = "total = 3", text: str = "Because.") -> NotebookNode:
    """What a student hands in: code, its check, a written answer."""
    check = marked(nbformat.v4.new_code_cell('check("sums")'), "check_sums", 15, grade=True, locked=True)
    written = essay(6)
    written.source = text
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code, id="code"), check, written])


def settings(course: Path) -> Config:
    return PyFileConfigLoader("nbgrader_config.py", path=str(course)).load_config()


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with a late penalty, an exercise, a student who is registered, and nothing handed in."""
    course = tmp_path_factory.mktemp("current")
    (course / "nbgrader_config.py").write_text((COURSE / "nbgrader_config.py").read_text() + LATE_WORK)
    (course / "gradebook").mkdir()
    with Gradebook(settings(course).CourseDirectory.db_url) as gradebook:
        gradebook.add_assignment(NAME, duedate=DUE)
        gradebook.add_notebook(NAME, NAME)
        for cell, most, kind in (("check_sums", 15, "code"), ("essay", 6, "markdown")):
            gradebook.add_grade_cell(cell, NAME, NAME, max_score=most, cell_type=kind)
            source = 'check("sums")' if kind == "code" else "x"
            gradebook.add_source_cell(cell, NAME, NAME, cell_type=kind, locked=kind == "code", source=source)
        gradebook.add_solution_cell("essay", NAME, NAME)
        gradebook.add_student(STUDENT)
    return course


class Class:
    """A course of one student: hands in, is graded, is given points, and stands somewhere."""

    def __init__(self, course: Path) -> None:
        self.course, self.config = course, settings(course)
        self.database = course / "gradebook" / "gradebook.db"
        self.submitted = course / "gradebook" / "submitted" / STUDENT / NAME

    def hands_in(self, time: str | None = None, **what: str) -> None:
        """Hand a notebook in, with this in its timestamp.txt, in place of what was there."""
        shutil.rmtree(self.submitted, ignore_errors=True)
        hand_in(self.course, STUDENT, NAME, nbformat.writes(notebook(**what)).encode())
        if time is not None:
            (self.submitted / "timestamp.txt").write_text(time)

    def is_graded(self, points: float = 15.0) -> None:
        """Take the steps of nbgrader_config.py that write a row, on what is handed in."""
        nb = nbformat.read(self.submitted / f"{NAME}.ipynb", as_version=4)
        about = {"notebook": NAME, "assignment": NAME, "student": STUDENT}
        about["db_url"] = self.config.CourseDirectory.db_url
        time = self.submitted / "timestamp.txt"
        with Gradebook(about["db_url"]) as gradebook:
            known = {"timestamp": time.read_text()} if time.exists() and "2026-" in time.read_text() else {}
            gradebook.update_or_create_submission(NAME, STUDENT, **known)
        converter = Configurable()
        converter.coursedir = self.directory
        Repair(parent=Configurable(parent=converter), log=QUIET).preprocess(nb, {"nbgrader": about})
        verdict = {"task": "sums", "points": points, "results": [], "reason": ""}
        nb.cells[1].outputs = [
            nbformat.v4.new_output("display_data", {VERDICT: verdict}),
            nbformat.v4.new_output("execute_result", {"text/plain": f"{points:g}"}),
        ]
        for kind in (SaveAutoGrades, LeaveUngraded, AssignLatePenalties):
            for one in configured_steps(self.config, kind):
                one(config=self.config, log=QUIET).preprocess(nb, {"nbgrader": about})
        graded = self.course / "gradebook" / "autograded" / STUDENT / NAME / f"{NAME}.ipynb"
        graded.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(nb, graded)

    def is_given(self, cell: str, points: float) -> None:
        """Do what the formgrader does."""
        with Gradebook(self.config.CourseDirectory.db_url) as gradebook:
            grade = gradebook.find_grade(cell, NAME, NAME, STUDENT)
            grade.manual_score, grade.needs_manual_grade = points, False
            gradebook.db.commit()

    def page(self) -> tuple[str, dict]:
        """Make the first cell of a feedback page, and what nbgrader shows above it."""
        converter = Configurable()
        converter.coursedir, converter.log = self.directory, logging.getLogger("pages")
        about = {"notebook": NAME, "assignment": NAME, "student": STUDENT}
        resources = {"nbgrader": about | {"db_url": self.config.CourseDirectory.db_url}}
        nb, parent = nbformat.v4.new_notebook(), Configurable(parent=converter)
        for name in self.config.GenerateFeedback.preprocessors:
            if name.partition(".")[0] in ("autograder", "nbgrader"):
                nb, resources = import_item(name)(parent=parent).preprocess(nb, resources)
        return "".join(cell.source for cell in nb.cells[:1]), resources["nbgrader"]

    @property
    def directory(self) -> CourseDirectory:
        return CourseDirectory(config=self.config)

    @property
    def stands(self) -> Standing:
        with Gradebook(self.config.CourseDirectory.db_url) as gradebook:
            (found,) = standings(gradebook, self.directory, NAME)
            return found

    @property
    def said(self) -> str:
        found = self.stands
        return f"{found.shown} {found.summary}"


@pytest.fixture
def one(template: Path, tmp_path: Path) -> Class:
    shutil.copytree(template, tmp_path / "course")
    return Class(tmp_path / "course")


@pytest.fixture
def done(one: Class) -> Class:
    """Handed in a day late, graded, and given points for the essay."""
    one.hands_in(LATE)
    one.is_graded()
    one.is_given("essay", 5)
    return one


def test_points_by_hand_change_the_penalty_at_once(done: Class) -> None:
    with Gradebook(done.config.CourseDirectory.db_url) as gradebook:
        assert gradebook.find_submission(NAME, STUDENT).late_submission_penalty == 1.5
    assert done.said == "18/21 15 automatic, 5 by hand, 2 off for lateness"
    with (done.course / "nbgrader_config.py").open("a") as config:
        config.write("c.LateWork.lost_per_day = 0.5\n")
    assert Class(done.course).said == "10/21 15 automatic, 5 by hand, 10 off for lateness"
    (done.course / "gradebook" / "extensions.csv").write_text("student,assignment,hours\nstudent-01,,24\n")
    assert done.said == "20/21 15 automatic, 5 by hand"
    (done.course / "gradebook" / "extensions.csv").write_text("student,assignment,hours\nstudent-01,,soon\n")
    assert done.said.startswith("-/21 not current: its late penalty cannot be computed (")
    assert "line 2: 'soon' is not a number of hours" in done.said


def test_an_exercise_with_other_points_makes_scores_not_current(done: Class) -> None:
    with Gradebook(done.config.CourseDirectory.db_url) as gradebook:
        gradebook.find_grade_cell("check_sums", NAME, NAME).max_score = 17
        gradebook.db.commit()
    why = "the exercise's points were changed since it was graded (sums is worth 17 and was worth 15)"
    assert done.said.startswith(f"-/23 not current: {why}; it was 18")
    done.is_graded(17)
    assert done.said == "19.8/23 17 automatic, 5 by hand, 2.2 off for lateness"


def test_a_changed_exercise_and_another_hand_in_are_told_apart(done: Class) -> None:
    with Gradebook(done.config.CourseDirectory.db_url) as gradebook:
        gradebook.find_source_cell("check_sums", NAME, NAME).source = 'check("sums")  # more'
        gradebook.db.commit()
    assert done.said.startswith("-/21 not current: the exercise was changed since it was graded; it was 18")
    path = done.course / "gradebook" / "autograded" / STUDENT / NAME / f"{NAME}.ipynb"
    path.write_text(path.read_text().replace('"exercise"', '"before that was kept"'))
    assert done.said.startswith("-/21 not current: handed in anew, or the exercise was changed, since it was graded; ")


def older_gradebook(one: Class) -> Callable[[], None]:
    """Keep the gradebook as it is now, to put it back later."""
    kept = one.database.read_bytes()
    return lambda: one.database.write_bytes(kept) and None


def test_a_restored_gradebook_shows_no_old_score(one: Class) -> None:
    one.hands_in(code="total = 4")
    one.is_graded(3)
    one.is_given("essay", 5)
    put_back = older_gradebook(one)
    one.hands_in()
    one.is_graded(15)
    one.is_given("essay", 5)
    assert one.said == "20/21 15 automatic, 5 by hand"
    put_back()
    assert one.said == "-/21 not current: the gradebook does not hold what was graded; it was 8"


def test_a_restored_gradebook_shows_no_points_by_hand_for_another_answer(one: Class) -> None:
    one.hands_in(text="A short answer.")
    one.is_graded()
    one.is_given("essay", 1)
    put_back = older_gradebook(one)
    one.hands_in(text="A long answer.")
    assert one.said.startswith("-/21 not current: handed in anew since it was graded; ")
    one.is_graded()
    assert one.said == "-/21 waits for a person; so far 15 automatic, 1 by hand"
    one.is_given("essay", 6)
    assert one.said == "21/21 15 automatic, 6 by hand"
    put_back()
    assert one.said == "-/21 not current: the gradebook does not hold what was graded; it was 16"


@pytest.mark.parametrize(
    ("time", "why"),
    [
        (None, "it brings no timestamp.txt"),
        ("10.11.2026", "its timestamp.txt is no time ('10.11.2026' may mean several times or none: write 2026-11-10"),
    ],
    ids=["missing", "unreadable"],
)
def test_a_later_hand_in_without_a_time_does_not_keep_the_old_one(time: str | None, why: str, done: Class) -> None:
    done.hands_in(time)
    assert done.said.startswith(f"-/21 not current: {AGAIN}, and {why}")
    assert done.said.endswith("; it was 18")
    done.is_graded()
    said, _, told = done.said.partition("; ")
    assert said == "20/21 15 automatic, 5 by hand"
    assert bool(told) == bool(time)  # a hand-in without the file is nothing that a person has to look at
    if time:
        assert told.startswith(why)
        assert told.endswith(", so it counts as in time")
    assert done.stands.submission.timestamp is None
    done.hands_in(LATER)
    assert done.said.startswith(f"-/21 not current: {AGAIN}; it was 20")
    done.is_graded()
    assert done.said == "14/21 15 automatic, 5 by hand, 6 off for lateness"


def test_a_withdrawn_submission_is_called_so(done: Class) -> None:
    shutil.rmtree(done.submitted)
    assert done.said == "-/21 withdrawn: its notebook is not in `submitted` any more; it was 18"
    done.hands_in(LATE)
    assert done.said.startswith("18/21")
    done.is_graded(0)
    shutil.rmtree(done.submitted)
    shutil.rmtree(done.course / "gradebook" / "autograded")
    assert done.said == "-/21 withdrawn: its notebook is not in `submitted` any more; it was 4.5"


def test_a_notebook_of_another_name_is_named(done: Class) -> None:
    path = done.submitted / f"{NAME}.ipynb"
    path.rename(done.submitted / f"{NAME} (1).ipynb")
    why = f"its folder holds `{NAME} (1).ipynb` and not `{NAME}.ipynb`, so rename it"
    assert done.said == f"-/21 not current: {why}; it was 18"
    assert done.page()[0].startswith(f"**This score is not current:** {why}. This page shows")
    shutil.copytree(done.submitted, done.submitted.parents[1] / "student-02" / NAME)
    with Gradebook(done.config.CourseDirectory.db_url) as gradebook:
        first, new = standings(gradebook, done.directory, NAME)
        assert (first.state, new.summary) == (State.NOT_CURRENT, f"not graded: {why}")
    shutil.rmtree(done.submitted.parents[1] / "student-02")
    (done.submitted / f"{NAME} (1).ipynb").rename(path)
    assert done.said.startswith("18/21")
    (done.submitted / "notes.ipynb").write_text("{}")  # beside it, which the summary tells
    assert done.said.startswith("18/21")


def test_points_for_what_was_never_handed_in_here_stay(one: Class) -> None:
    """On paper, say: a person gave them all, and no check."""
    with Gradebook(one.config.CourseDirectory.db_url) as gradebook:
        gradebook.add_submission(NAME, STUDENT)
    assert one.said == "-/21 nothing handed in"
    for cell in ("check_sums", "essay"):
        one.is_given(cell, 2)
    assert one.said == "4/21 4 by hand"


def test_a_feedback_page_takes_the_penalty_of_today(done: Class) -> None:
    note, shown = done.page()
    assert (note, shown["score"], shown["late_penalty"]) == ("", 18.0, 2.0)


def test_no_page_and_no_table_shows_points_below_0(done: Class) -> None:
    done.is_given("check_sums", -30)
    for due in (DUE, LATER):
        with Gradebook(done.config.CourseDirectory.db_url) as gradebook:
            gradebook.update_or_create_assignment(NAME, duedate=due)
        assert done.said == "0/21 -25 by hand"
        assert (done.page()[1]["score"], done.stands.points) == (0.0, 0.0)


def test_making_a_page_tells_the_penalty_of_today_and_no_other(done: Class, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    done.page()
    assert [record.getMessage() for record in caplog.records] == ["student-01: 2 off for lateness"]


def test_a_feedback_page_says_that_its_score_is_not_current(done: Class) -> None:
    done.hands_in(LATE, code="total = 4")
    note, shown = done.page()
    assert note.startswith("**This score is not current:** handed in anew since it was graded. This page")
    assert shown["score"] == 18.5
    shutil.rmtree(done.submitted)
    assert done.page()[0].startswith("**This score is withdrawn:** its notebook is not in `submitted` any more.")
    done.hands_in(LATE)
    (done.course / "gradebook" / "extensions.csv").write_text("student,assignment,hours\nstudent-02,,soon\n")
    assert done.page()[0].startswith("**This score is not current:** its late penalty cannot be computed. This page")


def test_the_step_of_feedback_pages_takes_the_setting_that_nbconvert_makes(caplog: pytest.LogCaptureFixture) -> None:
    config = HTMLExporter().default_config
    FeedbackNotice(config=config, log=logging.getLogger())
    assert "not recognized" not in caplog.text
