"""first_layer_jacobian: mistakes, other ways to make them, and right answers."""

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

from ..shared import matrix, rows_mixed

known(rows_mixed(matrix))


@wrong("requires_grad switched on", loses=("x and the layer as they were",))
def the_callers_tensor_marked():
    import torch

    def first_layer_jacobian(layer, x):
        x.requires_grad_()
        h = layer(x)
        return torch.cat([torch.autograd.grad(one, x, retain_graph=True)[0] for one in h[0]])


@wrong("mode changed", loses=("the matrix", "x and the layer as they were"))
def switched_to_evaluation_and_back():
    import torch

    def first_layer_jacobian(layer, x):
        layer.eval()
        J = torch.func.jacrev(layer)(x)[0, :, 0]
        layer.train()
        return J


@wrong("rows summed")
def grad_of_the_sum():
    import torch

    def first_layer_jacobian(layer, x):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(layer(x).sum(), x)[0]


@wrong("rows summed")
def ones_upstream():
    import torch

    def first_layer_jacobian(layer, x):
        x = x.clone().requires_grad_()
        h = layer(x)
        return torch.autograd.grad(h, x, torch.ones_like(h))[0].squeeze()


@wrong("rows averaged")
def grad_of_the_mean():
    import torch

    def first_layer_jacobian(layer, x):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(layer(x).mean(), x)[0]


@mistake(
    "weight.grad",
    "This is the gradient of the outputs' sum with respect to the weights, which has the same shape. "
    "Differentiate the outputs with respect to the input.",
)
def gradient_of_the_weights():
    import torch

    import copy

    def first_layer_jacobian(layer, x):
        layer = copy.deepcopy(layer).requires_grad_()
        matrix = [p for p in layer.parameters() if p.dim() == 2][0]
        matrix.grad = None
        layer(x).sum().backward()
        return matrix.grad


@mistake(
    "weight instead of Jacobian",
    "This is the layer's weight. It is the Jacobian of a Linear layer alone, not of one with an activation "
    "or a normalisation.",
)
def the_first_matrix_of_parameters():
    def first_layer_jacobian(layer, x):
        return next(p for p in layer.parameters() if p.dim() == 2).detach().clone()


@wrong("weight instead of Jacobian")
def the_layers_weight():
    def first_layer_jacobian(layer, x):
        return layer.weight


known(
    Mistake(
        "weight instead of Jacobian",
        "Not every layer has a `weight`, and if it has one, that need not be the Jacobian. Ask autograd.",
        raises="AttributeError: '\\w+' object has no attribute '(weight|bias|in_features|out_features)'",
    )
)


@mistake(
    "one .grad for all rows",
    "All rows are equal, and each is the sum of all rows: `x.grad` is one tensor, to which each backward "
    "pass adds (lesson 03, “Aliases of .grad, and zero_grad”), and an upstream gradient of ones adds the "
    "rows up as well.",
)
def backward_in_a_loop_without_copies():
    import torch

    def first_layer_jacobian(layer, x):
        x = x.clone().requires_grad_()
        h = layer(x)
        rows = []
        for i in range(h.shape[1]):
            h[0, i].backward(retain_graph=True)
            rows.append(x.grad)
        return torch.cat(rows)


@mistake("batch axes left in", "The axes of the batch of one are still there. Which index removes them, and only them?")
def jacobian_as_it_comes():
    import torch

    def first_layer_jacobian(layer, x):
        return torch.autograd.functional.jacobian(layer, x)


@wrong("batch axes left in", predicts=True)
def stacked_rows_with_their_batch_axis():
    import torch

    def first_layer_jacobian(layer, x):
        x = x.clone().requires_grad_()
        h = layer(x)
        return torch.stack([torch.autograd.grad(one, x, retain_graph=True)[0] for one in h[0]])


@mistake(
    "squeezed too far",
    "With a single output or input, an axis is missing. `squeeze()` removes every axis of size 1, the "
    "batch's and the others.",
    loses=("one output, or one input",),
)
def squeezed():
    import torch

    def first_layer_jacobian(layer, x):
        return torch.func.jacrev(layer)(x).squeeze()


@mistake(
    "grad_outputs of another shape",
    "`grad_outputs` must have the shape of the output, (1, out), with its batch axis. See lesson 07, "
    "“Vector-Jacobian products”.",
    raises="RuntimeError: Mismatch in shape: grad_output",
)
def one_hot_vectors_without_a_batch_axis():
    import torch

    def first_layer_jacobian(layer, x):
        x = x.clone().requires_grad_()
        h = layer(x)
        one_hots = torch.eye(h.shape[1], dtype=h.dtype)
        return torch.cat([torch.autograd.grad(h, x, v, retain_graph=True)[0] for v in one_hots])


@wrong("grad_outputs of another shape")
def one_wide_pass_without_a_batch_axis():
    import torch

    def first_layer_jacobian(layer, x):
        x = x.clone().requires_grad_()
        h = layer(x)
        return torch.autograd.grad(h, x, torch.eye(h.shape[1]), is_grads_batched=True)[0]


known(
    Mistake(
        "grad_outputs of another shape",
        "With `is_grads_batched` the axis of the rows comes before the output's own axes, the batch of one "
        "included. See lesson 07, “All rows in one call: is_grads_batched, jacrev”.",
        raises="RuntimeError: If `is_grads_batched=True`",
    )
)


@mistake(
    "index along the wrong axis",
    "You indexed along the wrong axis. x and the output begin with a batch axis of size 1.",
    raises="IndexError: (index \\d+ is out of bounds for dimension 0 with size 1|too many indices)",
)
def outputs_along_the_batch():
    import torch

    def first_layer_jacobian(layer, x):
        x = x.clone().requires_grad_()
        h = layer(x)
        return torch.stack([torch.autograd.grad(h[i], x, retain_graph=True)[0] for i in range(1, h.shape[1])])


@wrong("not attempted")
def first_layer_jacobian_not_attempted():
    def first_layer_jacobian(layer, x):
        raise NotImplementedError  # your code here


@wrong("gradient of a vector")
def grad_of_the_output():
    import torch

    def first_layer_jacobian(layer, x):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(layer(x), x)[0]


@wrong("added up from entry to entry")
def backward_in_a_loop():
    import torch

    def first_layer_jacobian(layer, x):
        x = x.clone().requires_grad_()
        h = layer(x)
        rows = []
        for i in range(h.shape[1]):
            h[0, i].backward(retain_graph=True)
            rows.append(x.grad.clone())
        return torch.cat(rows)


@wrong("transposed")
def columns_as_rows():
    import torch

    def first_layer_jacobian(layer, x):
        return torch.func.jacrev(layer)(x)[0, :, 0].T


@wrong("graph already freed")
def rows_without_retaining():
    import torch

    def first_layer_jacobian(layer, x):
        x = x.clone().requires_grad_()
        h = layer(x)
        return torch.cat([torch.autograd.grad(one, x)[0] for one in h[0]])


@wrong("gradient of plain data")
def x_without_requires_grad():
    import torch

    def first_layer_jacobian(layer, x):
        h = layer(x)
        return torch.cat([torch.autograd.grad(one, x, retain_graph=True)[0] for one in h[0]])


@right
def by_jacrev_of_one_row():
    import torch

    def first_layer_jacobian(layer, x):
        return torch.func.jacrev(lambda row: layer(row[None])[0])(x[0])


@right
def by_columns():
    from torch.func import jacfwd

    def first_layer_jacobian(layer, x):
        return jacfwd(layer)(x)[0, :, 0, :]


@right
def by_functional_jacobian():
    import torch

    def first_layer_jacobian(layer, x):
        J = torch.autograd.functional.jacobian(layer, x)
        return J.reshape(J.shape[1], J.shape[3])


@right
def one_wide_pass():
    import torch

    def first_layer_jacobian(layer, x):
        leaf = x.detach().clone().requires_grad_(True)
        h = layer(leaf)
        n = h.shape[-1]
        ones = torch.eye(n, dtype=h.dtype).reshape(n, 1, n)
        (rows,) = torch.autograd.grad(h, leaf, ones, is_grads_batched=True)
        return rows[:, 0]


@right
def backward_with_a_cleared_grad():
    import torch

    def first_layer_jacobian(layer, x):
        leaf = torch.nn.Parameter(x.clone())
        out = layer(leaf)
        J = torch.zeros(out.shape[1], x.shape[1], dtype=x.dtype)
        for i in range(out.shape[1]):
            leaf.grad = None
            out[0, i].backward(retain_graph=True)
            J[i] = leaf.grad[0]
        return J
