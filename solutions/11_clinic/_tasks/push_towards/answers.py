"""push_towards: mistakes, other ways to make them, and right answers."""

from __future__ import annotations


from autograder.tasks.answers import mistake, right, wrong


@mistake(
    "as given: the loss rises with every step",
    "The output moves away from the goal. Print the loss before and after one small step, and say beforehand what "
    "it should do. See lesson 11, “Gradient steps written by hand”.",
)
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


@wrong(".grad filled", loses=("x and the model as they were",))
def with_backward():
    import torch.nn.functional as F

    def push_towards(model, x, goal, rate, steps):
        for _ in range(steps):
            leaf = x.detach().clone().requires_grad_()
            F.mse_loss(model(leaf), goal).backward()
            x = leaf.detach() - rate * leaf.grad
        return x


@wrong(".grad cleared", loses=("x and the model as they were",))
def with_zero_grad():
    import torch.nn.functional as F

    def push_towards(model, x, goal, rate, steps):
        for _ in range(steps):
            leaf = x.detach().clone().requires_grad_()
            F.mse_loss(model(leaf), goal).backward()
            x = leaf.detach() - rate * leaf.grad
        model.zero_grad()
        return x


@wrong("parameters frozen", loses=("x and the model as they were",))
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


@wrong("requires_grad switched on")
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


@wrong("numbers changed")
def moved_in_place():
    import torch
    import torch.nn.functional as F

    def push_towards(model, x, goal, rate, steps):
        for _ in range(steps):
            leaf = x.clone().requires_grad_()
            (gradient,) = torch.autograd.grad(F.mse_loss(model(leaf), goal), leaf)
            x -= rate * gradient
        return x


@mistake(
    "sign of the gradient only",
    "Every entry moves by the rate itself: you used only the sign of the gradient. Here its size counts.",
)
def sign_steps():
    import torch
    import torch.nn.functional as F

    def push_towards(model, x, goal, rate, steps):
        for _ in range(steps):
            leaf = x.detach().clone().requires_grad_()
            (gradient,) = torch.autograd.grad(F.mse_loss(model(leaf), goal), leaf)
            x = x - rate * gradient.sign()
        return x


@mistake("one step only", "This is the point after the first step, however many steps were required.")
def returned_too_early():
    import torch
    import torch.nn.functional as F

    def push_towards(model, x, goal, rate, steps):
        for _ in range(steps):
            leaf = x.detach().clone().requires_grad_()
            (gradient,) = torch.autograd.grad(F.mse_loss(model(leaf), goal), leaf)
            return x - rate * gradient
        return x


@mistake("one step too many", "You took one step more than required. How many do you take for 0?")
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


@mistake(
    "all gradients taken at the start",
    "All steps use the gradient at the first point. Each step needs the gradient at the point where it begins.",
)
def one_gradient_for_all_steps():
    import torch
    import torch.nn.functional as F

    def push_towards(model, x, goal, rate, steps):
        leaf = x.clone().requires_grad_()
        (gradient,) = torch.autograd.grad(F.mse_loss(model(leaf), goal), leaf)
        for _ in range(steps):
            x = x - rate * gradient
        return x


@mistake(
    "gradients accumulated",
    "From the second step on, the gradients of earlier steps are still included. See lesson 03, “Accumulation”.",
)
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


@mistake(
    "sum instead of mean",
    "The steps are too large by a factor, the number of the output's entries. The loss is the mean of the squares.",
)
def sum_of_squares():
    import torch

    def push_towards(model, x, goal, rate, steps):
        for _ in range(steps):
            leaf = x.detach().clone().requires_grad_()
            (gradient,) = torch.autograd.grad(((model(leaf) - goal) ** 2).sum(), leaf)
            x = x - rate * gradient
        return x


@mistake("goal ignored", "You pushed the output itself down, whatever the goal is.")
def down_with_the_output():
    import torch

    def push_towards(model, x, goal, rate, steps):
        for _ in range(steps):
            leaf = x.detach().clone().requires_grad_()
            (gradient,) = torch.autograd.grad(model(leaf).sum(), leaf)
            x = x - rate * gradient
        return x


@mistake(
    ".grad of a non-leaf",
    "After the first step the moved input is not a leaf any more, and its `.grad` is None. See lesson 03, “Leaves, "
    "inner tensors and parameters”.",
    raises="NoneType.*; None was the .grad of an inner tensor",
)
def no_leaf_any_more():
    import torch.nn.functional as F

    def push_towards(model, x, goal, rate, steps):
        x = x.clone().requires_grad_()
        for _ in range(steps):
            F.mse_loss(model(x), goal).backward()
            x = x - rate * x.grad
        return x


@wrong("not attempted")
def push_towards_not_attempted():
    def push_towards(model, x, goal, rate, steps):
        raise NotImplementedError  # your code here


@wrong("written in place")
def in_place_on_the_leaf():
    import torch
    import torch.nn.functional as F

    def push_towards(model, x, goal, rate, steps):
        x = x.clone().requires_grad_()
        for _ in range(steps):
            (gradient,) = torch.autograd.grad(F.mse_loss(model(x), goal), x)
            x -= rate * gradient
        return x


@right
def the_sign_put_right():
    import torch
    import torch.nn.functional as F

    def push_towards(model, x, goal, rate, steps):
        for _ in range(steps):
            leaf = x.detach().requires_grad_()
            (gradient,) = torch.autograd.grad(-F.mse_loss(model(leaf), goal), leaf)
            x = x + rate * gradient
        return x


@right
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


@right
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


@right
def by_func_grad():
    import torch

    def push_towards(model, x, goal, rate, steps):
        slope = torch.func.grad(lambda x: (model(x) - goal).square().mean())
        for _ in range(steps):
            x = x - rate * slope(x)
        return x
