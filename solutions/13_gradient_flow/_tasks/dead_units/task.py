"""dead_units: what is right, from two sources, and what is asked."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random

import torch
from torch import nn

from autograder.checks.answers import Answers
from autograder.checks.draws.attempts import redrawn
from autograder.checks.draws.ends import with_ends
from autograder.checks.draws.models import randn, seed_line
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references.replay import Replay, program_reference
from autograder.references.runs import outcome

Units = dict[str, torch.Tensor]


def _dead_units(model: nn.Module, batch: torch.Tensor) -> Units:
    dead: Units = {}

    def noting(name: str) -> Callable[[nn.Module, tuple[torch.Tensor, ...]], None]:
        def note(module: nn.Module, args: tuple[torch.Tensor, ...]) -> None:
            dead[name] = ~(args[0].detach() > 0).any(0)

        return note

    relus = [(name, one) for name, one in model.named_modules() if isinstance(one, nn.ReLU)]
    handles = [module.register_forward_pre_hook(noting(name)) for name, module in relus]
    with torch.no_grad():
        model(batch)
    for handle in handles:
        handle.remove()
    return dead


class _Sorting(nn.Module):
    """Replace a ReLU, and record the largest number that each unit gets."""

    def __init__(self) -> None:
        super().__init__()
        self.largest = torch.empty(0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the larger of x and 0, in a new tensor."""
        self.largest = x.detach().sort(0).values[-1].clone()
        return (x + x.abs()) / 2


def _by_the_largest(replay: Replay, model: nn.Module, batch: torch.Tensor) -> Units:
    spare = copy.deepcopy(model)
    stand_ins = {name: _Sorting() for name, one in model.named_modules() if isinstance(one, nn.ReLU)}
    for name, stand_in in stand_ins.items():
        spare.set_submodule(name, stand_in)
    spare(batch)
    model(batch)  # for its buffers
    return {
        name: torch.tensor([number <= 0 for number in one.largest.flatten().tolist()]).reshape(one.largest.shape)
        for name, one in stand_ins.items()
    }


REFERENCE = program_reference(
    "dead_units",
    _dead_units,
    "what goes into each ReLU, from hooks that run before it",
    _by_the_largest,
    "a copy of the model in which each ReLU is replaced, and the largest number that each unit gets",
)

TASK = Task(
    __file__, minutes=12, concepts=("gates",), section="Dead ReLU units, and how they open again", reference=REFERENCE
)


def _telling(program: Program) -> bool:
    """Whether every ReLU has both a dead unit and a live unit, so that no constant is right."""
    units = outcome(program, "dead_units", _dead_units)["result"].values()
    return all(one.any() and not one.all() for one in units)


def _flat(source: Random) -> Program:
    width = source.randint(3, 5)
    return Program(
        f"{seed_line(source)}model = nn.Sequential(nn.Linear(2, {width}), nn.ReLU(), nn.Linear({width}, 4), nn.ReLU(), "
        f"nn.Linear(4, 1)).double()\nX = {randn(source.randint(2, 4), 2)}\nresult = dead_units(model, X)\n",
        ("sorted(result)", "result"),
    )


def _maps(source: Random) -> Program:
    return Program(
        f"{seed_line(source)}model = nn.Sequential(nn.Conv2d(1, 2, 2), nn.ReLU(), nn.Flatten(), nn.Linear(8, 3), "
        f"nn.LeakyReLU()).double()\nX = {randn(source.randint(2, 3), 1, 3, 3)}\nresult = dead_units(model, X)\n",
        ("sorted(result)", "result"),
    )


def _nested(source: Random) -> Program:
    deepest = f"nn.Sequential(nn.{source.choice(('Tanh', 'SiLU'))}(), nn.Linear(4, 3), nn.ReLU())"
    inner = f"nn.Sequential(nn.Linear(3, 4), {deepest})"
    return Program(
        f"{seed_line(source)}model = nn.Sequential(nn.Linear(2, 3), {inner}, nn.ReLU6(), nn.Linear(3, 3), nn.ReLU(), "
        f"nn.Linear(3, 1)).double()\nX = {randn(source.randint(2, 4), 2)}\nresult = dead_units(model, X)\n",
        ("sorted(result)", "result"),
    )


def _in_place(source: Random) -> Program:
    return Program(
        f"""class Shift(nn.Module):
    def forward(self, x):
        return x.{source.choice(("add_", "sub_"))}({source.choice((1.5, 2.5))})


{seed_line(source)}model = nn.Sequential(nn.Linear(2, 5), nn.ReLU(inplace=True), Shift(), nn.Linear(5, 1)).double()
X = {randn(source.randint(2, 4), 2)}
result = dead_units(model.requires_grad_({source.choice((True, False))}), X)
""",
        ("sorted(result)", "result"),
    )


@TASK.check(
    "one level", points=2, cases="one level", draw=[*with_ends(redrawn(_flat, _telling)), redrawn(_maps, _telling)]
)
def test_dead_units(answers: Answers) -> None:
    """Ask about chains of layers and feature maps."""
    answers.agree()


@TASK.check("any depth", points=1, cases="any depth", draw=redrawn(_nested, _telling), draws=2)
def test_dead_units_at_any_depth(answers: Answers) -> None:
    """Ask about ReLUs in modules in modules."""
    answers.agree()


@TASK.check("in place", points=1, cases="in place", draw=redrawn(_in_place, _telling), draws=2)
def test_dead_units_in_place(answers: Answers) -> None:
    """Let the ReLU overwrite its input, or the next layer overwrite its output."""
    answers.agree()


@TASK.check("everything as it was", points=1, cases="as it was", damage=True)
def test_dead_units_as_it_was(answers: Answers) -> None:
    """Compare modes and hooks, and buffers after one run."""
    answers.agree()
