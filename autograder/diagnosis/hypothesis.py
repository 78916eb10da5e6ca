"""Hypotheses about a wrong answer: each is a named mistake that predicts what the answer would be.

The one that reproduces the student's numbers explains them; there are no thresholds and no guesses from one number.
"""

from __future__ import annotations

import copy
import functools
import re
from collections.abc import Callable
from typing import Any, Protocol

from autograder.visible_text import visible
from autograder.wire.outcome import Outcome

CONFIRMED = object()
"""What `predict` returns if the student's answer itself shows the mistake."""
POSSIBLE = object()
"""What `predict` returns if the answer does not speak against the mistake, nor for it."""
EVERYWHERE = "every task"
"""The place of a mistake that all tasks share."""
OPERATOR = re.compile(r"(?<=RuntimeError: )\w+: (?=mat1 and mat2)")
"""The operator's name, with which torch 2.15 begins this message and 2.13 does not."""
MOST_LASTING = 16_384
"""Answers to public cases that are kept: of the 51,000 of the course under all mistakes few are ever asked for."""
MOST_PASSING = 1_024
"""Answers to drawn cases that are kept: those of one submission, which nobody else is asked."""


class Hypothesis(Protocol):
    """A possible explanation of wrong answers, of a task's own mistakes or of the general ones."""

    @property
    def name(self) -> str:
        """A few words that name the mistake."""

    @property
    def sentence(self) -> str:
        """What to tell the student."""

    def predict(self, inputs: tuple[Any, ...], expected: Any, got: Any) -> Any:
        """Return the answer under this hypothesis, CONFIRMED or POSSIBLE if `got` itself tells, None if it has none."""


class Mistake:
    """A named mistake of one task.

    Attributes:
        name: short, plain: "relu forgotten".
        sentence: what was seen and where to look, for the student; gives no solution away.
        ways: wrong implementations of the task; none if the mistake shows in something other than the answer (a count,
            an exception, time).
        raises: a regular expression for the exception that the mistake ends in, "TypeError: ...".
        afterwards: True if the program's own lines raise it when they use what the task returned, False if the task
            does, None if that makes no difference.
        fact_first: whether what was seen says it best, and the sentence only what to do about it.
        answer: from a case's inputs to the answer that one of its ways gives; None for the mistake as declared.
        where: file and line of its declaration, for authors of tasks.
    """

    where = ""
    fact_first = False
    answer: Callable[..., Any] | None = None

    def __init__(self, name: str, sentence: str, *ways: Any, raises: str = "", afterwards: bool | None = None) -> None:
        self.name, self.sentence, self.ways = name, sentence, ways
        self.raises, self.afterwards = raises, afterwards

    def explains(self, error: str, afterwards: bool) -> bool:
        """Return whether the mistake ends in this exception, "TypeError: ...".

        Args:
            error: the exception's type and message.
            afterwards: whether the program's own lines raised it, not the task.
        """
        here = self.afterwards is None or self.afterwards is afterwards
        return bool(self.raises) and here and re.search(self.raises, OPERATOR.sub("", error)) is not None

    def made_by(self, answer: Callable[..., Any]) -> Mistake:
        """Return a copy of the mistake that predicts the answers of one way to make it.

        Args:
            answer: from a case's inputs to the answer that this way gives.
        """
        one = copy.copy(self)
        one.answer = answer
        return one

    def predict(self, inputs: tuple[Any, ...], expected: Any, got: Any) -> Any:
        """Return the answer under this mistake, or None if it predicts none."""
        return None if self.answer is None else memoised(self.answer, inputs)


class _IdentityKey:
    """Inputs as a cache key, compared by identity, because comparing tensors by value would cost a look at each."""

    __slots__ = ("inputs",)

    def __init__(self, inputs: tuple[Any, ...]) -> None:
        self.inputs = inputs

    def __hash__(self) -> int:
        return id(self.inputs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _IdentityKey) and other.inputs is self.inputs


def keep_answers_to(inputs: tuple[Any, ...]) -> None:
    """Keep what `memoised` returns for these inputs, which live as long as the process, and every submission meets."""
    _public.add(id(inputs))


def memoised(answer: Callable[..., Any], inputs: tuple[Any, ...]) -> Any:
    """Return `answer(*inputs)`, computed once per case.

    Raises:
        Exception: what `answer` raises, the next time too.
    """
    answered = _lasting if id(inputs) in _public else _passing
    found, error = answered(answer, _IdentityKey(inputs))
    if error is not None:
        raise error.with_traceback(None)
    return found


def _answered(answer: Callable[..., Any], key: _IdentityKey) -> tuple[Any, Exception | None]:
    try:
        return answer(*key.inputs), None
    except MemoryError:
        raise  # belongs to this submission's limit, and is not kept for the next one's
    except Exception as error:
        return None, error.with_traceback(None)  # its frames would keep every tensor that they hold


_public: set[int] = set()
_lasting, _passing = (functools.lru_cache(most)(_answered) for most in (MOST_LASTING, MOST_PASSING))


class Finding(AssertionError):  # noqa: N818  (it is what a check found, not an error of ours)
    """The reason why a check gave no points, in the student's terms.

    Attributes:
        kind: how the check ended.
        seen: one sentence about what was seen.
        mistake: the named mistake that explains it, or None.
        example: a few lines of code that reproduce it, or "".
        picture: draws the graph with the wrong numbers marked; None if there is nothing to draw.
        exception: the type of the exception that the answer ended in, or "".
        fits: whether another mistake fits all answers of the check as well; None if the mistake was not chosen by that.
    """

    def __init__(
        self,
        kind: Outcome,
        seen: str,
        mistake: Hypothesis | None = None,
        example: str = "",
        picture: Callable[[], Any] | None = None,
        exception: str = "",
        fits: Callable[[Hypothesis], bool] | None = None,
    ) -> None:
        seen = visible(seen, kept="")  # it may hold a student's names, messages and source
        super().__init__(seen)
        self.kind, self.seen, self.mistake, self.example, self.picture = kind, seen, mistake, example, picture
        self.exception, self.fits = exception, fits
