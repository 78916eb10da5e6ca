"""per_sample_jacobian: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import torch
from torch import nn

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import flatter, with_ends
from autograder.checks.draws.numbers import tensor_text
from autograder.checks.draws.torch_modules import made
from autograder.checks.task import Allowed, Task
from autograder.probes.programs import Program
from autograder.references import numeric
from autograder.references.leaves import in_double, leaf_of
from autograder.references.replay import Replay, program_reference

from ..shared import net, rows


def normalises_with_the_batch(module: nn.Module) -> bool:
    """Whether a module is a BatchNorm that takes mean and variance from the batch."""
    kind = nn.modules.batchnorm._BatchNorm
    return isinstance(module, kind) and (module.training or module.running_mean is None)


def jacobian_of_each(model: nn.Module, inputs: torch.Tensor) -> torch.Tensor:
    """(batch, out, in), where no BatchNorm mixes the samples."""
    leaf = leaf_of(inputs)
    return rows(model(leaf).sum(0), leaf).transpose(0, 1)


def jacobians(model: nn.Module, inputs: torch.Tensor) -> torch.Tensor:
    if any(map(normalises_with_the_batch, model.modules())):
        raise ValueError("a BatchNorm normalises with the batch")
    return jacobian_of_each(model, inputs)


def _per_sample_numeric(replay: Replay, model: nn.Module, inputs: torch.Tensor) -> torch.Tensor:
    """Looks at no layer: moves one sample and sees whether the outputs of the others move."""
    samples = inputs.double()
    moved = samples.clone()
    moved[0] += 0.5
    if not torch.equal(in_double(model)(samples)[1:], in_double(model)(moved)[1:]):
        raise ValueError("one sample moves the others")
    wide = in_double(model)
    each = [numeric.jacobian(lambda one: wide(one[None])[0], sample) for sample in samples]
    return torch.stack(each).to(inputs.dtype)


REFERENCE = program_reference(
    "per_sample_jacobian",
    jacobians,
    "autograd, a pass for each output; layers asked for their mode",
    _per_sample_numeric,
    "central differences, sample by sample; samples moved to see whether they mix",
)

TASK = Task(
    __file__,
    minutes=12,
    concepts=("jacobians",),
    section="Per-sample Jacobians",
    reference=REFERENCE,
    may_change=(Allowed.PARAMETER_GRADS,),
    says={
        "raised": "your call raised {got}, and the task asks for a ValueError",
    },
)


def nets_without_norm(source: Random) -> tuple[Program]:
    """A net without BatchNorm."""
    i, o = source.sample((2, 3, 4), 2)
    text = f"""{made(source, "model", net(source, i, o))}{flatter("model[0]")}X = {tensor_text(source, (5, i))}
result = per_sample_jacobian(model, X)
"""
    return (Program(text, ("result",)),)


def _with_norm(source: Random, track: bool) -> tuple[str, str, int]:
    """Lines that make a model with a BatchNorm at some depth, the expression for it, the inputs."""
    i, width = source.randint(2, 3), source.randint(2, 4)
    norm, place = f"nn.BatchNorm1d({width}{'' if track else ', track_running_stats=False'})", "model[1]"
    for _ in range(source.randint(0, 2)):
        norm, place = f"nn.Sequential({norm}, nn.Tanh())", f"{place}[0]"
    text = f"nn.Sequential(nn.Linear({i}, {width}), {norm}, nn.Tanh(), nn.Linear({width}, 2))"
    return made(source, "model", text), place, i


def frozen(source: Random) -> tuple[Program]:
    """A BatchNorm in evaluation with running statistics, in a model that trains or not."""
    lines, place, i = _with_norm(source, True)
    modes = "model.eval()\n" if source.random() < 0.5 else f"{place}.eval()\n"
    text = f"""{lines}model({tensor_text(source, (4, i))})
{modes}X = {tensor_text(source, (3, i))}
result = per_sample_jacobian(model, X)
"""
    return (Program(text, ("result",)),)


def refused(source: Random) -> tuple[Program]:
    """A BatchNorm in training in any model, or one in evaluation without running statistics."""
    track = source.random() < 0.7
    lines, place, i = _with_norm(source, track)
    modes = source.choice(("", f"model.eval()\n{place}.train()\n")) if track else "model.eval()\n"
    kept = (f"{place}.running_mean",) if track else ()
    text = f"""{lines}{modes}X = {tensor_text(source, (3, i))}
try:
    per_sample_jacobian(model, X)
    raised = "nothing"
except ValueError:
    raised = "ValueError"
except NotImplementedError:
    raise
except (RuntimeError, TypeError) as error:
    raised = type(error).__name__
"""
    return (Program(text, ("raised", *kept)),)


@TASK.check("a matrix for each sample", points=3, cases="matrices", draw=with_ends(nets_without_norm))
def test_per_sample_jacobian(answers: Answers) -> None:
    """Models that do not mix samples."""
    answers.agree()


@TASK.check(
    "a frozen BatchNorm answered, and all as it was", points=1, cases="frozen", draw=frozen, draws=2, damage=True
)
def test_per_sample_jacobian_answers_a_frozen_batchnorm(answers: Answers) -> None:
    """In evaluation with running statistics; X and the modes stay."""
    answers.agree()


@TASK.check("batch statistics refused", points=2, cases="refused", draw=refused)
def test_per_sample_jacobian_refuses_batch_statistics(answers: Answers) -> None:
    """ValueError, and the model as it was."""
    answers.agree()
