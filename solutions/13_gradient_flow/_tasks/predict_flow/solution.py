def predict_flow() -> dict[str, str]:
    """Predict what becomes of a gradient in ten networks.

    Returns:
        For each case, "A" to "J", "vanishes", "explodes" or "stays".
    """
    ### BEGIN SOLUTION
    return {
        "A": "stays",  # a factor of 1 per layer
        "B": "vanishes",  # half of the units are shut, which makes a factor of 1/2 for the square
        "C": "stays",  # 2 times 1/2
        "D": "explodes",  # 4 times 1/2
        "E": "stays",  # 1/2 to the power of 5 is not small yet
        "F": "vanishes",  # 16 times a mean squared slope of 0.025: few W h are near 0, and the best slope is 1/4
        "G": "explodes",  # 9 times 0.2: many units are flat, but the others have a slope near 1
        "H": "explodes",  # the identity, and another half on top of it
        "I": "stays",  # the identity, and next to nothing on top of it
        "J": "stays",  # the normalisation divides out the scale and ReLU's half
    }
    ### END SOLUTION
