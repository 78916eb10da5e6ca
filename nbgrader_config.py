"""nbgrader's steps on this tree: solutions -> exercises -> gradebook/{submitted,autograded,feedback}.

Settings of your own (penalties, limits, titles in Canvas) go into `gradebook/settings.py`, which git ignores and which
is read last. Classes are named by string, so that this file loads nothing that nbgrader would not. COURSE_GRADEBOOK
names another folder than `gradebook/` for submissions, scores and feedback, COURSE_DB_URL another database than the
file in it.
"""

import os
import sys
import warnings
from pathlib import Path
from urllib.parse import urlsplit

import autograder.nbgrader_plugin.formgrader_times
import autograder.nbgrader_plugin.patience
import autograder.nbgrader_plugin.strict_times
import autograder.nbgrader_plugin.visible_log  # noqa: F401
from autograder.nbgrader_plugin.settings import local_settings
from autograder.sharing import folders_for_grading, share_gradebook
from autograder.tasks.folders import COURSE, TASKS

c = get_config()  # noqa: F821  (traitlets defines it)

course = Path(__file__).resolve().parent
gradebook = (course / os.environ.get("COURSE_GRADEBOOK", "gradebook")).resolve()
exchange = Path(os.environ.get("NBGRADER_EXCHANGE", str(gradebook / "exchange")))
folders_for_grading(gradebook, exchange)
inside = os.path.relpath(gradebook, course)

# nbgrader makes a student's rows in an order that SQLAlchemy remarks on, three times a class, to no harm.
warnings.filterwarnings("ignore", message="(?s)Object of type .* not in session, add operation along")

# nbgrader calls `alembic` by name when it makes a database.
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])

c.CourseDirectory.root = str(course)
c.CourseDirectory.course_id = "gradients"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.ignore.append(TASKS)  # what is known of the tasks is handed out in no step
if any((course / "solutions").glob(f"*/{TASKS}")):
    os.environ.setdefault(COURSE, str(course / "solutions"))
c.CourseDirectory.release_directory = "exercises"
c.CourseDirectory.submitted_directory = os.path.join(inside, "submitted")
c.CourseDirectory.autograded_directory = os.path.join(inside, "autograded")
c.CourseDirectory.feedback_directory = os.path.join(inside, "feedback")
c.CourseDirectory.db_url = os.environ.get("COURSE_DB_URL", f"sqlite:///{gradebook / 'gradebook.db'}")
c.ExportApp.plugin_class = "autograder.exports.grades_csv.Grades"
c.ZipCollectApp.downloaded_directory = os.path.join(inside, "downloaded")
c.ZipCollectApp.extractor_plugin = "autograder.nbgrader_plugin.zip_collecting.Extractor"
c.ZipCollectApp.collector_plugin = "autograder.nbgrader_plugin.zip_collecting.Collector"
# A learning platform's archive holds student_01_topic.ipynb; set this in settings.py where yours names files otherwise.
c.FileNameCollectorPlugin.named_regexp = r".*[\\/](?P<student_id>\w[\w.@-]*?)_(?P<file_id>\d\d_\w+)"

# A folder that all students and instructors of a course can reach; on a shared server, set it.
c.Exchange.root = str(exchange)
# What a student hands in is what they solved in this folder, not a second copy that they would fetch first.
c.Exchange.assignment_dir = str(course / "exercises")
c.ExchangeFactory.collect = "autograder.nbgrader_plugin.collecting.Collect"
c.ExchangeFactory.release_assignment = "autograder.nbgrader_plugin.releasing.ReleaseAssignment"
c.ExchangeFactory.release_feedback = "autograder.nbgrader_plugin.releasing.ReleaseFeedback"

c.ClearSolutions.code_stub = {"python": "raise NotImplementedError  # your code here"}

# nbgrader's own steps, and ours beside them: which releases there were, and which cells nobody grades or has graded.
c.GenerateAssignment.preprocessors = [
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

c.LateWork.extensions = str(gradebook / "extensions.csv")

c.merge(local_settings(gradebook))
if c.CourseDirectory.get("groupshared", False):
    share_gradebook(gradebook, exchange)

address = urlsplit(c.CourseDirectory.db_url)
if address.password or "password=" in address.query:
    print(
        "The database's address holds a password, which the formgrader would show: write it to ~/.pgpass instead",
        file=sys.stderr,
    )
    sys.exit(2)
