"""Drawn graphs of `Value` nodes and passes through them, which are asked of each task that writes `backward`."""

from __future__ import annotations

from random import Random

from autograder.probes.programs import Program

from .scalar_programs import PLUS, SCALED, TIMES, large, small


def passed(source: Random) -> tuple[Program]:
    """One pass through a graph that uses its nodes again, soon and late, with small and large gradients."""
    names, lines = _graph(source)
    return (Program("\n".join([*lines, "y.backward()\n"]), tuple(f"{name}.grad" for name in names)),)


def passed_again(source: Random) -> tuple[Program]:
    """Passes from several nodes of such a graph."""
    names, lines = _graph(source)
    outputs = source.sample(["y", "y", *names[2:-1]], 4)
    lines += [f"{name}.backward()" for name in ("y", *outputs)]
    return (Program("\n".join(lines) + "\n", ("a.grad", "b.grad")),)


def _graph(source: Random) -> tuple[list[str], list[str]]:
    """The names of the nodes, and the lines that make them."""
    leaves = source.sample((round(source.uniform(0.5, 1.5), 2), -round(source.uniform(0.5, 1.5), 2)), 2)
    names = ["a", "b"]
    lines = [f"{name} = Value({data})" for name, data in zip(names, leaves, strict=True)]
    for name in "cdef":
        pair = ", ".join(source.sample((names[-1], source.choice(names)), 2))
        lines.append(f"{name} = {source.choice(('plus', 'times'))}({pair})")
        names.append(name)
    lines += [f"g = scaled(f, {large(source)})", f"h = scaled({source.choice('cde')}, {small(source)})"]
    lines += ["i = plus(plus(g, h), f)", "y = plus(i, a)"]
    return [*names, *"ghiy"], [PLUS + TIMES + SCALED + lines[0], *lines[1:]]
