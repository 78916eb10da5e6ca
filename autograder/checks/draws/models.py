"""Source text of small random models; smooth, so that finite differences can check their gradients."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from autograder.checks.draws.ends import span

ACTIVATIONS = ("Tanh", "Sigmoid", "Softplus", "SiLU")
NAMES = ("smell", "taste", "judge", "left", "right", "first", "last", "encoder", "head", "mixer")


def seed_line(source: Random) -> str:
    """Return a line that seeds torch's default generator; torch.manual_seed would take as long as a question."""
    return f"torch.default_generator.manual_seed({source.randrange(1000)})\n"


def randn(*shape: int | str) -> str:
    """Return the text of a random float64 tensor of that shape; within a draw at an end, of the size drawn there."""
    normal = f"torch.randn({', '.join(map(str, shape))}, dtype=torch.float64)"
    if (end := span()) is None:
        return normal
    return f"{normal}.sign() * torch.empty({', '.join(map(str, shape))}, dtype=torch.float64).uniform_{end}"


def chain(source: Random, inputs: int, outputs: int, before: Sequence[str] = (), most: int = 3) -> str:
    """Return the text of a Sequential of linear layers with activations between them.

    Args:
        inputs, outputs: features of a sample.
        before: the texts of layers that come first.
        most: the largest number of linear layers; the smallest is two.
    """
    sizes = [inputs, *(source.randint(2, 3) for _ in range(source.randint(1, most - 1))), outputs]
    layers = list(before)
    for k in range(len(sizes) - 1):
        layers += [f"nn.Linear({sizes[k]}, {sizes[k + 1]})", f"nn.{source.choice(ACTIVATIONS)}()"]
    return f"nn.Sequential({', '.join(layers[:-1])})"


def branching_class(source: Random, name: str, inputs: int, outputs: int) -> str:
    """Return the text of a model class whose children form no chain and are not defined in the order of execution."""
    width = source.randint(2, 3)
    one, other, last = source.sample(NAMES, 3)
    nested = f"nn.Sequential(nn.Linear({inputs}, {width}), nn.{source.choice(ACTIVATIONS)}())"
    lines = [
        f"self.{one} = nn.Linear({inputs}, {width})",
        f"self.{other} = {source.choice((nested, f'nn.Sequential({nested}, nn.BatchNorm1d({width}))'))}",
        f"self.{last} = nn.Linear({width}, {outputs})",
    ]
    source.shuffle(lines)
    joined = source.choice(("torch.tanh(self.{one}(x)) * self.{other}(x)", "self.{one}(x) + 2 * self.{other}(x)"))
    return f"""
class {name}(nn.Module):
    def __init__(self):
        super().__init__()
        {lines[0]}
        {lines[1]}
        {lines[2]}

    def forward(self, x):
        return self.{last}({joined.format(one=one, other=other)})

"""
