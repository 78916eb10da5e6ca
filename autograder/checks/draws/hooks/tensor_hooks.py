"""Programs that hook tensors: attach_savers, clip_on_the_way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from autograder.checks.draws.numbers import number, tensor_text
from autograder.checks.draws.tensor_graphs import tensor_graph
from autograder.probes.programs import Program

LEAF_GRADS = ("x.grad", "w.grad", "b.grad")


def _dict_text(names: Sequence[str]) -> str:
    return "{" + ", ".join(f'"{name}": {name}' for name in names) + "}"


def _sum_text(source: Random) -> str:
    """A graph whose sum hands one and the same gradient to u and b."""
    size = source.randint(2, 4)
    leaves = [f"{name} = {tensor_text(source, (size,), requires_grad=True)}\n" for name in "xwb"]
    factor = tensor_text(source, (size,))
    return "".join(leaves) + f"u = x * w\nv = u + b\na = ({factor} * v).sum()\n"


def _entries(name: str, keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{name}['{key}']" for key in keys)


def saved_twice(source: Random) -> tuple[Program]:
    """Two passes through one graph, the second from another upstream gradient."""
    graph = tensor_graph(source)
    names = graph.some(source)
    text = (
        f"{graph.text}grads = {{}}\nhandles = attach_savers({_dict_text(names)}, grads)\n"
        f"a.backward(retain_graph=True)\nfirst = dict(grads)\na.backward(torch.full_like(a, {number(source, 1.5)}))\n"
    )
    return (Program(text, ("sorted(grads)", *_entries("first", names), *_entries("grads", names), *LEAF_GRADS)),)


def saved_apart(source: Random) -> tuple[Program]:
    """One of the saved gradients is overwritten; the others are looked at."""
    names = list("buvx")
    source.shuffle(names)
    edited = source.choice("buv")
    text = (
        f"{_sum_text(source)}grads = {{}}\nattach_savers({_dict_text(names)}, grads)\na.backward()\n"
        f'if grads.get("{edited}") is not None:\n    grads["{edited}"].mul_({number(source, 1.5)})\n'
    )
    return (Program(text, ("sorted(grads)", *_entries("grads", names), "x.grad", "w.grad")),)


def savers_removed(source: Random) -> tuple[Program]:
    """One handle is removed before the first pass, the others before the second."""
    graph = tensor_graph(source)
    names = graph.some(source, least=3)
    index = source.randrange(len(names))
    text = (
        f"{graph.text}grads = {{}}\nhandles = attach_savers({_dict_text(names)}, grads)\nhandles[{index}].remove()\n"
        "a.backward(retain_graph=True)\nsaved = list(grads)\nfor handle in handles:\n    handle.remove()\n"
        "grads.clear()\na.backward()\n"
    )
    return (Program(text, ("len(handles)", "sorted(saved)", "len(grads)", f"counters.hooks_on({', '.join(names)})")),)


def _clipped(source: Random, low: float, high: float, upstream: str = "") -> Program:
    """A tensor of one or two axes whose gradient is known, and a max_norm as a multiple of its length."""
    shape = source.choice(((source.randint(2, 4),), (2, source.randint(2, 3))))
    numbers = [[number(source) for _ in range(shape[-1])] for _ in range(shape[0] if len(shape) == 2 else 1)]
    length = math.hypot(*(one for row in numbers for one in row))
    arriving = f"torch.tensor({numbers if len(shape) == 2 else numbers[0]}, dtype=torch.float64)"
    made = source.choice(("torch.sin(x) * w", "x * w", "x + w * w"))
    text = (
        f"x = {tensor_text(source, shape, requires_grad=True)}\nw = {tensor_text(source, shape, requires_grad=True)}\n"
        f"t = {made}\na = ({arriving} * t).sum() + (w * w).sum()\n"
        f"handle = clip_on_the_way(t, {length * source.uniform(low, high):.3f})\na.backward({upstream})\n"
    )
    return Program(text, ("x.grad", "w.grad"))


def too_long(source: Random) -> tuple[Program]:
    """A gradient that must be shortened."""
    return (_clipped(source, 0.15, 0.7),)


def short_enough(source: Random) -> tuple[Program]:
    """A gradient that fits, or is zero."""
    return (_clipped(source, 1.2, 3.0, source.choice(("", "torch.zeros_like(a)"))),)


def only_there(source: Random) -> tuple[Program]:
    """A leaf that shares its gradient's storage with u, and whose `.grad` holds something already."""
    text = _sum_text(source)
    text += (
        f"b.grad = 10 * torch.ones_like(b)\nhandle = clip_on_the_way(b, {source.uniform(0.1, 0.6):.2f})\na.backward()\n"
    )
    return (Program(text, LEAF_GRADS),)


def clipped_until_removed(source: Random) -> tuple[Program]:
    """Two passes with the hook, a third without."""
    text = (
        f"{_sum_text(source)}handle = clip_on_the_way(u, {source.uniform(0.1, 0.6):.2f})\nseen = []\n"
        "for _ in range(2):\n    x.grad = None\n    a.backward(retain_graph=True)\n    seen.append(x.grad)\n"
        "handle.remove()\nx.grad = None\na.backward()\n"
    )
    return (Program(text, ("seen[0]", "seen[1]", "x.grad", "counters.hooks_on(u)")),)
