import torch


def raise_activation(
    layer1: torch.nn.Module, layer2: torch.nn.Module, x: torch.Tensor, k: int, epsilon: float
) -> torch.Tensor:
    """Change an input so that one neuron of the second layer becomes more active.

    Args:
        layer1: the first layer; a ReLU follows it.
        layer2: the second layer; its output holds the neurons.
        x: of shape (1, in); stays as it is.
        k: the neuron, from 0.
        epsilon: how far each number moves.

    Returns:
        The changed input, of shape (1, in), detached.
    """
    ### BEGIN SOLUTION
    leaf = x.clone().requires_grad_()
    neuron = layer2(torch.relu(layer1(leaf)))[0, k]
    (gradient,) = torch.autograd.grad(neuron, leaf)
    return x + epsilon * gradient.sign()
    ### END SOLUTION
