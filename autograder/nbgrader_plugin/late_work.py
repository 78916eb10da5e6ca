"""Late work: a share of the score for each day that has begun, and extensions from a table.

In gradebook/settings.py:

    c = get_config()
    c.AssignLatePenalties.plugin_class = "autograder.nbgrader_plugin.late_work.LateWork"
    c.LateWork.lost_per_day = 0.1

and `gradebook/extensions.csv` with the columns student, assignment, hours; an empty assignment means all.
"""

from __future__ import annotations

import csv
import math
from pathlib import Path

from nbgrader.plugins import LateSubmissionPlugin
from traitlets import Float, Unicode

COLUMNS = {"student", "assignment", "hours"}
DAY, HOUR = 86400.0, 3600.0


class ExtensionsError(Exception):
    """The table of extensions cannot be used; the message names the line."""


class LateWork(LateSubmissionPlugin):
    """nbgrader's plug-in point for late penalties."""

    lost_per_day = Float(0.0, min=0.0, max=1.0, help="Share of the score that each day begun costs, 0 to 1.").tag(
        config=True
    )
    extensions = Unicode("gradebook/extensions.csv", help="Table of extensions; none where it is missing.").tag(
        config=True
    )

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float | None:
        """Points to take off.

        Args:
            student_id: whose submission.
            score: what it earned.
            total_seconds_late: after the assignment's due date.

        Returns:
            None where an extension covers it.

        Raises:
            ExtensionsError: where the table is not as it should be.
        """
        assignment = getattr(self.parent, "assignment_id", "")
        late = total_seconds_late - HOUR * hours_granted(Path(self.extensions), student_id, assignment)
        if late <= 0:
            return None
        return min(score, score * self.lost_per_day * math.ceil(late / DAY))


def hours_granted(table: Path, student: str, assignment: str) -> float:
    """The longest extension in a table that a student has for an assignment.

    Raises:
        ExtensionsError: for a table without its columns, or with a line whose hours are no number.
    """
    if not table.exists():
        return 0.0
    with table.open(newline="", encoding="utf-8-sig") as file:
        rows = csv.DictReader(file)
        if not set(rows.fieldnames or ()) >= COLUMNS:
            raise ExtensionsError(f"{table} needs a first line with the columns student, assignment, hours")
        granted = [0.0]
        for row in rows:
            try:
                hours = float(row["hours"])
            except (TypeError, ValueError):
                raise ExtensionsError(
                    f"{table}, line {rows.line_num}: {row['hours']!r} is no number of hours"
                ) from None
            if row["student"] == student and row["assignment"] in ("", assignment):
                granted.append(hours)
    return max(granted)
