"""All answers of a check compared with the right ones, and what is found where some are wrong."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Callable, Iterator
from typing import Any

from autograder.checks import questions
from autograder.checks.contrasting import Contrasts
from autograder.checks.graphs import picture_of
from autograder.checks.repeating import Repeats, earlier_answers, told
from autograder.checks.slots import slots, wrong_slots
from autograder.checks.task import Case, Task
from autograder.checks.wrong_answers import Wrong, WrongAnswers
from autograder.comparison import Tolerance, differences
from autograder.contrasts.lacking import is_regularity
from autograder.diagnosis.altered_autograd import WrongTensorMistake, autograd_mistakes, no_return
from autograder.diagnosis.explaining import Judged, explain, fits, refuted, reproduces
from autograder.diagnosis.general import GENERAL, GeneralMistake
from autograder.diagnosis.hypothesis import Finding, Hypothesis, Mistake
from autograder.diagnosis.one_factor import LEAST, QUESTIONS, one_factor, sizes, wrong_numbers
from autograder.pictures import Picture
from autograder.wire.outcome import Outcome

WITHOUT_A_CAUSE = {"sign", "always zero", "a constant factor", "absolute value"}
"""Names of mistakes that say how numbers are wrong, and leave open why: where they stand may tell."""
FACTOR = re.compile(r"the right one (times|divided by)|(twice|half) the right one")
"""In what numbers are related to."""
LEFT_OUT = "Did you leave that factor out, or use it once too often?"
DOUBLED = "Was something counted twice, as by a second backward pass, or is a factor 2 one too many?"


class Agreement:
    """The answers of one check, of which `finding` makes one sentence and one mistake."""

    def __init__(self, task: Task, tolerance: Tolerance, others: Callable[[], list[Judged]] = list) -> None:
        """
        Args:
            task: the check's task.
            tolerance: of the comparison.
            others: returns the answered questions of the task's other checks.
        """
        self._task, self._tolerance, self._others = task, tolerance, others
        self._judged: list[Judged] = []
        self._wrong: list[Wrong] = []  # public cases come first
        self._raised: list[Finding] = []
        self._repeats: list[tuple[bool, Callable[[], Repeats]]] = []

    def add_exception(self, case: Case, expected: Any, finding: Finding) -> None:
        """Take an answer that ended in an exception."""
        self._raised.append(finding)
        raised = finding.exception or finding.kind
        self._judged.append(Judged(case.inputs, expected, None, is_right=False, raised=raised))

    def add(
        self,
        case: Case,
        expected: Any,
        got: Any,
        shows: Callable[[], Mistake | None],
        repeats: Callable[[], Repeats],
        nan_began: object = None,
    ) -> bool:
        """Take an answer, and return whether it is right; `shows` is called for a wrong one, `repeats` if need be."""
        found = differences(got, expected, self._tolerance)
        self._judged.append(Judged(case.inputs, expected, got, not found))
        self._repeats.append((not found, repeats))
        if found:
            self._wrong.append(Wrong(case, self._judged[-1], found[0], shows(), nan_began))
        return not found

    def finding(self) -> Finding | None:
        """Return what was found; None if every answer is right."""
        for one in self._raised:
            if one.mistake and self._is_refuted(one):
                one.mistake = None
        if self._raised and self._raised[0].mistake in self._task.mistakes:
            return self._raised[0]
        if self._wrong:
            return self._of_wrong_answers()
        for one in self._raised[:1]:
            one.mistake = one.mistake or explain(self._judged, self._task.mistakes, self._tolerance)
            return one
        return None

    def _of_wrong_answers(self) -> Finding:
        shows = self._wrong[0].shows
        by_itself = shows is not None and len({one.shows and one.shows.name for one in self._wrong}) == 1
        mistake: Hypothesis | None = shows if by_itself else self._explained(self._judged)
        besides = ""
        if self._raised and mistake is None:
            # An exception without a name may be a second mistake, and must not hide the first.
            if self._raised[0].mistake is None:
                mistake = self._explained([one for one in self._judged if not one.raised])
            if mistake is None:
                return self._raised[0]
            besides = " " + re.sub("^This program", "Another program", self._raised[0].seen)
        if isinstance(mistake, GeneralMistake) and mistake.name == "a constant factor":
            mistake = self._with_its_factor(mistake)
        one = self._telling(mistake)
        said_of = WrongAnswers(self._task, self._judged, self._contrasts, self._others)
        sentence = said_of.sentence(one) + besides
        if mistake is None:
            said = told([(right, repeats()) for right, repeats in self._repeats])
            said = said or earlier_answers(self._judged, self._others)
            # What answers have in common that hang on other calls is chance.
            sentence = said + sentence + (said_of.counted() if said else said_of.located(one))
        elif mistake.name in WITHOUT_A_CAUSE:
            sentence += self._contrasts.placed()
        also = None if by_itself else functools.partial(fits, cases=self._judged, tolerance=self._tolerance)
        example, picture = questions.example_of(self._task.target, one.case), self._picture(one)
        return Finding(Outcome.WRONG, sentence, mistake, example, picture, fits=also)

    def _explained(self, judged: list[Judged]) -> Hypothesis | None:
        return explain(judged, self._hypotheses(judged), self._tolerance, self._others)

    def _hypotheses(self, judged: list[Judged]) -> Iterator[Hypothesis]:
        yield from self._task.other_versions  # before a mistake that gives the same numbers
        yield from self._task.mistakes
        yield no_return(self._task.target)
        wrong = [wrong_numbers(one.expected, one.got) for one in judged if not one.is_right]
        different = sizes(wrong)
        several = sum(map(bool, wrong)) >= QUESTIONS or different >= LEAST  # what fits one question may belong to it
        yield from (one for one in GENERAL if different >= one.least and (several or not one.least))
        yield from self._task.altered_gradients
        others = autograd_mistakes(self._task.target, self._task.reference.oracle)
        yield from (one for one in others if several or not isinstance(one, WrongTensorMistake))
        yield from self._task.altered_arguments
        yield from one_factor(wrong)

    def _is_refuted(self, finding: Finding) -> bool:
        """Whether every way to make the mistake behind this exception gets wrong what is answered rightly here."""
        ways = [one for one in self._task.mistakes if finding.mistake and one.name == finding.mistake.name]
        raised = [one for one in self._judged if one.raised == finding.exception]
        ways = [one for one in ways if any(reproduces(one, case, self._tolerance) for case in raised)]
        return bool(ways) and all(refuted(one, self._judged, self._tolerance) for one in ways)

    def _telling(self, mistake: Hypothesis | None) -> Wrong:
        """Return the first wrong answer that the mistake explains, public if the first of all is; else the first."""
        if mistake is not None:
            for one in self._wrong:
                is_shown = one.case.secret == self._wrong[0].case.secret
                if is_shown and reproduces(mistake, one.judged, self._tolerance):
                    return one
            return self._wrong[0]
        # What is said of a name should be seen in the program that is shown.
        named = self._contrasts.named()
        alike = [one for one in self._wrong if one.case.secret == self._wrong[0].case.secret]
        return (
            max(alike, key=lambda one: len(named.intersection(wrong_slots(slots(one.judged))))) if named else alike[0]
        )

    def _with_its_factor(self, mistake: GeneralMistake) -> GeneralMistake | None:
        """Say what the factor is if that can be found; None if the task's other wrong answers have no such factor."""
        found = self._contrasts.related()
        if FACTOR.search(found) and not is_regularity(found):
            why = DOUBLED if "twice the right one" in found else LEFT_OUT
            return dataclasses.replace(mistake, sentence=f"{found.strip()} {why}")
        wrong = [one for one in self._others() if not one.is_right]
        return mistake if all(reproduces(mistake, one, self._tolerance) for one in wrong) else None

    @functools.cached_property
    def _contrasts(self) -> Contrasts:
        return Contrasts(self._task, [one for one in self._judged if not one.raised], self._others)

    def _picture(self, one: Wrong) -> Callable[[], Picture | None] | None:
        if one.case.secret or self._task.graph is None:
            return None
        return functools.partial(picture_of, self._task.graph, one.judged.inputs, one.judged.expected, one.judged.got)
