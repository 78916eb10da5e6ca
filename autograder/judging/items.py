"""The checks of an exercise as pytest items, and the fixture `answers` that they take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # every pytest run of the environment imports this file, so it must load nothing heavy
    from autograder.checks.answers import Answers
    from autograder.checks.task import Check, Task
    from autograder.judging.evidence import Evidence

EVIDENCE: pytest.StashKey[Callable[[], Evidence]] = pytest.StashKey()
"""On a node (a notebook, or the whole session): returns the evidence that the checks below it judge."""


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker `check`."""
    config.addinivalue_line("markers", "check(check): a check of a task, worth points")


def items_of(parent: pytest.Collector, tasks: Iterable[Task]) -> Iterator[pytest.Function]:
    """Yield the checks of these tasks as tests below `parent`, in order."""
    for task in tasks:
        for check in task.checks:
            yield pytest.Function.from_parent(parent, name=check.name, callobj=check.test)


def check_of(test: pytest.Item) -> Check:
    """Return the check that a test belongs to."""
    mark = test.get_closest_marker("check")
    assert mark is not None, f"{test.name} is no check of a task"
    check: Check = mark.args[0]
    return check


@pytest.fixture
def answers(request: pytest.FixtureRequest) -> Answers:
    """Return the answers to a check's questions, from the nearest node that has evidence."""
    test: pytest.Item = request.node
    evidence = next(node.stash[EVIDENCE] for node in test.iter_parents() if EVIDENCE in node.stash)
    return evidence().answers_to(check_of(test))
