"""Programs that train: step_in_backward."""

from __future__ import annotations

from random import Random

from autograder.checks.draws.numbers import tensor_text
from autograder.probes.programs import Program

TWO_PASSES = "for _ in range(2):\n    loss().backward()\n"
KINDS = ("linear", "used twice", "two layers")


def _loss_text(source: Random) -> str:
    """Parameters w and b, and a function `loss` of them."""
    rows, width = source.randint(3, 5), source.randint(2, 3)
    kind = source.choice(KINDS)
    shape = (width, width) if kind == "used twice" else (width,)
    text = f"X = {tensor_text(source, (rows, width))}\ny = {tensor_text(source, (rows,))}\n"
    text += f"w = {tensor_text(source, shape, requires_grad=True)}\nb = {tensor_text(source, (), requires_grad=True)}\n"
    prediction = {
        "linear": "X @ w + b",
        "used twice": "(torch.tanh(X @ w) @ w).sum(1) + b",
        "two layers": "torch.tanh(X * b) @ w",
    }[kind]
    return f"{text}\ndef loss():\n    return (({prediction} - y) ** 2).mean()\n\n"


def _rate(source: Random) -> float:
    return round(source.uniform(0.01, 0.08), 3)


def steps(source: Random) -> tuple[Program]:
    """A few steps."""
    text = f"{_loss_text(source)}step_in_backward([w, b], {_rate(source)})\n"
    text += f"for _ in range({source.randint(2, 3)}):\n    loss().backward()\n"
    return (Program(text, ("w.data", "b.data")),)


def at_once(source: Random) -> tuple[Program]:
    """Whether each gradient is gone when the next hook on its parameter runs, and after the passes."""
    text = (
        f"{_loss_text(source)}before, during = [w, b], []\nparameters = [w, b]\n"
        f"step_in_backward(parameters, {_rate(source)})\nfor p in before:\n"
        f"    p.register_post_accumulate_grad_hook(lambda p: during.append(p.grad is None))\n{TWO_PASSES}"
    )
    same = "[p is q for p, q in zip(parameters, before)]"
    return (Program(text, ("list(during)", "w.grad", "b.grad", same, "w.data")),)


def until_removed(source: Random) -> tuple[Program]:
    """Two steps, then the handles are removed, then a pass as usual."""
    text = (
        f"{_loss_text(source)}handles = step_in_backward([w, b], {_rate(source)})\n{TWO_PASSES}"
        "for handle in handles:\n    handle.remove()\nloss().backward()\n"
    )
    shown = ("len(handles)", "w.data", "b.data", "w.grad", "b.grad", "counters.hooks_on(w, b)")
    return (Program(text, shown),)
