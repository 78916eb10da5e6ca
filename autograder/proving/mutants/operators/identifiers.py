"""Mutate names: another variable of the same function, the counterpart of a function or attribute, another key."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from autograder.proving.mutants.operators.rewriting import is_leaf, rewriting

COUNTERPARTS = (
    ("max", "min"), ("sum", "max"), ("any", "all"), ("sum", "mean"), ("zeros", "ones"), ("zeros_like", "ones_like"),
    ("data", "grad"), ("exp", "log"), ("sin", "cos"), ("tanh", "sin"), ("tanh", "exp"),
    ("relu", "tanh"), ("float64", "float32"), ("no_grad", "enable_grad"), ("detach", "clone"), ("vjp", "jvp"),
    ("argmax", "argmin"), ("unsqueeze", "squeeze"), ("is_leaf", "requires_grad"), ("append", "extend"),
    ("sqrt", "square"), ("matmul", "mul"), ("jacrev", "hessian"), ("reversed", "list"), ("int", "float"),
)  # fmt: skip


@rewriting(("max(a)", "min(a)"), ("x.data", "x.grad"))
def counterpart(node: Any) -> Iterator[str]:
    """Replace a function or attribute by one that is easily confused with it."""
    if node.type == "name" and not node.is_definition():
        for one, other in COUNTERPARTS:
            if node.value in (one, other):
                yield other if node.value == one else one


@rewriting(
    ("def f(x, w): return x", "def f(x, w): return w"),
    ("def f(x):\n    u = 2 * x\n    return u", "def f(x):\n    u = 2 * u\n    return u"),
)
def other_variable(node: Any) -> Iterator[str]:
    """Replace a variable by another parameter or variable of the same function."""
    if node.type != "name" or node.is_definition() or not _is_read(node):
        return
    function = node.search_ancestor("funcdef")
    known = _variables(function) if function else ()
    if node.value in known:
        yield from (name for name in known if name != node.value)


@rewriting(('{"u": 1}', '{"u_": 1}'))
def other_key(node: Any) -> Iterator[str]:
    """Change a string, except a docstring."""
    if node.type == "string" and node.parent is not None and node.parent.type != "simple_stmt":
        yield f"{node.value[:-1]}_{node.value[-1]}"


def _is_read(node: Any) -> bool:
    """Return whether a name is a variable that is read, not an attribute, a keyword of an argument or a parameter."""
    if node.parent is None or is_leaf(node.get_previous_sibling(), "."):
        return False
    if node.parent.type == "argument" and is_leaf(node.get_next_sibling(), "="):
        return False
    return node.search_ancestor("param") is None


@functools.lru_cache(maxsize=100)  # called for every name in the function
def _variables(function: Any) -> tuple[str, ...]:
    """Return the parameters and variables of a function, in source order."""
    found = [param.name.value for param in function.get_params()]
    leaf, last = function.children[-1].get_first_leaf(), function.get_last_leaf()
    while leaf is not None and leaf.start_pos <= last.start_pos:
        if leaf.type == "name" and leaf.is_definition() and leaf.search_ancestor("funcdef") is function:
            found.append(leaf.value)
        leaf = leaf.get_next_leaf()
    return tuple(dict.fromkeys(found))
