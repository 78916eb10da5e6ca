"""Late penalties: a fraction of the score per day begun, with extensions from a table.

To use them, write into gradebook/settings.py:

    c = get_config()
    c.AssignLatePenalties.plugin_class = "autograder.nbgrader_plugin.late_work.LateWork"
    c.LateWork.lost_per_day = 0.1

and grant extensions in the table that `extensions.py` describes.
"""

from __future__ import annotations

import math
from pathlib import Path

from nbgrader.plugins import LateSubmissionPlugin
from traitlets import Float, Unicode

from autograder.nbgrader_plugin.extensions import hours_granted

DAY, HOUR = 86400.0, 3600.0


class LateWork(LateSubmissionPlugin):
    """The plug-in for nbgrader's late penalties."""

    lost_per_day = Float(0.0, min=0.0, max=1.0, help="Share of the score that each day begun costs, 0 to 1.").tag(
        config=True
    )
    extensions = Unicode("gradebook/extensions.csv", help="Table of extensions; none where it is missing.").tag(
        config=True
    )

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float | None:
        """Compute the points to take off for lateness.

        Args:
            student_id: the student's id.
            score: the score of the submitted notebook, in points.
            total_seconds_late: seconds after the assignment's due date.

        Returns:
            The points, or None if an extension covers the delay.

        Raises:
            ExtensionsError: if the table cannot be used.
        """
        assignment = getattr(self.parent, "assignment_id", "")
        late = total_seconds_late - HOUR * hours_granted(Path(self.extensions), student_id, assignment)
        if late <= 0:
            return None
        return min(score, score * self.lost_per_day * math.ceil(late / DAY))
