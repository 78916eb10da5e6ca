"""Counters count what happened, and nothing else."""

from __future__ import annotations

import copy
import subprocess
import sys
from collections.abc import Callable

import pytest
import torch
from torch.autograd import forward_ad

from autograder.probes import counters
from autograder.references.reachability import nodes_between
from autograder.replacing import replaced


def toy() -> tuple[torch.Tensor, ...]:
    x, w, b = (torch.tensor(number, requires_grad=True) for number in (3.0, 2.0, 1.0))
    u = x * w
    v = u + b
    return x, w, b, u, v, torch.relu(v)


def test_nodes_are_counted_as_they_run() -> None:
    x, w, b, u, v, a = toy()
    assert len(counters.backward_nodes(a)) == 6
    with counters.nodes_run(a) as runs:
        torch.autograd.grad(a, (x, w, b, u, v), retain_graph=True)
    assert runs.total() == 3
    with counters.nodes_run(a) as runs:
        a.backward()
    assert runs.total() == 6
    assert runs["AccumulateGrad"] == 3


@pytest.mark.parametrize("ends", [(0,), (2,), (3,), (4, 0), (0, 1, 2, 3, 4)])
def test_reachability_counts_what_the_engine_runs(ends: tuple[int, ...]) -> None:
    *nodes, a = toy()
    chosen = [nodes[end] for end in ends]
    with counters.nodes_run(a) as runs:
        torch.autograd.grad(a, chosen, retain_graph=True)
    assert nodes_between(a, chosen) == runs.total()


def squares(x: torch.Tensor) -> torch.Tensor:
    return x * x


def by_dual_numbers(x: torch.Tensor) -> None:
    with forward_ad.dual_level():
        squares(forward_ad.make_dual(x, x))


@pytest.mark.parametrize(
    ("way", "count"),
    [
        (lambda x: torch.func.jvp(squares, (x,), (x,)), 1),
        (lambda x: torch.func.jacfwd(squares)(x), 1),
        (by_dual_numbers, 1),
        (lambda x: torch.func.jacrev(squares)(x), 0),
        (squares, 0),
    ],
)
def test_runs_of_forward_mode_are_counted(way: Callable, count: int) -> None:
    with counters.duals_run() as runs:
        way(torch.ones(3))
    assert len(runs) == count
    by_dual_numbers(torch.ones(3))
    assert len(runs) == count


def test_operations_and_the_largest_tensor_are_counted() -> None:
    with counters.operations_run() as ops:
        (torch.ones(3, 4, requires_grad=True) @ torch.ones(4, 2)).sum().backward()
    assert ops.counts["mm"] == 2
    assert ops.largest == 12


def test_a_counted_model_stays_the_same_object_and_can_be_copied() -> None:
    model = torch.nn.Linear(2, 1)
    assert counters.counted(model) is model
    model(torch.ones(3, 2))
    twin = copy.deepcopy(model)
    with torch.no_grad():
        twin.weight.zero_()
        twin.bias.zero_()
    assert twin(torch.ones(1, 2)).item() == 0
    assert model.calls == [(3, 2), (1, 2)]
    assert counters.hooks_on(model) == 0
    model.register_forward_hook(print)
    assert counters.hooks_on(model) == 1


@pytest.mark.parametrize(
    ("spelling", "count"),
    [
        (lambda a, b: a @ b, 1),
        (lambda a, b: torch.einsum("ij,jk->ik", a, b), 1),
        (lambda a, b: torch.stack([a, a]) @ b, 1),
        (lambda a, b: a @ b[:, 0], 1),
        (lambda a, b: torch.addmm(a, a, b), 1),
        (lambda a, b: a @ b @ b, 2),
        (lambda a, b: a * b, 0),
    ],
)
def test_a_matrix_product_counts_once_however_it_is_written(spelling: Callable, count: int) -> None:
    a, b = torch.rand(3, 3), torch.rand(3, 3)
    with counters.operations_run() as run:
        spelling(a, b)
    assert run.products == count


def test_counting_operations_loads_no_compiler() -> None:
    code = (
        "import sys, torch\nfrom autograder.probes import counters\nx = torch.ones(2, 2, requires_grad=True)\n"
        "with counters.operations_run():\n    (x @ x).sum().backward()\nassert 'torch._dynamo' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def chain(x: torch.Tensor) -> torch.Tensor:
    """sin keeps its input, tanh its output."""
    return x.sin().tanh()


def test_kept_tensors_are_counted_until_their_nodes_have_run() -> None:
    x = torch.ones(2, requires_grad=True)
    with counters.tensors_kept() as kept:
        y = chain(x).sum()
        assert (kept.now, kept.most) == (2, 2)
        y.backward(retain_graph=True)
        assert kept.now == 2
        y.backward()
    assert (kept.now, kept.most) == (0, 2)


def test_kept_tensors_go_with_the_last_name_of_their_graph() -> None:
    x = torch.ones(2, requires_grad=True)
    with counters.tensors_kept() as kept:
        y, detached = chain(x), chain(x).detach()
        assert (kept.now, kept.most) == (2, 4)
        with torch.no_grad():
            chain(x)
    del y
    assert (kept.now, kept.most) == (0, 4)
    assert not detached.requires_grad


def test_counting_kept_tensors_changes_no_derivative() -> None:
    x = torch.tensor([0.3, -1.2], dtype=torch.float64, requires_grad=True)
    with counters.tensors_kept():
        assert torch.autograd.gradcheck(chain, (x,))
        assert torch.autograd.gradgradcheck(chain, (x,))


def test_hooks_on_tensors_are_counted() -> None:
    x = torch.ones(2, requires_grad=True)
    handle = x.register_hook(print)
    x.register_post_accumulate_grad_hook(print)
    assert counters.hooks_on(x) == 2
    handle.remove()
    assert counters.hooks_on(x) == 1


def test_hooks_on_models_are_counted_at_any_depth() -> None:
    model = torch.nn.Sequential(torch.nn.Sequential(torch.nn.Linear(2, 2)))
    model[0][0].register_forward_hook(print)
    model[0].register_full_backward_hook(print)
    model[0][0].weight.register_hook(print)
    assert counters.hooks_on(model) == 3


def test_hooks_on_nodes_are_counted_without_leaving_one() -> None:
    x = torch.ones(2, requires_grad=True)
    nodes = counters.backward_nodes((x * x).sum())
    assert counters.hooks_on(*nodes) == 0
    handles = [nodes[0].register_prehook(print), nodes[-1].register_hook(print)]
    assert counters.hooks_on(*nodes) == counters.hooks_on(*nodes) == 2
    for handle in handles:
        handle.remove()
    assert counters.hooks_on(*nodes) == 0


class Parent:
    """Has a static method, and a child that inherits it."""

    @staticmethod
    def one() -> int:
        return 1


class Child(Parent):
    """Inherits all."""


@pytest.mark.parametrize("owner", [Parent, Child])
def test_a_replaced_attribute_is_restored_as_it_was_defined(owner: type) -> None:
    before = dict(vars(owner))
    with replaced(owner, "one", lambda: 2):
        assert owner.one() == 2
    assert dict(vars(owner)) == before
    assert owner().one() == 1
