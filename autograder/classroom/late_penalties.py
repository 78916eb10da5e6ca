"""What lateness costs today, asked of the plug-in that nbgrader_config.py names."""

from __future__ import annotations

import logging
from typing import Any

from nbgrader.converters import Autograde
from nbgrader.preprocessors import AssignLatePenalties
from traitlets.config import Config
from traitlets.utils.importstring import import_item

QUIET = logging.getLogger("autograder.classroom.steps")
QUIET.setLevel(logging.CRITICAL)
"""For nbgrader's steps outside of a conversion: they remark on each late submission."""


def steps(config: Config, kind: type) -> list[type]:
    """The configured steps of autograding that are of this kind, in their order."""
    named = Autograde(config=config).autograde_preprocessors
    classes = [import_item(step) if isinstance(step, str) else step for step in named]
    return [step for step in classes if isinstance(step, type) and issubclass(step, kind)]


class LatePenalties:
    """The configured late penalties of one assignment; none where no step of autograding assigns any."""

    def __init__(self, config: Config, assignment: str) -> None:
        self._steps = [step(config=config, log=QUIET) for step in steps(config, AssignLatePenalties)]
        for step in self._steps:
            step.assignment_id = assignment
            step.init_plugin()

    def points(self, student: str, score: float, seconds_late: float) -> float | None:
        """Points to take off, cut as nbgrader cuts them; None for none.

        Args:
            student: whose submission.
            score: what it earned.
            seconds_late: after the due date with nbgrader's own extension; not positive where it is in time.
        """
        penalty: Any = None
        for step in self._steps if seconds_late > 0 else []:
            penalty = step.plugin_inst.late_submission_penalty(student, score, seconds_late)
        return None if penalty is None else min(max(penalty, 0.0), score)
