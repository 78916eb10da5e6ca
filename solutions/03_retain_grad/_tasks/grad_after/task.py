"""grad_after: what is right, from two sources, and what is asked."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import span, with_ends
from autograder.checks.draws.numbers import number, tensor_text
from autograder.checks.task import Allowed, Task
from autograder.probes.programs import Program
from autograder.references import numeric
from autograder.references.replay import Replay, program_reference

from ..shared import Draw

Function = Callable[[torch.Tensor], torch.Tensor]


def _grad_after(f: Function, x: torch.Tensor, times: int) -> list[torch.Tensor]:
    leaf = x.detach().clone().requires_grad_()
    found = []
    for _ in range(times):
        f(leaf).backward()
        found.append(leaf.grad.clone())
    return found


def _by_differences(replay: Replay, f: Function, x: torch.Tensor, times: int) -> list[torch.Tensor]:
    caller_f, f = f, copy.deepcopy(f)  # one that counts its calls starts from where it stood

    def at_call(number: int) -> Function:
        def value(t: torch.Tensor) -> torch.Tensor:
            fresh = copy.deepcopy(f)
            for _ in range(number):
                fresh(t)
            return fresh(t)

        return value

    sums, total = [], torch.zeros(x.shape, dtype=torch.float64)
    for call in range(times):
        total = total + numeric.gradient(at_call(call), x.detach().double())
        sums.append(total.to(x.dtype))
        caller_f(x.detach())  # the caller's counts them, too
    return sums


REFERENCE = program_reference(
    "grad_after", _grad_after, "autograd in float64", _by_differences, "central differences of each call, added up"
)

TASK = Task(
    __file__,
    minutes=6,
    concepts=("accumulation", "aliasing"),
    section="Aliases of .grad, and zero_grad",
    reference=REFERENCE,
    may_change=(Allowed.PARAMETER_GRADS,),
    says={
        "f.calls": "`f` was called {got} times instead of {expected}",
    },
)

FUNCTIONS = (
    "(t**3).sum()",
    "torch.sin(t).sum()",
    "({c} * t * t).sum().reshape(1)",
    "torch.exp(-t * t).sum() * {c}",
    "t.sum() ** 2 + {c} * t.sum()",
)

PLAIN = """
def f(t):
    return {value}

"""

COUNTING = """
class Growing:
    calls = 0

    def __call__(self, t):
        self.calls += 1
        return self.calls * ({value})

f = Growing()
"""


def grad_after(*shown: str, shared: bool = False) -> Draw:
    """`grad_after` for a function that may count its calls, and a tensor.

    Args:
        shown: expressions.
        shared: whether the caller's tensor requires a gradient, and holds one from earlier; then for one pass.
    """

    def draw(source: Random) -> tuple[Program]:
        value = source.choice(FUNCTIONS[2::2] if span() else FUNCTIONS).format(c=number(source))
        text = source.choice((PLAIN, COUNTING)).format(value=value)
        shape = source.choice(((2,), (3,), (2, 2), ()))
        text += f"x = {tensor_text(source, shape, requires_grad=shared)}\n"
        text += f"({number(source)} * x).sum().backward()\n" if shared else ""
        times = 1 if shared else source.randint(2, 4)
        return (Program(f"{text}result = grad_after(f, x, {times})\n", shown),)

    return draw


@TASK.check("what lies there at the end", points=1, cases="end", draw=grad_after("len(result)", "result[-1]"))
def test_grad_after_the_last_pass(answers: Answers) -> None:
    """The sum over all passes."""
    answers.agree()


@TASK.check("after each pass", points=2, cases="each", draw=with_ends(grad_after("result")))
def test_grad_after_each_pass(answers: Answers) -> None:
    """Entries that later passes leave alone."""
    answers.agree()


@TASK.check(
    "the caller's tensor as before",
    points=1,
    cases="caller",
    draw=grad_after("result", shared=True),
    damage=True,
)
def test_grad_after_on_a_leaf_of_its_own(answers: Answers) -> None:
    """x requires a gradient or not, and may hold one."""
    answers.agree()
