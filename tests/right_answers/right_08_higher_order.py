"""Right answers to exercise 08."""

from tests.answers import right

# three_derivatives


@right("three_derivatives")
def a_function_that_differentiates_a_function():
    import torch

    def three_derivatives(f, x):
        first = torch.func.grad(f)
        second = torch.func.grad(first)
        return first(x), second(x), torch.func.grad(second)(x)


@right("three_derivatives")
def backward_with_a_cleared_grad():
    import torch

    def three_derivatives(f, x):
        leaf = torch.nn.Parameter(x.clone())
        y, found = f(leaf), []
        for _ in range(3):
            leaf.grad = None
            if y.requires_grad:
                y.backward(create_graph=True)
            y = torch.zeros_like(x) if leaf.grad is None else leaf.grad
            found.append(y)
        return found


@right("three_derivatives")
def none_replaced_by_zero():
    import torch

    def three_derivatives(f, x):
        leaf = x.detach().requires_grad_()

        def derivative(y):
            if y.grad_fn is None and y is not leaf:
                return 0 * leaf
            (d,) = torch.autograd.grad(y, leaf, create_graph=True, allow_unused=True)
            return 0 * leaf if d is None else d

        d1 = derivative(f(leaf))
        d2 = derivative(d1)
        return d1, d2, derivative(d2)


@right("three_derivatives")
def tied_to_x_by_a_zero():
    import torch

    def three_derivatives(f, x):
        leaf = x.clone().requires_grad_()
        zero = 0 * leaf**4  # ties every derivative to x
        d, found = f(leaf) + zero, []
        for _ in range(3):
            d = torch.autograd.grad(d, leaf, create_graph=True)[0] + zero
            found.append(d.detach())
        return found


# hessian_vector_product


@right("hessian_vector_product")
def gradient_of_a_weighted_sum():
    import torch

    def hessian_vector_product(f, x, v):
        leaf = x.detach().clone().requires_grad_()
        g = torch.autograd.grad(f(leaf), leaf, create_graph=True)[0]
        along = (g * v).sum()
        if along.grad_fn is None:
            return torch.zeros_like(x)
        (product,) = torch.autograd.grad(along, leaf, allow_unused=True)
        return torch.zeros_like(x) if product is None else product


@right("hessian_vector_product")
def forward_over_reverse():
    from torch.func import grad, jvp

    def hessian_vector_product(f, x, v):
        return jvp(grad(f), (x,), (v,))[1]


@right("hessian_vector_product")
def by_functional_hvp():
    import torch

    def hessian_vector_product(f, x, v):
        return torch.autograd.functional.hvp(f, x, v)[1]


@right("hessian_vector_product")
def by_functional_vhp():
    from torch.autograd.functional import vhp

    def hessian_vector_product(f, x, v):
        value, product = vhp(f, x, v)
        return product


# gradient_penalty


@right("gradient_penalty")
def ones_upstream():
    import torch

    def gradient_penalty(critic, X):
        leaf = X.detach().requires_grad_()
        scores = critic(leaf)
        (g,) = torch.autograd.grad(scores, leaf, grad_outputs=torch.ones_like(scores), create_graph=True)
        return ((torch.linalg.vector_norm(g.reshape(len(X), -1), dim=1) - 1) ** 2).mean()


@right("gradient_penalty")
def vmapped_gradients():
    from torch.func import grad, vmap

    def gradient_penalty(critic, X):
        each = vmap(grad(lambda sample: critic(sample.unsqueeze(0)).sum()))(X)
        return (each.flatten(1).norm(dim=1) - 1).pow(2).mean()


@right("gradient_penalty")
def a_root_that_avoids_zero():
    import torch

    def gradient_penalty(critic, X):
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(critic(leaf).sum(), leaf, create_graph=True, retain_graph=True)
        squares = g.pow(2).sum(dim=tuple(range(1, g.dim())))
        is_flat = squares == 0
        norms = torch.where(is_flat, 0.0, torch.where(is_flat, 1.0, squares).sqrt())
        return (norms - 1).square().mean()


@right("gradient_penalty")
def sample_by_sample():
    import torch

    def gradient_penalty(critic, X):
        costs = []
        for sample in X:
            leaf = sample.clone().requires_grad_()
            g = torch.autograd.grad(critic(leaf[None]).squeeze(), leaf, create_graph=True)[0]
            costs.append((g.norm() - 1) ** 2)
        return torch.stack(costs).mean()


# newton_step


@right("newton_step")
def by_torch_func():
    import torch

    def newton_step(f, x):
        gradient, hessian = torch.func.grad(f)(x), torch.func.hessian(f)(x)
        return x - torch.linalg.solve(hessian, gradient).detach()


@right("newton_step")
def by_least_squares():
    import torch

    def newton_step(f, x):
        H = torch.autograd.functional.hessian(f, x)
        (g,) = torch.autograd.functional.jacobian(f, (x,))
        return x - torch.linalg.lstsq(H.detach(), g.detach().unsqueeze(1)).solution.squeeze(1)


@right("newton_step")
def by_eigenvectors():
    import torch

    def newton_step(f, x):
        with torch.no_grad():
            g, H = torch.func.jacrev(f)(x), torch.func.jacfwd(torch.func.jacrev(f))(x)
            values, vectors = torch.linalg.eigh(H)
            return x - vectors @ ((vectors.T @ g) / values)


# gradient_through_a_step


@right("gradient_through_a_step")
def both_parts_by_hand():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        step = torch.func.grad(train)
        after = torch.func.grad(val)(w - lr * step(w))
        bent = torch.func.jvp(step, (w,), (after,))[1]
        return after - lr * bent


@right("gradient_through_a_step")
def gradient_of_the_whole():
    from torch.func import grad

    def gradient_through_a_step(w, lr, train, val):
        def result(w):
            return val(w - lr * grad(train)(w))

        return grad(result)(w)


@right("gradient_through_a_step")
def backward_at_the_end():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        start = w.detach().clone().requires_grad_(True)
        g = torch.autograd.grad(train(start), start, create_graph=True)[0]
        val(torch.sub(start, g, alpha=lr)).backward()
        return start.grad
