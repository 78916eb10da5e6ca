def predict_switches() -> dict[str, list]:
    """What nine switches do to the recording, and to what comes later.

    Returns:
        For each case, "A" to "I", [is y recorded, what w.grad holds at the end or "error"].
    """
    ### BEGIN SOLUTION
    return {
        "A": [False, 9.0],  # y is a constant, and a constant may be a factor
        "B": [True, "error"],  # the product has saved w, and w has changed since
        "C": [False, "error"],  # the product would have to save y, an inference tensor
        "D": [False, 1.0],  # the sum saves nothing
        "E": [False, 12.0],  # y shares the memory of w, which is 6 now
        "F": [False, "error"],  # exp has saved its result, whose memory y shares
        "G": [True, None],  # the graph is still there, and the leaf takes no more deposits
        "H": [True, 5.0],  # w requires a gradient, so it goes through the frozen factor
        "I": [True, 2.0],  # eval() is about modules: dropout lets everything through, and autograd records
    }
    ### END SOLUTION
