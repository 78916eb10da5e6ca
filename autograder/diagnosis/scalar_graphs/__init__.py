"""The named mistakes of exercise 01: what a student's answer would be under each, task by task."""

from autograder.diagnosis.scalar_graphs.differences import FINITE_DIFFERENCE, step_mistake
from autograder.diagnosis.scalar_graphs.neuron import FIT_NEURON
from autograder.diagnosis.scalar_graphs.partials import PARTIALS, PARTIALS_TWIN
from autograder.diagnosis.scalar_graphs.paths import PATH_SUM
from autograder.diagnosis.scalar_graphs.scalar_engine import VALUE
from autograder.diagnosis.scalar_graphs.values import FORWARD_VALUES

__all__ = [
    "FINITE_DIFFERENCE",
    "FIT_NEURON",
    "FORWARD_VALUES",
    "PARTIALS",
    "PARTIALS_TWIN",
    "PATH_SUM",
    "VALUE",
    "step_mistake",
]
