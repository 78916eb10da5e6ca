def TASK(x: float) -> float:
    """FILL IN: twice a number.

    Args:
        x: any float.
    """
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION
