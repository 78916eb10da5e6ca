"""The argument of a check's test: the cases with their answers, and ways to judge them."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable, Iterator
from typing import Any

import torch

from autograder.checks.answer import TOO_LARGE, UNREADABLE, Answer
from autograder.checks.graphs import picture_of
from autograder.checks.task import Case, Check
from autograder.comparison import Difference, Tolerance, agree, count_wrong, differences, misshapen
from autograder.diagnosis.altered_autograd import autograd_mistakes, no_return
from autograder.diagnosis.damage import damage, kind_of
from autograder.diagnosis.exceptions import finding_of_error
from autograder.diagnosis.explaining import Judged, explain, reproduces
from autograder.diagnosis.general import GENERAL
from autograder.diagnosis.hypothesis import Finding, Hypothesis, Mistake, memoised
from autograder.pictures import Picture
from autograder.probes.programs import Program
from autograder.wire.outcome import Outcome
from autograder.wire.plain import Specimen, TooLargeError

OBSERVED: dict[str, dict[str, type]] = {
    "call_recording": {"points": list},
    "call_counting": {"count": int},
}
"""Fields with their types, beside results, that each probe observes; a forged answer may lack them."""
LONGEST_INPUT = 120
"""Characters of an input that a sentence shows."""
Observations = dict[str, Any]
"""What a probe saw, by name: `result`, `again`, ..."""


class Answers:
    """The cases of one check with their answers."""

    def __init__(
        self, check: Check, cases: list[Case], answers: list[Answer], others: list[tuple[Case, Answer]] | None = None
    ) -> None:
        """
        Args:
            check: the check.
            cases: its cases.
            answers: the answers to them.
            others: the cases of the task's other checks with their answers, for a check that is about damage.
        """
        self.check, self.task = check, check.task
        self._cases = cases
        self._answers = answers
        self._others = others or []

    def __iter__(self) -> Iterator[tuple[Case, Observations]]:
        """Yield each case with its observations.

        Raises:
            Finding: if an answer carries an error instead, or damaged what it was handed.
        """
        if self._damage is not None:
            raise self._damage
        for index, case in enumerate(self._cases):
            answer = self._answers[index] if index < len(self._answers) else Answer({"error": UNREADABLE})
            yield case, self._observations(case, answer)

    @functools.cached_property
    def _damage(self) -> Finding | None:
        """The first damage that costs the points of this check."""
        task = self.task
        own = zip(self._cases, self._answers, strict=False)
        for case, answer in (pair for pair in (*own, *self._others) if pair[1].changes):
            by_reference = functools.partial(memoised, task.reference.changes, case.inputs)
            for change in damage(answer.changes, task.may_change, by_reference, task.tolerance):
                kind = kind_of(change)
                if kind is not None and task.check_of_damage(kind.mistake.name) in (None, self.check):
                    sentence = f"After {self._call(case)}, {kind.seen.format(place=change['place'])}."
                    return Finding(Outcome.WRONG, sentence, kind.mistake, self._example(case))
        return None

    def _call(self, case: Case) -> str:
        """Return the call of the task's definition as code, without its numbers if they are secret."""
        program = None if case.secret else _program(case)
        if program is None:
            return self.shown(case)
        calls = (node for node in ast.walk(ast.parse(program.text)) if isinstance(node, ast.Call))
        texts = (ast.unparse(call) for call in calls if self.task.target in ast.unparse(call.func).split("."))
        text = next(texts, self.task.target)
        return f"`{text if len(text) <= LONGEST_INPUT else self.task.target + '(...)'}`"

    def _observations(self, case: Case, answer: Answer) -> Observations:
        error = answer.envelope.get("error")
        if error is None:
            try:
                seen: Observations = answer.seen(case.question.device)
            except TooLargeError:
                error = TOO_LARGE
            except (ValueError, RecursionError):
                error = UNREADABLE
            else:
                if _has_shape(seen, case.question.probe):
                    return seen
                error = UNREADABLE
        if not isinstance(error, dict):
            error = UNREADABLE
        finding = finding_of_error(error, self.shown(case), self.task.mistakes)
        if finding.kind not in (Outcome.NOT_ATTEMPTED, Outcome.MISSING) and error.get("asked") is not False:
            finding.example = self._example(case)
        raise finding

    def shown(self, case: Case) -> str:
        """Return the question as code, without its numbers if they are secret."""
        if case.secret:
            return f"`{self.task.target}` with further inputs"
        if _program(case) is not None:
            return "This program"
        return f"`{self.task.target}({', '.join(map(_shown_input, case.inputs))})`"

    def expected(self, case: Case) -> Any:
        """Return the right answer: the public one if there is one, else the oracle's."""
        if case.expected is not None:
            return case.expected
        expected, program = memoised(self.task.reference.oracle, case.inputs), _program(case)
        return expected if program is None else {key: expected[key] for key in program.shown if key in expected}

    def agree(
        self,
        pick: Callable[[Observations], Any] | str = "result",
        tolerance: Tolerance | None = None,
        seen_in: Callable[[Case, Observations], Mistake | None] | None = None,
    ) -> None:
        """Require that every answer is right, and that a second call, if one was made, gives the same.

        Args:
            pick: which observation is the answer: a key, or a function of the observations.
            tolerance: the task's by default.
            seen_in: returns the mistake that other observations of a wrong case show by themselves, or None.

        Raises:
            Finding: if an answer is wrong; with the mistake that explains the wrong answers, if one does.
        """
        tolerance = tolerance or self.task.tolerance
        judged: list[Judged] = []
        wrong: list[tuple[Case, Judged, Difference]] = []  # public cases come first
        shown: list[Mistake | None] = []
        for case, seen in self:
            expected = self.expected(case)
            got = seen.get(pick) if isinstance(pick, str) else pick(seen)
            found = differences(got, expected, tolerance)
            judged.append(Judged(case.inputs, expected, got, not found))
            if found:
                wrong.append((case, judged[-1], found[0]))
                shown.append(seen_in(case, seen) if seen_in is not None else None)
            elif "again" in seen and not agree(seen["again"], expected, tolerance):
                sentence = f"{self.shown(case)} is right once and wrong when called again."
                raise Finding(Outcome.WRONG, sentence, example=self._example(case))
        if wrong:
            by_itself = shown[0] is not None and len({one and one.name for one in shown}) == 1
            mistake = shown[0] if by_itself else explain(judged, self._hypotheses(), tolerance)
            case, answer, difference = _telling(wrong, mistake, tolerance)
            sentence = self._sentence(case, difference) + self._where_nan_began(case)
            raise Finding(Outcome.WRONG, sentence, mistake, self._example(case), self._picture(case, answer))

    def _hypotheses(self) -> Iterator[Hypothesis]:
        yield from self.task.mistakes
        yield no_return(self.task.target)
        yield from GENERAL
        yield from self.task.altered_gradients
        yield from autograd_mistakes(self.task.target, self.task.reference.oracle)

    def _sentence(self, case: Case, difference: Difference) -> str:
        if case.secret:
            return "The public examples are right; further inputs, drawn for this submission, are not."
        if (program := _program(case)) is not None:
            return f"After the program below, `{_as_expression(difference.place, program)}` {difference.problem}."
        return f"{self.shown(case)[:-1]}{difference.place}` {difference.problem}."

    def _picture(self, case: Case, wrong: Judged) -> Callable[[], Picture | None] | None:
        if case.secret or self.task.graph is None:
            return None
        return functools.partial(picture_of, self.task.graph, wrong.inputs, wrong.expected, wrong.got)

    def _where_nan_began(self, case: Case) -> str:
        # By identity, because `==` of tensors is a tensor.
        index = next(index for index, one in enumerate(self._cases) if one is case)
        began = self._answers[index].envelope.get("nan_began")
        if not isinstance(began, str) or not re.fullmatch(r"\w{1,60}", began):
            return ""
        return f" The backward pass first makes nan in {began}."

    def _example(self, case: Case) -> str:
        program = None if case.secret else _program(case)
        return "" if program is None else program.as_cell

    def tally(self, allowed: int = 0, length: int | None = None) -> None:
        """Require that the answer is a dict of predictions, of which at most `allowed` are wrong.

        The finding says how many are wrong but not which, so that students cannot find them by trial and error.

        Args:
            allowed: how many may be wrong.
            length: how many items each prediction has, if that gives nothing away.

        Raises:
            Finding: if more are wrong; with the task's mistake that explains all predictions, if one does.
        """
        for case, seen in self:
            expected = self.expected(case)
            got: Any
            for got in (seen.get("result"), seen.get("again", seen.get("result"))):
                if (problem := misshapen(got, expected, length)) is not None:
                    raise Finding(Outcome.WRONG, f"{self.shown(case)[:-1]}{problem.place}` {problem.problem}.")
                wrong = count_wrong(got, expected, self.task.tolerance)
                if wrong > allowed:
                    judged = [Judged(case.inputs, expected, got, is_right=False)]
                    mistake = explain(judged, self.task.mistakes, self.task.tolerance)
                    verb = "is" if wrong == 1 else "are"
                    counted = f"{wrong} of {len(expected)} predictions {verb} wrong; the check does not say which."
                    raise Finding(Outcome.WRONG, counted, mistake)

    def observe(self, holds: Callable[[Case, Observations], bool], seen: str, mistake: Mistake | None = None) -> None:
        """Require something of the observations beside the numbers, such as a count or an order.

        Raises:
            Finding: with the sentence `seen`, if `holds(case, observations)` is false for a case.
        """
        for case, observations in self:
            if not holds(case, observations):
                raise Finding(Outcome.OBSERVED, seen, mistake)


def _telling(
    wrong: list[tuple[Case, Judged, Difference]], mistake: Hypothesis | None, tolerance: Tolerance
) -> tuple[Case, Judged, Difference]:
    """Return the first wrong case that the mistake explains and that is public if the first is; otherwise the first."""
    if mistake is not None:
        for one in wrong:
            if one[0].secret == wrong[0][0].secret and reproduces(mistake, one[1], tolerance):
                return one
    return wrong[0]


def _has_shape(seen: Any, probe: str) -> bool:
    return isinstance(seen, dict) and all(isinstance(seen.get(k), kind) for k, kind in OBSERVED.get(probe, {}).items())


def _program(case: Case) -> Program | None:
    first = case.inputs[0] if case.inputs else None
    return first if isinstance(first, Program) else None


def _as_expression(place: str, program: Program) -> str:
    """Turn a place in what a program showed, `['u.grad'][0]`, into the expression `u.grad[0]`."""
    for expression in program.shown:
        if place.startswith(f"[{expression!r}]"):
            return expression + place.removeprefix(f"[{expression!r}]")
    return place


def _shown_input(value: Any) -> str:
    if isinstance(value, Specimen):
        return "f"
    if isinstance(value, torch.Tensor):
        return f"torch.tensor({value.tolist()})" if value.numel() <= 6 else f"<tensor {tuple(value.shape)}>"
    text = repr(value)
    if len(text) <= LONGEST_INPUT:
        return text
    if isinstance(value, list):
        kept = next(n for n in range(len(value), -1, -1) if len(repr(value[:n])) <= LONGEST_INPUT)
        return f"{repr(value[:kept])[:-1]}, ...]" if kept else "[...]"
    return text[: LONGEST_INPUT - 3] + "..."
