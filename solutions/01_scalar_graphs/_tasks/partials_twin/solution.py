def partials_twin(x: float, w: float, b: float) -> dict[str, float]:
    """Compute the partial derivatives of a = 3 * relu(v) with v = 2 * u + 5 * b and u = x * w.

    Args:
        x: the input.
        w: the weight.
        b: the bias.

    Returns:
        A dict with the keys "x", "w", "b", "u" and "v"; all entries are 0 where v is 0.
    """
    ### BEGIN SOLUTION
    v = 2 * (x * w) + 5 * b
    d_a_v = 3.0 if v > 0 else 0.0
    d_a_u = d_a_v * 2.0
    d_a_b = d_a_v * 5.0
    return {"x": d_a_u * w, "w": d_a_u * x, "b": d_a_b, "u": d_a_u, "v": d_a_v}
    ### END SOLUTION
