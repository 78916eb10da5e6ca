"""Two mistakes where one explains too little: each shown by some answers, one upon the other, or either of two."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from autograder.diagnosis.hypothesis import CONFIRMED, POSSIBLE, Hypothesis

NAN = "not a number"
CHANGES = {
    "sign": "The signs of all these numbers are turned as well.",
    "absolute value": "The signs of these numbers are lost as well, as by an absolute value.",
    "summed over an axis": "These numbers are also summed over an axis that should be there.",
    "averaged over an axis": "These numbers are also averaged over an axis that should be there.",
}
"""What is said of general mistakes that change all numbers, and so may come upon another mistake, by their names."""


ALL_ELSE_IS_RIGHT = re.compile(r"The (\w+ are right, )")


@dataclasses.dataclass(frozen=True)
class _Pair:
    """Two mistakes, the earlier in the way of the data first."""

    first: Hypothesis
    second: Hypothesis

    @property
    def name(self) -> str:
        """Both names."""
        return f"{self.first.name}; {self.second.name}"

    def predict(self, inputs: tuple[Any, ...], expected: Any, got: Any) -> Any:
        """Return the prediction of the first."""
        return self.first.predict(inputs, expected, got)


class Two(_Pair):
    """Two mistakes at once, each of which some wrong answers show."""

    @property
    def sentence(self) -> str:
        """Both sentences; sometimes it is only one mistake, which the task does not know, and nan often follows."""
        one, other = self.first.sentence, self.second.sentence
        if self.second.name == NAN:
            return f"Some of the wrong answers show this. {one} Others contain nan, which may follow from it."
        return (
            f"There are probably two mistakes. Some of the wrong answers show this. {one} The others show this. {other}"
        )


class Either(_Pair):
    """Two mistakes of a task that give the same answers to all that was asked."""

    @property
    def name(self) -> str:
        """The name of the likelier one."""
        return self.first.name

    @property
    def sentence(self) -> str:
        """Both sentences."""
        one, other = self.first.sentence, self.second.sentence
        return f"Either of two mistakes gives these answers. One is this. {one} The other is this. {other}"


class Upon(_Pair):
    """A mistake of a task, and a change of all its numbers after it."""

    @property
    def sentence(self) -> str:
        """The sentence of the first, and what the second does to its numbers."""
        change = CHANGES.get(self.second.name, self.second.sentence)
        one = ALL_ELSE_IS_RIGHT.sub(r"Apart from the other mistake, the \1", self.first.sentence, count=1)
        return f"There are probably two mistakes. One is this. {one} The other is this. {change}"

    def predict(self, inputs: tuple[Any, ...], expected: Any, got: Any) -> Any:
        """Return what the second makes of the answer that the first predicts; None if the first predicts none."""
        first = super().predict(inputs, expected, got)
        if first is None or first is CONFIRMED or first is POSSIBLE:
            return None
        return self.second.predict(inputs, first, got)
