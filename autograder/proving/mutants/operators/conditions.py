"""Mutate conditions: make them always or never true, or negate them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autograder.proving.mutants.operators.rewriting import code, is_leaf, rewriting


@rewriting(
    ("if a: pass", "if True: pass", "if False: pass"),
    ("a if b else c", "a if True else c", "a if False else c"),
    ("[a for a in b if a]", "[a for a in b if True]", "[a for a in b if False]"),
)
def forced_condition(node: Any) -> Iterator[str]:
    """Replace a condition by True or False."""
    if is_leaf(_before(node), "if", "elif", "while"):
        yield from ("True", "False")


@rewriting(("[a for a in b if a]", "[a for a in b if not (a)]"))
def negated_condition(node: Any) -> Iterator[str]:
    """Negate conditions in `elif` and comprehensions; Cosmic Ray does so in other statements and in ternaries."""
    before = _before(node)
    if is_leaf(before, "elif") or (is_leaf(before, "if") and node.parent.type == "comp_if"):
        yield f"not ({code(node)})"


@rewriting(("a in b", "a not in b"), ("a not in b", "a in b"))
def turned_membership(node: Any) -> Iterator[str]:
    """Swap `in` and `not in`."""
    if node.type == "comparison" and len(node.children) == 3:
        left, sign, right = map(code, node.children)
        if sign.split() in (["in"], ["not", "in"]):
            yield f"{left} {'in' if 'not' in sign else 'not in'} {right}"


@rewriting(("a and b", "a", "b"), ("a or b or c", "a", "b", "c"))
def single_condition(node: Any) -> Iterator[str]:
    """Reduce a conjunction or disjunction to one of its conditions."""
    if node.type in ("and_test", "or_test"):
        yield from (code(child) for child in node.children[::2])


def _before(node: Any) -> Any:
    return None if node.parent is None else node.get_previous_sibling()
