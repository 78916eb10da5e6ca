"""A mistake of every task whose hooks PyTorch calls: something was returned that is no gradient of that tensor."""

from autograder.diagnosis.hypothesis import Mistake

RETURNED_OTHER = Mistake(
    "a returned value of another kind",
    "What a tensor hook returns is taken for the gradient, and a post-accumulate hook returns nothing. A lambda "
    "always returns the value of its expression.",
    raises="has changed the (size|type) of value|expected Variable, but hook returned"
    "|post accumulate grad hooks should return None",
)
