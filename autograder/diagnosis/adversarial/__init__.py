"""Mistakes of exercise 10, task by task."""

from autograder.diagnosis.adversarial.accuracies import ROBUST_ACCURACY
from autograder.diagnosis.adversarial.activations import RAISE_ACTIVATION
from autograder.diagnosis.adversarial.boundaries import SMALLEST_EPSILON
from autograder.diagnosis.adversarial.single_steps import FGSM
from autograder.diagnosis.adversarial.targets import TARGETED_PGD
from autograder.diagnosis.adversarial.training import ADVERSARIAL_STEP
from autograder.diagnosis.adversarial.walks import PGD

__all__ = [
    "ADVERSARIAL_STEP",
    "FGSM",
    "PGD",
    "RAISE_ACTIVATION",
    "ROBUST_ACCURACY",
    "SMALLEST_EPSILON",
    "TARGETED_PGD",
]
