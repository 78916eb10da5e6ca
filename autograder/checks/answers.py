"""The argument of a check's test: the cases with their answers, and ways to judge them."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any

from autograder.checks import questions
from autograder.checks.agreement import Agreement
from autograder.checks.answer import TOO_LARGE, UNREADABLE, Answer
from autograder.checks.repeating import repeats
from autograder.checks.task import Case, Check
from autograder.comparison import Tolerance, agree, count_wrong, misshapen
from autograder.diagnosis.damage import damage, kind_of
from autograder.diagnosis.exceptions import finding_of_error
from autograder.diagnosis.explaining import Judged, explain
from autograder.diagnosis.hypothesis import Finding, Mistake, memoised
from autograder.wire.outcome import Outcome
from autograder.wire.plain import TooLargeError

OBSERVED: dict[str, dict[str, type]] = {
    "call_recording": {"points": list},
    "call_counting": {"count": int},
}
"""Fields with their types, beside results, that each probe observes; a forged answer may lack them."""
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
            others: the cases of the task's other checks with their answers.
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
        for case, seen in self._answered():
            if isinstance(seen, Finding):
                raise seen
            yield case, seen

    def _answered(self) -> Iterator[tuple[Case, Observations | Finding]]:
        """Yield each case with its observations, or with the error that came in their place.

        Raises:
            Finding: if an answer damaged what it was handed.
        """
        if self._damage is not None:
            raise self._damage
        for index, case in enumerate(self._cases):
            answer = self._answers[index] if index < len(self._answers) else Answer({"error": UNREADABLE})
            try:
                yield case, self._observations(case, answer)
            except Finding as error:
                yield case, error

    @functools.cached_property
    def _damage(self) -> Finding | None:
        """The first damage that costs the points of this check."""
        task = self.task
        own = zip(self._cases, self._answers, strict=False)
        others = self._others if self.check.damage else []
        for case, answer in (pair for pair in (*own, *others) if pair[1].changes):
            by_reference = functools.partial(memoised, task.reference.changes, case.inputs)
            for change in damage(answer.changes, task.may_change, by_reference, task.tolerance):
                kind = kind_of(change)
                if kind is not None and task.check_of_damage(kind.mistake.name) in (None, self.check):
                    call = questions.shown_call(task.target, case)
                    sentence = f"After {call}, {kind.seen.format(place=change['place'])}."
                    return Finding(Outcome.WRONG, sentence, kind.mistake, questions.example_of(task.target, case))
        return None

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
        program = questions.public_program_of(case)
        text = "" if program is None else program.text
        finding = finding_of_error(error, self.shown(case), self.task.mistakes, text)
        if finding.kind not in (Outcome.NOT_ATTEMPTED, Outcome.MISSING) and error.get("asked") is not False:
            finding.example = questions.example_of(self.task.target, case)
        raise finding

    def shown(self, case: Case) -> str:
        """Return the question as code, without its numbers if they are secret."""
        return questions.shown(self.task.target, case)

    def expected(self, case: Case) -> Any:
        """Return the right answer: the public one if there is one, else the oracle's."""
        if case.expected is not None:
            return case.expected
        reference, program = self.task.reference, questions.program_of(case)
        expected = memoised(reference.kept or reference.oracle, case.inputs)
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
        agreement, again = self.agreement(tolerance), None
        for index, (case, seen) in enumerate(self._answered()):
            expected = self.expected(case)
            if isinstance(seen, Finding):
                if seen.kind != Outcome.RAISED:
                    raise seen
                agreement.add_exception(case, expected, seen)
                continue
            got = seen.get(pick) if isinstance(pick, str) else pick(seen)
            shows = functools.partial(seen_in, case, seen) if seen_in is not None else lambda: None
            notes = functools.partial(repeats, case, got, seen, self._answers[index], self.task.reference.changes)
            right = agreement.add(case, expected, got, shows, notes, self._answers[index].envelope.get("nan_began"))
            if right and again is None and "again" in seen and not agree(seen["again"], expected, tolerance):
                sentence = f"{self.shown(case)} is right once and wrong when called again."
                again = Finding(Outcome.WRONG, sentence, example=questions.example_of(self.task.target, case))
        if (finding := agreement.finding() or again) is not None:
            raise finding

    def agreement(self, tolerance: Tolerance) -> Agreement:
        """Make what compares all answers; whoever looks for no mistakes makes another."""
        return Agreement(self.task, tolerance, functools.partial(self._elsewhere, tolerance))

    def _elsewhere(self, tolerance: Tolerance) -> list[Judged]:
        """Return the answered questions of the task's other checks, beside the right answers."""
        found = []
        for case, answer in self._others:
            with contextlib.suppress(Finding):
                expected, got = self.expected(case), self._observations(case, answer).get("result")
                found.append(Judged(case.inputs, expected, got, agree(got, expected, tolerance)))
        return found

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


def _has_shape(seen: Any, probe: str) -> bool:
    return isinstance(seen, dict) and all(isinstance(seen.get(k), kind) for k, kind in OBSERVED.get(probe, {}).items())
