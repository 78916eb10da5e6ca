"""attach_savers: what is right, from two sources, and what is asked."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.numbers import number
from autograder.checks.draws.tensor_graphs import tensor_graph
from autograder.checks.task import Allowed, Task
from autograder.probes.programs import Program
from autograder.references import Reference
from autograder.references.runs import outcome

from ..shared import LEAF_GRADS, DifferencedPasses, Listener, sum_text, without_hooks

Named = dict[str, torch.Tensor]


def _attach_savers(tensors: Named, grads: Named) -> list[Any]:
    def saver(name: str) -> Callable[[torch.Tensor], None]:
        def save(gradient: torch.Tensor) -> None:
            grads[name] = gradient.detach().clone()

        return save

    return [tensor.register_hook(saver(name)) for name, tensor in tensors.items()]


def _attach_listeners(passes: DifferencedPasses, tensors: Named, grads: Named) -> list[Listener]:
    return [passes.listen(tensor, functools.partial(grads.__setitem__, name)) for name, tensor in tensors.items()]


REFERENCE = Reference(
    lambda program: outcome(program, "attach_savers", _attach_savers),
    "a closure for each tensor",
    without_hooks("attach_savers", _attach_listeners),
    "central differences in each pass, saved for the tensors that it reaches",
)

TASK = Task(
    __file__,
    minutes=10,
    concepts=("hooks", "aliasing"),
    section="Saving gradients: closures and late binding",
    reference=REFERENCE,
    may_change=(Allowed.HOOKS,),
    says={
        "connected": "`x.grad` requires no gradient, although the pass ran with `create_graph=True`",
    },
)


RETAINED = "u.retains_grad or v.retains_grad"


def _dict_text(names: Sequence[str]) -> str:
    return "{" + ", ".join(f'"{name}": {name}' for name in names) + "}"


def _entries(name: str, keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{name}['{key}']" for key in keys)


def saved_twice(source: Random) -> tuple[Program]:
    """Two passes through one graph, the second from another upstream gradient."""
    graph = tensor_graph(source)
    names = graph.some(source)
    text = (
        f"{graph.text}grads = {{}}\nhandles = attach_savers({_dict_text(names)}, grads)\n"
        f"a.backward(retain_graph=True)\nfirst = dict(grads)\na.backward(torch.full_like(a, {number(source, 1.5)}))\n"
    )
    return (Program(text, ("sorted(grads)", *_entries("first", names), *_entries("grads", names), *LEAF_GRADS)),)


def saved_apart(source: Random) -> tuple[Program]:
    """One of the saved gradients is overwritten; the others are looked at."""
    names = list("buvx")
    source.shuffle(names)
    edited = source.choice("buv")
    text = (
        f"{sum_text(source)}grads = {{}}\nattach_savers({_dict_text(names)}, grads)\na.backward()\n"
        f'if grads.get("{edited}") is not None:\n    grads["{edited}"].mul_({number(source, 1.5)})\n'
    )
    return (Program(text, ("sorted(grads)", *_entries("grads", names), "x.grad", "w.grad", RETAINED)),)


def savers_removed(source: Random) -> tuple[Program]:
    """One handle is removed before the first pass, the others before the second."""
    graph = tensor_graph(source)
    names = graph.some(source, least=3)
    index = source.randrange(len(names))
    text = (
        f"{graph.text}grads = {{}}\nhandles = attach_savers({_dict_text(names)}, grads)\nhandles[{index}].remove()\n"
        "a.backward(retain_graph=True)\nsaved = list(grads)\nfor handle in handles:\n    handle.remove()\n"
        "grads.clear()\na.backward()\n"
    )
    return (Program(text, ("len(handles)", "sorted(saved)", "len(grads)", f"counters.hooks_on({', '.join(names)})")),)


@TASK.check("each gradient under its own name", points=2, cases="saved", draw=saved_twice)
def test_attach_savers(answers: Answers) -> None:
    """Every pass overwrites, and the gradients themselves stay as they are."""
    answers.agree()


@TASK.check("copies", points=1, cases="apart", draw=saved_apart, draws=2)
def test_attach_savers_copies(answers: Answers) -> None:
    """Writing into one saved gradient changes no other tensor, and inner tensors keep no gradient of their own."""
    answers.agree()


@TASK.check("handles", points=1, cases="handles", draw=savers_removed, draws=2)
def test_attach_savers_handles(answers: Answers) -> None:
    """One for each tensor, in order."""
    answers.agree()
