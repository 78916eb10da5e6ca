"""Wrong answers to exercise 08."""

from tests.answers import wrong

# three_derivatives


@wrong("three_derivatives", diagnosed="not attempted")
def three_derivatives_not_attempted():
    def three_derivatives(f, x):
        raise NotImplementedError  # your code here


@wrong("three_derivatives", diagnosed="a derivative without a graph")
def three_without_create_graph():
    import torch

    def three_derivatives(f, x):
        x = x.clone().requires_grad_()
        d1 = torch.autograd.grad(f(x), x)[0]
        d2 = torch.autograd.grad(d1, x)[0]
        d3 = torch.autograd.grad(d2, x)[0]
        return d1, d2, d3


@wrong("three_derivatives", diagnosed="a derivative without a graph")
def retained_only():
    import torch

    def three_derivatives(f, x):
        x = x.clone().requires_grad_()
        d1 = torch.autograd.grad(f(x), x, retain_graph=True)[0]
        d2 = torch.autograd.grad(d1, x, retain_graph=True)[0]
        d3 = torch.autograd.grad(d2, x)[0]
        return d1, d2, d3


@wrong("three_derivatives", diagnosed="a derivative without a graph", loses=("zeros where nothing is left",))
def no_thought_of_the_end():
    import torch

    def three_derivatives(f, x):
        x = x.clone().requires_grad_()
        d1 = torch.autograd.grad(f(x), x, create_graph=True)[0]
        d2 = torch.autograd.grad(d1, x, create_graph=True)[0]
        d3 = torch.autograd.grad(d2, x, create_graph=True)[0]
        return d1, d2, d3


@wrong("three_derivatives", diagnosed="nothing left to differentiate", loses=("zeros where nothing is left",))
def no_graph_thought_of_but_not_another_graph():
    import torch

    def three_derivatives(f, x):
        x = x.clone().requires_grad_()
        d, found = f(x), []
        for _ in range(3):
            d = torch.autograd.grad(d, x, create_graph=True)[0] if d.requires_grad else torch.zeros_like(x)
            found.append(d)
        return found


@wrong("three_derivatives", diagnosed="None instead of a gradient", loses=("zeros where nothing is left",))
def none_for_what_is_left():
    import torch

    def three_derivatives(f, x):
        x = x.clone().requires_grad_()
        d, found = f(x), []
        for _ in range(3):
            if d is not None and d.requires_grad:
                d = torch.autograd.grad(d, x, create_graph=True, allow_unused=True)[0]
            else:
                d = None
            found.append(d)
        return found


@wrong("three_derivatives", diagnosed="powers instead of derivatives")
def squares_and_cubes():
    import torch

    def three_derivatives(f, x):
        x = x.clone().requires_grad_()
        d = torch.autograd.grad(f(x), x)[0]
        return d, d**2, d**3


@wrong("three_derivatives", diagnosed="powers instead of derivatives")
def the_slope_squared():
    import torch

    def three_derivatives(f, x):
        d1 = torch.func.grad(f)
        d3 = torch.func.grad(torch.func.grad(d1))
        return d1(x), d1(x) * d1(x), d3(x)


@wrong("three_derivatives", diagnosed=".grad accumulates")
def backward_three_times():
    def three_derivatives(f, x):
        x = x.clone().requires_grad_()
        y, found = f(x), []
        for _ in range(3):
            y.backward(create_graph=True)
            y = x.grad
            found.append(y)
        return found


@wrong("three_derivatives", diagnosed=".grad accumulates")
def backward_without_a_graph_at_the_end():
    def three_derivatives(f, x):
        x = x.clone().requires_grad_()
        f(x).backward(create_graph=True)
        d1 = x.grad
        d1.backward(create_graph=True)
        d2 = x.grad
        d2.backward()
        return d1, d2, x.grad


@wrong("three_derivatives", diagnosed="the value counted as a derivative")
def the_value_first():
    import torch

    def three_derivatives(f, x):
        x = x.clone().requires_grad_()
        y = f(x)
        d1 = torch.autograd.grad(y, x, create_graph=True)[0]
        d2 = torch.autograd.grad(d1, x, materialize_grads=True)[0] if d1.requires_grad else 0 * x
        return y, d1, d2


@wrong("three_derivatives", diagnosed="the same derivative again")
def the_first_differentiated_twice():
    import torch

    def three_derivatives(f, x):
        x = x.clone().requires_grad_()
        d1 = torch.autograd.grad(f(x), x, create_graph=True)[0]
        d2 = torch.autograd.grad(d1, x, create_graph=True)[0]
        d3 = torch.autograd.grad(d1, x, create_graph=True)[0]
        return d1, d2, d3


@wrong("three_derivatives", diagnosed="the first three times")
def the_value_differentiated_three_times():
    import torch

    def three_derivatives(f, x):
        x = x.clone().requires_grad_()
        y = f(x)
        return [torch.autograd.grad(y, x, retain_graph=True)[0] for _ in range(3)]


@wrong("three_derivatives", diagnosed="divided by factorials")
def taylor_coefficients():
    from torch.func import grad

    def three_derivatives(f, x):
        return grad(f)(x), grad(grad(f))(x) / 2, grad(grad(grad(f)))(x) / 6


@wrong("three_derivatives", diagnosed="another shape")
def kept_in_vectors():
    import torch

    def three_derivatives(f, x):
        d1 = torch.func.grad(f)
        d2 = torch.func.grad(d1)
        d3 = torch.func.grad(d2)
        return d1(x).reshape(1), d2(x).reshape(1), d3(x).reshape(1)


@wrong("three_derivatives", diagnosed="left in a tuple")
def the_tuples_of_grad():
    import torch

    def three_derivatives(f, x):
        x = x.clone().requires_grad_()
        d1 = torch.autograd.grad(f(x), x, create_graph=True)
        d2 = torch.autograd.grad(d1, x, create_graph=True)
        d3 = torch.autograd.grad(d2, x, create_graph=True)
        return d1, d2, d3


@wrong("three_derivatives", diagnosed="the caller's tensor marked", loses=("x as it was",))
def x_marked():
    import torch

    def three_derivatives(f, x):
        x.requires_grad_()
        d, found = f(x), []
        for _ in range(3):
            if d.requires_grad:
                d = torch.autograd.grad(d, x, create_graph=True, materialize_grads=True)[0]
            else:
                d = torch.zeros_like(x)
            found.append(d.detach())
            d = d if d.requires_grad else d.detach()
        return found


# hessian_vector_product


@wrong("hessian_vector_product", diagnosed="not attempted")
def hessian_vector_product_not_attempted():
    def hessian_vector_product(f, x, v):
        raise NotImplementedError  # your code here


@wrong("hessian_vector_product", diagnosed="a derivative without a graph")
def hvp_without_create_graph():
    import torch

    def hessian_vector_product(f, x, v):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x)[0]
        return torch.autograd.grad(g, x, v)[0]


@wrong("hessian_vector_product", diagnosed="a derivative without a graph", loses=("a linear function",))
def no_thought_of_linear_functions():
    import torch

    def hessian_vector_product(f, x, v):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        return torch.autograd.grad((g * v).sum(), x, materialize_grads=True)[0]


@wrong("hessian_vector_product", diagnosed="nothing left to differentiate", loses=("a linear function",))
def a_gradient_of_other_tensors():
    import torch

    def hessian_vector_product(f, x, v):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        if not g.requires_grad:
            return torch.zeros_like(x)
        return torch.autograd.grad(g, x, v)[0]


@wrong("hessian_vector_product", diagnosed="None returned", loses=("a linear function",))
def none_for_a_linear_function():
    import torch

    def hessian_vector_product(f, x, v):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        if g.requires_grad:
            return torch.autograd.grad(g, x, v, allow_unused=True)[0]


@wrong("hessian_vector_product", diagnosed="the whole Hessian", loses=("without the matrix",))
def the_matrix_first():
    import torch

    def hessian_vector_product(f, x, v):
        H = torch.autograd.functional.hessian(f, x).reshape(x.numel(), x.numel())
        return (H @ v.reshape(-1)).reshape(x.shape)


@wrong("hessian_vector_product", diagnosed="the whole Hessian", loses=("without the matrix",))
def the_matrix_by_torch_func():
    import torch

    def hessian_vector_product(f, x, v):
        H = torch.func.hessian(f)(x)
        return torch.tensordot(H, v, dims=x.dim())


@wrong("hessian_vector_product", diagnosed="a pass for each element", loses=("without the matrix",))
def rows_in_a_loop():
    import torch

    def hessian_vector_product(f, x, v):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        result = torch.zeros_like(v)
        if g.requires_grad:
            for i in range(x.numel()):
                row = torch.autograd.grad(g.view(-1)[i], x, retain_graph=True, materialize_grads=True)[0]
                result.view(-1)[i] = (row * v).sum()
        return result


@wrong("hessian_vector_product", diagnosed="f called twice")
def a_difference_of_gradients():
    import torch

    def hessian_vector_product(f, x, v):
        gradient = torch.func.grad(f)
        h = 1e-5
        return (gradient(x + h * v) - gradient(x - h * v)) / (2 * h)


@wrong("hessian_vector_product", diagnosed="f called twice", loses=("without the matrix",))
def f_tried_out_first():
    import torch

    def hessian_vector_product(f, x, v):
        assert f(x).dim() == 0
        return torch.func.jvp(torch.func.grad(f), (x,), (v,))[1]


@wrong("hessian_vector_product", diagnosed="v multiplied on afterwards")
def v_too_late():
    import torch

    def hessian_vector_product(f, x, v):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        if not g.requires_grad:
            return torch.zeros_like(x)
        return torch.autograd.grad(g.sum(), x, materialize_grads=True)[0] * v


@wrong("hessian_vector_product", diagnosed="v ignored")
def ones_in_place_of_v():
    import torch

    def hessian_vector_product(f, x, v):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        return torch.autograd.grad(g, x, torch.ones_like(g))[0]


@wrong("hessian_vector_product", diagnosed="only the diagonal")
def each_element_by_itself():
    import torch

    def hessian_vector_product(f, x, v):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        result = torch.zeros_like(v)
        for i in range(x.numel()):
            result.view(-1)[i] = torch.autograd.grad(g.view(-1)[i], x, retain_graph=True)[0].view(-1)[i]
        return result * v


@wrong("hessian_vector_product", diagnosed="slopes multiplied")
def outer_product_of_the_gradient():
    import torch

    def hessian_vector_product(f, x, v):
        g = torch.func.grad(f)(x)
        return g * torch.sum(g * v)


@wrong("hessian_vector_product", diagnosed="the first derivative along v")
def stopped_half_way():
    import torch

    def hessian_vector_product(f, x, v):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        return (g * v).sum()


@wrong("hessian_vector_product", diagnosed="v on both sides")
def curvature_along_v():
    import torch

    def hessian_vector_product(f, x, v):
        Hv = torch.func.jvp(torch.func.grad(f), (x,), (v,))[1]
        return torch.sum(v * Hv)


@wrong("hessian_vector_product", diagnosed="divided by the length")
def a_unit_vector():
    import torch

    def hessian_vector_product(f, x, v):
        return torch.func.jvp(torch.func.grad(f), (x,), (v / torch.linalg.vector_norm(v),))[1]


@wrong("hessian_vector_product", diagnosed="the gradient itself")
def first_pass_weighted():
    import torch

    def hessian_vector_product(f, x, v):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(f(x), x)[0] * v


@wrong("hessian_vector_product", diagnosed="v of another shape")
def made_for_vectors():
    import torch

    def hessian_vector_product(f, x, v):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        return torch.autograd.grad(torch.dot(g, v), x)[0]


@wrong("hessian_vector_product", diagnosed="the caller's tensor marked")
def hvp_x_marked():
    import torch

    def hessian_vector_product(f, x, v):
        x.requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        if not g.requires_grad:
            return torch.zeros_like(g)
        return torch.autograd.grad(g, x, v, materialize_grads=True)[0]


# gradient_penalty


@wrong("gradient_penalty", diagnosed="not attempted")
def gradient_penalty_not_attempted():
    def gradient_penalty(critic, X):
        raise NotImplementedError  # your code here


@wrong("gradient_penalty", diagnosed="not differentiable")
def penalty_without_create_graph():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, retain_graph=True)[0]
        return ((g.flatten(1).norm(dim=1) - 1) ** 2).mean()


@wrong("gradient_penalty", diagnosed="not differentiable")
def norms_detached():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        norms = g.detach().flatten(1).norm(dim=1)
        return (norms - 1).square().mean()


@wrong("gradient_penalty", diagnosed="a number without its graph")
def a_plain_number():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return ((g.flatten(1).norm(dim=1) - 1) ** 2).mean().item()


@wrong("gradient_penalty", diagnosed="one norm for the batch")
def a_single_norm():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return (g.norm() - 1) ** 2


@wrong("gradient_penalty", diagnosed="a norm for each place of the image")
def norm_over_axis_1():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        y = critic(X)
        g = torch.autograd.grad(y, X, torch.ones_like(y), create_graph=True)[0]
        return ((g.norm(2, dim=1) - 1) ** 2).mean()


@wrong("gradient_penalty", diagnosed="a norm for each row")
def norm_over_the_last_axis():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return ((torch.linalg.vector_norm(g, dim=-1) - 1) ** 2).mean()


@wrong("gradient_penalty", diagnosed="samples and numbers exchanged")
def norm_over_the_batch():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return ((g.norm(dim=0) - 1) ** 2).mean()


@wrong("gradient_penalty", diagnosed="the mean of the outputs")
def gradients_of_the_mean():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).mean(), X, create_graph=True)[0]
        return ((g.flatten(1).norm(dim=1) - 1) ** 2).mean()


@wrong("gradient_penalty", diagnosed="summed over samples")
def a_sum_of_costs():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return ((g.flatten(1).norm(dim=1) - 1) ** 2).sum()


@wrong("gradient_penalty", diagnosed="the mean squared")
def mean_of_norms():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return (g.flatten(1).norm(dim=1).mean() - 1) ** 2


@wrong("gradient_penalty", diagnosed="the 1 forgotten")
def norms_pulled_to_zero():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return g.flatten(1).square().sum(1).mean()


@wrong("gradient_penalty", diagnosed="the square forgotten")
def absolute_distances():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return (g.flatten(1).norm(dim=1) - 1).abs().mean()


@wrong("gradient_penalty", diagnosed="the root forgotten")
def squared_norms():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return ((g.flatten(1).square().sum(1) - 1) ** 2).mean()


@wrong("gradient_penalty", diagnosed="a sum instead of a norm")
def the_other_norm():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return ((g.flatten(1).norm(p=1, dim=1) - 1) ** 2).mean()


@wrong("gradient_penalty", diagnosed="only norms above 1")
def one_sided():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return torch.relu(g.flatten(1).norm(dim=1) - 1).square().mean()


@wrong("gradient_penalty", diagnosed="gradient of the parameters")
def weights_gradient():
    import torch

    def gradient_penalty(critic, X):
        weights = [p for p in critic.parameters() if p.requires_grad]
        grads = torch.autograd.grad(critic(X).sum(), weights, create_graph=True)
        norm = torch.cat([g.reshape(-1) for g in grads]).norm()
        return (norm - 1) ** 2


@wrong("gradient_penalty", diagnosed="the root at 0", loses=("a sample with gradient 0",))
def norm_by_hand():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        norms = torch.sqrt((g.flatten(1) ** 2).sum(1))
        return ((norms - 1) ** 2).mean()


@wrong("gradient_penalty", diagnosed="the root at 0", loses=("a sample with gradient 0",))
def nan_hidden_by_where():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        squares = (g.flatten(1) ** 2).sum(1)
        norms = torch.where(squares > 0, squares**0.5, torch.zeros_like(squares))
        return ((norms - 1) ** 2).mean()


@wrong("gradient_penalty", diagnosed="a large epsilon under the root", loses=("a sample with gradient 0",))
def epsilon_under_the_root():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        norms = torch.sqrt((g.flatten(1) ** 2).sum(1) + 1e-8)
        return ((norms - 1) ** 2).mean()


@wrong("gradient_penalty", diagnosed="the critic's .grad filled", loses=("the critic as it was",))
def by_backward():
    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        critic(X).sum().backward(create_graph=True)
        return ((X.grad.flatten(1).norm(dim=1) - 1) ** 2).mean()


@wrong("gradient_penalty", diagnosed="the critic's .grad cleared", loses=("the critic as it was",))
def tidied_up():
    import torch

    def gradient_penalty(critic, X):
        critic.zero_grad()
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return ((g.flatten(1).norm(dim=1) - 1) ** 2).mean()


@wrong("gradient_penalty", diagnosed="mode changed", loses=("the critic as it was",))
def switched_to_evaluation():
    import torch

    def gradient_penalty(critic, X):
        critic.eval()
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        critic.train()
        return ((g.flatten(1).norm(dim=1) - 1) ** 2).mean()


@wrong("gradient_penalty", diagnosed="the caller's tensor marked", loses=("the critic as it was",))
def X_marked():
    import torch

    def gradient_penalty(critic, X):
        X.requires_grad_(True)
        g = torch.autograd.grad(critic(X).sum(), X, create_graph=True)[0]
        return ((g.flatten(1).norm(dim=1) - 1) ** 2).mean()


@wrong("gradient_penalty", diagnosed="an output for each sample")
def grad_of_the_scores():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X), X, create_graph=True)[0]
        return ((g.flatten(1).norm(dim=1) - 1) ** 2).mean()


@wrong("gradient_penalty", diagnosed="the output's shape")
def scores_in_a_column():
    import torch

    def gradient_penalty(critic, X):
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(critic(X)[:, 0].sum(), X, create_graph=True)[0]
        return ((g.flatten(1).norm(dim=1) - 1) ** 2).mean()


@wrong("gradient_penalty", diagnosed="a derivative without a graph")
def X_without_requires_grad():
    import torch

    def gradient_penalty(critic, X):
        with torch.no_grad():
            y = critic(X).sum()
        g = torch.autograd.grad(y, X, create_graph=True)[0]
        return ((g.flatten(1).norm(dim=1) - 1) ** 2).mean()


@wrong("gradient_penalty", diagnosed="a path, not to these parameters")
def a_copy_of_the_critic():
    import copy

    import torch

    def gradient_penalty(critic, X):
        own = copy.deepcopy(critic)
        X = X.clone().requires_grad_()
        g = torch.autograd.grad(own(X).sum(), X, create_graph=True)[0]
        return ((g.flatten(1).norm(dim=1) - 1) ** 2).mean()


# newton_step


@wrong("newton_step", diagnosed="not attempted")
def newton_step_not_attempted():
    def newton_step(f, x):
        raise NotImplementedError  # your code here


@wrong("newton_step", diagnosed="a derivative without a graph")
def newton_without_create_graph():
    import torch

    def newton_step(f, x):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x)[0]
        H = torch.stack([torch.autograd.grad(one, x, retain_graph=True)[0] for one in g])
        return x - torch.linalg.solve(H, g)


@wrong("newton_step", diagnosed="inverted", loses=("solved and detached",))
def times_the_inverse():
    import torch

    def newton_step(f, x):
        g, H = torch.func.grad(f)(x), torch.func.hessian(f)(x)
        return (x - torch.linalg.inv(H) @ g).detach()


@wrong("newton_step", diagnosed="inverted", loses=("solved and detached",))
def times_the_pseudo_inverse():
    import torch

    def newton_step(f, x):
        g, H = torch.func.grad(f)(x), torch.func.hessian(f)(x)
        return (x - H.pinverse() @ g).detach()


@wrong("newton_step", diagnosed="still attached", loses=("solved and detached",))
def a_leaf_in_the_result():
    import torch

    def newton_step(f, x):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        H = torch.stack([torch.autograd.grad(one, x, retain_graph=True)[0] for one in g])
        return x - torch.linalg.solve(H, g)


@wrong("newton_step", diagnosed="uphill")
def plus_for_minus():
    import torch

    def newton_step(f, x):
        g, H = torch.func.grad(f)(x), torch.func.hessian(f)(x)
        return (x + torch.linalg.solve(H, g)).detach()


@wrong("newton_step", diagnosed="the step alone")
def only_the_step():
    import torch

    def newton_step(f, x):
        g, H = torch.func.grad(f)(x), torch.func.hessian(f)(x)
        return -torch.linalg.solve(H, g).detach()


@wrong("newton_step", diagnosed="gradient descent")
def the_gradient_alone():
    import torch

    def newton_step(f, x):
        return (x - torch.func.grad(f)(x)).detach()


@wrong("newton_step", diagnosed="multiplied by the Hessian")
def a_product_for_a_quotient():
    import torch

    def newton_step(f, x):
        g, H = torch.func.grad(f)(x), torch.func.hessian(f)(x)
        return (x - H @ g).detach()


@wrong("newton_step", diagnosed="only the diagonal")
def divided_element_by_element():
    import torch

    def newton_step(f, x):
        g, H = torch.func.grad(f)(x), torch.func.hessian(f)(x)
        return (x - g / torch.diagonal(H)).detach()


@wrong("newton_step", diagnosed="row sums of the Hessian")
def second_derivative_as_in_one_variable():
    import torch

    def newton_step(f, x):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        h = torch.autograd.grad(g.sum(), x)[0]
        return (x - g / h).detach()


@wrong("newton_step", diagnosed="curvature without its sign")
def downhill_always():
    import torch

    def newton_step(f, x):
        g, H = torch.func.grad(f)(x).detach(), torch.func.hessian(f)(x).detach()
        values, vectors = torch.linalg.eigh(H)
        return x - vectors @ ((vectors.T @ g) / values.abs())


@wrong("newton_step", diagnosed="more than one step")
def two_steps():
    import torch

    def newton_step(f, x):
        for _ in range(2):
            x = (x - torch.linalg.solve(torch.func.hessian(f)(x), torch.func.grad(f)(x))).detach()
        return x


@wrong("newton_step", diagnosed="a positive Hessian assumed")
def by_cholesky():
    import torch

    def newton_step(f, x):
        g, H = torch.func.grad(f)(x).detach(), torch.func.hessian(f)(x).detach()
        L = torch.linalg.cholesky(H)
        return x - torch.cholesky_solve(g.unsqueeze(1), L).squeeze(1)


@wrong("newton_step", diagnosed="a Hessian without all its rows")
def the_first_row_for_all():
    import torch

    def newton_step(f, x):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        rows = [torch.autograd.grad(g[0], x, retain_graph=True)[0] for _ in g]
        return (x - torch.linalg.solve(torch.stack(rows), g)).detach()


@wrong("newton_step", diagnosed="the caller's tensor marked", loses=("solved and detached",))
def newton_x_marked():
    import torch

    def newton_step(f, x):
        x.requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        H = torch.stack([torch.autograd.grad(one, x, retain_graph=True)[0] for one in g])
        return (x - torch.linalg.solve(H, g)).detach()


# gradient_through_a_step


@wrong("gradient_through_a_step", diagnosed="not attempted")
def gradient_through_a_step_not_attempted():
    def gradient_through_a_step(w, lr, train, val):
        raise NotImplementedError  # your code here


@wrong("gradient_through_a_step", diagnosed="the first-order part only")
def step_without_create_graph():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        w = w.clone().requires_grad_()
        g = torch.autograd.grad(train(w), w)[0]
        return torch.autograd.grad(val(w - lr * g), w)[0]


@wrong("gradient_through_a_step", diagnosed="the first-order part only")
def with_respect_to_the_new_weights():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        w = w.clone().requires_grad_()
        g = torch.autograd.grad(train(w), w)[0]
        moved = (w - lr * g).detach().requires_grad_()
        return torch.autograd.grad(val(moved), moved)[0]


@wrong("gradient_through_a_step", diagnosed="the second-order part only")
def start_detached():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        w = w.clone().requires_grad_()
        g = torch.autograd.grad(train(w), w, create_graph=True)[0]
        moved = w.detach() - lr * g
        if not moved.requires_grad:
            return torch.zeros_like(w)
        return torch.autograd.grad(val(moved), w, materialize_grads=True)[0]


@wrong("gradient_through_a_step", diagnosed="val at the old point")
def no_step():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        return torch.func.grad(val)(w).detach()


@wrong("gradient_through_a_step", diagnosed="uphill")
def added_gradient():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        w = w.clone().requires_grad_()
        g = torch.autograd.grad(train(w), w, create_graph=True)[0]
        return torch.autograd.grad(val(w + lr * g), w)[0]


@wrong("gradient_through_a_step", diagnosed="lr forgotten")
def without_lr():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        w = w.clone().requires_grad_()
        g = torch.autograd.grad(train(w), w, create_graph=True)[0]
        return torch.autograd.grad(val(w - g), w)[0]


@wrong("gradient_through_a_step", diagnosed="train and val exchanged")
def the_losses_exchanged():
    from torch.func import grad

    def gradient_through_a_step(w, lr, train, val):
        return grad(lambda w: train(w - lr * grad(val)(w)))(w)


@wrong("gradient_through_a_step", diagnosed="train differentiated")
def val_forgotten():
    from torch.func import grad

    def gradient_through_a_step(w, lr, train, val):
        return grad(lambda w: train(w - lr * grad(train)(w)))(w)


@wrong("gradient_through_a_step", diagnosed="the curvature of the new point")
def by_hand_with_the_wrong_hessian():
    import torch
    from torch.func import grad

    def gradient_through_a_step(w, lr, train, val):
        moved = w - lr * grad(train)(w)
        g = grad(val)(moved)
        return g - lr * torch.func.jvp(grad(train), (moved,), (g,))[1]


@wrong("gradient_through_a_step", diagnosed="with respect to lr")
def derivative_of_the_rate():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        rate = torch.tensor(lr, dtype=w.dtype, requires_grad=True)
        g = torch.func.grad(train)(w).detach()
        return torch.autograd.grad(val(w - rate * g), rate)[0]


@wrong("gradient_through_a_step", diagnosed="the new point itself")
def only_the_step_made():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        return (w - lr * torch.func.grad(train)(w)).detach()


@wrong("gradient_through_a_step", diagnosed="w no longer in the graph")
def a_fresh_leaf_behind_the_step():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        w = w.clone().requires_grad_()
        g = torch.autograd.grad(train(w), w, create_graph=True)[0]
        moved = (w - lr * g).detach().requires_grad_()
        return torch.autograd.grad(val(moved), w)[0]


@wrong("gradient_through_a_step", diagnosed="w no longer in the graph")
def stepped_without_a_graph():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        w = w.clone().requires_grad_()
        g = torch.autograd.grad(train(w), w, create_graph=True)[0]
        with torch.no_grad():
            moved = w - lr * g
        return torch.autograd.grad(val(moved), w)[0]


@wrong("gradient_through_a_step", diagnosed="written in place")
def an_optimizers_step():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        w = w.clone().requires_grad_()
        g = torch.autograd.grad(train(w), w, create_graph=True)[0]
        w -= lr * g
        return torch.autograd.grad(val(w), w)[0]


@wrong(
    "gradient_through_a_step",
    diagnosed="the caller's tensor marked",
)
def w_marked():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        w.requires_grad_()
        g = torch.autograd.grad(train(w), w, create_graph=True)[0]
        return torch.autograd.grad(val(w - lr * g), w)[0]
