"""retained_by_layer: mistakes, other ways to make them, and right answers."""

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

from .task import by_hooks


@mistake(
    "children called in order",
    "You ran the children one after the other, in the order of their names. Only the model's own `forward` knows "
    "what it computes; how can you listen while that runs?",
    raises="RuntimeError: (mat1 and mat2 shapes cannot be multiplied|The size of tensor)",
    predicts=True,
)
def child_after_child():
    def retained_by_layer(model, x, loss_fn):
        outputs = {}
        h = x.detach().clone()
        if h.is_floating_point():
            h.requires_grad_()
        for name, child in model.named_children():
            h = child(h)
            h.retain_grad()
            outputs[name] = h
        loss_fn(h).backward()
        return {name: output.grad for name, output in outputs.items()}


@mistake(
    "output requires no gradient",
    "A child's output requires no gradient: neither its input nor the child itself does. What would have to "
    "require a gradient, so that there is something to retain?",
    raises="can't retain_grad on Tensor that has requires_grad=False"
    "|cannot register a hook on a tensor that doesn't require gradient",
    loses=("a first child without parameters",),
)
def x_as_it_comes():
    def retained_by_layer(model, x, loss_fn):
        outputs, handles = {}, []

        def keep(name):
            def hook(module, arguments, output):
                output.retain_grad()
                outputs[name] = output

            return hook

        for name, child in model.named_children():
            handles.append(child.register_forward_hook(keep(name)))
        loss = loss_fn(model(x))
        for handle in handles:
            handle.remove()
        loss.backward()
        return {name: output.grad for name, output in outputs.items()}


@wrong("output requires no gradient")
def tensor_hooks_on_x_as_it_comes():
    def retained_by_layer(model, x, loss_fn):
        gradients, handles = {}, []

        def keep(name):
            def hook(module, arguments, output):
                output.register_hook(lambda g: gradients.update({name: g.clone()}))

            return hook

        for name, child in model.named_children():
            handles.append(child.register_forward_hook(keep(name)))
        loss = loss_fn(model(x))
        for handle in handles:
            handle.remove()
        loss.backward()
        return gradients


@mistake(
    "integers as a leaf",
    "Integers cannot require a gradient, and word numbers need not, because the embedding's own weights do.",
    raises="RuntimeError: only Tensors of floating point (and complex )?dtype can require gradients",
    loses=("other models",),
)
def every_input_requires_a_gradient():
    def retained_by_layer(model, x, loss_fn):
        leaf = x.detach().clone().requires_grad_()
        outputs, handles = {}, []

        def keep(name):
            def hook(module, arguments, output):
                output.retain_grad()
                outputs[name] = output

            return hook

        for name, child in model.named_children():
            handles.append(child.register_forward_hook(keep(name)))
        loss_fn(model(leaf)).backward()
        for handle in handles:
            handle.remove()
        return {name: output.grad for name, output in outputs.items()}


@mistake(
    "children without parameters left out",
    "A child without parameters is missing. Its output has a gradient like any other, as soon as something "
    "before it requires one.",
)
def only_where_something_requires_a_gradient():
    def retained_by_layer(model, x, loss_fn):
        outputs, handles = {}, []

        def keep(name):
            def hook(module, arguments, output):
                output.retain_grad()
                outputs[name] = output

            return hook

        for name, child in model.named_children():
            if list(child.parameters()):
                handles.append(child.register_forward_hook(keep(name)))
        leaf = x.detach().clone()
        if leaf.is_floating_point():
            leaf.requires_grad_()
        loss_fn(model(leaf)).backward()
        for handle in handles:
            handle.remove()
        return {name: output.grad for name, output in outputs.items()}


@mistake(
    "one name for all hooks",
    "There is one entry, under the last child's name. All hooks look up the loop's variable when they are "
    "called, and by then the loop is over.",
)
def late_binding():
    def retained_by_layer(model, x, loss_fn):
        outputs, handles = {}, []
        for name, child in model.named_children():

            def hook(module, arguments, output):
                output.retain_grad()
                outputs[name] = output

            handles.append(child.register_forward_hook(hook))
        leaf = x.detach().clone()
        if leaf.is_floating_point():
            leaf.requires_grad_()
        loss_fn(model(leaf)).backward()
        for handle in handles:
            handle.remove()
        return {name: output.grad for name, output in outputs.items()}


@mistake(
    "gradients of the inputs",
    "These are the gradients of what each child is given. The task asks for those of what each child returns.",
)
def what_goes_in():
    def retained_by_layer(model, x, loss_fn):
        inputs, handles = {}, []

        def keep(name):
            def hook(module, arguments, output):
                if arguments[0].requires_grad:
                    arguments[0].retain_grad()
                inputs[name] = arguments[0]

            return hook

        for name, child in model.named_children():
            handles.append(child.register_forward_hook(keep(name)))
        leaf = x.detach().clone()
        if leaf.is_floating_point():
            leaf.requires_grad_()
        loss_fn(model(leaf)).backward()
        for handle in handles:
            handle.remove()
        return {name: tensor.grad for name, tensor in inputs.items()}


@wrong("gradients of the inputs")
def backward_hooks_that_take_grad_input():
    def retained_by_layer(model, x, loss_fn):
        gradients, handles = {}, []

        def keep(name):
            def hook(module, grad_input, grad_output):
                gradients[name] = grad_input[0]

            return hook

        for name, child in model.named_children():
            handles.append(child.register_full_backward_hook(keep(name)))
        leaf = x.detach().clone()
        if leaf.is_floating_point():
            leaf.requires_grad_()
        loss_fn(model(leaf)).backward()
        for handle in handles:
            handle.remove()
        return gradients


@mistake(
    "gradients of the parameters",
    "These are gradients of the children's parameters. Return the gradients of their outputs, which have a "
    "row for each sample.",
)
def weights_of_the_children():
    def retained_by_layer(model, x, loss_fn):
        leaf = x.detach().clone()
        if leaf.is_floating_point():
            leaf.requires_grad_()
        loss_fn(model(leaf)).backward()
        result = {}
        for name, child in model.named_children():
            parameters = list(child.parameters())
            result[name] = parameters[0].grad if parameters else None
        return result


@mistake("outputs themselves", "These are the children's outputs, not the gradients of them.")
def what_comes_out():
    def retained_by_layer(model, x, loss_fn):
        outputs, handles = {}, []

        def keep(name):
            def hook(module, arguments, output):
                outputs[name] = output

            return hook

        for name, child in model.named_children():
            handles.append(child.register_forward_hook(keep(name)))
        loss_fn(model(x))
        for handle in handles:
            handle.remove()
        return outputs


@mistake(
    "outputs not retained",
    "The outputs are the right tensors, and their `.grad` is None: a child's output is an inner tensor. "
    "What must you do with it, and before what?",
)
def retained_after_the_pass():
    def retained_by_layer(model, x, loss_fn):
        outputs, handles = {}, []

        def keep(name):
            def hook(module, arguments, output):
                outputs[name] = output

            return hook

        for name, child in model.named_children():
            handles.append(child.register_forward_hook(keep(name)))
        leaf = x.detach().clone()
        if leaf.is_floating_point():
            leaf.requires_grad_()
        loss_fn(model(leaf)).backward()
        for handle in handles:
            handle.remove()
        for output in outputs.values():
            output.retain_grad()
        return {name: output.grad for name, output in outputs.items()}


@mistake(
    "loss left out",
    "These are the gradients of the model's output, added up. The loss is `loss_fn(model(x))`.",
)
def the_sum_of_the_output():
    def retained_by_layer(model, x, loss_fn):
        outputs, handles = {}, []

        def keep(name):
            def hook(module, arguments, output):
                output.retain_grad()
                outputs[name] = output

            return hook

        for name, child in model.named_children():
            handles.append(child.register_forward_hook(keep(name)))
        leaf = x.detach().clone()
        if leaf.is_floating_point():
            leaf.requires_grad_()
        model(leaf).sum().backward()
        for handle in handles:
            handle.remove()
        return {name: output.grad for name, output in outputs.items()}


@mistake("numbers instead of names", "The keys are numbers. `named_children()` gives each child's name.")
def enumerated():
    def retained_by_layer(model, x, loss_fn):
        outputs, handles = {}, []

        def hook(module, arguments, output):
            output.retain_grad()
            outputs[str(len(outputs))] = output

        for child in model.children():
            handles.append(child.register_forward_hook(hook))
        leaf = x.detach().clone()
        if leaf.is_floating_point():
            leaf.requires_grad_()
        loss_fn(model(leaf)).backward()
        for handle in handles:
            handle.remove()
        return {name: output.grad for name, output in outputs.items()}


@wrong("hook left", loses=("model and input as before",))
def handles_lost():
    def retained_by_layer(model, x, loss_fn):
        outputs = {}

        def keep(name):
            def hook(module, arguments, output):
                output.retain_grad()
                outputs[name] = output

            return hook

        for name, child in model.named_children():
            child.register_forward_hook(keep(name))
        leaf = x.detach().clone()
        if leaf.is_floating_point():
            leaf.requires_grad_()
        loss_fn(model(leaf)).backward()
        return {name: output.grad for name, output in outputs.items()}


@wrong("hook removed", loses=("model and input as before",))
def all_hooks_cleared():
    def retained_by_layer(model, x, loss_fn):
        outputs = {}

        def keep(name):
            def hook(module, arguments, output):
                output.retain_grad()
                outputs[name] = output

            return hook

        for name, child in model.named_children():
            child.register_forward_hook(keep(name))
        leaf = x.detach().clone()
        if leaf.is_floating_point():
            leaf.requires_grad_()
        loss_fn(model(leaf)).backward()
        for child in model.children():
            child._forward_hooks.clear()
        return {name: output.grad for name, output in outputs.items()}


known(
    Mistake(
        "run in another mode",
        "You ran the model in a different mode from the one in which you found it, or did not put it back. Batch "
        "normalisation tells the two apart.",
        lambda model, x, loss_fn: by_hooks(model.train(), x, loss_fn),
    )
)


@wrong("run in another mode", predicts=True, loses=("other models", "model and input as before"))
def in_evaluation_mode():
    def retained_by_layer(model, x, loss_fn):
        model.eval()
        outputs, handles = {}, []

        def keep(name):
            def hook(module, arguments, output):
                output.retain_grad()
                outputs[name] = output

            return hook

        for name, child in model.named_children():
            handles.append(child.register_forward_hook(keep(name)))
        leaf = x.detach().clone()
        if leaf.is_floating_point():
            leaf.requires_grad_()
        loss_fn(model(leaf)).backward()
        for handle in handles:
            handle.remove()
        return {name: output.grad for name, output in outputs.items()}


@wrong("requires_grad switched on")
def on_the_callers_x():
    def retained_by_layer(model, x, loss_fn):
        if x.is_floating_point():
            x.requires_grad_()
        outputs, handles = {}, []

        def keep(name):
            def hook(module, arguments, output):
                output.retain_grad()
                outputs[name] = output

            return hook

        for name, child in model.named_children():
            handles.append(child.register_forward_hook(keep(name)))
        loss_fn(model(x)).backward()
        for handle in handles:
            handle.remove()
        return {name: output.grad for name, output in outputs.items()}


@wrong("not attempted")
def retained_by_layer_not_attempted():
    def retained_by_layer(model, x, loss_fn):
        raise NotImplementedError  # your code here


@right
def by_grad_of_the_outputs():
    import torch

    def retained_by_layer(model, x, loss_fn):
        found, handles = {}, []

        def listen(name, child):
            handles.append(child.register_forward_hook(lambda module, arguments, output: found.update({name: output})))

        for name, child in model.named_children():
            listen(name, child)
        start = x.clone().requires_grad_() if x.dtype.is_floating_point else x
        loss = loss_fn(model(start))
        for handle in handles:
            handle.remove()
        return dict(zip(found, torch.autograd.grad(loss, tuple(found.values()))))


@right
def by_hooks_on_the_outputs():
    import torch

    def retained_by_layer(model, x, loss_fn):
        gradients = {}

        def make(name):
            def forward_hook(module, arguments, output):
                output.register_hook(lambda gradient: gradients.__setitem__(name, gradient.clone()))

            return forward_hook

        handles = [child.register_forward_hook(make(name)) for name, child in model.named_children()]
        leaf = torch.clone(x.detach())
        if torch.is_floating_point(leaf):
            leaf.requires_grad = True
        loss_fn(model(leaf)).backward()
        [handle.remove() for handle in handles]
        return gradients


@right
def by_module_backward_hooks():
    import functools

    def keep(found, name, module, grad_input, grad_output):
        found[name] = grad_output[0]

    def retained_by_layer(model, x, loss_fn):
        found = {}
        handles = []
        for name, child in model.named_children():
            handles.append(child.register_full_backward_hook(functools.partial(keep, found, name)))
        leaf = x.detach().clone()
        if leaf.is_floating_point():
            leaf.requires_grad_()
        loss_fn(model(leaf)).backward()
        for handle in handles:
            handle.remove()
        return found


@right
def all_submodules_and_backward_inputs():
    from functools import partial

    def retained_by_layer(model, x, loss_fn):
        outputs = {}
        handles = []
        for name, module in model.named_modules():
            handles.append(module.register_forward_hook(partial(lambda name, m, i, o: outputs.update({name: o}), name)))
        try:
            leaf = (
                x.detach()
                .clone()
                .requires_grad_(not (x.dtype.is_complex or x.dtype.itemsize == 8 and not x.is_floating_point()))
            )
            loss = loss_fn(model(leaf))
        finally:
            while handles:
                handles.pop().remove()
        loss.backward(inputs=list(outputs.values()))
        return {name: outputs[name].grad for name, _ in model.named_children()}
