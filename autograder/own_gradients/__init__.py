"""`explain_gradient`: whether the gradients of a user's own function are right, and if not, why."""

from autograder.own_gradients.arguments import NotExplainableError
from autograder.own_gradients.explained import assert_gradient, explain_gradient
from autograder.own_gradients.report import Fault, GradientReport

__all__ = ["Fault", "GradientReport", "NotExplainableError", "assert_gradient", "explain_gradient"]
