"""Mutate numbers and operands, beyond Cosmic Ray's replacement of single operators and constants."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autograder.proving.mutants.operators.rewriting import code, is_leaf, is_trailer, rewriting

CHAINS = ("arith_expr", "term", "power")
PARTNERS = {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}


@rewriting(("1 - a - b", "a - 1 - b", "1 - b - a"), ("a ** b", "b ** a"))
def swapped_operands(node: Any) -> Iterator[str]:
    """Swap the operands of an operator that does not commute: `a - b` becomes `b - a`."""
    if node.type in CHAINS and len(node.children) % 2:
        texts = [code(child) for child in node.children]
        for i in range(1, len(texts), 2):
            if texts[i] in ("-", "/", "//", "%", "**", "@"):
                swapped = [*texts[: i - 1], texts[i + 1], texts[i], texts[i - 1], *texts[i + 2 :]]
                yield " ".join(swapped)


@rewriting(("a * b", "b", "a"), ("a + b - c", "b - c", "a - c", "a + b"))
def missing_operand(node: Any) -> Iterator[str]:
    """Drop a factor or a term."""
    if node.type in CHAINS and len(node.children) % 2:
        texts = [code(child) for child in node.children]
        yield " ".join(texts[2:])
        for i in range(1, len(texts), 2):
            yield " ".join(texts[:i] + texts[i + 2 :])


@rewriting(("a = 2", "a = 0", "a = (-2)", "a = (2 * 2)"))
def scaled_number(node: Any) -> Iterator[str]:
    """Replace a constant by zero, its negative or its double."""
    if node.type == "number" and float(node.value.replace("_", "")):
        yield from ("0", f"(-{node.value})", f"(2 * {node.value})")


@rewriting(("a += b", "a = b", "a -= b"))
def changed_accumulation(node: Any) -> Iterator[str]:
    """Replace an accumulation by an assignment or by the inverse operation."""
    if is_leaf(node, *PARTNERS):
        yield from ("=", PARTNERS[node.value])


@rewriting(("a[i]", "a[i - 1]", "a[i + 1]"))
def shifted_index(node: Any) -> Iterator[str]:
    """Shift an index by one; Cosmic Ray does the same to constant indices."""
    if is_trailer(node, "[") and node.children[1].type in ("name", "arith_expr", "term", "atom_expr"):
        yield from (f"[{code(node.children[1])} - 1]", f"[{code(node.children[1])} + 1]")


@rewriting(("a[1:b]", "a[:b]", "a[1:]"))
def missing_bound(node: Any) -> Iterator[str]:
    """Drop one bound of a slice."""
    if node.type == "subscript":
        for i, child in enumerate(node.children):
            if not is_leaf(child, ":") and child.type != "sliceop":
                yield "".join(code(one) for one in node.children[:i] + node.children[i + 1 :])


@rewriting(("range(n)", "range(n - 1)", "range(n + 1)", "range(1, n)"))
def shifted_range(node: Any) -> Iterator[str]:
    """Iterate once too often or too rarely over a `range`."""
    if node.type == "atom_expr" and code(node.children[0]) == "range" and len(node.children[1].children) == 3:
        end = node.children[1].children[1]
        if end.type not in ("arglist", "argument"):
            yield from (f"range({code(end)} - 1)", f"range({code(end)} + 1)", f"range(1, {code(end)})")
