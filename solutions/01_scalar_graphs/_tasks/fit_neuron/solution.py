def fit_neuron(xs: list[float], ys: list[float], steps: int, lr: float) -> tuple[float, float]:
    """Fit w * x + b to pairs by gradient descent on the mean squared error.

    Args:
        xs: the inputs.
        ys: the targets, as many as there are inputs.
        steps: how often w and b are moved.
        lr: the learning rate.

    Returns:
        w and b after the last step, as numbers.
    """
    ### BEGIN SOLUTION
    w, b = Value(0.0), Value(0.0)
    for _ in range(steps):
        loss = sum((w * x + b - y) ** 2 for x, y in zip(xs, ys, strict=True)) / len(xs)
        w.grad = b.grad = 0.0
        loss.backward()
        w.data -= lr * w.grad
        b.data -= lr * b.grad
    return w.data, b.data
    ### END SOLUTION
