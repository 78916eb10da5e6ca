"""per_sample_jacobian: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

from ..shared import rows_mixed
from .task import jacobian_of_each, jacobians, normalises_with_the_batch

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


known(rows_mixed(jacobians))


@wrong("requires_grad switched on", loses=("a frozen BatchNorm answered, and all as it was",))
def a_leaf_made_of_the_callers_tensor():
    import torch
    from torch import nn

    def per_sample_jacobian(model, X):
        for m in model.modules():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and (m.training or m.running_mean is None):
                raise ValueError("BatchNorm mixes samples")
        y = model(X.requires_grad_())
        rows = [torch.autograd.grad(y[:, i].sum(), X, retain_graph=True)[0] for i in range(y.shape[1])]
        return torch.stack(rows, dim=1)


@wrong("mode changed", loses=("a matrix for each sample", "a frozen BatchNorm answered, and all as it was"))
def left_in_evaluation_after_the_look():
    from torch import nn
    from torch.func import jacrev, vmap

    def per_sample_jacobian(model, X):
        for m in model.modules():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and (m.training or m.running_mean is None):
                raise ValueError("BatchNorm mixes samples")
        model.eval()
        return vmap(jacrev(lambda sample: model(sample[None])[0]))(X)


@wrong("rows summed")
def gradient_of_the_batchs_sum():
    import torch
    from torch import nn

    def per_sample_jacobian(model, X):
        for m in model.modules():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and (m.training or m.running_mean is None):
                raise ValueError("BatchNorm mixes samples")
        X = X.clone().requires_grad_()
        return torch.autograd.grad(model(X).sum(), X)[0]


@mistake(
    "batch statistics not refused",
    "You returned numbers for a model in which a BatchNorm uses the batch's own statistics, so that no "
    "sample has its own Jacobian. See lesson 07, “When the samples of a batch mix”.",
    loses=("a frozen BatchNorm answered, and all as it was", "batch statistics refused"),
)
def nothing_refused():
    import torch

    def per_sample_jacobian(model, X):
        X = X.clone().requires_grad_()
        y = model(X)
        rows = [torch.autograd.grad(y[:, i].sum(), X, retain_graph=True)[0] for i in range(y.shape[1])]
        return torch.stack(rows, dim=1)


@mistake(
    "another exception",
    "Your call raised a RuntimeError, perhaps PyTorch's own, about a BatchNorm that updates its "
    "statistics. Raise a ValueError, after a look at the layers.",
    loses=("batch statistics refused",),
)
def a_runtime_error():
    from torch import nn
    from torch.func import jacrev, vmap

    def per_sample_jacobian(model, X):
        for m in model.modules():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and (m.training or m.running_mean is None):
                raise RuntimeError("batch statistics")
        return vmap(jacrev(lambda sample: model(sample[None])[0]))(X)


@wrong("another exception", predicts=True, loses=("batch statistics refused",))
def vmap_without_a_look():
    from torch.func import jacrev, vmap

    def per_sample_jacobian(model, X):
        return vmap(jacrev(lambda sample: model(sample[None])[0]))(X)


known(
    Mistake(
        "only model.training checked",
        "You read the mode off the model alone. Each layer has its own mode, and a layer in training may "
        "be part of a model in evaluation.",
        *_either_way(lambda model: model.training and _mixes(model)),
        *_either_way(lambda model: model.training),
    )
)


@wrong("only model.training checked")
def the_models_own_mode():
    import torch
    from torch import nn

    def per_sample_jacobian(model, X):
        norms = [m for m in model.modules() if isinstance(m, nn.modules.batchnorm._BatchNorm)]
        if model.training and any(m.training or m.running_mean is None for m in norms):
            raise ValueError("BatchNorm mixes samples")
        X = X.clone().requires_grad_()
        y = model(X)
        rows = [torch.autograd.grad(y[:, i].sum(), X, retain_graph=True)[0] for i in range(y.shape[1])]
        return torch.stack(rows, dim=1)


@mistake(
    "nested BatchNorm overlooked",
    "A BatchNorm deeper in the model is in training. Which method lists the modules at every depth, and whose mode "
    "do you look at?",
    loses=("a frozen BatchNorm answered, and all as it was", "batch statistics refused"),
)
def only_the_children():
    import torch
    from torch import nn

    def per_sample_jacobian(model, X):
        for m in model.children():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and (m.training or m.running_mean is None):
                raise ValueError("BatchNorm mixes samples")
        X = X.clone().requires_grad_()
        y = model(X)
        rows = [torch.autograd.grad(y[:, i].sum(), X, retain_graph=True)[0] for i in range(y.shape[1])]
        return torch.stack(rows, dim=1)


@wrong("nested BatchNorm overlooked", predicts=True, loses=("batch statistics refused",))
def only_the_children_by_vmap():
    from torch import nn
    from torch.func import jacrev, vmap

    def per_sample_jacobian(model, X):
        for m in model.children():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and (m.training or m.running_mean is None):
                raise ValueError("batch statistics")
        return vmap(jacrev(lambda sample: model(sample[None])[0]))(X)


@mistake(
    "running statistics not checked",
    "You answered for a model whose BatchNorm is in evaluation and keeps no running statistics. What does "
    "it normalise with?",
    loses=("batch statistics refused",),
)
def only_the_mode():
    import torch
    from torch import nn

    def per_sample_jacobian(model, X):
        for m in model.modules():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and m.training:
                raise ValueError("BatchNorm mixes samples")
        X = X.clone().requires_grad_()
        y = model(X)
        rows = [torch.autograd.grad(y[:, i].sum(), X, retain_graph=True)[0] for i in range(y.shape[1])]
        return torch.stack(rows, dim=1)


@wrong("running statistics not checked", predicts=True, loses=("batch statistics refused",))
def the_complaint_passed_on():
    from torch.func import jacrev, vmap

    def per_sample_jacobian(model, X):
        try:
            return vmap(jacrev(lambda sample: model(sample[None])[0]))(X)
        except RuntimeError as error:
            raise ValueError("samples mix") from error


known(
    Mistake(
        "BatchNorm2d overlooked",
        "You overlooked a BatchNorm for images. `BatchNorm1d`, `2d` and `3d` are separate classes with a common base.",
        *_either_way(
            lambda model: any(normalises_with_the_batch(m) and isinstance(m, nn.BatchNorm1d) for m in model.modules())
        ),
    )
)


@wrong("BatchNorm2d overlooked", loses=("a frozen BatchNorm answered, and all as it was", "batch statistics refused"))
def only_one_dimensional():
    import torch
    from torch import nn

    def per_sample_jacobian(model, X):
        for m in model.modules():
            if isinstance(m, nn.BatchNorm1d) and (m.training or m.running_mean is None):
                raise ValueError("BatchNorm mixes samples")
        X = X.clone().requires_grad_()
        y = model(X)
        rows = [torch.autograd.grad(y[:, i].sum(), X, retain_graph=True)[0] for i in range(y.shape[1])]
        return torch.stack(rows, dim=1)


@mistake(
    "switched to evaluation",
    "You switched the model to evaluation for the answer. Use a model in the mode in which you find it, or refuse it.",
    loses=("a matrix for each sample", "batch statistics refused"),
)
def evaluation_for_the_answer():
    from torch.func import jacrev

    def per_sample_jacobian(model, X):
        modes = {m: m.training for m in model.modules()}
        model.eval()
        J = jacrev(model)(X)
        for m, mode in modes.items():
            m.training = mode
        return J.diagonal(dim1=0, dim2=2).permute(2, 0, 1)


@mistake(
    "model run before the check",
    "You ran the model before you looked at its layers: a BatchNorm's running statistics have changed.",
    loses=("a frozen BatchNorm answered, and all as it was", "batch statistics refused"),
)
def run_before_the_look():
    import torch
    from torch import nn

    def per_sample_jacobian(model, X):
        X = X.clone().requires_grad_()
        y = model(X)
        for m in model.modules():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and (m.training or m.running_mean is None):
                raise ValueError("BatchNorm mixes samples")
        rows = [torch.autograd.grad(y[:, i].sum(), X, retain_graph=True)[0] for i in range(y.shape[1])]
        return torch.stack(rows, dim=1)


@mistake(
    "outputs before samples",
    "The numbers are right, but the axes are in the wrong order: samples come first, then outputs. Which `dim` does "
    "your stacking use, or where does the axis go that you make?",
)
def stacked_in_front():
    import torch
    from torch import nn

    def per_sample_jacobian(model, X):
        for m in model.modules():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and (m.training or m.running_mean is None):
                raise ValueError("BatchNorm mixes samples")
        X = X.clone().requires_grad_()
        y = model(X)
        return torch.stack([torch.autograd.grad(y[:, i].sum(), X, retain_graph=True)[0] for i in range(y.shape[1])])


@mistake(
    "Jacobian of the whole batch",
    "This table has every sample's outputs against every sample's inputs. Return only the blocks of a "
    "sample with itself.",
)
def jacobian_of_the_batch():
    from torch import nn
    from torch.func import jacrev

    def per_sample_jacobian(model, X):
        for m in model.modules():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and (m.training or m.running_mean is None):
                raise ValueError("BatchNorm mixes samples")
        return jacrev(model)(X)


@mistake(
    "batch axes left in",
    "The axes of each sample's batch of one are still there. Which index removes them, and only them?",
)
def batches_of_one_stacked():
    import torch
    from torch import nn

    def per_sample_jacobian(model, X):
        for m in model.modules():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and (m.training or m.running_mean is None):
                raise ValueError("batch statistics")
        return torch.stack([torch.func.jacrev(model)(sample[None]) for sample in X])


known(
    Mistake(
        "squeezed too far",
        "With a single output or input, an axis is missing. `squeeze()` removes every axis of size 1, the "
        "batch's and the others.",
        lambda model, inputs: torch.stack([one.squeeze() for one in jacobians(model, inputs)]),
    )
)


@wrong("squeezed too far", predicts=True, loses=("a matrix for each sample",))
def outputs_squeezed():
    from torch import nn
    from torch.func import jacrev, vmap

    def per_sample_jacobian(model, X):
        for m in model.modules():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and (m.training or m.running_mean is None):
                raise ValueError("BatchNorm mixes samples")
        return vmap(jacrev(lambda sample: model(sample[None]).squeeze()))(X)


@mistake(
    "batch axis missing",
    "You gave the model a sample without its batch axis. See lesson 07, “Per-sample Jacobians”.",
    raises="ValueError: expected 2D or 3D input|RuntimeError: mat1 and mat2 shapes cannot be multiplied|"
    "RuntimeError: unflatten|ValueError: expected \\dD|IndexError: Dimension out of range",
)
def samples_without_their_batch_axis():
    from torch import nn
    from torch.func import jacrev, vmap

    def per_sample_jacobian(model, X):
        for m in model.modules():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and (m.training or m.running_mean is None):
                raise ValueError("BatchNorm mixes samples")
        return vmap(jacrev(model))(X)


@mistake(
    "a frozen BatchNorm refused",
    "You refused a model in which no BatchNorm normalises with the batch: there is none, or each is in "
    "evaluation and has running statistics. Its samples do not mix.",
    raises="ValueError",
    loses=("a frozen BatchNorm answered, and all as it was",),
)
def every_batchnorm_refused():
    from torch import nn
    from torch.func import jacrev, vmap

    def per_sample_jacobian(model, X):
        if any(isinstance(m, nn.modules.batchnorm._BatchNorm) for m in model.modules()):
            raise ValueError("BatchNorm mixes samples")
        return vmap(jacrev(lambda sample: model(sample[None])[0]))(X)


@wrong("not attempted")
def per_sample_jacobian_not_attempted():
    def per_sample_jacobian(model, X):
        raise NotImplementedError  # your code here


@right
def a_pass_for_each_output():
    import torch
    from torch import nn

    def per_sample_jacobian(model, X):
        kinds = (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d)
        for name, module in model.named_modules():
            if isinstance(module, kinds) and (module.training or not module.track_running_stats):
                raise ValueError(f"{name} mixes the samples")
        leaf = X.clone().requires_grad_()
        y = model(leaf)
        rows = [torch.autograd.grad(y[:, i].sum(), leaf, retain_graph=True)[0] for i in range(y.shape[1])]
        return torch.stack(rows, dim=1)


@right
def each_sample_by_itself():
    import torch
    from torch.nn.modules.batchnorm import _BatchNorm

    def mixes(module):
        if isinstance(module, _BatchNorm):
            return module.training or module.running_mean is None
        return any(mixes(child) for child in module.children())

    def per_sample_jacobian(model, X):
        if mixes(model):
            raise ValueError("samples are mixed")
        return torch.stack([torch.autograd.functional.jacobian(model, s[None])[0, :, 0] for s in X])


@right
def blocks_of_the_whole_table():
    import torch
    from torch import nn

    def per_sample_jacobian(model, X):
        for m in model.modules():
            if "BatchNorm" in type(m).__name__ and (m.training or m.running_var is None):
                raise ValueError
        table = torch.func.jacrev(model)(X)
        return table[range(len(X)), :, range(len(X))]
