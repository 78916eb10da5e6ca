"""What a function does beside its numbers: draws random ones, and keeps tensors alive after the pass."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

from autograder.own_gradients.arguments import NotExplainableError
from autograder.own_gradients.function import Function


def deterministic(function: Function) -> Iterator[str]:
    """Yield a note if the function draws random numbers.

    Raises:
        NotExplainableError: if two calls with the same inputs, both in the same state, give different numbers.
    """
    one, other = ([output.detach() for output in function(function.copies())] for _ in range(2))
    pairs = list(zip(one, other, strict=True))
    if not all(a.isnan().equal(b.isnan()) and a.nan_to_num().equal(b.nan_to_num()) for a, b in pairs):
        raise NotExplainableError(
            f"`{function.name}` gives other numbers when called again with the same inputs; give a function that does "
            "not change"
        )
    if function.draws():
        yield "the function draws random numbers; their generators were seeded before each call"


def kept_alive(function: Function) -> Iterator[str]:
    """Yield a note if tensors of a call live on after everything that came from it was given up."""
    values = function.copies()
    # A module keeps its parameters in any case: a recurrent one does so in a list of its own.
    watched = [weakref.ref(values[at]) for at in function.checked if at not in function.parameters]
    outputs = function(values)
    watched += [weakref.ref(one) for one in outputs if one.requires_grad and all(one is not v for v in values)]
    del values, outputs
    if not any(one() is not None for one in watched):
        return
    gc.collect()
    if not any(one() is not None for one in watched):
        yield (
            "tensors of a call are freed only when Python collects garbage: there is a reference cycle, as "
            "`ctx.y = output` does; `ctx.save_for_backward` avoids it"
        )
    if any(one() is not None for one in watched):
        yield (
            "a tensor of the call is still alive after its inputs and outputs were deleted: kept outside "
            "`ctx.save_for_backward`, on the class or as an attribute of `ctx`, it costs memory at each call"
        )
