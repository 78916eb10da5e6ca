"""Draws of exercise 07: models and batches of samples, which a BatchNorm may mix."""

from __future__ import annotations

from random import Random

from autograder.checks.draws.jacobians import Draw, made
from autograder.checks.draws.numbers import tensor_text
from autograder.probes.programs import Program


def _net(source: Random, inputs: int, outputs: int) -> str:
    width = source.randint(3, 5)
    activation = source.choice(("nn.Tanh()", "nn.Softplus()", "nn.Sigmoid()"))
    norm = source.choice(("", f"nn.LayerNorm({width}), "))
    return f"nn.Sequential(nn.Linear({inputs}, {width}), {norm}{activation}, nn.Linear({width}, {outputs}))"


def neuron_gradient(samples: int, *shown: str) -> Draw:
    """A net, one of its neurons, that many samples."""

    def draw(source: Random) -> tuple[Program]:
        i, o = source.randint(2, 3), source.randint(3, 4)
        text = f"""{made(source, "model", _net(source, i, o))}X = {tensor_text(source, (samples, i))}
result = neuron_gradient(model, X, {source.randrange(o)})
"""
        return (Program(text, shown),)

    return draw


def per_sample_jacobian(source: Random) -> tuple[Program]:
    """A net without BatchNorm."""
    i, o = source.sample((2, 3, 4), 2)
    text = f"""{made(source, "model", _net(source, i, o))}X = {tensor_text(source, (5, i))}
result = per_sample_jacobian(model, X)
"""
    return (Program(text, ("result",)),)


def _with_norm(source: Random, track: bool) -> tuple[str, str, int]:
    """Lines that make a model with a BatchNorm at some depth, the expression for it, the inputs."""
    i, width = source.randint(2, 3), source.randint(2, 4)
    norm, place = f"nn.BatchNorm1d({width}{'' if track else ', track_running_stats=False'})", "model[1]"
    for _ in range(source.randint(0, 2)):
        norm, place = f"nn.Sequential({norm}, nn.Tanh())", f"{place}[0]"
    text = f"nn.Sequential(nn.Linear({i}, {width}), {norm}, nn.Tanh(), nn.Linear({width}, 2))"
    return made(source, "model", text), place, i


def frozen(source: Random) -> tuple[Program]:
    """A BatchNorm in evaluation with running statistics, in a model that trains or not."""
    lines, place, i = _with_norm(source, True)
    modes = "model.eval()\n" if source.random() < 0.5 else f"{place}.eval()\n"
    text = f"""{lines}model({tensor_text(source, (4, i))})
{modes}X = {tensor_text(source, (3, i))}
result = per_sample_jacobian(model, X)
"""
    return (Program(text, ("result", "X.requires_grad", "[m.training for m in model.modules()]")),)


def refused(source: Random) -> tuple[Program]:
    """A BatchNorm in training in any model, or one in evaluation without running statistics."""
    track = source.random() < 0.7
    lines, place, i = _with_norm(source, track)
    modes = source.choice(("", f"model.eval()\n{place}.train()\n")) if track else "model.eval()\n"
    kept = (f"{place}.running_mean",) if track else ()
    text = f"""{lines}{modes}X = {tensor_text(source, (3, i))}
try:
    per_sample_jacobian(model, X)
    raised = "nothing"
except ValueError:
    raised = "ValueError"
except NotImplementedError:
    raise
except (RuntimeError, TypeError) as error:
    raised = type(error).__name__
"""
    return (Program(text, ("raised", "[m.training for m in model.modules()]", *kept)),)
