"""predict_hooks: what is right, from two sources, and what is asked."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import torch

from autograder.checks.answers import Answers
from autograder.checks.task import Task
from autograder.references import Reference

Graph = dict[str, torch.Tensor]
Log = list[float]


def graph() -> Graph:
    """The graph, made anew."""
    x, w, b = (torch.tensor(value, requires_grad=True) for value in (2.0, 3.0, 1.0))
    u = x * w
    v = u * u - 4 * b
    return {"x": x, "w": w, "b": b, "u": u, "v": v, "a": 5 * torch.relu(v)}


def record(log: Log) -> Callable[[torch.Tensor], None]:
    """A hook that only writes down what it receives."""
    return lambda gradient: log.append(gradient.item())


def _add_one(gradient: torch.Tensor) -> torch.Tensor:
    return gradient + 1


def _double(gradient: torch.Tensor) -> torch.Tensor:
    return 2 * gradient


def _used_twice(t: Graph, log: Log) -> None:
    t["u"].register_hook(record(log))
    t["a"].backward()


def _two_passes(t: Graph, log: Log) -> None:
    t["x"].register_hook(record(log))
    t["a"].backward(retain_graph=True)
    t["a"].backward()


def _not_on_the_way(t: Graph, log: Log) -> None:
    t["u"].register_hook(record(log))
    torch.autograd.grad(t["a"], t["b"])


def _on_the_output(t: Graph, log: Log) -> None:
    t["a"].register_hook(record(log))
    torch.autograd.grad(t["a"], t["w"])


def _registered_late(t: Graph, log: Log) -> None:
    t["a"].backward(retain_graph=True)
    t["u"].register_hook(record(log))
    torch.autograd.grad(t["a"], t["x"])


def _after_a_change(t: Graph, log: Log) -> None:
    t["u"].register_hook(_add_one)
    t["u"].register_hook(record(log))
    t["a"].backward()


def _before_a_change(t: Graph, log: Log) -> None:
    t["u"].register_hook(record(log))
    t["u"].register_hook(_add_one)
    t["a"].backward()


def _behind_a_change(t: Graph, log: Log) -> None:
    t["x"].register_hook(record(log))
    t["u"].register_hook(_double)
    t["a"].backward()


def _beside_a_change(t: Graph, log: Log) -> None:
    t["b"].register_hook(record(log))
    t["u"].register_hook(_double)
    t["a"].backward()


CASES = {
    "A": _used_twice,
    "B": _two_passes,
    "C": _not_on_the_way,
    "D": _on_the_output,
    "E": _registered_late,
    "F": _after_a_change,
    "G": _before_a_change,
    "H": _behind_a_change,
    "I": _beside_a_change,
}


def _really_run() -> dict[str, Log]:
    logs: dict[str, Log] = {name: [] for name in CASES}
    for name, case in CASES.items():
        case(graph(), logs[name])
    return logs


def _by_hand() -> dict[str, Log]:
    x, w = Fraction(2), Fraction(3)
    d_a = Fraction(1)
    d_v = 5 * d_a
    d_b = -4 * d_v
    d_u = d_v * x * w + d_v * x * w  # both factors of u * u
    d_x = d_u * w
    received = {
        "A": [d_u],
        "B": [d_x, d_x],
        "C": [],
        "D": [d_a],
        "E": [d_u],
        "F": [d_u + 1],
        "G": [d_u],
        "H": [2 * d_u * w],
        "I": [d_b],
    }
    return {name: [float(number) for number in numbers] for name, numbers in received.items()}


REFERENCE = Reference(_really_run, "every case really run", _by_hand, "the chain rule in fractions, case by case")

TASK = Task(__file__, minutes=15, concepts=("hooks",), section="Which passes run which hooks", reference=REFERENCE)


@TASK.check("at least seven of nine cases", points=2)
def test_predict_most_hooks(answers: Answers) -> None:
    """More than one idea explains."""
    answers.tally(allowed=2)


@TASK.check("all nine cases", points=2)
def test_predict_all_hooks(answers: Answers) -> None:
    """Every case."""
    answers.tally()
