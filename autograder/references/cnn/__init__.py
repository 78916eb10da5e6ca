"""References of exercise 09: autograd inside a convolutional network, and each gradient by another way."""

from autograder.references.cnn.heatmaps import grad_cam, saliency
from autograder.references.cnn.inner import contributions, feature_map_gradient, latent_gradients
from autograder.references.cnn.operations import conv_weight_gradient, max_pool_gradient

__all__ = [
    "contributions",
    "conv_weight_gradient",
    "feature_map_gradient",
    "grad_cam",
    "latent_gradients",
    "max_pool_gradient",
    "saliency",
]
