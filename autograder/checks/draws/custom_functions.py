"""Draws of exercise 06: programs that apply a Function and look at values and gradients."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from autograder.checks.draws.numbers import number, tensor_text
from autograder.probes.programs import Program

Draw = Callable[[Random], tuple[Program]]
NODE = "result.grad_fn.name()"
"""Looked at beside the numbers: whether the result has a node of its own."""


def _draw(write: Callable[[Random], str], *shown: str, also: tuple[str, ...] = (NODE,)) -> Draw:
    return lambda source: (Program(write(source), shown, also),)


def _shape(source: Random) -> tuple[int, ...]:
    return source.choice(((), (3,), (4,), (2, 3), (2, 1, 2)))


def _vector(numbers: list[float], *, requires_grad: bool = False) -> str:
    flag = ", requires_grad=True" if requires_grad else ""
    return f"torch.tensor({numbers}, dtype=torch.float64{flag})"


def _once(call: str, x: str, upstream: str) -> str:
    """A call on x, and a backward pass with an upstream gradient."""
    return f"x = {x}\nupstream = {upstream}\nresult = {call}\nresult.backward(upstream)\n"


def _twice_differentiated(name: str, x: str, size: int, source: Random) -> str:
    """Two derivatives; the upstream gradient requires one too, so that the first never stands without a graph."""
    return (
        f"x = {x}\nupstream = {tensor_text(source, (size,), requires_grad=True)}\nv = {tensor_text(source, (size,))}\n"
        f"result = {name}.apply(x)\n"
        "(first,) = torch.autograd.grad(result, x, grad_outputs=upstream, create_graph=True)\nfirst.backward(v)\n"
    )


def _cube(source: Random) -> str:
    shape = _shape(source)
    return (
        f"x = {tensor_text(source, shape, requires_grad=True)}\nw = {tensor_text(source, shape, requires_grad=True)}\n"
        f"weights = {tensor_text(source, shape)}\nresult = Cube.apply(x)\nother = Cube.apply(w)\n"
        f"loss = (weights * result).sum() + {number(source)} * other.sum()\nloss.backward()\n"
    )


def _cube_second(source: Random) -> str:
    return _twice_differentiated("Cube", tensor_text(source, (3,), requires_grad=True), 3, source)


def _softplus_points(source: Random) -> list[float]:
    """From near 0 to the ends of the interval, both signs, 0 among them."""
    ends = [round(sign * source.uniform(low, 1000), 2) for sign in (-1, 1) for low in (40, 720)]
    points = [*ends, number(source), number(source, 3, 35), 0.0]
    source.shuffle(points)
    return points


def _softplus(source: Random) -> str:
    points = _softplus_points(source)
    x = _vector(points, requires_grad=True)
    return _once("StableSoftplus.apply(x)", x, tensor_text(source, (len(points),)))


def _softplus_second(source: Random) -> str:
    points = _softplus_points(source)
    return _twice_differentiated("StableSoftplus", _vector(points, requires_grad=True), len(points), source)


def _extractor(low: Callable[[int], int], high: Callable[[int], int]) -> Callable[[Random], str]:
    def write(source: Random) -> str:
        size = source.randint(4, 7)
        index = source.randint(low(size), high(size))
        x = tensor_text(source, (size,), requires_grad=True)
        return _once(f"GradientExtractor.apply(x, {index})", x, tensor_text(source, ()))

    return write


def _extractor_twice(source: Random) -> str:
    size = source.randint(4, 7)
    one, other = source.sample(range(size), 2)
    return (
        f"x = {tensor_text(source, (size,), requires_grad=True)}\n"
        f"result = GradientExtractor.apply(x, {one})\nother = GradientExtractor.apply(x, {other - size})\n"
        f"loss = {number(source)} * result + {number(source)} * other**2\nloss.backward()\n"
    )


def _sign(source: Random) -> str:
    inside, outside = (round(source.uniform(0.05, 0.95), 2) for _ in range(2)), (number(source, 1.1, 4.0),)
    points = [0.0, 1.0, -1.0, *(source.choice((-1, 1)) * one for one in inside), *outside, -outside[0]]
    source.shuffle(points)
    x = _vector(points, requires_grad=True)
    return _once("StraightThroughSign.apply(x)", x, tensor_text(source, (len(points),), low=0.2))


def _reversal(source: Random) -> str:
    shape, strengths = _shape(source), [round(source.uniform(0.1, 3), 2) for _ in range(2)]
    return (
        f"x = {tensor_text(source, shape, requires_grad=True)}\nb = {tensor_text(source, shape, requires_grad=True)}\n"
        f"upstream = {tensor_text(source, shape)}\nresult = GradientReversal.apply(x, {strengths[0]})\n"
        f"other = GradientReversal.apply(b, {strengths[1]})\n(result * 2 + other).backward(upstream)\n"
    )


def _reversal_in_a_sum(source: Random) -> str:
    shape, strength = _shape(source), round(source.uniform(0.1, 3), 2)
    return (
        f"x = {tensor_text(source, shape, requires_grad=True)}\nb = {tensor_text(source, shape, requires_grad=True)}\n"
        f"upstream = {tensor_text(source, shape)}\nresult = GradientReversal.apply(x, {strength})\n"
        "(result + b).backward(upstream)\n"
    )


def _maximum(source: Random) -> str:
    numbers = source.sample([round(0.37 * i - 2, 2) for i in range(12)], source.randint(3, 6))
    return _maximum_of(numbers, source)


def _tied_maximum(source: Random) -> str:
    numbers = [number(source, 0.1, 2.0) for _ in range(source.randint(1, 3))] + [2.5] * source.randint(2, 3)
    source.shuffle(numbers)
    return _maximum_of(numbers, source)


def _maximum_of(numbers: list[float], source: Random) -> str:
    others = [-one for one in numbers]
    return (
        f"x = {_vector(numbers, requires_grad=True)}\nw = {_vector(others, requires_grad=True)}\n"
        f"result, index = MaxWithIndex.apply(x)\nother, _ = MaxWithIndex.apply(w)\n"
        f"loss = {number(source)} * result + other\nloss.backward()\n"
    )


cube = _draw(_cube, "result", "x.grad", "w.grad")
cube_second = _draw(_cube_second, "x.grad", "upstream.grad")
extractor = _draw(_extractor(lambda n: 0, lambda n: n - 1), "result", "x.grad", "x")
extractor_negative = _draw(_extractor(lambda n: -n, lambda n: -1), "result", "x.grad")
extractor_twice = _draw(_extractor_twice, "x.grad")
softplus_value = _draw(_softplus, "result")
softplus_first = _draw(_softplus, "x.grad")
softplus_second = _draw(_softplus_second, "x.grad", "upstream.grad")
sign_value = _draw(_sign, "result")
sign_gradient = _draw(_sign, "x.grad")
reversal = _draw(_reversal, "result", "x.grad", "b.grad")
reversal_in_a_sum = _draw(_reversal_in_a_sum, "x.grad", "b.grad", "upstream")
maximum = _draw(_maximum, "result", "int(index)", "x.grad")
tied_maximum = _draw(_tied_maximum, "result", "int(index)", "x.grad")
index_alone = _draw(_maximum, "torch.as_tensor(index).dtype == torch.int64", "torch.as_tensor(index).requires_grad")
