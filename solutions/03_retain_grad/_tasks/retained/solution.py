import torch


def retained(x: float, w: float, b: float) -> dict[str, torch.Tensor]:
    """Return the tensors of a = relu(x * w + b) after one backward pass.

    Args:
        x: the input.
        w: the weight.
        b: the bias.

    Returns:
        The tensors "x", "w", "b", "u" and "v", each with its gradient in `.grad`.
    """
    ### BEGIN SOLUTION
    x = torch.tensor(x, requires_grad=True)
    w = torch.tensor(w, requires_grad=True)
    b = torch.tensor(b, requires_grad=True)
    u = x * w
    v = u + b
    u.retain_grad()
    v.retain_grad()
    torch.relu(v).backward()
    return {"x": x, "w": w, "b": b, "u": u, "v": v}
    ### END SOLUTION
