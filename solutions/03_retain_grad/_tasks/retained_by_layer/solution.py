import torch
from torch import nn


def retained_by_layer(model: nn.Module, x: torch.Tensor, loss_fn) -> dict[str, torch.Tensor]:
    """Compute the gradient of the loss with respect to the output of each direct child of a model.

    Args:
        model: any model whose direct children run once each.
        x: its input; it stays as it is.
        loss_fn: from the model's output to a tensor with one element.

    Returns:
        A dict from each name in model.named_children() to a gradient of the shape of that child's output.
    """
    ### BEGIN SOLUTION
    leaf = x.detach().clone()
    if leaf.is_floating_point():  # whole numbers cannot require a gradient; an embedding's weights do
        leaf.requires_grad_()

    outputs = {}

    def keeping(name):
        def hook(module, arguments, output):
            output.retain_grad()
            outputs[name] = output

        return hook

    handles = [child.register_forward_hook(keeping(name)) for name, child in model.named_children()]
    try:
        loss = loss_fn(model(leaf))
    finally:
        for handle in handles:
            handle.remove()
    loss.backward()
    return {name: output.grad for name, output in outputs.items()}
    ### END SOLUTION
