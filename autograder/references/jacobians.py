"""References of exercise 07: Jacobians by autograd, row by row; second sources without it."""

from __future__ import annotations

import copy
from collections.abc import Callable

import numpy as np
import torch
from torch import nn

from autograder.references import numeric
from autograder.references.replay import Replay, program_reference

Function = Callable[[torch.Tensor], torch.Tensor]
DIFFERENCES = "central differences of every output for every input"


def rows(outputs: torch.Tensor, leaf: torch.Tensor) -> torch.Tensor:
    """The gradient of each of `outputs`, a tensor of one axis, with respect to `leaf`: (len(outputs), *leaf.shape)."""
    return torch.stack([torch.autograd.grad(one, leaf, retain_graph=True)[0] for one in outputs])


def leaf_of(x: torch.Tensor) -> torch.Tensor:
    """A leaf with the numbers of x."""
    return x.detach().clone().requires_grad_()


def first_output(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """A copy of what `model.first` puts out while the model runs on x."""
    kept: list[torch.Tensor] = []
    with model.first.register_forward_hook(lambda module, given, output: kept.append(output.clone())):
        model(x)
    return kept[0]


def _wide(model: nn.Module) -> nn.Module:
    return copy.deepcopy(model).double()


def _first_layer_jacobian(layer: nn.Module, x: torch.Tensor) -> torch.Tensor:
    leaf = leaf_of(x)
    return rows(layer(leaf)[0], leaf)[:, 0]


def _first_layer_jacobian_numeric(replay: Replay, layer: nn.Module, x: torch.Tensor) -> torch.Tensor:
    wide = _wide(layer)
    return numeric.jacobian(wide, x.double())[0, :, 0].to(x.dtype)


def _first_layer_inside(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    leaf = leaf_of(x)
    return rows(first_output(model, leaf)[0], leaf)[:, 0]


def _first_layer_inside_numeric(replay: Replay, model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    model(x)  # counted
    wide = _wide(model)
    return numeric.jacobian(lambda moved: first_output(wide, moved), x.double())[0, :, 0].to(x.dtype)


def _weighted_input_gradient(layer: nn.Module, x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    leaf = leaf_of(x)
    return torch.autograd.grad(layer(leaf), leaf, grad_outputs=v)[0]


def _weighted_numeric(replay: Replay, layer: nn.Module, x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    replay.names.get("passes", []).append("pass")
    return numeric.gradient(_wide(layer), x.double(), v.double()).to(x.dtype)


def _after_relu(model: nn.Sequential, x: torch.Tensor) -> torch.Tensor:
    leaf = leaf_of(x)
    return rows(model(leaf)[0], leaf)[:, 0]


def _after_relu_closed(replay: Replay, model: nn.Sequential, x: torch.Tensor) -> torch.Tensor:
    weight = model[0].weight.detach().numpy()
    before = weight @ x[0].numpy() + (0 if model[0].bias is None else model[0].bias.detach().numpy())
    return torch.from_numpy(np.where(before[:, None] > 0, weight, 0))


def _neuron_gradient(model: nn.Module, inputs: torch.Tensor, k: int) -> torch.Tensor:
    leaf = leaf_of(inputs)
    return torch.autograd.grad(model(leaf)[:, k].sum(), leaf)[0]


def _neuron_numeric(replay: Replay, model: nn.Module, inputs: torch.Tensor, k: int) -> torch.Tensor:
    wide = _wide(model)
    each = [numeric.gradient(lambda one: wide(one[None])[0, k], sample) for sample in inputs.double()]
    return torch.stack(each).to(inputs.dtype)


def normalises_with_the_batch(module: nn.Module) -> bool:
    """Whether a module is a BatchNorm that takes mean and variance from the batch."""
    kind = nn.modules.batchnorm._BatchNorm
    return isinstance(module, kind) and (module.training or module.running_mean is None)


def jacobian_of_each(model: nn.Module, inputs: torch.Tensor) -> torch.Tensor:
    """(batch, out, in), where no BatchNorm mixes the samples."""
    leaf = leaf_of(inputs)
    return rows(model(leaf).sum(0), leaf).transpose(0, 1)


def _per_sample_jacobian(model: nn.Module, inputs: torch.Tensor) -> torch.Tensor:
    if any(map(normalises_with_the_batch, model.modules())):
        raise ValueError("a BatchNorm normalises with the batch")
    return jacobian_of_each(model, inputs)


def _per_sample_numeric(replay: Replay, model: nn.Module, inputs: torch.Tensor) -> torch.Tensor:
    """Looks at no layer: moves one sample and sees whether the outputs of the others move."""
    samples = inputs.double()
    moved = samples.clone()
    moved[0] += 0.5
    if not torch.equal(_wide(model)(samples)[1:], _wide(model)(moved)[1:]):
        raise ValueError("one sample moves the others")
    wide = _wide(model)
    each = [numeric.jacobian(lambda one: wide(one[None])[0], sample) for sample in samples]
    return torch.stack(each).to(inputs.dtype)


def _directional_derivative(f: Function, x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    return torch.func.jvp(f, (x,), (v,))[1]


def _directional_numeric(replay: Replay, f: Function, x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    f(x)  # counted
    plain = getattr(f, "__wrapped__", f)
    wide, along = x.double(), v.double()
    return ((plain(wide + numeric.STEP * along) - plain(wide - numeric.STEP * along)) / (2 * numeric.STEP)).to(x.dtype)


ROWS = "autograd in float64, row by row"
first_layer_jacobian = program_reference(
    "first_layer_jacobian", _first_layer_jacobian, ROWS, _first_layer_jacobian_numeric, DIFFERENCES
)
first_layer_inside = program_reference(
    "first_layer_inside", _first_layer_inside, ROWS, _first_layer_inside_numeric, DIFFERENCES
)
weighted_input_gradient = program_reference(
    "weighted_input_gradient",
    _weighted_input_gradient,
    "one vector-Jacobian product in float64",
    _weighted_numeric,
    "central differences of the weighted sum",
)
after_relu = program_reference(
    "after_relu", _after_relu, ROWS, _after_relu_closed, "closed form in numpy: rows of the weight, or 0"
)
neuron_gradient = program_reference(
    "neuron_gradient",
    _neuron_gradient,
    "one pass through the sum over the batch",
    _neuron_numeric,
    "central differences, sample by sample",
)
per_sample_jacobian = program_reference(
    "per_sample_jacobian",
    _per_sample_jacobian,
    "autograd, a pass for each output; layers asked for their mode",
    _per_sample_numeric,
    "central differences, sample by sample; samples moved to see whether they mix",
)
directional_derivative = program_reference(
    "directional_derivative",
    _directional_derivative,
    "forward mode",
    _directional_numeric,
    "a central difference along v",
)
