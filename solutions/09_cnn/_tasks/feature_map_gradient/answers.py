"""feature_map_gradient: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn
from torch.nn import functional as F

from autograder.diagnosis import Mistake
from autograder.references.leaves import leaf_of
from autograder.tasks.answers import known, mistake, right, wrong

from ..shared import NOTHING_TO_RETAIN
from .task import maps_behind


def _with(
    maps: Callable[..., torch.Tensor] = maps_behind, loss: Callable[..., torch.Tensor] = F.cross_entropy
) -> Callable[..., torch.Tensor]:
    """The right way with other maps or another loss."""

    def implementation(
        conv1: nn.Module, conv2: nn.Module, fc: nn.Linear, image: torch.Tensor, target: torch.Tensor
    ) -> torch.Tensor:
        leaf = leaf_of(maps(conv1, conv2, image))
        return torch.autograd.grad(loss(fc(leaf.flatten(1)), target), leaf)[0]

    return implementation


@mistake(
    "no retain_grad",
    "`h` is a non-leaf tensor, and its `.grad` stays None unless you call `retain_grad()` before the "
    "backward pass. See lesson 03, “Retaining the gradient of an inner tensor”.",
)
def grad_of_an_inner_tensor():
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = F.relu(conv2(F.relu(conv1(image.clone().requires_grad_()))))
        F.cross_entropy(fc(h.flatten(1)), target).backward()
        return h.grad


@mistake(
    "before the ReLU",
    "This is the gradient before the second ReLU: it is 0 wherever a unit is inactive. `h` is the "
    "tensor after it. See lesson 09, “Feature maps before and after the ReLU”.",
)
def of_the_convolutions_output():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = conv2(F.relu(conv1(image))).detach().requires_grad_()
        loss = F.cross_entropy(fc(F.relu(h).flatten(1)), target)
        return torch.autograd.grad(loss, h)[0]


@wrong("before the ReLU")
def masked_by_the_maps():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = F.relu(conv2(F.relu(conv1(image)))).detach().requires_grad_()
        loss = F.cross_entropy(fc(h.flatten(1)), target)
        return torch.autograd.grad(loss, h)[0] * (h > 0)


@mistake(
    "of the flattened maps",
    "The numbers are right, but in the shape of `h.flatten(1)`. That is another tensor, and `h` itself has four axes.",
)
def of_the_flattened_view():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        flat = F.relu(conv2(F.relu(conv1(image)))).flatten(1).detach().requires_grad_()
        loss = F.cross_entropy(fc(flat), target)
        return torch.autograd.grad(loss, flat)[0]


@mistake(
    "of the first maps", "This is the gradient of the maps after the first convolution. `h` comes after the second."
)
def behind_the_first_convolution():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = F.relu(conv1(image)).detach().requires_grad_()
        loss = F.cross_entropy(fc(F.relu(conv2(h)).flatten(1)), target)
        return torch.autograd.grad(loss, h)[0]


@mistake(
    "loss summed over the batch",
    "These are the gradients of a sum over the images. By default, cross entropy takes their mean.",
)
def cross_entropy_summed():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = F.relu(conv2(F.relu(conv1(image)))).detach().requires_grad_()
        loss = F.cross_entropy(fc(h.flatten(1)), target, reduction="sum")
        return torch.autograd.grad(loss, h)[0]


known(
    Mistake(
        "logits instead of loss",
        "This is the gradient of logits. The loss is the cross entropy between the logits and the target.",
        _with(loss=lambda logits, target: logits.sum()),
        _with(loss=lambda logits, target: -F.nll_loss(logits, target)),
    ),
    Mistake(
        "softmax twice",
        "These are the gradients for logits that pass a softmax before the cross entropy, which has a "
        "softmax of its own.",
        _with(loss=lambda logits, target: F.nll_loss(logits.softmax(1), target)),
    ),
)


@wrong("logits instead of loss", predicts=True)
def of_the_targets_logits():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = F.relu(conv2(F.relu(conv1(image)))).detach().requires_grad_()
        logits = fc(h.flatten(1))
        return torch.autograd.grad(logits[torch.arange(len(logits)), target].sum(), h)[0]


@wrong("softmax twice", predicts=True)
def softmax_before_the_loss():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = F.relu(conv2(F.relu(conv1(image)))).detach().requires_grad_()
        loss = F.cross_entropy(F.softmax(fc(h.flatten(1)), dim=1), target)
        return torch.autograd.grad(loss, h)[0]


@mistake(
    "gradient times map",
    "The gradient was multiplied by `h`. The product is 0 wherever `h` is, and the gradient need not be.",
)
def times_the_maps():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = F.relu(conv2(F.relu(conv1(image)))).detach().requires_grad_()
        loss = F.cross_entropy(fc(h.flatten(1)), target)
        return torch.autograd.grad(loss, h)[0] * h.detach()


known(
    Mistake(
        "ReLU missing",
        "A ReLU is missing on the way to `h`. There is one after each convolution.",
        _with(maps=lambda conv1, conv2, image: conv2(conv1(image).relu())),
        _with(maps=lambda conv1, conv2, image: conv2(conv1(image))),
    ),
    NOTHING_TO_RETAIN,
)


@wrong("ReLU missing", predicts=True)
def one_relu():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = F.relu(conv2(conv1(image))).detach().requires_grad_()
        loss = F.cross_entropy(fc(h.flatten(1)), target)
        return torch.autograd.grad(loss, h)[0]


@wrong("requires_grad switched on", loses=("frozen layers, and all as it was",))
def the_image_as_leaf():
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        image.requires_grad_()
        h = F.relu(conv2(F.relu(conv1(image))))
        h.retain_grad()
        F.cross_entropy(fc(h.flatten(1)), target).backward()
        return h.grad


@wrong("parameters thawed", loses=("frozen layers, and all as it was",))
def layers_thawed():
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        for layer in (conv1, conv2, fc):
            layer.requires_grad_(True)
        h = F.relu(conv2(F.relu(conv1(image))))
        h.retain_grad()
        F.cross_entropy(fc(h.flatten(1)), target).backward()
        return h.grad


@wrong("tensor requires no gradient", loses=("frozen layers, and all as it was",))
def maps_retained_as_they_come():
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = F.relu(conv2(F.relu(conv1(image))))
        h.retain_grad()
        F.cross_entropy(fc(h.flatten(1)), target).backward()
        return h.grad


@mistake(
    "batch axis flattened",
    "`fc` did not get the shape (batch, features). `flatten(1)` keeps the batch axis and joins the others.",
    raises="RuntimeError: (mat1 and mat2 shapes cannot be multiplied|size mismatch|shape '.*' is invalid|"
    "mat1 and mat2 must)|ValueError: Expected input batch_size",
)
def flattened_with_the_batch():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = F.relu(conv2(F.relu(conv1(image)))).detach().requires_grad_()
        loss = F.cross_entropy(fc(h.flatten()), target)
        return torch.autograd.grad(loss, h)[0]


@mistake(
    "h computed twice",
    "You differentiated with respect to an `h` that the logits were not computed from. Maps computed a "
    "second time are other tensors with the same numbers.",
    raises="RuntimeError: .* appears? to not have been used in the graph",
)
def a_second_forward():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        image = image.clone().requires_grad_()

        def forward():
            return F.relu(conv2(F.relu(conv1(image))))

        loss = F.cross_entropy(fc(forward().flatten(1)), target)
        return torch.autograd.grad(loss, forward())[0]


@wrong("not attempted")
def feature_map_gradient_not_attempted():
    def feature_map_gradient(conv1, conv2, fc, image, target):
        raise NotImplementedError  # your code here


@wrong("sign")
def downhill():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = F.relu(conv2(F.relu(conv1(image)))).detach().requires_grad_()
        loss = F.log_softmax(fc(h.flatten(1)), 1)[torch.arange(len(h)), target].mean()
        return torch.autograd.grad(loss, h)[0]


@right
def retained_behind_the_relu():
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        image = image.clone().requires_grad_()
        h = F.relu(conv2(F.relu(conv1(image))))
        h.retain_grad()
        F.cross_entropy(fc(h.view(h.size(0), -1)), target).backward()
        return h.grad


@right
def softmax_minus_one_hot():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        with torch.no_grad():
            h = conv2(conv1(image).clamp(min=0)).clamp(min=0)
            p = fc(h.flatten(1)).softmax(1)
            d = (p - F.one_hot(target, p.shape[1]).to(p.dtype)) / len(target)
            return (d @ fc.weight).reshape(h.shape)


@right
def by_torch_func():
    import torch
    from torch import nn

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = nn.Sequential(conv1, nn.ReLU(), conv2, nn.ReLU())(image).detach()
        loss = lambda h: nn.CrossEntropyLoss()(fc(torch.flatten(h, 1)), target)
        return torch.func.grad(loss)(h)
