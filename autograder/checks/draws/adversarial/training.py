"""Programs about accuracy under an attack, and about training on attacked images."""

from __future__ import annotations

from random import Random

from autograder.checks.draws.adversarial.networks import (
    AT_THE_EDGES,
    INNER,
    TELLING,
    Draw,
    Drawn,
    is_telling,
    names_of,
    redrawn,
)
from autograder.probes.programs import Program
from autograder.references.adversarial.attacks import slope

ATTACKS = {
    "{e} * X.flip(3) + (1 - {e}) * X": "X",
    "(X + {e} * torch.cos(40 * X)).clamp(0, 1)": "X",
    "(X - {e} * torch.autograd.grad(model(leaf).gather(1, y[:, None]).sum(), leaf)[0]).clamp(0, 1)": "leaf",
    "(X + {e} * torch.autograd.grad(model(leaf).square().sum(), leaf)[0]).clamp(0, 1)": "leaf",
}
"""Attacks, and whether they need a leaf: none of them is the one that another task asks for."""


def attack_text(source: Random) -> str:
    """The text of an attack that notes how it was called."""
    body = source.choice(list(ATTACKS))
    leaf = "    leaf = X.clone().requires_grad_()\n" if ATTACKS[body] == "leaf" else ""
    return f"""calls = []
def attack(model, X, y):
    calls.append((list(X.shape), y.tolist()))
{leaf}    return {body.format(e=round(source.uniform(0.5, 0.9), 2))}

"""


def robust_accuracy(*shown: str) -> Draw:
    """An attack of some kind on five to eight images."""

    def make(source: Random) -> Program:
        drawn = Drawn(source, AT_THE_EDGES, name="X", most=8)
        text = f"""{drawn.lines}{drawn.labels(source, images="X")}\
y[::2] = model(X)[::2].argmax(1)
{attack_text(source)}result = robust_accuracy(model, X, y, attack)
"""
        return Program(text, shown)

    def clear(program: Program) -> bool:
        if "result" not in shown:
            return True
        model, x, y, attack = (names_of(program, "robust_accuracy")[key] for key in ("model", "X", "y", "attack"))
        best = model(attack(model, x, y)).topk(2).values
        return bool((best[:, 0] - best[:, 1] > TELLING).all())

    return redrawn(make, clear)


OPTIMIZERS = (
    "torch.optim.SGD(model.parameters(), lr={lr})",
    "torch.optim.SGD(model.parameters(), lr={lr}, momentum=0.9, weight_decay=0.1)",
)
LEFT_OVER = "for _ in range(2):\n    F.cross_entropy(model(X), y).backward()\n"
"""Leaves gradients behind."""


def adversarial_step(*shown: str, left_over: bool = False, also: tuple[str, ...] = ()) -> Draw:
    """An optimizer, and gradients that were left over or not."""

    def make(source: Random) -> Program:
        drawn = Drawn(source, source.choice((INNER, AT_THE_EDGES)), name="X")
        made = source.choice(OPTIMIZERS).format(lr=round(source.uniform(0.1, 0.6), 2))
        text = f"""{drawn.lines}{drawn.labels(source, images="X")}optimizer = {made}
{LEFT_OVER if left_over else ""}loss = adversarial_step(model, optimizer, X, y, {round(source.uniform(0.05, 0.2), 2)})
"""
        return Program(text, shown, also)

    def clear(program: Program) -> bool:
        names = names_of(program, "adversarial_step")
        return is_telling(slope(names["model"], names["X"], names["y"]))

    return redrawn(make, clear)
