"""Checks of exercise 03: what backward keeps."""

from __future__ import annotations

from autograder.checks.answers import Answers
from autograder.checks.draws.retain_grad import batches, layers, tensors
from autograder.checks.task import Task
from autograder.diagnosis import retain_grad as mistakes
from autograder.references import public_cases
from autograder.references import retain_grad as reference

EXERCISE = "03_retain_grad"


def cases(task: str, group: str | None = None) -> list:
    """The public cases of this exercise."""
    return public_cases(EXERCISE, task, group)


KEEPS_GRAD = Task(
    "keeps_grad",
    EXERCISE,
    minutes=8,
    section="Retaining the gradient of an inner tensor",
    reference=reference.keeps_grad,
    mistakes=mistakes.KEEPS_GRAD,
)


@KEEPS_GRAD.check(
    "leaves and inner tensors", points=2, cases=cases("keeps_grad", "flags"), draw=tensors.tensors(tensors.FLAG_KINDS)
)
def test_keeps_grad(answers: Answers) -> None:
    """All kinds of tensors, none of them retained."""
    answers.agree()


@KEEPS_GRAD.check(
    "tensors that were told to keep it",
    points=1,
    cases=cases("keeps_grad", "retained"),
    draw=tensors.tensors(tensors.RETAINED_KINDS, tensors.FLAG_KINDS, hidden=True),
)
def test_keeps_grad_retained(answers: Answers) -> None:
    """retain_grad() before, on it, on a copy, on what it was computed from."""
    answers.agree()


RETAINED = Task(
    "retained",
    EXERCISE,
    minutes=10,
    section="Retaining the gradient of an inner tensor",
    reference=reference.retained,
    mistakes=mistakes.RETAINED,
)
LEAVES = [f"result['{name}'].{part}" for name in "xwb" for part in ("item()", "grad")]
INNER = [f"result['{name}'].{part}" for name in "uv" for part in ("item()", "grad")]
TOLD = (
    "result['u'].retains_grad",
    "result['v'].retains_grad",
    "result['u'].grad_fn in counters.backward_nodes(result['v'])",
    "result['b'].grad is None",
)


@RETAINED.check(
    "the leaves",
    points=1,
    cases=cases("retained", "leaves"),
    draw=tensors.retained(*LEAVES, also=("result['v'].grad is None",)),
)
def test_retained_leaves(answers: Answers) -> None:
    """x, w and b with their gradients."""
    answers.agree()


@RETAINED.check("u and v", points=2, cases=cases("retained", "inner"), draw=tensors.retained(*INNER, also=TOLD))
def test_retained_inner(answers: Answers) -> None:
    """The inner tensors with their gradients."""
    answers.agree()


GRAD_AFTER = Task(
    "grad_after",
    EXERCISE,
    minutes=12,
    section="Aliases of .grad, and zero_grad",
    reference=reference.grad_after,
    mistakes=mistakes.GRAD_AFTER,
)


@GRAD_AFTER.check(
    "what lies there at the end",
    points=1,
    cases=cases("grad_after", "end"),
    draw=tensors.grad_after("len(result)", "result[-1]"),
)
def test_grad_after_the_last_pass(answers: Answers) -> None:
    """The sum over all passes."""
    answers.agree()


@GRAD_AFTER.check("after each pass", points=2, cases=cases("grad_after", "each"), draw=tensors.grad_after("result"))
def test_grad_after_each_pass(answers: Answers) -> None:
    """Entries that later passes leave alone."""
    answers.agree()


@GRAD_AFTER.check(
    "the caller's tensor as before",
    points=1,
    cases=cases("grad_after", "caller"),
    draw=tensors.grad_after("result", "x", "x.requires_grad", "x.grad", shared=True),
)
def test_grad_after_on_a_leaf_of_its_own(answers: Answers) -> None:
    """x requires a gradient or not, and may hold one."""
    answers.agree()


MICRO_BATCHES = Task(
    "micro_batches",
    EXERCISE,
    minutes=20,
    section="Micro-batches",
    reference=reference.micro_batches,
    mistakes=mistakes.MICRO_BATCHES,
)


@MICRO_BATCHES.check(
    "parts of equal size",
    points=2,
    cases=cases("micro_batches", "equal"),
    draw=batches.micro_batches("result", "model.training", sizes=batches.equal),
    draws=2,
)
def test_micro_batches_equal(answers: Answers) -> None:
    """N is a multiple of parts."""
    answers.agree()


@MICRO_BATCHES.check(
    "parts of unequal size",
    points=2,
    cases=cases("micro_batches", "unequal"),
    draw=batches.micro_batches("result", sizes=batches.unequal),
    draws=2,
)
def test_micro_batches_unequal(answers: Answers) -> None:
    """N is no multiple of parts."""
    answers.agree()


@MICRO_BATCHES.check(
    "whatever lay in .grad before",
    points=1,
    cases=cases("micro_batches", "before"),
    draw=batches.micro_batches("result", sizes=batches.whole, line="model(X).sum().backward()\n"),
    draws=2,
)
def test_micro_batches_from_zero(answers: Answers) -> None:
    """An earlier pass has left its gradients."""
    answers.agree()


@MICRO_BATCHES.check(
    "never too many samples at once",
    points=1,
    cases=cases("micro_batches", "calls"),
    draw=batches.micro_batches(
        "max(0, max(shape[0] for shape in model.calls) - {most})",
        sizes=batches.unequal,
        line="model = counters.counted(model)\n",
    ),
    draws=2,
)
def test_micro_batches_calls(answers: Answers) -> None:
    """The sizes of the model's calls."""
    answers.agree()


STOP_GRADIENT = Task(
    "stop_gradient",
    EXERCISE,
    minutes=8,
    section="A gradient stopped in a product",
    reference=reference.stop_gradient,
    mistakes=mistakes.STOP_GRADIENT,
)


@STOP_GRADIENT.check("the value", points=1, cases=cases("stop_gradient", "value"), draw=tensors.squares)
def test_stop_gradient_value(answers: Answers) -> None:
    """x squared; x stays."""
    answers.agree()


@STOP_GRADIENT.check("the gradient", points=2, cases=cases("stop_gradient", "gradient"), draw=tensors.stop_gradient)
def test_stop_gradient(answers: Answers) -> None:
    """x times the upstream gradient, at a leaf and beyond."""
    answers.agree()


RETAINED_BY_LAYER = Task(
    "retained_by_layer",
    EXERCISE,
    minutes=20,
    section="Forward hooks on a model's layers",
    reference=reference.retained_by_layer,
    mistakes=mistakes.RETAINED_BY_LAYER,
)
LEFT = ("counters.hooks_on(model)", "[module.training for module in model.modules()]", "x.requires_grad", "x.grad")


@RETAINED_BY_LAYER.check(
    "a chain of layers", points=2, cases=cases("retained_by_layer", "chain"), draw=layers.chains, draws=2
)
def test_retained_by_layer_chain(answers: Answers) -> None:
    """A Sequential that starts with a layer that has parameters."""
    answers.agree()


@RETAINED_BY_LAYER.check(
    "other models", points=2, cases=cases("retained_by_layer", "any"), draw=layers.any_models, draws=2
)
def test_retained_by_layer_any(answers: Answers) -> None:
    """Branches, children of children, modes, an embedding."""
    answers.agree()


@RETAINED_BY_LAYER.check(
    "a first child without parameters",
    points=1,
    cases=cases("retained_by_layer", "first"),
    draw=layers.first_without_parameters,
    draws=2,
)
def test_retained_by_layer_first(answers: Answers) -> None:
    """Flatten, or an activation, on data that require no gradient."""
    answers.agree()


@RETAINED_BY_LAYER.check(
    "model and input as before",
    points=1,
    cases=cases("retained_by_layer", "left"),
    draw=layers.left_alone("bool(result)", *LEFT),
    draws=2,
)
def test_retained_by_layer_leaves_nothing(answers: Answers) -> None:
    """Hooks, modes, the input."""
    answers.agree()
