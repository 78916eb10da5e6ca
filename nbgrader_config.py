"""nbgrader's steps on this tree: solutions -> exercises -> gradebook/{submitted,autograded,feedback}.

Classes are named by string, so that this file loads nothing that nbgrader would not. COURSE_GRADEBOOK names another
folder than `gradebook/` for submissions, scores and feedback, COURSE_DB_URL another database than the file in it.
"""

import os
import sys
import warnings
from pathlib import Path
from urllib.parse import urlsplit

import autograder.nbgrader_plugin.formgrader_times
import autograder.nbgrader_plugin.patience
import autograder.nbgrader_plugin.visible_log  # noqa: F401

c = get_config()  # noqa: F821  (traitlets defines it)

course = Path(__file__).resolve().parent
gradebook = (course / os.environ.get("COURSE_GRADEBOOK", "gradebook")).resolve()
gradebook.mkdir(parents=True, exist_ok=True)
inside = os.path.relpath(gradebook, course)

# nbgrader makes a student's rows in an order that SQLAlchemy remarks on, three times a class, to no harm.
warnings.filterwarnings("ignore", message="(?s)Object of type .* not in session, add operation along")

# nbgrader calls `alembic` by name when it makes a database.
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])

c.CourseDirectory.root = str(course)
c.CourseDirectory.course_id = "gradients"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "exercises"
c.CourseDirectory.submitted_directory = os.path.join(inside, "submitted")
c.CourseDirectory.autograded_directory = os.path.join(inside, "autograded")
c.CourseDirectory.feedback_directory = os.path.join(inside, "feedback")
c.CourseDirectory.db_url = os.environ.get("COURSE_DB_URL", f"sqlite:///{gradebook / 'gradebook.db'}")
address = urlsplit(c.CourseDirectory.db_url)
if address.password or "password=" in address.query:
    print(
        "COURSE_DB_URL holds a password, which the formgrader would show: write it to ~/.pgpass instead",
        file=sys.stderr,
    )
    sys.exit(2)
c.ExportApp.plugin_class = "autograder.exports.grades_csv.Grades"
c.CsvExportPlugin.to = str(gradebook / "grades.csv")
c.ZipCollectApp.downloaded_directory = os.path.join(inside, "downloaded")
c.ZipCollectApp.extractor_plugin = "autograder.nbgrader_plugin.zip_collecting.Extractor"
c.ZipCollectApp.collector_plugin = "autograder.nbgrader_plugin.zip_collecting.Collector"
# A learning platform's archive holds student_01_topic.ipynb; change this where yours names files otherwise.
c.FileNameCollectorPlugin.named_regexp = r".*[\\/](?P<student_id>\w[\w.@-]*?)_(?P<file_id>\d\d_\w+)"

# A folder that all students and instructors of a course can reach; on a shared server, set it.
c.Exchange.root = os.environ.get("NBGRADER_EXCHANGE", str(gradebook / "exchange"))
Path(c.Exchange.root).mkdir(mode=0o777, parents=True, exist_ok=True)
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
c.GenerateFeedback.preprocessors = [
    "nbgrader.preprocessors.GetGrades",
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
    "nbgrader.preprocessors.SaveAutoGrades",
    "autograder.nbgrader_plugin.ungraded_cells.LeaveUngraded",
    "nbgrader.preprocessors.AssignLatePenalties",
    "autograder.nbgrader_plugin.active_content.Shorten",
]
# CheckCellMetadata is left out: it was a third of a conversion, and Repair has written all metadata itself.
