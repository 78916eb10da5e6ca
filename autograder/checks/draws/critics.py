"""Draws of gradient_penalty: critics of vectors and of images, smooth, with one number for each sample."""

from __future__ import annotations

from random import Random

from autograder.checks.draws.higher_order import Draw
from autograder.checks.draws.jacobians import made
from autograder.checks.draws.numbers import tensor_text
from autograder.probes.programs import Program

BOWL = """class Bowl(nn.Module):
    def __init__(self, *shape):
        super().__init__()
        self.steepness = nn.Parameter(torch.randn(shape))

    def forward(self, X):
        return (self.steepness * X * X).flatten(1).sum(1)


"""
"""A critic whose gradient is 0 where the sample is."""
GRADIENT = """gradient = None
if result.requires_grad:
    each = torch.autograd.grad(result, list(critic.parameters()), materialize_grads=True)
    gradient = torch.cat([one.flatten() for one in each])
"""


def _critic(source: Random) -> tuple[str, tuple[int, ...]]:
    """The text of a critic and the shape of a sample."""
    activation = source.choice(("nn.Tanh()", "nn.Softplus()", "nn.SiLU()", "nn.Sigmoid()"))
    last = source.choice(("", ", nn.Flatten(0)"))  # (batch, 1) or (batch,)
    if source.random() < 0.5:
        i, width = source.randint(2, 3), source.randint(2, 3)
        return f"nn.Sequential(nn.Linear({i}, {width}), {activation}, nn.Linear({width}, 1){last})", (i,)
    channels = source.randint(1, 2)
    net = f"nn.Conv2d({channels}, 2, 2), {activation}, nn.Flatten(), nn.Linear(4, 1){last}"
    return f"nn.Sequential({net})", (channels, 2, 3)


def gradient_penalty(*shown: str) -> Draw:
    """A critic and two or three samples; the penalty's gradient only where it is shown."""

    def draw(source: Random) -> tuple[Program]:
        critic, shape = _critic(source)
        text = f"""{made(source, "critic", critic)}X = {tensor_text(source, (source.randint(2, 3), *shape))}
result = gradient_penalty(critic, X)
{GRADIENT if "gradient" in shown else ""}"""
        return (Program(text, shown),)

    return draw


def flat_sample(source: Random) -> tuple[Program]:
    """One of the samples lies where the critic's gradient is 0."""
    shape = source.choice(((2,), (3,), (1, 2, 2)))
    batch = source.randint(2, 3)
    text = f"""{BOWL}{made(source, "critic", f"Bowl{shape}" if len(shape) > 1 else f"Bowl({shape[0]})")}\
X = {tensor_text(source, (batch, *shape))}
X[{source.randrange(batch)}] = 0
result = gradient_penalty(critic, X)
{GRADIENT}"""
    return (Program(text, ("result", "result.requires_grad", "gradient")),)
