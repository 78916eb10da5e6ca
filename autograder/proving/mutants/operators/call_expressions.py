"""Mutate calls: arguments swapped or dropped, calls dropped around their argument or after their object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autograder.proving.mutants.operators.rewriting import code, is_leaf, is_trailer, items, rewriting

SEQUENCES = ("arglist", "testlist_comp", "testlist", "testlist_star_expr", "exprlist", "subscriptlist")


@rewriting(("f(a, b, k=c)", "f(b, a, k=c)"), ("a = b, c", "a = c, b"), ("for a, b in c: pass", "for b, a in c: pass"))
def swapped_neighbours(node: Any) -> Iterator[str]:
    """Swap two neighbouring arguments, or entries of a tuple or list."""
    if node.type in SEQUENCES and not any(child.type == "sync_comp_for" for child in node.children):
        plain = [child for child in node.children if not is_leaf(child, ",")]
        for i in range(len(plain) - 1):
            if "argument" not in (plain[i].type, plain[i + 1].type):
                texts = items(node)
                texts[i], texts[i + 1] = texts[i + 1], texts[i]
                yield ", ".join(texts)


@rewriting(
    ("grad(y, create_graph=True)", "grad(create_graph=True)", "grad(y)"),
    ("y.backward(retain_graph=True)", "y.backward()"),
    ("zip(a, strict=True)", "zip(strict=True)", "zip(a)"),
)
def dropped_argument(node: Any) -> Iterator[str]:
    """Drop an argument, so that its default applies."""
    if is_trailer(node, "(") and len(node.children) == 3:
        inner = node.children[1]
        texts = items(inner) if inner.type == "arglist" else [code(inner)]
        for i in range(len(texts)):
            yield f"({', '.join(texts[:i] + texts[i + 1 :])})"


@rewriting(
    ("a = x.clone()", "a = x"),
    ("a = x.detach().clone()", "a = x.clone()", "a = x.detach()"),
    ("a = x.requires_grad_()", "a = x"),
    ("for a in reversed(b): pass", "for a in b: pass"),
    ("a = max(b, 0)", "a = b", "a = 0"),
    ("a = float(b - c) / d", "a = (b - c) / d"),
)
def dropped_call(node: Any) -> Iterator[str]:
    """Replace a call by its object or by one of its arguments."""
    if node.type != "atom_expr" or node.parent is None or node.parent.type in ("simple_stmt", "decorator"):
        return
    texts = [code(child) for child in node.children]
    for i in range(1, len(texts) - 1):
        if is_trailer(node.children[i], ".") and is_trailer(node.children[i + 1], "("):
            yield "".join(texts[:i] + texts[i + 2 :])
    last = node.children[-1]
    if is_trailer(last, "(") and len(last.children) == 3:
        inner = last.children[1]
        for one in inner.children if inner.type == "arglist" else [inner]:
            if one.type != "argument" and not is_leaf(one, ","):
                alone = one.type in ("name", "number", "string", "atom", "atom_expr")
                yield code(one) if alone else f"({code(one)})"


@rewriting(("todo.pop()", "todo.pop(0)"))
def other_end(node: Any) -> Iterator[str]:
    """Pop from the other end: a stack becomes a queue."""
    if is_trailer(node, "(") and len(node.children) == 2 and code(node.get_previous_sibling()) == ".pop":
        yield "(0)"


@rewriting(("x.mul_(2)", "x.mul(2)"))
def not_in_place(node: Any) -> Iterator[str]:
    """Replace an in-place method by its out-of-place counterpart, whose result is discarded."""
    if is_trailer(node, "."):
        name = node.children[1].value
        if name.endswith("_") and not name.endswith("__"):
            yield "." + name.removesuffix("_")
