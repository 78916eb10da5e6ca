"""Mutate statements: drop or reorder them, return nothing, enter no context."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autograder.proving.mutants.operators.rewriting import code, rewriting

KEPT = ("pass", "break", "continue", "global", "nonlocal", "import", "from")
COMPOUND = ("for_stmt", "if_stmt", "while_stmt", "with_stmt", "try_stmt")


@rewriting(
    ("y.retain_grad()\n", "pass\n"),
    ("optimizer.zero_grad()\n", "pass\n"),
    ("for a in b:\n    c()\n", "pass\n", "for a in b:\n    pass\n"),
)
def removed_statement(node: Any) -> Iterator[str]:
    """Drop a line or a block."""
    removable = node.type == "simple_stmt" and node.children[0].type != "string"
    if (removable and code(node).split()[0] not in KEPT) or node.type in COMPOUND:
        yield "pass\n"


@rewriting(("def f(): return a", "def f(): return None"))
def nothing_returned(node: Any) -> Iterator[str]:
    """Return None instead of the result."""
    if node.type == "return_stmt" and code(node) != "return None":
        yield "return None"


@rewriting(("with torch.no_grad():\n    a()\n", "if True:\n    a()\n"))
def dropped_context(node: Any) -> Iterator[str]:
    """Run a block without its context manager."""
    if node.type == "with_stmt":
        yield f"if True:{node.children[-1].get_code()}"


@rewriting(("if a:\n    y.backward()\n    w.grad = 0\n", "if a:\n    w.grad = 0\n    y.backward()\n"))
def swapped_lines(node: Any) -> Iterator[str]:
    """Swap two neighbouring lines, which may put zero_grad between backward and step."""
    if node.type == "suite":
        first, *lines = node.children
        for i in range(len(lines) - 1):
            if lines[i].type == lines[i + 1].type == "simple_stmt" and lines[i].children[0].type != "string":
                swapped = [*lines[:i], lines[i + 1], lines[i], *lines[i + 2 :]]
                yield code(first) + "".join(line.get_code() for line in swapped)
