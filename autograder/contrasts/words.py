"""Numbers in the sentences that relate them."""


def number(value: float) -> str:
    """Write a number in at most five significant digits."""
    return f"{value + 0.0:.5g}"
