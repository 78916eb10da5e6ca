"""keeps_grad: mistakes, other ways to make them, and right answers."""

from __future__ import annotations


from autograder.tasks.answers import mistake, right, wrong


@wrong(".grad filled")
def tried_out():
    def keeps_grad(tensors):
        result = {}
        for name, t in tensors.items():
            if t.requires_grad:
                before = t.grad
                t.grad = None
                t.sum().backward(retain_graph=True)
                result[name] = t.grad is not None
                t.grad = before
            else:
                result[name] = False
        return result


@mistake(
    "requires_grad alone",
    "You say that everything that takes part keeps its gradient. Inner tensors take part too, and a pass "
    "leaves nothing in most of them.",
)
def whatever_takes_part():
    def keeps_grad(tensors):
        return {name: t.requires_grad for name, t in tensors.items()}


@mistake("is_leaf alone", "You say that every leaf gets a gradient. Plain data is a leaf too: does a pass reach it?")
def every_leaf():
    def keeps_grad(tensors):
        return {name: t.is_leaf for name, t in tensors.items()}


@mistake(
    "retained tensors forgotten",
    "You distinguish leaves from inner tensors. An inner tensor that was told to keep its gradient keeps it; "
    "which flag says that it was told?",
    loses=("tensors that were told to keep it",),
)
def leaves_that_take_part():
    def keeps_grad(tensors):
        return {name: t.requires_grad and t.grad_fn is None for name, t in tensors.items()}


@mistake(
    "requires_grad forgotten",
    "A reason to keep a gradient is not enough: a tensor has to take part at all. Plain data and frozen "
    "weights do not.",
)
def leaf_or_retained():
    def keeps_grad(tensors):
        return {name: t.is_leaf or t.retains_grad for name, t in tensors.items()}


@mistake(
    "retains_grad alone",
    "You say that only tensors on which `retain_grad()` was called keep a gradient. Which keep theirs without that call?",
)
def only_what_was_told():
    def keeps_grad(tensors):
        result = {}
        for name, t in tensors.items():
            result[name] = t.retains_grad
        return result


@mistake(
    ".grad as it is now",
    "This tells whose `.grad` is filled now. That may be from an earlier pass, and a weight that was never "
    "used has none yet; the question is about the next pass.",
)
def what_is_there_already():
    def keeps_grad(tensors):
        return {name: t.grad is not None for name, t in tensors.items()}


@mistake(
    "parameters only",
    "You say that only an `nn.Parameter` keeps its gradient. Autograd makes no difference between it and any "
    "other leaf that requires one.",
)
def parameters():
    from torch import nn

    def keeps_grad(tensors):
        return {name: isinstance(t, nn.Parameter) for name, t in tensors.items()}


@mistake("True and False exchanged", "Every answer is the opposite of what is right.")
def who_keeps_none():
    def keeps_grad(tensors):
        return {n: not t.requires_grad or not (t.is_leaf or t.retains_grad) for n, t in tensors.items()}


@wrong("not attempted")
def keeps_grad_not_attempted():
    def keeps_grad(tensors):
        raise NotImplementedError  # your code here


@right
def by_if_and_elif():
    def keeps_grad(tensors):
        answer = {}
        for name in tensors:
            t = tensors[name]
            if not t.requires_grad:
                answer[name] = False
            elif t.grad_fn is None:
                answer[name] = True
            else:
                answer[name] = t.retains_grad
        return answer


@right
def by_sets_of_names():
    def keeps_grad(tensors):
        taking_part = {n for n, t in tensors.items() if t.requires_grad}
        leaves = {n for n, t in tensors.items() if t.is_leaf}
        told = {n for n, t in tensors.items() if t.retains_grad}
        return {n: n in taking_part & (leaves | told) for n in tensors}
