"""What became of one submission in a class run, as its summary and its tables tell it."""

from __future__ import annotations

import dataclasses

from autograder.classroom.course import Submission
from autograder.nbgrader_plugin.repair import Repairs


@dataclasses.dataclass
class Done:
    """What became of one submission.

    Attributes:
        state: "graded", "judged" (from stored answers), "restored" (a row of the gradebook, from the graded
            notebook), "with a new penalty", "unchanged", "without answers" (to today's questions, and so left out) or
            "failed".
        verdicts: as `Verdict.as_data` has them.
        before: those of the record that stood there, for a comparison.
        repaired: its notebook's cells that were not as this release has them.
        host: the machine that worked on it.
        tier: what surrounded its sandbox; empty where nothing was run.
        reason: why it failed.
        outdated: whether checks have changed since it was judged.
        stale: how the gradebook's row differed from what was graded; empty where it did not.
        penalty: for lateness, before and now; None where it is the same.
        by_hand: tasks whose points by hand need a look, with the reason.
        scaled: tasks that are worth other points in the notebook than in their checks.
    """

    submission: Submission
    state: str
    verdicts: list[dict] = dataclasses.field(default_factory=list)
    before: list[dict] = dataclasses.field(default_factory=list)
    ended: dict[str, str] = dataclasses.field(default_factory=dict)
    seconds: float = 0.0
    cpu: float = 0.0
    repaired: Repairs = dataclasses.field(default_factory=Repairs)
    host: str = ""
    tier: str = ""
    reason: str = ""
    outdated: bool = False
    stale: str = ""
    penalty: tuple[float | None, float | None] | None = None
    by_hand: list[str] = dataclasses.field(default_factory=list)
    scaled: list[str] = dataclasses.field(default_factory=list)
