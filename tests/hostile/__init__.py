"""Attacks on the autograder: each a notebook, what it must get, and what must not have happened.

An attack stands in a module named after what it turns against, as a function without arguments. Its body is the
source of a cell of its own before all tasks, or of a task's solution cell:

    @attack()
    def reads_the_canary():
        print("BREACH", open(CANARY).read())

It prints BREACH where it got what it wanted; that word, and whatever the scene keeps secret, may then occur
nowhere in what the grader brought back. Names in capitals come from `scene.py`. Attacks through a submission's
files, its students' names and its active content stand in tests/test_submission_files.py (13) and
tests/active_content.py, each refused system call and tier in tests/test_sandbox_tiers.py.
"""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from collections.abc import Callable

from autograder.tasks.cells import source_of
from tests.sample_class import FULL

EXERCISE = "01_scalar_graphs"


@dataclasses.dataclass(frozen=True)
class Attack:
    """One hostile cell.

    Attributes:
        kind: the module in which it stands: "files".
        name: the function's name.
        source: of the cell.
        task: the task in whose solution cell it stands; empty for a cell of its own before all tasks.
        points: what each task must get.
        says: a pattern that its outputs, or its task's reason, must match: the attack did take place.
        control: whether the same cell outside any sandbox prints BREACH, which shows that it can.
    """

    kind: str
    name: str
    source: str
    task: str
    points: dict[str, float]
    says: str
    control: bool


ATTACKS: list[Attack] = []


def attack(task: str = "", *, says: str = "", control: bool = False, **loses: float) -> Callable[[Callable], Callable]:
    """Register the decorated function's body as an attack.

    Args:
        task: in whose solution cell it stands.
        says: a pattern that its outputs, or its task's reason, must match.
        control: whether it works outside a sandbox, harmlessly.
        loses: points of the tasks that it costs its author; all others must get all of theirs.
    """

    def register(function: Callable) -> Callable:
        kind = function.__module__.rsplit(".", 1)[-1]
        points = FULL | loses
        ATTACKS.append(Attack(kind, function.__name__, source_of(function), task, points, says, control))
        return function

    return register


def attack_cell(kind: str, name: str, source: str, task: str = "", *, says: str = "", **loses: float) -> None:
    """Register a cell that is given as text."""
    ATTACKS.append(Attack(kind, name, source.strip() + "\n", task, FULL | loses, says, False))


def load() -> None:
    """Import every module of this folder; those with attacks register them."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
