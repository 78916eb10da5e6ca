"""Appeals of an assignment: what students contest, and what was decided about it.

A student contests a task in a Markdown cell whose first line is `Appeal: TASK`, or in a file `appeal_TASK.txt` beside
the notebook; an instructor records an appeal that came by another way. All of it is a stranger's text.
"""

from __future__ import annotations

import dataclasses
import hashlib
import re
from collections.abc import Iterable, Iterator

from nbgrader.coursedir import CourseDirectory

from autograder.decisions.log import Decision, DecisionLog, Kind
from autograder.gradebook_access.folder import gradebook_folder, submitted_folder
from autograder.notebooks.grade_cells import GRADE_ID
from autograder.notebooks.opening import RefusedFileError, read_file
from autograder.notebooks.reading import UnreadableNotebookError, read_submission
from autograder.notebooks.submission_files import STUDENT, notebook_bytes
from autograder.visible_text import visible

FILE = re.compile(r"appeal_(\w{1,100})\.txt", re.IGNORECASE)
CELL = re.compile(
    r"""[\s#*_>]{0,40}+appeal[*_]{0,3}+\s*+
    (?: :[ \t*_]*+(?:task[ \t]++)?+`?(\w{1,100})`?   # with a colon, the reasons may begin on the same line
    | :?\s*+`?(\w{1,100})`?[\s:.*_]*+(?:(?<=\n)|$))""",
    re.IGNORECASE | re.VERBOSE,
)
LEADING = "`*_:.,;- \t\r\n"
"""What may stand between the task's name and the reasons."""
MENTIONED = re.compile(rb"appeal", re.IGNORECASE)
"""What a notebook with an appeal contains, so that the others need not be parsed."""
LONGEST_FILE = 64 << 10
LONGEST = 4_000
"""Characters of an appeal."""
MOST = 20
"""Appeals of one submission; more are not read."""
CUT = " [cut off]"
DECIDED = (Kind.UPHELD, Kind.REJECTED)


@dataclasses.dataclass(frozen=True)
class Appeal:
    """One appeal.

    Attributes:
        assignment: the assignment's name.
        student: the student's id.
        task: the name of the contested task, which may not exist.
        words: the student's, made visible and cut to LONGEST.
        source: where they stand.
        decision: the latest decision; None if it is open.
    """

    assignment: str
    student: str
    task: str
    words: str
    source: str
    decision: Decision | None = None

    @property
    def digest(self) -> str:
        """A digest of the words, because other words are another appeal."""
        return hashlib.sha256(" ".join(self.words.split()).encode()).hexdigest()[:16]


def appeals(course: CourseDirectory, assignment: str, log: DecisionLog | None = None) -> list[Appeal]:
    """Find all appeals of an assignment, sorted by student.

    Args:
        course: locates the submissions.
        assignment: the assignment's name.
        log: the gradebook's log; read if left out.
    """
    log = log or DecisionLog(gradebook_folder(course))
    found = dict[tuple[str, str, str], Appeal]()
    recorded = (
        Appeal(assignment, one.student, one.task, one.reason, f"recorded by {one.by or 'somebody'} on {one.day}")
        for one in log.of(assignment)
        if one.kind is Kind.RECORDED
    )
    for appeal in (*recorded, *_handed_in(course, assignment)):
        found.setdefault((appeal.student, appeal.task, appeal.digest), appeal)
    for one in log.of(assignment):
        if one.kind in DECIDED and (appealed := found.get((one.student, one.task, one.appeal))) is not None:
            found[one.student, one.task, one.appeal] = dataclasses.replace(appealed, decision=one)
    return sorted(found.values(), key=lambda one: (one.student, one.task))


def open_appeals(course: CourseDirectory, assignment: str) -> list[Appeal]:
    """Find the appeals of an assignment that nobody has decided."""
    return [one for one in appeals(course, assignment) if one.decision is None]


def open_appeals_note(course: CourseDirectory, assignment: str) -> Iterator[str]:
    """Yield a sentence that says how many appeals are open, if any are; it names nobody."""
    if count := len(open_appeals(course, assignment)):
        said = "1 appeal is open" if count == 1 else f"{count} appeals are open"
        yield f"{assignment}: {said}: `autograder appeal {assignment}` shows {'it' if count == 1 else 'them'}"


def is_appeal(name: str) -> bool:
    """Tell whether a file beside a notebook is an appeal, by its name."""
    return FILE.fullmatch(name) is not None


def readable(text: str) -> str:
    """Return a stranger's text as it is shown and logged: visible, and not longer than LONGEST."""
    shown = visible(text.strip())
    return shown if len(shown) <= LONGEST else shown[:LONGEST] + CUT


def _handed_in(course: CourseDirectory, assignment: str) -> Iterator[Appeal]:
    submitted = submitted_folder(course)
    for folder in sorted(submitted.glob(f"*/{assignment}")):
        student = folder.parent.name
        if STUDENT.fullmatch(student):
            found = [*_files(course, student, assignment), *_cells(course, student, assignment)]
            for task, words, source in found[:MOST]:
                yield Appeal(assignment, student, task, words, source)


def _files(course: CourseDirectory, student: str, assignment: str) -> Iterator[tuple[str, str, str]]:
    submitted = submitted_folder(course)
    for name in _names(course, student, assignment, FILE):
        try:
            raw = read_file(submitted, (student, assignment, name), LONGEST_FILE)
        except (RefusedFileError, OSError):
            continue  # a link, say, which is nobody's words
        named = FILE.fullmatch(name)
        if named is not None and (words := readable(raw[:LONGEST_FILE].decode("utf-8-sig", errors="replace"))):
            yield task_name(named[1]), words, f"in {name}"


def _cells(course: CourseDirectory, student: str, assignment: str) -> Iterator[tuple[str, str, str]]:
    submitted = submitted_folder(course)
    for name in _names(course, student, assignment, re.compile(r".*\.ipynb")):
        try:
            raw = notebook_bytes(submitted, (student, assignment, name))
            if not MENTIONED.search(raw):
                continue
            cells = read_submission(raw).cells
        except UnreadableNotebookError:
            continue
        for cell in cells:
            own = cell.cell_type == "markdown" and "nbgrader" not in cell.metadata
            if not own or (found := CELL.match(cell.source)) is None:
                continue
            if words := readable(cell.source[found.end() :].lstrip(LEADING)):
                yield task_name(found[1] or found[2]), words, "in a Markdown cell of the notebook"


def _names(course: CourseDirectory, student: str, assignment: str, pattern: re.Pattern[str]) -> Iterable[str]:
    try:
        entries = sorted(path.name for path in (submitted_folder(course) / student / assignment).iterdir())
    except OSError:
        return []
    return [name for name in entries if pattern.fullmatch(name)][:MOST]


def task_name(name: str) -> str:
    """Return a task's name, where its grade cell's may have been given."""
    return name.removeprefix(GRADE_ID)
