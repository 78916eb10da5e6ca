import torch
from torch import nn


def layer_gradients(model: nn.Module, x: torch.Tensor, loss_fn) -> dict:
    """Return the gradients of the inputs and outputs of a model's direct children.

    Args:
        model: any module whose direct children are called once each.
        x: the model's input; it may require a gradient.
        loss_fn: from the model's output to a tensor with one element.

    Returns:
        From each child's name to (gradient of its input, gradient of its output), each of them
        None or shaped like its tensor.

    Raises:
        Exception: whatever the model or loss_fn raises; no hook stays even then.
    """
    ### BEGIN SOLUTION
    tensors = {}

    def noting(name):
        def note(module, args, output):
            tensors[name, "input"], tensors[name, "output"] = args[0], output

        return note

    handles = [child.register_forward_hook(noting(name)) for name, child in model.named_children()]
    try:
        loss = loss_fn(model(x))
    finally:
        for handle in handles:
            handle.remove()

    wanted = {key: tensor for key, tensor in tensors.items() if tensor.requires_grad}
    found = torch.autograd.grad(loss, wanted, allow_unused=True)  # fills no .grad
    return {name: (found.get((name, "input")), found.get((name, "output"))) for name, _ in model.named_children()}
    ### END SOLUTION
