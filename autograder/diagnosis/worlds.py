"""Mistakes as worlds: what the reference itself would answer if autograd worked as the mistake takes it to.

In one world relu has no gate, in another the upstream gradient is ignored. They serve every task whose
oracle uses autograd. Two more look at what else a program holds: values, and other tensors' gradients.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from autograder.comparison import agree
from autograder.diagnosis.errors import ARGUMENT_CHANGED
from autograder.diagnosis.hypothesis import CONFIRMED, recalled
from autograder.diagnosis.structures import is_shown, tensor_of, where_it_fits
from autograder.probes.programs import Program
from autograder.references.replay import before_first_use

RELUS = {torch.relu, torch.relu_, functional.relu, torch.Tensor.relu, torch.Tensor.relu_}


class _OpenRelu(torch.autograd.Function):
    """relu whose backward lets everything through."""

    @staticmethod
    def forward(x: torch.Tensor) -> torch.Tensor:
        return x.clamp(min=0)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple, output: torch.Tensor) -> None:
        pass

    @staticmethod
    def backward(ctx: Any, upstream: torch.Tensor) -> torch.Tensor:
        return upstream


class GateForgotten(TorchFunctionMode):
    """relu without its gate."""

    def __torch_function__(self, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        return _OpenRelu.apply(args[0]) if func in RELUS else func(*args, **(kwargs or {}))


class UpstreamIgnored(TorchFunctionMode):
    """Backward passes start with ones, whatever upstream gradient they are given."""

    def __torch_function__(self, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        kwargs = dict(kwargs or {})
        if func is torch.autograd.grad:
            upstream = kwargs.get("grad_outputs", args[2] if len(args) > 2 else None)
            if upstream is not None:
                ones = _ones(upstream)
                args, kwargs = (*args[:2], ones, *args[3:]), {k: v for k, v in kwargs.items() if k != "grad_outputs"}
        elif func is torch.Tensor.backward and (len(args) > 1 or "gradient" in kwargs):
            given = kwargs.pop("gradient", args[1] if len(args) > 1 else None)
            args = (args[0], None if given is None else _ones(given), *args[2:])
        return func(*args, **kwargs)


def _ones(upstream: Any) -> Any:
    if isinstance(upstream, torch.Tensor):
        return torch.ones_like(upstream)
    return [None if one is None else torch.ones_like(one) for one in upstream]


@dataclasses.dataclass(frozen=True)
class WorldMistake:
    """What the oracle answers in a world in which autograd works otherwise."""

    name: str
    sentence: str
    world: type[TorchFunctionMode]
    oracle: Callable[..., Any]

    def predict(self, inputs: tuple, expected: Any, got: Any) -> Any:
        """The answer in that world."""
        return recalled(self._answer, inputs)

    def _answer(self, *inputs: Any) -> Any:
        with self.world():
            return self.oracle(*inputs)


@dataclasses.dataclass(frozen=True)
class ArgumentMistake:
    """Only what the program had before it used the task is wrong: an argument was changed."""

    name: str
    sentence: str
    task: str

    def predict(self, inputs: tuple, expected: Any, got: Any) -> Any:
        """Confirmed where that is so."""
        if not is_shown(inputs, expected, got):
            return None
        wrong = [key for key, value in expected.items() if not agree(got.get(key), value)]
        return CONFIRMED if wrong and set(wrong) <= before_first_use(inputs[0], self.task).keys() else None


@dataclasses.dataclass(frozen=True)
class NoReturnMistake:
    """None is all that came back: the function has no `return`, or returns what was never filled."""

    name: str
    sentence: str
    task: str

    def predict(self, inputs: tuple, expected: Any, got: Any) -> Any:
        """Confirmed where the call itself gave None; a None further inside means something else."""
        if not is_shown(inputs, expected, got):
            return CONFIRMED if got is None and expected is not None else None
        names = re.findall(rf"^ *(\w+) = {self.task}\(", inputs[0].text, re.MULTILINE)
        nothing = any(name in got and got[name] is None and expected.get(name) is not None for name in names)
        return CONFIRMED if nothing else None


@dataclasses.dataclass(frozen=True)
class ScopeMistake:
    """An answer that is something else that the program holds."""

    name: str
    sentence: str
    candidates: Callable[[dict[str, torch.Tensor]], Iterator[torch.Tensor]]
    task: str

    def predict(self, inputs: tuple, expected: Any, got: Any) -> Any:
        """The right answer, with a candidate in those places where got is one."""
        if not is_shown(inputs, expected, got):
            return None
        found = list(self.candidates(_tensors(inputs[0], self.task)))

        def part(right: Any, seen: Any) -> Any:
            seen = tensor_of(seen)
            if seen is None or tensor_of(right) is None:
                return None
            fitting = (one.to(seen.dtype) for one in found if one.shape == seen.shape)
            return next((one for one in fitting if torch.allclose(one, seen, rtol=1e-5)), None)

        return where_it_fits(expected, got, part)


def _tensors(program: Program, name: str) -> dict[str, torch.Tensor]:
    """The tensors that a program has named by the time it first uses the task."""
    return {key: value for key, value in before_first_use(program, name).items() if isinstance(value, torch.Tensor)}


def _values(tensors: dict[str, torch.Tensor]) -> Iterator[torch.Tensor]:
    return (tensor.detach() for tensor in tensors.values())


def _gradients(tensors: dict[str, torch.Tensor]) -> Iterator[torch.Tensor]:
    attached = [tensor for tensor in tensors.values() if tensor.requires_grad]
    for output in attached:
        for node in attached:
            if output is node or output.grad_fn is None:
                continue
            try:
                (gradient,) = torch.autograd.grad(output.sum(), node, retain_graph=True, allow_unused=True)
            except RuntimeError:  # a backward pass of the program itself has freed this graph
                continue
            if gradient is not None:
                yield gradient


def argument_changed(task: str) -> ArgumentMistake:
    """For a task of that name; before the general mistakes, which would explain the changed numbers."""
    return ArgumentMistake(ARGUMENT_CHANGED.name, ARGUMENT_CHANGED.sentence, task)


def no_return(task: str) -> NoReturnMistake:
    """For a task of that name; before the general mistakes, which take any None for a missing gradient."""
    sentence = (
        "Your function gave None back. Does every way through it end in a `return`, and did anything ever arrive in "
        "what it returns?"
    )
    return NoReturnMistake("None returned", sentence, task)


@functools.cache
def in_other_worlds(task: str, oracle: Callable[..., Any]) -> tuple[WorldMistake | ScopeMistake, ...]:
    """These mistakes for a task of that name, the likeliest first."""
    return (
        WorldMistake(
            "relu's gate forgotten",
            "The gradient passed a relu whose input is below zero. What is the slope of relu there?",
            GateForgotten,
            oracle,
        ),
        WorldMistake(
            "upstream gradient ignored",
            "This is what an upstream gradient of ones gives. The one that was handed in is a factor too. See "
            "lesson 02, “The upstream gradient”.",
            UpstreamIgnored,
            oracle,
        ),
        ScopeMistake(
            "a value instead of a gradient",
            "This is the value of a tensor, not a gradient.",
            _values,
            task,
        ),
        ScopeMistake(
            "gradient of something else",
            "This is a gradient, of another output or with respect to another tensor than the task asks for.",
            _gradients,
            task,
        ),
    )
