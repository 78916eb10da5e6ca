"""References of exercise 10: attacks by autograd, and each by differences, by a search, or by counting."""

from autograder.references.adversarial.attacks import fgsm, pgd, targeted_pgd
from autograder.references.adversarial.boundaries import raise_activation, smallest_epsilon
from autograder.references.adversarial.training import adversarial_step, robust_accuracy

__all__ = [
    "adversarial_step",
    "fgsm",
    "pgd",
    "raise_activation",
    "robust_accuracy",
    "smallest_epsilon",
    "targeted_pgd",
]
