"""Checks of exercise 05: one element of a tensor."""

from __future__ import annotations

from autograder.checks.answers import Answers
from autograder.checks.draws import elements as draws
from autograder.checks.task import Task
from autograder.comparison import Tolerance
from autograder.diagnosis import elements as mistakes
from autograder.references import elements as reference
from autograder.references import public_cases

EXERCISE = "05_elements"


def cases(task: str, group: str | None = None) -> list:
    """The public cases of this exercise."""
    return public_cases(EXERCISE, task, group)


TOTAL_AND_DIRECT = Task(
    "total_and_direct",
    EXERCISE,
    minutes=10,
    section="Total and direct derivative",
    reference=reference.total_and_direct,
    mistakes=mistakes.TOTAL_AND_DIRECT,
)


@TOTAL_AND_DIRECT.check(
    "both derivatives",
    points=3,
    cases=cases("total_and_direct", "values"),
    draw=draws.total_and_direct("result"),
)
def test_total_and_direct(answers: Answers) -> None:
    """All paths from the tensor, and those through the factor alone."""
    answers.agree()


@TOTAL_AND_DIRECT.check(
    "`x.grad` as it was",
    points=1,
    cases=cases("total_and_direct", "as it was"),
    draw=draws.total_and_direct("result", "x", "x.grad", filled=True),
)
def test_total_and_direct_leaves_no_traces(answers: Answers) -> None:
    """Empty or filled, and the derivatives are right in both cases."""
    answers.agree()


VECTORISED_ELEMENT = Task(
    "vectorised_element",
    EXERCISE,
    minutes=10,
    section="Vectorised operations",
    reference=reference.vectorised_element,
    mistakes=mistakes.VECTORISED_ELEMENT,
)


@VECTORISED_ELEMENT.check(
    "the derivative",
    points=3,
    cases=cases("vectorised_element", "values"),
    draw=draws.vectorised_element("result"),
)
def test_vectorised_element(answers: Answers) -> None:
    """One element of the square of a sum of products."""
    answers.agree()


@VECTORISED_ELEMENT.check(
    "`x.grad` filled before, and `x` as it was",
    points=2,
    cases=cases("vectorised_element", "as it was"),
    draw=draws.vectorised_element("result", "x", "x.grad", "x.requires_grad", filled=True),
)
def test_vectorised_element_leaves_no_traces(answers: Answers) -> None:
    """What `.grad` holds does not matter and stays."""
    answers.agree()


INTERMEDIATE_ELEMENT = Task(
    "intermediate_element",
    EXERCISE,
    minutes=12,
    section="Elements of intermediate tensors",
    reference=reference.intermediate_element,
    mistakes=mistakes.INTERMEDIATE_ELEMENT,
)


@INTERMEDIATE_ELEMENT.check(
    "the derivative",
    points=3,
    cases=cases("intermediate_element", "values"),
    draw=draws.intermediate_element("result"),
    draws=5,
)
def test_intermediate_element(answers: Answers) -> None:
    """For functions f and g of several kinds."""
    answers.agree()


@INTERMEDIATE_ELEMENT.check(
    "`f` called once",
    points=1,
    cases=cases("intermediate_element", "once"),
    draw=draws.intermediate_element("result", "len(f.calls)"),
)
def test_intermediate_element_calls_f_once(answers: Answers) -> None:
    """h is made once, and kept."""
    answers.agree()


@INTERMEDIATE_ELEMENT.check(
    "`x` and the models as they were",
    points=1,
    cases=cases("intermediate_element", "as it was"),
    draw=draws.intermediate_models("result", "x.grad", "x.requires_grad", "f_weight.grad", "g_weight.grad"),
)
def test_intermediate_element_leaves_no_traces(answers: Answers) -> None:
    """No parameter's `.grad` is filled or cleared."""
    answers.agree()


SAME_TENSOR = Task(
    "same_tensor",
    EXERCISE,
    minutes=12,
    section="Elements first, tensor last",
    reference=reference.same_tensor,
    mistakes=mistakes.SAME_TENSOR,
)


@SAME_TENSOR.check(
    "`t` and `d`",
    points=2,
    cases=cases("same_tensor", "values"),
    draw=draws.same_tensor("result"),
)
def test_same_tensor(answers: Answers) -> None:
    """One tensor with two elements, and the derivative of one by the other."""
    answers.agree()


@SAME_TENSOR.check(
    "`t` leads back to `x`",
    points=2,
    cases=cases("same_tensor", "connected"),
    draw=draws.same_tensor("result", used=True),
)
def test_same_tensor_stays_connected(answers: Answers) -> None:
    """The program goes on with t after the question about d."""
    answers.agree()


@SAME_TENSOR.check(
    "`x.grad` as it was",
    points=1,
    cases=cases("same_tensor", "as it was"),
    draw=draws.same_tensor("result[0]", "x.grad", filled=True),
)
def test_same_tensor_leaves_no_traces(answers: Answers) -> None:
    """Empty or filled."""
    answers.agree()


UNBROADCAST = Task(
    "unbroadcast",
    EXERCISE,
    minutes=15,
    section="Broadcasting and its backward",
    reference=reference.unbroadcast,
    mistakes=mistakes.UNBROADCAST,
)


@UNBROADCAST.check(
    "axes in front",
    points=2,
    cases=cases("unbroadcast", "front"),
    draw=draws.unbroadcast("result", front=2, stretched=False),
)
def test_unbroadcast_axes_in_front(answers: Answers) -> None:
    """Axes that the shape lacks, all of them for ()."""
    answers.agree()


@UNBROADCAST.check(
    "stretched axes",
    points=2,
    cases=cases("unbroadcast", "stretched"),
    draw=draws.unbroadcast("result", front=0, stretched=True),
)
def test_unbroadcast_stretched_axes(answers: Answers) -> None:
    """Axes of size 1, which stay; equal shapes."""
    answers.agree()


@UNBROADCAST.check(
    "both kinds at once",
    points=2,
    cases=cases("unbroadcast", "both"),
    draw=draws.unbroadcast("result", "gradient", front=2, stretched=True),
)
def test_unbroadcast_both(answers: Answers) -> None:
    """Axes in front and stretched ones; the gradient stays as it was."""
    answers.agree()


GATHER_GRADIENT = Task(
    "gather_gradient",
    EXERCISE,
    minutes=10,
    section="Indexing and its backward",
    reference=reference.gather_gradient,
    mistakes=mistakes.GATHER_GRADIENT,
)


@GATHER_GRADIENT.check(
    "each place read once",
    points=1,
    cases=cases("gather_gradient", "once"),
    draw=draws.gather_gradient("result", "upstream", "index", repeats=False),
)
def test_gather_gradient(answers: Answers) -> None:
    """Zeros where nothing was read; the upstream gradient's dtype."""
    answers.agree()


@GATHER_GRADIENT.check(
    "places read again",
    points=2,
    cases=cases("gather_gradient", "repeats"),
    draw=draws.gather_gradient("result", repeats=True),
)
def test_gather_gradient_of_repeats(answers: Answers) -> None:
    """Several upstream gradients for one place."""
    answers.agree()


@GATHER_GRADIENT.check("an empty index", points=1, cases=cases("gather_gradient", "empty"))
def test_gather_gradient_of_nothing(answers: Answers) -> None:
    """Zeros everywhere."""
    answers.agree()


RECURRENCE_GRADIENT = Task(
    "recurrence_gradient",
    EXERCISE,
    minutes=15,
    section="Recurrences and what is held fixed",
    reference=reference.recurrence_gradient,
    mistakes=mistakes.RECURRENCE_GRADIENT,
    core=False,
    tolerance=Tolerance(relative=1e-9, of_scale=1e-12),  # the contract asks for float64
)


@RECURRENCE_GRADIENT.check(
    "with `t[0]` held fixed",
    points=2,
    cases=cases("recurrence_gradient", "held fixed"),
    draw=draws.recurrence_gradient("result[1:]"),
)
def test_recurrence_gradient(answers: Answers) -> None:
    """Entries 1 to n."""
    answers.agree()


@RECURRENCE_GRADIENT.check(
    "the total derivative",
    points=2,
    cases=cases("recurrence_gradient", "total"),
    draw=draws.recurrence_gradient("result[0]"),
)
def test_recurrence_gradient_of_the_start(answers: Answers) -> None:
    """Entry 0."""
    answers.agree()


@RECURRENCE_GRADIENT.check("no step, or one", points=1, cases=cases("recurrence_gradient", "shortest"))
def test_recurrence_gradient_of_the_shortest(answers: Answers) -> None:
    """n = 0, and how long the list is for n = 1."""
    answers.agree()
