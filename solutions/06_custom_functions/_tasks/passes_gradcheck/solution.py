import torch


def passes_gradcheck(function, inputs: tuple) -> bool:
    """Test whether the gradients of a function agree with finite differences.

    Args:
        function: takes the inputs and returns one float64 tensor.
        inputs: float64 tensors without requires_grad, and plain values, which are handed on.

    Returns:
        True if the gradient of every tensor is right for a randomly drawn upstream gradient.
    """
    ### BEGIN SOLUTION
    leaves = [one.clone().requires_grad_() if isinstance(one, torch.Tensor) else one for one in inputs]
    output = function(*leaves)
    upstream = torch.randn_like(output)
    h = 1e-5
    for place, leaf in enumerate(leaves):
        if not isinstance(leaf, torch.Tensor):
            continue
        (gradient,) = torch.autograd.grad(output, leaf, upstream, retain_graph=True, materialize_grads=True)
        nudged = torch.zeros_like(inputs[place])
        for i in range(leaf.numel()):
            values = []
            for step in (h, -h):
                moved = inputs[place].clone()
                moved.view(-1)[i] += step
                result = function(*inputs[:place], moved, *inputs[place + 1 :])
                values.append((result * upstream).sum())
            nudged.view(-1)[i] = (values[0] - values[1]) / (2 * h)
        room = 1e-4 * nudged.abs().max() + 1e-6
        if ((gradient - nudged).abs() > room).any():
            return False
    return True
    ### END SOLUTION
