"""intermediate_element: mistakes, other ways to make them, and right answers."""

from __future__ import annotations


from autograder.tasks.answers import known, mistake, right, wrong

from ..shared import OUT_OF_BOUNDS


@mistake(
    "derivative with respect to x",
    "This is how `g(f(x))` changes when `x[i]` moves. The question is about an element of `h`, however `h` was made.",
)
def the_input_asked_about():
    import torch

    def intermediate_element(f, g, x, i):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(g(f(x)), x)[0][i]


@mistake(
    "multiplied by the element",
    "The result is the derivative multiplied by `h[i]`. Return the derivative itself.",
)
def gradient_times_the_element():
    import torch

    def intermediate_element(f, g, x, i):
        h = f(x).detach().clone().requires_grad_()
        return (torch.autograd.grad(g(h), h)[0] * h)[i].item()


@wrong("multiplied by the element")
def the_share_of_the_score():
    import torch

    def intermediate_element(f, g, x, i):
        with torch.no_grad():
            h = f(x).clone()
        value = h[i].clone().requires_grad_()
        g(torch.cat([h[:i], value[None], h[i:][1:]])).backward()
        return float(value.grad) * float(h[i])


@mistake(
    "h computed twice",
    "The number is right, and `f` ran more than once. A second call makes another tensor with the same numbers; "
    "keep the first.",
    loses=("`f` called once",),
)
def f_called_for_its_shape():
    import torch

    def intermediate_element(f, g, x, i):
        h = torch.zeros(f(x).shape, dtype=x.dtype)
        h = (h + f(x).detach()).requires_grad_()
        return torch.autograd.grad(g(h), h)[0][i]


@mistake(
    "gradient of an unused tensor",
    "You asked for the gradient of a tensor that `g` did not receive. `f(x)` called again and `h[i]` written again "
    "are new tensors.",
    raises=r"RuntimeError: (The|One of the) differentiated Tensors?\b.* appears? to not have been used",
)
def f_called_again():
    import torch

    def intermediate_element(f, g, x, i):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(g(f(x)), f(x))[0][i]


@wrong("gradient of an unused tensor")
def h_indexed_again():
    import torch

    def intermediate_element(f, g, x, i):
        h = f(x).detach().requires_grad_()
        return torch.autograd.grad(g(h), h[i])[0]


@mistake(
    "gradient not indexed",
    "You returned the whole gradient, one number for each element of `h`. Return only the number for element `i`.",
)
def all_of_h():
    import torch

    def intermediate_element(f, g, x, i):
        h = f(x).detach().requires_grad_()
        return torch.autograd.grad(g(h), h)[0]


@mistake(
    "gradient summed",
    "You added up the derivatives with respect to all elements of `h`. Return only the one with respect to `h[i]`.",
)
def summed_over_h():
    import torch

    def intermediate_element(f, g, x, i):
        h = f(x).detach().requires_grad_()
        return torch.autograd.grad(g(h), h)[0].sum()


@mistake(
    "f differentiated",
    "This is a derivative of `f`: how `h[i]` moves with `x`. Return how `g(h)` moves with `h[i]`.",
)
def the_first_function():
    import torch

    def intermediate_element(f, g, x, i):
        x = x.clone().requires_grad_()
        h = f(x)
        return torch.autograd.grad(h[i], x)[0][i]


@wrong(".grad filled", loses=("`x` and the models as they were",))
def retained():
    def intermediate_element(f, g, x, i):
        h = f(x.clone().requires_grad_())
        h.retain_grad()
        g(h).backward()
        return h.grad[i]


@wrong(".grad filled", loses=("`x` and the models as they were",))
def cut_and_backward():
    def intermediate_element(f, g, x, i):
        h = f(x).detach().requires_grad_()
        g(h).backward()
        return h.grad[i]


@wrong(".grad cleared", loses=("`x` and the models as they were",))
def cleaned_up_too_well():
    def intermediate_element(f, g, x, i):
        h = f(x.clone().requires_grad_())
        h.retain_grad()
        g(h).backward()
        for model in (f, g):
            if hasattr(model, "zero_grad"):
                model.zero_grad()
        return h.grad[i]


@wrong("requires_grad switched on", loses=("`x` and the models as they were",))
def the_callers_x_marked():
    import torch

    def intermediate_element(f, g, x, i):
        h = f(x.requires_grad_())
        return torch.autograd.grad(g(h), h)[0][i]


@wrong("requires_grad switched on", loses=("`x` and the models as they were",))
def h_marked_where_it_is_x():
    import torch

    def intermediate_element(f, g, x, i):
        h = f(x).requires_grad_()
        return torch.autograd.grad(g(h), h)[0][i]


@mistake(
    "another element's derivative",
    "This is the derivative with respect to the element before. Elements are counted from 0, as in Python.",
)
def one_before():
    import torch

    def intermediate_element(f, g, x, i):
        h = f(x).detach().requires_grad_()
        return torch.autograd.grad(g(h), h)[0][i - 1]


known(OUT_OF_BOUNDS)


@wrong("not attempted")
def intermediate_element_not_attempted():
    def intermediate_element(f, g, x, i):
        raise NotImplementedError  # your code here


@wrong("no graph behind it")
def nothing_requires_a_gradient():
    import torch

    def intermediate_element(f, g, x, i):
        h = f(x)
        return torch.autograd.grad(g(h), h)[0][i]


@wrong("None used as a gradient")
def not_retained():
    def intermediate_element(f, g, x, i):
        h = f(x.clone().requires_grad_())
        g(h).backward()
        return h.grad[i]


@right
def from_the_leaf():
    import torch

    def intermediate_element(f, g, x, i):
        h = f(x.detach().clone().requires_grad_())
        (gradient,) = torch.autograd.grad(g(h), h)
        return gradient[i].item()


@right
def the_element_a_tensor_of_its_own():
    import torch

    def intermediate_element(f, g, x, i):
        elements = [one.detach().requires_grad_() for one in f(x)]
        return torch.autograd.grad(g(torch.stack(elements)), elements[i])[0]


@right
def by_a_hook_on_h():
    import torch

    def intermediate_element(f, g, x, i):
        seen = []
        h = f(x.clone().requires_grad_())
        handle = h.register_hook(seen.append)
        torch.autograd.grad(g(h), h)
        handle.remove()
        return float(seen[0][i])


@right
def by_a_jacobian():
    import torch

    def intermediate_element(f, g, x, i):
        with torch.no_grad():
            h = f(x)
        return torch.autograd.functional.jacobian(lambda h: g(h).sum(), h)[i]
