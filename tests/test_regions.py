"""Regions and region mutants: what is measured, where a mutant is wrong, and that a hole is found."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path

import pytest
import torch

from autograder.checks.catalogue import find_task
from autograder.checks.task import Task
from autograder.proving.mutants.bench import Bench
from autograder.proving.regions import figures
from autograder.proving.regions.corruptions import OF_RESULTS, clipped, differs, rounded, shifted, sign, spoilt
from autograder.proving.regions.declared import FILE, Declared, declared, undeclared
from autograder.proving.regions.mutants import AFTERWARDS, harmless, region_mutants, survived
from autograder.proving.regions.recording import SEEDS, record
from autograder.proving.regions.surrounding import surrounded
from autograder.proving.regions.targets import signature_of
from autograder.proving.regions.vocabulary import OF_UPSTREAM, UPSTREAM, VOCABULARY, holds, regions_of
from autograder.references import PublicCase
from autograder.tasks.folders import COURSE
from autograder.tasks.tables import TaskFolderError
from tests.depth import proof

MINIATURE = Path(__file__).with_name("miniature")
END = {"x: an end of the range": "abs(x) == 100"}
BEYOND = {"x: beyond 100": "", "x: near a million": ""}


@pytest.fixture
def double(monkeypatch: pytest.MonkeyPatch) -> Task:
    monkeypatch.setenv(COURSE, str(MINIATURE))
    return find_task("double")


def without(task: Task, number: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the public case with this input out of a task's only check."""
    (check,) = task.checks
    kept: list[PublicCase] = [case for case in check.public if case.inputs != (number,)]
    assert len(kept) < len(check.public)
    monkeypatch.setattr("autograder.checks.task._drawn", {})
    monkeypatch.setattr(task, "checks", [dataclasses.replace(check, public=kept)])


INNER = torch.ones(2, 3, requires_grad=True).T * 1.0
LEAF = torch.tensor([[-1.0, 0.0, 200.0]], dtype=torch.float64, requires_grad=True)
LEAF.grad = torch.ones_like(LEAF)
HOLD = {
    "inner": (
        INNER,
        {"two axes", "oblong", "float32", "an inner node", "equal entries", "not contiguous"},
    ),
    "leaf": (
        LEAF,
        {"a negative entry", "an entry 0", "an entry beyond 100", "two axes", "a first axis of length 1", "oblong"}
        | {"float64", "a leaf", "a filled .grad"},
    ),
    "transposed": (
        torch.tensor([[0.5, 1.0, 1.5], [2.0, 2.5, 0.004]]).T,
        {"an entry below 0.01", "two axes", "oblong", "float32", "not contiguous", "no gradient required"},
    ),
    "zeros": (
        torch.zeros(2),
        {"an entry 0", "all entries 0", "equal entries", "one axis", "float32", "no gradient required"},
    ),
    "nothing": (torch.ones(0), {"one axis", "float32", "no gradient required"}),
    "scalar": (torch.tensor(1.0), {"no axis", "float32", "no gradient required"}),
    "labels": (torch.tensor([2, 0, 2]), {"one axis", "an entry 0", "equal entries"}),
    "number": (-300.0, {"negative", "beyond 100"}),
    "small": (-0.004, {"negative", "below 0.01"}),
    "large": (3e5, {"beyond 100", "near a million"}),
    "smallest": (3e-6, {"below 0.01", "near a millionth"}),
    "all_large": (
        torch.tensor([-3e5, 4e5]),
        {"a negative entry", "an entry beyond 100", "all entries near a million", "one axis", "float32"}
        | {"no gradient required"},
    ),
    "all_small": (
        torch.tensor([-3e-6, 4e-6]),
        {"a negative entry", "an entry below 0.01", "all entries near a millionth", "one axis", "float32"}
        | {"no gradient required"},
    ),
    "index": (0, {"0"}),
    "flag": (True, {"True"}),
    "model": (torch.nn.Linear(1, 1).eval(), {"in evaluation mode", "float32"}),
    "frozen": (torch.nn.Linear(1, 1).double().requires_grad_(False), {"in training mode", "float64", "frozen"}),
    "nodes": ([INNER, INNER], {"the same item twice", "an inner node among them", "float32 among them"}),
    "names": (("a",), {"one item"}),
    "dict": ({}, {"empty"}),
    "named": (
        {"a": LEAF, "b": torch.tensor(1.0)},
        {"a leaf among them", "no axis among them", "an axis of length 1 among them", "a filled .grad among them"}
        | {"float32 among them", "float64 among them"},
    ),
    "function": (len, set()),
}


@pytest.mark.parametrize("name", HOLD)
def test_the_regions_of_an_argument_hold_for_it(name: str) -> None:
    value, expected = HOLD[name]
    found = {region for region, text in regions_of(name, value).items() if holds(text, {name: value})}
    assert found == {f"{name}: {region}" for region in expected}


def test_each_region_of_the_vocabulary_holds_for_an_argument_and_not_for_another() -> None:
    """Those that hold for none of the examples are listed, so that a misspelt expression cannot hide."""
    held = {region for _, regions in HOLD.values() for region in regions}
    every = {region for kind in VOCABULARY.values() for region in kind}
    assert every - held == {"1", "False", "more axes", "a last axis of length 1"}


@pytest.mark.parametrize("corruption", OF_RESULTS, ids=lambda one: one.__name__)
def test_each_corruption_changes_a_result_and_leaves_another_as_it_is(corruption) -> None:
    tall = torch.tensor([[2.0], [-3.0]], requires_grad=True)
    sizes = ({"a": [size * tall]} for size in (1.0, 1e6, 1e-6))
    assert any(differs(spoilt(corruption, one), one) for one in sizes)
    assert not differs(spoilt(corruption, "text"), "text")


def test_a_corruption_that_only_some_sizes_feel_leaves_what_a_statement_allows() -> None:
    """A result is compared as a whole, and of 0 no size is felt."""
    small = torch.tensor([3e-6, -4e-6])
    assert differs(spoilt(shifted, small), small)
    beside = [small, 1.0]
    assert differs(spoilt(shifted, beside), beside)
    assert not differs(spoilt(shifted, beside, (1e-3, 1e-6, 0.0)), beside)
    assert not differs(spoilt(shifted, small, (0.0, 0.0, 1e-6)), small)
    assert not differs(spoilt(shifted, 0 * small), 0 * small)
    assert not differs(spoilt(clipped, 1.000003), 1.000003)
    assert not differs(spoilt(rounded, torch.tensor([0, 300])), torch.tensor([0, 300]))


def test_results_that_are_equal_do_not_differ() -> None:
    odd = {"a": [torch.tensor([float("nan"), -0.0]), (1, float("nan"), None)]}
    same = {"a": [torch.tensor([float("nan"), 0.0]), (1, float("nan"), None)]}
    assert not differs(odd, same)
    for other in (torch.tensor([1.0]), torch.tensor(1.0, dtype=torch.float64), 1.0, [1.0], None):
        assert differs(torch.tensor(1.0), other)


def test_only_calls_in_the_region_are_spoilt() -> None:
    f = surrounded(abs, lambda calls, x: x < 0 and calls > 1, on_result=lambda token, value: -value)
    assert [f(-2), f(2), f(-2)] == [2, 2, -2]


def test_the_gradient_of_a_result_is_spoilt_and_its_value_is_not() -> None:
    f = surrounded(torch.exp, lambda calls, x: True, on_gradient=lambda token, index, value, arrived: -value)
    x = torch.zeros(2, requires_grad=True)
    y = f(x)
    y.sum().backward()
    assert y.tolist() == [1, 1]
    assert x.grad.tolist() == [-1, -1]


def test_a_function_that_sets_hooks_has_the_gradient_that_passes_them_spoilt() -> None:
    arriving: list[torch.Tensor] = []

    def noted(token: object, index: int | None, value: torch.Tensor, arrived: tuple[torch.Tensor, ...]) -> torch.Tensor:
        arriving.extend(arrived)
        return 2 * value

    f = surrounded(
        lambda named: [one.register_hook(lambda gradient: 5 * gradient) for one in named.values()],
        lambda calls, named: True,
        on_gradient=noted,
    )
    x = torch.zeros(2, requires_grad=True)
    f({"x": x, "again": x})
    x.sum().backward()
    assert x.grad.tolist() == [50, 50]
    assert [one.tolist() for one in arriving] == [[1, 1]]


@pytest.mark.parametrize("returned", [None, []])
def test_a_function_that_sets_no_hook_has_no_gradient_of_its_arguments_spoilt(returned: object) -> None:
    f = surrounded(
        lambda x: returned, lambda calls, x: True, on_gradient=lambda token, index, value, arrived: 2 * value
    )
    x = torch.zeros(2, requires_grad=True)
    f(x)
    x.sum().backward()
    assert x.grad.tolist() == [1, 1]


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, upstream):
        a, b = ctx.saved_tensors
        return upstream * b, upstream * a


def test_a_function_keeps_its_name_and_each_apply_its_region() -> None:
    spoilt_b = surrounded(
        Product,
        lambda calls, a, b: calls == 1,
        on_gradient=lambda token, index, value, arrived: sign(value) if index == 1 and arrived[0] == 1 else value,
    )
    a, b = (torch.tensor(number, requires_grad=True) for number in (2.0, 5.0))
    first, second = spoilt_b.apply(a, b), spoilt_b.apply(a, b)
    assert first.grad_fn.name() == "ProductBackward"
    assert torch.autograd.grad(first, (a, b)) == (5, -2)
    assert torch.autograd.grad(second, (a, b)) == (5, 2)


class Upstream(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 1 * x

    @staticmethod
    def backward(ctx, upstream):
        return upstream


ARRIVING = {
    "all entries 0": torch.zeros(2, 2),
    "all entries near a million": torch.full((2, 2), 3e5),
    "all entries near a millionth": torch.full((2, 2), 3e-6),
    "not contiguous": torch.tensor([[1.0, 2.0], [3.0, 4.0]]).T,
    "expanded": torch.ones(2, 1).expand(2, 2),
    "with a graph of its own": torch.ones(2, 2, requires_grad=True),
}


@pytest.mark.parametrize("name", ARRIVING)
def test_the_regions_of_a_gradient_that_arrives_hold_for_it(name: str) -> None:
    seen: list[set[str]] = []

    def noted(token: object, index: int | None, value: torch.Tensor, arrived: tuple[torch.Tensor, ...]) -> torch.Tensor:
        seen.append({region for region, text in OF_UPSTREAM.items() if holds(text, {"_upstream": arrived})})
        return value

    x = torch.zeros(2, 2, requires_grad=True)
    surrounded(Upstream, lambda calls, x: True, on_gradient=noted).apply(x).backward(
        ARRIVING[name], create_graph=ARRIVING[name].requires_grad
    )
    also = {UPSTREAM + "not contiguous"} if name == "expanded" else set()
    assert seen == [{UPSTREAM + name} | also]


def test_a_class_has_regions_only_where_its_methods_are_named() -> None:
    with pytest.raises(TypeError, match="Random is a class"):
        signature_of(random.Random)


def test_operations_that_ask_for_the_region_are_not_counted() -> None:
    from autograder import counters

    f = surrounded(lambda x: x + 1, lambda calls, x: (x @ x < 0).any())
    with counters.operations_run() as run:
        f(torch.ones(2, 2))
    assert run.products == 0


def test_what_is_asked_is_measured(double: Task) -> None:
    found = record(double, declared(double))
    assert found.times("x: 0") == (1, 0)
    assert found.times("a second call") == (5, 20)
    assert "x: beyond 100" in found.known
    assert "x: beyond 100" not in found.promised
    assert list(figures.problems_of(found)) == []
    assert next(figures.table(found)).split() == ["region", "public", "seeds"]


def test_a_region_that_is_not_always_asked_is_said(double: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    without(double, 0.000002, monkeypatch)
    said = [one.sentence for one in figures.problems_of(record(double, declared(double)))]
    assert [one.partition(";")[0] for one in said] == [
        "double: 'x: below 0.01' is never asked",
        "double: 'x: near a millionth' is never asked",
    ]


def test_a_bound_that_the_statement_names_is_a_region(double: Task) -> None:
    found = record(double, Declared(Path(FILE), {}, BEYOND, {}))
    (said,) = figures.problems_of(found)
    assert "'between -100 and 100', and no region of [own] names 100" in said.sentence
    quoted = Declared(Path(FILE), {}, BEYOND, {}, quoted=("a float between -100 and 100",))
    assert list(figures.problems_of(record(double, quoted))) == []


@pytest.mark.parametrize(
    ("excluded", "said"), [("x: negative", "is excluded, and asked"), ("x: float32", "no argument has the region")]
)
def test_a_needless_exclusion_is_said(double: Task, excluded: str, said: str) -> None:
    found = record(double, Declared(Path(FILE), END, {**BEYOND, excluded: ""}, {}))
    (problem,) = figures.problems_of(found)
    assert said in problem.sentence


def test_every_region_mutant_of_a_well_asked_task_loses_points(double: Task) -> None:
    score = figures.score("double")
    assert score.clean
    assert score.mutants > 10


def test_a_question_that_is_not_asked_lets_region_mutants_live(double: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    found = record(double, declared(double))
    small = [one for one in region_mutants(found) if one.wrong.region == "x: near a millionth"]
    changes = ("doubled", "rounded", "shifted", "sign", "zero")
    assert [one.wrong.change for one in small] == [f"result: {change}" for change in changes]
    assert [survived(found, one.cell, one.concerned) for one in small] == [[]] * len(small)
    assert survived(found, small[0].cell, ()) == list(range(len(SEEDS)))


def test_a_region_may_be_a_conditional_expression(double: Task) -> None:
    found = record(double, Declared(Path(FILE), {"x: 3": "x == 3 if x else False"}, BEYOND, {}))
    mutant = next(one for one in region_mutants(found) if one.wrong.region == "x: 3")
    assert survived(found, mutant.cell, mutant.concerned) == []


def test_a_change_that_no_check_sees_is_said_once(double: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "survived", lambda record, cell, concerned: list(range(len(SEEDS))))
    score = figures.score("double")
    everywhere = {one.change for one in score.survivors if one.region == "any call"}
    assert everywhere == {"result: clipped", "result: doubled", "result: sign", "result: zero"}
    # Too few calls feel the others for a mutant that is wrong in any call.
    others = {one.change for one in score.survivors if one.region not in ("any call", AFTERWARDS)}
    assert others == {"result: rounded", "result: shifted"}
    assert score.mutants == len(score.survivors)


def test_an_allowed_mutant_that_loses_points_is_said(double: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    needless = Declared(Path(FILE), END, BEYOND, {"x: 0, result: sign": "the result is twice as much"})
    monkeypatch.setattr(figures, "declared", lambda task: needless)
    (said,) = figures.score("double").problems
    assert "take it out" in said


@proof
def test_a_mutant_runs_in_a_sandbox_as_it_does_here(double: Task) -> None:
    found = record(double, declared(double))
    with Bench() as bench:
        assert bench.killed_by(double, harmless(found)) is None
        for one in list(region_mutants(found))[::5]:
            assert bench.killed_by(double, one.cell) is not None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[excluded]\n"any number" = ["x: 0"]', "neither the statement nor opening.md says 'any number'"),
        ('[own]\n"x: odd" = "x %"', "'x: odd' is no Python expression"),
        ('[allowed]\n"twice as much" = "x: 0"', "stands no list"),
        ('[regions]\n"x: odd" = "x % 2"', "unknown key 'regions'"),
    ],
)
def test_a_regions_file_that_cannot_be_used_is_refused(tmp_path: Path, text: str, said: str) -> None:
    folder = tmp_path / "double"
    folder.mkdir()
    (folder / FILE).write_text(text)
    (folder / "statement.md").write_text("The result is twice\nas much.")
    (tmp_path / "opening.md").write_text("")
    task = type("Task", (), {"folder": folder})
    with pytest.raises(TaskFolderError, match=said):
        declared(task)


@pytest.mark.parametrize(("draws", "expected"), [(None, [1.0, 2.0]), (3, [1.0, 2.0, 1.0])])
def test_several_draws_take_turns(
    double: Task, draws: int | None, expected: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(double, "checks", [])
    double.check("each", points=1, cases=(), draw=[lambda source: (1.0,), lambda source: (2.0,)], draws=draws)(
        lambda answers: None
    )
    assert [case.inputs[0] for case in double.checks[0].drawn_anew(b"")] == expected


def test_a_task_without_regions_has_them_left_to_do(double: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(undeclared(double)) == []
    (left,) = undeclared(find_task("slope"))
    assert FILE in left
