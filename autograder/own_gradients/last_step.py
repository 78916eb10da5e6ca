"""Whether all wrong gradients are right ones for another upstream gradient: then the mistake is in the last step."""

from __future__ import annotations

import torch

from autograder.contrasts import Observation, place, relation
from autograder.own_gradients.comparing import Passed
from autograder.own_gradients.numeric import Outputs

MOST_NUMBERS = 200
"""Of outputs; the system to solve has as many unknowns."""
PRECISION = 1e-6


def last_step(trials: list[Passed]) -> str:
    """Say how the upstream gradient was changed if that explains every gradient of every trial; else return "".

    Args:
        trials: the ordinary ones.
    """
    observations = []
    for one in trials:
        found = _arrived(one)
        if found is None:
            return ""
        quantities = {"the output": one.outputs[0], "the upstream gradient": one.upstreams[0]}
        observations.append(Observation(one.upstreams[0], found, quantities, "the output"))
    if not any(one.is_wrong for one in observations):
        return ""
    where = place(observations)
    how = relation(observations, only_wrong=bool(where))
    if how == "0":
        return f"The part that comes through the output is missing {where}." if where else ""
    changed = f": {'; '.join(filter(None, (where, how and f'each is {how}')))}" if where or how else ""
    return (
        "All gradients would be right for an upstream gradient with other numbers"
        f"{changed.replace('the right one', 'the one that arrives')}. Look at the last step, which all gradients pass: "
        "at its slope, and at what it does with the upstream gradient."
    )


def _arrived(passed: Passed) -> Outputs | torch.Tensor | None:
    """Return the upstream gradient under which all gradients that were seen would be right; None if there is none."""
    if len(passed.outputs) != 1 or not 1 < passed.outputs[0].numel() <= MOST_NUMBERS:
        return None
    seen = {at: passed.seen(at) for at in passed.trial.needs}
    if passed.outputs[0].is_complex() or any(one.is_complex() for one in seen.values()):
        return None
    if any(passed.slopes(at).kinks.any() or not passed.slopes(at).is_whole for at in seen):
        return None
    number = passed.outputs[0].numel()
    table = torch.cat([passed.slopes(at).of[0].reshape(number, -1) for at in seen], dim=1).mT
    wanted = torch.cat([one.reshape(-1) for one in seen.values()])
    if not bool(torch.isfinite(table).all() and torch.isfinite(wanted).all()) or len(table) <= number:
        return None
    solved = torch.linalg.lstsq(table, wanted[:, None], driver="gelsd").solution[:, 0]
    scale = float(wanted.abs().max())
    fits = bool(((table @ solved - wanted).abs() <= PRECISION * scale).all())
    is_unique = int(torch.linalg.matrix_rank(table, rtol=1e-6)) == number
    return solved.reshape(passed.outputs[0].shape) if fits and is_unique and scale else None
