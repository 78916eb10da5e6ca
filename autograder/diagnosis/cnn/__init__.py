"""Mistakes of exercise 09, task by task."""

from autograder.diagnosis.cnn.cams import GRAD_CAM
from autograder.diagnosis.cnn.contributions import CONTRIBUTIONS
from autograder.diagnosis.cnn.convolutions import CONV_WEIGHT_GRADIENT
from autograder.diagnosis.cnn.latents import LATENT_GRADIENTS
from autograder.diagnosis.cnn.maps import FEATURE_MAP_GRADIENT
from autograder.diagnosis.cnn.pooling import MAX_POOL_GRADIENT
from autograder.diagnosis.cnn.saliencies import SALIENCY

__all__ = [
    "CONTRIBUTIONS",
    "CONV_WEIGHT_GRADIENT",
    "FEATURE_MAP_GRADIENT",
    "GRAD_CAM",
    "LATENT_GRADIENTS",
    "MAX_POOL_GRADIENT",
    "SALIENCY",
]
