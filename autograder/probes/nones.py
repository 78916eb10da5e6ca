"""Find what was None where an exception says that something was: its text, and how it came to be None."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from types import FunctionType
from typing import Any, NamedTuple

import torch

from autograder.probes.places import UNKNOWN, Place, parents
from autograder.probes.registry import PROGRAM_FILE

IN_PLACE = {"backward", "append", "extend", "insert", "remove", "clear", "sort", "reverse", "update", "add", "step"}
"""Methods that change something and return None."""
NEVER_NONE = (
    ast.List,
    ast.Tuple,
    ast.Dict,
    ast.Set,
    ast.ListComp,
    ast.GeneratorExp,
    ast.DictComp,
    ast.SetComp,
    ast.JoinedStr,
    ast.Lambda,
    ast.Compare,
    ast.Slice,
)
LONGEST = 100
SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module


class Found(NamedTuple):
    """What was None.

    Attributes:
        text: the expression, as source.
        kind: how it came to be None, in words that `diagnosis.raised` matches.
        of: the tensor, function or expression that it came from; empty if none is known.
    """

    text: str
    kind: str
    of: str = ""


def what_was_none(place: Place, message: str, target: str, in_own_line: bool = True) -> Found | None:
    """Return the expression that was None where a line raised; None if there are several or none can be told.

    Args:
        place: where the exception arose.
        message: the exception's.
        target: the name of the task's definition.
        in_own_line: whether the exception arose in the line itself and not in Python code that it called.
    """
    if (node := place.node) is None:
        return None
    operands = list(_operands(node, parents(place.text)))
    if len(operands) == 2 and (types := re.search(r"'(\w+)' and '(\w+)'", message)):  # of an operator, in their order
        operands = [one for one, of in zip(operands, types.groups(), strict=True) if of == "NoneType"]
    values = [(one, place.value(one)) for one in operands]
    nones = [one for one, value in values if value is None and not isinstance(one, ast.Constant)]
    unknown = [one for one, value in values if value is UNKNOWN and not isinstance(one, NEVER_NONE)]
    candidates = nones or (unknown if in_own_line else [])
    if len(candidates) != 1:
        return None
    (holder,) = candidates
    kind, of = _origin(holder, place, target)
    return Found(_text(holder), kind, of)


def _operands(node: ast.AST, above: dict[ast.AST, ast.AST]) -> Iterator[ast.AST]:
    """Yield the expressions that the raising node itself uses."""
    match node:
        case ast.Attribute(value=of) | ast.Subscript(value=of) | ast.UnaryOp(operand=of):
            yield of
        case ast.BinOp(left=one, right=other):
            yield from (one, other)
        case ast.AugAssign(target=one, value=other):
            yield from (one, other)
        case ast.Compare(left=one, comparators=others):
            yield from (one, *others)
        case ast.Call(func=function, args=given, keywords=named):
            values = [one.value if isinstance(one, ast.Starred) else one for one in given]
            yield from (function, *values, *(one.value for one in named))
        case ast.For(iter=of) | ast.comprehension(iter=of):
            yield of
        case ast.ListComp() | ast.GeneratorExp() | ast.SetComp() | ast.DictComp():
            yield node.generators[0].iter
        case ast.Tuple() | ast.List() if isinstance(above.get(node), ast.Assign):
            yield above[node].value  # type: ignore[attr-defined]  # a name to unpack into
        case ast.expr():
            yield node  # what a loop or an unpacking goes through


def _origin(holder: ast.AST, place: Place, target: str, depth: int = 3) -> tuple[str, str]:
    """Return how an expression came to be None, and what it came from."""
    match holder:
        case ast.Attribute(value=of, attr="grad"):
            return _of_grad(place.value(of)), _text(of)
        case ast.Attribute(value=of, attr=name):
            return _of_attribute(place.value(of), name), _text(holder)
        case ast.Call(func=function):
            return _of_call(function, place, target), _text(function)
        case ast.Name(id=name) if depth:
            bound = _bindings(name, holder, place)
            if len(bound) == 1 and _is_grad_call(bound[0].value):
                return "an unused input's gradient", ""
            certain = [one.value for one in bound if one.whole and (len(bound) == 1 or place.value(one.value) is None)]
            if certain and isinstance(certain[-1], ast.expr) and not isinstance(certain[-1], ast.Constant):
                return _origin(certain[-1], place, target, depth - 1)
    return "something", ""


def _of_attribute(of: Any, name: str) -> str:
    does_without = isinstance(of, torch.nn.Module) and name in of.__dict__.get("_parameters", ())
    return "a parameter that the layer does without" if does_without else "something"


def _of_grad(of: Any) -> str:
    if not isinstance(of, torch.Tensor):
        return "a .grad"
    if not of.requires_grad:
        return "the .grad of a tensor that requires no gradient"
    if of.grad_fn is None:
        return "the .grad of a leaf"
    return f"the .grad of an inner tensor, made by {of.grad_fn.name()}"


def _of_call(function: ast.AST, place: Place, target: str) -> str:
    if place.code.co_filename == PROGRAM_FILE and _text(function).split(".")[-1] == target:
        return "returned by the task"
    called = place.value(function)
    if isinstance(function, ast.Attribute):
        of = place.value(function.value)
        called = inspect.getattr_static(type(of), function.attr, None)
        if function.attr == "backward" if of is UNKNOWN else function.attr in IN_PLACE and not _is_own(called, place):
            return "returned by a method that works in place"
    return "returned by a function of the notebook" if _is_own(called, place) else "returned by a call"


def _is_own(function: Any, place: Place) -> bool:
    return isinstance(function, FunctionType) and function.__globals__ is place.frame.f_globals


def _is_grad_call(node: ast.AST) -> bool:
    """Return whether this is a call of `torch.autograd.grad` that may give None, or goes through its results."""
    match node:
        case ast.Subscript(value=of):
            return _is_grad_call(of)
        case ast.Call(func=ast.Name(id="zip"), args=given):
            return any(map(_is_grad_call, given))
        case ast.Call(func=function, keywords=named):
            return _text(function).split(".")[-1] == "grad" and any(one.arg == "allow_unused" for one in named)
    return False


class _Binding(NamedTuple):
    """What a name was bound to: a value, or what a loop goes through or an unpacking takes apart."""

    value: ast.AST
    whole: bool


def _bindings(name: str, holder: ast.AST, place: Place) -> list[_Binding]:
    """Return what a function binds a name to, in lines up to the place."""
    above = parents(place.text)
    scope: ast.AST | None = holder
    while scope is not None and not isinstance(scope, SCOPES):
        scope = above.get(scope)
    found: list[tuple[int, _Binding]] = []
    for node in ast.walk(scope) if scope is not None else ():
        targets: list[ast.expr] = []
        match node:
            case ast.Assign(targets=targets, value=value):
                pass
            case ast.AnnAssign(target=one, value=ast.expr() as value) | ast.AugAssign(target=one, value=value):
                targets = [one]
            case ast.For(target=one, iter=value) | ast.comprehension(target=one, iter=value):
                targets = [one]
            case ast.arg() if node.arg == name:
                found.append((0, _Binding(node, False)))
        for one in targets:
            if any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(one)):
                whole = isinstance(one, ast.Name) and isinstance(node, ast.Assign | ast.AnnAssign)
                found.append((value.lineno, _Binding(value, whole)))
    return [binding for line, binding in sorted(found, key=lambda pair: pair[0]) if line <= place.line]


def _text(node: ast.AST) -> str:
    return ast.unparse(node)[:LONGEST] if isinstance(node, ast.expr) else ""
