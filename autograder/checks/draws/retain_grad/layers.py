"""Programs of retained_by_layer: models with something to look into."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from autograder.checks.draws.models import ACTIVATIONS, branching_class, chain, randn, seed_line
from autograder.checks.draws.numbers import tensor_text
from autograder.probes.programs import Program

Draw = Callable[[Random], tuple[Program]]

CALL = "result = retained_by_layer(model, x, lambda output: ({weights} * output**2).sum())\n"


def _call(source: Random, outputs: int) -> str:
    return CALL.format(weights=tensor_text(source, (outputs,)))


def chains(source: Random) -> tuple[Program]:
    """`retained_by_layer` of a Sequential that starts with a linear layer."""
    features, outputs = source.randint(2, 3), source.randint(1, 3)
    text = seed_line(source) + f"model = {chain(source, features, outputs)}.double()\nx = {randn(3, features)}\n"
    return (Program(text + _call(source, outputs), ("result",)),)


def first_without_parameters(source: Random) -> tuple[Program]:
    """`retained_by_layer` of a Sequential whose first child only reshapes or rescales."""
    first, shape = source.choice((("nn.Flatten()", (2, 2)), ("nn.Tanh()", (4,)), ("nn.Softplus()", (4,))))
    outputs = source.randint(1, 3)
    text = seed_line(source) + f"model = {chain(source, 4, outputs, (first,))}.double()\nx = {randn(3, *shape)}\n"
    return (Program(text + _call(source, outputs), ("result",)),)


def any_models(source: Random) -> tuple[Program]:
    """`retained_by_layer` of a model class with branches and children of children, in some mode."""
    features, outputs = source.randint(2, 3), source.randint(1, 3)
    text = branching_class(source, "Model", features, outputs).lstrip() + seed_line(source)
    text += f"model = Model().double()\nmodel(3 + {randn(8, features)})\n"  # moves the running statistics
    text += f"model.{source.choice(('train', 'eval'))}()\nx = {randn(4, features)}\n"
    return (Program(text + _call(source, outputs), ("result",)),)


CHANGES = (
    "model.eval()\n",
    "model[1].eval()\n",
    "model[-1].requires_grad_(False)\n",
    "model[1][0].eval()\n",
    "model[-1].register_forward_hook(lambda module, arguments, output: None)\n",
    "model[1].register_forward_pre_hook(lambda module, arguments: None)\n",
)


def left_alone(*shown: str) -> Draw:
    """`retained_by_layer` of a chain whose modes and hooks somebody has set."""

    def draw(source: Random) -> tuple[Program]:
        width, outputs = source.randint(2, 3), source.randint(1, 2)
        middle = f"nn.Sequential(nn.BatchNorm1d({width}), nn.{source.choice(ACTIVATIONS)}())"
        layers = f"nn.Linear(2, {width}), {middle}, nn.Linear({width}, {outputs})"
        text = f"{seed_line(source)}model = nn.Sequential({layers}).double()\n"
        text += "".join(source.sample(CHANGES, 2)) + f"x = {randn(3, 2)}\n"
        return (Program(text + _call(source, outputs), shown),)

    return draw
