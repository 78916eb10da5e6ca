import torch


def first_layer_inside(model: torch.nn.Module, x: torch.Tensor) -> torch.Tensor:
    """Compute the Jacobian of the output of `model.first`, inside the model, with respect to the model's input.

    Args:
        model: a module with a child `first`, whose output has the shape (1, out).
        x: the input of the model, of shape (1, in); left unchanged.

    Returns:
        The Jacobian, of shape (out, in).
    """
    ### BEGIN SOLUTION
    leaf, kept = x.clone().requires_grad_(), []

    def keep(module, args, output):
        kept.append(output.clone())  # the model may continue in place

    with model.first.register_forward_hook(keep):
        model(leaf)
    rows = [torch.autograd.grad(one, leaf, retain_graph=True)[0] for one in kept[0][0]]
    return torch.cat(rows)
    ### END SOLUTION
