"""weighted_input_gradient: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

import torch
from torch import nn

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

from ..shared import matrix


def _other_side(layer: nn.Module, x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    found = matrix(layer, x)
    if found.shape[1] != v.shape[1]:
        raise ValueError("J v needs as many weights as inputs")
    return v @ found.mT


@wrong("requires_grad switched on", loses=("in one backward pass, and all as it was",))
def x_marked():
    import torch

    def weighted_input_gradient(layer, x, v):
        x.requires_grad_()
        return torch.autograd.grad(layer(x), x, v)[0]


@mistake(
    "a pass for each row",
    "The numbers are right, but you made them from all rows, with a backward pass for each. The weights "
    "can be mixed in before the pass.",
    loses=("in one backward pass, and all as it was",),
)
def rows_then_the_product():
    import torch

    def weighted_input_gradient(layer, x, v):
        x = x.clone().requires_grad_()
        h = layer(x)
        J = torch.cat([torch.autograd.grad(one, x, retain_graph=True)[0] for one in h[0]])
        return v @ J


@mistake(
    "no backward pass",
    "The numbers are right, but you ran no backward pass. Columns, nudges or a formula cost more, or hold "
    "for one kind of layer only.",
    loses=("in one backward pass, and all as it was",),
)
def columns_then_the_product():
    import torch

    def weighted_input_gradient(layer, x, v):
        J = torch.func.jacfwd(layer)(x)[0, :, 0]
        return v @ J


@mistake("weights ignored", "This is the sum of the rows: each output counts once. The weights in `v` have no effect.")
def sum_of_the_outputs():
    import torch

    def weighted_input_gradient(layer, x, v):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(layer(x).sum(), x)[0]


known(
    Mistake(
        "columns weighted",
        "You multiplied the columns, which belong to inputs, by `v`. It has a weight for each output.",
        _other_side,
    ),
    Mistake(
        "columns weighted",
        "`v` has a weight for each output, and you multiplied it by something that has an entry for each "
        "input. The weights come in before the pass, where the outputs are.",
        raises="RuntimeError: The size of tensor a",
    ),
)


@wrong("columns weighted", predicts=True)
def v_on_the_other_side():
    import torch

    def weighted_input_gradient(layer, x, v):
        n = min(v.shape[1], x.shape[1])
        J = torch.func.jacrev(layer)(x)[0, :, 0]
        if J.shape[0] != J.shape[1]:
            return v @ J
        return (J @ v[0, :n])[None]


@wrong("columns weighted")
def weights_after_the_pass():
    import torch

    def weighted_input_gradient(layer, x, v):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(layer(x).sum(), x)[0] * v


@mistake(
    "weight instead of Jacobian",
    "You multiplied the layer's weight by `v`. The weight is the Jacobian of a Linear layer alone.",
)
def v_times_some_matrix_of_the_layer():
    def weighted_input_gradient(layer, x, v):
        matrix = [p for p in layer.parameters() if p.dim() == 2][0]
        return (v @ matrix).detach()


@wrong("weight instead of Jacobian")
def v_times_the_weight():
    def weighted_input_gradient(layer, x, v):
        return v @ layer.weight


@mistake("batch axis lost", "The numbers are right. Return them in the shape of x, (1, in), with its batch axis.")
def a_vector_returned():
    import torch

    def weighted_input_gradient(layer, x, v):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(layer(x), x, v)[0][0]


known(
    Mistake(
        "weight instead of Jacobian",
        "Not every layer has a `weight`, and if it has one, that need not be the Jacobian. Ask autograd.",
        raises="AttributeError: '\\w+' object has no attribute '(weight|bias)'",
    )
)


@mistake(
    "grad_outputs of another shape",
    "`grad_outputs` must have the shape of the output, (1, out), which `v` has when your function gets it.",
    raises="RuntimeError: Mismatch in shape: grad_output",
)
def weights_without_a_batch_axis():
    import torch

    def weighted_input_gradient(layer, x, v):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(layer(x), x, grad_outputs=v.squeeze(0))[0]


@wrong("not attempted")
def weighted_input_gradient_not_attempted():
    def weighted_input_gradient(layer, x, v):
        raise NotImplementedError  # your code here


@wrong("left in a tuple")
def the_tuple_itself():
    import torch

    def weighted_input_gradient(layer, x, v):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(layer(x), x, v)


@wrong("sign")
def gradient_descended():
    import torch

    def weighted_input_gradient(layer, x, v):
        x = x.clone().requires_grad_()
        return -torch.autograd.grad(layer(x), x, v)[0]


@right
def a_weighted_sum_as_the_output():
    import torch

    def weighted_input_gradient(layer, x, v):
        leaf = x.detach().requires_grad_()
        return torch.autograd.grad((layer(leaf) * v).sum(), leaf)[0]


@right
def backward_with_weights():
    def weighted_input_gradient(layer, x, v):
        leaf = x.clone().requires_grad_()
        layer(leaf).backward(v)
        return leaf.grad


@right
def by_vjp():
    import torch

    def weighted_input_gradient(layer, x, v):
        output, back = torch.func.vjp(layer, x)
        return back(v)[0]
