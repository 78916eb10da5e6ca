"""gradient_of_vector: mistakes, other ways to make them, and right answers."""

from autograder.tasks.answers import mistake, right, wrong


@mistake(
    "y summed",
    "This is the gradient of `y.sum()`, in which every element counts as 1. `upstream` says how much each counts.",
)
def sum_until_the_error_is_gone():
    import torch

    def gradient_of_vector(y, x, upstream):
        return torch.autograd.grad(y.sum(), x)[0]


@wrong("y summed")
def ones_for_upstream():
    import torch

    def gradient_of_vector(y, x, upstream):
        return torch.autograd.grad(y, x, grad_outputs=torch.ones_like(upstream))[0]


@mistake(
    "upstream applied after the pass",
    "`upstream` holds weights for the elements of y, but you multiplied it with a gradient, which has the shape of "
    "x. On which side of the backward pass do the weights belong?",
    raises="RuntimeError: The size of tensor a \\(\\d+\\) must match",
    predicts=True,
)
def weights_at_the_wrong_end():
    import torch

    def gradient_of_vector(y, x, upstream):
        return upstream * torch.autograd.grad(y.sum(), x)[0]


@mistake(
    "the weights' sum",
    "This is the gradient of `y.sum()` times the sum of the weights. Each element of y has its own weight.",
)
def weights_added_up():
    import torch

    def gradient_of_vector(y, x, upstream):
        return upstream.sum() * torch.autograd.grad(y, x, torch.ones_like(y))[0]


@mistake(
    "weighted rows not added up",
    "This holds a row for each element of y, already weighted. The gradient that reaches x is one tensor of its shape.",
)
def rows_stacked():
    import torch

    def gradient_of_vector(y, x, upstream):
        pairs = zip(y.flatten(), upstream.flatten())
        return torch.stack([weight * torch.autograd.grad(one, x, retain_graph=True)[0] for one, weight in pairs])


@mistake(
    "the whole Jacobian",
    "This is the table of all partials, before any weight. Combined with `upstream` it gives a tensor like x.",
)
def all_rows():
    import torch

    def gradient_of_vector(y, x, upstream):
        rows = [torch.autograd.grad(one, x, retain_graph=True)[0] for one in y.flatten()]
        return torch.stack(rows).reshape(y.shape + x.shape)


@mistake(
    "only the first element of y",
    "This is what the first element of y contributes. Every element has a gradient and a weight.",
)
def first_element():
    import torch

    def gradient_of_vector(y, x, upstream):
        return torch.autograd.grad(y.flatten()[0], x)[0] * upstream.flatten()[0]


@mistake(
    "only the last element of y",
    "This is what the last element of y contributes. Every element has a gradient and a weight, and they add up.",
)
def overwritten_row_by_row():
    import torch

    def gradient_of_vector(y, x, upstream):
        for one, weight in zip(y.flatten(), upstream.flatten()):
            result = weight * torch.autograd.grad(one, x, retain_graph=True)[0]
        return result


@mistake(
    "mean instead of sum",
    "Each number is too small by a factor of the number of elements of y. The weighted gradients are added up, not "
    "averaged.",
)
def mean_of_the_product():
    import torch

    def gradient_of_vector(y, x, upstream):
        return torch.autograd.grad((y * upstream).mean(), x)[0]


@wrong(".grad filled")
def backward_of_leaves_only():
    def gradient_of_vector(y, x, upstream):
        y.backward(gradient=upstream)
        return x.grad


@wrong(".grad filled")
def backward_with_upstream():
    def gradient_of_vector(y, x, upstream):
        x.retain_grad()
        y.backward(upstream)
        return x.grad


@mistake(
    "matrix product with upstream",
    "You used a product of vectors or matrices, which these shapes do not allow. y and `upstream` may have any "
    "shape, so weight element by element.",
    raises="(dot|matmul|mat1|1D tensors expected|size mismatch|multiplied)",
    loses=("y of any shape",),
)
def a_matrix_product():
    import torch

    def gradient_of_vector(y, x, upstream):
        return torch.autograd.grad(y @ upstream, x)[0]


@wrong("not attempted")
def gradient_of_vector_not_attempted():
    def gradient_of_vector(y, x, upstream):
        raise NotImplementedError  # your code here


@wrong("gradient of a vector")
def nothing_to_start_with():
    import torch

    def gradient_of_vector(y, x, upstream):
        return torch.autograd.grad(y, x)[0]


@wrong("left in a tuple")
def the_tuple_itself():
    import torch

    def gradient_of_vector(y, x, upstream):
        return torch.autograd.grad(y, x, upstream)


@wrong("numbers changed")
def upstream_multiplied_in_place():
    import torch

    def gradient_of_vector(y, x, upstream):
        upstream *= y
        return torch.autograd.grad(upstream.sum(), x)[0]


@wrong("no graph behind it")
def arguments_exchanged():
    import torch

    def gradient_of_vector(y, x, upstream):
        return torch.autograd.grad(upstream, x, y)[0]


@wrong("sign")
def minus():
    import torch

    def gradient_of_vector(y, x, upstream):
        return torch.autograd.grad(y, x, -upstream)[0]


@right
def of_the_weighted_sum():
    import torch

    def gradient_of_vector(y, x, upstream):
        return torch.autograd.grad((y * upstream).sum(), x)[0]


@right
def row_by_row():
    import torch

    def gradient_of_vector(y, x, upstream):
        total = torch.zeros_like(x)
        for element, weight in zip(y.reshape(-1), upstream.reshape(-1)):
            total = total + weight * torch.autograd.grad(element, x, retain_graph=True)[0]
        return total


@right
def rows_in_a_batch():
    import torch

    def gradient_of_vector(y, x, upstream):
        one_hot = torch.eye(y.numel(), dtype=y.dtype).reshape(-1, *y.shape)
        (rows,) = torch.autograd.grad(y, x, one_hot, is_grads_batched=True)
        return torch.tensordot(upstream.reshape(-1), rows.to(upstream.dtype), dims=1).to(x.dtype)


@right
def lists_of_one():
    from torch.autograd import grad

    def gradient_of_vector(y, x, upstream):
        return grad([y], [x], [upstream], create_graph=True)[0]


@right
def dot_product_of_the_flattened():
    import torch

    def gradient_of_vector(y, x, upstream):
        number = torch.dot(y.flatten(), upstream.flatten())
        return torch.autograd.grad(number, x)[0]
