"""Why a node's gradient differs from the right one: said only where the numbers of the pass add up to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autograder.stepping.contributions import Contribution, Flow
from autograder.stepping.mistaken_shares import ShareOf, listed, mistaken_shares, without_sources
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
    shares = {user: right.share(user, node) for user in right.users[node]}
    known = {user: share for user, share in shares.items() if share is not None}
    if len(known) < len(shares):
        return ""

    def explains(change: float) -> bool:
        return bool(change) and close(expected - got, change, scale=scale)

    if said := _replaced(received, known, explains, label):
        return said
    arrived = {one.source for one in received}
    if None in arrived:
        return without_sources(node, got, known, right, label)
    missing = [user for user in known if user not in arrived and known[user]]
    if missing and explains(sum(known[user] for user in missing)):
        return _missing(missing, node, before, flow, label)
    off = []
    for user in arrived & known.keys():
        assert user is not None
        from_user = tuple(one for one in received if one.source == user)
        share = ShareOf(user, node, sum(one.new - one.old for one in from_user), known[user], from_user)
        if not close(share.got, share.expected, scale=scale):
            off.append(share)
    if off and explains(sum(one.expected - one.got for one in off)):
        return mistaken_shares(off, right, label)
    return ""


def _replaced(
    received: Sequence[Contribution], known: dict[int, float], explains: Callable[[float], bool], label: Label
) -> str:
    """Say that a share replaced what was there, if all that was lost so is all that is lacking."""
    lost = 0.0
    by: list[int] = []
    for one in received:
        if one.source is None or not one.old:
            continue
        share = known.get(one.source, one.new)
        if close(one.new, share) and not close(one.new - one.old, share):
            lost += one.old
            by.append(one.source)
    if not by or not explains(lost):
        return ""
    first = [one.source for one in received if one.source is not None and one.source != by[-1]]
    what = f"what had come over the path through {listed(first, label)}" if first else "what was there before"
    return f"what came over the path through `{label(by[-1])}` replaced {what}, and should have been added to it"


def _missing(missing: Sequence[int], node: int, before: int | None, flow: Flow, label: Label) -> str:
    later = {one.source for one in flow.to(node)}
    paths = f"what comes over the path{'s' * (len(missing) > 1)} through {listed(missing, label)}"
    if before is not None and set(missing) <= later:
        return f"{paths} had not arrived when `{label(node)}` passed its gradient on"
    return f"{paths} is missing"
