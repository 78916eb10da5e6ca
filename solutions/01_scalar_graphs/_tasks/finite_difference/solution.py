import torch


def finite_difference(f, x: torch.Tensor) -> list[float]:
    """Compute the gradient of `f` at `x` by central differences.

    Args:
        f: a function from a tensor like `x` to a tensor without axes.
        x: a float64 tensor of shape (n,); leave it unchanged.

    Returns:
        n floats, each within 1e-6 of the partial derivative with respect to its element of `x`.
    """
    ### BEGIN SOLUTION
    h = 1e-5  # the formula's error falls with h**2, that of rounding grows with 1/h: both near 1e-9
    gradient = []
    for i in range(len(x)):
        step = torch.zeros_like(x)
        step[i] = h
        gradient.append(float(f(x + step) - f(x - step)) / (2 * h))
    return gradient
    ### END SOLUTION
