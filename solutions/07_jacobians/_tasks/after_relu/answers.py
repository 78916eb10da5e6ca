"""after_relu: mistakes, other ways to make them, and right answers."""

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

from ..shared import matrix, rows_mixed


@mistake("ReLU gate forgotten", "The rows of inactive units are not 0. What is the slope of relu below 0?")
def the_weight_alone():
    def after_relu(model, x):
        return model[0].weight.detach()


@wrong("ReLU gate forgotten")
def before_the_relu():
    import torch

    def after_relu(model, x):
        x = x.clone().requires_grad_()
        h = model[0](x)
        return torch.cat([torch.autograd.grad(one, x, retain_graph=True)[0] for one in h[0]])


@mistake(
    "gate taken from the inputs",
    "Columns are 0 where x is not above 0. The gate depends on the units after the Linear layer, not on the inputs.",
)
def inputs_above_zero():
    def after_relu(model, x):
        return model[0].weight * (x > 0)


@mistake(
    "gate applied to columns",
    "You multiplied the columns by the gate of the units. Each unit has a row: which shape must the gate "
    "have to broadcast along rows?",
)
def gate_broadcast_along_columns():
    def after_relu(model, x):
        gate = model[0](x)[0] > 0
        if len(gate) != x.shape[1]:
            return gate[:, None] * model[0].weight
        return gate * model[0].weight


known(
    Mistake(
        "gate applied to columns",
        "You multiplied the columns (one per input) by something that has one entry per unit. Each unit has a row.",
        raises="RuntimeError: The size of tensor a",
    )
)


@mistake(
    "slope 1 at 0",
    "You let a unit through that is exactly 0. In this course, as in PyTorch, the slope of relu at 0 is 0.",
    loses=("a unit exactly at 0",),
)
def at_least_zero():
    def after_relu(model, x):
        gate = model[0](x)[0] >= 0
        return gate[:, None] * model[0].weight


@mistake(
    "slope 1/2 at 0",
    "A unit that is exactly 0 has half of its row, as if it were nudged both ways and only one nudge "
    "passed the ReLU. By convention the slope there is 0.",
    loses=("a unit exactly at 0", "open and shut units"),
)
def nudged_both_ways():
    import torch

    def after_relu(model, x):
        columns = []
        for j in range(x.shape[1]):
            step = torch.zeros_like(x)
            step[0, j] = 1e-6
            columns.append((model(x + step) - model(x - step))[0] / 2e-6)
        return torch.stack(columns, dim=1)


@mistake(
    "value instead of slope",
    "You multiplied the rows by the ReLU's output. The chain rule needs its slope, which is 1 or 0.",
)
def multiplied_by_the_result():
    def after_relu(model, x):
        return model(x)[0][:, None] * model[0].weight


@mistake(
    "overwritten in place",
    "An in-place ReLU writes into the Linear layer's output: a tensor that you kept from before the ReLU "
    "holds the values after it.",
)
def units_that_relu_left_unchanged():
    def after_relu(model, x):
        h = model[0](x)
        y = model[1](h)
        return (y == h)[0][:, None] * model[0].weight


known(rows_mixed(matrix))


@wrong("rows summed")
def sum_behind_the_relu():
    import torch

    def after_relu(model, x):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(model(x).sum(), x)[0]


@mistake(
    "bias is None",
    "A Linear layer may have been made without a bias, and its `bias` is then None. The layer itself can "
    "handle that: call it.",
    raises="NoneType.*; None was .*bias",
)
def written_out_with_a_bias():
    def after_relu(model, x):
        h = x @ model[0].weight.T + model[0].bias
        return (h > 0).T * model[0].weight


@wrong("not attempted")
def after_relu_not_attempted():
    def after_relu(model, x):
        raise NotImplementedError  # your code here


@wrong("gradient of a vector")
def grad_of_the_relus_output():
    import torch

    def after_relu(model, x):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(model(x), x, retain_graph=True)[0]


@right
def rows_by_autograd():
    import torch

    def after_relu(model, x):
        leaf = x.clone().requires_grad_()
        y = model(leaf)
        return torch.cat([torch.autograd.grad(unit, leaf, retain_graph=True)[0] for unit in y[0]])


@right
def gate_from_the_result():
    import torch

    def after_relu(model, x):
        with torch.no_grad():
            gate = (model(x)[0] > 0).to(x.dtype)
            return torch.diag(gate) @ model[0].weight


@right
def by_columns_of_the_whole():
    from torch.func import jacfwd

    def after_relu(model, x):
        return jacfwd(lambda row: model(row.unsqueeze(0)).squeeze(0))(x[0])
