"""Damage: what a call did to what it was handed, and neither the task nor the reference does.

`probes.call_changes` observes it. Each kind has a name, a sentence about what was seen and a piece of advice.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from autograder.comparison import Tolerance, agree
from autograder.diagnosis.hypothesis import Mistake

Change = dict[str, Any]
"""A change as `probes.call_changes` reports it, with `place`, `at`, `what`, `of` and `now`."""


class Allowed(enum.StrEnum):
    """What a task may allow its answers to change: the values of `may_change`."""

    PARAMETER_GRADS = ".grad of parameters"
    PARAMETERS = "parameters"
    HOOKS = "hooks on tensors"

    def covers(self, change: Change) -> bool:
        """Return whether a change is of this kind."""
        what, of = change["what"], change["of"]
        if self is Allowed.PARAMETER_GRADS:
            return bool(what.startswith("grad ") and of == "parameter")
        if self is Allowed.PARAMETERS:
            return bool(what == "numbers" and of == "parameter")
        return bool(what in ("hook left", "grad to be retained") and of in ("tensor", "parameter"))


class Damage(NamedTuple):
    """A kind of damage.

    Attributes:
        seen: what is said of the place, after "After `f(x)`, ".
        mistake: its name with the advice.
    """

    seen: str
    mistake: Mistake


def _damage(name: str, seen: str, advice: str) -> Damage:
    mistake = Mistake(name, advice)
    mistake.fact_first = True
    return Damage(seen, mistake)


OWN_LEAF = "If you need a leaf, make one of your own, from a copy. {read a leaf of your own}"
AS_FOUND = "Use a model as you find it, or put back what you change."
NUMBERS = (
    "Methods whose name ends in `_` write into the tensor itself, and so do `+=`, `x[...] = ...`, an assignment to "
    "`.data`, and `out=`. Work on a copy, made by `clone()`, because `y = x`, `detach()`, `numpy()` and views "
    "such as `x[0]` share the original's numbers."
)
RETAINED = (
    "`retain_grad()` changes the tensor that it is called on. `torch.autograd.grad` returns the gradient of an "
    "inner tensor without it. {read what fills grad}"
)
STORED = (
    "`backward()` adds, in place, to the `.grad` of every leaf that the graph leads to, and a `clone()` leads to the "
    "leaf that it was made from. `torch.autograd.grad` returns gradients and stores none. "
    "{read what fills grad}"
)
HANDLES = (
    "Put no hook on what you were handed, unless it runs during your call. If it does, keep the handle that "
    "registering returns, and call its `remove()`, in a `finally` block where something may raise. What has to act in "
    "a later backward pass belongs on a tensor of your own."
)
PROCESS = "`{0}` holds for the whole program. Use it as a `with` block, or put back what it was."

DAMAGE: dict[tuple[str, str], Damage] = {
    ("numbers", "tensor"): _damage("numbers changed", "`{place}` holds other numbers than before", NUMBERS),
    ("numbers", "parameter"): _damage(
        "parameters changed",
        "`{place}` holds other numbers than before",
        "Nothing is trained here, so the parameters keep their numbers. " + AS_FOUND,
    ),
    ("numbers", "buffer"): _damage(
        "buffers changed",
        "`{place}` holds other numbers than the task leaves there",
        "A BatchNorm in training updates its statistics at each run. How often may the model be run here, and in "
        "which mode?",
    ),
    ("shape", ""): _damage("shape changed", "the shape of `{place}` has changed", NUMBERS),
    ("dtype", ""): _damage(
        "dtype changed",
        "the dtype of `{place}` has changed",
        "`double()` and `float()` of a module work in place.",
    ),
    ("requires_grad on", ""): _damage(
        "requires_grad switched on", "`{place}` requires a gradient, and did not before", OWN_LEAF
    ),
    ("requires_grad on", "parameter"): _damage(
        "parameters thawed",
        "`{place}` requires a gradient, and did not before",
        "Parameters are frozen on purpose. Leave their `requires_grad`, or put back what each of them had. A gradient "
        "passes through frozen parameters if something else requires one, such as a copy of the input.",
    ),
    ("requires_grad off", ""): _damage(
        "requires_grad switched off",
        "`{place}` requires no gradient any more",
        "`detach_()` and `requires_grad_(False)` change the tensor itself; `detach()` returns another.",
    ),
    ("requires_grad off", "parameter"): _damage(
        "parameters frozen",
        "`{place}` requires no gradient any more",
        "The next training of this model would train nothing. " + AS_FOUND,
    ),
    ("leaf lost", ""): _damage(
        "leaf lost",
        "`{place}` is not a leaf any more",
        "It was written into while gradients were recorded, with numbers that require one, and so became part of a "
        "graph. Write under `torch.no_grad()`, and what you compute there is not recorded either. {read leaves}",
    ),
    ("grad filled", ""): _damage(".grad filled", "`{place}.grad` holds a gradient, and was None before", STORED),
    ("grad zeros", ""): _damage(
        ".grad filled",
        "`{place}.grad` holds zeros, and was None before",
        "None says that no gradient was stored, which zeros do not. If you put back what was there, put None back too: "
        "`zero_grad()` does so by default. {read what fills grad}",
    ),
    ("grad retained", ""): _damage(
        ".grad filled",
        "the inner tensor `{place}` holds a gradient, and did not before",
        RETAINED,
    ),
    ("grad to be retained", ""): _damage(
        ".grad filled",
        "the inner tensor `{place}` retains its gradient from now on, and did not before",
        RETAINED,
    ),
    ("grad changed", ""): _damage(".grad changed", "`{place}.grad` holds other numbers than before", STORED),
    ("grad cleared", ""): _damage(
        ".grad cleared",
        "`{place}.grad` is None, and held a gradient before",
        "Gradients may be accumulating there. Leave `.grad` as you find it.",
    ),
    ("hook left", ""): _damage("hook left", "`{place}` has a hook that it did not have before", HANDLES),
    ("hook removed", ""): _damage(
        "hook removed", "`{place}` has lost a hook that it had before", "Remove only your own hooks, by their handles."
    ),
    ("mode", ""): _damage(
        "mode changed",
        "the mode of `{place}` has changed",
        "`train()` and `eval()` set every module inside, too. " + AS_FOUND,
    ),
    ("forward", ""): _damage(
        "forward replaced", "`{place}.forward` is no longer the same function", "To look into a module, use a hook."
    ),
    ("parameters replaced", ""): _damage(
        "parameters replaced",
        "`{place}` holds another tensor as a parameter or buffer than before",
        "An optimizer that knows the old one would train it in vain. " + AS_FOUND,
    ),
    ("children replaced", ""): _damage("children replaced", "`{place}` has other children than before", AS_FOUND),
    ("items", ""): _damage(
        "items changed",
        "`{place}` holds other items than before",
        "Lists and dicts are handed over themselves, not as copies. Work on a copy, or only read them.",
    ),
    ("earlier result", ""): _damage(
        "earlier result changed",
        "the list or dict that an earlier call returned holds other items: each call returns the same one",
        "A mutable default argument, or a list or dict outside of the function, is one object for all calls. Make a "
        "new one in each call.",
    ),
    ("grad mode", ""): _damage(
        "grad mode changed", "grad mode is not what it was", PROCESS.format("torch.set_grad_enabled")
    ),
    ("inference mode", ""): _damage(
        "inference mode changed", "inference mode is not what it was", PROCESS.format("torch.inference_mode")
    ),
    ("default dtype", ""): _damage(
        "default dtype changed",
        "the default dtype is not what it was",
        "`torch.set_default_dtype` holds for the whole program. Give `dtype=` to the tensors that you make.",
    ),
    ("default device", ""): _damage(
        "default device changed",
        "the default device is not what it was",
        "`torch.set_default_device` holds for the whole program. Give `device=` to the tensors that you make.",
    ),
    ("anomaly mode", ""): _damage(
        "anomaly mode changed",
        "anomaly detection is not what it was",
        PROCESS.format("torch.autograd.set_detect_anomaly"),
    ),
    ("deterministic algorithms", ""): _damage(
        "deterministic algorithms changed",
        "the choice of deterministic algorithms is not what it was",
        "`torch.use_deterministic_algorithms` holds for the whole program. Leave it alone.",
    ),
    ("threads", ""): _damage(
        "threads changed",
        "torch uses a different number of threads from before",
        "`torch.set_num_threads` holds for the whole program. Leave it alone.",
    ),
    ("forward-mode level", ""): _damage(
        "forward-mode level left open",
        "a level of forward mode was entered and not left, so that the next one cannot be entered",
        "Use `with torch.autograd.forward_ad.dual_level():`, which leaves it even where an exception is raised.",
    ),
    ("hooks of saved tensors", ""): _damage(
        "hooks of saved tensors left",
        "hooks for all saved tensors were put in place and not taken away",
        "Use `with torch.autograd.graph.saved_tensors_hooks(pack, unpack):`, which takes them away at its end.",
    ),
    ("hooks of all modules", ""): _damage(
        "hook left on all modules", "every module of the program has a hook that it did not have before", HANDLES
    ),
}
"""Kinds of damage by what changed and what it belongs to; "" stands for whatever has no entry of its own."""


def kind_of(change: Change) -> Damage | None:
    """Return the kind of damage that a change would be; None for one that no probe reports."""
    return DAMAGE.get((change["what"], change["of"])) or DAMAGE.get((change["what"], ""))


def damage(
    changes: list[Change],
    allowed: Iterable[Allowed],
    by_reference: Callable[[], list[Change]],
    tolerance: Tolerance,
) -> list[Change]:
    """Return the changes that are damage: neither allowed by the task nor made by the reference too.

    Args:
        changes: what the student's calls changed.
        allowed: what the task allows.
        by_reference: computes what the reference changes; called only if something is left to excuse.
        tolerance: how far a buffer may be from what the reference leaves in it.
    """
    left = [one for one in changes if not any(kind.covers(one) for kind in allowed)]
    if not left:
        return []
    excused = {_key(one): list(one["now"]) for one in by_reference()}

    def is_excused(change: Change) -> bool:
        now = excused.get(_key(change))
        return now is not None and agree(list(change["now"]), now, tolerance)

    return [one for one in left if not is_excused(one)]


def _key(change: Change) -> tuple[str, str]:
    """Return where and what; zeros are a gradient too, though perhaps the wrong one."""
    return change["at"], "grad filled" if change["what"] == "grad zeros" else change["what"]
