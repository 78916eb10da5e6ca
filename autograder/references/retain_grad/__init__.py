"""References of exercise 03: what backward keeps."""

from autograder.references.retain_grad.flags import keeps_grad
from autograder.references.retain_grad.layers import retained_by_layer
from autograder.references.retain_grad.micro_batches import micro_batches
from autograder.references.retain_grad.repeated import grad_after
from autograder.references.retain_grad.stopped import stop_gradient
from autograder.references.retain_grad.toy_graph import retained

__all__ = ["grad_after", "keeps_grad", "micro_batches", "retained", "retained_by_layer", "stop_gradient"]
