"""Right answers to exercise 11."""

from tests.answers import right

# task_gradients


@right("task_gradients")
def the_given_program_with_retained_graphs():
    import torch

    def task_gradients(w, x, targets):
        prediction = x @ w
        gradients = []
        for target in targets:
            loss = ((prediction - target) ** 2).mean()
            gradients += torch.autograd.grad(loss, w, retain_graph=True)
        return gradients


@right("task_gradients")
def backward_on_a_copy():
    def task_gradients(w, x, targets):
        gradients = []
        for target in targets:
            own = w.detach().clone().requires_grad_()
            ((x @ own - target) ** 2).mean().backward()
            gradients.append(own.grad)
        return gradients


@right("task_gradients")
def kept_and_put_back():
    def task_gradients(w, x, targets):
        before = w.grad
        gradients = []
        for target in targets:
            w.grad = None
            ((x @ w - target) ** 2).mean().backward()
            gradients.append(w.grad)
        w.grad = before
        return gradients


@right("task_gradients")
def by_the_formula():
    def task_gradients(w, x, targets):
        return tuple(2 / len(x) * x.T @ (x @ w - target) for target in targets)


@right("task_gradients")
def by_func():
    import torch

    def task_gradients(w, x, targets):
        loss = lambda w, target: (x @ w - target).square().mean()
        return [torch.func.grad(loss)(w, target) for target in targets]


# push_towards


@right("push_towards")
def the_sign_put_right():
    import torch
    import torch.nn.functional as F

    def push_towards(model, x, goal, rate, steps):
        for _ in range(steps):
            leaf = x.detach().requires_grad_()
            (gradient,) = torch.autograd.grad(-F.mse_loss(model(leaf), goal), leaf)
            x = x + rate * gradient
        return x


@right("push_towards")
def one_leaf_moved_in_place():
    import torch

    def push_towards(model, x, goal, rate, steps):
        at = x.clone().requires_grad_(True)
        for _ in range(steps):
            loss = ((model(at) - goal) ** 2).mean()
            gradient = torch.autograd.grad(loss, at)[0]
            with torch.no_grad():
                at -= rate * gradient
        return at.detach()


@right("push_towards")
def by_an_optimizer():
    import torch

    def push_towards(model, x, goal, rate, steps):
        at = torch.nn.Parameter(x.clone())
        optimizer = torch.optim.SGD([at], lr=rate)
        for _ in range(steps):
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(at), goal).backward(inputs=[at])
            optimizer.step()
        return at.detach()


@right("push_towards")
def by_func_grad():
    import torch

    def push_towards(model, x, goal, rate, steps):
        slope = torch.func.grad(lambda x: (model(x) - goal).square().mean())
        for _ in range(steps):
            x = x - rate * slope(x)
        return x


# PickMany


@right("PickMany")
def index_put_accumulating():
    import torch

    class PickMany(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, index):
            ctx.index, ctx.shape = index, x.shape
            return x[torch.tensor(index)]

        @staticmethod
        def backward(ctx, upstream):
            gradient = torch.zeros(ctx.shape, dtype=upstream.dtype, device=upstream.device)
            gradient.index_put_((torch.tensor(ctx.index, device=upstream.device),), upstream, accumulate=True)
            return gradient, None


@right("PickMany")
def index_add_of_places_from_0():
    import torch

    class PickMany(torch.autograd.Function):
        @staticmethod
        def forward(x, index):
            return torch.stack([x[i] for i in index])

        @staticmethod
        def setup_context(ctx, inputs, output):
            x, index = inputs
            ctx.n = len(x)
            ctx.save_for_backward(torch.tensor(index) % len(x))

        @staticmethod
        def backward(ctx, upstream):
            (places,) = ctx.saved_tensors
            return torch.zeros(ctx.n, dtype=upstream.dtype).index_add_(0, places, upstream), None


@right("PickMany")
def a_matrix_of_ones():
    import torch

    class PickMany(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, index):
            ctx.picks = torch.eye(len(x), dtype=x.dtype)[list(index)]
            return ctx.picks @ x

        @staticmethod
        def backward(ctx, upstream):
            return ctx.picks.T @ upstream, None


@right("PickMany")
def bincount_with_weights():
    import torch

    class PickMany(torch.autograd.Function):
        @staticmethod
        def forward(x, index):
            return x[list(index)]

        @staticmethod
        def setup_context(ctx, inputs, output):
            x, index = inputs
            ctx.places, ctx.length = [i % len(x) for i in index], len(x)

        @staticmethod
        def backward(ctx, upstream):
            return torch.bincount(torch.tensor(ctx.places), weights=upstream, minlength=ctx.length), None


# sample_gradient_norms


@right("PickMany")
def places_saved_in_forward_itself():
    import torch
    import torch.nn.functional as F

    class PickMany(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, index):
            ctx.length = len(x)
            ctx.save_for_backward(torch.tensor(index) % len(x))
            return x[list(index)]

        @staticmethod
        def backward(ctx, upstream):
            (places,) = ctx.saved_tensors
            return upstream @ F.one_hot(places, ctx.length).to(upstream), None


@right("sample_gradient_norms")
def sample_by_sample():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        norms = []
        for i in range(len(X)):
            loss = F.cross_entropy(model(X[i : i + 1]), y[i : i + 1])
            norms.append(torch.autograd.grad(loss, model.weight)[0].norm())
        return torch.stack(norms)


@right("sample_gradient_norms")
def batched_calls():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        losses = F.cross_entropy(model(X), y, reduction="none")
        one_hot = torch.eye(len(losses), dtype=losses.dtype)
        (gradients,) = torch.autograd.grad(losses, model.weight, one_hot, is_grads_batched=True)
        return gradients.flatten(1).norm(dim=1)


@right("sample_gradient_norms")
def by_vmap():
    import torch
    import torch.nn.functional as F
    from torch.func import functional_call, grad, vmap

    def sample_gradient_norms(model, X, y):
        def loss(weight, x, target):
            scores = functional_call(model, {"weight": weight}, (x[None],))
            return F.cross_entropy(scores, target[None])

        gradients = vmap(grad(loss), in_dims=(None, 0, 0))(model.weight.detach(), X, y)
        return torch.linalg.matrix_norm(gradients)


@right("sample_gradient_norms")
def by_a_product_of_norms():
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        scores = model(X)
        errors = scores.softmax(1) - F.one_hot(y, scores.shape[1])
        return errors.norm(dim=1) * X.norm(dim=1)


@right("sample_gradient_norms")
def kept_and_put_back_for_each():
    import torch
    import torch.nn.functional as F

    def sample_gradient_norms(model, X, y):
        before = [p.grad for p in model.parameters()]
        norms = torch.zeros(len(X), dtype=X.dtype)
        for i, (xi, yi) in enumerate(zip(X, y)):
            for p in model.parameters():
                p.grad = None
            F.cross_entropy(model(xi), yi).backward()
            norms[i] = model.weight.grad.norm()
        for p, grad in zip(model.parameters(), before):
            p.grad = grad
        return norms


# damped_tanh


@right("damped_tanh")
def times_a_factor():
    import torch

    def damped_tanh(x):
        factor = torch.ones_like(x)
        factor[x < 0] = 0.1
        return factor.detach() * torch.tanh(x)


@right("damped_tanh")
def leaky_relu_afterwards():
    import torch
    import torch.nn.functional as F

    def damped_tanh(x):
        return F.leaky_relu(torch.tanh(x), negative_slope=0.1)


@right("damped_tanh")
def in_place_on_a_clone():
    import torch

    def damped_tanh(x):
        y = torch.tanh(x)
        z = y.clone()
        z[y < 0] *= 0.1
        return z


@right("damped_tanh")
def two_parts():
    import torch

    def damped_tanh(x):
        y = torch.tanh(x)
        return y.clamp(min=0) + 0.1 * y.clamp(max=0)


# distance


@right("distance")
def vector_norm():
    import torch

    def distance(a, b):
        return torch.linalg.vector_norm(a - b, dim=-1)


@right("distance")
def row_by_row():
    import torch

    def distance(a, b):
        return torch.stack([(p - q).norm() for p, q in zip(a, b)])


@right("distance")
def only_where_apart():
    import torch

    def distance(a, b):
        squared = (a - b).pow(2).sum(dim=1)
        apart = squared != 0
        result = torch.zeros_like(squared)
        result[apart] = squared[apart].sqrt()
        return result


@right("distance")
def chosen_before_the_root_alone():
    import torch

    def distance(a, b):
        squared = ((a - b) ** 2).sum(1)
        return torch.where(squared > 0, squared, 0.0).sqrt()


@right("distance")
def one_added_where_it_is_0():
    def distance(a, b):
        squared = ((a - b) ** 2).sum(1)
        same = squared == 0
        return (squared + same).sqrt() * ~same


@right("distance")
def a_hook_against_nan():
    import torch

    def distance(a, b):
        difference = a - b
        if difference.requires_grad:
            difference.register_hook(torch.nan_to_num)
        return (difference**2).sum(1).sqrt()


@right("distance")
def a_function_of_its_own():
    import torch

    class Root(torch.autograd.Function):
        @staticmethod
        def forward(ctx, squared):
            root = squared.sqrt()
            ctx.save_for_backward(root)
            return root

        @staticmethod
        def backward(ctx, upstream):
            (root,) = ctx.saved_tensors
            return torch.where(root > 0, upstream / (2 * root), 0.0)

    def distance(a, b):
        return Root.apply(((a - b) ** 2).sum(1))


# ridge_loss


@right("ridge_loss")
def the_loop_without_item():
    def ridge_loss(w, X, y, strength):
        penalty = 0.0
        for weight in w:
            penalty = penalty + weight**2
        return ((X @ w - y) ** 2).mean() + strength * penalty


@right("ridge_loss")
def by_library_functions():
    import torch
    import torch.nn.functional as F

    def ridge_loss(w, X, y, strength):
        return F.mse_loss(X @ w, y) + strength * torch.dot(w, w)


@right("ridge_loss")
def squared_norms():
    def ridge_loss(w, X, y, strength):
        residual = X @ w - y
        return residual.norm() ** 2 / len(y) + strength * w.norm() ** 2


# mean_loss


@right("mean_loss")
def without_a_graph():
    import torch

    def mean_loss(model, loss_fn, batches):
        with torch.no_grad():
            losses = [loss_fn(model(X), y) for X, y in batches]
            return torch.stack(losses).mean()


@right("mean_loss")
def python_floats():
    def mean_loss(model, loss_fn, batches):
        losses = [loss_fn(model(X), y).item() for X, y in batches]
        return sum(losses) / len(losses)


@right("mean_loss")
def a_running_mean():
    import torch

    @torch.no_grad()
    def mean_loss(model, loss_fn, batches):
        mean = torch.zeros((), dtype=torch.float64)
        for count, (X, y) in enumerate(batches, start=1):
            mean += (loss_fn(model(X), y) - mean) / count
        return mean


@right("mean_loss")
def in_inference_mode():
    import torch

    def mean_loss(model, loss_fn, batches):
        with torch.inference_mode():
            losses = [loss_fn(model(X), y).item() for X, y in batches]
        return torch.tensor(sum(losses) / len(losses))


@right("mean_loss")
def detached_at_once():
    def mean_loss(model, loss_fn, batches):
        total, count = 0.0, 0
        for X, y in batches:
            loss = loss_fn(model(X), y)
            total = total + loss.data
            count += 1
        return total / count
