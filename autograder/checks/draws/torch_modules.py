"""Lines that make a seeded torch module: layers of torch.nn, and `Bumps`, whose gradient no layer's formula gives."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from autograder.probes.programs import Program

Draw = Callable[[Random], tuple[Program]]
BUMPS = """class Bumps(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.centres = nn.Parameter(torch.randn(outputs, inputs))

    def forward(self, x):
        return torch.sin(x @ self.centres.mT) + (x - self.centres[0]).pow(2).sum(1, keepdim=True) / 4


"""


def made(source: Random, name: str, text: str) -> str:
    """Return the lines that make a float64 module and bind it to a name."""
    own = BUMPS if "Bumps" in text else ""
    return f"{own}torch.default_generator.manual_seed({source.randint(0, 10**6)})\n{name} = {text}.double()\n"
