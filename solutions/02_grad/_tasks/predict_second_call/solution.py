def predict_second_call() -> dict[str, list[bool]]:
    """Predict which calls of torch.autograd.grad work, in nine cases on the toy graph.

    Returns:
        For each case, "A" to "I", [the first call works, the second call works].
    """
    ### BEGIN SOLUTION
    # The product saves its two factors, relu saves its result, the sum saves nothing.
    return {
        "A": [True, False],  # both run relu, which the first has emptied
        "B": [True, True],  # the first call retains
        "C": [True, True],  # only the sum runs
        "D": [True, True],  # relu is emptied; the second runs sum and product
        "E": [True, True],  # create_graph retains as well
        "F": [True, False],  # the product is emptied as a whole, for w too
        "G": [True, False],  # the way from a to x ends at the empty product
        "H": [True, True],  # the product lies beside the way from a to b
        "I": [True, True],  # relu is emptied; the second runs sum and product
    }
    ### END SOLUTION
