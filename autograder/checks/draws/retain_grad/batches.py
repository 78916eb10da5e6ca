"""Programs of micro_batches: a model, its samples and targets, a number of parts."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from autograder.checks.draws.models import chain, randn, seed_line
from autograder.probes.programs import Program

Draw = Callable[[Random], tuple[Program]]

LOSSES = (
    ("nn.MSELoss()", "float"),
    ("lambda output, target: ((output - target) ** 4).mean()", "float"),
    ("nn.CrossEntropyLoss()", "class"),
)


def micro_batches(*shown: str, sizes: Callable[[Random], tuple[int, int]], line: str = "") -> Draw:
    """`micro_batches` of a model.

    Args:
        shown: expressions; {most} stands for the most samples that a call may get.
        sizes: draws how many samples there are, and how many parts.
        line: what is done with the model before.
    """

    def draw(source: Random) -> tuple[Program]:
        count, parts = sizes(source)
        outputs = source.randint(2, 3)
        loss, kind = source.choice(LOSSES)
        y = randn(count, outputs) if kind == "float" else f"torch.arange({count}) % {outputs}"
        text = seed_line(source) + (
            f"model = {chain(source, 2, outputs, most=2)}.double().{source.choice(('train', 'eval'))}()\n"
            f"X = {randn(count, 2)}\ny = {y}\n"
        )
        text += f"{line}result = micro_batches(model, {loss}, X, y, {parts})\n"
        most = -(-count // parts)
        return (Program(text, tuple(one.format(most=most) for one in shown)),)

    return draw


def equal(source: Random) -> tuple[int, int]:
    """A multiple of the number of parts, and that number."""
    parts = source.randint(2, 3)
    return parts * source.randint(2, 3), parts


def unequal(source: Random) -> tuple[int, int]:
    """A number of samples that the number of parts does not divide."""
    return source.choice([(n, p) for n in range(4, 8) for p in range(2, n) if n % p])


def whole(source: Random) -> tuple[int, int]:
    """One part."""
    return source.randint(3, 6), 1
