"""The regions that an argument has by its kind, as expressions in which `_` is the argument.

Expressions, because a mutant is the text of a cell. One that raises for an argument does not hold for it.
"""

from __future__ import annotations

import ast
import functools
import re
from types import CodeType
from typing import Any

import torch
from torch import nn

ANY_CALL = "any call"
OF_CALLS = {ANY_CALL: "True", "a second call": "_calls > 1"}
"""The regions that every task has; `_calls` counts the calls of the function, this one included."""
NUMBERS = {"negative": "_ < 0", "0": "_ == 0"}
AXES = {
    "no axis": "_.dim() == 0",
    "one axis": "_.dim() == 1",
    "two axes": "_.dim() == 2",
    "more axes": "_.dim() > 2",
    "a first axis of length 1": "_.shape[0] == 1",
    "a last axis of length 1": "_.shape[-1] == 1",
}
ITEMS = {
    "empty": "len(_) == 0",
    "one item": "len(_) == 1",
    "the same item twice": "len({id(one) for one in _}) < len(_)",
    "a leaf among them": "any(one.is_leaf for one in _)",
    "an inner node among them": "not all(one.is_leaf for one in _)",
    "no axis among them": "any(one.dim() == 0 for one in _)",
    "an axis of length 1 among them": "any(1 in one.shape for one in _)",
    "float32 among them": "any(one.dtype == torch.float32 for one in _)",
    "float64 among them": "any(one.dtype == torch.float64 for one in _)",
    "a filled .grad among them": "any(one.is_leaf and one.grad is not None for one in _)",
}
OF_FLOATS = {
    **NUMBERS,
    "beyond 100": "abs(_) > 100",
    "below 0.01": "0 < abs(_) < 0.01",
    "near a million": "abs(_) > 1e5",
    "near a millionth": "0 < abs(_) < 1e-5",
}
VOCABULARY: dict[str, dict[str, str]] = {
    "float": OF_FLOATS,
    "int": {**NUMBERS, "1": "_ == 1"},
    "bool": {"True": "_", "False": "not _"},
    "tensor": {
        "a negative entry": "(_ < 0).any()",
        "an entry 0": "(_ == 0).any()",
        "an entry beyond 100": "(_.abs() > 100).any()",
        "an entry below 0.01": "((_ != 0) & (_.abs() < 0.01)).any()",
        "all entries 0": "_.numel() and not _.any()",
        "all entries near a million": "_.numel() and (_.abs() > 1e5).all()",
        "all entries near a millionth": "_.numel() and ((_ != 0) & (_.abs() < 1e-5)).all()",
        "equal entries": "_.unique().numel() < _.numel()",
        **AXES,
        "oblong": "_.shape[-1] != _.shape[-2]",
        "float32": "_.dtype == torch.float32",
        "float64": "_.dtype == torch.float64",
        "not contiguous": "not _.is_contiguous()",
        "no gradient required": "not _.requires_grad",
        "a leaf": "_.is_leaf and _.requires_grad",
        "an inner node": "not _.is_leaf",
        "a filled .grad": "_.is_leaf and _.grad is not None",
    },
    "whole tensor": {**AXES, "an entry 0": "(_ == 0).any()", "equal entries": "_.unique().numel() < _.numel()"},
    "module": {
        "in training mode": "_.training",
        "in evaluation mode": "not _.training",
        "float32": "next(_.parameters()).dtype == torch.float32",
        "float64": "next(_.parameters()).dtype == torch.float64",
        "frozen": "not any(one.requires_grad for one in [*_.parameters()] or [torch.ones(1, requires_grad=True)])",
        "a filled .grad": "any(one.grad is not None for one in _.parameters())",
    },
    "sequence": ITEMS,
    "dict": {region: text.replace("in _", "in _.values()") for region, text in ITEMS.items()},
}
"""From the kind of an argument to its regions."""
ENDS = LARGE, SMALL = "near a million", "near a millionth"
"""How the regions end whose numbers are at an end of what every opening promises."""
UPSTREAM = "what arrives: "
OF_UPSTREAM = {
    UPSTREAM + region: f"any({text} for _ in _upstream)"
    for region, text in {
        "all entries 0": "_.numel() and not _.any()",
        "all entries near a million": "_.numel() and (_.abs() > 1e5).all()",
        "all entries near a millionth": "_.numel() and ((_ != 0) & (_.abs() < 1e-5)).all()",
        "not contiguous": "not _.is_contiguous()",
        "expanded": "_.numel() > 1 and 0 in _.stride()",
        "with a graph of its own": "_.requires_grad",
    }.items()
}
"""The regions of the gradients that arrive at a Function or at a hook; no argument shows them."""
OF_TENSORS = frozenset(ITEMS) - {"empty", "one item"}
"""The regions of a sequence or a dict that only one of tensors has."""


def kind_of(value: Any) -> str | None:
    """Return the kind of an argument; None for one without a vocabulary, such as a function."""
    if isinstance(value, torch.Tensor):
        return "tensor" if value.is_floating_point() or value.is_complex() else "whole tensor"
    kinds = {bool: "bool", int: "int", float: "float", nn.Module: "module", dict: "dict"}
    return next((kind for one, kind in kinds.items() if isinstance(value, one)), None) or (
        "sequence" if isinstance(value, list | tuple) else None
    )


def regions_of(name: str, value: Any, number: str | None = None) -> dict[str, str]:
    """Return the regions of an argument: from "x: an entry 0" to an expression of the argument's name.

    Args:
        name: the argument's name.
        value: the argument.
        number: the attribute by which an object of the task's own class holds a number, if it does.
    """
    kind = kind_of(value)
    if kind is None and number and hasattr(value, number):
        name, kind = f"{name}.{number}", "float"
    known = VOCABULARY[kind] if kind else {}
    items = value.values() if kind == "dict" else value if kind == "sequence" else ()
    if not (items and all(isinstance(one, torch.Tensor) for one in items)):
        known = {region: text for region, text in known.items() if region not in OF_TENSORS}
    return {f"{name}: {region}": re.sub(r"\b_\b", name, text) for region, text in known.items()}


def names_in(text: str) -> frozenset[str]:
    """Return the names of variables that an expression reads."""
    return frozenset(node.id for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name))


def holds(text: str, names: dict[str, Any]) -> bool:
    """Return whether an expression is true of these names; False where it raises."""
    try:
        return bool(eval(_compiled(text), {"torch": torch, **names}))
    except Exception:
        return False


@functools.lru_cache(1024)
def _compiled(text: str) -> CodeType:
    return compile(text, "<a region>", "eval")
