"""layer_gradients: what is right, from two sources, and what is asked."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random

import torch
from torch import nn

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import span, with_ends
from autograder.checks.draws.models import randn
from autograder.checks.task import Allowed, Task
from autograder.probes.programs import Program
from autograder.references import numeric
from autograder.references.replay import Replay, program_reference

from ..shared import node_of, reached_from

Pairs = dict[str, tuple[torch.Tensor | None, torch.Tensor | None]]
Loss = Callable[[torch.Tensor], torch.Tensor]


class _Moved(nn.Module):
    """Stands in for a child of a model, and gets or returns something else where that is given."""

    def __init__(
        self,
        name: str,
        child: nn.Module,
        given: torch.Tensor | None = None,
        returned: torch.Tensor | None = None,
    ) -> None:
        super().__init__()
        self.name, self.child = name, child
        self.given, self.returned = given, returned

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """What the child makes of x, or of what it is given instead."""
        self.given = x if self.given is None else self.given
        output = self.child(self.given)
        self.returned = output if self.returned is None else self.returned
        return self.returned


def _layer_gradients(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> Pairs:
    seen: dict[str, tuple[torch.Tensor, torch.Tensor]] = {}

    def note(name: str) -> Callable[[nn.Module, tuple, torch.Tensor], None]:
        def hook(module: nn.Module, args: tuple, output: torch.Tensor) -> None:
            seen[name] = args[0], output

        return hook

    handles = [child.register_forward_hook(note(name)) for name, child in model.named_children()]
    try:
        loss = loss_fn(model(x))
    finally:
        for handle in handles:
            handle.remove()
    wanted = [tensor for pair in seen.values() for tensor in pair if tensor.requires_grad]
    found = dict(zip(wanted, torch.autograd.grad(loss, wanted, allow_unused=True), strict=True))
    return {name: (found.get(given), found.get(output)) for name, (given, output) in seen.items()}


def _layer_differences(replay: Replay, model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> Pairs:
    """Move what each child is given, or returns, in runs of a copy in float64; the model itself runs once."""
    random, spare = torch.get_rng_state(), copy.deepcopy(model).double()
    state = copy.deepcopy(spare.state_dict())
    dtype = x.dtype if x.is_floating_point() else next(model.parameters()).dtype
    loss_fn(model(x))

    def run(child: _Moved) -> torch.Tensor:
        torch.set_rng_state(random)
        spare.load_state_dict(state)
        real = getattr(spare, child.name)
        setattr(spare, child.name, child)
        try:
            return loss_fn(spare(x.double() if x.is_floating_point() else x))
        finally:
            setattr(spare, child.name, real)

    def gradient(name: str, module: nn.Module, side: str, tensor: torch.Tensor, used: dict) -> torch.Tensor | None:
        if not tensor.requires_grad or node_of(tensor) not in used:
            return None
        return numeric.gradient(lambda moved: run(_Moved(name, module, **{side: moved})), tensor).to(dtype)

    pairs = {}
    for name, module in spare.named_children():
        child = _Moved(name, module)
        used = reached_from(run(child))
        sides = {"given": child.given, "returned": child.returned}
        pairs[name] = tuple(gradient(name, module, side, tensor, used) for side, tensor in sides.items())
    return pairs


REFERENCE = program_reference(
    "layer_gradients",
    _layer_gradients,
    "forward hooks and autograd",
    _layer_differences,
    "central differences of what each child is given and returns, in copies of the model",
)

TASK = Task(
    __file__,
    minutes=25,
    concepts=("hooks",),
    section="Module hooks",
    reference=REFERENCE,
    may_change=(Allowed.PARAMETER_GRADS,),
    says={
        "result": "the call raised {got}, but the error of the model or `loss_fn` must reach the caller",
    },
)

SEQUENTIAL = "model = nn.Sequential({layers}).double()\n"

BETWEEN = """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = nn.Linear({hidden}, 2)
        self.first = nn.Linear({width}, {hidden})
        self.middle = nn.{activation}()

    def forward(self, x):
        h = self.middle({scale} * self.first(x))
        return self.last(h * h)

model = Model().double()
"""

BRANCHES = """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.left = nn.Sequential(nn.Linear({width}, {hidden}), nn.{activation}())
        self.right = nn.Linear({width}, {hidden})

    def forward(self, x):
        return self.left({scale} * x) * self.right(x + {scale}).sin()

model = Model().double()
"""

SHOWN = ("sorted(result)", "result")
ACTIVATIONS = ("Tanh", "Sigmoid", "Softplus")
LOSSES = ("lambda y: (y ** 2).sum()", "lambda y: y.exp().mean()", "lambda y: F.softplus(y).sum(1).mean()")


def _model_text(source: Random, width: int) -> str:
    numbers = {
        "width": width,
        "hidden": source.randint(2, 3),
        "activation": source.choice(ACTIVATIONS),
        "scale": round(source.uniform(1.5, 3), 1),
    }
    layers = "nn.Linear({width}, {hidden}), nn.{activation}(), nn.Linear({hidden}, 2)"
    kinds = (SEQUENTIAL.format(layers=layers), BETWEEN, BRANCHES)
    kind = kinds[0] if span() else source.choice(kinds)
    return f"torch.default_generator.manual_seed({source.randrange(10_000)})\n{kind.format(**numbers).lstrip()}"


def _call(source: Random, shape: tuple[int, ...], options: str = "") -> str:
    made = f"x = ({randn(*shape)}){options}\n"
    return f"{made}result = layer_gradients(model, x, {LOSSES[0] if span() else source.choice(LOSSES)})\n"


def children(source: Random) -> tuple[Program]:
    """Models of three kinds, where every tensor has a gradient."""
    width = source.randint(2, 3)
    text = _model_text(source, width) + _call(source, (source.randint(2, 3), width), ".requires_grad_()")
    return (Program(text, SHOWN),)


def no_gradient(source: Random) -> tuple[Program]:
    """Plain data, a Flatten in front, or a frozen first child."""
    kind, half = source.choice(("plain", "flatten", "frozen")), source.randint(1, 2)
    if kind == "flatten":
        layers = f"nn.Flatten(), nn.Linear({2 * half}, 2), nn.{source.choice(ACTIVATIONS)}()"
        text = f"torch.default_generator.manual_seed({source.randrange(10_000)})\n{SEQUENTIAL.format(layers=layers)}"
        return (Program(text + _call(source, (2, 2, half)), SHOWN),)
    text = _model_text(source, 2 * half)
    if kind == "frozen":
        text += "next(model.children()).requires_grad_(False)\n"
    return (Program(text + _call(source, (2, 2 * half)), SHOWN),)


MIXED = "nn.Linear(2, 2), nn.BatchNorm1d(2), nn.Dropout(0.3), nn.Linear(2, 1)"


def _mixed_text(source: Random) -> str:
    mode = source.choice(("model.eval()", "model[1].eval()", "model[2].eval()"))
    return (
        f"torch.default_generator.manual_seed({source.randrange(10_000)})\n{SEQUENTIAL.format(layers=MIXED)}{mode}\n"
        "x = torch.randn(3, 2, dtype=torch.float64, requires_grad=True)\n"
    )


def as_it_was(source: Random) -> tuple[Program]:
    """A model in mixed modes."""
    text = f"{_mixed_text(source)}layer_gradients(model, x, {source.choice(LOSSES)})\n"
    return (Program(text, ("model[1].running_mean",)),)


def no_hook_stays(source: Random) -> tuple[Program]:
    """The hooks on a model afterwards; loss_fn raises, or not."""
    text = _model_text(source, 2)
    loss = source.choice((LOSSES[0], "lambda y: 1 / 0"))
    text += f"x = torch.randn(2, 2, dtype=torch.float64)\ntry:\n    layer_gradients(model, x, {loss})\n"
    return (Program(f"{text}except ZeroDivisionError:\n    pass\n", ("counters.hooks_on(model, x)",)),)


@TASK.check("input and output of each child", points=3, cases="children", draw=with_ends(children))
def test_layer_gradients(answers: Answers) -> None:
    """Whatever stands between the children, and in whichever order."""
    answers.agree()


@TASK.check("None where none is computed", points=1, cases="none", draw=no_gradient)
def test_layer_gradients_none(answers: Answers) -> None:
    """First children outside the graph, and x with a gradient."""
    answers.agree()


@TASK.check(
    "modes, running statistics and x as they were", points=1, cases="as it was", draw=as_it_was, draws=2, damage=True
)
def test_layer_gradients_as_it_was(answers: Answers) -> None:
    """One run of the model, in its own modes."""
    answers.agree()


@TASK.check(
    "no hook stays",
    points=1,
    cases="no hook stays",
    draw=no_hook_stays,
    draws=2,
    damage=("hook left", "hook left on all modules"),
)
def test_layer_gradients_left_clean(answers: Answers) -> None:
    """Even where loss_fn raises."""
    answers.agree()
