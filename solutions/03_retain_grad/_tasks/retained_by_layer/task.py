"""retained_by_layer: what is right, from two sources, and what is asked."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random

import torch
from torch import nn

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import flatter, with_ends
from autograder.checks.draws.models import ACTIVATIONS, branching_class, chain, randn, seed_line
from autograder.checks.draws.numbers import tensor_text
from autograder.checks.task import Allowed, Task
from autograder.probes.programs import Program
from autograder.references import numeric
from autograder.references.replay import Replay, program_reference

from ..shared import Draw

Loss = Callable[[torch.Tensor], torch.Tensor]


def leaf_of(x: torch.Tensor) -> torch.Tensor:
    """A leaf with the same numbers that requires a gradient, as far as its dtype can."""
    return x.detach().clone().requires_grad_(x.is_floating_point())


def by_hooks(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, torch.Tensor]:
    outputs: dict[str, torch.Tensor] = {}

    def keeping(name: str) -> Callable[..., None]:
        def keep(module: nn.Module, arguments: tuple, output: torch.Tensor) -> None:
            output.retain_grad()
            outputs[name] = output

        return keep

    handles = [child.register_forward_hook(keeping(name)) for name, child in model.named_children()]
    try:
        loss = loss_fn(model(leaf_of(x)))
    finally:
        for handle in handles:
            handle.remove()
    loss.backward()
    return {name: output.grad for name, output in outputs.items()}


def _by_moving_outputs(replay: Replay, model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, torch.Tensor]:
    dtypes = _dtypes(copy.deepcopy(model), x)
    model = copy.deepcopy(model).double()  # float32 would leave noise; the caller's stays as it is
    wide = x.double() if x.is_floating_point() else x
    return {name: _gradient_of(child, model, wide, loss_fn).to(dtypes[name]) for name, child in model.named_children()}


def _gradient_of(child: nn.Module, model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> torch.Tensor:
    """The gradient of the loss with respect to what `child` hands on, by replacing that."""
    outputs: list[torch.Tensor] = []

    def loss(instead: torch.Tensor | None) -> torch.Tensor:
        def replace(module: nn.Module, arguments: tuple, output: torch.Tensor) -> torch.Tensor:
            outputs.append(output)
            return output if instead is None else instead

        with torch.no_grad(), child.register_forward_hook(replace):
            return loss_fn(model(x))

    loss(None)
    return numeric.gradient(loss, outputs[0])


def _dtypes(model: nn.Module, x: torch.Tensor) -> dict[str, torch.dtype]:
    """The dtype of what each child hands on."""
    dtypes: dict[str, torch.dtype] = {}

    def noting(name: str) -> Callable[..., None]:
        def note(module: nn.Module, arguments: tuple, output: torch.Tensor) -> None:
            dtypes[name] = output.dtype

        return note

    for name, child in model.named_children():
        child.register_forward_hook(noting(name))
    with torch.no_grad():
        model(x)
    return dtypes


REFERENCE = program_reference(
    "retained_by_layer",
    by_hooks,
    "autograd in float64",
    _by_moving_outputs,
    "central differences in each layer's output",
)

TASK = Task(
    __file__,
    minutes=15,
    concepts=("leaves", "hooks"),
    section="Forward hooks on a model's layers",
    reference=REFERENCE,
    may_change=(Allowed.PARAMETER_GRADS,),
    says={
        "bool(result)": "`result` is empty",
    },
)

CALL = "result = retained_by_layer(model, x, lambda output: ({weights} * output**2).sum())\n"


def _call(source: Random, outputs: int) -> str:
    return CALL.format(weights=tensor_text(source, (outputs,)))


def chains(source: Random) -> tuple[Program]:
    """`retained_by_layer` of a Sequential that starts with a linear layer."""
    features, outputs = source.randint(2, 3), source.randint(1, 3)
    text = seed_line(source) + f"model = {chain(source, features, outputs)}.double()\n"
    text += f"{flatter('model[0]')}x = {randn(3, features)}\n"
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


@TASK.check("a chain of layers", points=2, cases="chain", draw=with_ends(chains))
def test_retained_by_layer_chain(answers: Answers) -> None:
    """A Sequential that starts with a layer that has parameters."""
    answers.agree()


@TASK.check("other models", points=2, cases="any", draw=any_models, draws=2)
def test_retained_by_layer_any(answers: Answers) -> None:
    """Branches, children of children, modes, an embedding."""
    answers.agree()


@TASK.check("a first child without parameters", points=1, cases="first", draw=first_without_parameters, draws=2)
def test_retained_by_layer_first(answers: Answers) -> None:
    """Flatten, or an activation, on data that require no gradient."""
    answers.agree()


@TASK.check("model and input as before", points=1, cases="left", draw=left_alone("bool(result)"), draws=2, damage=True)
def test_retained_by_layer_leaves_nothing(answers: Answers) -> None:
    """Hooks, modes, the input."""
    answers.agree()
