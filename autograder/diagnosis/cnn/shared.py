"""Mistakes that several tasks of exercise 09 share: frozen layers, the caller's image, modes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import nn

from autograder.diagnosis.hypothesis import Mistake
from autograder.diagnosis.jacobians.shared import mistakes_of

NOTHING_TO_RETAIN = Mistake(
    "nothing to retain yet",
    "A tensor that is asked about requires no gradient: it was cut off, or what is in front of it is frozen and the "
    "image is plain data. Where could a leaf stand?",
    raises="can't retain_grad on Tensor that has requires_grad=False|"
    "One of the differentiated Tensors does not require grad|element \\d+ of tensors does not require grad|"
    "cannot register a hook on a tensor that doesn't require gradient",
)

MODE_CHANGED = (
    "mode changed",
    "A module is in another mode than before. `train()` and `eval()` set every module below; the task asks for the "
    "mode in which it was found.",
)


def as_found(task: str, right: Callable[..., Any], image_at: int, image_is: str = "image") -> tuple[Mistake, ...]:
    """Right numbers, and the image, the parameters or a mode are not what they were.

    Args:
        task: the task's name.
        right: a right implementation.
        image_at: where among the arguments the image stands; modules stand before it, and nothing else has modes.
        image_is: what the task calls it.
    """

    def modules(given: tuple) -> list[nn.Module]:
        return [one for one in given[:image_at] if isinstance(one, nn.Module)]

    def marking(*given: Any) -> Any:
        found = right(*given)
        given[image_at].requires_grad_()
        return found

    def changing(change: Callable[[nn.Module], Any], first: bool) -> Callable[..., Any]:
        """The modules are changed before the right thing is done, and stay so, or afterwards."""

        def implementation(*given: Any) -> Any:
            found = None if first else right(*given)
            for module in modules(given):
                change(module)
            return right(*given) if first else found

        return implementation

    def both_ways(*changes: Callable[[nn.Module], Any]) -> list[Callable[..., Any]]:
        return [changing(change, first) for change in changes for first in (False, True)]

    mistake = mistakes_of(task)
    return (
        *mistake(
            "the caller's image marked",
            f"The caller's `{image_is}` requires a gradient afterwards, and did not before. Make a leaf of your own. "
            "See lesson 03, “A leaf of your own”.",
            marking,
        ),
        *mistake(
            "frozen parameters thawed",
            "Parameters that required no gradient require one now. Somebody froze them on purpose; what else could "
            "require a gradient here?",
            *both_ways(nn.Module.requires_grad_),
        ),
        *mistake(
            *MODE_CHANGED,
            *both_ways(nn.Module.eval, nn.Module.train),
        ),
    )
