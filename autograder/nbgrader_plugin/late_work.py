"""Late work: a share of the score for each day that has begun, and extensions from a table.

In gradebook/settings.py:

    c = get_config()
    c.AssignLatePenalties.plugin_class = "autograder.nbgrader_plugin.late_work.LateWork"
    c.LateWork.lost_per_day = 0.1

and the table that `extensions.py` reads.
"""

from __future__ import annotations

import math
from pathlib import Path

from nbgrader.plugins import LateSubmissionPlugin
from traitlets import Float, Unicode

from autograder.nbgrader_plugin.extensions import hours_granted

DAY, HOUR = 86400.0, 3600.0


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
            ExtensionsError: where the table cannot be used.
        """
        assignment = getattr(self.parent, "assignment_id", "")
        late = total_seconds_late - HOUR * hours_granted(Path(self.extensions), student_id, assignment)
        if late <= 0:
            return None
        return min(score, score * self.lost_per_day * math.ceil(late / DAY))
