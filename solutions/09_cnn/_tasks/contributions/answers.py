"""contributions: mistakes, other ways to make them, and right answers."""

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

from .task import gradient_times_input


@mistake(
    "sensitivity",
    "You returned the gradient: how far the logit would move with each input. An input that is 0 "
    "contributes nothing, however large its gradient. See lesson 09, “Sensitivity and contribution”.",
)
def the_gradient_alone():
    import torch

    def contributions(h, layer, c):
        leaf = h.clone().requires_grad_()
        return torch.autograd.grad(layer(leaf)[:, c].sum(), leaf)[0]


known(
    Mistake(
        "summed over inputs",
        "You returned one sum per sample, which is the logit without the bias. Return its terms, one per input.",
        lambda h, layer, c: gradient_times_input(h, layer, c).sum(1, keepdim=True),
        lambda h, layer, c: layer(h)[:, c].detach(),
    ),
    Mistake(
        "bias shared among inputs",
        "The bias was divided among the inputs, or added to each. It belongs to no input, and the rows add "
        "up to the logit without it.",
        lambda h, layer, c: gradient_times_input(h, layer, c) + (0 if layer.bias is None else layer.bias[c].detach()),
    ),
)


@wrong("summed over inputs", predicts=True)
def summed_to_the_logit():
    def contributions(h, layer, c):
        return (h * layer.weight[c]).sum(dim=1)


@wrong("bias shared among inputs", predicts=True, loses=("what each input adds",))
def bias_shared_out():
    def contributions(h, layer, c):
        shares = h * layer.weight[c]
        if layer.bias is not None:
            shares = shares + layer.bias[c] / h.shape[1]
        return shares


@mistake("counted from 1", "These are the contributions to the logit before number `c`. `c` counts from 0.")
def the_class_before():
    def contributions(h, layer, c):
        return h * layer.weight[c - 1]


@mistake(
    "sample indexed as class",
    "Your program uses `c` as an index along the batch. In `layer(h)` the first axis is the samples and "
    "the second the classes.",
    raises="IndexError: index \\d+ is out of bounds for dimension 0",
    predicts=True,
)
def row_c_of_the_output():
    import torch

    def contributions(h, layer, c):
        leaf = h.clone().requires_grad_()
        return torch.autograd.grad(layer(leaf)[c].sum(), leaf)[0] * h


@mistake(
    "column instead of row",
    "A Linear layer's weight has one row per output and one column per input. Which of them does `c` number?",
    raises="RuntimeError: The size of tensor a|IndexError: index \\d+ is out of bounds for dimension 1",
)
def column_c_of_the_weight():
    def contributions(h, layer, c):
        return h * layer.weight[:, c]


@mistake(
    "sum of all logits",
    "These are the contributions to the sum of all logits. Return those to the single logit number `c`.",
)
def all_logits():
    import torch

    def contributions(h, layer, c):
        leaf = h.clone().requires_grad_()
        return torch.autograd.grad(layer(leaf).sum(), leaf)[0] * h


@mistake("mean over the batch", "Everything is divided by the number of samples. Each sample has its own logit.")
def mean_of_logits():
    import torch

    def contributions(h, layer, c):
        leaf = h.clone().requires_grad_()
        return torch.autograd.grad(layer(leaf)[:, c].mean(), leaf)[0] * h


@mistake(
    "first sample only",
    "Only the first sample's row is filled, and the others are 0. Each sample has its own contributions.",
)
def logit_of_the_first_sample():
    import torch

    def contributions(h, layer, c):
        leaf = h.clone().requires_grad_()
        return torch.autograd.grad(layer(leaf)[0, c], leaf)[0] * h


known(
    Mistake(
        "divided by the sum",
        "Each row was divided by its sum, or by the logit. A contribution is an amount of the logit, not a "
        "fraction of it.",
        lambda h, layer, c: gradient_times_input(h, layer, c) / layer(h)[:, c : c + 1].detach(),
    )
)


@wrong("divided by the sum", predicts=True)
def percentages():
    def contributions(h, layer, c):
        parts = h * layer.weight[c]
        return parts / parts.sum(dim=1, keepdim=True)


@mistake(
    "negative contributions missing",
    "Contributions below 0 are missing. An input may pull the logit down, and the rows add up only with all of them.",
)
def positive_parts():
    import torch

    def contributions(h, layer, c):
        return torch.relu(h * layer.weight[c])


@wrong(
    "requires_grad switched on",
    loses=(
        "what each input adds",
        "a layer without a bias",
    ),
)
def h_marked():
    import torch

    def contributions(h, layer, c):
        h.requires_grad_()
        return (torch.autograd.grad(layer(h)[:, c].sum(), h)[0] * h).detach()


@mistake(
    "no bias",
    "A Linear layer made without a bias has the `bias` None. Do contributions need it?",
    raises="NoneType.*; None was .*bias",
    loses=("a layer without a bias",),
)
def logit_minus_bias():
    import torch

    def contributions(h, layer, c):
        leaf = h.clone().requires_grad_()
        rest = layer(leaf)[:, c] - layer.bias[c]
        return torch.autograd.grad(rest.sum(), leaf)[0] * h


@wrong("not attempted")
def contributions_not_attempted():
    def contributions(h, layer, c):
        raise NotImplementedError  # your code here


@wrong("absolute value")
def sizes():
    def contributions(h, layer, c):
        return (h * layer.weight[c]).abs()


@wrong("gradient of a vector")
def the_logits_of_the_batch():
    import torch

    def contributions(h, layer, c):
        leaf = h.clone().requires_grad_()
        return torch.autograd.grad(layer(leaf)[:, c], leaf)[0] * h


@wrong("numbers changed")
def multiplied_in_place():
    def contributions(h, layer, c):
        return h.mul_(layer.weight[c].detach())


@right
def a_row_of_the_weight():
    def contributions(h, layer, c):
        return h * layer.weight[c]


@right
def sample_by_sample():
    import torch

    def contributions(h, layer, c):
        rows = []
        for one in h:
            one = one.detach().clone().requires_grad_()
            layer(one)[c].backward()
            rows.append(one.grad * one.detach())
        return torch.stack(rows)


@right
def by_vjp():
    import torch

    def contributions(h, layer, c):
        out, back = torch.func.vjp(layer, h)
        one_hot = torch.zeros_like(out)
        one_hot[:, c] = 1
        return back(one_hot)[0].mul(h)
