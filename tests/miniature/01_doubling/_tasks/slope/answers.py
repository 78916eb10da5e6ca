"""Answers to slope."""

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, slip, wrong


@mistake("the leaf's value", "This is `x` itself. What is asked for is how fast `y` changes with it.")
def the_leaf():
    def slope(y, x):
        return x.detach()


known(Mistake("twice the value", "This is twice `x`, whatever `y` is.", lambda y, x: x.detach() * 2 + y.detach() * 0))


@wrong(".grad filled")
def by_backward():
    def slope(y, x):
        y.backward()
        return x.grad


@mistake("not unpacked", "`torch.autograd.grad` gives a tuple.", predicts=True)
def a_tuple():
    import torch

    def slope(y, x):
        return torch.autograd.grad(y, x)


@wrong("not unpacked")
def a_list():
    import torch

    def slope(y, x):
        return list(torch.autograd.grad(y, [x]))


@mistake("the graph was freed", "A second pass went through the graph.", raises="second time")
def two_passes():
    import torch

    def slope(y, x):
        torch.autograd.grad(y * y, x)
        return torch.autograd.grad(y * y, x)[0]


@right
def plain():
    import torch

    def slope(y, x):
        (gradient,) = torch.autograd.grad(y, x)
        return gradient


@right
def retained():
    import torch

    def slope(y, x):
        return torch.autograd.grad([y], [x], retain_graph=True)[0]


slip("the_sign_lost", within=plain, was="return gradient", wrote="return gradient.abs()", diagnosed="absolute value")
