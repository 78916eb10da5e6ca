"""Mistakes of exercise 07, task by task."""

from autograder.diagnosis.jacobians.gates import AFTER_RELU
from autograder.diagnosis.jacobians.inside import FIRST_LAYER_INSIDE
from autograder.diagnosis.jacobians.layers import FIRST_LAYER_JACOBIAN
from autograder.diagnosis.jacobians.neurons import NEURON_GRADIENT
from autograder.diagnosis.jacobians.products import DIRECTIONAL_DERIVATIVE, WEIGHTED_INPUT_GRADIENT
from autograder.diagnosis.jacobians.samples import PER_SAMPLE_JACOBIAN

__all__ = [
    "AFTER_RELU",
    "DIRECTIONAL_DERIVATIVE",
    "FIRST_LAYER_INSIDE",
    "FIRST_LAYER_JACOBIAN",
    "NEURON_GRADIENT",
    "PER_SAMPLE_JACOBIAN",
    "WEIGHTED_INPUT_GRADIENT",
]
