"""Draws of exercise 05: programs that ask for derivatives with respect to single elements."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

from autograder.checks.draws.attempts import passing
from autograder.checks.draws.numbers import number, tensor_text
from autograder.probes.programs import Program

Draw = Callable[[Random], tuple[Program]]
F64 = "dtype=torch.float64"


def total_and_direct(*shown: str, filled: bool = False) -> Draw:
    """A leaf, its `.grad` filled before or not."""

    def draw(source: Random) -> tuple[Program]:
        size = source.randint(2, 6)
        i = source.randrange(-size, size)
        x = _numbers(source, size, lambda x: min(abs(sum(x)), abs(sum(x) - x[i])) > 0.3)
        text = f"x = torch.tensor({x}, {F64}, requires_grad=True)\n" + _fill("x", source, size, filled)
        return (Program(f"{text}result = total_and_direct(x, {i})\n", shown),)

    return draw


def vectorised_element(*shown: str, filled: bool = False) -> Draw:
    """A tensor and weights; where it is filled, its `.grad` holds something and it may require a gradient."""

    def draw(source: Random) -> tuple[Program]:
        size = source.randint(2, 6)
        i = source.randrange(-size, size)
        w = _numbers(source, size, lambda w: True)

        def telling(x: list[float]) -> bool:
            products = [a * b for a, b in zip(x, w, strict=True)]
            distinct = abs(abs(x[i]) - abs(w[i])) > 0.1
            return distinct and min(abs(sum(products)), abs(sum(products) - products[i])) > 0.3

        x = _numbers(source, size, telling)
        flag = source.choice(("", ", requires_grad=True")) if filled else ""
        text = f"x = torch.tensor({x}, {F64}{flag})\nw = torch.tensor({w}, {F64})\n"
        text += _fill("x", source, size, filled)
        return (Program(f"{text}result = vectorised_element(x, w, {i})\n", shown),)

    return draw


def _numbers(source: Random, size: int, wanted: Callable[[list[float]], bool]) -> list[float]:
    return passing(lambda: [number(source) for _ in range(size)], wanted)


def _fill(name: str, source: Random, size: int, filled: bool) -> str:
    return f"{name}.grad = {tensor_text(source, (size,))}\n" if filled else ""


FS = (
    ("lambda x: A @ x", "A", lambda m, n: (n, m), lambda m, n: n),
    ("lambda x: torch.tanh(A @ x)", "A", lambda m, n: (n, m), lambda m, n: n),
    ("lambda x: torch.cumsum(A * x**3, 0)", "A", lambda m, n: (m,), lambda m, n: m),
    ("lambda x: torch.outer(x, A * x).flatten()", "A", lambda m, n: (m,), lambda m, n: m * m),
    ("lambda x: torch.cat([A * x.flip(0), torch.sin(x)])", "A", lambda m, n: (m,), lambda m, n: 2 * m),
)
"""Functions from m to n elements: text, the name of their coefficients, the shape of those, the size of h."""
GS = (
    "lambda h: (c * h**3).sum()",
    "lambda h: (c * h).sum() ** 2 + h[0] * h[-1]",
    "lambda h: torch.sqrt(1 + (h * h).sum()) * c.sum()",
    "lambda h: (c * torch.sin(h)).sum() * h.sum()",
    "lambda h: (c * h.flip(0) * h).sum().reshape(1) + (h**2).sum()",
)
"""Functions of h with coefficients c like h; their output has one element."""


def intermediate_element(*shown: str) -> Draw:
    """Functions f and g, the calls of f counted."""

    def draw(source: Random) -> tuple[Program]:
        m, n = source.randint(2, 3), source.randint(2, 4)
        f, name, shape, size = source.choice(FS)
        n = size(m, n)
        i = source.randrange(-min(m, n), min(m, n))
        text = (
            f"{name} = {tensor_text(source, shape(m, n))}\n"
            f"c = {tensor_text(source, (n,))}\n"
            f"f = counters.counted({f})\n"
            f"g = {source.choice(GS)}\n"
            f"x = {tensor_text(source, (m,))}\n"
            f"result = intermediate_element(f, g, x, {i})\n"
        )
        return (Program(text, shown),)

    return draw


def intermediate_models(*shown: str) -> Draw:
    """The same with models, whose parameters may have been trained on before."""

    def draw(source: Random) -> tuple[Program]:
        m, n = source.randint(2, 4), source.randint(2, 4)
        i = source.randrange(-min(m, n), min(m, n))
        middle = source.choice(("nn.Tanh()", "nn.Sigmoid()", "nn.Softplus()"))
        text = (
            f"torch.default_generator.manual_seed({source.randrange(1000)})\n"
            f"f = nn.Linear({m}, {n}).double()\n"
            f"g = nn.Sequential(nn.Linear({n}, 3), {middle}, nn.Linear(3, 1)).double()\n"
            "f_weight, g_weight = f.weight, g[0].weight\n"
            f"x = {tensor_text(source, (m,))}\n"
        )
        text += source.choice(("", f"f_weight.grad = {tensor_text(source, (n, m))}\n"))
        return (Program(f"{text}result = intermediate_element(f, g, x, {i})\n", shown),)

    return draw


def same_tensor(*shown: str, filled: bool = False, used: bool = False) -> Draw:
    """A leaf without axes; where t is used, the program goes on and asks how a sum of its elements moves with x."""

    def draw(source: Random) -> tuple[Program]:
        text = f"x = {tensor_text(source, (), requires_grad=True)}\n"
        text += f"x.grad = {tensor_text(source, ())}\n" if filled and source.random() < 0.5 else ""
        if used:
            text += "t, d = same_tensor(x)\n"
            text += f"(result,) = torch.autograd.grad({number(source)} * t[0] + {number(source)} * t[1], x)\n"
        else:
            text += "result = same_tensor(x)\n"
        return (Program(text, shown),)

    return draw


def unbroadcast(*shown: str, front: int, stretched: bool) -> Draw:
    """A shape with up to `front` axes missing, and with stretched axes or none."""

    def shapes(source: Random) -> tuple[list[int], list[int], list[int]]:
        added = [source.choice((1, 2, 2, 3)) for _ in range(source.randint(min(front, 1), front))]
        kept = [source.choice((1, 2, 3) if stretched else (2, 3)) for _ in range(source.randint(1, 3))]
        return added, kept, [1 if stretched and source.random() < 0.5 else size for size in kept]

    def telling(drawn: tuple[list[int], list[int], list[int]]) -> bool:
        """At least one sum is over more than one entry, and the program stays short."""
        added, kept, small = drawn
        return math.prod(added) > (front > 0) and (small != kept) == stretched and math.prod(added + kept) <= 24

    def draw(source: Random) -> tuple[Program]:
        added, kept, small = passing(lambda: shapes(source), telling)
        gradient = tensor_text(source, tuple(added + kept))
        return (Program(f"gradient = {gradient}\nresult = unbroadcast(gradient, {tuple(small)})\n", shown),)

    return draw


def gather_gradient(*shown: str, repeats: bool) -> Draw:
    """An index that names places once, or some of them more often."""

    def draw(source: Random) -> tuple[Program]:
        length = source.randint(3, 6)
        count = source.randint(2, length - 1)
        index = source.sample(range(length), count)
        if repeats:
            index += source.choices(index, k=source.randint(1, 3))
            source.shuffle(index)
        upstream = tensor_text(source, (len(index),)).replace("float64", source.choice(("float32", "float64")))
        text = f"upstream = {upstream}\nindex = torch.tensor({index})\n"
        return (Program(f"{text}result = gather_gradient(upstream, index, {length})\n", shown),)

    return draw


def recurrence_gradient(*shown: str) -> Draw:
    """A start of moderate size, so that the last element stays moderate too."""

    def draw(source: Random) -> tuple[Program]:
        start, n = number(source, 0.2, 1.2), source.randint(2, 9)
        return (Program(f"result = recurrence_gradient({start}, {n})\n", shown),)

    return draw
