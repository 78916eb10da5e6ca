"""Declare a task and its checks.

PARTIALS = Task("partials", EXERCISE, minutes=8, section="...", reference=..., mistakes=(...))

@PARTIALS.check("the gate open", points=2, cases=PUBLIC, draw=open_gate)
def test_partials_open(answers):
    answers.agree()
"""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from autograder.comparison import CONTRACT, Tolerance
from autograder.diagnosis import Mistake
from autograder.probes.programs import Program
from autograder.probes.question import Question
from autograder.references import PublicCase, Reference

TASKS: dict[str, Task] = {}
PUBLIC_SEED = b"public"
"""The seed of the draws in a notebook, where a student may see everything."""


@dataclasses.dataclass(frozen=True)
class Case:
    """One question and what is right.

    Attributes:
        inputs: as the reference takes them.
        question: as the probe takes it.
        secret: drawn for one submission; its numbers are not shown.
        expected: the right answer, for public cases; None for drawn ones, where the oracle is asked.
    """

    inputs: tuple
    question: Question
    secret: bool
    expected: Any = None


_drawn: dict[tuple[str, bytes], list[Case]] = {}
MOST_DRAWN = 256
"""So many checks' cases are kept: a notebook's own, whose student asks them again and again."""


@dataclasses.dataclass(frozen=True)
class Check:
    """A group of points within a task: its questions and the test that judges the answers.

    Attributes:
        name: of that test. Inputs are drawn and answers kept under it, so that a title can be reworded at any time.
    """

    task: Task
    title: str
    points: float
    public: Sequence[PublicCase]
    draw: Callable[[random.Random], tuple] | None
    draws: int
    ask: Callable[..., Question]
    name: str = ""

    @property
    def id(self) -> str:
        """Names the check across all exercises, whatever its title says."""
        return f"{self.task.name}/{self.name}"

    def cases(self, seed: bytes) -> list[Case]:
        """The public cases, then those drawn from `seed`: the same seed gives the same cases."""
        if (self.id, seed) not in _drawn:
            if len(_drawn) >= MOST_DRAWN:
                _drawn.pop(next(iter(_drawn)))
            _drawn[self.id, seed] = self.drawn_anew(seed)
        return list(_drawn[self.id, seed])

    def drawn_anew(self, seed: bytes) -> list[Case]:
        """The same as new objects."""
        cases = [Case(c.inputs, self.ask(*c.inputs), False, c.expected) for c in self.public]
        if self.draw is not None:
            digest = hmac.new(seed, self.id.encode(), hashlib.sha256).digest()
            source = random.Random(int.from_bytes(digest))
            for _ in range(self.draws):
                inputs = self.draw(source)
                cases.append(Case(inputs, self.ask(*inputs), seed != PUBLIC_SEED))
        return cases


@dataclasses.dataclass
class Task:
    """One graded task of an exercise.

    Attributes:
        name: what the notebook defines: "partials".
        exercise: "01_scalar_graphs".
        minutes: how long it takes a student.
        section: the lesson's section to read again.
        reference: what is right, from two sources.
        mistakes: the named mistakes, the likeliest first.
        core: False for an extra.
        tolerance: how far a number may be off.
        graph: from a case's inputs to what `draw` takes, for a picture of a wrong answer.
        begin: what to do first, told where nothing has been done yet.
    """

    name: str
    exercise: str
    minutes: int
    section: str
    reference: Reference
    mistakes: tuple[Mistake, ...]
    core: bool = True
    tolerance: Tolerance = CONTRACT
    graph: Callable[..., Any] | None = None
    begin: str = "Replace `raise NotImplementedError` with your answer."
    checks: list[Check] = dataclasses.field(default_factory=list)

    def __post_init__(self) -> None:
        if self.name in TASKS:
            raise ValueError(f"two tasks are called {self.name}")
        TASKS[self.name] = self

    @property
    def points(self) -> float:
        """What all its checks are worth together."""
        return sum(check.points for check in self.checks)

    def question(self, *inputs: Any) -> Question:
        """The plain question: run this program, or call the function with these inputs."""
        if inputs and isinstance(inputs[0], Program):
            return Question("run_program", {"target": self.name, **inputs[0].as_inputs})
        return Question("call", {"target": self.name, "arguments": list(inputs)})

    def question_once(self, program: Program) -> Question:
        """The question without its second run, for programs that take long enough."""
        return Question("run_program", {"target": self.name, **program.as_inputs, "twice": False})

    def check(
        self,
        title: str,
        *,
        points: float,
        cases: Sequence[PublicCase],
        draw: Callable[[random.Random], tuple] | None = None,
        draws: int = 3,
        ask: Callable[..., Question] | None = None,
    ) -> Callable[[Callable], Callable]:
        """Declare a check of this task; decorates the pytest test that judges it.

        Args:
            title: what the points are for, as the student reads it.
            points: what it is worth.
            cases: public cases.
            draw: makes the inputs of one more case.
            draws: how many are drawn.
            ask: from inputs to the question; `question` where left out.
        """

        def declared(test: Callable) -> Callable:
            check = Check(self, title, points, cases, draw, draws, ask or self.question, test.__name__)
            self.checks.append(check)
            return pytest.mark.check(check)(test)

        return declared

    def mistake(self, name: str) -> Mistake:
        """The named mistake, for a check that observes it directly."""
        return next(mistake for mistake in self.mistakes if mistake.name == name)
