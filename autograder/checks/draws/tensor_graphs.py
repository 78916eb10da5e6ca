"""Random programs that build an autograd graph: three leaves, a few inner nodes, an output with one element."""

from __future__ import annotations

import dataclasses
from random import Random

from autograder.checks.draws.ends import of_size, span
from autograder.checks.draws.numbers import number, tensor_text

STATEMENTS = (
    "{p} * {q}",
    "{p} + {q}",
    "{p} - {q}",
    "torch.sin({p})",
    "torch.tanh({p}) * {q}",
    "torch.exp(-{p} * {p})",
    "{p} * {p}",
)
LEAVES, INNER = "xwb", "uvst"


@dataclasses.dataclass(frozen=True)
class GraphText:
    """The lines of a program that builds a graph, and the names in it.

    Attributes:
        text: the lines; the last makes the output.
        leaves, inner: names of tensors, which all have a path to the output.
        output: the output's name.
    """

    text: str
    leaves: tuple[str, ...]
    inner: tuple[str, ...]
    output: str = "a"

    @property
    def nodes(self) -> tuple[str, ...]:
        """The names of leaves and inner nodes."""
        return self.leaves + self.inner

    def some(self, source: Random, least: int = 2) -> list[str]:
        """Return some of the nodes in random order: at least one leaf, one inner node and `least` in all."""
        chosen = [source.choice(self.leaves), source.choice(self.inner)]
        others = [name for name in self.nodes if name not in chosen]
        chosen += source.sample(others, source.randint(max(0, least - 2), len(others)))
        source.shuffle(chosen)
        return chosen


def tensor_graph(source: Random) -> GraphText:
    """Draw a graph with leaves of shape () or (n,), three or four inner nodes, and an output of shape () or (1,).

    Within a draw at an end the output, and with it the gradients, are of the size that is drawn there.
    """
    factor = abs(number(source)) if span() else None
    with of_size(None):
        return _tensor_graph(source, factor)


def _tensor_graph(source: Random, factor: float | None) -> GraphText:
    size = source.randint(2, 3)
    shapes = [(size,), (), (size,)]
    source.shuffle(shapes)
    lines = [
        f"{name} = {tensor_text(source, shape, requires_grad=True)}" for name, shape in zip(LEAVES, shapes, strict=True)
    ]
    names, unused = list(LEAVES), set(LEAVES)
    for name in INNER[: source.randint(3, 4)]:
        p, q = source.sample(names, 2)
        statement = source.choice(STATEMENTS)
        lines.append(f"{name} = {statement.format(p=p, q=q)}")
        unused -= {operand for operand in (p, q) if "{" + ("p" if operand == p else "q") + "}" in statement}
        names.append(name)
        unused.add(name)
    terms = [f"(1 + {i}) * {name}.sum()" for i, name in enumerate(sorted(unused))]
    output = f"torch.log(1 + ({' + '.join(terms)}) ** 2)"
    if factor:
        output = f"({factor} * (1 + torch.tanh({output} / 4) / 2))"
    lines.append(f"a = {output}" + source.choice(("", ".reshape(1)")))
    return GraphText("\n".join(lines) + "\n", tuple(LEAVES), tuple(names[len(LEAVES) :]))
