def partials(x: float, w: float, b: float) -> dict[str, float]:
    """Compute the partial derivatives of a = relu(x * w + b) with respect to every other node.

    Args:
        x: the input.
        w: the weight.
        b: the bias.

    Returns:
        A dict with the keys "x", "w", "b", "u" and "v"; all entries are 0 where v is 0.
    """
    ### BEGIN SOLUTION
    v = x * w + b
    d_a_v = 1.0 if v > 0 else 0.0  # relu's gate
    d_a_u = d_a_v * 1.0  # v = u + b
    d_a_b = d_a_v * 1.0
    d_a_x = d_a_u * w  # u = x * w
    d_a_w = d_a_u * x
    return {"x": d_a_x, "w": d_a_w, "b": d_a_b, "u": d_a_u, "v": d_a_v}
    ### END SOLUTION
