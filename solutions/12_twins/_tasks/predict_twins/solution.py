def predict_twins() -> dict[str, list[str]]:
    """What three systems answer to nine questions about gradients.

    Returns:
        For each case, "A" to "I", what PyTorch, TensorFlow and JAX answer.
    """
    ### BEGIN SOLUTION
    return {
        "A": ["raises", "10", "raises"],  # a tape adds the two derivatives, 6 and 4
        "B": ["raises", "None", "0"],  # on the way back from y nobody meets z; for JAX it is an argument
        "C": ["3", "3", "3"],  # only the factor that is not held constant counts
        "D": ["raises", "None", "raises"],  # a tape does not follow an integer Variable, and does not say so
        "E": ["0.5", "1", "0.5"],  # at a kink each system has a convention
        "F": ["raises", "None", "12"],  # the first derivative was computed without being recorded
        "G": ["1", "raises", "1"],  # a sum saves nothing that could be freed; a tape is used up
        "H": ["raises", "None", "6"],  # nothing was recorded; JAX follows its argument
        "I": ["3", "3", "raises"],  # the number has left the graph; a tracer has none to give
    }
    ### END SOLUTION
