"""named_gradients: mistakes, other ways to make them, and right answers."""

from autograder.tasks.answers import known, mistake, right, wrong

from ..shared import NOT_ALLOWED

known(NOT_ALLOWED)


@wrong("unused tensors not allowed for")
def a_dict_for_a_dict():
    import torch

    def named_gradients(output, named):
        return torch.autograd.grad(output, named)


@mistake(
    "unused names kept",
    "A name whose tensor the output does not depend on is in the result, with None. Leave such names out.",
    loses=("what the output does not use left out",),
)
def none_under_a_name():
    import torch

    def named_gradients(output, named):
        return torch.autograd.grad(output, named, allow_unused=True)


@mistake(
    "zeros for unused names",
    "A name whose tensor the output does not depend on is in the result, with zeros. Leave such names out.",
    loses=("what the output does not use left out",),
)
def zeros_under_a_name():
    import torch

    def named_gradients(output, named):
        return torch.autograd.grad(output, named, materialize_grads=True)


@mistake(
    "gradient 0 taken for None",
    "A gradient may be 0; None says that no path leads there. In an `if`, a tensor that holds 0 counts as "
    "false, and one with several elements raises.",
    raises="RuntimeError: Boolean value of Tensor with more than one value",
    predicts=True,
    loses=("each gradient under its name", "what the output does not use left out"),
)
def zeros_filtered_out():
    import torch

    def named_gradients(output, named):
        found = torch.autograd.grad(output, named, materialize_grads=True)
        return {name: gradient for name, gradient in found.items() if gradient.abs().sum() > 0}


@wrong("gradient 0 taken for None")
def by_truth():
    import torch

    def named_gradients(output, named):
        found = torch.autograd.grad(output, named, allow_unused=True)
        return {name: gradient for name, gradient in found.items() if gradient}


@mistake(
    "names out of step",
    "Gradients are under the wrong names: after a name that should have been left out, each has moved on by one.",
    loses=("what the output does not use left out",),
)
def filtered_before_naming():
    import torch

    def named_gradients(output, named):
        gradients = torch.autograd.grad(output, list(named.values()), allow_unused=True)
        return dict(zip(named, [g for g in gradients if g is not None]))


@mistake(
    "names sorted, tensors not",
    "Gradients are under each other's names: you took names and tensors in two different orders.",
)
def sorted_on_one_side_only():
    import torch

    def named_gradients(output, named):
        gradients = torch.autograd.grad(output, list(named.values()), allow_unused=True)
        return {name: g for name, g in zip(sorted(named), gradients) if g is not None}


@mistake(
    "a pass for each name",
    "You ran through the graph once for each name. One call takes the tensors of all names.",
    loses=("one backward pass",),
)
def a_loop_over_names():
    import torch

    def named_gradients(output, named):
        result = {}
        for name, tensor in named.items():
            (gradient,) = torch.autograd.grad(output, tensor, retain_graph=True, allow_unused=True)
            if gradient is not None:
                result[name] = gradient
        return result


@wrong("items changed", loses=("what the output does not use left out",))
def unused_names_deleted():
    import torch

    def named_gradients(output, named):
        found = torch.autograd.grad(output, named, allow_unused=True)
        for name in found:
            if found[name] is None:
                named.pop(name)
        return {name: found[name] for name in named}


@wrong(
    "items changed",
    loses=(
        "each gradient under its name",
        "what the output does not use left out",
        "one backward pass",
    ),
)
def written_into_named():
    import torch

    def named_gradients(output, named):
        gradients = torch.autograd.grad(output, list(named.values()), allow_unused=True)
        for name, gradient in zip(list(named), gradients):
            if gradient is None:
                del named[name]
            else:
                named[name] = gradient
        return named


@mistake(
    "dict changed during iteration",
    "You changed a dict while a loop went through it, which Python refuses. Make a new dict of the entries that stay.",
    raises="RuntimeError: dictionary (changed size|keys changed) during iteration",
    loses=("what the output does not use left out",),
)
def deleted_while_looping():
    import torch

    def named_gradients(output, named):
        found = torch.autograd.grad(output, named, allow_unused=True)
        for name in found:
            if found[name] is None:
                del found[name]
        return found


@mistake(
    "a second name lost",
    "One tensor had two names, and one of them is missing. A dict keyed by tensors has room for one name.",
    loses=("each gradient under its name",),
)
def names_by_tensor():
    import torch

    def named_gradients(output, named):
        names = {tensor: name for name, tensor in named.items()}
        gradients = torch.autograd.grad(output, list(names), allow_unused=True)
        return {names[t]: g for t, g in zip(names, gradients) if g is not None}


@mistake("gradients without names", "You returned a sequence. Return a dict with a gradient under each name.")
def a_tuple():
    import torch

    def named_gradients(output, named):
        found = torch.autograd.grad(output, list(named.values()), allow_unused=True)
        return tuple(gradient for gradient in found if gradient is not None)


@wrong(".grad filled")
def backward_and_what_is_there():
    def named_gradients(output, named):
        output.backward()
        return {name: tensor.grad for name, tensor in named.items() if tensor.grad is not None}


@wrong("not attempted")
def named_gradients_not_attempted():
    def named_gradients(output, named):
        raise NotImplementedError  # your code here


@wrong("left in a tuple")
def tuples_under_names():
    import torch

    def named_gradients(output, named):
        found = {n: torch.autograd.grad(output, t, retain_graph=True, allow_unused=True) for n, t in named.items()}
        return {name: gradient for name, gradient in found.items() if gradient[0] is not None}


@right
def names_put_back():
    import torch

    def named_gradients(output, named):
        gradients = torch.autograd.grad(output, tuple(named.values()), allow_unused=True)
        return {name: gradient for name, gradient in zip(named, gradients) if gradient is not None}


@right
def a_loop_over_pairs():
    from torch.autograd import grad

    def named_gradients(output, named):
        result = {}
        names, tensors = list(named), list(named.values())
        for name, gradient in zip(names, grad(output, tensors, None, True, False, True, True)):
            if gradient is None:
                continue
            result[name] = gradient
        return result


@right
def none_deleted_from_the_new_dict():
    import torch

    def named_gradients(output, named):
        result = torch.autograd.grad(output, dict(named), retain_graph=True, allow_unused=True)
        for name in [name for name in result if result[name] is None]:
            del result[name]
        return result


@right
def sorted_by_name():
    import torch

    def named_gradients(output, named):
        names = sorted(named)
        gradients = torch.autograd.grad(output.sum(), [named[name] for name in names], allow_unused=True)
        return dict(pair for pair in zip(names, gradients) if pair[1] is not None)
