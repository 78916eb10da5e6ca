"""Draws of exercise 07: programs that build a layer, a model or a function, and ask for its derivatives."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from autograder.checks.draws.numbers import number, tensor_text
from autograder.probes.programs import Program

Draw = Callable[[Random], tuple[Program]]
BUMPS = """class Bumps(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.centres = nn.Parameter(torch.randn(outputs, inputs))

    def forward(self, x):
        return torch.sin(x @ self.centres.mT) + (x - self.centres[0]).pow(2).sum(1, keepdim=True) / 4


"""
LAYERS = (
    "nn.Sequential(nn.Linear({i}, {o}), nn.Tanh())",
    "nn.Sequential(nn.LayerNorm({i}), nn.Linear({i}, {o}))",
    "nn.Sequential(nn.Linear({i}, {o}), nn.Softplus())",
    "Bumps({i}, {o})",
)
"""Kinds of layers whose Jacobian is not a weight."""


def made(source: Random, name: str, text: str) -> str:
    """Lines that make a module under a name."""
    own = BUMPS if "Bumps" in text else ""
    return f"{own}torch.default_generator.manual_seed({source.randint(0, 10**6)})\n{name} = {text}.double()\n"


def _layer(source: Random, outputs: int | None = None) -> tuple[str, int, int]:
    """Lines that make a layer, its inputs and its outputs."""
    i, o = source.randint(3, 4), outputs or source.randint(2, 4)
    return made(source, "layer", source.choice(LAYERS).format(i=i, o=o)), i, o


def first_layer_jacobian(*shown: str, single: bool = False) -> Draw:
    """Layers of any kind; with one output where `single`."""

    def draw(source: Random) -> tuple[Program]:
        lines, i, _ = _layer(source, 1 if single else None)
        return (Program(f"{lines}x = {tensor_text(source, (1, i))}\nresult = first_layer_jacobian(layer, x)\n", shown),)

    return draw


BEFORE = ("{a} * x", "torch.sin({a} * x)", "x / x.norm()", "x * x", "x.flip(1) - {a}")
AFTER = ("torch.tanh(h)", "h * h", "F.softplus(h)")
AFTER_IN_PLACE = ("F.relu_(h)", "h.mul_({a})", "h.tanh_()", "h.sub_({a}).abs_()")


def first_layer_inside(*shown: str, in_place: bool = False) -> Draw:
    """Models that do something to their input first, and go on in place or not."""

    def draw(source: Random) -> tuple[Program]:
        i, o = source.sample((2, 3, 4), 2)
        # Tanh needs its own output for its backward pass, so that nobody may write into it.
        curved = "nn.Softplus()" if in_place else "nn.Tanh()"
        first = source.choice(("nn.Linear({i}, {o})", f"nn.Sequential(nn.Linear({{i}}, {{o}}), {curved})"))
        before, after = source.choice(BEFORE), source.choice(AFTER_IN_PLACE if in_place else AFTER)
        text = f"""class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = {first.format(i=i, o=o)}
        self.last = nn.Linear({o}, {source.randint(1, 3)})

    def forward(self, x):
        h = self.first({before.format(a=abs(number(source, 1.5)))})
        return self.last({after.format(a=abs(number(source, 1.5)))})


{made(source, "model", "Model()")}x = {tensor_text(source, (1, i))}
result = first_layer_inside(model, x)
"""
        return (Program(text, shown),)

    return draw


def weighted_input_gradient(*shown: str) -> Draw:
    """Layers of any kind, their backward passes counted."""

    def draw(source: Random) -> tuple[Program]:
        lines, i, o = _layer(source)
        text = f"""{lines}x = {tensor_text(source, (1, i))}
v = {tensor_text(source, (1, o))}
with counters.passes_run() as passes:
    result = weighted_input_gradient(layer, x, v)
"""
        return (Program(text, shown),)

    return draw


def after_relu(*units: str, in_place: bool = False) -> Draw:
    """A Linear layer with units of these kinds, "open", "shut" and "zero", in any order.

    Weights and inputs are multiples of a quarter, so a unit that is meant to be 0 is exactly 0.
    """

    def draw(source: Random) -> tuple[Program]:
        i = source.randint(2, 3)
        x = [_quarters(source) for _ in range(i)]
        weight = [[_quarters(source) for _ in range(i)] for _ in units]
        size = {"open": 0.25, "shut": -0.25, "zero": 0.0}
        values = [size[unit] * source.randint(1, 8) for unit in source.sample(units, len(units))]
        sums = [sum(w * one for w, one in zip(row, x, strict=True)) for row in weight]
        bias = [value - total for value, total in zip(values, sums, strict=True)]
        flag = "inplace=True" if in_place else ""
        text = f"""model = nn.Sequential(nn.Linear({i}, {len(units)}), nn.ReLU({flag})).double()
with torch.no_grad():
    model[0].weight.copy_(torch.tensor({weight}))
    model[0].bias.copy_(torch.tensor({bias}))
x = torch.tensor({[x]}, dtype=torch.float64)
result = after_relu(model, x)
"""
        return (Program(text, ("result",)),)

    return draw


def _quarters(source: Random) -> float:
    return source.choice((-1, 1)) * source.randint(1, 12) / 4


FUNCTIONS = (
    "torch.sin({m} @ x) * x.sum()",
    "torch.outer(torch.tanh(x), x * x)",
    "(x * x.roll(1)).exp().mean()",
    "torch.stack([x.prod(), (x / 2).cos().sum()])",
    "F.softplus({m} @ x).cumsum(0)",
)


def directional_derivative(*shown: str) -> Draw:
    """Functions of three numbers, with results of several shapes; calls and backward passes counted."""

    def draw(source: Random) -> tuple[Program]:
        body = source.choice(FUNCTIONS).format(m=tensor_text(source, (source.randint(2, 4), 3)))
        text = f"""f = counters.counted(lambda x: {body})
x = {tensor_text(source, (3,))} / 2
v = {tensor_text(source, (3,))}
with counters.passes_run() as passes:
    result = directional_derivative(f, x, v)
"""
        return (Program(text, shown),)

    return draw
