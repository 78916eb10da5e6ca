"""Mistakes of layer_gradients."""

from __future__ import annotations

from typing import Any

from autograder.diagnosis.hooks import layer_ways as ways
from autograder.diagnosis.hypothesis import Mistake
from autograder.references.replay import under


def _mistake(name: str, sentence: str, implementation: Any, raises: str = "") -> Mistake:
    return Mistake(name, sentence, under("layer_gradients", implementation), raises)


LATE = (
    "All gradients arrived under one name, that of the last child. When does a hook look up a variable of the loop: "
    "when it is defined, or when it runs?"
)
TUPLES = "Each gradient sits in a tuple, as backward hooks get them. The pair is to hold the tensors themselves."
ANOTHER_MODE = "The model was put into another mode. It is to run, and to be left, in the mode in which it was found."

LAYER_GRADIENTS = (
    _mistake(
        "input and output swapped",
        "In each pair the two gradients have changed places. First comes the gradient of what the child was given.",
        ways.swapped,
    ),
    _mistake("late binding", LATE, ways.late_names),
    _mistake("late binding", LATE, ways.by_backward_hooks("register_full_backward_hook", late=True)),
    _mistake(
        "a child left out",
        "A child is missing: the one whose backward hook never runs, because its output requires no gradient. Its "
        "name belongs in the dict too.",
        ways.by_backward_hooks("register_full_backward_hook"),
        raises="KeyError",
    ),
    _mistake(
        "children run by hand",
        "The children were called one after another. What the model does between them, and in which order it calls "
        "them, only its own forward knows.",
        ways.children_by_hand,
        raises="RuntimeError: mat1 and mat2 shapes cannot be multiplied",
    ),
    _mistake(
        "taken from the neighbour",
        "A child's input gradient is that of the output of the child before it in the list. Something may stand "
        "between the two, and the list need not be the order in which they run.",
        ways.from_the_neighbour,
    ),
    _mistake(
        "a gradient where nobody asked",
        "Since x was made to require a gradient, one appears where the model as given computes none.",
        ways.x_made_to_require_one,
    ),
    _mistake(
        "zeros instead of None",
        "Zeros stand where no gradient was computed. None says so; zero would be a gradient.",
        ways.zeros_for_none,
    ),
    _mistake(
        "outputs only",
        "Each child has one gradient where a pair is asked for: of what it was given, and of what it returned.",
        ways.outputs_only,
    ),
    _mistake(
        "another mode",
        ANOTHER_MODE,
        ways.in_mode(False),
    ),
    _mistake("another mode", ANOTHER_MODE, ways.in_mode(True)),
    _mistake("another mode", ANOTHER_MODE, ways.there_and_back),
    _mistake("another mode", ANOTHER_MODE, ways.in_its_mode_and_then(True)),
    _mistake("a tuple for each gradient", TUPLES, ways.tuples),
    _mistake("a tuple for each gradient", TUPLES, ways.by_backward_hooks("register_full_backward_hook", whole=True)),
    _mistake(
        "the model run twice",
        "The model ran more than once: BatchNorm's running mean has moved too often. One forward pass is enough.",
        ways.run_twice,
    ),
    _mistake(
        "hooks stay behind",
        "Hooks are still on the model after the call. Whoever registers a hook decides who removes it.",
        ways.hooks_stay,
    ),
    _mistake(
        "hooks stay after an error",
        "Where `loss_fn` raises, the hooks stay on the model. Which part of `try` runs in any case?",
        ways.hooks_stay_after_an_error,
    ),
    _mistake(
        "the old backward hook",
        "`register_backward_hook` reports what the module's last node got and gave, weights and bias among it. The "
        "full backward hook reports the module's own input and output.",
        ways.by_backward_hooks("register_backward_hook"),
    ),
)
