"""neuron_gradient: mistakes, other ways to make them, and right answers."""

from autograder.tasks.answers import mistake, right, wrong


@wrong("requires_grad switched on", loses=("one sample, and all as it was",))
def samples_marked():
    import torch

    def neuron_gradient(model, X, k):
        X.requires_grad_()
        return torch.autograd.grad(model(X)[:, k].sum(), X)[0]


@wrong("mode changed", loses=("one sample, and all as it was", "a batch"))
def model_left_in_evaluation():
    import torch

    def neuron_gradient(model, X, k):
        model.eval()
        X = X.clone().requires_grad_()
        return torch.autograd.grad(model(X)[:, k].sum(), X)[0]


@mistake(
    "works for one sample only",
    "`model(X)[:, k]` is a vector with one number per sample, and `grad` by itself starts from a single number. See "
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
    "Only the first sample's row is filled, and the other rows are 0. Each sample has its own gradient.",
    loses=("a batch",),
)
def the_first_samples_neuron():
    import torch

    def neuron_gradient(model, X, k):
        X = X.clone().requires_grad_()
        return torch.autograd.grad(model(X)[0, k], X)[0]


@mistake("counted from 1", "This is the gradient of the neuron before neuron `k`. Neurons are counted from 0.")
def the_neuron_before():
    import torch

    def neuron_gradient(model, X, k):
        X = X.clone().requires_grad_()
        return torch.autograd.grad(model(X)[:, k - 1].sum(), X)[0]


@mistake(
    "mean over the batch",
    "Everything is divided by the number of samples, as by a mean over the batch.",
    loses=("a batch",),
)
def mean_of_the_neuron():
    import torch

    def neuron_gradient(model, X, k):
        X = X.clone().requires_grad_()
        return torch.autograd.grad(model(X)[:, k].mean(), X)[0]


@mistake(
    "sum of all neurons", "This is the gradient of the sum of all neurons. Return the gradient of neuron `k` alone."
)
def sum_of_everything():
    import torch

    def neuron_gradient(model, X, k):
        X = X.clone().requires_grad_()
        return torch.autograd.grad(model(X).sum(), X)[0]


@mistake(
    "k along the batch axis",
    "You looked up output `k` along the batch axis. In `model(X)` the samples come first and the neurons second.",
    raises="IndexError: index \\d+ is out of bounds for dimension 0",
    predicts=True,
)
def neuron_along_the_batch():
    import torch

    def neuron_gradient(model, X, k):
        X = X.clone().requires_grad_()
        return torch.autograd.grad(model(X)[k].sum(), X)[0]


@mistake(
    "Jacobian of the whole batch",
    "This has a row for each pair of samples: the neuron for one, with respect to the inputs of the "
    "other. Return only the rows of a sample with itself.",
)
def jacobian_of_the_neurons_column():
    from torch.func import jacrev

    def neuron_gradient(model, X, k):
        return jacrev(model)(X)[:, k]


@mistake("samples summed", "The samples' gradients are added into one row. Each sample keeps its own.")
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
