"""What is wrong with the gradient of one argument: trials in which it is wrong compared with the others."""

from __future__ import annotations

import torch

from autograder.contrasts import place, relation
from autograder.contrasts.words import number
from autograder.own_gradients.comparing import Passed
from autograder.own_gradients.observing import observation
from autograder.own_gradients.paths import paths_of, told
from autograder.own_gradients.programs import program
from autograder.own_gradients.report import AS_GIVEN, Fault


def fault_of(at: int, trials: list[Passed]) -> Fault | None:
    """Say what is wrong with the gradient of an argument; None if nothing is.

    Args:
        at: the argument's place.
        trials: those in which it needs a gradient, the ordinary ones first.
    """
    usual = [one for one in trials if not one.trial.only]
    if (found := _fault(at, usual, "")) is not None:
        return found
    if needless := _without(at, trials):
        wrong = [one for one in trials if one.trial.needs != trials[0].trial.needs and observation(one, at).is_wrong]
        return _fault(at, wrong, needless)
    for only in dict.fromkeys(one.trial.only for one in trials if one.trial.only):
        if (found := _fault(at, [one for one in trials if one.trial.only == only], only)) is not None:
            return found
    return None


def _without(at: int, trials: list[Passed]) -> str:
    """Return which argument needs no gradient wherever that of another is wrong, and nowhere else."""
    everywhere = trials[0].trial.needs
    some = [one for one in trials if one.trial.needs != everywhere and one.error is None]
    for other in everywhere:
        if any(observation(one, at).is_wrong for one in some) and all(
            observation(one, at).is_wrong == (other not in one.trial.needs) for one in some
        ):
            return f"where `{trials[0].function.names[other]}` needs no gradient"
    return ""


def _fault(at: int, trials: list[Passed], only: str) -> Fault | None:
    observed = [(one, observation(one, at)) for one in trials if one.error is None]
    wrong = [one for one, seen in observed if seen.is_wrong]
    if not wrong:
        return None
    observations = [seen for _, seen in observed]
    name = trials[0].function.names[at]
    if all(one.gradients[at] is None for one in wrong):
        clause = f"No gradient is returned for `{name}`, and the output depends on it"
        return Fault(name, f"{clause}{_when(only)}.", "0", only=only, program=program(wrong[0], at))
    relates, where = relation(observations), place(observations)
    if where and not relates:
        relates = relation(observations, only_wrong=True)
    if not (only or where) and len(observed) > 1 and wrong == [observed[0][0]]:
        only = AS_GIVEN
    sentence = f"The gradient of `{name}` is wrong{_when(' '.join(filter(None, (where, only))))}"
    if relates:
        sentence += f": {_related(relates)}."
    else:
        paths = paths_of(wrong[0], at)
        sentence += f": {(paths and told(paths, name)) or _worst(at, wrong[0])}."
    return Fault(name, sentence, relates, where, only, program(wrong[0], at))


def _related(words: str) -> str:
    return f"it would be {words}" if words.startswith("right with") else f"each wrong number is {words}"


def _when(condition: str) -> str:
    return f", only {condition}" if condition else ""


def _worst(at: int, passed: Passed) -> str:
    """Return how many numbers of an argument's gradient are wrong, and the one that is farthest off."""
    one, slopes, name = observation(passed, at), passed.slopes(at), passed.function.names[at]
    off = torch.where(one.wrong, (one.seen - one.right).abs().nan_to_num(nan=torch.inf), -1.0)
    flat = int(off.argmax())
    if one.right.shape == slopes.like.shape:
        index = torch.unravel_index(torch.tensor(flat), one.right.shape) if one.right.dim() else ()
    else:  # a row of measured entries, or the parts of complex ones
        row = flat // (2 if slopes.like.is_complex() else 1)
        index = tuple(slopes.measured.nonzero()[row])
    entry = f"[{', '.join(str(int(i)) for i in index)}]" if len(index) else ""
    count, of = int(one.wrong.sum()), one.wrong.numel()
    many = f"{count} of {of} numbers {'is' if count == 1 else 'are'} wrong; " if of > 1 else ""
    seen, right = float(one.seen.reshape(-1)[flat]), float(one.right.reshape(-1)[flat])
    return f"{many}for `{name}{entry}` the backward pass gives {number(seen)}, finite differences give {number(right)}"


def fault_at_kinks(at: int, passed: Passed) -> Fault | None:
    """Say what is wrong where no single gradient is right: entries that tie may share what is theirs together.

    Args:
        at: the argument's place.
        passed: a trial with entries beside kinks.
    """
    kinks, seen = passed.slopes(at).kinks, passed.seen(at)
    if seen.is_complex() or not kinks.any():
        return None
    if (together := passed.rate_along(at, kinks.to(torch.float64))) is None:
        return None
    name, sum_of_all = passed.function.names[at], float(seen[kinks].sum())
    if abs(sum_of_all - together) <= 1e-4 * (abs(together) + float(seen.abs().max())):
        return None
    count = int(kinks.sum())
    return Fault(
        name,
        f"At {count} entries of `{name}` the function has a kink, and moved together they change the output smoothly: "
        f"their gradients must add up to {number(together)}, and add up to {number(sum_of_all)}.",
        place="at a kink",
    )


def kinks_of(at: int, passed: Passed) -> str:
    """Say at how many entries no gradient is judged; "" if at none."""
    if not (count := int(passed.slopes(at).kinks.sum())):
        return ""
    entries = "1 entry" if count == 1 else f"{count} entries"
    return (
        f"at {entries} of `{passed.function.names[at]}`, as given, the function has a kink or a jump: the slopes on "
        "both sides differ, and what the backward pass gives there is not judged by itself"
    )
