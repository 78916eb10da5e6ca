"""Each task names what it practises, and progress counts by it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from autograder.checks.catalogue import exercises, find_task, tasks_of
from autograder.desk.tasks_by_concept import ConceptProgress, count_tasks
from autograder.tasks.concepts import named_concepts
from autograder.tasks.tables import TaskFolderError
from autograder.wire.outcome import Outcome

CONCEPTS = {
    *("graphs", "accumulation", "leaves", "hooks", "broadcasting", "custom functions", "jacobians"),
    *("second derivatives", "upstream", "aliasing", "gates", "optimisation"),
}
"""The words of this course; predictions use them too."""


@pytest.mark.parametrize("exercise", exercises())
def test_each_task_has_one_or_two_of_the_courses_concepts(exercise: str) -> None:
    for name, task in tasks_of(exercise).items():
        assert 1 <= len(task.concepts) <= 2, name
        assert {*task.concepts} <= CONCEPTS, name


def test_each_concept_has_several_tasks() -> None:
    named = [concept for exercise in exercises() for task in tasks_of(exercise).values() for concept in task.concepts]
    assert {*named} == CONCEPTS
    assert min(map(named.count, CONCEPTS)) >= 3


@pytest.mark.parametrize("given", ["hooks", ("hooks", "hooks"), ("",), (" hooks",), (3,), 3, ("x" * 60,)])
def test_what_is_no_list_of_names_is_refused(given: Any) -> None:
    with pytest.raises(TaskFolderError, match=r'task\.py: concepts= takes different names, as in \("hooks"'):
        named_concepts(given, "task.py")


def test_progress_counts_by_concept() -> None:
    def verdict(kind: str, passed: bool) -> Any:
        return SimpleNamespace(results=[SimpleNamespace(kind=kind)], passed=passed)

    verdicts = {
        "count_nodes": verdict(Outcome.PASSED, True),
        "attach_savers": verdict(Outcome.WRONG, False),
        "predict_hooks": verdict(Outcome.NOT_ATTEMPTED, False),
    }
    found = count_tasks([cast(Any, SimpleNamespace(verdicts=verdicts))])
    assert found["hooks"] == ConceptProgress(tasks=3, tried=2, done=1)
    assert found["graphs"] == ConceptProgress(tasks=1, tried=1, done=1)
    assert {*found} == {one for name in verdicts for one in find_task(name).concepts}
