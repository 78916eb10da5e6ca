"""What nbgrader_config.py needs so that nbgrader grades in the sandbox: two lines at its end, in any course.

    from autograder.nbgrader_plugin.configuration import configure
    configure(c)

Classes are named by string, so that this loads nothing that nbgrader would not.
"""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

import autograder.nbgrader_plugin.formgrader_times
import autograder.nbgrader_plugin.patience
import autograder.nbgrader_plugin.strict_times
import autograder.nbgrader_plugin.visible_log  # noqa: F401
from autograder.gradebook_access.folder import gradebook_folder
from autograder.nbgrader_plugin.anonymity import hide_names
from autograder.nbgrader_plugin.course_choice import require_course_file
from autograder.nbgrader_plugin.database_address import refuse_password
from autograder.nbgrader_plugin.settings import local_settings
from autograder.sandbox.limits import Limits
from autograder.sharing import share_gradebook
from autograder.tasks.course_file import COURSE_FILE
from autograder.tasks.folders import CHOSEN_BY, COURSE, TASKS

REPLACED = (
    ("Autograde", "autograde_preprocessors"),
    ("Autograde", "sanitize_preprocessors"),
    ("GenerateAssignment", "preprocessors"),
    ("GenerateFeedback", "preprocessors"),
)
"""What a course may have set before, and loses."""
EXECUTION = ("Execute", "ExecutePreprocessor", "NotebookClient")
"""The sections in which nbgrader's step of execution looks for its settings; the first that has one counts."""


def configure(c: Config) -> None:
    """Set nbgrader's steps of generating, grading and feedback; read `gradebook/settings.py`, which comes last.

    Args:
        c: the configuration, in which the course's folders are set.
    """
    # nbgrader makes a student's rows in an order that SQLAlchemy remarks on, three times a class, to no harm.
    warnings.filterwarnings("ignore", message="(?s)Object of type .* not in session, add operation along")
    # nbgrader calls `alembic` by name when it makes a database.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])

    course = CourseDirectory(config=c)
    gradebook = gradebook_folder(course)
    c.CourseDirectory.ignore.append(TASKS)  # what is known of the tasks is handed out in no step
    source = Path(course.root, course.source_directory).resolve()
    if any(source.glob(f"*/{TASKS}")):
        _choose_tasks(source)
    os.environ.setdefault(CHOSEN_BY, str(Path(course.root, COURSE_FILE).resolve()))
    require_course_file()

    for section, name in REPLACED:
        if name in c[section]:
            print(f"configure(c) replaces c.{section}.{name} of this course", file=sys.stderr)
    if "plugin_class" not in c.ExportApp:
        c.ExportApp.plugin_class = "autograder.exports.grades_csv.Grades"

    # nbgrader's own steps, and ours beside them: which releases there were, which cells nobody grades or has graded.
    c.GenerateAssignment.preprocessors = [
        "autograder.nbgrader_plugin.course_choice.Tailor",
        "autograder.nbgrader_plugin.releases.RecordEarlier",
        "nbgrader.preprocessors.IncludeHeaderFooter",
        "nbgrader.preprocessors.InstantiateTests",
        "nbgrader.preprocessors.LockCells",
        "nbgrader.preprocessors.ClearSolutions",
        "nbgrader.preprocessors.ClearOutput",
        "nbconvert.preprocessors.ClearMetadataPreprocessor",
        "nbgrader.preprocessors.CheckCellMetadata",
        "nbgrader.preprocessors.ComputeChecksums",
        "nbgrader.preprocessors.SaveCells",
        "nbgrader.preprocessors.ClearHiddenTests",
        "nbgrader.preprocessors.ClearMarkScheme",
        "nbgrader.preprocessors.ComputeChecksums",
        "nbgrader.preprocessors.CheckCellMetadata",
        "autograder.nbgrader_plugin.releases.RecordRelease",
        "autograder.nbgrader_plugin.grading_notice.GradingNotice",
    ]
    # What a notebook was made from is the instructor's affair; see autograder/authoring/exercise_notebook.py.
    c.ClearMetadataPreprocessor.enabled = True
    c.ClearMetadataPreprocessor.clear_cell_metadata = False
    c.ClearMetadataPreprocessor.preserve_nb_metadata_mask = {("autograder",), ("kernelspec",), ("language_info",)}
    c.GenerateAssignment.exporter_class = "autograder.nbgrader_plugin.course_choice.ChosenExporter"
    c.GenerateFeedback.force = True  # points given by hand and penalties change no notebook, by which nbgrader goes
    c.GenerateFeedback.preprocessors = [
        "autograder.nbgrader_plugin.feedback_notice.BringGrades",
        "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
        "autograder.nbgrader_plugin.feedback_notice.FeedbackNotice",
    ]
    c.Autograde.exporter_class = "autograder.nbgrader_plugin.reader.TolerantExporter"
    c.Autograde.sanitize_preprocessors = [
        "nbgrader.preprocessors.ClearOutput",
        "autograder.nbgrader_plugin.repair.Repair",
        "autograder.nbgrader_plugin.active_content.Sanitise",
    ]
    c.Autograde.autograde_preprocessors = [
        "autograder.nbgrader_plugin.execution.Grade",
        "autograder.nbgrader_plugin.active_content.Sanitise",
        "nbgrader.preprocessors.IgnorePattern",
        "nbgrader.preprocessors.LimitOutput",
        "autograder.nbgrader_plugin.points_by_hand.SaveScores",
        "autograder.nbgrader_plugin.ungraded_cells.LeaveUngraded",
        "autograder.nbgrader_plugin.late_penalties.AssignPenalties",
        "autograder.nbgrader_plugin.active_content.Shorten",
    ]
    # CheckCellMetadata is left out: it was a third of a conversion, and Repair has written all metadata itself.
    c.ExchangeFactory.collect = "autograder.nbgrader_plugin.collecting.Collect"
    c.ExchangeFactory.fetch_assignment = "autograder.nbgrader_plugin.fetching.FetchAssignment"
    c.ExchangeFactory.submit = "autograder.nbgrader_plugin.submitting.Submit"
    c.ExchangeFactory.release_assignment = "autograder.nbgrader_plugin.releasing.ReleaseAssignment"
    c.ExchangeFactory.release_feedback = "autograder.nbgrader_plugin.releasing.ReleaseFeedback"
    c.ZipCollectApp.extractor_plugin = "autograder.nbgrader_plugin.zip_collecting.Extractor"
    c.ZipCollectApp.collector_plugin = "autograder.nbgrader_plugin.zip_collecting.Collector"
    c.LateWork.extensions = str(gradebook / "extensions.csv")

    c.merge(local_settings(gradebook))
    _take_over_timeout(c)
    if c.Grade.get("anonymous", False):
        hide_names(c)
    if c.CourseDirectory.get("groupshared", False):
        gradebook.mkdir(exist_ok=True)
        share_gradebook(gradebook, Path(c.Exchange.root) if "root" in c.Exchange else None)
    refuse_password(CourseDirectory(config=c).db_url)


def _choose_tasks(source: Path) -> None:
    """Take the tasks of the course's own source; exit if the environment names another course's."""
    named = os.environ.get(COURSE)
    if named and Path(named).resolve() != source:
        print(
            f"{COURSE} names the tasks in {named}, and this course has its own in {source}: run `unset {COURSE}`",
            file=sys.stderr,
        )
        sys.exit(2)
    os.environ[COURSE] = str(source)


def _take_over_timeout(c: Config) -> None:
    """Give cells the time that nbgrader's own step would, unless `Grade.cell_seconds` is set; exit if it is no number.

    nbclient's "no timeout" (None, 0 or below) means here: as long as the whole notebook may take.
    """
    section = next((name for name in EXECUTION if "timeout" in c[name]), None)
    if section is None or "cell_seconds" in c.Grade:
        return
    timeout = c[section].timeout
    if timeout is not None and (isinstance(timeout, bool) or not isinstance(timeout, (int, float))):
        print(f"c.{section}.timeout = {timeout!r} is not a number of seconds: correct it", file=sys.stderr)
        sys.exit(2)
    longest = c.Grade.get("notebook_seconds", Limits.notebook)
    c.Grade.cell_seconds = float(timeout if timeout is not None and timeout > 0 else longest)
