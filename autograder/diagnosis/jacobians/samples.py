"""Mistakes of per_sample_jacobian."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from autograder.diagnosis.hypothesis import Mistake
from autograder.diagnosis.jacobians.shared import as_found, mistakes_of, rows_mixed
from autograder.references.jacobians import jacobian_of_each, normalises_with_the_batch

TASK = "per_sample_jacobian"
_mistake = mistakes_of(TASK)
Refuses = Callable[[nn.Module], bool]
Answers = Callable[[nn.Module, torch.Tensor], torch.Tensor]


def _by_vmap(model: nn.Module, inputs: torch.Tensor) -> torch.Tensor:
    """By torch.func, which raises where running statistics would be updated."""
    return torch.func.vmap(torch.func.jacrev(lambda sample: model(sample[None])[0]))(inputs)


def _refusing(refuses: Refuses, error: type[Exception] = ValueError, answer: Answers = jacobian_of_each) -> Answers:
    """A right answer, apart from which models it refuses."""

    def implementation(model: nn.Module, inputs: torch.Tensor) -> torch.Tensor:
        if refuses(model):
            raise error("a BatchNorm normalises with the batch")
        return answer(model, inputs)

    return implementation


def _either_way(refuses: Refuses) -> tuple[Answers, Answers]:
    """A model that should have been refused is answered row by row, and not by torch.func."""
    return _refusing(refuses), _refusing(refuses, answer=_by_vmap)


def _mixes(model: nn.Module) -> bool:
    return any(map(normalises_with_the_batch, model.modules()))


def _looked_too_late(model: nn.Module, inputs: torch.Tensor) -> torch.Tensor:
    model(inputs)
    return _refusing(_mixes)(model, inputs)


def _in_evaluation(model: nn.Module, inputs: torch.Tensor) -> torch.Tensor:
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        return jacobian_of_each(model, inputs)
    finally:
        for module, training in modes:
            module.training = training


def _right(model: nn.Module, inputs: torch.Tensor) -> torch.Tensor:
    return _refusing(_mixes)(model, inputs)


def _whole_table(model: nn.Module, inputs: torch.Tensor) -> torch.Tensor:
    _right(model, inputs)
    return torch.autograd.functional.jacobian(model, inputs)


PER_SAMPLE_JACOBIAN = (
    *as_found(TASK, _right),
    *rows_mixed(TASK, _right),
    *_mistake(
        "batch statistics answered",
        "Numbers came back for a model in which a BatchNorm uses the batch's own statistics, so that no sample has a "
        "Jacobian of its own. See lesson 07, “Batch normalisation mixes the samples”.",
        _refusing(lambda model: False),
    ),
    *_mistake(
        "another exception",
        "A RuntimeError was raised, perhaps PyTorch's own, on a BatchNorm that updates its statistics. The task asks "
        "for a ValueError, from a look at the layers.",
        _refusing(_mixes, RuntimeError),
        _refusing(lambda model: False, answer=_by_vmap),
    ),
    *_mistake(
        "only the model's own flag",
        "The mode was read off the model. Each layer has its own; one that trains may stand in a model that does not.",
        *_either_way(lambda model: model.training and _mixes(model)),
        *_either_way(lambda model: model.training),
    ),
    *_mistake(
        "first level only",
        "A BatchNorm deeper in the model was overlooked. Which method lists the modules at every depth?",
        *_either_way(lambda model: any(map(normalises_with_the_batch, model.children()))),
    ),
    *_mistake(
        "running statistics not looked at",
        "A model was answered whose BatchNorm is in evaluation and keeps no running statistics. What does it "
        "normalise with?",
        *_either_way(lambda model: any(normalises_with_the_batch(m) and m.training for m in model.modules())),
    ),
    *_mistake(
        "one kind of BatchNorm",
        "A BatchNorm for images was overlooked. BatchNorm1d, 2d and 3d are classes of their own with one base.",
        *_either_way(
            lambda model: any(normalises_with_the_batch(m) and isinstance(m, nn.BatchNorm1d) for m in model.modules())
        ),
    ),
    *_mistake(
        "switched to evaluation",
        "The model was switched to evaluation for the answer. A model is used in the mode in which it is found, or "
        "refused.",
        _in_evaluation,
    ),
    *_mistake(
        "looked too late",
        "The model was run before its layers were looked at: a BatchNorm's running statistics have changed.",
        _looked_too_late,
    ),
    *_mistake(
        "outputs before samples",
        "The matrices are right and stand in the wrong order of axes: outputs first, samples second. Samples come "
        "first. Which `dim` does stacking use?",
        lambda model, inputs: _right(model, inputs).transpose(0, 1),
    ),
    *_mistake(
        "the whole table",
        "This table has every sample's outputs against every sample's inputs. Only the blocks of a sample with itself "
        "are asked for.",
        _whole_table,
    ),
    *_mistake(
        "batch axes left in",
        "The axes of each sample's batch of one are still there. Which index takes them away, and only them?",
        lambda model, inputs: _right(model, inputs)[:, None, :, None],
    ),
    *_mistake(
        "squeezed too far",
        "With a single output or input an axis is missing. `squeeze()` removes every axis of size 1, the batch's and "
        "the others.",
        lambda model, inputs: _right(model, inputs).squeeze(1),
        lambda model, inputs: torch.stack([one.squeeze() for one in _right(model, inputs)]),
    ),
    Mistake(
        "no batch axis",
        "The model was given a sample without its batch axis. See lesson 07, “Per-sample Jacobians”.",
        raises="ValueError: expected 2D or 3D input|RuntimeError: mat1 and mat2 shapes cannot be multiplied|"
        "RuntimeError: unflatten|ValueError: expected \\dD|IndexError: Dimension out of range",
    ),
    Mistake(
        "a frozen BatchNorm refused",
        "A model was refused in which no BatchNorm normalises with the batch: there is none, or each is in evaluation "
        "and has running statistics. Its samples do not mix.",
        raises="ValueError",
    ),
)
