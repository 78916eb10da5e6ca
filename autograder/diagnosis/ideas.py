"""Wrong ideas behind a table of predictions: each explains the predictions that follow it, and leaves the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograder.comparison import agree
from autograder.diagnosis.hypothesis import Mistake

Predictions = dict[str, Any]
"""From a case to what happens in it."""


class Idea(Mistake):
    """A wrong idea, which explains predictions that are wrong where it says so and right elsewhere.

    Args:
        oracle: returns what happens in each case.
        name: of the mistake.
        that: the idea, and a question.
        instead: what follows from it, by case, where it differs from what happens.
    """

    def __init__(self, oracle: Callable[[], Predictions], name: str, that: str, **instead: Any) -> None:
        sentence = f"One idea explains every wrong prediction: that {that}"
        super().__init__(name, sentence, lambda: oracle() | instead)
        self._oracle, self.instead = oracle, instead

    def predict(self, inputs: tuple[Any, ...], expected: Any, got: Any) -> Any:
        """Return what follows from the idea where `got` follows it; in all of its cases without `got`."""
        right = self._oracle() if expected is None else expected
        held = {case: value for case, value in self.instead.items() if got is None or agree(got.get(case), value)}
        return right | held
