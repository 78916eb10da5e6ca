"""Mistakes of exercise 03, task by task."""

from autograder.diagnosis.retain_grad.flags import KEEPS_GRAD
from autograder.diagnosis.retain_grad.layers import RETAINED_BY_LAYER
from autograder.diagnosis.retain_grad.micro_batches import MICRO_BATCHES
from autograder.diagnosis.retain_grad.repeated import GRAD_AFTER
from autograder.diagnosis.retain_grad.stopped import STOP_GRADIENT
from autograder.diagnosis.retain_grad.toy_graph import RETAINED

__all__ = ["GRAD_AFTER", "KEEPS_GRAD", "MICRO_BATCHES", "RETAINED", "RETAINED_BY_LAYER", "STOP_GRADIENT"]
