"""The kinds of mutations: operators of our own for gradients, then those of `autograder.proving.mutants`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cosmic_ray.operators import binary_operator_replacement, comparison_operator_replacement
from cosmic_ray.operators.operator import Operator

from autograder.proving.mutants.operators.arithmetic import (
    changed_accumulation,
    missing_bound,
    missing_operand,
    scaled_number,
    shifted_index,
    swapped_operands,
)
from autograder.proving.mutants.operators.call_expressions import dropped_argument, dropped_call, swapped_neighbours
from autograder.proving.mutants.operators.identifiers import counterpart, other_variable
from autograder.proving.mutants.operators.rewriting import code, is_leaf, is_trailer, rewriting
from autograder.proving.mutants.operators.statements import removed_statement

LISTS = ("testlist", "testlist_star_expr")
REDUCTIONS = ("sum", "mean", "amax", "cumsum", "norm")
UPSTREAM = (
    "torch.ones_like({})",
    "(2 * {})",
    "{}.detach()",
    "({}**2)",
    "{}.sum()",
    "{}.mean()",
    "{}.abs()",
    "({} + 1)",
)


@rewriting(("f(upstream)", *(f"f({one.format('upstream')})" for one in UPSTREAM)))
def changed_upstream(node: Any) -> Iterator[str]:
    """Drop, double, detach or otherwise change the upstream gradient where it is read."""
    if node.type == "name" and node.value == "upstream" and not node.is_definition() and node.parent.type != "param":
        yield from (one.format("upstream") for one in UPSTREAM)


@rewriting(("a.sum(1)", "a.sum(0)", "a.sum(-1)"), ("a.sum(0)", "a.sum(1)", "a.sum(-1)"))
def other_axis(node: Any) -> Iterator[str]:
    """Exchange the axis of a call."""
    if node.type == "number" and node.value in "012" and _is_argument(node):
        yield from (one for one in ("0", "1", "-1") if one != node.value)


def _is_argument(node: Any) -> bool:
    """Return whether a node is by itself an argument of a call."""
    trailer = node.search_ancestor("trailer")
    before = node.get_previous_leaf()
    return before is not None and before.value in ("(", ",", "=") and bool(trailer) and is_trailer(trailer, "(")


@rewriting(("a.sum(1, keepdim=True)", "a.sum(1, keepdim=False)"))
def no_keepdim(node: Any) -> Iterator[str]:
    """Turn `keepdim` off."""
    if node.type == "argument" and code(node) == "keepdim=True":
        yield "keepdim=False"


@rewriting(("a.sum(1)", "a.mean(1)", "a.amax(1)", "a.cumsum(1)", "a.norm(1)"))
def other_reduction(node: Any) -> Iterator[str]:
    """Exchange `sum`, `mean` and the like."""
    if node.type == "name" and node.value in REDUCTIONS and is_leaf(node.get_previous_sibling(), "."):
        yield from (one for one in REDUCTIONS if one != node.value)


@rewriting(("a.sum(1) + b", "a + b"))
def no_reduction(node: Any) -> Iterator[str]:
    """Remove `.sum(...)` and the like."""
    is_call = node.type == "atom_expr" and len(node.children) > 2 and is_trailer(node.children[-1], "(")
    if is_call and code(node.children[-2]).removeprefix(".") in REDUCTIONS:
        yield "".join(code(one) for one in node.children[:-2])


@rewriting(("a.mT", "a"), ("a @ b", "a @ b.mT", "a.mT @ b"))
def other_transposition(node: Any) -> Iterator[str]:
    """Drop a transposition, or add one."""
    if node.type == "atom_expr" and code(node.children[-1]) in (".mT", ".T"):
        yield "".join(code(one) for one in node.children[:-1])
    if node.type == "term" and len(node.children) == 3 and code(node.children[1]) == "@":
        one, _, other = map(code, node.children)
        yield from (f"{one} @ {other}.mT", f"{one}.mT @ {other}")


@rewriting(("a[1:n]", "a[2:n]", "a[0:n]"))
def off_by_one(node: Any) -> Iterator[str]:
    """Shift a number in an index, or in the argument of `range`, by one."""
    if node.type == "number" and node.value in "0123456789":
        trailer = node.search_ancestor("trailer")
        if trailer is not None and is_trailer(trailer, "["):
            yield from (str(int(node.value) + 1), str(int(node.value) - 1))


@rewriting(("return a, b", "return -(a), b", "return a, -(b)"), ("a + b - c", "a - b - c", "a + b + c"))
def other_sign(node: Any) -> Iterator[str]:
    """Change the sign of what is returned, or of a term."""
    yield from _returned(node, ("-({})",))
    if node.type == "arith_expr":
        texts = [code(one) for one in node.children]
        for at in range(1, len(texts), 2):
            yield " ".join([*texts[:at], "-" if texts[at] == "+" else "+", *texts[at + 1 :]])
    if node.type == "factor":
        yield code(node.children[1])


FACTORS = ("2 * ({})", "({}) / 2", "({}) / upstream.numel()", "({}) * upstream.shape[0]", "({}) / 3")


@rewriting(("return a", *(f"return {one.format('a')}" for one in FACTORS)))
def extra_factor(node: Any) -> Iterator[str]:
    """Multiply what is returned by a number, or by a length."""
    yield from _returned(node, FACTORS)


@rewriting(("return a, b", "return b, a", "return None, b", "return a, None", "return a, a", "return b, b"))
def exchanged_gradients(node: Any) -> Iterator[str]:
    """Return gradients in another order, one of them twice, or None for one."""
    if node.type == "return_stmt" and node.children[1].type in LISTS:
        one, other, *more = [code(child) for child in node.children[1].children[::2]]
        for pair in ((other, one), ("None", other), (one, "None"), (one, one), (other, other)):
            yield f"return {', '.join([*pair, *more])}"


def _returned(node: Any, changes: tuple[str, ...]) -> Iterator[str]:
    if node.type == "return_stmt":
        made = node.children[1]
        texts = [code(child) for child in made.children[::2]] if made.type in LISTS else [code(made)]
        for change in changes:
            for at, text in enumerate(texts):
                if text != "None":
                    yield f"return {', '.join([*texts[:at], change.format(text), *texts[at + 1 :]])}"


def _named(operators: tuple[type[Operator], ...], *ends: str) -> tuple[type[Operator], ...]:
    return tuple(one for one in operators if one.__name__.endswith(ends))


_SIGNS = ("Add", "Sub", "Mul", "Div", "Pow")
_PAIRS = tuple(f"_{one}_{other}" for one in _SIGNS for other in _SIGNS)
KINDS: dict[str, tuple[type[Operator], ...]] = {
    "upstream gradient dropped, doubled, detached or summed": (changed_upstream,),
    "sign changed": (other_sign,),
    "factor added": (extra_factor,),
    "axis changed": (other_axis,),
    "`keepdim` turned off": (no_keepdim,),
    "`sum`, `mean` and the like exchanged": (other_reduction,),
    "`.sum` and the like removed": (no_reduction,),
    "transposition dropped or added": (other_transposition,),
    "index off by one": (off_by_one, shifted_index, missing_bound),
    "comparison changed": tuple(comparison_operator_replacement.operators()),
    "returned gradients exchanged or None": (exchanged_gradients,),
    "term or factor dropped": (missing_operand,),
    "operator exchanged": (*_named(binary_operator_replacement.operators(), *_PAIRS), changed_accumulation),
    "operands exchanged": (swapped_operands,),
    "constant changed": (scaled_number,),
    "another tensor taken": (other_variable,),
    "tensors in another order": (swapped_neighbours,),
    "function exchanged or left out": (counterpart, dropped_call),
    "argument or line left out": (dropped_argument, removed_statement),
}
"""The first kind that makes a mutant counts."""
