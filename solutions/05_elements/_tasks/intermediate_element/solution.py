import torch


def intermediate_element(f, g, x: torch.Tensor, i: int) -> float:
    """Return the derivative of g(h) with respect to h[i], for h = f(x).

    Args:
        f: from a tensor like `x` to a tensor h with one axis; call it once.
        g: from h to a tensor with one element.
        x: shape (n,), without requires_grad; leave it unchanged.
        i: an index into h; a negative index counts from the end.

    Returns:
        One number.
    """
    ### BEGIN SOLUTION
    h = f(x).detach().requires_grad_()  # cut here: how h was made does not matter
    (gradient,) = torch.autograd.grad(g(h), h)
    return gradient[i]
    ### END SOLUTION
