"""Products of powers of the quantities that are what was seen, or what it differs by from what is right."""

from __future__ import annotations

import itertools

import torch

from autograder.contrasts.observation import Observation, close, is_broadcast

MOST_QUANTITIES, LARGEST_POWER, FURTHER = 6, 4, 4
"""At most so many quantities, each to a power of at most this; so many numbers more than there are unknowns."""
NICE = [sign * number for sign in (1, -1) for number in (1.0, 2.0, 3.0, 4.0, 6.0, 0.5, 0.25, 1 / 3, 1 / 6)]
SHOWN = {0.5: "1/2", 0.25: "1/4", 1 / 3: "1/3", 1 / 6: "1/6"}


def monomial(observations: list[Observation]) -> str:
    """Return a product that gives all wrong numbers, as the end of "each wrong number is"; "" if there is none.

    Args:
        observations: those with wrong numbers.
    """
    if seen := _pooled(observations, [one.seen for one in observations]):
        return seen
    off = _pooled(observations, [one.seen - one.right for one in observations])
    return f"the right one {f'minus {off[1:]}' if off.startswith('-') else f'plus {off}'}" if off else ""


def _pooled(observations: list[Observation], targets: list[torch.Tensor]) -> str:
    """Fit the powers of the quantities to all wrong numbers of all observations."""
    names = [
        name
        for name in observations[0].quantities
        if all(
            name in one.quantities and is_broadcast(one.quantities[name].shape, one.right.shape) for one in observations
        )
    ][:MOST_QUANTITIES]
    if not names:
        return ""
    rows, values = [], []
    for one, target in zip(observations, targets, strict=True):
        columns = [one.quantities[name].double().expand(one.right.shape)[one.wrong] for name in names]
        rows.append(torch.stack(columns, dim=1))
        values.append(target[one.wrong])
    table, value = torch.cat(rows), torch.cat(values)
    usable = (table != 0).all(1) & (value != 0) & torch.isfinite(value) & torch.isfinite(table).all(1)
    if not bool(usable.all()) or len(value) < len(names) + 1 + FURTHER:
        return ""
    logs = torch.cat([table.abs().log(), torch.ones(len(table), 1, dtype=torch.float64)], dim=1)
    for chosen in _choices(len(names)):
        some = logs[:, [*chosen, len(names)]]
        if int(torch.linalg.matrix_rank(some, rtol=1e-6)) < some.shape[1]:
            continue
        powers = torch.linalg.lstsq(some, value.abs().log()[:, None]).solution[:-1, 0].round()
        if bool((powers.abs() > LARGEST_POWER).any()) or not bool(powers.all()):
            continue
        product = torch.stack([table[:, at] ** int(power) for at, power in zip(chosen, powers, strict=True)]).prod(0)
        factor = float((value / product)[0])
        nice = next((one for one in NICE if abs(factor / one - 1) < 1e-3), None)
        if nice is not None and bool(close(value, nice * product, float(value.abs().max())).all()):
            return _written(nice, [names[at] for at in chosen], [int(power) for power in powers])
    return ""


def _choices(number: int) -> list[tuple[int, ...]]:
    """List which quantities may take part, the fewest first."""
    return [some for size in range(1, number + 1) for some in itertools.combinations(range(number), size)]


def _written(factor: float, names: list[str], powers: list[int]) -> str:
    parts = {sign: [] for sign in (1, -1)}  # type: dict[int, list[str]]
    for name, power in zip(names, powers, strict=True):
        parts[1 if power > 0 else -1].append(name if abs(power) == 1 else f"{name}**{abs(power)}")
    if abs(factor) != 1:
        parts[1].insert(0, SHOWN.get(abs(factor), f"{abs(factor):g}"))
    above, below = " * ".join(parts[1]) or "1", " * ".join(parts[-1])
    divided = f" / ({below})" if len(parts[-1]) > 1 else f" / {below}" if below else ""
    return f"{'-' if factor < 0 else ''}{above}{divided}"
