"""Mistakes of predict_hooks: ideas about hooks, each with what it predicts where it differs from what happens."""

from __future__ import annotations

import dataclasses
from typing import Any

from autograder.comparison import agree
from autograder.diagnosis.hypothesis import Mistake
from autograder.references.hooks.predictions import predict_hooks

Predictions = dict[str, list[float]]


@dataclasses.dataclass(frozen=True)
class Idea(Mistake):
    """A wrong idea, which explains predictions that are wrong where it says so and right elsewhere."""

    instead: Predictions = dataclasses.field(default_factory=dict)

    def predict(self, inputs: tuple, expected: Any, got: Any) -> Any:
        """What follows from the idea in the cases in which `got` follows it; in all of its cases without `got`."""
        right = predict_hooks.oracle() if expected is None else expected
        held = {case: value for case, value in self.instead.items() if got is None or agree(got.get(case), value)}
        return right | held


def _idea(name: str, that: str, **instead: list[float]) -> Idea:
    sentence = f"All that is wrong follows from one idea: that {that}"
    return Idea(name, sentence, answer=lambda: predict_hooks.oracle() | instead, instead=instead)


FOR_EACH_USE = "a hook is called for each use of its tensor. How often is it called?"

PREDICT_HOOKS = (
    _idea("once for each use", FOR_EACH_USE, A=[30.0, 30.0], E=[30.0, 30.0], F=[31.0, 31.0], G=[30.0, 30.0]),
    _idea(
        "added up as .grad is",
        "a hook receives what `.grad` then holds. What does one pass compute?",
        B=[180.0, 360.0],
    ),
    _idea(
        "every pass runs every hook",
        "every pass runs every hook. What does `grad` leave out?",
        C=[60.0],
    ),
    _idea(
        "the output has no hook to run",
        "only tensors behind the output have a gradient. Where does a pass begin?",
        D=[],
    ),
    _idea(
        "a hook looks back",
        "a hook also reports passes that were over when it was registered.",
        E=[60.0, 60.0],
    ),
    _idea(
        "a late hook never runs",
        "a hook must be registered before the first pass. Was the graph kept?",
        E=[],
    ),
    _idea(
        "every hook gets the original",
        "hooks cannot change what other hooks receive. What does a returned value do?",
        F=[60.0],
        H=[180.0],
    ),
    _idea(
        "a change reaches hooks before it",
        "a returned value reaches every hook of its tensor, in whatever order they were registered.",
        G=[61.0],
    ),
    _idea(
        "a change reaches other branches",
        "a changed gradient changes all gradients. Which are computed from it?",
        I=[-40.0],
    ),
    _idea(
        "one factor of the square",
        "one of the two factors in `u * u` counts. How many of them depend on `u`?",
        A=[30.0],
        B=[90.0, 90.0],
        E=[30.0],
        F=[31.0],
        G=[30.0],
        H=[180.0],
    ),
    _idea(
        "values instead of gradients",
        "a hook is called with the tensor's value. What is it called with?",
        A=[6.0],
        B=[2.0, 2.0],
        D=[160.0],
        E=[6.0],
        F=[7.0],
        G=[6.0],
        H=[2.0],
        I=[1.0],
    ),
)
