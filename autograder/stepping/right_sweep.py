"""The right gradients of a scalar engine's nodes: one number for each path's end, added up in the right order.

Nothing here has seen the engine's backward pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from autograder.pictures.engines import member
from autograder.pictures.parents import Parent
from autograder.stepping.hints import hints
from autograder.stepping.local_derivatives import Known, by_hints, by_number
from autograder.stepping.own_operators import by_own_operator
from autograder.stepping.writes import number_in

CANCELLED = 1e-7
"""Of a gradient, times the tolerance: an engine's 1 - t * t has lost its digits where tanh is flat."""


@dataclass
class Local:
    """How a node depends on its parents.

    Attributes:
        slopes: its derivative with respect to each of its parents, by the parent's index, over all edges between them.
        known: the operation, if one is known.
        places: its parents' indices, as the operation counts them: one for each edge.
        each: the derivative along each of these edges.
        stored: whether the derivatives are taken as the node stores them.
    """

    slopes: dict[int, float | None]
    places: Sequence[int] = ()
    each: Sequence[float | None] = ()
    known: Known | None = None
    stored: bool = False


@dataclass
class Right:
    """The right gradients.

    Attributes:
        of: by node; None where it is not known.
        size: what they were added up from, in absolute numbers: the scale of rounding.
        locals: by node.
        users: by node, the nodes that it goes into.
        order: the nodes from the output back, each after all its users; empty if the graph has a cycle.
    """

    of: list[float | None]
    size: list[float]
    locals: list[Local]
    users: list[list[int]]
    order: list[int] = field(default_factory=list)

    def share(self, user: int, node: int) -> float | None:
        """Return what a user contributes to a node's gradient."""
        slope, upstream = self.locals[user].slopes.get(node), self.of[user]
        return None if slope is None or upstream is None else slope * upstream


def right_sweep(found: Sequence[tuple[object, list[Parent]]]) -> Right:
    """Compute the right gradients.

    Args:
        found: each node with its parents, the output first, as `ancestors` gives them.
    """
    index_of = {id(node): at for at, (node, _) in enumerate(found)}
    values = [number_in(member(node, "data")) for node, _ in found]
    locals_ = [_local(node, parents, values[at], index_of, values) for at, (node, parents) in enumerate(found)]
    users: list[list[int]] = [[] for _ in found]
    for at, local in enumerate(locals_):
        for parent in local.slopes:
            users[parent].append(at)
    order = _order(locals_, users)
    right = Right([None] * len(found), [0.0] * len(found), locals_, users, order)
    for at in order:
        shares = [right.share(user, at) for user in users[at]]
        if at == 0:
            right.of[at], right.size[at] = 1.0, 1.0
        elif shares and None not in shares:
            right.of[at] = sum(one for one in shares if one is not None)
            upstream = sum(abs(right.of[user] or 0.0) for user in users[at])
            right.size[at] = sum(abs(one) for one in shares if one is not None) + CANCELLED * upstream
    return right


def _order(locals_: Sequence[Local], users: Sequence[Sequence[int]]) -> list[int]:
    waiting = [len(one) for one in users]
    order = [0] if locals_ and not waiting[0] else []
    for at in order:  # the list grows in the loop
        for parent in locals_[at].slopes:
            waiting[parent] -= 1
            if waiting[parent] == 0:
                order.append(parent)
    return order if len(order) == len(locals_) else []


def _local(
    node: object,
    pairs: Sequence[Parent],
    value: float | None,
    index_of: dict[int, int],
    values: Sequence[float | None],
) -> Local:
    """Find a node's local derivatives: by its operation, else as it stores them, else not at all."""
    pairs = [pair for pair in pairs if id(pair[0]) in index_of]
    places = [index_of[id(parent)] for parent, _ in pairs]
    unknown = Local(dict.fromkeys(places))
    if not pairs:
        return unknown
    numbers = [values[place] for place in places]
    found = hints(node, [parent for parent, _ in pairs])
    if not any(local is not None for _, local in pairs) and found.locals:
        kept = {id(parent) for parent, _ in found.locals}
        if kept == {id(parent) for parent, _ in pairs}:
            pairs = found.locals
            places = [index_of[id(parent)] for parent, _ in pairs]
            numbers = [values[place] for place in places]
    as_stored = None
    if all(type(local) in (int, float) for _, local in pairs):
        as_stored = [float(local) for _, local in pairs]  # type: ignore[arg-type]
    known = None
    if value is not None and None not in numbers:
        plain = [one for one in numbers if one is not None]
        order = None
        if found.order is not None:
            order = [next(at for at, (parent, _) in enumerate(pairs) if parent is one) for one in found.order]
        known = by_hints(value, plain, found, order)
        if known is None and as_stored is not None:
            known = by_own_operator(node, value, plain, as_stored)
        elif known is None:
            known = by_number(value, plain, found.unordered)
    if known is not None:
        return Local(_added(places, known.slopes), places, known.slopes, known)
    return unknown if as_stored is None else Local(_added(places, as_stored), places, as_stored, stored=True)


def _added(places: Sequence[int], found: Sequence[float | None]) -> dict[int, float | None]:
    """Add up over parallel edges."""
    total: dict[int, float | None] = {}
    for place, slope in zip(places, found, strict=True):
        so_far = total.get(place, 0.0)
        total[place] = None if slope is None or so_far is None else so_far + slope
    return total
