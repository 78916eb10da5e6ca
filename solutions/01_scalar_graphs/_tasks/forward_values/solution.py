def forward_values(x: float, w: float, b: float) -> dict[str, float]:
    """Compute the values of the nodes of a = relu(x * w + b).

    Args:
        x: the input.
        w: the weight.
        b: the bias.

    Returns:
        A dict with the keys "u", "v" and "a".
    """
    ### BEGIN SOLUTION
    u = x * w
    v = u + b
    a = max(v, 0.0)
    return {"u": u, "v": v, "a": a}
    ### END SOLUTION
