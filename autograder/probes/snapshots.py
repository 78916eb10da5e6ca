"""Snapshots of what a call can reach, compared bit by bit with what is there afterwards.

A snapshot runs no torch operation, so that what counts operations, saved tensors or calls does not see it.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import torch
from torch import nn

from autograder.probes.process_state import PROCESS, process_state
from autograder.probes.states import first_numbers, module_state, tensor_state

PLAIN = frozenset((int, float, bool, str, bytes, complex, type(None), torch.Size, torch.dtype, torch.device))


class Change(NamedTuple):
    """One thing that is not as it was.

    Attributes:
        at: where, independent of parameter names: "0.weight" within the first argument, "=x.grad" of a global name.
        what: what changed, a key of `diagnosis.damage.DAMAGE`.
        of: what it belongs to: "tensor", "parameter", "buffer", "module", "container" or "process".
        now: the first numbers of a buffer afterwards.
    """

    at: str
    what: str
    of: str
    now: tuple[float, ...] = ()


class Snapshot:
    """The state of all tensors, modules and containers that can be reached from some roots, and of the process."""

    def __init__(self) -> None:
        self._states: list[tuple[str, Any, str, Callable[[Any], Any], Any]] = []
        self._seen: set[int] = set()
        self._process = process_state()

    def add(self, at: str, thing: Any, handed: bool = True) -> None:
        """Add what can be reached from a root.

        Args:
            at: the root's place.
            thing: the root.
            handed: whether the caller hands it over; if not, a leaf that requires a gradient counts as a parameter.
        """
        kind = type(thing)
        if kind in PLAIN or id(thing) in self._seen:
            return
        self._seen.add(id(thing))
        if isinstance(thing, torch.Tensor):
            own = kind is nn.Parameter or (not handed and thing.requires_grad and thing.is_leaf)
            self._keep(at, thing, "parameter" if own else "tensor", tensor_state)
        elif isinstance(thing, nn.Module):
            self._add_module(at, thing)
        elif kind is list or kind is tuple:
            if kind is list:
                self._keep(at, thing, "container", list)
            for index, item in enumerate(thing):
                self.add(f"{at}[{index}]", item, handed)
        elif kind is dict:
            self._keep(at, thing, "container", dict)
            for key, item in thing.items():
                self.add(f"{at}[{key!r}]", item, handed)
        elif isinstance(thing, torch.optim.Optimizer):
            for index, group in enumerate(thing.param_groups):
                self.add(f"{at}.param_groups[{index}]", group, handed)
        else:
            for name, inner in _held_by(thing):
                self.add(f"{at}.{name}" if name else at, inner, False)

    def _keep(self, at: str, thing: Any, of: str, state: Callable[[Any], Any]) -> None:
        self._states.append((at, thing, of, state, state(thing)))

    def _add_module(self, at: str, module: nn.Module) -> None:
        self._keep(at, module, "module", module_state)
        for of, tensors in (("parameter", module._parameters), ("buffer", module._buffers)):
            for name, tensor in tensors.items():
                if tensor is not None and id(tensor) not in self._seen:
                    self._seen.add(id(tensor))
                    self._keep(f"{at}.{name}", tensor, of, tensor_state)
        for name, child in module._modules.items():
            self.add(f"{at}.{name}", child)

    def changes(self) -> Iterator[Change]:
        """Yield what is not as it was; put back what changed in the process, so that nothing else suffers from it."""
        for at, thing, of, state, before in self._states:
            after = state(thing)
            if state in (list, dict):
                if not _same_items(before, after):
                    yield Change(at, "items", of)
            elif after != before:
                now = first_numbers(thing) if of == "buffer" else ()
                for what in before.differences(after):
                    yield Change(at, what, of, now)
        after = process_state()
        if after != self._process:
            for what, one, other in zip(PROCESS, self._process, after, strict=True):
                if one != other:
                    yield Change("", what, "process")
                    PROCESS[what](one)


def _same_items(before: Any, after: Any) -> bool:
    if len(before) != len(after):
        return False
    if isinstance(before, dict):
        return list(before) == list(after) and _same_items(list(before.values()), list(after.values()))
    return all(
        a is b or (type(a) is type(b) and type(a) in PLAIN and a == b) for a, b in zip(before, after, strict=True)
    )


def _held_by(thing: Any) -> Iterator[tuple[str, Any]]:
    """Yield the tensors, modules and functions that a function holds: closed over, bound, or named globals."""
    if isinstance(thing, types.FunctionType):
        for name, cell in zip(thing.__code__.co_freevars, thing.__closure__ or (), strict=True):
            try:
                inner = cell.cell_contents
            except ValueError:  # not yet filled
                continue
            if _is_state(inner):
                yield name, inner
        for name in thing.__code__.co_names:
            if _is_state(inner := thing.__globals__.get(name)):
                yield name, inner
    elif isinstance(thing, types.MethodType):
        yield "", thing.__self__
    elif isinstance(thing, functools.partial):
        yield from (("", inner) for inner in (thing.func, *thing.args, *thing.keywords.values()) if _is_state(inner))


def _is_state(thing: Any) -> bool:
    """Return whether a thing belongs to whoever closes over it: no list, in which a function may note its calls."""
    return isinstance(thing, torch.Tensor | nn.Module | types.FunctionType | types.MethodType | functools.partial)


def named_state(names: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the tensors and modules among a program's global names."""
    for name, value in names.items():
        if isinstance(value, torch.Tensor | nn.Module):
            yield f"={name}", value
