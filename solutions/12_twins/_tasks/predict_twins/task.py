"""predict_twins: what is right, from two sources, and what is asked."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from autograder.checks.answers import Answers
from autograder.checks.task import Task
from autograder.diagnosis import Mistake
from autograder.references import Reference

WORDS = ("raises", "None", "0", "0.5", "1", "3", "4", "6", "10", "12")
"""What the statement lists."""
RECORD = Path(__file__).with_name("recorded.toml")
"""What the three systems answered; tests/three_systems.py writes it, and `make twins` compares."""
Predictions = dict[str, list[str]]


def recorded() -> Predictions:
    """The answers of the real systems. No torch runs here, under whatever autograd the diagnosis has altered."""
    return tomllib.loads(RECORD.read_text(encoding="utf-8"))["answers"]


def _leaf(value: float) -> torch.Tensor:
    return torch.tensor(value, requires_grad=True)


def _slope(function: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> torch.Tensor:
    return torch.autograd.grad(function(x), x)[0]


def _twice(x: torch.Tensor) -> torch.Tensor:
    y = x + 1
    torch.autograd.grad(y, x)
    return torch.autograd.grad(y, x)[0]


PYTORCH: dict[str, Callable[[], torch.Tensor]] = {
    "A": lambda: _slope(lambda x: torch.stack([x * x, 4 * x]), _leaf(3.0)),
    "B": lambda: torch.autograd.grad(_leaf(3.0) ** 2, _leaf(5.0))[0],
    "C": lambda: _slope(lambda x: x * x.detach(), _leaf(3.0)),
    "D": lambda: _slope(lambda x: x * x, torch.tensor(3, requires_grad=True)),
    "E": lambda: _slope(lambda x: torch.maximum(x, torch.tensor(0.0)), _leaf(0.0)),
    "F": lambda: _slope(lambda x: _slope(lambda x: x**3, x), _leaf(2.0)),
    "G": lambda: _twice(_leaf(3.0)),
    "H": lambda: _slope(lambda x: x * x, torch.tensor(3.0)),
    "I": lambda: _slope(lambda x: x * x.item(), _leaf(3.0)),
}


def _said(case: Callable[[], torch.Tensor]) -> str:
    try:
        return f"{case().item():g}"
    except RuntimeError:
        return "raises"


def _tape(*slopes: float, recorded: bool = True, asked: int = 1) -> str:
    """A tape by its rules: used up by its first question, silent of what it has not recorded, a sum over outputs."""
    if asked > 1:
        return "raises"
    return f"{sum(slopes):g}" if recorded else "None"


def _traced(*slopes: float, concrete: bool = True) -> str:
    """`jax.grad` by its rules: one output of a floating type, and of a tracer no number."""
    return f"{slopes[0]:g}" if concrete and len(slopes) == 1 and isinstance(slopes[0], float) else "raises"


RULES: dict[str, tuple[str, str]] = {
    "A": (_tape(2 * 3.0, 4.0), _traced(2 * 3.0, 4.0)),
    "B": (_tape(recorded=False), _traced(0.0)),
    "C": (_tape(3.0), _traced(3.0)),
    "D": (_tape(recorded=False), _traced(2 * 3)),
    "E": (_tape((max(1e-3, 0.0) - 0.0) / 1e-3), _traced((max(1e-3, 0.0) - max(-1e-3, 0.0)) / 2e-3)),
    "F": (_tape(recorded=False), _traced(6 * 2.0)),
    "G": (_tape(1.0, asked=2), _traced(1.0)),
    "H": (_tape(recorded=False), _traced(2 * 3.0)),
    "I": (_tape(3.0), _traced(3.0, concrete=False)),
}
"""Of TensorFlow's maximum the slope at 0 is that from above, of JAX's the mean of both sides."""


def really_run_or_by_rule() -> Predictions:
    """PyTorch's column as it runs here, the two others by a few rules."""
    return {name: [_said(case), *RULES[name]] for name, case in PYTORCH.items()}


REFERENCE = Reference(
    recorded,
    "what the three systems answered, recorded",
    really_run_or_by_rule,
    "PyTorch really run; a tape and a traced function by their rules",
)

TASK = Task(
    __file__, minutes=20, concepts=("graphs", "leaves"), section="Four systems in one table", reference=REFERENCE
)
UNLISTED = Mistake(
    "a string that is not listed", "A string is not one of those that the task lists, which are compared as written."
)


def _listed(given: Any) -> bool:
    """Whether all strings are the statement's; of another form the tally says more."""
    entries = given.values() if isinstance(given, dict) else ()
    strings = [one for entry in entries if isinstance(entry, list | tuple) for one in entry if isinstance(one, str)]
    return all(one in WORDS for one in strings)


def _judge(answers: Answers, allowed: int) -> None:
    sentence = "An entry holds a string that the task does not list."
    answers.observe(lambda case, seen: _listed(seen.get("result")), sentence, UNLISTED)
    answers.tally(allowed=allowed, length=3)


@TASK.check("at least seven of nine cases", points=2)
def test_most_systems(answers: Answers) -> None:
    """More than three times PyTorch's column."""
    _judge(answers, allowed=2)


@TASK.check("all nine cases", points=2)
def test_all_systems(answers: Answers) -> None:
    """Every case."""
    _judge(answers, allowed=0)
