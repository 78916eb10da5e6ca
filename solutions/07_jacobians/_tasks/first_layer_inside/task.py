"""first_layer_inside: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import torch
from torch import nn

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import flatter, span, with_ends
from autograder.checks.draws.numbers import moderate, tensor_text
from autograder.checks.draws.torch_modules import Draw, made
from autograder.checks.task import Allowed, Task
from autograder.probes.programs import Program
from autograder.references import numeric
from autograder.references.leaves import in_double, leaf_of
from autograder.references.replay import Replay, program_reference

from ..shared import DIFFERENCES, ROWS, rows


def first_output(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """A copy of what `model.first` puts out while the model runs on x."""
    kept: list[torch.Tensor] = []
    with model.first.register_forward_hook(lambda module, given, output: kept.append(output.clone())):
        model(x)
    return kept[0]


def jacobian_inside(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    leaf = leaf_of(x)
    return rows(first_output(model, leaf)[0], leaf)[:, 0]


def _inside_numeric(replay: Replay, model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    model(x)  # counted
    wide = in_double(model)
    return numeric.jacobian(lambda moved: first_output(wide, moved), x.double())[0, :, 0].to(x.dtype)


REFERENCE = program_reference("first_layer_inside", jacobian_inside, ROWS, _inside_numeric, DIFFERENCES)

TASK = Task(
    __file__,
    minutes=10,
    concepts=("jacobians", "hooks"),
    section="The first layer inside a model",
    reference=REFERENCE,
    may_change=(Allowed.PARAMETER_GRADS,),
    says={
        "raised": "your function did not pass on the error that the model raised",
    },
)

BEFORE = ("{a} * x", "torch.sin({a} * x)", "x / x.norm()", "x * x", "x.flip(1) - {a}")
AFTER = ("torch.tanh(h)", "h * h", "F.softplus(h)")
AFTER_IN_PLACE = ("F.relu_(h)", "h.mul_({a})", "h.tanh_()", "h.sub_({a}).abs_()")


def models(*shown: str, in_place: bool = False) -> Draw:
    """Models that do something to their input first, and go on in place or not."""

    def draw(source: Random) -> tuple[Program]:
        i, o = source.sample((2, 3, 4), 2)
        # Tanh needs its own output for its backward pass, so that nobody may write into it.
        curved = "nn.Softplus()" if in_place else "nn.Tanh()"
        first = source.choice(("nn.Linear({i}, {o})", f"nn.Sequential(nn.Linear({{i}}, {{o}}), {curved})"))
        linear = "model.first[0]" if "Tanh" in first else "model.first"
        before, after = (
            BEFORE[0] if span() else source.choice(BEFORE),
            source.choice(AFTER_IN_PLACE if in_place else AFTER),
        )
        text = f"""class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = {first.format(i=i, o=o)}
        self.last = nn.Linear({o}, {source.randint(1, 3)})

    def forward(self, x):
        h = self.first({before.format(a=abs(moderate(source, 1.5)))})
        return self.last({after.format(a=abs(moderate(source, 1.5)))})


{made(source, "model", "Model()")}{flatter(linear)}x = {tensor_text(source, (1, i))}
result = first_layer_inside(model, x)
"""
        return (Program(text, shown),)

    return draw


@TASK.check("the layer at work", points=2, cases="at work", draw=with_ends(models("result")))
def test_first_layer_inside(answers: Answers) -> None:
    """Models that do something to x before their first layer."""
    answers.agree()


@TASK.check("a model that goes on in place", points=1, cases="in place", draw=models("result", in_place=True), draws=2)
def test_first_layer_inside_in_place(answers: Answers) -> None:
    """The first layer's output is overwritten later."""
    answers.agree()


@TASK.check("the model run to its end and left as it was", points=2, cases="as found", damage=True)
def test_first_layer_inside_leaves_things_as_found(answers: Answers) -> None:
    """Hooks and modes, after an exception too."""
    answers.agree()
