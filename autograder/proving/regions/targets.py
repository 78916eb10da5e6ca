"""What regions are measured of: a task's function, or one method after the other of its class."""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any

import torch

from autograder.checks.task import Task
from autograder.proving.regions.declared import Declared
from autograder.proving.regions.vocabulary import ANY_CALL, OF_CALLS, names_in, regions_of


@dataclasses.dataclass(frozen=True)
class Target:
    """A function, a `torch.autograd.Function`, or a method of a class.

    Attributes:
        name: where the notebook has it: "f", "Value.__add__".
        signature: its parameters, without annotations.
        prefix: what its regions' names begin with: nothing, or "__add__: ".
        foreign: parameters that only other methods have.
    """

    name: str
    signature: inspect.Signature
    prefix: str = ""
    foreign: frozenset[str] = frozenset()

    @property
    def any_call(self) -> str:
        """The name of the region that every call has."""
        return self.prefix + ANY_CALL

    @property
    def parameters(self) -> list[str]:
        """The names of its parameters."""
        return list(self.signature.parameters)

    def regions(self, declared: Declared, arguments: dict[str, Any]) -> dict[str, str]:
        """Return the regions that a call with these arguments may have, each with its expression."""
        own = {region: text for region, text in declared.own.items() if not names_in(text) & self.foreign}
        found = {**OF_CALLS, **own}
        for name, value in arguments.items():
            found |= regions_of(name, value, declared.of_class.number if declared.of_class else None)
        return {self.prefix + region: text for region, text in found.items()}


def targets_of(task: Task, declared: Declared, names: dict[str, Any]) -> list[Target]:
    """List what a task's regions are measured of; `names` are those of the notebook.

    Raises:
        TypeError: for a class of which `regions.toml` says nothing.
    """
    if declared.of_class is None:
        return [Target(task.target, signature_of(names[task.target]))]
    owner = names[task.target]
    signatures = {method: signature_of(getattr(owner, method)) for method in declared.of_class.methods}
    every = frozenset(name for one in signatures.values() for name in one.parameters)
    return [
        Target(f"{task.target}.{method}", one, f"{method}: ", every - {*one.parameters})
        for method, one in signatures.items()
    ]


def signature_of(right: Any) -> inspect.Signature:
    """Return the parameters of a function, or those that `apply` of a Function takes, without annotations.

    Raises:
        TypeError: for another class.
    """
    if isinstance(right, type) and not issubclass(right, torch.autograd.Function):
        raise TypeError(f"{right.__name__} is a class: say in [class] of regions.toml which methods have regions")
    found = list(inspect.signature(getattr(right, "forward", right)).parameters.values())
    if getattr(right, "setup_context", None) is torch.autograd.Function.setup_context:
        found = found[1:]  # `ctx`
    return inspect.Signature([one.replace(annotation=inspect.Parameter.empty) for one in found])
