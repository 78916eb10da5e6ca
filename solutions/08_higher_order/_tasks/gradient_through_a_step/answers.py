"""gradient_through_a_step: mistakes, other ways to make them, and right answers."""

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

from ..shared import gradient_of


@wrong("requires_grad switched on")
def w_marked():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        w.requires_grad_()
        g = torch.autograd.grad(train(w), w, create_graph=True)[0]
        return torch.autograd.grad(val(w - lr * g), w)[0]


@mistake(
    "first-order part only",
    "This is the gradient of val at the new point. The step's own gradient moves too when w does, and "
    "that part is missing. See lesson 08, “Differentiating through a training step”.",
)
def step_without_create_graph():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        w = w.clone().requires_grad_()
        g = torch.autograd.grad(train(w), w)[0]
        return torch.autograd.grad(val(w - lr * g), w)[0]


@wrong("first-order part only")
def with_respect_to_the_new_weights():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        w = w.clone().requires_grad_()
        g = torch.autograd.grad(train(w), w)[0]
        moved = (w - lr * g).detach().requires_grad_()
        return torch.autograd.grad(val(moved), moved)[0]


@mistake(
    "second-order part only",
    "This is the part that passes through the step's gradient. The step also starts at w, and that path is missing.",
)
def start_detached():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        w = w.clone().requires_grad_()
        g = torch.autograd.grad(train(w), w, create_graph=True)[0]
        moved = w.detach() - lr * g
        if not moved.requires_grad:
            return torch.zeros_like(w)
        return torch.autograd.grad(val(moved), w, materialize_grads=True)[0]


@mistake("val at the old point", "This is the gradient of val at w, as if you had taken no step.")
def no_step():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        return torch.func.grad(val)(w).detach()


@mistake("uphill", "You took the step uphill, along the gradient of train. Descent goes against it.")
def added_gradient():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        w = w.clone().requires_grad_()
        g = torch.autograd.grad(train(w), w, create_graph=True)[0]
        return torch.autograd.grad(val(w + lr * g), w)[0]


@mistake("lr forgotten", "You took the step as if lr were 1.")
def without_lr():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        w = w.clone().requires_grad_()
        g = torch.autograd.grad(train(w), w, create_graph=True)[0]
        return torch.autograd.grad(val(w - g), w)[0]


@mistake("train and val exchanged", "You took the step on val, and differentiated train after it.")
def the_losses_exchanged():
    from torch.func import grad

    def gradient_through_a_step(w, lr, train, val):
        return grad(lambda w: train(w - lr * grad(val)(w)))(w)


known(
    Mistake(
        "train instead of val",
        "You have not used `val`: this is the gradient of train, at w or after the step.",
        lambda w, lr, train, val: gradient_of(train, w),
    )
)


@wrong("train instead of val", predicts=True)
def val_forgotten():
    from torch.func import grad

    def gradient_through_a_step(w, lr, train, val):
        return grad(lambda w: train(w - lr * grad(train)(w)))(w)


@mistake(
    "curvature at the new point",
    "You computed the second-order part with the curvature of train after the step. Where is the step's "
    "gradient taken?",
)
def by_hand_with_the_wrong_hessian():
    import torch
    from torch.func import grad

    def gradient_through_a_step(w, lr, train, val):
        moved = w - lr * grad(train)(w)
        g = grad(val)(moved)
        return g - lr * torch.func.jvp(grad(train), (moved,), (g,))[1]


@mistake(
    "with respect to lr",
    "This is one number, the derivative with respect to lr. Return the derivative with respect to w.",
)
def derivative_of_the_rate():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        rate = torch.tensor(lr, dtype=w.dtype, requires_grad=True)
        g = torch.func.grad(train)(w).detach()
        return torch.autograd.grad(val(w - rate * g), rate)[0]


@mistake("new point instead of gradient", "This is w after the step. You have not differentiated it yet.")
def only_the_step_made():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        return (w - lr * torch.func.grad(train)(w)).detach()


@mistake(
    "w not in the graph",
    "You differentiated what no path connects with your leaf: a `detach`, `no_grad`, `.data` or a new leaf cuts it, and "
    "the gradient of a linear `train` is a constant without a graph.",
    raises="RuntimeError: (element \\d+ of tensors does not require grad"
    "|.* appears? to not have been used in the graph)",
)
def a_fresh_leaf_behind_the_step():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        w = w.clone().requires_grad_()
        g = torch.autograd.grad(train(w), w, create_graph=True)[0]
        moved = (w - lr * g).detach().requires_grad_()
        return torch.autograd.grad(val(moved), w)[0]


@wrong("w not in the graph")
def stepped_without_a_graph():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        w = w.clone().requires_grad_()
        g = torch.autograd.grad(train(w), w, create_graph=True)[0]
        with torch.no_grad():
            moved = w - lr * g
        return torch.autograd.grad(val(moved), w)[0]


@wrong("not attempted")
def gradient_through_a_step_not_attempted():
    def gradient_through_a_step(w, lr, train, val):
        raise NotImplementedError  # your code here


@wrong("written in place")
def an_optimizers_step():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        w = w.clone().requires_grad_()
        g = torch.autograd.grad(train(w), w, create_graph=True)[0]
        w -= lr * g
        return torch.autograd.grad(val(w), w)[0]


@right
def both_parts_by_hand():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        step = torch.func.grad(train)
        after = torch.func.grad(val)(w - lr * step(w))
        bent = torch.func.jvp(step, (w,), (after,))[1]
        return after - lr * bent


@right
def gradient_of_the_whole():
    from torch.func import grad

    def gradient_through_a_step(w, lr, train, val):
        def result(w):
            return val(w - lr * grad(train)(w))

        return grad(result)(w)


@right
def backward_at_the_end():
    import torch

    def gradient_through_a_step(w, lr, train, val):
        start = w.detach().clone().requires_grad_(True)
        g = torch.autograd.grad(train(start), start, create_graph=True)[0]
        val(torch.sub(start, g, alpha=lr)).backward()
        return start.grad
