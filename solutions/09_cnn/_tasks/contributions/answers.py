"""contributions: mistakes, other ways to make them, and right answers."""

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

from .task import gradient_times_input


@mistake(
    "sensitivity",
    "This is how far the logit moves with each input, its gradient. An input that is 0 contributes nothing, "
    "however large its gradient. See lesson 09, “Sensitivity and contribution”.",
)
def the_gradient_alone():
    import torch

    def contributions(h, layer, c):
        leaf = h.clone().requires_grad_()
        return torch.autograd.grad(layer(leaf)[:, c].sum(), leaf)[0]


known(
    Mistake(
        "added up",
        "Each row was added up. Its sum is the logit without the bias; asked for is what stands under the sum.",
        lambda h, layer, c: gradient_times_input(h, layer, c).sum(1, keepdim=True),
        lambda h, layer, c: layer(h)[:, c].detach(),
    ),
    Mistake(
        "the bias given to the inputs",
        "The bias was given to the inputs, so that the rows add up to the logit. It belongs to no input.",
        lambda h, layer, c: gradient_times_input(h, layer, c) + (0 if layer.bias is None else layer.bias[c].detach()),
    ),
)


@wrong("added up", predicts=True)
def summed_to_the_logit():
    def contributions(h, layer, c):
        return (h * layer.weight[c]).sum(dim=1)


@wrong("the bias given to the inputs", predicts=True, loses=("what each input adds",))
def bias_shared_out():
    def contributions(h, layer, c):
        shares = h * layer.weight[c]
        if layer.bias is not None:
            shares = shares + layer.bias[c] / h.shape[1]
        return shares


@mistake("counted from 1", "These are the contributions to the logit before the one that is meant. `c` counts from 0.")
def the_class_before():
    def contributions(h, layer, c):
        return h * layer.weight[c - 1]


@mistake(
    "a sample for a class",
    "Number `c` was looked up along the batch. In `layer(h)` the samples come first and the classes second.",
    raises="IndexError: index \\d+ is out of bounds for dimension 0",
    predicts=True,
)
def row_c_of_the_output():
    import torch

    def contributions(h, layer, c):
        leaf = h.clone().requires_grad_()
        return torch.autograd.grad(layer(leaf)[c].sum(), leaf)[0] * h


@mistake(
    "columns of the weight",
    "A Linear layer's weight has a row for each output and a column for each input. Which of them does `c` number?",
    raises="RuntimeError: The size of tensor a|IndexError: index \\d+ is out of bounds for dimension 1",
)
def column_c_of_the_weight():
    def contributions(h, layer, c):
        return h * layer.weight[:, c]


@mistake("all classes", "These are the contributions to the sum of all logits. One of them, number `c`, is asked for.")
def all_logits():
    import torch

    def contributions(h, layer, c):
        leaf = h.clone().requires_grad_()
        return torch.autograd.grad(layer(leaf).sum(), leaf)[0] * h


@mistake("mean over the batch", "Everything was divided by the number of samples. Each sample has a logit of its own.")
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
        "shares",
        "Each row was divided by its sum, or by the logit. Contributions are parts of the logit, in its own units.",
        lambda h, layer, c: gradient_times_input(h, layer, c) / layer(h)[:, c : c + 1].detach(),
    )
)


@wrong("shares", predicts=True)
def percentages():
    def contributions(h, layer, c):
        parts = h * layer.weight[c]
        return parts / parts.sum(dim=1, keepdim=True)


@mistake(
    "negative ones left out",
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
    "A Linear layer may have been made without a bias; its `bias` is then None. Do contributions need it?",
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
