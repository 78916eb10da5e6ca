"""How far a student is with each concept: the tasks that practise it, tried and done."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from autograder.checks.catalogue import find_task
from autograder.desk.progress import is_attempted
from autograder.desk.saved_notebook import ExerciseProgress


@dataclasses.dataclass
class ConceptProgress:
    """The tasks of one concept.

    Attributes:
        tasks: how many there are in the notebooks that were looked at.
        tried: how many the student has begun.
        done: how many have all their points.
    """

    tasks: int = 0
    tried: int = 0
    done: int = 0


def count_tasks(found: Iterable[ExerciseProgress]) -> dict[str, ConceptProgress]:
    """Count the tasks of each concept, in the order in which the course meets the concepts.

    Args:
        found: the exercises, with the verdicts on their tasks.
    """
    counted: dict[str, ConceptProgress] = {}
    for one in found:
        for name, verdict in one.verdicts.items():
            for concept in find_task(name).concepts:
                progress = counted.setdefault(concept, ConceptProgress())
                progress.tasks += 1
                progress.tried += is_attempted(verdict)
                progress.done += verdict.passed
    return counted
