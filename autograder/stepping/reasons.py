"""Why a node's gradient differs from the right one: said only where the numbers of the pass add up to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autograder.pictures.text import number
from autograder.stepping.contributions import Contribution, Flow
from autograder.stepping.operations import close
from autograder.stepping.right_sweep import Right

Label = Callable[[int], str]


def reason(node: int, got: float, before: int | None, flow: Flow, right: Right, label: Label) -> str:
    """Say why a gradient is wrong; "" if nothing explains it.

    Args:
        node: the node.
        got: its gradient, which differs from the right one.
        before: the time at which it was passed on; None if it is its last.
        flow: what happened.
        right: the right gradients.
        label: what a node is called.
    """
    expected, scale = right.of[node], right.size[node]
    if expected is None:
        return ""
    if node == 0:
        return "the output's gradient with respect to itself is 1"
    received = flow.to(node, before)
    shares = {user: right.share(user, node) for user in range(len(right.of)) if node in right.locals[user].slopes}
    if any(share is None for share in shares.values()):
        return ""
    known = {user: share for user, share in shares.items() if share is not None}

    def explains(change: float) -> bool:
        return bool(change) and close(expected - got, change, scale=scale)

    if said := _replaced(received, known, explains, label):
        return said
    from_user = {user: sum(one.new - one.old for one in received if one.source == user) for user in known}
    arrived = {one.source for one in received}
    if None not in arrived or not received:
        missing = [user for user in known if user not in arrived and known[user]]
        if missing and explains(sum(known[user] for user in missing)):
            return _missing(missing, node, before, flow, label)
    elif len(one := [user for user in known if explains(known[user])]) == 1:
        return f"what comes over the path through `{label(one[0])}` is missing"
    if None in arrived:
        return ""
    off = [user for user in known if not close(from_user[user], known[user], scale=scale)]
    if len(off) == 1 and off[0] in arrived and explains(known[off[0]] - from_user[off[0]]):
        times = [one for one in received if one.source == off[0]]
        return _share(off[0], node, from_user[off[0]], known[off[0]], times, right, label)
    if off and all(_follows(user, node, from_user[user], received, right, scale) for user in off):
        return f"what {_listed(off, label)} passed on was wrong already"
    return ""


def _replaced(
    received: Sequence[Contribution], known: dict[int, float], explains: Callable[[float], bool], label: Label
) -> str:
    lost = 0.0
    by: list[int] = []
    for one in received:
        if one.source is not None and one.old and close(one.new, known.get(one.source, one.new)):
            if not close(one.new - one.old, known.get(one.source, 0.0)):
                lost += one.old
                by.append(one.source)
    if not by or not explains(lost):
        return ""
    first = [one.source for one in received if one.source is not None and one.source != by[-1]]
    what = f"what had come over the path through {_listed(first, label)}" if first else "what was there before"
    return f"what came over the path through `{label(by[-1])}` replaced {what}, and should have been added to it"


def _missing(missing: Sequence[int], node: int, before: int | None, flow: Flow, label: Label) -> str:
    later = {one.source for one in flow.to(node)}
    paths = f"what comes over the path{'s' * (len(missing) > 1)} through {_listed(missing, label)}"
    if before is not None and set(missing) <= later:
        return f"{paths} had not arrived when `{label(node)}` passed its gradient on"
    return f"{paths} is missing"


def _share(
    user: int,
    node: int,
    got: float,
    expected: float,
    times: Sequence[Contribution],
    right: Right,
    label: Label,
) -> str:
    """Say what is wrong with what one user passed on, whose own gradient was right."""
    head = f"over the path through `{label(user)}` came {number(got)} in place of {number(expected)}"
    slope, upstream = right.locals[user].slopes[node], right.of[user]
    if not slope or not upstream or not all(close(one.upstream or 0.0, upstream) for one in times):
        return head
    if not right.locals[user].stored and len({one.time for one in times}) > 1 and _again(times, expected):
        return f"`{label(user)}` passed its gradient on {len(times)} times, and should do so once"
    if close(got, -expected):
        return f"{head}: the sign is wrong"
    if close(got, slope) and not close(upstream, 1.0):
        return f"{head}, which lacks the gradient that arrived at `{label(user)}`, {number(upstream)}, as a factor"
    if close(got, upstream):
        return f"{head}, which lacks the local derivative, {number(slope)}, as a factor"
    formula = right.locals[user].known
    what = f"The local derivative of `{label(user)}`" if formula is None else f"The derivative of `{label(user)}`"
    return (
        f"{head}. {what} with respect to `{label(node)}` is {number(slope)}, and {number(got / upstream)} was multiplied"
    )


def _again(times: Sequence[Contribution], expected: float) -> bool:
    return all(close(one.new - one.old, expected) for one in times)


def _follows(
    user: int, node: int, got: float, received: Sequence[Contribution], right: Right, scale: float
) -> bool:
    """Whether a user passed on what it held, rightly, and held something wrong."""
    slope, upstream = right.locals[user].slopes[node], right.of[user]
    held = [one.upstream for one in received if one.source == user]
    if slope is None or not held or held[-1] is None or upstream is None:
        return False
    return close(got, slope * held[-1], scale=scale) and not close(held[-1], upstream)


def _listed(nodes: Sequence[int | None], label: Label) -> str:
    names = list(dict.fromkeys(f"`{label(node)}`" for node in nodes if node is not None))
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
