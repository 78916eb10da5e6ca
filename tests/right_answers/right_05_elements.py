"""Right answers to exercise 05."""

from tests.answers import right

# total_and_direct


@right("total_and_direct")
def in_closed_form():
    def total_and_direct(x, i):
        s = float(x.sum())
        return s + float(x[i]), s


@right("total_and_direct")
def a_leaf_of_its_own():
    def total_and_direct(x, i):
        leaf = x.detach().clone().requires_grad_()
        factor = leaf[i]
        factor.retain_grad()
        (factor * leaf.sum()).backward()
        return [leaf.grad[i], factor.grad]


@right("total_and_direct")
def two_questions():
    import torch

    def total_and_direct(x, i):
        xi = x[i]
        y = xi * torch.sum(x)
        direct = torch.autograd.grad(y, xi, retain_graph=True)[0]
        total = torch.autograd.grad(y, x)[0][i]
        return total.item(), direct.item()


@right("total_and_direct")
def the_sum_held_fixed():
    import torch

    def total_and_direct(x, i):
        total = torch.autograd.functional.jacobian(lambda p: p[i] * p.sum(), x)[i]
        direct = torch.autograd.grad(x[i] * x.sum().detach(), x)[0][i]
        return total, direct


# vectorised_element


@right("vectorised_element")
def the_chain_rule():
    def vectorised_element(x, w, i):
        return float(2 * (x.double() * w.double()).sum() * w[i])


@right("vectorised_element")
def backward_on_a_copy():
    import torch

    def vectorised_element(x, w, i):
        leaf = torch.tensor(x.tolist(), dtype=x.dtype, requires_grad=True)
        torch.dot(leaf, w).square().backward()
        return leaf.grad[i]


@right("vectorised_element")
def one_element_as_leaf():
    import torch

    def vectorised_element(x, w, i):
        element = x[i].detach().clone().requires_grad_()
        others = (x * w).sum().detach() - (x[i] * w[i]).detach()
        return torch.autograd.grad((others + element * w[i]) ** 2, element)[0]


@right("vectorised_element")
def along_one_direction():
    import torch

    def vectorised_element(x, w, i):
        direction = torch.zeros_like(x, requires_grad=False)
        direction[i] = 1
        _, slope = torch.autograd.functional.jvp(lambda p: (p * w).sum() ** 2, x.detach(), direction)
        return slope.item()


# intermediate_element


@right("intermediate_element")
def from_the_leaf():
    import torch

    def intermediate_element(f, g, x, i):
        h = f(x.detach().clone().requires_grad_())
        (gradient,) = torch.autograd.grad(g(h), h)
        return gradient[i].item()


@right("intermediate_element")
def the_element_a_tensor_of_its_own():
    import torch

    def intermediate_element(f, g, x, i):
        elements = [one.detach().requires_grad_() for one in f(x)]
        return torch.autograd.grad(g(torch.stack(elements)), elements[i])[0]


@right("intermediate_element")
def by_a_hook_on_h():
    import torch

    def intermediate_element(f, g, x, i):
        seen = []
        h = f(x.clone().requires_grad_())
        handle = h.register_hook(seen.append)
        torch.autograd.grad(g(h), h)
        handle.remove()
        return float(seen[0][i])


@right("intermediate_element")
def by_a_jacobian():
    import torch

    def intermediate_element(f, g, x, i):
        with torch.no_grad():
            h = f(x)
        return torch.autograd.functional.jacobian(lambda h: g(h).sum(), h)[i]


# same_tensor


@right("same_tensor")
def a_clone_before_the_write():
    import torch

    def same_tensor(x):
        t = torch.zeros(2, dtype=x.dtype)
        t[0] = 2 * x
        k = t[0].clone()
        t[1] = k**2
        (d,) = torch.autograd.grad(t[1], k, retain_graph=True)
        return t, d


@right("same_tensor")
def asked_before_joining():
    import torch

    def same_tensor(x):
        first = x + x
        second = first * first
        d = torch.autograd.grad(second, first, create_graph=True)
        return torch.cat([first[None], second[None]]), d[0]


@right("same_tensor")
def d_by_hand():
    import torch

    def same_tensor(x):
        double = 2 * x
        return [torch.hstack((double, double.square())), 4 * x.item()]


@right("same_tensor")
def d_from_a_graph_of_its_own():
    import torch

    def same_tensor(x):
        leaf = (2 * x.detach()).requires_grad_()
        (leaf**2).backward()
        t0 = 2 * x
        return torch.stack((t0, t0**2)), leaf.grad.reshape(1)


# unbroadcast


@right("unbroadcast")
def by_sum_to_size():
    def unbroadcast(gradient, shape):
        return gradient.sum_to_size(shape)


@right("unbroadcast")
def all_at_once():
    def unbroadcast(gradient, shape):
        extra = gradient.dim() - len(shape)
        axes = [k for k in range(gradient.dim()) if k < extra or shape[k - extra] == 1]
        return gradient.sum(axes).reshape(shape) if axes else gradient


@right("unbroadcast")
def by_autograd():
    import torch

    def unbroadcast(gradient, shape):
        small = torch.zeros(shape, dtype=gradient.dtype, requires_grad=True)
        torch.broadcast_to(small, gradient.shape).backward(gradient)
        return small.grad


@right("unbroadcast")
def only_what_was_stretched():
    def unbroadcast(gradient, shape):
        result = gradient.clone()
        while len(result.shape) > len(shape):
            result = result.sum(dim=0)
        for axis in range(len(shape)):
            if shape[axis] != result.shape[axis]:
                result = result.sum(dim=axis).unsqueeze(axis)
        return result


# gather_gradient


@right("gather_gradient")
def the_loop():
    import torch

    def gather_gradient(upstream, index, length):
        gradient = torch.zeros(length, dtype=upstream.dtype)
        for place, value in zip(index.tolist(), upstream, strict=True):
            gradient[place] += value
        return gradient


@right("gather_gradient")
def put_and_accumulate():
    def gather_gradient(upstream, index, length):
        return upstream.new_zeros(length).index_put_((index,), upstream, accumulate=True)


@right("gather_gradient")
def by_a_matrix():
    import torch

    def gather_gradient(upstream, index, length):
        picks = torch.nn.functional.one_hot(index, length).to(upstream.dtype)
        return picks.T @ upstream


@right("gather_gradient")
def by_autograd_of_an_index():
    import torch

    def gather_gradient(upstream, index, length):
        x = torch.zeros(length, dtype=upstream.dtype, requires_grad=True)
        return torch.autograd.grad(x[index], x, grad_outputs=upstream)[0]


# recurrence_gradient


@right("recurrence_gradient")
def in_plain_floats():
    import math

    def recurrence_gradient(x0, n):
        t, total, slopes = x0, 1.0, []
        for _ in range(n):
            slope = math.cos(t) + x0
            total = slope * total + t
            slopes.append(slope)
            t = math.sin(t) + t * x0
        gradient = [1.0]
        for slope in reversed(slopes):
            gradient.append(gradient[-1] * slope)
        gradient.reverse()
        return [total, *gradient[1:]]


@right("recurrence_gradient")
def by_retained_gradients():
    import torch

    def recurrence_gradient(x0, n):
        start = torch.tensor(x0, dtype=torch.double, requires_grad=True)
        t = [start]
        for k in range(n):
            t.append(t[k].sin() + t[k] * start)
            t[-1].retain_grad()
        t[-1].backward()
        return tuple(one.grad for one in t)


@right("recurrence_gradient")
def one_question_each():
    import torch

    def recurrence_gradient(x0, n):
        t = [torch.tensor([x0], dtype=torch.float64, requires_grad=True)]
        for _ in range(n):
            t.append(torch.sin(t[-1]) + t[-1] * t[0])
        return torch.cat([torch.autograd.grad(t[-1], one, retain_graph=True)[0] for one in t])
