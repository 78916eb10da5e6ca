"""Stepping through the backward pass of a student's own scalar engine, as it really runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from autograder.pictures.ancestors import ancestors
from autograder.pictures.engines import MISSING, OPERATION, member, word
from autograder.pictures.parents import family
from autograder.pictures.text import clean, count, number
from autograder.stepping.contributions import Flow, flow
from autograder.stepping.figures import both
from autograder.stepping.labels import labels_of
from autograder.stepping.operations import close
from autograder.stepping.reasons import reason
from autograder.stepping.right_sweep import Local, Right, right_sweep
from autograder.stepping.sweep import UNKNOWN, Place, Step, Sweep
from autograder.stepping.watched_run import STALE, method_of, watched_run

ABSENT = "nothing"


def engine_sweep(output: Any, names: Mapping[str, object], backward: Callable[[], object] | None) -> Sweep:
    """Run an engine's backward pass once, watched, and compare it with the right one.

    Args:
        output: the node to start from.
        names: nodes by name.
        backward: the pass; `output.backward` if None.

    Raises:
        TypeError: `output` is not a node of an engine, or has no backward pass.
    """
    if not family(output) or issubclass(type(output), type) or member(output, "data") is MISSING:
        what = clean(type.__getattribute__(type(output), "__name__"))
        raise TypeError(f"step_through() takes a tensor or a node with .data, .grad and its parents, not {what}")
    run = backward or method_of(output)
    found = ancestors(output)
    nodes = [node for node, _ in found]
    right = right_sweep(found)
    texts = labels_of(found, right, names)
    log, finals, ended, notes = watched_run(nodes, run)
    notes = [*_assumed(right, texts), *notes]
    if STALE in notes:
        right.of = [None] * len(found)
    if not log.writes and not any(finals):
        ended = ended or "Your backward pass wrote no gradient into these nodes."
    if len(found) == 1:
        notes.append(f"`{texts[0]}` holds no other node: if it was computed, its inputs are not stored in it")
    happened = flow(log.writes, right)
    if not happened.used and log.writes:
        notes.append(
            "Your pass keeps its gradients elsewhere until they are complete, so the steps go from the output back"
        )
    places = [_place(node, label, local) for node, label, local in zip(nodes, texts, right.locals, strict=True)]
    steps = _steps(finals, happened, right, texts, failed=bool(ended)) if any(finals) or log.writes else []
    changes = [(write.node, ABSENT if write.new is None else number(write.new)) for write in log.writes]
    if not changes:
        changes = [(at, number(one)) for at, one in enumerate(finals) if one is not None]
        steps = [Step(one.node, one.yours, one.right, one.differs, one.because, len(changes)) for one in steps]
    edges = [
        (parent, user, _slope(local.slopes[parent]))
        for user, local in enumerate(right.locals)
        for parent in local.slopes
    ]
    return Sweep(places, edges, steps, changes, notes, ended)


def _steps(
    finals: Sequence[float | None], happened: Flow, right: Right, texts: Sequence[str], *, failed: bool
) -> list[Step]:
    """Make a step for each node, at the time at which its gradient is first passed on, else when it is complete."""
    back = {node: at for at, node in enumerate(right.order)}
    cleared = _cleared(finals, happened, right)
    agree = not failed and all(
        right.of[at] is None or at in cleared or _right(one or 0.0, at, right) for at, one in enumerate(finals)
    )
    after_all = max(happened.last.values(), default=-1)
    timed = []
    for at, final in enumerate(finals):
        used = happened.used.get(at)
        if used is None and at in cleared:
            continue
        got = final if used is None or agree else used[1]
        time = used[0] if used else happened.last.get(at, _due(at, happened, right, after_all)) + 1
        differs = not agree and not (failed and used is None) and right.of[at] is not None
        differs = differs and not _right(got or 0.0, at, right)
        because = ""
        if differs:
            because = reason(at, got or 0.0, used[0] if used else None, happened, right, texts.__getitem__)
        expected = right.of[at]
        yours, shown = number(got), UNKNOWN if expected is None else number(expected)
        if differs and expected is not None:
            yours, shown = both(got or 0.0, expected)
        because = because or (_unknown(at, right, texts) if expected is None else "")
        step = Step(at, ABSENT if got is None else yours, shown, differs, because, time)
        # Without sources, the order of writing says nothing about who came first.
        timed.append(((time if happened.used else 0, back.get(at, at)), step))
    return [step for _, step in sorted(timed, key=lambda pair: pair[0])]


def _due(at: int, happened: Flow, right: Right, after_all: int) -> int:
    """Return the time at which the last of a node's users passed its gradient on, to others."""
    times = [happened.given.get(user, after_all) for user in right.users[at]]
    return max(times, default=after_all)


def _cleared(finals: Sequence[float | None], happened: Flow, right: Right) -> set[int]:
    """Return the inner nodes that keep no gradient: an engine may clear them after use, or keep them elsewhere."""
    inner = {at for at, local in enumerate(right.locals) if local.slopes and at}
    empty = {at for at in inner if not finals[at]}
    if not happened.used and empty == inner:
        return empty
    return {at for at in empty if at in happened.used and _right(happened.used[at][1] or 0.0, at, right)}


def _right(got: float, at: int, right: Right) -> bool:
    expected = right.of[at]
    return expected is not None and close(got, expected, scale=right.size[at])


def _unknown(at: int, right: Right, texts: Sequence[str]) -> str:
    """Say which user makes the right gradient unknown."""
    if not right.order:
        return "the nodes form a cycle"
    for user in right.users[at]:
        local = right.locals[user]
        if local.slopes[at] is None and right.of[user] is not None:
            if local.known is not None:
                return f"`{texts[user]}` has no derivative with respect to it at these numbers"
            return f"neither its number nor what it stores tells which operation made `{texts[user]}`"
    return ""


def _assumed(right: Right, texts: Sequence[str]) -> list[str]:
    """Say of which nodes the local derivatives are taken as they store them."""
    taken = [f"`{texts[at]}`" for at, local in enumerate(right.locals) if local.stored]
    if not taken:
        return []
    named = ", ".join(taken[:3]) + (f" and {count(len(taken) - 3, 'other')}" if len(taken) > 3 else "")
    return [f"Which operation made {named} is not known: the local derivatives are taken as stored"]


def _place(node: object, label: str, local: Local) -> Place:
    kind = word(node, OPERATION) or ("" if local.known is None else local.known.operation.name)
    value = member(node, "data")
    return Place(label, kind, "" if value is MISSING else number(value))


def _slope(slope: float | None) -> str:
    return "" if slope is None else number(slope)
