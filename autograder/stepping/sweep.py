"""A backward pass as data: a graph's nodes, and the steps in which their gradients came about, beside right ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

UNKNOWN = "?"
"""Written in place of a right number that nothing tells."""


@dataclass(frozen=True)
class Place:
    """A node of the graph that a pass went through.

    Attributes:
        label: what sentences and tables call it; no other node of the graph has it.
        kind: its operation; empty for a leaf.
        value: its number, or its shape; empty if that is not known.
    """

    label: str
    kind: str = ""
    value: str = ""


@dataclass(frozen=True)
class Step:
    """The moment at which a node's gradient is used, or is complete.

    Attributes:
        node: the node's index.
        yours: the gradient that the pass gives it.
        right: the gradient that the right sweep gives it; `UNKNOWN` if nothing tells.
        differs: whether the two differ.
        because: why they differ, or why the right one is not known; empty if nothing is certain.
        time: how many changes of gradients came before.
    """

    node: int
    yours: str
    right: str
    differs: bool = False
    because: str = ""
    time: int = 0


@dataclass(frozen=True)
class Sweep:
    """A backward pass that was observed, beside the right one.

    Attributes:
        places: the nodes, inputs before their users; the output is among them.
        edges: (input, user, local derivative or "") by the nodes' indices.
        steps: in the order in which they happened.
        changes: (node, its gradient from then on), in order.
        notes: what was assumed, and what could not be seen.
        ended: how the pass failed; empty if it came to its end.
    """

    places: Sequence[Place]
    edges: Sequence[tuple[int, int, str]]
    steps: Sequence[Step]
    changes: Sequence[tuple[int, str]] = ()
    notes: Sequence[str] = field(default=())
    ended: str = ""

    @property
    def first(self) -> int | None:
        """The index of the first step whose number differs; None if no number is known to."""
        return next((at for at, step in enumerate(self.steps) if step.differs), None)

    def sentence(self, at: int) -> str:
        """Say what happens at a step, and what differs there."""
        step = self.steps[at]
        head = f"Step {at + 1} of {len(self.steps)}: `{self.places[step.node].label}` received {step.yours}"
        if step.differs:
            return f"{head}, the right sweep gives it {step.right}" + (f": {step.because}." if step.because else ".")
        if step.right == UNKNOWN:
            why = step.because or "what the steps before it pass on is not known"
            return f"{head}. Whether that is right cannot be told here: {why}."
        return f"{head}, as in the right sweep" + (f" ({step.because})." if step.because else ".")

    def summary(self) -> str:
        """Say in one sentence how the pass compares with the right one."""
        if self.first is not None:
            return self.sentence(self.first)
        if not self.steps:
            return self.ended or "There is nothing to step through."
        known = [step for step in self.steps if step.right != UNKNOWN]
        if self.ended:
            return self.ended
        if not known:
            return "Which numbers are right cannot be told here; these are yours."
        if len(known) < len(self.steps):
            return (
                f"{len(known)} of {len(self.steps)} steps agree with the right sweep; of the others, the right number "
                "is not known."
            )
        every = "The only step agrees" if len(known) == 1 else f"All {len(known)} steps agree"
        return f"{every} with the right sweep."

    def gradients(self, at: int) -> dict[int, str]:
        """Return the gradients that nodes have at a step, by their indices."""
        return dict(self.changes[: self.steps[at].time])
