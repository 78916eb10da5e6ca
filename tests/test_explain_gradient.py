"""`explain_gradient`: a wrong Function of each kind gets its sentence, a right one none, a bad input one sentence."""

from __future__ import annotations

import inspect
import random
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest
import torch
from torch import nn

from autograder import assert_gradient, explain_gradient
from autograder.command_line import main
from autograder.own_gradients import NotExplainableError, explained, trials
from autograder.own_gradients.function import Function

Backward = Callable[..., Any]


def made(forward: Callable[..., torch.Tensor], backward: Backward) -> Callable[..., torch.Tensor]:
    """Make a Function that saves its inputs and its output; `backward` takes these after the upstream gradient."""

    class Made(torch.autograd.Function):  # type: ignore[misc]  # mypy does not read torch's types
        """A Function under test."""

        @staticmethod
        def forward(ctx: Any, *inputs: torch.Tensor) -> torch.Tensor:
            output = forward(*inputs)
            ctx.save_for_backward(*inputs, output)
            return output

        @staticmethod
        def backward(ctx: Any, upstream: torch.Tensor) -> Any:
            return backward(upstream, *ctx.saved_tensors)

    def one(x: torch.Tensor) -> torch.Tensor:
        return Made.apply(x)

    def two(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return Made.apply(a, b)

    return two if inspect.signature(backward).parameters.keys() >= {"a", "b"} else one


def softmax(upstream: torch.Tensor, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """The right gradient of softmax over the last axis."""
    return y * (upstream - (upstream * y).sum(-1, keepdim=True))


X = torch.tensor([[0.3, -1.2, 0.7], [1.1, -0.4, -0.9]], dtype=torch.float64)
WIDE = torch.tensor([[0.3, -1.2, 0.7, 2.1], [1.1, -0.4, -0.9, 0.2]], dtype=torch.float64)
WRONG = {
    "is ignored": (made(lambda x: x**3, lambda up, x, y: 3 * x**2), X),
    "multiplied in twice": (made(lambda x: x**3, lambda up, x, y: up**2 * 3 * x**2), X),
    "each wrong number is twice the right one": (made(lambda x: x**2, lambda up, x, y: 4 * up * x), X),
    "the right one with the other sign": (made(torch.cos, lambda up, x, y: up * x.sin()), X),
    "the right one divided by 6": (made(torch.sin, lambda up, x, y: up * x.cos() / x.numel()), X),
    "the upstream gradient times `1 - x**2`": (made(torch.tanh, lambda up, x, y: up * (1 - x**2)), X),
    "is the gradient of `b`": (made(lambda a, b: a @ b, lambda up, a, b, y: (a * up, b * up)), (X[0], X[1])),
    "only where `x` is negative": (
        made(lambda x: torch.where(x > 0, x, 0.1 * x), lambda up, x, y: torch.where(x > 0, up, 0.3 * up)),
        X,
    ),
    "only in the first row": (
        made(torch.exp, lambda up, x, y: torch.cat([0.5 * (up * y)[:1], (up * y)[1:]])),
        X,
    ),
    "the paths to the other entries are missing": (
        made(lambda x: x.softmax(-1), lambda up, x, y: up * y * (1 - y)),
        X,
    ),
    "right with their component along": (
        made(
            lambda x: (x - x.mean(1, keepdim=True)) / x.std(1, keepdim=True),
            lambda up, x, y: (up - up.mean(1, keepdim=True)) / x.std(1, keepdim=True),
        ),
        WIDE,
    ),
    "nothing may be added to it": (made(torch.exp, lambda up, x, y: up + y), X),
    "No gradient is returned for `b`": (made(lambda a, b: a * b, lambda up, a, b, y: (up * b, None)), (X[0], X[1])),
    "`x` is changed in place": (lambda x: x.mul_(2), X),
    "The upstream gradient is changed in place": (made(torch.exp, lambda up, x, y: up.mul_(y)), X),
}


@pytest.mark.parametrize("words", WRONG)
def test_a_wrong_gradient_gets_its_sentence(words: str) -> None:
    report = explain_gradient(*WRONG[words])
    assert not report.is_right
    assert words in " ".join(str(report).split())


def diverging(a: torch.Tensor) -> torch.Tensor:
    """An iteration that converges to the sine, for small matrices only."""
    return a.sin() * (1 if a.sum() < 8 else 1e9)


RIGHT: dict[str, tuple[Callable[..., Any], Any]] = {
    "tanh": (torch.tanh, X),
    "softmax": (made(lambda x: x.softmax(-1), softmax), X),
    "relu, with an entry on its kink": (torch.relu, torch.tensor([0.0, 1.0, -1.0])),
    "a square, with an entry 0": (made(lambda x: x**2, lambda up, x, y: 2 * up * x), torch.tensor([0.0, 1.0, -2.0])),
    "a root, with an infinite slope at 0": (
        made(lambda x: x.sign() * x.abs() ** (1 / 3), lambda up, x, y: up * x.abs() ** (-2 / 3) / 3),
        torch.tensor([8.0, 0.0, 1.0]),
    ),
    "zeros": (lambda x: (x - torch.tensor([1.0, 2.0])).square().mean(), torch.tensor([1.0, 2.0])),
    "a maximum, with ties": (torch.amax, torch.tensor([1.0, 1.0, 0.5])),
    "a product that broadcasts": (torch.mul, (X, X[0])),
    "a matrix product": (torch.matmul, (X, X.mT)),
    "complex": (lambda z: z * z.conj() + z**2, torch.tensor([0.3 + 1j, -1.2 + 0.5j])),
    "several outputs": (lambda x: (x.sin(), x.sum()), X),
    "an argument that is no tensor": (lambda x, n: x**n, (X.abs(), 3)),
    "float32": (torch.exp, X.float()),
    "a module": (nn.Sequential(nn.Linear(3, 2), nn.Tanh()), torch.randn(4, 3)),
    "dropout": (nn.Dropout(0.5), torch.randn(4, 3)),
    "an iteration that diverges for drawn inputs": (
        made(diverging, lambda up, a, y: up * a.cos()),
        torch.eye(4) + 0.3 * torch.ones(4, 4).triu(),
    ),
    "a formula for symmetric matrices": (
        made(lambda a: (a @ a).sum(), lambda up, a, y: 2 * up * a.sum(0).expand_as(a).add(a.sum(0)[:, None]) / 2),
        torch.tensor([[1.0, 2.0], [2.0, -1.0]]),
    ),
    "a root of positive definite matrices": (
        made(
            lambda a: torch.linalg.cholesky((a + a.mT) / 2).diagonal().log().sum() * 2,
            lambda up, a, y: up * a.inverse(),
        ),
        torch.tensor([[2.0, 1.0], [1.0, 3.0]]),
    ),
    "batch normalisation": (nn.BatchNorm1d(3), torch.randn(4, 3)),
    "a gradient inside": (lambda x: torch.autograd.grad(x.pow(3).sum(), x, create_graph=True)[0], X),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_gradient_is_not_accused(name: str) -> None:
    report = explain_gradient(*RIGHT[name])
    assert report.is_right, report
    assert "agree with finite differences" in str(report)


def test_kept_on_the_class_is_wrong_from_the_second_call_on() -> None:
    class Kept(torch.autograd.Function):  # type: ignore[misc]  # mypy does not read torch's types
        """Keeps its input where the next call overwrites it."""

        @staticmethod
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            Kept.x = x.detach()
            return x**3

        @staticmethod
        def backward(ctx: Any, upstream: torch.Tensor) -> torch.Tensor:
            return upstream * 3 * Kept.x**2

    report = explain_gradient(Kept, X)
    assert [one.only for one in report.faults] == ["from the second call on"]
    assert "right for the inputs as given, and wrong in other cases:" in str(report)


def test_a_gradient_that_is_wrong_for_the_inputs_as_given_is_not_called_right_for_them() -> None:
    given = torch.tensor([1.0, 2.0, 3.0])
    function = made(torch.square, lambda up, x, y: up * x * (3 if x[0] == 1 else 2))
    report = explain_gradient(function, given)
    assert [one.only for one in report.faults] == ["for the inputs as given, not for others drawn in their range"]
    assert str(report).startswith("The gradients of one are wrong:")


def test_a_number_kept_on_the_class_is_wrong_after_a_call_with_another() -> None:
    class Scaled(torch.autograd.Function):  # type: ignore[misc]  # mypy does not read torch's types
        """Keeps its factor where the next call overwrites it."""

        @staticmethod
        def forward(ctx: Any, x: torch.Tensor, factor: float) -> torch.Tensor:
            Scaled.factor = factor
            return x * factor

        @staticmethod
        def backward(ctx: Any, upstream: torch.Tensor) -> tuple[torch.Tensor, None]:
            return upstream * Scaled.factor, None

    assert [one.only for one in explain_gradient(Scaled, (X, 2.0)).faults] == ["from the second call on"]


@pytest.mark.parametrize("source", [lambda: torch.rand(()).item(), random.random, numpy.random.rand])
def test_random_numbers_are_noted(source: Callable[[], float]) -> None:
    report = explain_gradient(lambda x: x * source(), X)
    assert any("draws random numbers" in note for note in report.notes)


def test_the_program_shows_what_the_sentence_says() -> None:
    function, inputs = WRONG["is ignored"]
    (fault,) = explain_gradient(function, inputs).faults
    printed: list[str] = []
    names = {"torch": torch, "one": function, "print": lambda *values: printed.append(str(values[0]))}
    exec(fault.program, names)
    assert printed == [str(3 * names["x"].detach() ** 2)], "the gradient without its upstream gradient"
    assert fault.program.startswith("x = torch.tensor(")
    assert "# finite differences:" in fault.program


def test_names_of_arguments_do_not_clash_with_those_of_the_program() -> None:
    class Half(torch.autograd.Function):  # type: ignore[misc]  # mypy does not read torch's types
        """Loses a factor."""

        @staticmethod
        def forward(ctx: Any, output: torch.Tensor, upstream: torch.Tensor) -> torch.Tensor:
            ctx.save_for_backward(output, upstream)
            return output * upstream

        @staticmethod
        def backward(ctx: Any, grad: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            output, upstream = ctx.saved_tensors
            return grad * upstream / 2, grad * output

    program = explain_gradient(Half, (X, X + 1)).faults[0].program
    assert "output_ = Half.apply(output, upstream)" in program
    assert "torch.autograd.grad(output_, output, upstream_)" in program


def test_an_entry_of_a_large_argument_has_its_own_index() -> None:
    large = torch.linspace(1, 2, 900)
    noise = torch.randn(900, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    wrong = made(lambda x: x.square().sum(), lambda up, x, y: up * (2 * x + 5 * noise))
    (fault,) = explain_gradient(wrong, large).faults
    found = re.search(r"`x\[(\d+)\]` the backward pass gives (\S+), finite differences give (\S+)\.", fault.sentence)
    assert found is not None, fault.sentence
    entry, seen, right = int(found[1]), float(found[2]), float(found[3])
    assert seen / right == pytest.approx(1 + 2.5 * float(noise[entry]) / float(large[entry]), rel=1e-3)


def test_second_derivatives_that_are_cut_off_are_a_note() -> None:
    report = explain_gradient(made(torch.exp, lambda up, x, y: (up * y).detach()), X)
    assert report.is_right
    assert any("second derivatives of `x` are wrong" in note for note in report.notes)


def test_the_parameters_of_a_recurrent_module_keep_their_shapes() -> None:
    # torch reads beyond the end of other weights, which ends the process.
    program = (
        "import torch; from autograder import explain_gradient; "
        "print(explain_gradient(torch.nn.GRU(3, 2), torch.ones(2, 1, 3)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "agree with finite differences" in done.stdout
    assert "still alive" not in done.stdout


def test_a_bias_without_an_effect_has_right_second_derivatives() -> None:
    with torch.random.fork_rng():
        torch.manual_seed(0)
        report = explain_gradient(nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4)), torch.randn(5, 3))
    assert not [note for note in report.notes if "second derivatives" in note]


class Keeping(nn.Module):  # type: ignore[misc]  # mypy does not read torch's types
    """Keeps what its layer gave."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(3, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply the layer."""
        self.kept = self.layer(x)
        return self.kept.tanh()


def test_a_module_that_keeps_a_tensor_of_its_last_call_is_explained() -> None:
    module = Keeping()
    module(torch.ones(4, 3))
    kept = module.kept
    assert explain_gradient(module, torch.randn(4, 3)).is_right
    assert module.kept is kept


def test_trials_end_when_their_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explained, "SECONDS", 0.0)
    report = explain_gradient(torch.tanh, X)
    assert report.is_right
    assert any("trials were left out" in note for note in report.notes)
    assert len(report.tried) == 1


def test_trials_of_a_module_do_not_grow_with_the_square_of_its_parameters() -> None:
    made = Function(nn.Sequential(*(nn.Linear(4, 4) for _ in range(8))), torch.ones(2, 4))
    assert len(list(trials.further(made, torch.Generator()))) < 2 * len(made.checked)


def no_copy() -> nn.Module:
    """Make a module that holds a lock."""
    module = nn.Linear(3, 2)
    module.lock = threading.Lock()
    return module


BAD: dict[str, tuple[Any, Any, str]] = {
    "no function": (3, X, "the function is an int"),
    "no tensor": (torch.exp, (1.0,), "none of the inputs is a tensor"),
    "no tensor back": (lambda x: 3, X, "must return a tensor"),
    "nan": (torch.exp, torch.tensor([float("nan")]), "nan or infinite"),
    "no entries": (torch.exp, torch.zeros(0), "has no entries"),
    "no entries back": (lambda x: x[x > 10], X, "returns no entries"),
    "it raises": (lambda x: x @ x, X, "raises RuntimeError"),
    "float32 inside": (lambda x: x.to(torch.float32) ** 2, X, "returns torch.float32 for float64 inputs"),
    "it fails without a text": (lambda x: (_ for _ in ()).throw(AssertionError()), X, "raises AssertionError"),
    "a module that cannot be copied": (no_copy(), X, "cannot be copied"),
    "text": (torch.exp, "x", "give a tensor, a tuple of arguments, or a dict"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_a_sentence(name: str) -> None:
    function, inputs, words = BAD[name]
    with pytest.raises(NotExplainableError, match=words):
        explain_gradient(function, inputs)


def test_what_changes_from_call_to_call_cannot_be_explained() -> None:
    calls: list[int] = []

    def counting(x: torch.Tensor) -> torch.Tensor:
        calls.append(1)
        return x * len(calls)

    with pytest.raises(NotExplainableError, match="other numbers when called again"):
        explain_gradient(counting, X)


def test_assert_gradient_has_the_sentence_as_its_message() -> None:
    assert_gradient(torch.tanh, X)
    with pytest.raises(AssertionError, match="the one that arrives is ignored"):
        assert_gradient(*WRONG["is ignored"])


def test_nothing_that_was_given_is_changed() -> None:
    x = X.clone().requires_grad_()
    x.grad = torch.ones_like(x)
    state = torch.get_rng_state()
    explain_gradient(torch.tanh, x)
    assert torch.equal(x, X)
    assert torch.equal(x.grad, torch.ones_like(x))
    assert torch.equal(state, torch.get_rng_state())


def test_a_card_escapes_what_it_shows() -> None:
    def named(x: torch.Tensor) -> torch.Tensor:
        return x.exp()

    named.__name__ = "<script>"
    assert "<script>" not in explain_gradient(named, X)._repr_html_()


def test_of_a_large_argument_some_entries_are_compared() -> None:
    large = torch.randn(120, 120, generator=torch.Generator().manual_seed(0))
    right = explain_gradient(torch.softmax, (large, -1))
    assert right.is_right
    assert any("of 14400 entries were compared" in note for note in right.notes)
    wrong = explain_gradient(made(torch.exp, lambda up, x, y: 2 * up * y), large)
    assert wrong.faults[0].relation == "twice the right one"


SQUARE = "import torch\n\ndef square(x):\n    return x**2\n\ndef inputs():\n    return torch.ones(2)\n"


@pytest.mark.parametrize(
    ("source", "options", "status", "said"),
    [
        (SQUARE, [], 0, ""),
        ("import beside_it\n" + SQUARE, [], 0, ""),
        (SQUARE + "raise SystemExit(0)\n", [], 2, "ends the program (SystemExit: 0), so nothing was tried"),
        (SQUARE, ["--inputs", "exit(0)"], 2, "ends the program (SystemExit: 0), so nothing was tried"),
        ("import no_such_module", [], 2, "cannot be imported: ModuleNotFoundError"),
    ],
    ids=["right", "a module beside it", "exits", "inputs exit", "not imported"],
)
def test_the_command_exits_with_0_only_for_gradients_that_are_right(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    source: str,
    options: list[str],
    status: int,
    said: str,
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "layers_to_explain.py").write_text(source)
    (tmp_path / "beside_it.py").touch()
    assert main(["explain", f"{tmp_path / 'layers_to_explain.py'}:square", *options]) == status
    assert said in capsys.readouterr().err
