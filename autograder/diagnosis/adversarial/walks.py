"""Mistakes of pgd, and of the walk that targeted_pgd makes too."""

from __future__ import annotations

import torch

from autograder.diagnosis.adversarial.shared import WAYS, of_predictions, read, things_as_found
from autograder.diagnosis.adversarial.walking import Walk, both, by_length, stopping, within
from autograder.diagnosis.hypothesis import Mistake
from autograder.diagnosis.jacobians.shared import mistakes_of
from autograder.references.adversarial.attacks import slope, walked

TASK = "pgd"
_mistake = mistakes_of(TASK)


def _signed(size: float, step: float) -> float:
    return size if step > 0 else -size


WALKS: dict[str, tuple[str, tuple[Walk, ...]]] = {
    "nothing moved": ("The result is `x`. Did the steps go into the result?", (Walk(sizes=lambda e, s, n: (e, s, 0)),)),
    "projection forgotten": (
        "Some pixels are further than `epsilon` from where they were in `x`. After each step a pixel that has gone "
        "too far is put back, measured from the image that came in.",
        (
            Walk(limits=lambda now, before, x, epsilon: now.clamp(0, 1)),
            Walk(limits=lambda now, before, x, epsilon: within(now, before, epsilon).clamp(0, 1)),
            Walk(limits=lambda now, before, x, epsilon: now),
        ),
    ),
    "projection around another point": (
        "Pixels were held within `epsilon` of 0, or the change was not added to `x` again. The limits are `epsilon` "
        "below and above where the pixel was in `x`.",
        (
            Walk(limits=lambda now, before, x, epsilon: now.clamp(-epsilon, epsilon)),
            Walk(limits=lambda now, before, x, epsilon: now.clamp(-epsilon, epsilon).clamp(0, 1)),
            Walk(limits=lambda now, before, x, epsilon: now.clamp(0, epsilon)),
        ),
    ),
    "projection of the length": (
        "The whole change of an image was held to the length `epsilon`. The limit is one for each pixel, which may use "
        "all of it.",
        (Walk(limits=by_length),),
    ),
    "limits the wrong way round": (
        "All pixels end up at the same distance from `x`, on the same side, whatever their gradients. `clamp` takes "
        "the lower limit first; if the two are exchanged, it returns the second.",
        (Walk(limits=lambda now, before, x, epsilon: (x - epsilon).clamp(0, 1)),),
    ),
    "projected only at the end": (
        "A limit was put in force only once, at the end. So later gradients were taken at images that are too far "
        "away, or that have pixels below 0 or above 1.",
        (
            Walk(
                limits=lambda now, before, x, epsilon: within(now, x, epsilon),
                last=lambda x, now, epsilon: now.clamp(0, 1),
            ),
            Walk(limits=lambda now, *rest: now, last=lambda x, now, epsilon: both(now, now, x, epsilon)),
            Walk(limits=lambda now, *rest: now.clamp(0, 1), last=lambda x, now, epsilon: both(now, now, x, epsilon)),
        ),
    ),
    "limits forgotten": (
        "Some pixels are below 0 or above 1. An image has none such.",
        (Walk(limits=lambda now, before, x, epsilon: within(now, x, epsilon)),),
    ),
    "gradients of the start": (
        "Every step goes in the same direction, that of the first. A step is for the images as they are now, and their "
        "gradient is a new one.",
        (Walk(at_start=True),),
    ),
    "gradients added up": (
        "From the second step on, the gradients of earlier steps are still in the one whose sign is taken. Each step "
        "has a gradient of its own.",
        (Walk(way=slope, added_up=True),),
    ),
    "each step from the start": (
        "Each step sets out from `x` again, so that the earlier ones are lost. It goes on from where the last one "
        "ended.",
        (Walk(from_start=True),),
    ),
    "steps of another size": (
        "A step has another size than `step`: it is `epsilon`, or one of the two shared out. `step` says how far a "
        "pixel moves in an iteration, `epsilon` how far from the start it may end up.",
        (
            Walk(sizes=lambda e, s, n: (e, s / max(n, 1), n)),
            Walk(sizes=lambda e, s, n: (e, _signed(e, s), n)),
            Walk(sizes=lambda e, s, n: (e, _signed(e / max(n, 1), s), n)),
        ),
    ),
    "another number of steps": (
        "Another number of steps was made: one in all, one too many or one too few. `iterations` says how many.",
        (
            Walk(sizes=lambda e, s, n: (e, s, 1)),
            Walk(sizes=lambda e, s, n: (e, s, n + 1)),
            Walk(sizes=lambda e, s, n: (e, s, max(n - 1, 0))),
        ),
    ),
    "a random start": (
        "The images had moved at random before the first step. Some attacks begin so; this one begins at `x` itself.",
        (
            Walk(start=lambda x, epsilon: x + torch.empty_like(x).uniform_(-epsilon, epsilon)),
            Walk(start=lambda x, epsilon: (x + torch.empty_like(x).uniform_(-epsilon, epsilon)).clamp(0, 1)),
            Walk(start=lambda x, epsilon: x + epsilon * torch.randn_like(x)),
            Walk(start=lambda x, epsilon: (x + epsilon * torch.randn_like(x)).clamp(0, 1)),
        ),
    ),
    "the change alone": (
        "This is how far the pixels have moved. The result is the image with that added.",
        (Walk(last=lambda x, now, epsilon: now - x),),
    ),
    **{name: (said, tuple(Walk(way=way) for way in ways)) for name, (said, ways) in WAYS.items()},
}
"""Wrong walks, and what to say of them."""

UNBOUND = Mistake(
    "no iterations",
    "Without iterations the loop's body never runs, and what only the body defines does not exist. What should be "
    "returned then?",
    raises="UnboundLocalError|NameError: .*(attacked|adv|now|images|result|delta)|ZeroDivisionError",
)
"""The loop was expected to run at least once."""

PGD = (
    *(mistake for name, (said, walks) in WALKS.items() for mistake in _mistake(name, said, *walks)),
    *_mistake(
        "against the prediction",
        "The attack goes against what the model reads, at the start or at each step. A label is given, and need not "
        "be the same.",
        Walk(way=of_predictions),
        lambda model, x, y, *sizes: walked(model, x, read(model, x), *sizes),
    ),
    *_mistake(
        "stopped early",
        "Images stay where they are once they are misread. All iterations are made for all images.",
        stopping(each=True, arrived=False),
        stopping(each=False, arrived=False),
    ),
    *things_as_found(TASK, walked, 1, "x"),
    UNBOUND,
)
