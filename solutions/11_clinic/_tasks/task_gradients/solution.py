import torch


def task_gradients(w: torch.Tensor, x: torch.Tensor, targets: list[float]) -> list[torch.Tensor]:
    """Compute the gradient of each task's loss.

    Args:
        w: the weights, of shape (n,), a leaf that requires a gradient; leave its `.grad` unchanged.
        x: the inputs, of shape (m, n).
        targets: one number for each task.

    Returns:
        A tensor of shape (n,) for each target.
    """
    # Delete the next line, and repair what stands below it: the program as given.
    ### BEGIN SOLUTION
    gradients = []
    for target in targets:
        loss = ((x @ w - target) ** 2).mean()
        gradients.append(torch.autograd.grad(loss, w)[0])
    return gradients
    ### END SOLUTION
    prediction = x @ w
    gradients = []
    for target in targets:
        loss = ((prediction - target) ** 2).mean()
        loss.backward(retain_graph=True)
        gradients.append(w.grad)
    return gradients
