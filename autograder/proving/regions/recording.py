"""Which regions each question of a task asks, measured by running the published solution with a recorder around it."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from collections.abc import Iterable, Iterator
from typing import Any

import torch

from autograder.checks.catalogue import cells_before
from autograder.checks.task import PUBLIC_SEED, Case, Check, Task
from autograder.comparison import Tolerance
from autograder.proving.regions.asking import asked
from autograder.proving.regions.corruptions import (
    OF_GRADIENTS,
    OF_NUMBERS,
    OF_RESULTS,
    Corruption,
    differs,
    numbers_in,
    spoilt,
)
from autograder.proving.regions.declared import Declared
from autograder.proving.regions.surrounding import surrounded
from autograder.proving.regions.targets import Target, targets_of
from autograder.proving.regions.vocabulary import OF_UPSTREAM, holds

SEEDS = tuple(f"regions {number}".encode() for number in range(20))
RESULT, GRADIENT = "result", "gradient"
Change = tuple[str, str]
"""Where a mutant is wrong ("result", "gradient of x") and the name of its corruption."""


@dataclasses.dataclass(eq=False)
class Call:
    """One call of a task's function.

    Attributes:
        target: what was called.
        regions: the regions that hold for it.
        arguments: what it was called with.
        changes: the corruptions that would have changed what it gave.
        changed: the same for each region of the gradients that arrived, of what was given for those in it.
        differentiable: whether a gradient could have passed.
        differentiated: whether one did.
    """

    target: Target
    regions: set[str]
    arguments: dict[str, Any]
    changes: set[Change] = dataclasses.field(default_factory=set)
    changed: dict[str, set[Change]] = dataclasses.field(default_factory=dict)
    differentiable: bool = False
    differentiated: bool = False

    def changes_in(self, region: str) -> set[Change]:
        """Return the corruptions that would have changed something if it was spoilt in one of its regions."""
        return self.changed.get(region, self.changes) if region in self.regions else set()


@dataclasses.dataclass(eq=False)
class Asked:
    """A case of a check with the calls that its question makes.

    Attributes:
        check: the check.
        case: the case.
        seed: the index in `SEEDS` of the seed that it was drawn from; None for a public case.
        calls: the calls, in order.
    """

    check: Check
    case: Case
    seed: int | None
    calls: list[Call]


@dataclasses.dataclass
class Record:
    """The regions that a task's questions ask, in public cases and in draws from each of `SEEDS`.

    Attributes:
        task: the task.
        declared: its `regions.toml`.
        cells: the published cells that a question needs, the task's own last.
        targets: the task's function, or the methods of its class.
        known: all regions that the arguments of its calls have, each with its expression.
        asked: the questions.
    """

    task: Task
    declared: Declared
    cells: list[str]
    targets: list[Target]
    known: dict[str, str]
    asked: list[Asked]

    @property
    def promised(self) -> dict[str, str]:
        """The regions that the statement does not exclude, each with its expression."""
        return {region: text for region, text in self.known.items() if not self.declared.excludes(region)}

    @property
    def differentiates(self) -> bool:
        """Whether some question passes a gradient through what the function gave."""
        return any(call.differentiated for one in self.asked for call in one.calls)

    def calls(self, region: str) -> Iterator[tuple[Asked, Call]]:
        """Yield the calls in a region, each with its question."""
        yield from ((one, call) for one in self.asked for call in one.calls if region in call.regions)

    def times(self, region: str) -> tuple[int, int]:
        """Return in how many public cases, and at how many seeds, a region is asked."""
        found = {id(one): one.seed for one, _ in self.calls(region)}.values()
        return sum(seed is None for seed in found), len(set(found) - {None})

    def is_always_asked(self, region: str) -> bool:
        """Whether a region is asked of every submission: in a public case, or in the draws from each seed."""
        return self.is_in_every_submission(one for one, _ in self.calls(region))

    def is_in_every_submission(self, questions: Iterable[Asked]) -> bool:
        """Whether one of these questions is public, or there is one of each seed."""
        seeds = {one.seed for one in questions}
        return None in seeds or len(seeds) == len(SEEDS)

    def undifferentiated(self, region: str) -> bool:
        """Whether the task differentiates what its function gives, only never in this region."""
        calls = [call for _, call in self.calls(region) if call.differentiable]
        return self.differentiates and bool(calls) and not any(call.differentiated for call in calls)


def record(task: Task, declared: Declared) -> Record:
    """Run all questions of a task with a recorder around the published solution.

    Raises:
        RuntimeError: if the published solution raises.
    """
    cells = [*cells_before(task), task.solution]
    known: dict[str, str] = {}
    targets: list[Target] = []

    def calls_of(case: Case) -> list[Call]:
        recorder = _Recorder(declared, room_of(task.tolerance))

        def surround(names: dict[str, Any]) -> None:
            targets[:] = targets_of(task, declared, names)
            for target in targets:
                recorder.stand_around(target, names)

        if (error := asked(case.question, cells, surround).envelope["error"]) is not None:
            raise RuntimeError(f"{task.name}: with a recorder around it, the published solution raises: {error}")
        known.update(recorder.known)
        return recorder.calls

    found = []
    for check in task.checks:
        for seed, drawn in ((None, PUBLIC_SEED), *enumerate(SEEDS)):
            cases = [case for i, case in enumerate(check.cases(drawn)) if (i < len(check.public)) == (seed is None)]
            found += [Asked(check, case, seed, calls_of(case)) for case in cases]
    return Record(task, declared, cells, targets, known, found)


def room_of(tolerance: Tolerance) -> tuple[float, float, float]:
    """Return how far a number may be off without being surely beyond a task's tolerance, as `spoilt` takes it."""
    return 20 * tolerance.relative, 20 * tolerance.of_scale, 20 * tolerance.absolute


class _Recorder:
    """What stands around the published solution while one question is asked."""

    def __init__(self, declared: Declared, room: tuple[float, float, float]) -> None:
        self.declared = declared
        self.room = room
        of_class = declared.of_class
        self.spoilt = of_class.spoilt if of_class else {}
        self.helpers: dict[str, Any] = {}
        exec(of_class.helpers if of_class else "", self.helpers)
        self.calls: list[Call] = []
        self.known: dict[str, str] = {}
        self.running: Call | None = None

    def stand_around(self, target: Target, names: dict[str, Any]) -> None:
        """Exchange a function or a method for one that is watched."""
        inside = functools.partial(self.inside, target)
        if target.prefix:
            owner, method = names[target.name.split(".")[0]], target.name.split(".")[1]
            setattr(owner, method, surrounded(getattr(owner, method), inside, self.result_of_method))
        else:
            names[target.name] = surrounded(names[target.name], inside, self.result, self.gradient)

    def inside(self, target: Target, number: int, *arguments: Any, **named: Any) -> Call | None:
        if self.running:
            return None  # called by another method, which is what was asked
        bound = target.signature.bind(*arguments, **named)
        bound.apply_defaults()
        here = target.regions(self.declared, bound.arguments)
        self.known |= here
        names = {**self.helpers, "_calls": number, **bound.arguments}
        call = Call(target, {region for region, text in here.items() if holds(text, names)}, bound.arguments)
        self.calls.append(call)
        if target.prefix:
            self.running = call
        return call

    def result(self, call: Call, result: Any) -> Any:
        call.changes |= self.changes(RESULT, OF_RESULTS, result)
        call.differentiable = any(isinstance(one, torch.Tensor) and one.requires_grad for one in numbers_in(result))
        return result

    def result_of_method(self, call: Call, result: Any) -> Any:
        self.running = None
        for place, statements in self.spoilt.items():

            def spoil(value: Any, place: str = place) -> Any:
                call.changes.update(self.changes(place, OF_NUMBERS, value))
                return value

            with contextlib.suppress(Exception):  # it has no such place
                arguments = (*call.arguments.values(),)
                names = {**call.arguments, "arguments": arguments, "result": result, "spoil": spoil}
                exec(statements, {**self.helpers, **names})
        return result

    def gradient(
        self, call: Call, index: int | None, gradient: torch.Tensor, upstream: tuple[torch.Tensor, ...]
    ) -> torch.Tensor:
        place = GRADIENT if index is None else f"{GRADIENT} of {call.target.parameters[index]}"
        changes = self.changes(place, OF_GRADIENTS, gradient)
        call.changes |= changes
        if index is not None or not call.differentiable:  # a Function's, or that of a hook
            here = {call.target.prefix + region: text for region, text in OF_UPSTREAM.items()}
            self.known |= here
            for region in (region for region, text in here.items() if holds(text, {"_upstream": upstream})):
                call.regions.add(region)
                call.changed.setdefault(region, set()).update(changes)
        call.differentiated = True
        return gradient

    def changes(self, place: str, corruptions: tuple[Corruption, ...], value: Any) -> set[Change]:
        found = set()
        for corruption in corruptions:
            with contextlib.suppress(Exception):  # it cannot be applied to such a value
                if differs(spoilt(corruption, value, self.room), value):
                    found.add((place, corruption.__name__))
        return found
