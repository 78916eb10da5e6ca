"""Wrong answers to exercise 11. Those called as_given_... are the programs as given; see tests/tasks/test_clinic.py."""

from tests.answers import wrong

# task_gradients


@wrong("task_gradients", diagnosed="not attempted")
def task_gradients_not_attempted():
    def task_gradients(w, x, targets):
        raise NotImplementedError  # your code here
        prediction = x @ w
        gradients = []
        for target in targets:
            loss = ((prediction - target) ** 2).mean()
            loss.backward(retain_graph=True)
            gradients.append(w.grad)
        return gradients


@wrong("task_gradients", diagnosed="as given: one gradient for every task")
def as_given_task_gradients():
    import torch

    def task_gradients(w: torch.Tensor, x: torch.Tensor, targets: list[float]) -> list[torch.Tensor]:
        prediction = x @ w
        gradients = []
        for target in targets:
            loss = ((prediction - target) ** 2).mean()
            loss.backward(retain_graph=True)
            gradients.append(w.grad)
        return gradients


@wrong("task_gradients", diagnosed="as given: one gradient for every task")
def a_new_forward_pass_only():
    def task_gradients(w, x, targets):
        gradients = []
        for target in targets:
            loss = ((x @ w - target) ** 2).mean()
            loss.backward()
            gradients.append(w.grad.detach())
        return gradients


@wrong("task_gradients", diagnosed="each holds those before it")
def copies_of_the_sum():
    def task_gradients(w, x, targets):
        prediction = x @ w
        gradients = []
        for target in targets:
            loss = ((prediction - target) ** 2).mean()
            loss.backward(retain_graph=True)
            gradients.append(w.grad.clone())
        return gradients


@wrong("task_gradients", diagnosed="w.grad not as it was", loses=("w and its gradient as they were",))
def cleared_before_each_task():
    def task_gradients(w, x, targets):
        prediction = x @ w
        gradients = []
        for target in targets:
            w.grad = None
            loss = ((prediction - target) ** 2).mean()
            loss.backward(retain_graph=True)
            gradients.append(w.grad)
        return gradients


@wrong("task_gradients", diagnosed="w.grad not as it was", loses=("w and its gradient as they were",))
def cleared_after_each_task():
    def task_gradients(w, x, targets):
        prediction = x @ w
        gradients = []
        w.grad = None
        for target in targets:
            loss = ((prediction - target) ** 2).mean()
            loss.backward(retain_graph=True)
            gradients.append(w.grad.clone())
            w.grad = None
        return gradients


@wrong("task_gradients", diagnosed="what was there before")
def copied_and_zeroed():
    def task_gradients(w, x, targets):
        prediction = x @ w
        gradients = []
        for target in targets:
            loss = ((prediction - target) ** 2).mean()
            loss.backward(retain_graph=True)
            gradients.append(w.grad.clone())
            w.grad.zero_()
        return gradients


@wrong("task_gradients", diagnosed="zeroed after it was kept")
def zeroed_in_place():
    def task_gradients(w, x, targets):
        prediction = x @ w
        gradients = []
        for target in targets:
            loss = ((prediction - target) ** 2).mean()
            loss.backward(retain_graph=True)
            gradients.append(w.grad)
            w.grad.zero_()
        return gradients


@wrong("task_gradients", diagnosed="one graph for several passes")
def no_longer_retained():
    import torch

    def task_gradients(w, x, targets):
        prediction = x @ w
        gradients = []
        for target in targets:
            loss = ((prediction - target) ** 2).mean()
            gradients.append(torch.autograd.grad(loss, w)[0])
        return gradients


@wrong("task_gradients", diagnosed="left in a tuple")
def tuples_of_one():
    import torch

    def task_gradients(w, x, targets):
        prediction = x @ w
        return [torch.autograd.grad(((prediction - target) ** 2).mean(), w, retain_graph=True) for target in targets]


@wrong("task_gradients", diagnosed="gradient of the losses' sum")
def all_losses_at_once():
    import torch

    def task_gradients(w, x, targets):
        total = 0
        for target in targets:
            total = total + ((x @ w - target) ** 2).mean()
        return [torch.autograd.grad(total, w, retain_graph=True)[0] for _ in targets]


@wrong("task_gradients", diagnosed="summed over the rows")
def sums_of_squares():
    import torch

    def task_gradients(w, x, targets):
        return [torch.autograd.grad(((x @ w - t) ** 2).sum(), w)[0] for t in targets]


@wrong("task_gradients", diagnosed="no task at all", loses=("w and its gradient as they were",))
def stacked_where_there_may_be_none():
    import torch

    def task_gradients(w, x, targets):
        losses = torch.stack([((x @ w - t) ** 2).mean() for t in targets])
        return [torch.autograd.grad(loss, w, retain_graph=True)[0] for loss in losses]


@wrong("task_gradients", diagnosed="no graph behind it")
def a_detached_copy():
    import torch

    def task_gradients(w, x, targets):
        w = w.detach()
        return [torch.autograd.grad(((x @ w - t) ** 2).mean(), w)[0] for t in targets]


@wrong("task_gradients", diagnosed="averaged over the tasks")
def divided_by_the_tasks():
    import torch

    def task_gradients(w, x, targets):
        gradients = []
        for t in targets:
            loss = ((x @ w - t) ** 2).mean() / len(targets)
            gradients.append(torch.autograd.grad(loss, w)[0])
        return gradients


# push_towards


@wrong("push_towards", diagnosed="not attempted")
def push_towards_not_attempted():
    def push_towards(model, x, goal, rate, steps):
        raise NotImplementedError  # your code here


@wrong("push_towards", diagnosed="as given: the loss rises with every step")
def as_given_push_towards():
    import torch
    from torch.nn.functional import mse_loss

    def push_towards(
        model: torch.nn.Module, x: torch.Tensor, goal: torch.Tensor, rate: float, steps: int
    ) -> torch.Tensor:
        for _ in range(steps):
            leaf = x.detach().requires_grad_()
            (gradient,) = torch.autograd.grad(mse_loss(model(leaf), goal), leaf)
            x = x + rate * gradient
        return x


@wrong("push_towards", diagnosed="parameters' gradients changed", loses=("x and the model as they were",))
def with_backward():
    import torch.nn.functional as F

    def push_towards(model, x, goal, rate, steps):
        for _ in range(steps):
            leaf = x.detach().clone().requires_grad_()
            F.mse_loss(model(leaf), goal).backward()
            x = leaf.detach() - rate * leaf.grad
        return x


@wrong("push_towards", diagnosed="parameters' gradients changed", loses=("x and the model as they were",))
def with_zero_grad():
    import torch.nn.functional as F

    def push_towards(model, x, goal, rate, steps):
        for _ in range(steps):
            leaf = x.detach().clone().requires_grad_()
            F.mse_loss(model(leaf), goal).backward()
            x = leaf.detach() - rate * leaf.grad
        model.zero_grad()
        return x


@wrong("push_towards", diagnosed="gradients added up")
def written_into_one_leaf():
    import torch
    import torch.nn.functional as F

    def push_towards(model, x, goal, rate, steps):
        leaf = x.clone().requires_grad_()
        parameters = [p.grad for p in model.parameters()]
        for _ in range(steps):
            F.mse_loss(model(leaf), goal).backward()
            with torch.no_grad():
                leaf -= rate * leaf.grad
        for p, grad in zip(model.parameters(), parameters):
            p.grad = grad
        return leaf.detach()


@wrong("push_towards", diagnosed="the caller's tensor marked")
def the_callers_own_leaf():
    import torch
    import torch.nn.functional as F

    def push_towards(model, x, goal, rate, steps):
        x.requires_grad_()
        y = x
        for _ in range(steps):
            (gradient,) = torch.autograd.grad(F.mse_loss(model(y), goal), y)
            y = y - rate * gradient
        return y


@wrong("push_towards", diagnosed="x overwritten")
def moved_in_place():
    import torch
    import torch.nn.functional as F

    def push_towards(model, x, goal, rate, steps):
        for _ in range(steps):
            leaf = x.clone().requires_grad_()
            (gradient,) = torch.autograd.grad(F.mse_loss(model(leaf), goal), leaf)
            x -= rate * gradient
        return x


@wrong("push_towards", diagnosed="steps of one size")
def sign_steps():
    import torch
    import torch.nn.functional as F

    def push_towards(model, x, goal, rate, steps):
        for _ in range(steps):
            leaf = x.detach().clone().requires_grad_()
            (gradient,) = torch.autograd.grad(F.mse_loss(model(leaf), goal), leaf)
            x = x - rate * gradient.sign()
        return x


@wrong("push_towards", diagnosed="gradient of the start")
def one_gradient_for_all_steps():
    import torch
    import torch.nn.functional as F

    def push_towards(model, x, goal, rate, steps):
        leaf = x.clone().requires_grad_()
        (gradient,) = torch.autograd.grad(F.mse_loss(model(leaf), goal), leaf)
        for _ in range(steps):
            x = x - rate * gradient
        return x


@wrong("push_towards", diagnosed="sum instead of mean")
def sum_of_squares():
    import torch

    def push_towards(model, x, goal, rate, steps):
        for _ in range(steps):
            leaf = x.detach().clone().requires_grad_()
            (gradient,) = torch.autograd.grad(((model(leaf) - goal) ** 2).sum(), leaf)
            x = x - rate * gradient
        return x


@wrong("push_towards", diagnosed="the goal left out")
def down_with_the_output():
    import torch

    def push_towards(model, x, goal, rate, steps):
        for _ in range(steps):
            leaf = x.detach().clone().requires_grad_()
            (gradient,) = torch.autograd.grad(model(leaf).sum(), leaf)
            x = x - rate * gradient
        return x


@wrong("push_towards", diagnosed="one step too many")
def a_step_before_the_loop():
    import torch
    import torch.nn.functional as F

    def push_towards(model, x, goal, rate, steps):
        done = 0
        while True:
            leaf = x.detach().clone().requires_grad_()
            (gradient,) = torch.autograd.grad(F.mse_loss(model(leaf), goal), leaf)
            x = x - rate * gradient
            done += 1
            if done > steps:
                return x


@wrong("push_towards", diagnosed="one step only")
def returned_too_early():
    import torch
    import torch.nn.functional as F

    def push_towards(model, x, goal, rate, steps):
        for _ in range(steps):
            leaf = x.detach().clone().requires_grad_()
            (gradient,) = torch.autograd.grad(F.mse_loss(model(leaf), goal), leaf)
            return x - rate * gradient
        return x


@wrong("push_towards", diagnosed="no gradient behind the first step")
def no_leaf_any_more():
    import torch.nn.functional as F

    def push_towards(model, x, goal, rate, steps):
        x = x.clone().requires_grad_()
        for _ in range(steps):
            F.mse_loss(model(x), goal).backward()
            x = x - rate * x.grad
        return x


@wrong("push_towards", diagnosed="written in place")
def in_place_on_the_leaf():
    import torch
    import torch.nn.functional as F

    def push_towards(model, x, goal, rate, steps):
        x = x.clone().requires_grad_()
        for _ in range(steps):
            (gradient,) = torch.autograd.grad(F.mse_loss(model(x), goal), x)
            x -= rate * gradient
        return x


@wrong("push_towards", diagnosed="parameters frozen", loses=("x and the model as they were",))
def frozen_for_good():
    import torch
    import torch.nn.functional as F

    def push_towards(model, x, goal, rate, steps):
        model.requires_grad_(False)
        for _ in range(steps):
            leaf = x.detach().clone().requires_grad_()
            (gradient,) = torch.autograd.grad(F.mse_loss(model(leaf), goal), leaf)
            x = x - rate * gradient
        return x


# PickMany


@wrong("PickMany", diagnosed="not attempted")
def pick_many_not_attempted():
    import torch

    class PickMany(torch.autograd.Function):
        @staticmethod
        def forward(x, index):
            return x[list(index)]

        @staticmethod
        def setup_context(ctx, inputs, output):
            x, index = inputs
            ctx.places, ctx.length = list(index), len(x)

        @staticmethod
        def backward(ctx, upstream):
            raise NotImplementedError  # your code here


@wrong("PickMany", diagnosed="as given: repeats counted once")
def as_given_pick_many():
    import torch

    class PickMany(torch.autograd.Function):
        """Several elements of a vector.

        `PickMany.apply(x, index)` takes a tensor of shape (n,) and a tuple of k ints from -n to n - 1, and returns a
        tensor of shape (k,).
        """

        @staticmethod
        def forward(x: torch.Tensor, index: tuple[int, ...]) -> torch.Tensor:
            """The elements."""
            return x[list(index)]

        @staticmethod
        def setup_context(ctx, inputs: tuple, output: torch.Tensor) -> None:
            """Keeps the places and the length of x."""
            x, index = inputs
            ctx.places, ctx.length = list(index), len(x)

        @staticmethod
        def backward(ctx, upstream: torch.Tensor) -> tuple[torch.Tensor, None]:
            """The gradient of x, and None for the index."""
            gradient = upstream.new_zeros(ctx.length)
            gradient[ctx.places] += upstream
            return gradient, None


@wrong("PickMany", within=pick_many_not_attempted, diagnosed="as given: repeats counted once")
def written_one_by_one():
    @staticmethod
    def backward(ctx, upstream):
        gradient = upstream.new_zeros(ctx.length)
        for k, place in enumerate(ctx.places):
            gradient[place] = upstream[k]
        return gradient, None


@wrong("PickMany", within=pick_many_not_attempted, diagnosed="as given: repeats counted once")
def put_without_accumulating():
    @staticmethod
    def backward(ctx, upstream):
        places = torch.tensor(ctx.places) % ctx.length
        return torch.zeros(ctx.length, dtype=upstream.dtype).put_(places, upstream), None


@wrong("PickMany", within=pick_many_not_attempted, diagnosed="as given: repeats counted once")
def scattered_without_adding():
    @staticmethod
    def backward(ctx, upstream):
        places = torch.tensor(ctx.places) % ctx.length
        return upstream.new_zeros(ctx.length).scatter(0, places, upstream), None


@wrong("PickMany", within=pick_many_not_attempted, diagnosed="upstream gradient ignored")
def counted_only():
    @staticmethod
    def backward(ctx, upstream):
        gradient = upstream.new_zeros(ctx.length)
        for place in ctx.places:
            gradient[place] += 1
        return gradient, None


@wrong("PickMany", within=pick_many_not_attempted, diagnosed="picks averaged")
def mean_of_the_picks():
    @staticmethod
    def backward(ctx, upstream):
        gradient = upstream.new_zeros(ctx.length)
        places = [place % ctx.length for place in ctx.places]
        for k, place in enumerate(places):
            gradient[place] += upstream[k] / places.count(place)
        return gradient, None


@wrong("PickMany", within=pick_many_not_attempted, diagnosed="one pick times their number")
def last_pick_times_count():
    @staticmethod
    def backward(ctx, upstream):
        gradient = upstream.new_zeros(ctx.length)
        places = [place % ctx.length for place in ctx.places]
        for k, place in enumerate(places):
            gradient[place] = upstream[k] * places.count(place)
        return gradient, None


@wrong("PickMany", within=pick_many_not_attempted, diagnosed="one pick times their number")
def looked_up_by_place():
    @staticmethod
    def backward(ctx, upstream):
        gradient = upstream.new_zeros(ctx.length)
        for place in ctx.places:
            gradient[place] += upstream[ctx.places.index(place)]
        return gradient, None


@wrong("PickMany", within=pick_many_not_attempted, diagnosed="the first pick alone counts")
def first_pick_only():
    @staticmethod
    def backward(ctx, upstream):
        gradient = upstream.new_zeros(ctx.length)
        seen = set()
        for k, place in enumerate(ctx.places):
            if place % ctx.length not in seen:
                gradient[place] = upstream[k]
            seen.add(place % ctx.length)
        return gradient, None


@wrong("PickMany", within=pick_many_not_attempted, diagnosed="two spellings of one element")
def grouped_by_int():
    @staticmethod
    def backward(ctx, upstream):
        gradient = upstream.new_zeros(ctx.length)
        for place in dict.fromkeys(ctx.places):
            gradient[place] = sum(share for p, share in zip(ctx.places, upstream) if p == place)
        return gradient, None


@wrong("PickMany", within=pick_many_not_attempted, diagnosed="negative ints lost", loses=("counted from the end",))
def compared_with_a_range():
    @staticmethod
    def backward(ctx, upstream):
        rows = [sum(s for p, s in zip(ctx.places, upstream) if p == i) for i in range(ctx.length)]
        return torch.stack([torch.as_tensor(row, dtype=upstream.dtype) for row in rows]), None


@wrong(
    "PickMany",
    within=pick_many_not_attempted,
    diagnosed="an operation that refuses negative ints",
    loses=("counted from the end",),
)
def index_add_as_it_is():
    @staticmethod
    def backward(ctx, upstream):
        return upstream.new_zeros(ctx.length).index_add(0, torch.tensor(ctx.places), upstream), None


@wrong(
    "PickMany",
    within=pick_many_not_attempted,
    diagnosed="an operation that refuses negative ints",
    loses=("counted from the end",),
)
def scatter_add_as_it_is():
    @staticmethod
    def backward(ctx, upstream):
        return upstream.new_zeros(ctx.length).scatter_add(0, torch.tensor(ctx.places), upstream), None


@wrong("PickMany", within=pick_many_not_attempted, diagnosed="places that are no tensor")
def index_add_of_a_list():
    @staticmethod
    def backward(ctx, upstream):
        return upstream.new_zeros(ctx.length).index_add_(0, ctx.places, upstream), None


@wrong("PickMany", within=pick_many_not_attempted, diagnosed="not one gradient for each argument")
def no_none_for_the_index():
    @staticmethod
    def backward(ctx, upstream):
        gradient = upstream.new_zeros(ctx.length)
        for place, share in zip(ctx.places, upstream):
            gradient[place] += share
        return gradient


@wrong("PickMany", within=pick_many_not_attempted, diagnosed="kept on the class")
def places_on_the_class():
    @staticmethod
    def setup_context(ctx, inputs, output):
        x, PickMany.places = inputs
        ctx.length = len(x)

    @staticmethod
    def backward(ctx, upstream):
        gradient = upstream.new_zeros(ctx.length)
        for place, share in zip(PickMany.places, upstream):
            gradient[place] += share
        return gradient, None


@wrong("PickMany", diagnosed="no node of its own")
def ordinary_indexing():
    class PickMany:
        @staticmethod
        def apply(x, index):
            return x[list(index)]


# sample_gradient_norms


@wrong("sample_gradient_norms", diagnosed="not attempted")
def sample_gradient_norms_not_attempted():
    def sample_gradient_norms(model, X, y):
        raise NotImplementedError  # your code here


@wrong("sample_gradient_norms", diagnosed="as given: a norm for each class")
def as_given_sample_gradient_norms():
    import torch
    from torch.nn.functional import cross_entropy

    def sample_gradient_norms(model: torch.nn.Linear, X: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        losses = cross_entropy(model(X), y, reduction="none")
        (gradients,) = torch.autograd.grad(losses, model.weight, grad_outputs=torch.ones_like(losses))
        return gradients.norm(dim=1)


@wrong("sample_gradient_norms", diagnosed="a norm for each feature")
def the_other_axis():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        losses = F.cross_entropy(model(X), y, reduction="none")
        (gradients,) = torch.autograd.grad(losses.sum(), model.weight)
        return gradients.norm(dim=0)


@wrong("sample_gradient_norms", diagnosed="one norm for the batch")
def norm_of_the_sum():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        losses = F.cross_entropy(model(X), y, reduction="none")
        (gradients,) = torch.autograd.grad(losses, model.weight, grad_outputs=torch.ones_like(losses))
        return gradients.norm()


@wrong("sample_gradient_norms", diagnosed="one norm for the batch")
def norm_of_the_mean():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        return torch.autograd.grad(F.cross_entropy(model(X), y), model.weight)[0].norm()


@wrong("sample_gradient_norms", diagnosed="gradient of a vector")
def without_ones():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        losses = F.cross_entropy(model(X), y, reduction="none")
        (gradients,) = torch.autograd.grad(losses, model.weight)
        return gradients.norm(dim=1)


@wrong("sample_gradient_norms", diagnosed="each holds those before it")
def backward_in_a_loop():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        kept = model.weight.grad, model.bias.grad if model.bias is not None else None
        model.weight.grad = None
        norms = []
        for xi, yi in zip(X, y):
            F.cross_entropy(model(xi[None]), yi[None]).backward()
            norms.append(model.weight.grad.norm())
        model.weight.grad = kept[0]
        if model.bias is not None:
            model.bias.grad = kept[1]
        return torch.stack(norms)


@wrong("sample_gradient_norms", diagnosed="parameters' gradients changed", loses=("the model as it was",))
def zero_grad_for_each():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        norms = []
        for xi, yi in zip(X, y):
            model.zero_grad()
            F.cross_entropy(model(xi[None]), yi[None]).backward()
            norms.append(model.weight.grad.norm())
        return torch.stack(norms)


@wrong("sample_gradient_norms", diagnosed="gradient in the input")
def with_respect_to_the_samples():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        X = X.clone().requires_grad_()
        losses = F.cross_entropy(model(X), y, reduction="none")
        (gradients,) = torch.autograd.grad(losses, X, grad_outputs=torch.ones_like(losses))
        return gradients.norm(dim=1)


@wrong("sample_gradient_norms", diagnosed="gradient in the scores")
def errors_of_the_classifier():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        chances = model(X).softmax(1)
        return (chances - F.one_hot(y, chances.shape[1])).norm(dim=1).detach()


@wrong("sample_gradient_norms", diagnosed="bias counted too")
def all_parameters():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        norms = []
        for xi, yi in zip(X, y):
            loss = F.cross_entropy(model(xi[None]), yi[None])
            gradients = torch.autograd.grad(loss, list(model.parameters()))
            norms.append(torch.sqrt(sum((g**2).sum() for g in gradients)))
        return torch.stack(norms)


@wrong("sample_gradient_norms", diagnosed="a norm for each sample and class")
def one_axis_of_the_matrix():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        losses = F.cross_entropy(model(X), y, reduction="none")
        gradients = [torch.autograd.grad(loss, model.weight, retain_graph=True)[0] for loss in losses]
        return torch.stack(gradients).norm(dim=2)


@wrong("sample_gradient_norms", diagnosed="a norm for each sample and feature")
def the_other_axis_of_the_matrix():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        losses = F.cross_entropy(model(X), y, reduction="none")
        gradients = [torch.autograd.grad(loss, model.weight, retain_graph=True)[0] for loss in losses]
        return torch.stack(gradients).norm(dim=1)


@wrong("sample_gradient_norms", diagnosed="root forgotten")
def squares():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        losses = F.cross_entropy(model(X), y, reduction="none")
        return torch.stack(
            [(torch.autograd.grad(loss, model.weight, retain_graph=True)[0] ** 2).sum() for loss in losses]
        )


@wrong("sample_gradient_norms", diagnosed="divided by the batch")
def losses_of_the_mean():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        losses = F.cross_entropy(model(X), y, reduction="none") / len(y)
        return torch.stack([torch.autograd.grad(loss, model.weight, retain_graph=True)[0].norm() for loss in losses])


@wrong("sample_gradient_norms", diagnosed="sizes added up")
def another_norm():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        losses = F.cross_entropy(model(X), y, reduction="none")
        return torch.stack([torch.autograd.grad(loss, model.weight, retain_graph=True)[0].norm(p=1) for loss in losses])


@wrong("sample_gradient_norms", diagnosed="graph already freed")
def not_retained():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        losses = F.cross_entropy(model(X), y, reduction="none")
        return torch.stack([torch.autograd.grad(loss, model.weight)[0].norm() for loss in losses])


@wrong("sample_gradient_norms", diagnosed="a loss without its batch axis")
def class_without_an_axis():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        norms = []
        for xi, yi in zip(X, y):
            loss = F.cross_entropy(model(xi[None]), yi)
            norms.append(torch.autograd.grad(loss, model.weight)[0].norm())
        return torch.stack(norms)


# damped_tanh


@wrong("damped_tanh", diagnosed="not attempted")
def damped_tanh_not_attempted():
    def damped_tanh(x):
        raise NotImplementedError  # your code here


@wrong("damped_tanh", diagnosed="as given: right values, wrong slopes")
def as_given_damped_tanh():
    import torch

    def damped_tanh(x: torch.Tensor) -> torch.Tensor:
        y = torch.tanh(x)
        y.data[y.data < 0] *= 0.1
        return y


@wrong("damped_tanh", diagnosed="written in place")
def without_data():
    import torch

    def damped_tanh(x):
        y = torch.tanh(x)
        y[y < 0] *= 0.1
        return y


@wrong("damped_tanh", diagnosed="written in place")
def detach_in_place_of_data():
    import torch

    def damped_tanh(x):
        y = torch.tanh(x)
        z = y.detach()
        z[z < 0] *= 0.1
        return y


@wrong("damped_tanh", diagnosed="written in place")
def under_no_grad():
    import torch

    def damped_tanh(x):
        y = torch.tanh(x)
        with torch.no_grad():
            y[y < 0] *= 0.1
        return y


@wrong("damped_tanh", diagnosed="damped in the values only")
def data_of_a_clone():
    import torch

    def damped_tanh(x):
        y = torch.tanh(x).clone()
        y.data[y.data < 0] *= 0.1
        return y


@wrong("damped_tanh", diagnosed="damped in the values only")
def clone_under_no_grad():
    import torch

    def damped_tanh(x):
        y = torch.tanh(x).clone()
        with torch.no_grad():
            y[y < 0] *= 0.1
        return y


@wrong("damped_tanh", diagnosed="negative part cut off")
def data_in_a_branch():
    import torch

    def damped_tanh(x):
        y = torch.tanh(x)
        return torch.where(y < 0, 0.1 * y.data, y)


@wrong("damped_tanh", diagnosed="damped inside")
def leaky_relu_first():
    import torch
    import torch.nn.functional as F

    def damped_tanh(x):
        return torch.tanh(F.leaky_relu(x, 0.1))


@wrong("damped_tanh", diagnosed="positive part damped")
def the_wrong_side():
    import torch

    def damped_tanh(x):
        y = torch.tanh(x)
        return torch.where(y > 0, 0.1 * y, y)


@wrong("damped_tanh", diagnosed="relu instead")
def negative_part_gone():
    import torch

    def damped_tanh(x):
        return torch.relu(torch.tanh(x))


@wrong("damped_tanh", diagnosed="connected to nothing")
def a_new_tensor():
    import torch

    def damped_tanh(x):
        return torch.tensor([math.tanh(v) * (0.1 if v < 0 else 1) for v in x], dtype=x.dtype, requires_grad=True)

    import math


@wrong("damped_tanh", diagnosed="argument changed", loses=("any shape, and differentiated twice",))
def x_damped_too():
    import torch

    def damped_tanh(x):
        y = torch.tanh(x.clone())
        y = torch.where(y < 0, 0.1 * y, y)
        if not x.is_leaf or not x.requires_grad:
            x.data.copy_(y.data)
        return y


# distance


@wrong("distance", diagnosed="not attempted")
def distance_not_attempted():
    def distance(a, b):
        raise NotImplementedError  # your code here


@wrong("distance", diagnosed="as given: nan where rows coincide")
def as_given_distance():
    import torch

    def distance(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        squared = ((a - b) ** 2).sum(1)
        return torch.where(squared > 0, squared.sqrt(), 0.0)


@wrong("distance", diagnosed="as given: nan where rows coincide")
def plain_root():
    def distance(a, b):
        return ((a - b) ** 2).sum(1).sqrt()


@wrong("distance", diagnosed="as given: nan where rows coincide")
def nan_to_num_of_the_result():
    import torch

    def distance(a, b):
        return torch.nan_to_num(((a - b) ** 2).sum(dim=1) ** 0.5)


@wrong("distance", diagnosed="as given: nan where rows coincide")
def times_a_mask():
    def distance(a, b):
        squared = ((a - b) ** 2).sum(1)
        return squared.sqrt() * (squared > 0)


@wrong("distance", diagnosed="a small number in the way")
def epsilon_under_the_root():
    def distance(a, b):
        return (((a - b) ** 2).sum(1) + 1e-12).sqrt()


@wrong("distance", diagnosed="a small number in the way")
def clamped_under_the_root():
    def distance(a, b):
        return ((a - b) ** 2).sum(1).clamp(min=1e-16).sqrt()


@wrong("distance", diagnosed="a small number in the way")
def tiny_under_the_root():
    def distance(a, b):
        return (((a - b) ** 2).sum(1) + 1e-30) ** 0.5


@wrong("distance", diagnosed="a small number in the way", loses=("rows that nearly coincide",))
def near_enough():
    import torch

    def distance(a, b):
        squared = ((a - b) ** 2).sum(1)
        apart = squared > 1e-12
        return torch.where(apart, torch.where(apart, squared, 1.0).sqrt(), 0.0)


@wrong("distance", diagnosed="something added to the difference")
def pairwise_distance():
    import torch.nn.functional as F

    def distance(a, b):
        return F.pairwise_distance(a, b)


@wrong("distance", diagnosed="1 where rows coincide")
def outer_where_forgotten():
    import torch

    def distance(a, b):
        squared = ((a - b) ** 2).sum(1)
        return torch.where(squared > 0, squared, 1.0).sqrt()


@wrong("distance", diagnosed="root forgotten")
def squared_distances():
    def distance(a, b):
        return ((a - b) ** 2).sum(1)


@wrong("distance", diagnosed="sizes added up")
def around_the_corner():
    def distance(a, b):
        return (a - b).abs().sum(1)


@wrong("distance", diagnosed="mean under the root")
def mean_of_squares():
    import torch

    def distance(a, b):
        squared = ((a - b) ** 2).mean(1)
        apart = squared > 0
        return torch.where(apart, torch.where(apart, squared, 1.0).sqrt(), 0.0)


@wrong("distance", diagnosed="connected to less than both")
def built_from_numbers():
    import torch

    def distance(a, b):
        return torch.tensor([(p - q).norm().item() for p, q in zip(a, b)], dtype=a.dtype)


@wrong("distance", diagnosed="connected to less than both")
def the_partner_detached():
    import torch

    def distance(a, b):
        return torch.linalg.vector_norm(a - b.detach(), dim=1)


@wrong("distance", diagnosed="no number for each row")
def over_the_columns():
    import torch

    def distance(a, b):
        return torch.linalg.vector_norm(a - b, dim=0)


# ridge_loss


@wrong("ridge_loss", diagnosed="not attempted")
def ridge_loss_not_attempted():
    def ridge_loss(w, X, y, strength):
        raise NotImplementedError  # your code here


@wrong("ridge_loss", diagnosed="as given: the strength moves no gradient")
def as_given_ridge_loss():
    import torch

    def ridge_loss(w: torch.Tensor, X: torch.Tensor, y: torch.Tensor, strength: float) -> torch.Tensor:
        penalty = 0.0
        for weight in w:
            penalty = penalty + weight.item() ** 2
        return ((X @ w - y) ** 2).mean() + strength * penalty


@wrong("ridge_loss", diagnosed="as given: the strength moves no gradient")
def a_leaf_of_its_own():
    import torch

    def ridge_loss(w, X, y, strength):
        penalty = torch.tensor((w**2).sum().item(), dtype=w.dtype, requires_grad=True)
        return ((X @ w - y) ** 2).mean() + strength * penalty


@wrong("ridge_loss", diagnosed="as given: the strength moves no gradient")
def through_numpy():
    import numpy as np

    def ridge_loss(w, X, y, strength):
        return ((X @ w - y) ** 2).mean() + strength * float(np.sum(w.detach().numpy() ** 2))


@wrong("ridge_loss", diagnosed="sizes instead of squares")
def lasso():
    def ridge_loss(w, X, y, strength):
        return ((X @ w - y) ** 2).mean() + strength * w.abs().sum()


@wrong("ridge_loss", diagnosed="length instead of squares")
def norm_not_squared():
    def ridge_loss(w, X, y, strength):
        return ((X @ w - y) ** 2).mean() + strength * w.norm()


@wrong("ridge_loss", diagnosed="square of the sum")
def squared_too_late():
    def ridge_loss(w, X, y, strength):
        return ((X @ w - y) ** 2).mean() + strength * w.sum() ** 2


@wrong("ridge_loss", diagnosed="penalty averaged")
def mean_of_the_squares():
    def ridge_loss(w, X, y, strength):
        return ((X @ w - y) ** 2).mean() + strength * (w**2).mean()


@wrong("ridge_loss", diagnosed="penalty halved")
def half_the_strength():
    def ridge_loss(w, X, y, strength):
        return ((X @ w - y) ** 2).mean() + strength / 2 * (w**2).sum()


@wrong("ridge_loss", diagnosed="error not averaged")
def sum_of_errors():
    def ridge_loss(w, X, y, strength):
        return ((X @ w - y) ** 2).sum() + strength * (w**2).sum()


@wrong("ridge_loss", diagnosed="no penalty at all")
def forgotten_penalty():
    def ridge_loss(w, X, y, strength):
        return ((X @ w - y) ** 2).mean()


@wrong("ridge_loss", diagnosed="penalty once for each row")
def inside_the_sum():
    def ridge_loss(w, X, y, strength):
        return ((X @ w - y) ** 2 + strength * (w**2).sum()).sum()


@wrong("ridge_loss", diagnosed="the error's gradient lost")
def the_other_item():
    def ridge_loss(w, X, y, strength):
        return ((X @ w - y) ** 2).mean().item() + strength * (w**2).sum()


@wrong("ridge_loss", diagnosed="no graph behind the loss")
def all_numbers():
    def ridge_loss(w, X, y, strength):
        return ((X @ w - y) ** 2).mean().item() + strength * (w**2).sum().item()


# mean_loss


@wrong("mean_loss", diagnosed="not attempted")
def mean_loss_not_attempted():
    def mean_loss(model, loss_fn, batches):
        raise NotImplementedError  # your code here


@wrong("mean_loss", diagnosed="as given: memory grows with the batches")
def as_given_mean_loss():
    from collections.abc import Callable, Iterable

    import torch

    def mean_loss(model: torch.nn.Module, loss_fn: Callable, batches: Iterable[tuple]) -> torch.Tensor:
        total, count = 0.0, 0
        for X, y in batches:
            total = total + loss_fn(model(X), y)
            count += 1
        return (total / count).detach()


@wrong("mean_loss", diagnosed="as given: memory grows with the batches")
def item_at_the_end():
    def mean_loss(model, loss_fn, batches):
        total, count = 0, 0
        for X, y in batches:
            total += loss_fn(model(X), y)
            count += 1
        return total.item() / count


@wrong("mean_loss", diagnosed="as given: memory grows with the batches")
def a_list_of_attached_losses():
    import torch

    def mean_loss(model, loss_fn, batches):
        losses = [loss_fn(model(X), y) for X, y in batches]
        return torch.tensor([loss.item() for loss in losses], dtype=losses[0].dtype).mean()


@wrong("mean_loss", diagnosed="attached, and memory grows")
def detach_forgotten():
    def mean_loss(model, loss_fn, batches):
        total, count = 0.0, 0
        for X, y in batches:
            total = total + loss_fn(model(X), y)
            count += 1
        return total / count


@wrong("mean_loss", diagnosed="backward called", loses=("one batch, a generator, and all as it was",))
def backward_to_free_the_graph():
    def mean_loss(model, loss_fn, batches):
        total, count = 0.0, 0
        for X, y in batches:
            loss = loss_fn(model(X), y)
            loss.backward()
            total += loss.item()
            count += 1
        return total / count


@wrong("mean_loss", diagnosed="left in another mode", loses=("one batch, a generator, and all as it was",))
def evaluation_and_back():
    import torch

    def mean_loss(model, loss_fn, batches):
        model.eval()
        with torch.no_grad():
            losses = [loss_fn(model(X), y).item() for X, y in batches]
        model.train()
        return sum(losses) / len(losses)


@wrong("mean_loss", diagnosed="gradients left switched off", loses=("one batch, a generator, and all as it was",))
def switched_off_for_good():
    import torch

    def mean_loss(model, loss_fn, batches):
        torch.set_grad_enabled(False)
        losses = [loss_fn(model(X), y).item() for X, y in batches]
        return sum(losses) / len(losses)


@wrong("mean_loss", diagnosed="parameters frozen", loses=("one batch, a generator, and all as it was",))
def frozen_parameters():
    def mean_loss(model, loss_fn, batches):
        for p in model.parameters():
            p.requires_grad = False
        losses = [loss_fn(model(X), y) for X, y in batches]
        return sum(losses) / len(losses)


@wrong("mean_loss", diagnosed="sum instead of mean")
def never_divided():
    def mean_loss(model, loss_fn, batches):
        total = 0.0
        for X, y in batches:
            total += loss_fn(model(X), y).item()
        return total


@wrong("mean_loss", diagnosed="the last loss alone")
def overwritten():
    def mean_loss(model, loss_fn, batches):
        for X, y in batches:
            loss = loss_fn(model(X), y).detach()
        return loss


@wrong("mean_loss", diagnosed="large batches count more")
def weighted_by_size():
    def mean_loss(model, loss_fn, batches):
        total, count = 0.0, 0
        for X, y in batches:
            total += loss_fn(model(X), y).item() * len(X)
            count += len(X)
        return total / count


@wrong("mean_loss", diagnosed="divided by the samples")
def counted_samples():
    def mean_loss(model, loss_fn, batches):
        total, count = 0.0, 0
        for X, y in batches:
            total += loss_fn(model(X), y).item()
            count += len(X)
        return total / count


@wrong("mean_loss", diagnosed="a moving average")
def an_average_that_forgets():
    def mean_loss(model, loss_fn, batches):
        mean = None
        for X, y in batches:
            loss = loss_fn(model(X), y).item()
            mean = loss if mean is None else (mean + loss) / 2
        return mean


@wrong("mean_loss", diagnosed="a length or a place of a generator")
def length_of_the_batches():
    import torch

    def mean_loss(model, loss_fn, batches):
        with torch.no_grad():
            return sum(loss_fn(model(X), y) for X, y in batches) / len(batches)


@wrong("mean_loss", diagnosed="a list of losses")
def not_averaged():
    def mean_loss(model, loss_fn, batches):
        return [loss_fn(model(X), y).item() for X, y in batches]


@wrong("task_gradients", diagnosed="one tensor for the list")
def stacked():
    import torch

    def task_gradients(w, x, targets):
        return torch.stack([torch.autograd.grad(((x @ w - target) ** 2).mean(), w)[0] for target in targets])


@wrong("sample_gradient_norms", diagnosed="largest entry")
def largest_entry_of_each():
    import torch
    from torch.nn.functional import cross_entropy

    def sample_gradient_norms(model, X, y):
        losses = cross_entropy(model(X), y, reduction="none")
        each = [torch.autograd.grad(loss, model.weight, retain_graph=True)[0] for loss in losses]
        return torch.stack([gradient.abs().max() for gradient in each])


@wrong("damped_tanh", diagnosed="connected to nothing", loses=("any shape, and differentiated twice",))
def a_function_that_is_differentiable_once():
    import torch
    from torch.autograd.function import once_differentiable

    class Damped(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            factor = torch.where(x < 0, 0.1, 1.0).to(x)
            ctx.save_for_backward(torch.tanh(x), factor)
            return factor * torch.tanh(x)

        @staticmethod
        @once_differentiable
        def backward(ctx, upstream):
            y, factor = ctx.saved_tensors
            return upstream * factor * (1 - y * y)

    def damped_tanh(x):
        return Damped.apply(x)


@wrong("distance", diagnosed="1 where rows coincide")
def ones_in_the_difference():
    import torch

    def distance(a, b):
        difference = a - b
        same = (difference == 0).all(1)
        difference = torch.where(same[:, None], torch.ones_like(difference), difference)
        return (difference**2).sum(1).sqrt()


@wrong("ridge_loss", diagnosed="half of the penalty's gradient")
def one_factor_detached():
    def ridge_loss(w, X, y, strength):
        return ((X @ w - y) ** 2).mean() + strength * (w * w.detach()).sum()
