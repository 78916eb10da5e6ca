"""What a check's test gets: the cases with their answers, and ways to judge them."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import Any

import torch

from autograder.checks.answer import TOO_LARGE, UNREADABLE, Answer
from autograder.checks.graphs import picture_of
from autograder.checks.task import Case, Check
from autograder.comparison import EXACT, Difference, Tolerance, agree, differences, misshapen, wrong_ones
from autograder.diagnosis.errors import ARGUMENT_CHANGED, finding_of_error
from autograder.diagnosis.general import GENERAL
from autograder.diagnosis.hypothesis import Finding, Judged, Mistake, explain, recalled, reproduces
from autograder.diagnosis.worlds import argument_changed, in_other_worlds, no_return
from autograder.probes.programs import Program
from autograder.wire.plain import Specimen, TooLargeError

OBSERVED: dict[str, dict[str, type]] = {
    "call": {"arguments": list},
    "call_recording": {"arguments": list, "points": list},
    "call_counting": {"arguments": list, "count": int},
}
"""What a probe's observations hold beside results, which may be anything; a forged answer may lack it."""
LONGEST_INPUT = 120
"""So many characters of an input stand in a sentence."""


class Answers:
    """The cases of one check with their answers."""

    def __init__(self, check: Check, cases: list[Case], answers: list[Answer]) -> None:
        self.check, self.task = check, check.task
        self._cases = cases
        self._answers = answers

    def __iter__(self) -> Iterator[tuple[Case, dict]]:
        """Each case with its observations.

        Raises:
            Finding: where an answer carries an error instead.
        """
        for index, case in enumerate(self._cases):
            answer = self._answers[index] if index < len(self._answers) else Answer({"error": UNREADABLE})
            yield case, self._observations(case, answer)

    def _observations(self, case: Case, answer: Answer) -> dict:
        error = answer.envelope.get("error")
        if error is None:
            try:
                seen = answer.seen(case.question.device)
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
        if finding.kind not in ("not_attempted", "missing") and error.get("asked") is not False:
            finding.example = self._example(case)
        raise finding

    def shown(self, case: Case) -> str:
        """The question as code; without its numbers where they are secret."""
        if case.secret:
            return f"`{self.task.name}` with further inputs"
        if _program(case) is not None:
            return "This program"
        return f"`{self.task.name}({', '.join(map(_shown_input, case.inputs))})`"

    def expected(self, case: Case) -> Any:
        """The right answer: from the public text, or from the oracle."""
        if case.expected is not None:
            return case.expected
        expected, program = recalled(self.task.reference.oracle, case.inputs), _program(case)
        return expected if program is None else {key: expected[key] for key in program.shown if key in expected}

    def agree(
        self,
        pick: Callable[[dict], Any] | str = "result",
        tolerance: Tolerance | None = None,
        seen_in: Callable[[Case, dict], Mistake | None] | None = None,
    ) -> None:
        """Every answer is right, and the second call, where one was made, gives the same.

        Args:
            pick: which observation is the answer: a key, or a function of the observations.
            tolerance: the task's, where left out.
            seen_in: the mistake that further observations of a wrong case show by themselves, or None.

        Raises:
            Finding: with the mistake that explains the wrong answers, where one does.
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
                raise Finding("wrong", sentence, example=self._example(case))
        if wrong:
            by_itself = shown[0] is not None and len({one and one.name for one in shown}) == 1
            mistake = shown[0] if by_itself else explain(judged, self._hypotheses(), tolerance)
            case, answer, difference = _telling(wrong, mistake, tolerance)
            sentence = self._sentence(case, difference) + self._where_nan_began(case)
            raise Finding("wrong", sentence, mistake, self._example(case), self._picture(case, answer))

    def _hypotheses(self) -> Iterator[Any]:
        yield from self.task.mistakes
        yield argument_changed(self.task.name)
        yield no_return(self.task.name)
        yield from GENERAL
        yield from in_other_worlds(self.task.name, self.task.reference.oracle)

    def _sentence(self, case: Case, difference: Difference) -> str:
        if case.secret:
            return "The public examples are right; further inputs, drawn for this submission, are not."
        if (program := _program(case)) is not None:
            return f"After the program below, `{_as_expression(difference.place, program)}` {difference.problem}."
        return f"{self.shown(case)[:-1]}{difference.place}` {difference.problem}."

    def _picture(self, case: Case, wrong: Judged) -> Callable[[], Any] | None:
        if case.secret or self.task.graph is None:
            return None
        return functools.partial(picture_of, self.task.graph, wrong.inputs, wrong.expected, wrong.got)

    def _where_nan_began(self, case: Case) -> str:
        # By identity: cases with tensors cannot be compared.
        index = next(index for index, one in enumerate(self._cases) if one is case)
        began = self._answers[index].envelope.get("nan_began")
        if not isinstance(began, str) or not re.fullmatch(r"\w{1,60}", began):
            return ""
        return f" The backward pass first makes nan in {began}."

    def _example(self, case: Case) -> str:
        program = None if case.secret else _program(case)
        return "" if program is None else program.as_cell

    def tally(self, allowed: int = 0, length: int | None = None) -> None:
        """The answer is a dict of predictions, and at most `allowed` of them are wrong.

        The finding says how many are wrong and not which, so that nobody gets them right by trying.

        Args:
            allowed: how many may be wrong.
            length: how many items each prediction has, where that gives nothing away.

        Raises:
            Finding: with the task's mistake that explains all predictions, where one does.
        """
        for case, seen in self:
            expected = self.expected(case)
            for got in (seen.get("result"), seen.get("again", seen.get("result"))):
                if (problem := misshapen(got, expected, length)) is not None:
                    raise Finding("wrong", f"{self.shown(case)[:-1]}{problem.place}` {problem.problem}.")
                wrong = wrong_ones(got, expected, self.task.tolerance)
                if wrong > allowed:
                    judged = [Judged(case.inputs, expected, got, is_right=False)]
                    mistake = explain(judged, self.task.mistakes, self.task.tolerance)
                    verb = "is" if wrong == 1 else "are"
                    counted = f"{wrong} of {len(expected)} predictions {verb} wrong; the check does not say which."
                    raise Finding("wrong", counted, mistake)

    def arguments_unchanged(self) -> None:
        """The caller's tensors, lists and dicts are afterwards what they were, to the bit.

        Raises:
            Finding: where one is not.
        """
        for case, seen in self:
            after = seen["arguments"]
            before = [value for value in case.question.inputs["arguments"] if not isinstance(value, Specimen)]
            if not agree(after, before, EXACT):
                raise Finding("wrong", f"{self.shown(case)} changes its argument.", ARGUMENT_CHANGED)

    def observe(self, holds: Callable[[Case, dict], bool], seen: str, mistake: Mistake | None = None) -> None:
        """Something that the numbers do not show: a count, an order.

        Raises:
            Finding: with the sentence `seen`, where `holds(case, observations)` is false for a case.
        """
        for case, observations in self:
            if not holds(case, observations):
                raise Finding("observed", seen, mistake)


def _telling(
    wrong: list[tuple[Case, Judged, Difference]], mistake: Any, tolerance: Tolerance
) -> tuple[Case, Judged, Difference]:
    """The first wrong case that the mistake explains, as public as the first; the first where there is none."""
    alike = (one for one in wrong if mistake is not None and one[0].secret == wrong[0][0].secret)
    return next((one for one in alike if reproduces(mistake, one[1], tolerance)), wrong[0])


def _has_shape(seen: Any, probe: str) -> bool:
    return isinstance(seen, dict) and all(isinstance(seen.get(k), kind) for k, kind in OBSERVED.get(probe, {}).items())


def _program(case: Case) -> Program | None:
    first = case.inputs[0] if case.inputs else None
    return first if isinstance(first, Program) else None


def _as_expression(place: str, program: Program) -> str:
    """`['u.grad'][0]`, a place in what a program showed, as the expression `u.grad[0]`."""
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
