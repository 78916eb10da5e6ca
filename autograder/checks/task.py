"""Declarations of a task and its checks.

TASK = Task(__file__, minutes=8, section="...", reference=...)

@TASK.check("the gate open", points=2, cases="open", draw=open_gate)
def test_double_open(answers):
    answers.agree()
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import hmac
import inspect
import itertools
import random
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest
import torch

from autograder.comparison import CONTRACT, Tolerance
from autograder.diagnosis import Mistake
from autograder.diagnosis.damage import Allowed as Allowed
from autograder.diagnosis.hypothesis import keep_answers_to
from autograder.probes.programs import Program
from autograder.probes.question import Question
from autograder.references import PublicCase, Reference
from autograder.tasks.altered_arguments import altered_arguments
from autograder.tasks.altered_gradients import altered_gradients
from autograder.tasks.answers import Answers, answers_of
from autograder.tasks.cases import public_cases
from autograder.tasks.cells import defined
from autograder.tasks.concepts import named_concepts
from autograder.tasks.predicting import implementation, prediction
from autograder.tasks.siblings import other_versions
from autograder.tasks.tables import TaskFolderError
from autograder.tasks.versions import label, source_of_version

Test = TypeVar("Test", bound=Callable[..., None])
"""A pytest test, which takes the answers."""
Draw = Callable[[random.Random], tuple[Any, ...]]
"""Makes the inputs of one case."""
PUBLIC_SEED = b"public"
"""Seed of the draws in a notebook, where a student may see everything."""


@dataclasses.dataclass(frozen=True)
class Case:
    """One question with its right answer.

    Attributes:
        inputs: arguments of the reference.
        question: what the probe is asked.
        secret: whether it was drawn for one submission, so that its numbers are not shown.
        expected: the right answer of a public case; None for a drawn one, which the oracle answers.
        about: what is special about a public case, in a few words.
    """

    inputs: tuple[Any, ...]
    question: Question
    secret: bool
    expected: Any = None
    about: str = ""

    def on(self, device: str) -> Case:
        """Return the same case with its question for a device."""
        there = self.question.on(device)
        return self if there is self.question else dataclasses.replace(self, question=there)


_drawn: dict[tuple[str, bytes], list[Case]] = {}
MOST_DRAWN = 256
"""Number of checks whose drawn cases are cached, because a student repeats the checks of one notebook."""


@dataclasses.dataclass(frozen=True)
class Check:
    """A check: part of a task's points, the questions, and the test that judges the answers.

    Attributes:
        title: what the points are for, as the student reads it.
        public: the public cases.
        strata: each makes the inputs of one further case; none if no cases are drawn.
        draws: how many further cases are drawn, from the strata in turn.
        ask: from inputs to the question.
        test: judges the answers; its name is part of the check's id, so that a title can be reworded.
        damage: names of the damage to arguments, in any question of the task, that costs the points of this check
            alone; True for all that no other check names.
    """

    task: Task
    title: str
    points: float
    public: Sequence[PublicCase]
    strata: Sequence[Draw]
    draws: int
    ask: Callable[..., Question]
    test: Callable[..., None]
    damage: tuple[str, ...] | bool = ()

    @property
    def name(self) -> str:
        """The name of the test."""
        return self.test.__name__

    @property
    def id(self) -> str:
        """The check's name among those of all exercises, independent of its title."""
        return f"{self.task.label}/{self.name}"

    def cases(self, seed: bytes) -> list[Case]:
        """Return the public cases, then those drawn from `seed`; the same seed gives the same cases."""
        if (self.id, seed) not in _drawn:
            if len(_drawn) >= MOST_DRAWN:
                _drawn.pop(next(iter(_drawn)))
            _drawn[self.id, seed] = self.drawn_anew(seed)
        return list(_drawn[self.id, seed])

    @functools.cached_property
    def public_cases(self) -> list[Case]:
        """The public cases with their questions, which are packed once for all submissions."""
        for case in self.public:
            keep_answers_to(case.inputs)
        return [Case(c.inputs, self.ask(*c.inputs), False, c.expected, c.about) for c in self.public]

    def drawn_anew(self, seed: bytes) -> list[Case]:
        """Return the cases of `cases`; those that are drawn are new objects."""
        cases = list(self.public_cases)
        if self.strata:
            digest = hmac.new(seed, self.id.encode(), hashlib.sha256).digest()
            source = random.Random(int.from_bytes(digest))
            for draw in itertools.islice(itertools.cycle(self.strata), self.draws):
                inputs = draw(source)
                cases.append(Case(inputs, self.ask(*inputs), seed != PUBLIC_SEED))
        return cases


class Task:
    """One graded task of an exercise, declared in its folder; its name and exercise are names of folders.

    Attributes:
        name: the folder's; what the notebook defines, unless `target` says otherwise: "double".
        exercise: "01_doubling".
        folder: the task's folder, or that of its version.
        version: the version that was dealt; 0 if the task has not been dealt.
        target: the name that questions use.
        minutes: how long the task takes a student.
        concepts: what it practises, in the course's words: ("hooks", "aliasing").
        section: the lesson's section to read again; empty if the exercise has no lesson.
        reference: the right answers, from two sources.
        core: False for an extra.
        tolerance: how far a number may be off.
        graph: from a case's inputs to the arguments of `draw`, for a picture of a wrong answer.
        begin: advice for a student who has not attempted the task yet.
        may_change: what an answer may change of what it is handed.
        says: what is said where an expression that is looked at has a wrong count, text or truth value.
        checks: in the order of their declarations.
        asked: groups of public cases that the checks use; None stands for all cases.
    """

    def __init__(
        self,
        file: str,
        *,
        minutes: int,
        reference: Reference,
        concepts: Sequence[str] = (),
        target: str = "",
        section: str = "",
        core: bool = True,
        tolerance: Tolerance = CONTRACT,
        graph: Callable[..., Any] | None = None,
        begin: str = "Replace `raise NotImplementedError` with your answer.",
        may_change: Collection[Allowed] = (),
        says: Mapping[str, str] | None = None,
    ) -> None:
        self.folder = Path(file).parent
        self.name, self.exercise = self.folder.name, self.folder.parent.parent.name
        self.version = source_of_version(self.folder)[1]
        self.target = target or self.name
        self.minutes, self.section, self.reference, self.core = minutes, section, reference, core
        self.concepts = named_concepts(concepts, file)
        self.tolerance, self.graph, self.begin, self.may_change = tolerance, graph, begin, may_change
        self.says = says or {}
        self.checks: list[Check] = []
        self.asked: set[str | None] = set()

    def __repr__(self) -> str:
        return f"<the task {self.name}>"

    @property
    def label(self) -> str:
        """The task's name with the version that was dealt."""
        return label(self.name, self.version)

    @functools.cached_property
    def solution(self) -> str:
        """The source of the published solution's cell."""
        return (self.folder / "solution.py").read_text(encoding="utf-8").rstrip()

    @property
    def defines(self) -> list[str]:
        """The names that the task's cell defines: the task itself, or those of its solution."""
        return [self.name] if self.target == self.name else defined(self.solution)

    @functools.cached_property
    def answers(self) -> Answers:
        """The mistakes of this task, and the wrong and right answers that prove its checks."""
        return answers_of(self.folder)

    @functools.cached_property
    def mistakes(self) -> tuple[Mistake, ...]:
        """The named mistakes, the likeliest first; a mistake with several ways appears once for each."""
        return tuple(
            made
            for one in self.answers.mistakes
            for made in [one.made_by(prediction(self.name, self.target, way)) for way in one.ways] or [one]
        )

    @functools.cached_property
    def other_versions(self) -> tuple[Mistake, ...]:
        """The right answers to the task's other versions; none if the task has not been dealt."""
        way = functools.partial(prediction, self.name, self.target)
        return tuple(one.made_by(way(source)) for one in other_versions(self.folder) for source in one.ways)

    @functools.cached_property
    def altered_gradients(self) -> tuple[Mistake, ...]:
        """The mistakes in what comes back through an answer, predicted from the published solution."""
        right = implementation(self.name, self.target, self.solution)
        if not (inspect.isfunction(right) or (inspect.isclass(right) and issubclass(right, torch.autograd.Function))):
            return ()
        return tuple(altered_gradients(right, functools.partial(prediction, self.name, self.target)))

    @functools.cached_property
    def altered_arguments(self) -> tuple[Mistake, ...]:
        """The mistakes that amount to the right answer for other arguments, predicted from the published solution."""
        right = implementation(self.name, self.target, self.solution)
        return tuple(altered_arguments(right, functools.partial(prediction, self.name, self.target)))

    def cases(self, group: str | None = None) -> list[PublicCase]:
        """Return the public cases of a group; all of them without a group.

        Raises:
            TaskFolderError: if there are none.
        """
        self.asked.add(group)
        return public_cases(self.folder / "cases.toml", group)

    @property
    def points(self) -> float:
        """The sum of the checks' points."""
        return sum(check.points for check in self.checks)

    def question(self, *inputs: Any) -> Question:
        """Return the usual question: run this program, or call the function with these inputs."""
        if inputs and isinstance(inputs[0], Program):
            return Question("run_program", {"target": self.target, **inputs[0].as_inputs})
        return Question("call", {"target": self.target, "arguments": list(inputs)})

    def question_once(self, program: Program) -> Question:
        """Return the question without its second run, for slow programs."""
        return Question("run_program", {"target": self.target, **program.as_inputs, "twice": False})

    def check(
        self,
        title: str,
        *,
        points: float,
        cases: Sequence[PublicCase] | str | None = None,
        draw: Draw | Sequence[Draw] = (),
        draws: int | None = None,
        ask: Callable[..., Question] | None = None,
        damage: tuple[str, ...] | bool = (),
    ) -> Callable[[Test], Test]:
        """Declare a check of this task: a decorator of the pytest test that judges the answers.

        Args:
            title: what the points are for, as the student reads it.
            points: what the check is worth.
            cases: public cases, or the name of their group in `cases.toml`; all of them by default.
            draw: makes the inputs of one further case; several take turns, so that each region is drawn every time.
            draws: how many further cases are drawn; 3 by default, or one of each draw if there are several.
            ask: from inputs to the question; `question` by default.
            damage: names of the damage to arguments that costs the points of this check alone; True for all others.

        Raises:
            TaskFolderError: if another check of the task has a test of that name.
        """
        strata = [draw] if callable(draw) else list(draw)
        count = draws or (3 if len(strata) == 1 else len(strata))

        def declared(test: Test) -> Test:
            if any(one.name == test.__name__ for one in self.checks):  # the name is what seeds and keeps the draws
                raise TaskFolderError(f"{self.folder / 'task.py'}: two checks have a test {test.__name__}: rename one")
            public = self.cases(cases) if cases is None or isinstance(cases, str) else cases
            check = Check(self, title, points, public, strata, count, ask or self.question, test, damage)
            self.checks.append(check)
            marked: Test = pytest.mark.check(check)(test)
            return marked

        return declared

    def check_of_damage(self, name: str) -> Check | None:
        """Return the check whose points alone a kind of damage costs; None if it costs those of any check."""
        named = [one for one in self.checks if one.damage is not True and name in (one.damage or ())]
        return next(iter(named or [one for one in self.checks if one.damage is True]), None)

    def mistake(self, name: str) -> Mistake:
        """Return the named mistake, for a check that observes it directly.

        Raises:
            LookupError: if it is not declared.
        """
        if (found := self.answers.named(name)) is None:
            raise LookupError(f"{self.folder / 'answers.py'} declares no mistake {name!r}")
        return found
