"""Exceptions that several tasks of exercise 05 explain in their own words."""

NOT_IN_THE_GRAPH = r"RuntimeError: (The|One of the) differentiated Tensors?\b.* appears? to not have been used"
"""A gradient was asked for with respect to a tensor from which the output was not computed."""
