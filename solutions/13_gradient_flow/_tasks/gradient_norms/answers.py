"""gradient_norms: mistakes, other ways to make them, and right answers."""

from autograder.tasks.answers import mistake, right, wrong


@mistake(
    "norm of the weight",
    "These are the norms of the parameters themselves. The task asks for the norms of their gradients.",
)
def the_parameter_itself():
    def gradient_norms(model, loss):
        return {name: parameter.norm().item() for name, parameter in model.named_parameters()}


@wrong("norm of the weight")
def the_wrong_loop_variable():
    import torch

    def gradient_norms(model, loss):
        parameters = dict(model.named_parameters())
        asked = [p for p in parameters.values() if p.requires_grad]
        torch.autograd.grad(loss, asked, allow_unused=True)
        return {name: torch.linalg.vector_norm(p.detach()) for name, p in parameters.items()}


@mistake(
    "squared norm",
    "These are sums of squares. The Euclidean norm is the square root of that sum.",
)
def the_root_forgotten():
    import torch

    def gradient_norms(model, loss):
        norms = dict.fromkeys(dict(model.named_parameters()), 0.0)
        asked = {name: p for name, p in model.named_parameters() if p.requires_grad}
        for name, g in zip(asked, torch.autograd.grad(loss, asked.values(), allow_unused=True)):
            if g is not None:
                norms[name] = (g**2).sum().item()
        return norms


@wrong("squared norm")
def a_dot_product():
    import torch

    def gradient_norms(model, loss):
        norms = {}
        asked = [p for p in model.parameters() if p.requires_grad]
        gradients = dict(zip(map(id, asked), torch.autograd.grad(loss, asked, materialize_grads=True)))
        for name, p in model.named_parameters():
            g = gradients.get(id(p), torch.zeros(1)).flatten()
            norms[name] = g @ g
        return norms


@mistake(
    "sum of absolute values",
    "These are sums of absolute values, which is another norm. The Euclidean norm squares the entries, adds them, and "
    "takes the square root.",
)
def the_sum_norm():
    import torch

    def gradient_norms(model, loss):
        norms = dict.fromkeys(dict(model.named_parameters()), 0.0)
        asked = {name: p for name, p in model.named_parameters() if p.requires_grad}
        for name, g in zip(asked, torch.autograd.grad(loss, asked.values(), allow_unused=True)):
            if g is not None:
                norms[name] = g.abs().sum().item()
        return norms


@wrong("sum of absolute values")
def the_norm_of_order_one():
    import torch

    def gradient_norms(model, loss):
        asked = {name: p for name, p in model.named_parameters() if p.requires_grad}
        gradients = torch.autograd.grad(loss, list(asked.values()), materialize_grads=True)
        found = {name: g.flatten().norm(1).item() for name, g in zip(asked, gradients)}
        return {name: found.get(name, 0.0) for name, _ in model.named_parameters()}


@mistake(
    "largest absolute entry",
    "These are the largest absolute values of each gradient. The Euclidean norm counts all entries: squares, sum, root.",
)
def the_maximum_norm():
    import torch

    def gradient_norms(model, loss):
        norms = dict.fromkeys(dict(model.named_parameters()), 0.0)
        asked = {name: p for name, p in model.named_parameters() if p.requires_grad}
        for name, g in zip(asked, torch.autograd.grad(loss, asked.values(), allow_unused=True)):
            if g is not None:
                norms[name] = g.abs().max().item()
        return norms


@wrong("largest absolute entry")
def the_norm_of_order_infinity():
    import torch

    def gradient_norms(model, loss):
        asked = {name: p for name, p in model.named_parameters() if p.requires_grad}
        gradients = torch.autograd.grad(loss, list(asked.values()), materialize_grads=True)
        found = {name: torch.linalg.vector_norm(g, float("inf")).item() for name, g in zip(asked, gradients)}
        return {name: found.get(name, 0.0) for name, _ in model.named_parameters()}


@mistake(
    "root mean square",
    "These are roots of *mean* squares. The Euclidean norm takes the sum of the squares, however many there are.",
)
def the_root_of_the_mean():
    import torch

    def gradient_norms(model, loss):
        norms = dict.fromkeys(dict(model.named_parameters()), 0.0)
        asked = {name: p for name, p in model.named_parameters() if p.requires_grad}
        for name, g in zip(asked, torch.autograd.grad(loss, asked.values(), allow_unused=True)):
            if g is not None:
                norms[name] = g.square().mean().sqrt().item()
        return norms


@wrong("root mean square")
def norm_by_the_root_of_the_count():
    import torch

    def gradient_norms(model, loss):
        asked = {name: p for name, p in model.named_parameters() if p.requires_grad}
        gradients = torch.autograd.grad(loss, list(asked.values()), materialize_grads=True)
        found = {name: (g.norm() / g.numel() ** 0.5).item() for name, g in zip(asked, gradients)}
        return {name: found.get(name, 0.0) for name, _ in model.named_parameters()}


@mistake(
    "None instead of 0.0",
    "A parameter without a gradient has the entry None. The loss does not change with it, so its norm is 0.0.",
    loses=("parameters without a gradient",),
)
def none_kept():
    import torch

    def gradient_norms(model, loss):
        norms = dict.fromkeys(dict(model.named_parameters()))
        asked = {name: p for name, p in model.named_parameters() if p.requires_grad}
        for name, g in zip(asked, torch.autograd.grad(loss, asked.values(), allow_unused=True)):
            norms[name] = None if g is None else g.norm().item()
        return norms


@wrong("None instead of 0.0", loses=("parameters without a gradient",))
def none_from_a_table_of_none():
    import torch

    def gradient_norms(model, loss):
        names, parameters = zip(*((n, p) for n, p in model.named_parameters() if p.requires_grad))
        found = dict(zip(names, torch.autograd.grad(loss, parameters, allow_unused=True)))
        gradients = {name: found.get(name) for name, _ in model.named_parameters()}
        return {name: g if g is None else float(g.norm()) for name, g in gradients.items()}


@mistake(
    "None in .grad",
    "`backward()` leaves None in the `.grad` of a parameter that the loss does not depend on, and of a frozen "
    "parameter. If you called it before this line, `p` is one of these, and its norm is 0.0.",
    raises="NoneType.*; None was the .grad of a (leaf|tensor that requires no gradient)",
    loses=("parameters without a gradient",),
)
def backward_and_every_grad():
    def gradient_norms(model, loss):
        before = {name: p.grad for name, p in model.named_parameters()}
        for p in model.parameters():
            p.grad = None
        loss.backward(inputs=[p for p in model.parameters() if p.requires_grad])
        norms = {}
        try:
            for name, p in model.named_parameters():
                norms[name] = p.grad.norm().item()
        finally:
            for name, p in model.named_parameters():
                p.grad = before[name]
        return norms


@mistake(
    "matrices only",
    "You computed gradients only for parameters with two axes. The lesson prints those because they are the weights "
    "of linear layers; the task asks for every parameter, such as biases, and weights with no axis, one or three.",
    raises=r"RuntimeError: `inputs` argument to `grad\(\)` cannot be empty",
    predicts=True,
)
def those_with_two_axes():
    import torch

    def gradient_norms(model, loss):
        norms = {name: 0.0 for name, _ in model.named_parameters()}
        named = {name: p for name, p in model.named_parameters() if p.requires_grad and p.dim() == 2}
        gradients = torch.autograd.grad(loss, list(named.values()), allow_unused=True)
        for name, g in zip(named, gradients):
            if g is not None:
                norms[name] = g.norm().item()
        return norms


@wrong("matrices only", predicts=True)
def the_lessons_function():
    from torch.autograd import grad

    def gradient_norms(model, loss):
        named = {name: p for name, p in model.named_parameters() if p.dim() == 2 and p.requires_grad}
        gradients = grad(loss, list(named.values()), allow_unused=True)
        return {name: 0.0 if g is None else g.norm().item() for name, g in zip(named, gradients)}


@wrong("matrices only")
def weights_without_biases():
    import torch

    def gradient_norms(model, loss):
        norms = {}
        for name, p in model.named_parameters():
            norms[name] = 0.0
        matrices = [(name, p) for name, p in model.named_parameters() if len(p.shape) == 2 and p.requires_grad]
        found = torch.autograd.grad(loss, [p for _, p in matrices], materialize_grads=True)
        norms.update((name, torch.linalg.vector_norm(g).item()) for (name, _), g in zip(matrices, found))
        return norms


@mistake(
    "frozen parameters missing",
    "The names of frozen parameters are missing. They belong in the dict as well, with 0.0.",
    loses=("parameters without a gradient",),
)
def only_those_asked_for():
    import torch

    def gradient_norms(model, loss):
        asked = {name: p for name, p in model.named_parameters() if p.requires_grad}
        gradients = torch.autograd.grad(loss, list(asked.values()), allow_unused=True)
        return {name: 0.0 if g is None else g.norm().item() for name, g in zip(asked, gradients)}


@wrong("frozen parameters missing", loses=("parameters without a gradient",))
def materialised_for_the_others():
    import torch

    def gradient_norms(model, loss):
        names, parameters = zip(*((n, p) for n, p in model.named_parameters() if p.requires_grad))
        gradients = torch.autograd.grad(loss, parameters, materialize_grads=True)
        return dict(zip(names, (float(g.norm()) for g in gradients)))


@mistake(
    "parameters without gradient missing",
    "The names of parameters without a gradient are missing. They belong in the dict as well, with 0.0.",
    loses=("parameters without a gradient",),
)
def only_what_has_one():
    import torch

    def gradient_norms(model, loss):
        asked = {name: p for name, p in model.named_parameters() if p.requires_grad}
        gradients = torch.autograd.grad(loss, list(asked.values()), allow_unused=True)
        return {name: g.norm().item() for name, g in zip(asked, gradients) if g is not None}


@wrong("parameters without gradient missing", loses=("parameters without a gradient",))
def skipped_in_the_loop():
    import torch

    def gradient_norms(model, loss):
        norms = {}
        names, parameters = zip(*((n, p) for n, p in model.named_parameters() if p.requires_grad))
        for name, g in zip(names, torch.autograd.grad(loss, parameters, allow_unused=True)):
            if g is None:
                continue
            norms[name] = float(g.norm())
        return norms


@mistake(
    "allow_unused missing",
    "`torch.autograd.grad` refuses a parameter that the loss does not depend on, unless you allow it.",
    raises="RuntimeError: .* appears? to not have been used in the graph",
    loses=("parameters without a gradient",),
)
def without_allow_unused():
    import torch

    def gradient_norms(model, loss):
        norms = dict.fromkeys(dict(model.named_parameters()), 0.0)
        asked = {name: p for name, p in model.named_parameters() if p.requires_grad}
        for name, g in zip(asked, torch.autograd.grad(loss, asked.values())):
            norms[name] = g.norm().item()
        return norms


@mistake(
    "frozen parameters differentiated",
    "A frozen parameter requires no gradient, and `torch.autograd.grad` refuses to differentiate with respect to it. "
    "Pass only the other parameters.",
    raises="RuntimeError: One of the differentiated Tensors does not require grad",
    loses=("parameters without a gradient",),
)
def all_parameters_asked():
    import torch

    def gradient_norms(model, loss):
        names, parameters = zip(*model.named_parameters())
        gradients = torch.autograd.grad(loss, parameters, allow_unused=True)
        return {name: 0.0 if g is None else g.norm().item() for name, g in zip(names, gradients)}


@mistake(
    "one pass per parameter",
    "You ran several backward passes. A single call returns the gradients of all parameters.",
    loses=("in one pass",),
)
def one_after_the_other():
    import torch

    def gradient_norms(model, loss):
        norms = {}
        for name, p in model.named_parameters():
            norms[name] = 0.0
            if p.requires_grad:
                (g,) = torch.autograd.grad(loss, p, retain_graph=True, allow_unused=True)
                norms[name] = 0.0 if g is None else g.norm().item()
        return norms


@wrong("one pass per parameter", loses=("in one pass",))
def a_pass_into_each_parameter():
    def gradient_norms(model, loss):
        norms = {}
        for name, p in model.named_parameters():
            before, p.grad = p.grad, None
            if p.requires_grad:
                loss.backward(inputs=[p], retain_graph=True)
            norms[name] = 0.0 if p.grad is None else p.grad.norm().item()
            p.grad = before
        return norms


@mistake(
    "one norm for all",
    "Every name has the norm of all gradients together. The task asks for one norm per parameter.",
)
def the_global_norm():
    import torch

    def gradient_norms(model, loss):
        asked = [p for p in model.parameters() if p.requires_grad]
        gradients = torch.autograd.grad(loss, asked, materialize_grads=True)
        total = torch.stack([g.norm() for g in gradients]).norm().item()
        return {name: total for name, _ in model.named_parameters()}


@wrong("one norm for all")
def a_running_total():
    import torch

    def gradient_norms(model, loss):
        asked = [p for p in model.parameters() if p.requires_grad]
        total = 0.0
        for g in torch.autograd.grad(loss, asked, allow_unused=True):
            if g is not None:
                total += g.pow(2).sum().item()
        return dict.fromkeys((name for name, _ in model.named_parameters()), total**0.5)


@mistake(
    "gradients instead of norms",
    "You returned the gradients. Return one number for each: its norm.",
)
def whole_gradients():
    import torch

    def gradient_norms(model, loss):
        named = dict(model.named_parameters())
        asked = {name: p for name, p in named.items() if p.requires_grad}
        found = torch.autograd.grad(loss, asked, materialize_grads=True)
        return {name: found.get(name, torch.zeros_like(p)) for name, p in named.items()}


@wrong("gradients instead of norms")
def gradients_one_by_one():
    import torch

    def gradient_norms(model, loss):
        result = {}
        asked = [p for p in model.parameters() if p.requires_grad]
        gradients = list(torch.autograd.grad(loss, asked, materialize_grads=True))
        for name, p in model.named_parameters():
            result[name] = gradients.pop(0) if p.requires_grad else 0 * p.detach()
        return result


@wrong(".grad filled", loses=("everything as it was",))
def backward_and_zero():
    import torch

    def gradient_norms(model, loss):
        before = {name: p.grad for name, p in model.named_parameters()}
        model.zero_grad()
        loss.backward()
        norms = {name: 0.0 if p.grad is None else p.grad.norm().item() for name, p in model.named_parameters()}
        for name, p in model.named_parameters():
            p.grad = before[name] if before[name] is not None else None
        return norms


@wrong("not attempted")
def gradient_norms_not_attempted():
    def gradient_norms(model, loss):
        raise NotImplementedError  # your code here


@right
def with_a_dict():
    import torch

    def gradient_norms(model, loss):
        named = dict(model.named_parameters())
        asked = {name: p for name, p in named.items() if p.requires_grad}
        found = torch.autograd.grad(loss, asked, materialize_grads=True)
        return {name: found[name].norm() if name in found else torch.tensor(0.0) for name in named}


@right
def backward_into_the_parameters_and_back():
    def gradient_norms(model, loss):
        parameters = dict(model.named_parameters())
        before = {name: p.grad for name, p in parameters.items()}
        for p in parameters.values():
            p.grad = None
        loss.backward(inputs=[p for p in parameters.values() if p.requires_grad])
        norms = {}
        for name, p in parameters.items():
            norms[name] = 0.0 if p.grad is None else (p.grad**2).sum().sqrt().item()
            p.grad = before[name]
        return norms


@right
def by_numbers_alone():
    import math

    import torch

    def gradient_norms(model, loss):
        names = [name for name, p in model.named_parameters() if p.requires_grad]
        parameters = [p for p in model.parameters() if p.requires_grad]
        norms = {name: 0.0 for name, _ in model.named_parameters()}
        gradients = torch.autograd.grad(loss, parameters, allow_unused=True, retain_graph=True)
        norms |= {n: math.hypot(*g.flatten().tolist()) for n, g in zip(names, gradients) if g is not None}
        return norms
