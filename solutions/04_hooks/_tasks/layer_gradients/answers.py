"""layer_gradients: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

import functools
from collections.abc import Callable

import torch
from torch import nn

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, slip, wrong

Loss = Callable[[torch.Tensor], torch.Tensor]
Seen = dict[str, tuple[torch.Tensor, torch.Tensor]]
Found = dict[torch.Tensor, torch.Tensor]


def _watched(model: nn.Module, x: torch.Tensor, loss_fn: Loss, insist: bool = True) -> tuple[Seen, Found]:
    """What each child got and returned, and the gradients of those tensors.

    Args:
        insist: the hooks go even where an error comes.
    """
    seen: Seen = {}

    def note(name: str, module: nn.Module, args: tuple, output: torch.Tensor) -> None:
        seen[name] = args[0], output

    handles = [child.register_forward_hook(functools.partial(note, name)) for name, child in model.named_children()]
    try:
        loss = loss_fn(model(x))
    except Exception:
        for handle in handles if insist else ():
            handle.remove()
        raise
    for handle in handles:
        handle.remove()
    return seen, _gradients(loss, [tensor for pair in seen.values() for tensor in pair])


def _gradients(loss: torch.Tensor, tensors: list[torch.Tensor]) -> Found:
    wanted = [tensor for tensor in tensors if tensor.requires_grad]
    return dict(zip(wanted, torch.autograd.grad(loss, wanted, allow_unused=True), strict=True))


def _right(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    seen, found = _watched(model, x, loss_fn)
    return {name: (found.get(given), found.get(output)) for name, (given, output) in seen.items()}


def swapped(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    """Output before input."""
    return {name: pair[::-1] for name, pair in _right(model, x, loss_fn).items()}


def zeros_for_none(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    """Zeros where no gradient was computed."""
    seen, found = _watched(model, x, loss_fn)
    return {
        name: tuple(found.get(tensor, torch.zeros(tensor.shape, dtype=torch.float64)) for tensor in pair)
        for name, pair in seen.items()
    }


def by_backward_hooks(register: str, late: bool = False, whole: bool = False) -> Callable:
    """From backward hooks, with entries for those that ran.

    Args:
        register: the method that registers them.
        late: all under the last child's name.
        whole: the hooks' tuples as they come.
    """

    def layer_gradients(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
        pairs, children = {}, dict(model.named_children())

        def hook(name: str, module: nn.Module, grad_input: tuple, grad_output: tuple) -> None:
            pairs[name] = (grad_input, grad_output) if whole else (grad_input[0], grad_output[0])

        last = list(children)[-1]
        handles = [
            getattr(child, register)(functools.partial(hook, last if late else name))
            for name, child in children.items()
        ]
        try:
            loss_fn(model(x)).backward(inputs=[one for one in (x, *model.parameters()) if one.requires_grad])
        finally:
            for handle in handles:
                handle.remove()
        x.grad = None
        return pairs

    return layer_gradients


def late_names(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    """What the last child to run leaves, under the last name."""
    last = [name for name, _ in model.named_children()][-1]
    return {last: list(_right(model, x, loss_fn).values())[-1]}


def there_and_back(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    """In evaluation, and then every module in the model's own mode."""
    training = model.training
    pairs = _right(model.eval(), x, loss_fn)
    model.train(training)
    return pairs


def tuples(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    """Each gradient in a tuple of one."""
    return {name: ((given,), (output,)) for name, (given, output) in _right(model, x, loss_fn).items()}


known(
    Mistake(
        "input and output swapped",
        "You swapped the two gradients of each pair. Put the gradient of what the child received first.",
        swapped,
    ),
    Mistake(
        "late binding",
        "All gradients arrived under one name, that of the last child. When does a hook look up the loop's variable: "
        "when it is defined, or when it runs?",
        late_names,
        by_backward_hooks("register_full_backward_hook", late=True),
    ),
)


def only_hooks_that_ran():
    def layer_gradients(model, x, loss_fn):
        result = {}

        def watcher(name):
            def watch(module, grad_input, grad_output):
                result[name] = grad_input[0], grad_output[0]

            return watch

        handles = [child.register_full_backward_hook(watcher(name)) for name, child in model.named_children()]
        before = x.grad
        try:
            loss_fn(model(x)).backward()
        finally:
            for handle in handles:
                handle.remove()
            x.grad = before
        return result


slip(
    "order_of_the_hook_turned",
    within=only_hooks_that_ran,
    was="result[name] = grad_input[0], grad_output[0]",
    wrote="result[name] = grad_output[0], grad_input[0]",
    diagnosed="input and output swapped",
)


@wrong("late binding")
def backward_hooks_in_a_loop():
    def layer_gradients(model, x, loss_fn):
        result = {}
        handles = []
        for name, child in model.named_children():

            def watch(module, grad_input, grad_output):
                result[name] = (grad_input[0], grad_output[0])

            handles.append(child.register_full_backward_hook(watch))
        loss_fn(model(x)).backward()
        for handle in handles:
            handle.remove()
        return result


mistake(
    "a child left out",
    "You left out a child whose output requires no gradient: its backward hook never runs. Its name belongs in the "
    "dict too.",
    raises="KeyError",
    predicts=True,
    loses=("None where none is computed",),
)(only_hooks_that_ran)


@wrong("a child left out")
def looked_up_by_name():
    def layer_gradients(model, x, loss_fn):
        inputs, outputs = {}, {}
        handles = []
        for name, child in model.named_children():

            def watch(module, grad_input, grad_output, name=name):
                inputs[name], outputs[name] = grad_input[0], grad_output[0]

            handles.append(child.register_full_backward_hook(watch))
        loss_fn(model(x)).backward()
        for handle in handles:
            handle.remove()
        return {name: (inputs[name], outputs[name]) for name, _ in model.named_children()}


@mistake(
    "children run by hand",
    "You called the children one after another. Only the model's own forward knows in which order it calls them, and "
    "what it computes in between.",
    raises="RuntimeError: mat1 and mat2 shapes cannot be multiplied",
    predicts=True,
)
def one_child_after_the_other():
    import torch

    def layer_gradients(model, x, loss_fn):
        pairs, h = {}, x
        for name, child in model.named_children():
            given, h = h, child(h)
            pairs[name] = given, h
        loss = loss_fn(h)

        def gradient(tensor):
            if not tensor.requires_grad:
                return None
            return torch.autograd.grad(loss, tensor, retain_graph=True)[0]

        return {name: (gradient(given), gradient(output)) for name, (given, output) in pairs.items()}


@mistake(
    "gradient of the previous child",
    "You reported the output gradient of the previous child in the list as the input gradient of a child. The model "
    "may compute something between the two, and may run them in a different order.",
)
def outputs_of_the_one_before():
    import torch

    def layer_gradients(model, x, loss_fn):
        outputs = {}
        handles = [
            child.register_forward_hook(lambda module, args, output, name=name: outputs.update({name: output}))
            for name, child in model.named_children()
        ]
        try:
            loss = loss_fn(model(x))
        finally:
            for handle in handles:
                handle.remove()
        result, before = {}, None
        for name, _ in model.named_children():
            gradient = None
            if outputs[name].requires_grad:
                (gradient,) = torch.autograd.grad(loss, outputs[name], retain_graph=True, allow_unused=True)
            result[name] = before, gradient
            before = gradient
        return result


@mistake(
    "gradient instead of None",
    "You made x require a gradient, so a gradient appears where the model as given computes none.",
    loses=("None where none is computed",),
)
def x_gets_a_gradient():
    import torch

    def layer_gradients(model, x, loss_fn):
        seen = {}
        if x.is_floating_point():
            x = x.detach().clone().requires_grad_()
        handles = [
            child.register_forward_hook(lambda module, args, output, name=name: seen.update({name: (args[0], output)}))
            for name, child in model.named_children()
        ]
        try:
            loss = loss_fn(model(x))
        finally:
            for handle in handles:
                handle.remove()

        def gradient(tensor):
            if tensor.requires_grad:
                return torch.autograd.grad(loss, tensor, retain_graph=True, allow_unused=True)[0]

        return {name: (gradient(given), gradient(output)) for name, (given, output) in seen.items()}


known(
    Mistake(
        "zeros instead of None",
        "You returned zeros where PyTorch computed no gradient. None says so; zero would be a gradient.",
        zeros_for_none,
    )
)


@wrong("zeros instead of None", predicts=True, loses=("None where none is computed",))
def materialised():
    import torch

    def layer_gradients(model, x, loss_fn):
        seen = {}
        handles = [
            child.register_forward_hook(lambda module, args, output, name=name: seen.update({name: (args[0], output)}))
            for name, child in model.named_children()
        ]
        try:
            loss = loss_fn(model(x))
        finally:
            for handle in handles:
                handle.remove()

        def gradient(tensor):
            if not tensor.requires_grad:
                return torch.zeros(tensor.shape, dtype=torch.float64)
            return torch.autograd.grad(loss, tensor, retain_graph=True, materialize_grads=True)[0]

        return {name: (gradient(given), gradient(output)) for name, (given, output) in seen.items()}


@mistake(
    "outputs only",
    "You returned one gradient for each child. Return a pair: the gradients of what it received and of what it returned.",
)
def one_gradient_each():
    import torch

    def layer_gradients(model, x, loss_fn):
        seen = {}
        handles = [
            child.register_forward_hook(lambda module, args, output, name=name: seen.update({name: output}))
            for name, child in model.named_children()
        ]
        try:
            loss = loss_fn(model(x))
        finally:
            for handle in handles:
                handle.remove()
        wanted = {name: output for name, output in seen.items() if output.requires_grad}
        return {name: None for name in seen} | torch.autograd.grad(loss, wanted, allow_unused=True)


@mistake(
    "gradients of the weights",
    "The first of each pair is the gradient of a parameter. Return the gradient of the tensor that the child received.",
)
def weights_of_each_child():
    import torch

    def layer_gradients(model, x, loss_fn):
        seen = {}
        handles = [
            child.register_forward_hook(lambda module, args, output, name=name: seen.update({name: (args[0], output)}))
            for name, child in model.named_children()
        ]
        try:
            loss = loss_fn(model(x))
        finally:
            for handle in handles:
                handle.remove()

        def gradient(tensor):
            if tensor.requires_grad:
                return torch.autograd.grad(loss, tensor, retain_graph=True, allow_unused=True)[0]

        first = {name: next(child.parameters(), seen[name][0]) for name, child in model.named_children()}
        return {name: (gradient(first[name]), gradient(output)) for name, (_, output) in seen.items()}


@wrong("gradients of the weights")
def grad_of_each_childs_weight():
    def layer_gradients(model, x, loss_fn):
        given, left = {}, {}
        handles = []
        for name, child in model.named_children():

            def watch(module, grad_input, grad_output, name=name):
                given[name], left[name] = grad_input[0], grad_output[0]

            handles.append(child.register_full_backward_hook(watch))
        model.zero_grad()
        before = x.grad
        try:
            loss_fn(model(x)).backward()
        finally:
            for handle in handles:
                handle.remove()
            x.grad = before
        result = {}
        for name, child in model.named_children():
            parameter = next(child.parameters(), None)
            result[name] = (given.get(name) if parameter is None else parameter.grad), left.get(name)
        return result


known(
    Mistake(
        "another mode",
        "You changed the mode of a module. Run the model in the mode in which you find it, and leave every mode unchanged.",
        there_and_back,
    ),
    Mistake(
        "tuple instead of tensor",
        "You stored each gradient in a tuple, as backward hooks receive it. Put the tensors themselves into the pair.",
        tuples,
    ),
)


def a_right_walk():
    """Every slip below starts from this."""
    import torch

    def layer_gradients(model, x, loss_fn):
        seen = {}
        handles = [
            child.register_forward_hook(lambda module, args, output, name=name: seen.update({name: (args[0], output)}))
            for name, child in model.named_children()
        ]
        try:
            loss = loss_fn(model(x))
        finally:
            for handle in handles:
                handle.remove()

        def gradient(tensor):
            if tensor.requires_grad:
                return torch.autograd.grad(loss, tensor, retain_graph=True, allow_unused=True)[0]

        return {name: (gradient(given), gradient(output)) for name, (given, output) in seen.items()}


slip(
    "put_into_evaluation",
    within=a_right_walk,
    was="seen = {}",
    wrote="seen = {}\n    model.eval()",
    diagnosed="another mode",
    predicts=True,
)
slip(
    "put_into_training",
    within=a_right_walk,
    was="seen = {}",
    wrote="seen = {}\n    model.train()",
    diagnosed="mode changed",
    loses=("modes, running statistics and x as they were",),
)
slip(
    "evaluation_and_back",
    within=a_right_walk,
    was="loss = loss_fn(model(x))",
    wrote="model.eval()\n        loss = loss_fn(model(x))\n        model.train()",
    diagnosed="another mode",
)
slip(
    "trained_afterwards",
    within=a_right_walk,
    was="loss = loss_fn(model(x))",
    wrote="loss = loss_fn(model(x))\n        model.train()",
    diagnosed="mode changed",
    loses=("modes, running statistics and x as they were",),
)
slip(
    "tuples_of_hooks",
    within=only_hooks_that_ran,
    was="result[name] = grad_input[0], grad_output[0]",
    wrote="result[name] = grad_input, grad_output",
    diagnosed="tuple instead of tensor",
    predicts=True,
)
slip(
    "a_run_to_warm_up",
    within=a_right_walk,
    was="seen = {}",
    wrote="seen = {}\n    model(x)",
    diagnosed="buffers changed",
    loses=("modes, running statistics and x as they were",),
)
slip(
    "forward_hooks_forgotten",
    within=a_right_walk,
    was="try:\n        loss = loss_fn(model(x))\n    finally:\n        for handle in handles:\n"
    "            handle.remove()",
    wrote="loss = loss_fn(model(x))",
    diagnosed="hook left",
    loses=("no hook stays",),
)


slip(
    "hooks_not_removed_after_an_error",
    within=only_hooks_that_ran,
    was="try:\n        loss_fn(model(x)).backward()\n    finally:\n        for handle in handles:\n"
    "            handle.remove()\n        x.grad = before\n    return result",
    wrote="loss_fn(model(x)).backward()\n    for handle in handles:\n        handle.remove()\n"
    "    x.grad = before\n"
    "    return {name: result.get(name, (None, None)) for name, _ in model.named_children()}",
    diagnosed="hook left",
    loses=("no hook stays",),
)

slip(
    "no_try",
    within=a_right_walk,
    was="try:\n        loss = loss_fn(model(x))\n    finally:\n        for handle in handles:\n"
    "            handle.remove()",
    wrote="loss = loss_fn(model(x))\n    for handle in handles:\n        handle.remove()",
    diagnosed="hook left",
    loses=("no hook stays",),
)
slip(
    "deprecated_hook",
    within=only_hooks_that_ran,
    was="register_full_backward_hook",
    wrote="register_backward_hook",
    diagnosed="deprecated backward hook",
    sentence="`register_backward_hook` reports what the last node of the module received and passed on, weights and bias "
    "included. The full backward hook reports the module's own input and output.",
)


@wrong("not attempted")
def layer_gradients_not_attempted():
    def layer_gradients(model, x, loss_fn):
        raise NotImplementedError  # your code here


slip(
    "grad_of_x_filled",
    within=only_hooks_that_ran,
    was="        x.grad = before\n    return result",
    wrote="    return {name: result.get(name, (None, None)) for name, _ in model.named_children()}",
    diagnosed=".grad filled",
    loses=("modes, running statistics and x as they were",),
)


@right
def full_backward_hooks():
    import torch

    def layer_gradients(model, x, loss_fn):
        result = {name: (None, None) for name, _ in model.named_children()}

        def watcher(name):
            def watch(module, grad_input, grad_output):
                result[name] = (grad_input[0], grad_output[0])

            return watch

        handles = [child.register_full_backward_hook(watcher(name)) for name, child in model.named_children()]
        try:
            loss = loss_fn(model(x))
            ends = [x] if x.requires_grad else []
            ends += [p for p in model.parameters() if p.requires_grad]
            torch.autograd.grad(loss, ends, allow_unused=True)
        finally:
            for handle in handles:
                handle.remove()
        return result


@right
def tensor_hooks_from_a_forward_hook():
    from contextlib import ExitStack

    def layer_gradients(model, x, loss_fn):
        found = {}

        def save(key):
            def hook(gradient):
                found[key] = gradient.clone()

            return hook

        x_grad = x.grad
        with ExitStack() as stack:

            def watch(module, args, output, name):
                for side, tensor in (("in", args[0]), ("out", output)):
                    if tensor.requires_grad:
                        stack.enter_context(tensor.register_hook(save((name, side))))

            for name, child in model.named_children():
                stack.enter_context(
                    child.register_forward_hook(
                        lambda module, args, output, name=name: watch(module, args, output, name)
                    )
                )
            loss_fn(model(x)).backward()
        x.grad = x_grad
        return {name: [found.get((name, "in")), found.get((name, "out"))] for name, _ in model.named_children()}


@right
def forward_replaced_for_a_while():
    import torch

    def layer_gradients(model, x, loss_fn):
        tensors = {}

        def watched(name, forward):
            def run(given):
                output = forward(given)
                tensors[name] = given, output
                return output

            return run

        children = dict(model.named_children())
        try:
            for name, child in children.items():
                child.forward = watched(name, child.forward)
            loss = loss_fn(model(x))
        finally:
            for child in children.values():
                child.__dict__.pop("forward", None)

        def gradient(tensor):
            if not tensor.requires_grad:
                return None
            (found,) = torch.autograd.grad(loss, [tensor], retain_graph=True, allow_unused=True)
            return found

        return {name: tuple(map(gradient, pair)) for name, pair in tensors.items()}


@right
def retain_grad_in_a_pre_hook():
    def layer_gradients(model, x, loss_fn):
        kept, before = {}, x.grad

        def keep(name, side):
            def hook(module, args, output=None):
                tensor = args[0].view_as(args[0]) if output is None else output
                kept[name, side] = tensor
                if tensor.requires_grad:
                    tensor.retain_grad()
                return tensor

            return hook

        handles = []
        for name, child in model.named_children():
            handles.append(child.register_forward_pre_hook(keep(name, 0)))
            handles.append(child.register_forward_hook(keep(name, 1)))
        try:
            x.grad = None
            loss_fn(model(x)).backward()
            return {name: (kept[name, 0].grad, kept[name, 1].grad) for name, _ in model.named_children()}
        finally:
            x.grad = before
            [handle.remove() for handle in handles]
