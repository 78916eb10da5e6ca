"""Wrong answers to exercise 05."""

from tests.answers import wrong

# total_and_direct


@wrong("total_and_direct", diagnosed="not attempted")
def total_and_direct_not_attempted():
    def total_and_direct(x, i):
        raise NotImplementedError  # your code here


@wrong("total_and_direct", diagnosed="x[i] indexed again")
def a_fresh_element():
    import torch

    def total_and_direct(x, i):
        y = x[i] * x.sum()
        (total,) = torch.autograd.grad(y, x, retain_graph=True)
        (direct,) = torch.autograd.grad(y, x[i])
        return total[i], direct


@wrong("total_and_direct", diagnosed="x[i] indexed again")
def a_fresh_element_unused():
    import torch

    def total_and_direct(x, i):
        y = x[i] * x.sum()
        total, direct = torch.autograd.grad(y, (x, x[i]), materialize_grads=True)
        return total[i], direct


@wrong("total_and_direct", diagnosed=".grad of a new tensor")
def grad_of_the_element():
    def total_and_direct(x, i):
        (x[i] * x.sum()).backward()
        return x.grad[i], x[i].grad


@wrong("total_and_direct", diagnosed="the sum's path only")
def the_factor_cut_off():
    import torch

    def total_and_direct(x, i):
        xi = x[i].detach().requires_grad_()
        total, direct = torch.autograd.grad(xi * x.sum(), (x, xi))
        return total[i], direct


@wrong("total_and_direct", diagnosed="swapped")
def direct_first():
    import torch

    def total_and_direct(x, i):
        xi = x[i]
        total, direct = torch.autograd.grad(xi * x.sum(), (x, xi))
        return direct, total[i]


@wrong("total_and_direct", diagnosed="graph already freed")
def two_calls_and_no_graph():
    import torch

    def total_and_direct(x, i):
        xi = x[i]
        y = xi * x.sum()
        total = torch.autograd.grad(y, x)[0][i]
        return total, torch.autograd.grad(y, xi)[0]


@wrong("total_and_direct", diagnosed="backward instead of grad", loses=("`x.grad` as it was",))
def by_backward():
    def total_and_direct(x, i):
        xi = x[i]
        xi.retain_grad()
        (xi * x.sum()).backward()
        return x.grad[i], xi.grad


@wrong("total_and_direct", diagnosed="x.grad cleared", loses=("`x.grad` as it was",))
def zeroed_first():
    def total_and_direct(x, i):
        x.grad = None
        xi = x[i]
        xi.retain_grad()
        (xi * x.sum()).backward()
        total, x.grad = x.grad[i], None
        return total, xi.grad


@wrong("total_and_direct", diagnosed="the total twice")
def nothing_held():
    import torch

    def total_and_direct(x, i):
        y = x[i] * x.sum()
        total = torch.autograd.grad(y, x)[0][i]
        return total, total


@wrong("total_and_direct", diagnosed="the direct one twice")
def the_sum_detached():
    import torch

    def total_and_direct(x, i):
        xi = x[i]
        y = xi * x.sum().detach()
        total, direct = torch.autograd.grad(y, (x, xi))
        return total[i], direct


@wrong("total_and_direct", diagnosed="the path through the sum")
def the_other_path():
    def total_and_direct(x, i):
        return x.sum() + x[i], x[i]


@wrong("total_and_direct", diagnosed="the whole gradient")
def not_indexed():
    import torch

    def total_and_direct(x, i):
        xi = x[i]
        return torch.autograd.grad(xi * x.sum(), (x, xi))


@wrong("total_and_direct", diagnosed="the lesson's formula")
def two_times_the_element():
    import torch

    def total_and_direct(x, i):
        xi = x[i]
        total, direct = torch.autograd.grad(2 * xi + x.sum(), (x, xi))
        return total[i], direct


@wrong("total_and_direct", diagnosed="left in a tuple")
def a_tuple_for_the_factor():
    import torch

    def total_and_direct(x, i):
        xi = x[i]
        y = xi * x.sum()
        total = torch.autograd.grad(y, x, retain_graph=True)[0][i]
        return total, torch.autograd.grad(y, xi)


@wrong("total_and_direct", diagnosed="the sum's path only")
def counted_from_one():
    import torch

    def total_and_direct(x, i):
        xi = x[i]
        total, direct = torch.autograd.grad(xi * x.sum(), (x, xi))
        return torch.roll(total, 1)[i], direct


# vectorised_element


@wrong("vectorised_element", diagnosed="not attempted")
def vectorised_element_not_attempted():
    def vectorised_element(x, w, i):
        raise NotImplementedError  # your code here


@wrong("vectorised_element", diagnosed="passes added up")
def the_program_that_circulates():
    import torch

    def vectorised_element(x, w, i):
        x = x.detach().clone().requires_grad_()
        (torch.sum(x * w) ** 2).backward()
        ((x[i] * w[i]) ** 2).backward()
        (torch.sum(x * w) ** 2).backward()
        return x.grad[i]


@wrong("vectorised_element", diagnosed="passes added up")
def that_program_on_the_callers_tensor():
    import torch

    def vectorised_element(x, w, i):
        x.requires_grad_()
        x.grad = None
        (torch.sum(x * w) ** 2).backward()
        ((x[i] * w[i]) ** 2).backward()
        (torch.sum(x * w) ** 2).backward()
        return x.grad[i].item()


@wrong("vectorised_element", diagnosed="the weight's gradient")
def with_respect_to_the_weight():
    import torch

    def vectorised_element(x, w, i):
        w = w.clone().requires_grad_()
        (gradient,) = torch.autograd.grad(torch.sum(x * w) ** 2, w)
        return gradient[i]


@wrong("vectorised_element", diagnosed="the outer square forgotten")
def only_the_sum():
    def vectorised_element(x, w, i):
        return w[i]


@wrong("vectorised_element", diagnosed="the 2 of the square lost")
def half():
    def vectorised_element(x, w, i):
        return (x * w).sum() * w[i]


@wrong("vectorised_element", diagnosed="the inner derivative forgotten")
def only_the_square():
    def vectorised_element(x, w, i):
        return 2 * (x * w).sum()


@wrong("vectorised_element", diagnosed="one product squared")
def the_isolated_contribution():
    import torch

    def vectorised_element(x, w, i):
        xi = x[i].detach().requires_grad_()
        return torch.autograd.grad((xi * w[i]) ** 2, xi)[0]


@wrong("vectorised_element", diagnosed="one product squared")
def squares_summed():
    import torch

    def vectorised_element(x, w, i):
        leaf = x.detach().requires_grad_()
        return torch.autograd.grad(((leaf * w) ** 2).sum(), leaf)[0][i]


@wrong("vectorised_element", diagnosed="the whole gradient")
def every_element():
    import torch

    def vectorised_element(x, w, i):
        leaf = x.detach().requires_grad_()
        return torch.autograd.grad((leaf * w).sum() ** 2, leaf)[0]


@wrong("vectorised_element", diagnosed="no graph behind it")
def no_leaf_of_its_own():
    import torch

    def vectorised_element(x, w, i):
        return torch.autograd.grad((x * w).sum() ** 2, x)[0][i]


@wrong("vectorised_element", diagnosed="backward instead of grad", loses=("`x.grad` filled before, and `x` as it was",))
def backward_on_the_callers_tensor():
    def vectorised_element(x, w, i):
        x.requires_grad_()
        ((x * w).sum() ** 2).backward()
        return x.grad[i].item()


@wrong("vectorised_element", diagnosed="x.grad cleared", loses=("`x.grad` filled before, and `x` as it was",))
def cleared_before():
    def vectorised_element(x, w, i):
        x.requires_grad_()
        x.grad = None
        ((x * w).sum() ** 2).backward()
        return x.grad[i].item()


@wrong("vectorised_element", diagnosed="the caller's x marked", loses=("`x.grad` filled before, and `x` as it was",))
def requires_grad_switched_on():
    import torch

    def vectorised_element(x, w, i):
        x.requires_grad_(True)
        return torch.autograd.grad((x * w).sum() ** 2, x)[0][i]


@wrong("vectorised_element", diagnosed="index out of bounds")
def one_element_on():
    def vectorised_element(x, w, i):
        return 2 * (x * w).sum() * w[i + 1]


@wrong("vectorised_element", diagnosed="another element's derivative")
def the_element_before():
    import torch

    def vectorised_element(x, w, i):
        leaf = x.detach().requires_grad_()
        return torch.autograd.grad((leaf * w).sum() ** 2, leaf)[0][i - 1]


# intermediate_element


@wrong("intermediate_element", diagnosed="not attempted")
def intermediate_element_not_attempted():
    def intermediate_element(f, g, x, i):
        raise NotImplementedError  # your code here


@wrong("intermediate_element", diagnosed="with respect to x")
def the_input_asked_about():
    import torch

    def intermediate_element(f, g, x, i):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(g(f(x)), x)[0][i]


@wrong("intermediate_element", diagnosed="a new tensor asked about")
def f_called_again():
    import torch

    def intermediate_element(f, g, x, i):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(g(f(x)), f(x))[0][i]


@wrong("intermediate_element", diagnosed="a new tensor asked about")
def h_indexed_again():
    import torch

    def intermediate_element(f, g, x, i):
        h = f(x).detach().requires_grad_()
        return torch.autograd.grad(g(h), h[i])[0]


@wrong("intermediate_element", diagnosed="h computed twice", loses=("`f` called once",))
def f_called_for_its_shape():
    import torch

    def intermediate_element(f, g, x, i):
        h = torch.zeros(f(x).shape, dtype=x.dtype)
        h = (h + f(x).detach()).requires_grad_()
        return torch.autograd.grad(g(h), h)[0][i]


@wrong("intermediate_element", diagnosed="the whole gradient")
def all_of_h():
    import torch

    def intermediate_element(f, g, x, i):
        h = f(x).detach().requires_grad_()
        return torch.autograd.grad(g(h), h)[0]


@wrong("intermediate_element", diagnosed="the gradient summed")
def summed_over_h():
    import torch

    def intermediate_element(f, g, x, i):
        h = f(x).detach().requires_grad_()
        return torch.autograd.grad(g(h), h)[0].sum()


@wrong("intermediate_element", diagnosed="f differentiated")
def the_first_function():
    import torch

    def intermediate_element(f, g, x, i):
        x = x.clone().requires_grad_()
        h = f(x)
        return torch.autograd.grad(h[i], x)[0][i]


@wrong("intermediate_element", diagnosed="no graph behind it")
def nothing_requires_a_gradient():
    import torch

    def intermediate_element(f, g, x, i):
        h = f(x)
        return torch.autograd.grad(g(h), h)[0][i]


@wrong("intermediate_element", diagnosed="None used as a gradient")
def not_retained():
    def intermediate_element(f, g, x, i):
        h = f(x.clone().requires_grad_())
        g(h).backward()
        return h.grad[i]


@wrong("intermediate_element", diagnosed="backward instead of grad", loses=("`x` and the models as they were",))
def retained():
    def intermediate_element(f, g, x, i):
        h = f(x.clone().requires_grad_())
        h.retain_grad()
        g(h).backward()
        return h.grad[i]


@wrong("intermediate_element", diagnosed="backward instead of grad", loses=("`x` and the models as they were",))
def cut_and_backward():
    def intermediate_element(f, g, x, i):
        h = f(x).detach().requires_grad_()
        g(h).backward()
        return h.grad[i]


@wrong("intermediate_element", diagnosed="parameters' .grad cleared", loses=("`x` and the models as they were",))
def cleaned_up_too_well():
    def intermediate_element(f, g, x, i):
        h = f(x.clone().requires_grad_())
        h.retain_grad()
        g(h).backward()
        for model in (f, g):
            if hasattr(model, "zero_grad"):
                model.zero_grad()
        return h.grad[i]


@wrong("intermediate_element", diagnosed="the caller's x marked", loses=("`x` and the models as they were",))
def the_callers_x_marked():
    import torch

    def intermediate_element(f, g, x, i):
        h = f(x.requires_grad_())
        return torch.autograd.grad(g(h), h)[0][i]


@wrong("intermediate_element", diagnosed="the caller's x marked", loses=("`x` and the models as they were",))
def h_marked_where_it_is_x():
    import torch

    def intermediate_element(f, g, x, i):
        h = f(x).requires_grad_()
        return torch.autograd.grad(g(h), h)[0][i]


@wrong("intermediate_element", diagnosed="another element's derivative")
def one_before():
    import torch

    def intermediate_element(f, g, x, i):
        h = f(x).detach().requires_grad_()
        return torch.autograd.grad(g(h), h)[0][i - 1]


# same_tensor


@wrong("same_tensor", diagnosed="not attempted")
def same_tensor_not_attempted():
    def same_tensor(x):
        raise NotImplementedError  # your code here


@wrong("same_tensor", diagnosed="one element cut off", loses=("`t` leads back to `x`",))
def a_leaf_made_on_the_way():
    import torch

    def same_tensor(x):
        t0 = (2 * x).detach().requires_grad_()
        t1 = t0**2
        (d,) = torch.autograd.grad(t1, t0, retain_graph=True)
        return torch.stack([t0, t1]), d


@wrong("same_tensor", diagnosed="numbers joined along an axis")
def concatenated():
    import torch

    def same_tensor(x):
        t0 = 2 * x
        t1 = t0**2
        (d,) = torch.autograd.grad(t1, t0, retain_graph=True)
        return torch.cat([t0, t1]), d


@wrong("same_tensor", diagnosed="in-place write")
def filled_and_asked():
    import torch

    def same_tensor(x):
        t = torch.zeros(2, dtype=x.dtype)
        t[0] = 2 * x
        t[1] = t[0] ** 2
        (d,) = torch.autograd.grad(t[1], x, retain_graph=True)
        return t, d / 2


@wrong("same_tensor", diagnosed="in-place write", loses=("`t` leads back to `x`",))
def filled_and_by_hand():
    import torch

    def same_tensor(x):
        t = torch.zeros(2, dtype=x.dtype)
        t[0] = 2 * x
        t[1] = t[0] ** 2
        return t, 4 * x


@wrong("same_tensor", diagnosed="another tensor asked about")
def an_element_written_again():
    import torch

    def same_tensor(x):
        t0 = 2 * x
        t = torch.stack([t0, t0**2])
        (d,) = torch.autograd.grad(t[1], t[0], retain_graph=True)
        return t, d


@wrong("same_tensor", diagnosed="another tensor asked about")
def doubled_a_second_time():
    import torch

    def same_tensor(x):
        t0, t1 = 2 * x, (2 * x) ** 2
        (d,) = torch.autograd.grad(t1, t0, retain_graph=True)
        return torch.stack([t0, t1]), d


@wrong("same_tensor", diagnosed="whole-tensor gradient")
def the_stack_asked():
    import torch

    def same_tensor(x):
        t = torch.stack([2 * x, (2 * x) ** 2])
        (gradient,) = torch.autograd.grad(t[1], t, retain_graph=True)
        return t, gradient[0]


@wrong("same_tensor", diagnosed="whole-tensor gradient")
def the_stack_asked_and_not_indexed():
    import torch

    def same_tensor(x):
        t0 = 2 * x
        t = torch.stack([t0, t0**2])
        return t, torch.autograd.grad(t[1], t, retain_graph=True)[0]


@wrong("same_tensor", diagnosed="dt1/dx")
def by_the_leaf():
    import torch

    def same_tensor(x):
        t0 = 2 * x
        t1 = t0**2
        (d,) = torch.autograd.grad(t1, x, retain_graph=True)
        return torch.stack([t0, t1]), d


@wrong("same_tensor", diagnosed="the graph used up", loses=("`t` leads back to `x`",))
def the_graph_not_kept():
    import torch

    def same_tensor(x):
        t0 = 2 * x
        t1 = t0**2
        t = torch.stack([t0, t1])
        (d,) = torch.autograd.grad(t1, t0)
        return t, d


@wrong("same_tensor", diagnosed="t cut off from x", loses=("`t` leads back to `x`",))
def numbers_copied():
    import torch

    def same_tensor(x):
        t0 = 2 * x
        t1 = t0**2
        (d,) = torch.autograd.grad(t1, t0)
        return torch.tensor([t0, t1], dtype=x.dtype), d


@wrong("same_tensor", diagnosed="one element cut off", loses=("`t` leads back to `x`",))
def the_first_element_a_leaf():
    import torch

    def same_tensor(x):
        t0 = (2 * x).detach().requires_grad_()
        t1 = t0**2
        (d,) = torch.autograd.grad(t1, t0)
        return torch.stack([2 * x, t1.detach()]), d


@wrong("same_tensor", diagnosed="dt0/dx")
def the_doubling_differentiated():
    import torch

    def same_tensor(x):
        t0 = 2 * x
        t = torch.stack([t0, t0**2])
        return t, torch.autograd.grad(t0, x, retain_graph=True)[0]


@wrong("same_tensor", diagnosed="both derivatives")
def one_derivative_for_each_element():
    import torch

    def same_tensor(x):
        t0 = 2 * x
        t = torch.stack([t0, t0**2])
        d = [torch.autograd.grad(one, t0, retain_graph=True)[0] for one in (t0, t[1])]
        return t, torch.stack(d)


@wrong("same_tensor", diagnosed="the elements added up")
def the_sum_differentiated():
    import torch

    def same_tensor(x):
        t0 = 2 * x
        t = torch.stack([t0, t0**2])
        (d,) = torch.autograd.grad(t.sum(), t0, retain_graph=True)
        return t, d


@wrong("same_tensor", diagnosed="a list in place of a tensor")
def not_joined():
    import torch

    def same_tensor(x):
        t0 = 2 * x
        t1 = t0**2
        (d,) = torch.autograd.grad(t1, t0, retain_graph=True)
        return [t0, t1], d


@wrong("same_tensor", diagnosed="another dtype")
def a_buffer_of_float32():
    import torch

    def same_tensor(x):
        k = 2 * x
        t = torch.zeros(2)
        t[0] = k
        t[1] = k**2
        return t, torch.autograd.grad(t[1], k, retain_graph=True)[0]


@wrong("same_tensor", diagnosed="another shape")
def a_column():
    import torch

    def same_tensor(x):
        t0 = 2 * x[None]
        t = torch.stack([t0, t0**2])
        return t, torch.autograd.grad(t[1], t0, retain_graph=True)[0]


@wrong("same_tensor", diagnosed="backward instead of grad", loses=("`x.grad` as it was",))
def backward_for_d():
    import torch

    def same_tensor(x):
        t0 = 2 * x
        t0.retain_grad()
        t = torch.stack([t0, t0**2])
        t[1].backward(retain_graph=True)
        return t, t0.grad.clone()


@wrong("same_tensor", diagnosed="x.grad cleared", loses=("`x.grad` as it was",))
def backward_and_cleared():
    import torch

    def same_tensor(x):
        t0 = 2 * x
        t0.retain_grad()
        t = torch.stack([t0, t0**2])
        t[1].backward(retain_graph=True)
        x.grad = None
        return t, t0.grad.clone()


# unbroadcast


@wrong("unbroadcast", diagnosed="not attempted")
def unbroadcast_not_attempted():
    def unbroadcast(gradient, shape):
        raise NotImplementedError  # your code here


@wrong("unbroadcast", diagnosed="numbers left over", loses=("axes in front", "both kinds at once"))
def reshaped_to_fit():
    def unbroadcast(gradient, shape):
        for axis, size in enumerate(shape):
            if size == 1:
                gradient = gradient.sum(axis, keepdim=True)
        return gradient.reshape(shape)


@wrong("unbroadcast", diagnosed="mean")
def averaged():
    def unbroadcast(gradient, shape):
        while gradient.dim() > len(shape):
            gradient = gradient.mean(0)
        for axis, size in enumerate(shape):
            if size == 1:
                gradient = gradient.mean(axis, keepdim=True)
        return gradient


@wrong("unbroadcast", diagnosed="leading axes only", loses=("stretched axes", "both kinds at once"))
def only_in_front():
    def unbroadcast(gradient, shape):
        for _ in range(gradient.dim() - len(shape)):
            gradient = gradient.sum(0)
        return gradient


@wrong("unbroadcast", diagnosed="stretched axes only", loses=("axes in front", "both kinds at once"))
def only_stretched():
    def unbroadcast(gradient, shape):
        extra = gradient.dim() - len(shape)
        for axis, size in enumerate(shape):
            if size == 1:
                gradient = gradient.sum(axis + extra, keepdim=True)
        return gradient


@wrong("unbroadcast", diagnosed="size-1 axes lost", loses=("stretched axes", "both kinds at once"))
def keepdim_forgotten():
    def unbroadcast(gradient, shape):
        extra = gradient.dim() - len(shape)
        axes = list(range(extra)) + [extra + k for k, size in enumerate(shape) if size == 1]
        for axis in reversed(axes):
            gradient = gradient.sum(axis)
        return gradient


@wrong("unbroadcast", diagnosed="an empty list of axes")
def all_axes_at_once():
    def unbroadcast(gradient, shape):
        extra = gradient.dim() - len(shape)
        axes = [k for k in range(gradient.dim()) if k < extra or shape[k - extra] == 1]
        return gradient.sum(axes, keepdim=True).reshape(shape)


@wrong("unbroadcast", diagnosed="an axis that is not there")
def two_lists_of_axes():
    def unbroadcast(gradient, shape):
        gradient = gradient.sum(tuple(range(gradient.dim() - len(shape))))
        for axis, size in enumerate(shape):
            if size == 1:
                gradient = gradient.sum(axis, keepdim=True)
        return gradient


@wrong("unbroadcast", diagnosed="an axis that is not there")
def keepdim_forgotten_and_counted_on():
    def unbroadcast(gradient, shape):
        while gradient.dim() > len(shape):
            gradient = gradient.sum(0)
        for axis, size in enumerate(shape):
            if size == 1:
                gradient = gradient.sum(axis)
        return gradient


@wrong("unbroadcast", diagnosed="an empty list of axes")
def a_list_of_stretched_axes():
    def unbroadcast(gradient, shape):
        while gradient.dim() > len(shape):
            gradient = gradient.sum(0)
        return gradient.sum([k for k, size in enumerate(shape) if size == 1], keepdim=True)


@wrong("unbroadcast", diagnosed="axes shifted", loses=("axes in front", "both kinds at once"))
def summed_by_number():
    def unbroadcast(gradient, shape):
        for axis in range(gradient.dim() - len(shape)):
            gradient = gradient.sum(axis)
        for axis, size in enumerate(shape):
            if size == 1:
                gradient = gradient.sum(axis, keepdim=True)
        return gradient


@wrong("unbroadcast", diagnosed="axes in front kept", loses=("axes in front", "both kinds at once"))
def everything_kept():
    def unbroadcast(gradient, shape):
        padded = (1,) * (gradient.dim() - len(shape)) + tuple(shape)
        for axis, size in enumerate(padded):
            if size == 1:
                gradient = gradient.sum(axis, keepdim=True)
        return gradient


@wrong("unbroadcast", diagnosed="aligned from the left")
def from_the_left():
    def unbroadcast(gradient, shape):
        for axis, size in enumerate(shape):
            if size == 1:
                gradient = gradient.sum(axis, keepdim=True)
        while gradient.dim() > len(shape):
            gradient = gradient.sum(-1)
        return gradient


@wrong("unbroadcast", diagnosed="one copy taken")
def the_first_copy():
    def unbroadcast(gradient, shape):
        while gradient.dim() > len(shape):
            gradient = gradient[0]
        for axis, size in enumerate(shape):
            if size == 1:
                gradient = gradient.narrow(axis, 0, 1)
        return gradient


@wrong("unbroadcast", diagnosed="everything summed")
def one_sum():
    def unbroadcast(gradient, shape):
        return gradient.sum() * gradient.new_ones(shape)


@wrong("unbroadcast", diagnosed="another dtype")
def made_of_float32():
    def unbroadcast(gradient, shape):
        return gradient.sum_to_size(shape).float()


# gather_gradient


@wrong("gather_gradient", diagnosed="not attempted")
def gather_gradient_not_attempted():
    def gather_gradient(upstream, index, length):
        raise NotImplementedError  # your code here


@wrong("gather_gradient", diagnosed="repeats lost", loses=("places read again",))
def the_shortcut():
    import torch

    def gather_gradient(upstream, index, length):
        gradient = torch.zeros(length, dtype=upstream.dtype)
        gradient[index] += upstream
        return gradient


@wrong("gather_gradient", diagnosed="repeats lost", loses=("places read again",))
def written_in_a_loop():
    import torch

    def gather_gradient(upstream, index, length):
        gradient = torch.zeros(length, dtype=upstream.dtype)
        for k, place in enumerate(index):
            gradient[place] = upstream[k]
        return gradient


@wrong("gather_gradient", diagnosed="repeats averaged", loses=("places read again",))
def a_mean_of_repeats():
    import torch

    def gather_gradient(upstream, index, length):
        gradient = torch.zeros(length, dtype=upstream.dtype)
        return gradient.scatter_reduce(0, index, upstream, "mean", include_self=False)


@wrong("gather_gradient", diagnosed="repeats counted")
def counts():
    import torch

    def gather_gradient(upstream, index, length):
        return torch.bincount(index, minlength=length).to(upstream.dtype)


@wrong("gather_gradient", diagnosed="places marked")
def ones():
    import torch

    def gather_gradient(upstream, index, length):
        gradient = torch.zeros(length, dtype=upstream.dtype)
        gradient[index] = 1.0
        return gradient


@wrong("gather_gradient", diagnosed="as long as the largest index")
def length_not_used():
    import torch

    def gather_gradient(upstream, index, length):
        if index.numel() == 0:
            return upstream
        gradient = torch.zeros(int(index.max()) + 1, dtype=upstream.dtype)
        return gradient.index_add(0, index, upstream)


@wrong("gather_gradient", diagnosed="read instead of added")
def forward_again():
    import torch

    def gather_gradient(upstream, index, length):
        x = torch.zeros(max(length, len(upstream)), dtype=upstream.dtype)
        x[: len(upstream)] = upstream
        return x[index]


@wrong("gather_gradient", diagnosed="read instead of added")
def upstream_indexed():
    import torch

    def gather_gradient(upstream, index, length):
        gradient = torch.zeros(length, dtype=upstream.dtype)
        gradient[: len(index)] = upstream[index]
        return gradient


@wrong("gather_gradient", diagnosed="upstream returned")
def nothing_done():
    def gather_gradient(upstream, index, length):
        return upstream


@wrong("gather_gradient", diagnosed="index and upstream out of step")
def a_sorted_index():
    import torch

    def gather_gradient(upstream, index, length):
        index, _ = torch.sort(index)
        return torch.zeros(length, dtype=upstream.dtype).index_add(0, index, upstream)


@wrong("gather_gradient", diagnosed="dtypes that do not fit")
def a_buffer_in_the_default_dtype():
    import torch

    def gather_gradient(upstream, index, length):
        return torch.zeros(length).index_add_(0, index, upstream)


@wrong("gather_gradient", diagnosed="another dtype")
def a_loop_into_float32():
    import torch

    def gather_gradient(upstream, index, length):
        gradient = torch.zeros(length)
        for place, value in zip(index.tolist(), upstream, strict=True):
            gradient[place] += value
        return gradient


@wrong("gather_gradient", diagnosed="another dtype", loses=("an empty index",))
def whole_numbers_for_an_empty_index():
    import torch

    def gather_gradient(upstream, index, length):
        return torch.bincount(index, weights=upstream, minlength=length)


# recurrence_gradient


@wrong("recurrence_gradient", diagnosed="not attempted")
def recurrence_gradient_not_attempted():
    def recurrence_gradient(x0, n):
        raise NotImplementedError  # your code here


@wrong("recurrence_gradient", diagnosed="the finished tensor asked")
def filled_in_place():
    import torch

    def recurrence_gradient(x0, n):
        t = torch.zeros(n + 1, dtype=torch.float64)
        t[0] = torch.tensor(x0, dtype=torch.float64, requires_grad=True)
        for k in range(n):
            t[k + 1] = torch.sin(t[k]) + t[k] * t[0]
        return torch.autograd.grad(t[n], t)[0].tolist()


@wrong("recurrence_gradient", diagnosed="entry 0 along the chain only", loses=("the total derivative",))
def products_only():
    import math

    def recurrence_gradient(x0, n):
        slopes, t = [], x0
        for _ in range(n):
            slopes.append(math.cos(t) + x0)
            t = math.sin(t) + t * x0
        return [math.prod(slopes[k:]) for k in range(n + 1)]


@wrong("recurrence_gradient", diagnosed="entry 0 along the chain only", loses=("the total derivative",))
def the_start_as_a_number():
    import torch

    def recurrence_gradient(x0, n):
        t = [torch.tensor(x0, dtype=torch.float64, requires_grad=True)]
        for _ in range(n):
            t.append(torch.sin(t[-1]) + t[-1] * x0)
        return [g.item() for g in torch.autograd.grad(t[n], t)]


@wrong("recurrence_gradient", diagnosed="t[0] not held fixed", loses=("with `t[0]` held fixed",))
def each_entry_a_new_start():
    import math

    def recurrence_gradient(x0, n):
        t = [x0]
        for _ in range(n):
            t.append(math.sin(t[-1]) + t[-1] * x0)
        found = []
        for k in range(n + 1):
            total = 1.0
            for j in range(k, n):
                total = (math.cos(t[j]) + x0) * total + t[j]
            found.append(total)
        return found


@wrong("recurrence_gradient", diagnosed="the factor t[0] left out of the slope")
def the_sine_alone():
    import math

    def recurrence_gradient(x0, n):
        t = [x0]
        for _ in range(n):
            t.append(math.sin(t[-1]) + t[-1] * x0)
        return [math.prod(math.cos(value) for value in t[k:n]) for k in range(n + 1)]


@wrong("recurrence_gradient", diagnosed="derivatives of every element by the first")
def the_other_way_round():
    import torch

    def recurrence_gradient(x0, n):
        t = [torch.tensor(x0, dtype=torch.float64, requires_grad=True)]
        for _ in range(n):
            t.append(torch.sin(t[-1]) + t[-1] * t[0])
        return [torch.autograd.grad(one, t[0], retain_graph=True)[0].item() for one in t]


@wrong("recurrence_gradient", diagnosed="one step each")
def slopes_not_multiplied():
    import math

    def recurrence_gradient(x0, n):
        slopes, t = [], x0
        for _ in range(n):
            slopes.append(math.cos(t) + x0)
            t = math.sin(t) + t * x0
        return [*slopes, 1.0]


@wrong("recurrence_gradient", diagnosed="from the end")
def reversed_list():
    import torch

    def recurrence_gradient(x0, n):
        t = [torch.tensor(x0, dtype=torch.float64, requires_grad=True)]
        for _ in range(n):
            t.append(torch.sin(t[-1]) + t[-1] * t[0])
        return list(reversed(torch.autograd.grad(t[n], t)))


@wrong("recurrence_gradient", diagnosed="one step too many")
def counted_to_n():
    import torch

    def recurrence_gradient(x0, n):
        t = [torch.tensor(x0, dtype=torch.float64, requires_grad=True)]
        for _ in range(n + 1):
            t.append(torch.sin(t[-1]) + t[-1] * t[0])
        return torch.autograd.grad(t[-1], t)


@wrong("recurrence_gradient", diagnosed="one entry missing")
def the_last_left_out():
    import torch

    def recurrence_gradient(x0, n):
        t = [torch.tensor(x0, dtype=torch.float64, requires_grad=True)]
        for _ in range(n):
            t.append(torch.sin(t[-1]) + t[-1] * t[0])
        return torch.autograd.grad(t[n], t)[:n]


@wrong("recurrence_gradient", diagnosed="the sum of all elements")
def all_elements_added():
    import torch

    def recurrence_gradient(x0, n):
        t = [torch.tensor(x0, dtype=torch.float64, requires_grad=True)]
        for _ in range(n):
            t.append(torch.sin(t[-1]) + t[-1] * t[0])
        return torch.autograd.grad(sum(t), t)


@wrong("recurrence_gradient", diagnosed="values of the recurrence")
def no_derivative():
    import math

    def recurrence_gradient(x0, n):
        t = [x0]
        for _ in range(n):
            t.append(math.sin(t[-1]) + t[-1] * t[0])
        return t


@wrong("recurrence_gradient", diagnosed="written in place")
def one_tensor_filled():
    import torch

    def recurrence_gradient(x0, n):
        start = torch.tensor(x0, dtype=torch.float64, requires_grad=True)
        t = torch.zeros(n + 1, dtype=torch.float64)
        t[0] = start
        for k in range(n):
            t[k + 1] = torch.sin(t[k]) + t[k] * t[0]
        (total,) = torch.autograd.grad(t[n], start)
        return [total, *torch.ones(n)]


@wrong("recurrence_gradient", diagnosed="float32")
def single_precision():
    import torch

    def recurrence_gradient(x0, n):
        t = [torch.tensor(x0, requires_grad=True)]
        for _ in range(n):
            t.append(torch.sin(t[-1]) + t[-1] * t[0])
        return torch.autograd.grad(t[n], t)


@wrong("recurrence_gradient", diagnosed="a new tensor asked about")
def new_tensors_asked_about():
    import torch

    def recurrence_gradient(x0, n):
        t = [torch.tensor(x0, dtype=torch.float64, requires_grad=True)]
        for _ in range(n):
            t.append(torch.sin(t[-1]) + t[-1] * t[0])
        t[1:n] = [one.clone() for one in t[1:n]]  # "so that nothing is shared"
        return torch.autograd.grad(t[n], t)
