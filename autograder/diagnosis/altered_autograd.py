"""Mistakes that the reference itself makes under an altered autograd, and mistakes that mix up what a program holds.

With one alteration relu's backward is the identity, with another the upstream gradient is ignored. They apply to every
task whose oracle uses autograd. The other mistakes look at the program: a function that returns None, a value or a
gradient of another tensor.
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

from autograder.diagnosis.hypothesis import CONFIRMED, memoised
from autograder.diagnosis.structures import change_where_matching, is_shown, tensor_of
from autograder.probes.programs import Program
from autograder.references.replay import before_first_use
from autograder.wire.plain import Absent

RELUS = {torch.relu, torch.relu_, functional.relu, torch.Tensor.relu, torch.Tensor.relu_}


class _StraightThroughRelu(torch.autograd.Function):  # type: ignore[misc]  # mypy does not read torch's types
    """relu whose backward returns the upstream gradient unchanged."""

    @staticmethod
    def forward(x: torch.Tensor) -> torch.Tensor:
        return x.clamp(min=0)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[torch.Tensor], output: torch.Tensor) -> None:
        pass

    @staticmethod
    def backward(ctx: Any, upstream: torch.Tensor) -> torch.Tensor:
        return upstream


class ReluAlwaysActive(TorchFunctionMode):  # type: ignore[misc]  # mypy does not read torch's types
    """Make relu pass the gradient of inactive units, too."""

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        return _StraightThroughRelu.apply(args[0]) if func in RELUS else func(*args, **(kwargs or {}))


class OtherUpstream(TorchFunctionMode):  # type: ignore[misc]  # mypy does not read torch's types
    """Start every backward pass with another upstream gradient."""

    def upstream(self, output: torch.Tensor, given: torch.Tensor | None) -> torch.Tensor | None:
        """Return what one output is given in the place of `given`."""
        raise NotImplementedError

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = dict(kwargs or {})
        key = {torch.autograd.grad: "grad_outputs", torch.Tensor.backward: "gradient"}.get(func)
        if key is None:
            return func(*args, **kwargs)
        place = 2 if key == "grad_outputs" else 1
        given = kwargs.pop(key, args[place] if len(args) > place else None)
        before = list(args[:place])
        if key == "grad_outputs" and len(before) < place:
            before.append(kwargs.pop("inputs"))
        upstream = self._of(args[0], given) if args else None
        return func(*before, upstream, *args[place + 1 :], **kwargs)

    def _of(self, outputs: Any, given: Any) -> Any:
        if isinstance(outputs, torch.Tensor):
            return self.upstream(outputs, given)
        each = [None] * len(outputs) if given is None else [given] if isinstance(given, torch.Tensor) else given
        return [self.upstream(output, one) for output, one in zip(outputs, each, strict=True)]


class UpstreamIgnored(OtherUpstream):
    """Ones instead of a given upstream gradient."""

    def upstream(self, output: torch.Tensor, given: torch.Tensor | None) -> torch.Tensor | None:
        """Return ones if there was any."""
        return None if given is None else torch.ones_like(given)


class OutputAsUpstream(OtherUpstream):
    """The output itself where nothing was given."""

    def upstream(self, output: torch.Tensor, given: torch.Tensor | None) -> torch.Tensor | None:
        """Return the output's values if nothing was given."""
        return output.detach() if given is None else given


@dataclasses.dataclass(frozen=True)
class AlteredAutogradMistake:
    """A mistake whose answer is the oracle's under an altered autograd."""

    name: str
    sentence: str
    mode: type[TorchFunctionMode]
    oracle: Callable[..., Any]

    def predict(self, inputs: tuple[Any, ...], expected: Any, got: Any) -> Any:
        """Return the oracle's answer under the altered autograd."""
        return memoised(self._answer, inputs)

    def _answer(self, *inputs: Any) -> Any:
        with self.mode():
            return self.oracle(*inputs)


@dataclasses.dataclass(frozen=True)
class NoReturnMistake:
    """The mistake of returning None: the function has no `return`, or returns what was never filled."""

    name: str
    sentence: str
    task: str

    def predict(self, inputs: tuple[Any, ...], expected: Any, got: Any) -> Any:
        """Return CONFIRMED if the call itself returned None; a None inside its result means something else."""
        if not is_shown(inputs, expected, got):
            return CONFIRMED if got is None and expected is not None else None
        names = re.findall(rf"^ *(\w+) = {self.task}\(", inputs[0].text, re.MULTILINE)
        nothing = any(name in got and got[name] is None and expected.get(name) is not None for name in names)
        absent = {value.because for value in got.values() if isinstance(value, Absent)}
        return CONFIRMED if nothing or any(f"`{name}` is None" in absent for name in names) else None


@dataclasses.dataclass(frozen=True)
class WrongTensorMistake:
    """The mistake of answering with another tensor of the program.

    Attributes:
        candidates: from the program's tensors by name to those that such an answer may hold.
    """

    name: str
    sentence: str
    candidates: Callable[[dict[str, torch.Tensor]], Iterator[torch.Tensor]]
    task: str

    def predict(self, inputs: tuple[Any, ...], expected: Any, got: Any) -> Any:
        """Return the right answer with each wrong tensor replaced by the candidate that it equals; None if by none."""
        if not is_shown(inputs, expected, got):
            return None
        found = list(self.candidates(_tensors(inputs[0], self.task)))

        def part(right: Any, seen: Any) -> Any:
            seen = tensor_of(seen)
            if seen is None or tensor_of(right) is None:
                return None
            fitting = (one.to(seen.dtype) for one in found if one.shape == seen.shape)
            return next((one for one in fitting if torch.allclose(one, seen, rtol=1e-5)), None)

        return change_where_matching(expected, got, part)


def _tensors(program: Program, name: str) -> dict[str, torch.Tensor]:
    """Return the tensors that a program has bound to names when it first uses the task."""
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
            except RuntimeError:  # a backward pass of the program itself has freed the saved tensors
                continue
            if gradient is not None:
                yield gradient


def no_return(task: str) -> NoReturnMistake:
    """Make the mistake of returning None; try it before the general mistakes, which would explain the None."""
    sentence = (
        "Your function gave None back. Does every way through it end in a `return`, and did anything ever arrive in "
        "what it returns?"
    )
    return NoReturnMistake("None returned", sentence, task)


@functools.cache
def autograd_mistakes(task: str, oracle: Callable[..., Any]) -> tuple[AlteredAutogradMistake | WrongTensorMistake, ...]:
    """Make a task's mistakes under an altered autograd and those with a wrong tensor, the likeliest first."""
    return (
        AlteredAutogradMistake(
            "relu's gate forgotten",
            "The gradient is that of the way without the relu, also where the relu's input is below zero. Does your "
            "backward pass lead through the relu, and what is its slope there?",
            ReluAlwaysActive,
            oracle,
        ),
        AlteredAutogradMistake(
            "upstream gradient ignored",
            "This is what an upstream gradient of ones gives. The one that was handed in is a factor too. "
            "{read the upstream gradient}",
            UpstreamIgnored,
            oracle,
        ),
        AlteredAutogradMistake(
            "the output as the upstream gradient",
            "Every gradient is the right one times the value of the output. What was given as `grad_outputs`, or to "
            "`backward`? {read the upstream gradient}",
            OutputAsUpstream,
            oracle,
        ),
        WrongTensorMistake(
            "a value instead of a gradient",
            "A tensor of the program holds these numbers already. What should be computed from them?",
            _values,
            task,
        ),
        WrongTensorMistake(
            "gradient of something else",
            "This is a gradient, but it belongs to the wrong output or to the wrong tensor.",
            _gradients,
            task,
        ),
    )
