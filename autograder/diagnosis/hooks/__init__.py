"""Mistakes of exercise 04, task by task."""

from autograder.diagnosis.hooks.clipping import CLIP_ON_THE_WAY
from autograder.diagnosis.hooks.layers import LAYER_GRADIENTS
from autograder.diagnosis.hooks.nodes import COUNT_NODES
from autograder.diagnosis.hooks.predictions import PREDICT_HOOKS
from autograder.diagnosis.hooks.savers import ATTACH_SAVERS
from autograder.diagnosis.hooks.steps import STEP_IN_BACKWARD

__all__ = [
    "ATTACH_SAVERS",
    "CLIP_ON_THE_WAY",
    "COUNT_NODES",
    "LAYER_GRADIENTS",
    "PREDICT_HOOKS",
    "STEP_IN_BACKWARD",
]
