"""A user's function as it is called again and again: with names for its arguments, and with outputs in a list."""

from __future__ import annotations

import copy
import functools
import inspect
import random
import time
from collections.abc import Callable
from typing import Any

import numpy
import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from autograder.own_gradients.arguments import NotExplainableError, arguments_of, first_line, name_of, names_of, what
from autograder.probes.generators import generator_states
from autograder.probes.known_state import seed_torch

SECONDS, CALLS_AN_ENTRY = 5.0, 40
"""What all trials together may take, and how often the function is called to measure an entry in all of them."""
FEWEST_ENTRIES, MOST_ENTRIES = 8, 400
Values = list[Any]
"""One value for each argument: tensors, and what is passed through."""


class Function:
    """A function with the inputs that the user gave.

    Attributes:
        name: what sentences call the function.
        names: of the arguments, in their order; those of a module's parameters come last.
        given: the arguments as given; tensors detached, and in float64 if they were float32.
        checked: the places of the tensors whose gradients are checked.
        widened: whether some argument was float32 and is float64 now.
    """

    def __init__(self, function: Callable[..., Any], inputs: Any) -> None:
        """
        Args:
            function: takes the inputs; a module's parameters are checked, too.
            inputs: the arguments, as a sequence, as a dict by name, or one tensor.

        Raises:
            NotExplainableError: if the function or the inputs are none.
        """
        if inspect.isclass(function) and issubclass(function, torch.autograd.Function):
            of_class: Any = function
            function = of_class.apply
        if not callable(function):
            raise NotExplainableError(f"the function is {what(function)}; give something that can be called")
        self.name = name_of(function)
        given, named = arguments_of(inputs)
        self.names = names_of(function, len(given)) + list(named)
        self._positional, self._named = len(given), list(named)
        values = [*given, *named.values()]
        self._module = function if isinstance(function, nn.Module) else None
        self._call: Callable[..., Any] = function
        if self._module is not None:
            parameters = dict(self._module.named_parameters())
            self.names += list(parameters)
            values += [*parameters.values()]
            self._module = _copied(self._module, self.name).double()
        asked = [at for at, one in enumerate(values) if isinstance(one, torch.Tensor) and one.requires_grad]
        self.checked = asked or [at for at, one in enumerate(values) if _is_differentiable(one)]
        if not self.checked:
            raise NotExplainableError("none of the inputs is a tensor of floating-point numbers; give one that is")
        if any(not values[at].numel() for at in self.checked):
            raise NotExplainableError("an input has no entries, so there is nothing to compare; give one that has some")
        if any(not torch.isfinite(values[at]).all() for at in self.checked):
            raise NotExplainableError("an input is nan or infinite, where no gradient can be judged; give finite ones")
        self.widened = any(isinstance(one, torch.Tensor) and _wide(one.dtype) != one.dtype for one in values)
        self.given: Values = [_widened(one) if isinstance(one, torch.Tensor) else one for one in values]

    def __call__(self, values: Values) -> list[torch.Tensor]:
        """Call the function with seeded generators and return its outputs that are tensors of floating-point numbers.

        Raises:
            NotExplainableError: if there is none.
            Exception: whatever the function raises.
        """
        _seed()
        made = self._called(values)
        outputs = [one for one in _flat(made) if _is_differentiable(one)]
        if not outputs:
            raise NotExplainableError(
                f"`{self.name}` returns {what(made)}; it must return a tensor of floating-point numbers, or several"
            )
        if not any(one.numel() for one in outputs):
            raise NotExplainableError(f"`{self.name}` returns no entries for these inputs; give others")
        if any(one.dtype not in (torch.float64, torch.complex128) for one in outputs):
            raise NotExplainableError(
                f"`{self.name}` returns {outputs[0].dtype} for float64 inputs, too coarse for finite differences; let "
                "it keep the dtype of its inputs"
            )
        return outputs

    def copies(self, values: Values | None = None) -> Values:
        """Return copies that the function may change, and by which it may differentiate.

        Args:
            values: the arguments; by default those given.
        """
        return [
            one.detach().requires_grad_(at in self.checked).clone() if isinstance(one, torch.Tensor) else one
            for at, one in enumerate(self.given if values is None else values)
        ]

    @functools.cached_property
    def most_entries(self) -> int:
        """How many entries of each argument are measured, so that all trials take some seconds at most."""
        begin = time.perf_counter()
        self(self.copies())
        calls = SECONDS / max(time.perf_counter() - begin, 1e-6)
        entries = int(calls / (CALLS_AN_ENTRY * len(self.checked)))
        # A power of two, so that a machine that is a little busier measures the same entries.
        return max(FEWEST_ENTRIES, min(MOST_ENTRIES, 1 << max(entries, 1).bit_length() - 1))

    @property
    def is_module(self) -> bool:
        """Whether it is a module, whose parameters are arguments, too."""
        return self._module is not None

    @property
    def parameters(self) -> range:
        """The places of a module's parameters."""
        return range(self._positional + len(self._named), len(self.given))

    def draws(self) -> bool:
        """Return whether a call draws random numbers from torch, NumPy or Python."""
        _seed()
        before = generator_states()
        self._called(self.copies())
        return before != generator_states()

    def _called(self, values: Values) -> Any:
        positional = values[: self._positional]
        end = self._positional + len(self._named)
        named = dict(zip(self._named, values[self._positional : end], strict=True))
        if self._module is None:
            return self._call(*positional, **named)
        parameters = dict(zip(self.names[end:], values[end:], strict=True))
        buffers = {name: one.clone() for name, one in self._module.named_buffers()}
        return torch.func.functional_call(self._module, parameters | buffers, tuple(positional), named)


class _Detaching(TorchFunctionMode):  # type: ignore[misc]  # mypy does not read torch's types
    """Lets a tensor with a graph, as a module keeps of its last call, be deep-copied: without the graph."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func is torch.Tensor.__deepcopy__ and not args[0].is_leaf:
            return args[0].detach().clone()
        return func(*args, **(kwargs or {}))


def _copied(module: nn.Module, name: str) -> nn.Module:
    try:
        with _Detaching():
            return copy.deepcopy(module)
    except Exception as error:
        raise NotExplainableError(
            f"`{name}` cannot be copied ({type(error).__name__}: {first_line(error)}); give a module that "
            "`copy.deepcopy` takes"
        ) from error


def _seed() -> None:
    seed_torch(0)
    random.seed(0)
    numpy.random.seed(0)


def _flat(made: Any) -> list[Any]:
    if isinstance(made, dict):
        return list(made.values())
    return list(made) if isinstance(made, list | tuple) else [made]


def _is_differentiable(one: Any) -> bool:
    return isinstance(one, torch.Tensor) and (one.is_floating_point() or one.is_complex())


def _wide(dtype: torch.dtype) -> torch.dtype:
    if dtype.is_complex:
        return torch.complex128
    return torch.float64 if dtype.is_floating_point else dtype


def _widened(one: torch.Tensor) -> torch.Tensor:
    return one.detach().to(_wide(one.dtype)).clone()
