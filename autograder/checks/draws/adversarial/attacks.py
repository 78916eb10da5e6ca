"""Programs about attacks with a sign step, with many, and with a target."""

from __future__ import annotations

from random import Random

from autograder.checks.draws.adversarial.networks import (
    AT_THE_EDGES,
    INNER,
    TELLING,
    Draw,
    Drawn,
    end_of_walk,
    is_telling,
    names_of,
    redrawn,
)
from autograder.probes.programs import Program
from autograder.references.adversarial.attacks import slope

FURTHER = (1.4, 1.9, 2.6)
"""All steps together reach so many times further than epsilon."""


def fgsm(*shown: str, edges: bool = False) -> Draw:
    """One step."""

    def make(source: Random) -> Program:
        drawn = Drawn(source, AT_THE_EDGES if edges else INNER)
        epsilon = round(source.uniform(0.05, 0.3), 2)
        text = f"{drawn.lines}{drawn.labels(source)}result = fgsm(model, x, y, {epsilon})\n"
        return Program(text, shown)

    def clear(program: Program) -> bool:
        names = names_of(program, "fgsm")
        return is_telling(slope(names["model"], names["x"], names["y"]))

    return redrawn(make, clear)


def _walk(source: Random) -> tuple[float, float, int]:
    """A radius, a step and how many: together they reach further than the radius."""
    epsilon, iterations = round(source.uniform(0.1, 0.3), 2), source.randint(3, 5)
    return epsilon, round(source.choice(FURTHER) * epsilon / iterations, 2), iterations


def pgd(*shown: str, edges: bool = False) -> Draw:
    """Many steps."""

    def make(source: Random) -> Program:
        drawn = Drawn(source, AT_THE_EDGES if edges else INNER)
        epsilon, step, iterations = _walk(source)
        walk = f"epsilon, step, iterations = {epsilon}, {step}, {iterations}\n"
        text = f"{drawn.lines}{drawn.labels(source)}{walk}result = pgd(model, x, y, epsilon, step, iterations)\n"
        return Program(text, shown)

    def clear(program: Program) -> bool:
        names = names_of(program, "pgd")
        given = (names[key] for key in ("model", "x", "y", "epsilon", "step", "iterations"))
        return end_of_walk(*given) is not None

    return redrawn(make, clear)


def targeted_pgd(*shown: str, also: tuple[str, ...] = ()) -> Draw:
    """Many steps towards other classes; some images arrive, or none, or all."""

    def make(source: Random) -> Program:
        drawn = Drawn(source, source.choice((INNER, AT_THE_EDGES)), most=4)
        epsilon, step, iterations = _walk(source)
        text = f"""{drawn.lines}{drawn.labels(source, "target")}\
epsilon, step, iterations = {epsilon}, {step}, {iterations}
result, reached = targeted_pgd(model, x, target, epsilon, step, iterations)
"""
        return Program(text, shown, also)

    def clear(program: Program) -> bool:
        names = names_of(program, "targeted_pgd")
        model, x, target, epsilon, step, iterations = (
            names[key] for key in ("model", "x", "target", "epsilon", "step", "iterations")
        )
        end = end_of_walk(model, x, target, epsilon, -step, iterations)
        if end is None:
            return False
        best = model(end).topk(2).values
        return bool((best[:, 0] - best[:, 1] > TELLING).all())

    return redrawn(make, clear)
