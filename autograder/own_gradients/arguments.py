"""What a user gives: a function's name and those of its arguments, and what is said where they cannot be used."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import nn


class NotExplainableError(Exception):
    """Raised for a function or inputs of which nothing can be said; its text says why, and what to do."""


def arguments_of(inputs: Any) -> tuple[list[Any], dict[str, Any]]:
    """Return what was given as positional and as named arguments.

    Raises:
        NotExplainableError: if it is neither a tensor, nor a sequence, nor a dict.
    """
    if isinstance(inputs, dict):
        return [], dict(inputs)
    if isinstance(inputs, torch.Tensor):
        return [inputs], {}
    if not isinstance(inputs, Sequence) or isinstance(inputs, str):
        raise NotExplainableError(f"the inputs are {what(inputs)}; give a tensor, a tuple of arguments, or a dict")
    return list(inputs), {}


def names_of(function: Callable[..., Any], number: int) -> list[str]:
    """Return a name for each positional argument, from the signature if it can be read."""
    owner = getattr(function, "__self__", None)
    skip = 0
    if inspect.isclass(owner) and issubclass(owner, torch.autograd.Function):
        of_class: Any = owner
        function = of_class.forward
        skip = 1 if of_class.setup_context is torch.autograd.Function.setup_context else 0
    if isinstance(function, nn.Module):
        function = function.forward
    try:
        parameters = list(inspect.signature(function).parameters.values())[skip:]
    except (TypeError, ValueError):
        parameters = []
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    known = [one.name for one in parameters if one.kind in kinds]
    return [known[at] if at < len(known) else f"argument {at}" for at in range(number)]


def name_of(function: Any) -> str:
    """Return what sentences and programs call a function; "function" for one without a name."""
    owner = getattr(function, "__self__", None)
    if inspect.isclass(owner):
        return f"{owner.__name__}.{function.__name__}"
    name = str(getattr(function, "__name__", type(function).__name__))
    return name if name.isidentifier() else "function"


def first_line(error: Exception) -> str:
    """Return the first line of an exception's text, shortened between words."""
    return textwrap.shorten((str(error).splitlines() or ["without a text"])[0], 200, placeholder=" ...")


def what(value: Any) -> str:
    """Return the kind of a value: "None", "a list", "an int"."""
    return "None" if value is None else f"{'an' if type(value).__name__[0] in 'aeiou' else 'a'} {type(value).__name__}"
