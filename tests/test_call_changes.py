"""What a call does to what it is handed is noted, and nothing that runs beside it notices."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from autograder.comparison import CONTRACT
from autograder.diagnosis.damage import Allowed, damage, kind_of
from autograder.probes.call_changes import CallChanges, compared
from autograder.probes.generators import DRAWN
from autograder.probes.known_state import known_state
from autograder.probes.programs import Program, run
from autograder.references.runs import changes_and_outcome

SETTING = """
x = torch.tensor([1.0, float("nan"), -0.0])
t = torch.arange(6.0).reshape(2, 3).t()[1:]
w = torch.tensor([2.0], requires_grad=True)
w.grad = torch.tensor([3.0])
u = 2 * w
model = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
items, table = [w, 1.0], {"a": 1.0}
f = (lambda inner: lambda: inner)(torch.ones(2))
"""


def noted(function: Callable[..., Any], call: str = "f(x)", setting: str = SETTING) -> set[tuple[str, str]]:
    """The places and kinds of what a student's function changes."""
    seen = CallChanges()
    with known_state(), compared({"student": function}, "student", seen) as names:
        run(f"{setting}student({call})", (), names)
    return {(one["place"], one["what"]) for one in seen.noted()}


def doing(code: str) -> Callable[[Any], Any]:
    """A function of `it` with this body."""
    names: dict[str, Any] = {}
    exec(f"import torch\ndef student(it):\n    {code}\n", names)
    return names["student"]


@pytest.mark.parametrize(
    ("call", "code", "place", "what"),
    [
        ("x", "it.data.mul_(2)", "it", "numbers"),
        ("x", "it.data[2] = 0.0", "it", "numbers"),  # was -0.0
        ("t", "it.data[1, 1] += 1", "it", "numbers"),
        ("x", "it.data = it.data[None]", "it", "shape"),
        ("x", "it.data = it.data.double()", "it", "dtype"),
        ("x", "it.requires_grad_()", "it", "requires_grad on"),
        ("w", "it.requires_grad_(False)", "it", "requires_grad off"),
        ("u", "it.detach_()", "it", "requires_grad off"),
        ("w", "it.grad = None", "it", "grad cleared"),
        ("torch.zeros(1, requires_grad=True)", "it.grad = torch.zeros(1)", "it", "grad zeros"),
        ("w", "it.requires_grad_(False).mul_(torch.ones(1, requires_grad=True))", "it", "leaf lost"),
        ("w", "it.grad.add_(1)", "it", "grad changed"),
        ("u", "it.backward()", "w", "grad changed"),  # a name of the program
        ("w", "it.register_hook(print)", "it", "hook left"),
        ("w", "it.register_post_accumulate_grad_hook(print)", "it", "hook left"),
        ("u", "it.retain_grad()", "it", "grad to be retained"),
        ("u", "it.register_hook(print)", "it", "hook left"),
        ("model", "it[0].weight.data.mul_(2)", "it.0.weight", "numbers"),
        ("model", "it[0].bias.requires_grad_(False)", "it.0.bias", "requires_grad off"),
        ("model", "it[0].weight = torch.nn.Parameter(it[0].weight.data)", "it.0", "parameters replaced"),
        ("model", "it[0].weight.grad = torch.ones(2, 2)", "it.0.weight", "grad filled"),
        ("model", "it(torch.ones(2, 2))", "it.1.running_mean", "numbers"),
        ("model", "it[1].eval()", "it.1", "mode"),
        ("model", "it[0].register_forward_hook(print)", "it.0", "hook left"),
        ("model", "it[0].register_full_backward_hook(print)", "it.0", "hook left"),
        ("model", "it[0].forward = print", "it.0", "forward"),
        ("model", "it[0] = torch.nn.Linear(2, 2)", "it", "children replaced"),
        ("items", "it.append(1)", "it", "items"),
        ("items", "it[0].data.add_(1)", "it[0]", "numbers"),
        ("table", "it['a'] = 2.0", "it", "items"),
        ("f", "it().add_(1)", "it.inner", "numbers"),
        ("f", "torch.set_grad_enabled(False)", "", "grad mode"),
        ("f", "torch.set_default_dtype(torch.float64)", "", "default dtype"),
        ("f", "torch.set_default_device('meta')", "", "default device"),
        ("f", "torch.autograd.set_detect_anomaly(True)", "", "anomaly mode"),
        ("f", "torch.use_deterministic_algorithms(True)", "", "deterministic algorithms"),
        ("f", "torch.autograd.forward_ad.enter_dual_level()", "", "forward-mode level"),
        ("f", "torch.autograd.graph.saved_tensors_hooks(print, print).__enter__()", "", "hooks of saved tensors"),
        ("f", "torch.nn.modules.module.register_module_forward_hook(print)", "", "hooks of all modules"),
    ],
)
def test_each_change_is_noted_with_its_place_and_has_a_name(call: str, code: str, place: str, what: str) -> None:
    found = noted(doing(code), call)
    assert (place, what) in found
    assert all(kind_of({"what": kind, "of": "tensor"}) for _, kind in found - {("", DRAWN)})


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("x", "it.clone().mul_(2)"),
        ("x", "it[0] = it[0]"),
        ("u", "torch.autograd.grad(it, it)"),
        ("u", "(2 * it).retain_grad()"),
        ("model", "it.train()"),
        ("model", "h = it.register_forward_hook(print); h.remove()"),
        ("w", "it.register_hook(print).remove()"),
        ("items", "it[:] = [one for one in it]"),
        ("f", "torch.rand(3, generator=torch.Generator())"),
        ("f", "with torch.no_grad(): pass"),
        ("f", "with torch.autograd.forward_ad.dual_level(): pass"),
    ],
)
def test_what_leaves_things_as_they_were_is_not_noted(call: str, code: str) -> None:
    assert noted(doing(code), call) == set()


@pytest.mark.parametrize(
    "code", ["torch.rand(3)", "import random; random.random()", "import numpy; numpy.random.rand(2)"]
)
def test_that_random_numbers_were_drawn_is_noted(code: str) -> None:
    assert noted(doing(code), "f") == {("", DRAWN)}
    assert kind_of({"what": DRAWN, "of": "process"}) is None  # it is no damage


def test_the_process_goes_on_as_it_was() -> None:
    with known_state(), compared({"f": doing("torch.set_grad_enabled(False)")}, "f", CallChanges()) as names:
        assert run("f(1)\ny = 2 * torch.ones(1, requires_grad=True)", ("y.requires_grad",), names)["y.requires_grad"]


def test_a_level_that_a_question_left_open_is_closed_before_the_next() -> None:
    for _ in range(2):
        with known_state():
            torch.func.jvp(torch.sin, (torch.ones(1),), (torch.ones(1),))
            torch.autograd.forward_ad.enter_dual_level()


@pytest.mark.parametrize(("caught", "failed", "count"), [(True, False, 1), (False, True, 0)])
def test_a_call_that_raises_is_compared_where_the_program_goes_on(caught: bool, failed: bool, count: int) -> None:
    seen = CallChanges()
    text = "w = torch.ones(1, requires_grad=True)\n"
    text += "try:\n    f(w)\nexcept ZeroDivisionError:\n    pass\n" if caught else "f(w)\n"
    with known_state(), compared({"f": doing("it.register_hook(print); 1 / 0")}, "f", seen) as names:
        try:
            run(text, (), names)
        except ZeroDivisionError:
            assert not caught
    assert len(seen.noted(failed)) == count


class Doubled(torch.autograd.Function):
    """Twice its input, and a backward that writes where it must not."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return 2 * x

    @staticmethod
    def backward(ctx: Any, upstream: torch.Tensor) -> torch.Tensor:
        ctx.saved_tensors[0].data.add_(1)
        return upstream.mul_(2)


def test_a_functions_backward_is_compared_and_its_node_keeps_its_name() -> None:
    seen = CallChanges()
    text = "x = torch.ones(2, requires_grad=True)\ny = Doubled.apply(x)\ny.backward(torch.ones(2))\n"
    with known_state(), compared({"Doubled": Doubled}, "Doubled", seen) as names:
        assert run(text, ("y.grad_fn.name()",), names) == {"y.grad_fn.name()": "DoubledBackward"}
    assert {(one["place"], one["what"]) for one in seen.noted()} == {("upstream", "numbers"), ("x", "numbers")}
    assert Doubled.apply.__func__ is torch.autograd.Function.apply.__func__


def test_counters_do_not_see_the_comparison() -> None:
    text = """
model = counters.counted(nn.Linear(2, 2))
x = torch.randn(4, 4)[:, ::2].requires_grad_()
with counters.operations_run() as run, counters.tensors_kept() as kept, counters.passes_run() as passes:
    f(model, x)
"""
    shown = ("run.counts", "run.largest", "kept.most", "passes", "model.calls", "counters.hooks_on(model, x)")

    def student(model: nn.Module, x: torch.Tensor) -> None:
        model(x).sum().backward()

    with known_state():
        expected = run(text, shown, {"f": student})
        with compared({"f": student}, "f", CallChanges()) as names:
            assert run(text, shown, names) == expected
    assert expected["run.largest"]


BATCHES = "model = nn.BatchNorm1d(2)\nf(model, torch.tensor([[1.0, 2.0], [3.0, 5.0]]))\n"


def left_over(student: Callable[..., Any], reference: Callable[..., Any], *allowed: Allowed) -> set[str]:
    """The kinds of damage that remain."""
    seen = CallChanges()
    with known_state(), compared({"f": student}, "f", seen) as names:
        run(BATCHES, (), names)
    program = Program(BATCHES, ())
    return {
        one["what"]
        for one in damage(seen.noted(), allowed, lambda: changes_and_outcome(program, "f", reference)[0], CONTRACT)
    }


def test_what_the_reference_leaves_in_buffers_is_no_damage() -> None:
    assert left_over(lambda model, x: model(x), lambda net, batch: net(batch)) == set()
    assert left_over(lambda model, x: (model(x), model(x)), lambda net, batch: net(batch)) == {"numbers"}
    assert left_over(lambda model, x: model(x), lambda net, batch: None) == {"numbers"}


def test_what_a_task_allows_is_no_damage() -> None:
    def student(model: nn.Module, x: torch.Tensor) -> None:
        model.eval()(x).sum().backward()

    assert left_over(student, lambda model, x: model.eval()) == {"grad filled"}
    assert left_over(student, lambda model, x: model.eval(), Allowed.PARAMETER_GRADS) == set()


KEPT = """
def fresh(x):
    return {"x": x}

def kept(x, into={}):
    into["x"] = x
    return into

def within(x, into=[]):
    into.append(x)
    return x, {"all": into}

def emptied(x, into=[]):
    into.clear()
    into += [x, 2 * x]
    return into

@functools.cache
def cached(x):
    return [x]

def handed(x):
    x[0] = x[0]
    return x
"""


@pytest.mark.parametrize(
    ("name", "argument", "found"),
    [
        ("fresh", 1.5, False),
        ("kept", 1.5, True),
        ("within", 1.5, True),
        ("emptied", 1.5, True),
        ("cached", 1.5, False),
        ("handed", [1.5], False),
    ],
)
def test_a_list_or_dict_that_calls_share_is_noted_and_keeps_its_items(name: str, argument: Any, found: bool) -> None:
    names: dict[str, Any] = {"functools": functools}
    exec(KEPT, names)
    seen = CallChanges()
    with compared({"student": names[name]}, "student", seen) as watched:
        first = watched["student"](argument)
        again = watched["student"](argument)
    assert ({one["what"] for one in seen.noted()} == {"earlier result"}) is found
    assert bool(first)
    assert bool(again)
    assert kind_of({"what": "earlier result", "of": "container"}) is not None
