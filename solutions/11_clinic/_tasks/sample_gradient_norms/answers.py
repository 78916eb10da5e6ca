"""sample_gradient_norms: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong


def _losses(model: nn.Linear, inputs: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return functional.cross_entropy(model(inputs), y, reduction="none")


def _of_the_batch_repeated(model: nn.Linear, inputs: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return torch.autograd.grad(_losses(model, inputs, y).sum(), model.weight)[0].norm().expand(len(y))


@mistake(
    "as given: one norm per class",
    "There are as many norms as classes; there should be one for each sample. Change one sample and see which "
    "entries move. See lesson 11, “Per-sample gradients from a vector of losses”.",
)
def as_given_sample_gradient_norms():
    import torch
    from torch.nn.functional import cross_entropy

    def sample_gradient_norms(model: torch.nn.Linear, X: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        losses = cross_entropy(model(X), y, reduction="none")
        (gradients,) = torch.autograd.grad(losses, model.weight, grad_outputs=torch.ones_like(losses))
        return gradients.norm(dim=1)


@mistake(
    "one norm per feature",
    "There are as many norms as features; there should be one for each sample. All samples' gradients had been "
    "added up before the norm was taken.",
)
def the_other_axis():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        losses = F.cross_entropy(model(X), y, reduction="none")
        (gradients,) = torch.autograd.grad(losses.sum(), model.weight)
        return gradients.norm(dim=0)


known(
    Mistake(
        "one norm for the batch",
        "This is the norm of all samples' gradients together. Gradients that point in different directions cancel "
        "in that sum.",
        _of_the_batch_repeated,
    ),
)


@wrong("one norm for the batch", predicts=True)
def norm_of_the_sum():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        losses = F.cross_entropy(model(X), y, reduction="none")
        (gradients,) = torch.autograd.grad(losses, model.weight, grad_outputs=torch.ones_like(losses))
        return gradients.norm()


@wrong("one norm for the batch", predicts=True)
def norm_of_the_mean():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        return torch.autograd.grad(F.cross_entropy(model(X), y), model.weight)[0].norm()


@wrong(".grad filled", loses=("the model as it was",))
def zero_grad_for_each():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        norms = []
        for xi, yi in zip(X, y):
            model.zero_grad()
            F.cross_entropy(model(xi[None]), yi[None]).backward()
            norms.append(model.weight.grad.norm())
        return torch.stack(norms)


@mistake(
    "gradients accumulated",
    "The first norm is right. Each later norm belongs to the sum of all gradients so far. What was still stored?",
)
def backward_in_a_loop():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        kept = model.weight.grad, model.bias.grad if model.bias is not None else None
        model.weight.grad = None
        norms = []
        for xi, yi in zip(X, y):
            F.cross_entropy(model(xi[None]), yi[None]).backward()
            norms.append(model.weight.grad.norm())
        model.weight.grad = kept[0]
        if model.bias is not None:
            model.bias.grad = kept[1]
        return torch.stack(norms)


@mistake(
    "gradient of the input",
    "You took each sample's gradient with respect to the sample. Take it with respect to `model.weight`.",
)
def with_respect_to_the_samples():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        X = X.clone().requires_grad_()
        losses = F.cross_entropy(model(X), y, reduction="none")
        (gradients,) = torch.autograd.grad(losses, X, grad_outputs=torch.ones_like(losses))
        return gradients.norm(dim=1)


@mistake(
    "gradient of the scores",
    "You took each sample's gradient with respect to its class scores. One more factor leads to `model.weight`.",
)
def errors_of_the_classifier():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        chances = model(X).softmax(1)
        return (chances - F.one_hot(y, chances.shape[1])).norm(dim=1).detach()


@mistake("bias included", "The bias's gradient is included in these norms. Count only that of `model.weight`.")
def all_parameters():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        norms = []
        for xi, yi in zip(X, y):
            loss = F.cross_entropy(model(xi[None]), yi[None])
            gradients = torch.autograd.grad(loss, list(model.parameters()))
            norms.append(torch.sqrt(sum((g**2).sum() for g in gradients)))
        return torch.stack(norms)


@mistake(
    "one norm per sample and class",
    "Each sample has several norms, one for each class. Its gradient is one matrix with one norm, of all entries "
    "together.",
)
def one_axis_of_the_matrix():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        losses = F.cross_entropy(model(X), y, reduction="none")
        gradients = [torch.autograd.grad(loss, model.weight, retain_graph=True)[0] for loss in losses]
        return torch.stack(gradients).norm(dim=2)


@mistake(
    "one norm per sample and feature",
    "Each sample has several norms, one for each feature. Its gradient is one matrix with one norm, of all entries "
    "together.",
)
def the_other_axis_of_the_matrix():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        losses = F.cross_entropy(model(X), y, reduction="none")
        gradients = [torch.autograd.grad(loss, model.weight, retain_graph=True)[0] for loss in losses]
        return torch.stack(gradients).norm(dim=1)


@mistake(
    "L1 norm instead of L2",
    "You added up the absolute values of the gradient's entries. Its Euclidean norm is the root of the sum of the "
    "squares.",
)
def another_norm():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        losses = F.cross_entropy(model(X), y, reduction="none")
        return torch.stack([torch.autograd.grad(loss, model.weight, retain_graph=True)[0].norm(p=1) for loss in losses])


@mistake(
    "maximum norm instead of L2",
    "This is the largest entry of each gradient. Its Euclidean norm is the root of the sum of the squares.",
)
def largest_entry_of_each():
    import torch
    from torch.nn.functional import cross_entropy

    def sample_gradient_norms(model, X, y):
        losses = cross_entropy(model(X), y, reduction="none")
        each = [torch.autograd.grad(loss, model.weight, retain_graph=True)[0] for loss in losses]
        return torch.stack([gradient.abs().max() for gradient in each])


@mistake("square root forgotten", "These are the squares of the norms.")
def squares():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        losses = F.cross_entropy(model(X), y, reduction="none")
        return torch.stack(
            [(torch.autograd.grad(loss, model.weight, retain_graph=True)[0] ** 2).sum() for loss in losses]
        )


@mistake(
    "divided by the batch size",
    "Each norm is too small by the number of samples: the losses were averaged first. A sample's loss is its own.",
)
def losses_of_the_mean():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        losses = F.cross_entropy(model(X), y, reduction="none") / len(y)
        return torch.stack([torch.autograd.grad(loss, model.weight, retain_graph=True)[0].norm() for loss in losses])


known(
    Mistake(
        "norm of the input only",
        "These are the norms of the samples. How wrong the classifier is about each counts too.",
        lambda model, inputs, y: inputs.norm(dim=1),
    )
)


@mistake(
    "batch axis missing",
    "You passed a sample without its batch axis, or its class without one. `[i : i + 1]` keeps the axis.",
    raises="(RuntimeError|ValueError|IndexError): (Expected (floating|input batch|target)|size mismatch|Dimension out)",
)
def class_without_an_axis():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        norms = []
        for xi, yi in zip(X, y):
            loss = F.cross_entropy(model(xi[None]), yi)
            norms.append(torch.autograd.grad(loss, model.weight)[0].norm())
        return torch.stack(norms)


@wrong("not attempted")
def sample_gradient_norms_not_attempted():
    def sample_gradient_norms(model, X, y):
        raise NotImplementedError  # your code here


@wrong("gradient of a vector")
def without_ones():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        losses = F.cross_entropy(model(X), y, reduction="none")
        (gradients,) = torch.autograd.grad(losses, model.weight)
        return gradients.norm(dim=1)


@wrong("graph already freed")
def not_retained():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        losses = F.cross_entropy(model(X), y, reduction="none")
        return torch.stack([torch.autograd.grad(loss, model.weight)[0].norm() for loss in losses])


@right
def sample_by_sample():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        norms = []
        for i in range(len(X)):
            loss = F.cross_entropy(model(X[i : i + 1]), y[i : i + 1])
            norms.append(torch.autograd.grad(loss, model.weight)[0].norm())
        return torch.stack(norms)


@right
def batched_calls():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        losses = F.cross_entropy(model(X), y, reduction="none")
        one_hot = torch.eye(len(losses), dtype=losses.dtype)
        (gradients,) = torch.autograd.grad(losses, model.weight, one_hot, is_grads_batched=True)
        return gradients.flatten(1).norm(dim=1)


@right
def by_vmap():
    import torch
    import torch.nn.functional as F
    from torch.func import functional_call, grad, vmap

    def sample_gradient_norms(model, X, y):
        def loss(weight, x, target):
            scores = functional_call(model, {"weight": weight}, (x[None],))
            return F.cross_entropy(scores, target[None])

        gradients = vmap(grad(loss), in_dims=(None, 0, 0))(model.weight.detach(), X, y)
        return torch.linalg.matrix_norm(gradients)


@right
def by_a_product_of_norms():
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        scores = model(X)
        errors = scores.softmax(1) - F.one_hot(y, scores.shape[1])
        return errors.norm(dim=1) * X.norm(dim=1)


@right
def kept_and_put_back_for_each():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        before = [p.grad for p in model.parameters()]
        norms = torch.zeros(len(X), dtype=X.dtype)
        for i, (xi, yi) in enumerate(zip(X, y)):
            for p in model.parameters():
                p.grad = None
            F.cross_entropy(model(xi), yi).backward()
            norms[i] = model.weight.grad.norm()
        for p, grad in zip(model.parameters(), before):
            p.grad = grad
        return norms
