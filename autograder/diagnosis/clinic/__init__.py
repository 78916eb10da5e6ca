"""Mistakes of exercise 11, task by task. The first of each task is the program as given: its symptom, and no more."""

from autograder.diagnosis.clinic.in_place import DAMPED_TANH
from autograder.diagnosis.clinic.penalties import RIDGE_LOSS
from autograder.diagnosis.clinic.picks import PICK_MANY
from autograder.diagnosis.clinic.roots import DISTANCE
from autograder.diagnosis.clinic.samples import SAMPLE_GRADIENT_NORMS
from autograder.diagnosis.clinic.steps import PUSH_TOWARDS
from autograder.diagnosis.clinic.sums import MEAN_LOSS
from autograder.diagnosis.clinic.tasks import TASK_GRADIENTS

__all__ = [
    "DAMPED_TANH",
    "DISTANCE",
    "MEAN_LOSS",
    "PICK_MANY",
    "PUSH_TOWARDS",
    "RIDGE_LOSS",
    "SAMPLE_GRADIENT_NORMS",
    "TASK_GRADIENTS",
]
