"""neuron_gradient: mistakes, other ways to make them, and right answers."""

from autograder.tasks.answers import mistake, right, wrong


@wrong("requires_grad switched on", loses=("one sample, and all as it was",))
def samples_marked():
    import torch

    def neuron_gradient(model, X, k):
        X.requires_grad_()
        return torch.autograd.grad(model(X)[:, k].sum(), X)[0]


@wrong("mode changed", loses=("one sample, and all as it was",))
def model_left_in_evaluation():
    import torch

    def neuron_gradient(model, X, k):
        model.eval()
        X = X.clone().requires_grad_()
        return torch.autograd.grad(model(X)[:, k].sum(), X)[0]


@mistake(
    "works for one sample only",
    "`model(X)[:, k]` is a number for each sample, and with more than one sample that is a vector. See "
    "lesson 07, “One neuron, many samples”.",
    raises="RuntimeError: grad can be implicitly created only for scalar outputs",
    loses=("a batch",),
)
def the_neurons_column():
    import torch

    def neuron_gradient(model, X, k):
        X = X.clone().requires_grad_()
        return torch.autograd.grad(model(X)[:, k], X)[0]


@mistake(
    "first sample only",
    "Only the first sample's row is filled, and the others are 0. Each sample has its own gradient.",
    loses=("a batch",),
)
def the_first_samples_neuron():
    import torch

    def neuron_gradient(model, X, k):
        X = X.clone().requires_grad_()
        return torch.autograd.grad(model(X)[0, k], X)[0]


@mistake("counted from 1", "This is the gradient of the neuron before the one that is meant. `k` counts from 0.")
def the_neuron_before():
    import torch

    def neuron_gradient(model, X, k):
        X = X.clone().requires_grad_()
        return torch.autograd.grad(model(X)[:, k - 1].sum(), X)[0]


@mistake(
    "mean over the batch",
    "Everything was divided by the number of samples. A mean over the batch does that.",
    loses=("a batch",),
)
def mean_of_the_neuron():
    import torch

    def neuron_gradient(model, X, k):
        X = X.clone().requires_grad_()
        return torch.autograd.grad(model(X)[:, k].mean(), X)[0]


@mistake("all neurons", "This is the gradient of the sum of all neurons. One of them, number `k`, is asked for.")
def sum_of_everything():
    import torch

    def neuron_gradient(model, X, k):
        X = X.clone().requires_grad_()
        return torch.autograd.grad(model(X).sum(), X)[0]


@mistake(
    "a sample for a neuron",
    "Output number `k` was looked up along the batch. In `model(X)` the samples come first and the neurons second.",
    raises="IndexError: index \\d+ is out of bounds for dimension 0",
    predicts=True,
)
def neuron_along_the_batch():
    import torch

    def neuron_gradient(model, X, k):
        X = X.clone().requires_grad_()
        return torch.autograd.grad(model(X)[k].sum(), X)[0]


@mistake(
    "the whole table",
    "This has a row for each pair of samples: the neuron for one, with respect to the inputs of the other. "
    "Only each sample with itself is asked for.",
)
def jacobian_of_the_neurons_column():
    from torch.func import jacrev

    def neuron_gradient(model, X, k):
        return jacrev(model)(X)[:, k]


@mistake("samples added up", "The samples' gradients were added into one row. Each sample keeps its own.")
def rows_added():
    import torch

    def neuron_gradient(model, X, k):
        X = X.clone().requires_grad_()
        return torch.autograd.grad(model(X)[:, k].sum(), X)[0].sum(dim=0)


@wrong("not attempted")
def neuron_gradient_not_attempted():
    def neuron_gradient(model, X, k):
        raise NotImplementedError  # your code here


@wrong("None returned")
def backward_and_the_wrong_grad():
    def neuron_gradient(model, X, k):
        leaf = X.clone().requires_grad_()
        model(leaf)[:, k].sum().backward()
        return X.grad


@right
def one_hot_upstream():
    import torch

    def neuron_gradient(model, X, k):
        leaf = X.clone().requires_grad_()
        y = model(leaf)
        v = torch.zeros_like(y)
        v[:, k] = 1
        return torch.autograd.grad(y, leaf, v)[0]


@right
def sample_by_sample():
    import torch

    def neuron_gradient(model, X, k):
        rows = []
        for sample in X:
            leaf = sample.clone().unsqueeze(0).requires_grad_()
            model(leaf)[0, k].backward()
            rows.append(leaf.grad[0])
        return torch.stack(rows)


@right
def one_row_of_a_vmapped_gradient():
    from torch.func import grad, vmap

    def neuron_gradient(model, X, k):
        return vmap(grad(lambda sample: model(sample[None])[0, k]))(X)
