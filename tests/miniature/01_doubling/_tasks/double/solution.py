def double(x: float) -> float:
    """Twice a number.

    Args:
        x: any float.
    """
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION
