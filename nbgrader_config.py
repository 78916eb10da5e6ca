"""nbgrader's steps on this tree: solutions -> exercises -> gradebook/{submitted,autograded,feedback}.

Settings of your own (penalties, limits, titles in Canvas) go into `gradebook/settings.py`, which git ignores and which
is read last. COURSE_GRADEBOOK names another folder than `gradebook/` for submissions, scores and feedback,
COURSE_DB_URL another database than the file in `gradebook/`.
"""

import os
from pathlib import Path

from autograder.nbgrader_plugin.configuration import configure
from autograder.nbgrader_plugin.database_address import database_address
from autograder.sharing import folders_for_grading
from autograder.tasks.folders import WORK, released_name

c = get_config()  # noqa: F821  (traitlets defines it)

course = Path(__file__).resolve().parent
gradebook = (course / os.environ.get("COURSE_GRADEBOOK", "gradebook")).resolve()
exchange = Path(os.environ.get("NBGRADER_EXCHANGE", str(gradebook / "exchange")))
folders_for_grading(gradebook, exchange)
inside = os.path.relpath(gradebook, course)

c.CourseDirectory.root = str(course)
c.CourseDirectory.course_id = "gradients"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = released_name(course)  # exercises, or release if there is a course.toml
c.CourseDirectory.submitted_directory = os.path.join(inside, "submitted")
c.CourseDirectory.autograded_directory = os.path.join(inside, "autograded")
c.CourseDirectory.feedback_directory = os.path.join(inside, "feedback")
c.CourseDirectory.db_url = database_address(gradebook, course / "gradebook")
c.ZipCollectApp.downloaded_directory = os.path.join(inside, "downloaded")
# A learning platform's archive holds student_01_topic.ipynb; set this in settings.py where yours names files otherwise.
c.FileNameCollectorPlugin.named_regexp = r".*[\\/](?P<student_id>\w[\w.@-]*?)_(?P<file_id>\d\d_\w+)"

# A folder that all students and instructors of a course can reach; on a shared server, set it.
c.Exchange.root = str(exchange)
# What a student hands in is what they solved in their workspace, or where there is none in this folder: not a second
# copy that they would fetch first.
solved = course / WORK / "exercises"
c.Exchange.assignment_dir = str(solved if solved.is_dir() else course / released_name(course))

c.ClearSolutions.code_stub = {"python": "raise NotImplementedError  # your code here"}

configure(c)
