"""Answers that call a well-known library have full points; what its own habits break is put right around the call."""

from __future__ import annotations

from typing import Any

import pytest

from autograder.grader.live import judge_namespace
from tests.depth import proof

pytestmark = proof

TOOLBOX = """
import copy
import torch
from art.estimators.classification import PyTorchClassifier

def toolbox(model, x):
    # A copy, because the toolbox fills gradients, and in float32, which is all that it computes in. It calls the layers
    # of a Sequential past the hooks of the whole, so that is one layer here, and its modes stay.
    layer = copy.deepcopy(model).float()
    layer.train = lambda mode=True: layer
    model = torch.nn.Sequential(layer)
    classes = model(x[:1].float()).shape[1]
    return PyTorchClassifier(
        model, torch.nn.CrossEntropyLoss(), tuple(x.shape[1:]), classes, clip_values=(0.0, 1.0), device_type="cpu"
    )
"""
ANSWERS = {
    "captum-saliency": """
from captum.attr import Saliency

def saliency(model, image, target):
    return Saliency(model).attribute(image.clone().requires_grad_(), target=target).detach()
""",
    "captum-grad_cam": """
import torch
from captum.attr import LayerGradCam

def grad_cam(features, head, image, target):
    model = torch.nn.Sequential(features, head)
    return LayerGradCam(model, features).attribute(image, target=target).clamp(min=0).detach()
""",
    "toolbox-fgsm": f"""{TOOLBOX}
from art.attacks.evasion import FastGradientMethod

def fgsm(model, x, y, epsilon):
    attack = FastGradientMethod(toolbox(model, x), eps=epsilon, batch_size=len(x))
    return torch.from_numpy(attack.generate(x.float().numpy(), y.numpy())).to(x.dtype)
""",
    "functional-hessian_vector_product": """
import torch

def hessian_vector_product(f, x, v):
    return torch.autograd.functional.hvp(f, x.detach(), v)[1]
""",
    "func-sample_gradient_norms": """
import torch
from torch.func import functional_call, grad, vmap

def sample_gradient_norms(model, X, y):
    def loss(parameters, x, label):
        return torch.nn.functional.cross_entropy(functional_call(model, parameters, (x[None],)), label[None])

    parameters = {name: one.detach() for name, one in model.named_parameters()}
    return vmap(grad(loss), (None, 0, 0))(parameters, X, y)["weight"].flatten(1).norm(dim=1)
""",
    "func-directional_derivative": """
import torch

def directional_derivative(f, x, v):
    return torch.func.jvp(f, (x.detach(),), (v,))[1]
""",
}


@pytest.mark.parametrize("name", ANSWERS)
def test_a_library_answers_the_task(name: str) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(ANSWERS[name], f"<{name}>", "exec"), names)
    verdict = judge_namespace(name.split("-")[1], names)[0]
    assert [one.seen for one in verdict.results if one.seen] == []
