"""The result of a class run for one submission, from which its summary and tables are made."""

from __future__ import annotations

import dataclasses
import enum
from typing import Any

from autograder.classroom.course import Submission
from autograder.gradebook_access.repairs import Repairs

Penalties = tuple[float | None, float | None]
"""The late penalties before and now; None for none."""


class State(enum.StrEnum):
    """What a class run did with a submission, in the words and the order of its summary."""

    GRADED = "graded"
    JUDGED = "judged"
    """Judged from stored answers."""
    RESTORED = "restored"
    """The gradebook's row was restored from the graded notebook."""
    NEW_PENALTY = "with a new penalty"
    UNCHANGED = "unchanged"
    HELD_BACK = "held back"
    """Judged and not written, because its points would change and no reason was given."""
    UNANSWERED = "without answers"
    """Left out, because its stored answers do not answer today's questions."""
    FAILED = "failed"


@dataclasses.dataclass
class Done:
    """The result of a class run for one submission.

    Attributes:
        submission: names the student, the assignment and the file.
        state: what was done with it.
        verdicts: in the form of `Verdict.as_data`.
        before: the verdicts of the earlier record, for a comparison.
        ended: cells (by number) and tasks that ended their sandbox, with the reason.
        seconds: wall time of the student's code and the judging.
        cpu: CPU time of both, in seconds.
        repaired: the notebook's cells that differed from this release's.
        host: the machine that worked on the submission.
        tier: how its sandbox was isolated; empty if nothing was run.
        reason: why grading failed.
        begun: whether the run had begun to write its result when grading failed.
        outdated: whether checks have changed since the submission was judged.
        changes: what has changed in the course since it was graded, a clause each, if its points were left as they are.
        stale: how the gradebook's row differed from what was graded; empty if it did not.
        untimed: why the time of submission is unknown, if that should be reported.
        penalty: for lateness, before and now; None if it is the same.
        by_hand: tasks whose manual points somebody should look at, with the reason.
        scaled: tasks that are worth other points in the notebook than in their checks.
    """

    submission: Submission
    state: State
    verdicts: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    before: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    ended: dict[str, str] = dataclasses.field(default_factory=dict)
    seconds: float = 0.0
    cpu: float = 0.0
    repaired: Repairs = dataclasses.field(default_factory=Repairs)
    host: str = ""
    tier: str = ""
    reason: str = ""
    begun: bool = False
    outdated: bool = False
    changes: list[str] = dataclasses.field(default_factory=list)
    stale: str = ""
    untimed: str = ""
    penalty: Penalties | None = None
    by_hand: list[str] = dataclasses.field(default_factory=list)
    scaled: list[str] = dataclasses.field(default_factory=list)

    def named(self, *, with_assignment: bool) -> str:
        """Name the student and, if asked, the assignment."""
        return (
            f"{self.submission.student} ({self.submission.assignment})" if with_assignment else self.submission.student
        )
