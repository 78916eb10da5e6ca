def predict_hooks() -> dict[str, list[float]]:
    """Return what the hooks of each case record.

    Returns:
        For each case, "A" to "I", the numbers in `log` at the end, in order.
    """
    ### BEGIN SOLUTION
    return {
        "A": [60.0],  # once, with the sum over both factors of u * u
        "B": [180.0, 180.0],  # each pass on its own
        "C": [],  # u is not on the way from a to b
        "D": [1.0],  # a pass begins with the gradient of a
        "E": [60.0],  # the first pass was over before
        "F": [61.0],  # add_one ran before record
        "G": [60.0],  # record ran before add_one
        "H": [360.0],  # computed from the value that double returned
        "I": [-20.0],  # on another branch
    }
    ### END SOLUTION
