"""gradient_penalty: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

from .task import input_gradients


def _of_gradients(combine: Callable[[torch.Tensor], torch.Tensor]) -> Callable[..., torch.Tensor]:
    """The penalty as made from the samples' gradients, a row for each."""
    return lambda critic, inputs: combine(input_gradients(critic, inputs))


@wrong("requires_grad switched on", loses=("the critic as it was",))
def X_marked():
    import torch

    def gradient_penalty(critic, X):
        X.requires_grad_(True)
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return ((g.flatten(1).norm(dim=1) - 1) ** 2).mean()


@wrong("mode changed", loses=("the critic as it was",))
def switched_to_evaluation():
    import torch

    def gradient_penalty(critic, X):
        critic.eval()
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        critic.train()
        return ((g.flatten(1).norm(dim=1) - 1) ** 2).mean()


@wrong(".grad changed", loses=("the critic as it was",))
def by_backward():
    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        critic(X).sum().backward(create_graph=True)
        return ((X.grad.flatten(1).norm(dim=1) - 1) ** 2).mean()


@wrong(".grad cleared", loses=("the critic as it was",))
def tidied_up():
    import torch

    def gradient_penalty(critic, X):
        critic.zero_grad()
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return ((g.flatten(1).norm(dim=1) - 1) ** 2).mean()


@mistake(
    "not differentiable",
    "The number is right, but it has no graph that leads to the parameters, so no training step can lower "
    "it. See lesson 08, “Gradient penalties: a loss that contains a gradient”.",
)
def penalty_without_create_graph():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, retain_graph=True)[0]
        return ((g.flatten(1).norm(dim=1) - 1) ** 2).mean()


@wrong("not differentiable")
def norms_detached():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        norms = g.detach().flatten(1).norm(dim=1)
        return (norms - 1).square().mean()


@mistake(
    "no gradient for these parameters",
    "The number is right, but its gradient with respect to the critic's parameters is 0. Did you use a "
    "copy of the critic, or cut part of the graph?",
)
def a_copy_of_the_critic():
    import copy

    import torch

    def gradient_penalty(critic, X):
        own = copy.deepcopy(critic)
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(own(X).sum(), X, create_graph=True)[0]
        return ((g.flatten(1).norm(dim=1) - 1) ** 2).mean()


@mistake(
    "one norm for the batch",
    "You put all samples into one norm. Each sample has its own norm, and its own distance from 1.",
)
def a_single_norm():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return (g.norm() - 1) ** 2


@mistake(
    "norm over channels only",
    "You took a norm along axis 1 only, which in an image counts channels. The norm of a sample goes over "
    "all axes but the batch's.",
)
def norm_over_axis_1():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        y = critic(X)
        g = torch.autograd.grad(y, X, torch.ones_like(y), create_graph=True)[0]
        return ((g.norm(2, dim=1) - 1) ** 2).mean()


@mistake(
    "norm over the last axis",
    "You took a norm along the last axis only. The norm of a sample goes over all axes but the batch's.",
)
def norm_over_the_last_axis():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return ((torch.linalg.vector_norm(g, dim=-1) - 1) ** 2).mean()


@mistake(
    "norm over the batch axis",
    "You took norms along the batch axis, one for each number of a sample. A norm belongs to a sample.",
)
def norm_over_the_batch():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return ((g.norm(dim=0) - 1) ** 2).mean()


@mistake(
    "mean instead of sum",
    "The gradients are too small by a factor, the number of samples: you differentiated a mean of the "
    "outputs, not their sum.",
)
def gradients_of_the_mean():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).mean(), X, create_graph=True)[0]
        return ((g.flatten(1).norm(dim=1) - 1) ** 2).mean()


@mistake("sum over samples", "You added up the squares. Return their mean over the samples.")
def a_sum_of_costs():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return ((g.flatten(1).norm(dim=1) - 1) ** 2).sum()


@mistake(
    "mean norm compared with 1",
    "You averaged the norms first, and squared the distance from 1 afterwards; norms of 0 and 2 would then be perfect.",
)
def mean_of_norms():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return (g.flatten(1).norm(dim=1).mean() - 1) ** 2


@mistake("target norm 0", "This is the mean of the squared norms, which pulls them towards 0. The target is 1.")
def norms_pulled_to_zero():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return g.flatten(1).square().sum(1).mean()


known(
    Mistake(
        "distance not squared",
        "You averaged the distances from 1 without squaring them.",
        _of_gradients(lambda rows: (rows.norm(dim=1) - 1).mean()),
    )
)


@wrong("distance not squared", predicts=True)
def absolute_distances():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return (g.flatten(1).norm(dim=1) - 1).abs().mean()


@mistake(
    "squared norm compared with 1", "You compared the squared norm with 1. A norm is the root of the sum of squares."
)
def squared_norms():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return ((g.flatten(1).square().sum(1) - 1) ** 2).mean()


known(
    Mistake(
        "sum instead of norm",
        "You added up the entries, or their absolute values. The Euclidean norm is the root of the sum of "
        "their squares.",
        _of_gradients(lambda rows: (rows.sum(1) - 1).square().mean()),
    )
)


@wrong("sum instead of norm", predicts=True)
def the_other_norm():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return ((g.flatten(1).norm(p=1, dim=1) - 1) ** 2).mean()


@mistake("one-sided penalty", "Norms below 1 cost nothing in your penalty. The task's penalty pulls from both sides.")
def one_sided():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return torch.relu(g.flatten(1).norm(dim=1) - 1).square().mean()


@mistake(
    "gradient of the parameters",
    "You used the gradient with respect to the parameters. The penalty is about the gradient with respect "
    "to the input.",
)
def weights_gradient():
    import torch

    def gradient_penalty(critic, X):
        weights = [p for p in critic.parameters() if p.requires_grad]
        grads = torch.autograd.grad(critic(X).sum(), weights, create_graph=True)
        norm = torch.cat([g.reshape(-1) for g in grads]).norm()
        return (norm - 1) ** 2


known(
    Mistake(
        "nan from sqrt at 0",
        "The number is right, but its gradient is nan: where a sample's gradient is 0, a square root is "
        "differentiated at 0. See lesson 08, “The norm at zero”.",
        _of_gradients(lambda rows: (rows.square().sum(1).sqrt() - 1).square().mean()),
    ),
    Mistake(
        "epsilon under the root",
        "The number that you added under the root shows: the root of 1e-6 is 1e-3, and a norm of 0 is no "
        "longer 0. See lesson 08, “The norm at zero”.",
        _of_gradients(lambda rows: ((rows.square().sum(1) + 1e-6).sqrt() - 1).square().mean()),
    ),
)


@wrong("nan from sqrt at 0", loses=("a sample with gradient 0",))
def norm_by_hand():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        norms = torch.sqrt((g.flatten(1) ** 2).sum(1))
        return ((norms - 1) ** 2).mean()


@wrong("nan from sqrt at 0", loses=("a sample with gradient 0",))
def nan_hidden_by_where():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        squares = (g.flatten(1) ** 2).sum(1)
        norms = torch.where(squares > 0, squares**0.5, torch.zeros_like(squares))
        return ((norms - 1) ** 2).mean()


@wrong("epsilon under the root", predicts=True)
def epsilon_under_the_root():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        norms = torch.sqrt((g.flatten(1) ** 2).sum(1) + 1e-6)
        return ((norms - 1) ** 2).mean()


@mistake(
    "derivative without a graph",
    "You differentiated something that has no graph: X was not made a leaf that requires a gradient "
    "before the critic saw it, or the graph was cut.",
    raises="RuntimeError: element \\d+ of tensors does not require grad",
)
def X_without_requires_grad():
    import torch

    def gradient_penalty(critic, X):
        with torch.no_grad():
            y = critic(X).sum()
        g = torch.autograd.grad(y, X, create_graph=True)[0]
        return ((g.flatten(1).norm(dim=1) - 1) ** 2).mean()


@mistake(
    "vector of scores",
    "The critic returns a number for each sample, and `grad` starts from one number. See lesson 07, “One "
    "neuron, many samples”.",
    raises="RuntimeError: grad can be implicitly created only for scalar outputs",
)
def grad_of_the_scores():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X), X, create_graph=True)[0]
        return ((g.flatten(1).norm(dim=1) - 1) ** 2).mean()


@mistake(
    "shape of the scores",
    "The critic's output is (batch,) or (batch, 1). Code that is written for one of the two shapes fails on the other.",
    raises="IndexError: too many indices|RuntimeError: Mismatch in shape: grad_output|"
    "IndexError: Dimension out of range",
)
def scores_in_a_column():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X)[:, 0].sum(), X, create_graph=True)[0]
        return ((g.flatten(1).norm(dim=1) - 1) ** 2).mean()


@mistake(
    "float instead of tensor",
    "You returned a plain number, not a tensor with its graph; `.item()` and `float` cut the graph off.",
    raises="AttributeError: 'float' object has no attribute",
)
def a_plain_number():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return ((g.flatten(1).norm(dim=1) - 1) ** 2).mean().item()


@wrong("not attempted")
def gradient_penalty_not_attempted():
    def gradient_penalty(critic, X):
        raise NotImplementedError  # your code here


@right
def ones_upstream():
    import torch

    def gradient_penalty(critic, X):
        leaf = X.detach().requires_grad_()
        scores = critic(leaf)
        (g,) = torch.autograd.grad(scores, leaf, grad_outputs=torch.ones_like(scores), create_graph=True)
        return ((torch.linalg.vector_norm(g.reshape(len(X), -1), dim=1) - 1) ** 2).mean()


@right
def vmapped_gradients():
    from torch.func import grad, vmap

    def gradient_penalty(critic, X):
        each = vmap(grad(lambda sample: critic(sample.unsqueeze(0)).sum()))(X)
        return (each.flatten(1).norm(dim=1) - 1).pow(2).mean()


@right
def a_root_that_avoids_zero():
    import torch

    def gradient_penalty(critic, X):
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(critic(leaf).sum(), leaf, create_graph=True, retain_graph=True)
        squares = g.pow(2).sum(dim=tuple(range(1, g.dim())))
        is_flat = squares == 0
        norms = torch.where(is_flat, 0.0, torch.where(is_flat, 1.0, squares).sqrt())
        return (norms - 1).square().mean()


@right
def sample_by_sample():
    import torch

    def gradient_penalty(critic, X):
        costs = []
        for sample in X:
            leaf = sample.clone().requires_grad_()
            g = torch.autograd.grad(critic(leaf[None]).squeeze(), leaf, create_graph=True)[0]
            costs.append((g.norm() - 1) ** 2)
        return torch.stack(costs).mean()
