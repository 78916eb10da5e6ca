"""What is wrong with the share that a user passed on to a node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from autograder.pictures.text import number
from autograder.stepping.contributions import Contribution
from autograder.stepping.figures import both, in_place_of
from autograder.stepping.operations import close
from autograder.stepping.right_sweep import Right

Label = Callable[[int], str]


@dataclass(frozen=True)
class ShareOf:
    """What came from one user, and what should have.

    Attributes:
        user: the user.
        node: the node that received it.
        got: what came.
        expected: what should have come.
        times: the writes.
    """

    user: int
    node: int
    got: float
    expected: float
    times: tuple[Contribution, ...]


def mistaken_shares(off: Sequence[ShareOf], right: Right, label: Label) -> str:
    """Say what is wrong with the shares that are, if it is the same with all of them."""
    if len(off) == 1:
        return _one(off[0], right, label)
    said = {_kind(one, right) for one in off}
    kind = said.pop() if len(said) == 1 else ""
    through = f"what came over the paths through {listed([one.user for one in off], label)}"
    return {
        "sign": f"{through} has the wrong sign",
        "upstream": f"{through} lacks the gradients that arrived there as factors",
        "local": f"{through} lacks the local derivatives as factors",
        "already": f"what {listed([one.user for one in off], label)} passed on was wrong already",
    }.get(kind, f"{through} is wrong")


def without_sources(node: int, got: float, known: dict[int, float], right: Right, label: Label) -> str:
    """Say what a number is, if no user's gradient was read for it: a sum of other things than shares."""
    through = f"through {listed(list(known), label)}" if known else ""
    path = f"path{'s' * (len(known) > 1)}"
    expected, scale = sum(known.values()), right.size[node]
    slopes = [right.locals[user].slopes[node] or 0.0 for user in known]
    upstream = [right.of[user] or 0.0 for user in known]
    if known and close(got, sum(slopes), scale=scale):
        plural = "s" * (len(known) > 1)
        return (
            f"that is the local derivative{plural} over the {path} {through}, without the gradient{plural} that "
            f"arrived there as factor{plural}"
        )
    if known and close(got, sum(upstream), scale=scale):
        return f"that is what arrived at {listed(list(known), label)}, without local derivatives as factors"
    if close(got, -expected, scale=scale):
        return "the sign is wrong"
    missing = [user for user, share in known.items() if share and close(expected - got, share, scale=scale)]
    return f"what comes over the path through `{label(missing[0])}` is missing" if len(missing) == 1 else ""


def _kind(one: ShareOf, right: Right) -> str:
    slope, upstream = right.locals[one.user].slopes[one.node], right.of[one.user]
    if slope is None or upstream is None:
        return ""
    held = one.times[-1].upstream
    if held is not None and not close(held, upstream):
        return "already" if close(one.got, slope * held) else ""
    if close(one.got, -one.expected):
        return "sign"
    if close(one.got, slope):
        return "upstream"
    return "local" if close(one.got, upstream) else ""


def _one(one: ShareOf, right: Right, label: Label) -> str:
    user = f"`{label(one.user)}`"
    head = f"over the path through {user} came {in_place_of(one.got, one.expected)}"
    kind = _kind(one, right)
    if kind == "already":
        return f"what {user} passed on was wrong already"
    local, upstream = right.locals[one.user], right.of[one.user]
    slope = local.slopes[one.node]
    if not slope or not upstream or not all(close(time.upstream or 0.0, upstream) for time in one.times):
        return head
    edges = [each for place, each in zip(local.places, local.each, strict=True) if place == one.node]
    if len(one.times) > len(edges) and close(one.got, one.expected * len(one.times) / len(edges)):
        return f"{user} passed its gradient on more than once"
    if len(edges) > 1 and any(each is not None and close(one.got, each * upstream) for each in edges):
        return f"{head}: `{label(one.node)}` goes into {user} {len(edges)} times, and only one of the shares arrived"
    if kind == "sign":
        return f"{head}: the sign is wrong"
    if kind == "upstream":
        return f"{head}, which lacks the gradient that arrived at {user}, {number(upstream)}, as a factor"
    if kind == "local":
        return f"{head}, which lacks the local derivative, {number(slope)}, as a factor"
    used, true = both(one.got / upstream, slope)
    return f"{head}. The derivative of {user} with respect to `{label(one.node)}` is {true}, and {used} was multiplied"


def listed(nodes: Sequence[int | None], label: Label) -> str:
    """Write the nodes' labels: "`u`, `v` and `w`"."""
    names = list(dict.fromkeys(f"`{label(node)}`" for node in nodes if node is not None))
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
