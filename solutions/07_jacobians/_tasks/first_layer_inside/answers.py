"""first_layer_inside: mistakes, other ways to make them, and right answers."""

from autograder.tasks.answers import known, mistake, right, wrong

from ..shared import rows_mixed
from .task import jacobian_inside


@wrong("mode changed", loses=("the layer at work", "the model run to its end and left as it was"))
def left_in_evaluation():
    import torch

    def first_layer_inside(model, x):
        model.eval()
        kept, leaf = [], x.clone().requires_grad_()
        with model.first.register_forward_hook(lambda m, i, o: kept.append(o.clone())):
            model(leaf)
        return torch.cat([torch.autograd.grad(one, leaf, retain_graph=True)[0] for one in kept[0][0]])


@mistake(
    "Jacobian of the model's output",
    "This is the Jacobian of the model's output. The task is about the output of `model.first`, on the way to it.",
)
def jacobian_of_the_model():
    import torch

    def first_layer_inside(model, x):
        x = x.clone().requires_grad_()
        y = model(x).reshape(1, -1)
        return torch.cat([torch.autograd.grad(one, x, retain_graph=True)[0] for one in y[0]])


@mistake(
    "exception swallowed",
    "The model raised an exception, and your function did not pass it on. Remove the hook in that case "
    "too: what runs in either case, and catches nothing?",
    loses=("the model run to its end and left as it was",),
)
def every_exception_caught():
    import torch

    def first_layer_inside(model, x):
        kept, leaf = [], x.clone().requires_grad_()
        handle = model.first.register_forward_hook(lambda m, i, o: kept.append(o.clone()))
        try:
            model(leaf)
        except Exception:
            pass
        handle.remove()
        return torch.cat([torch.autograd.grad(one, leaf, retain_graph=True)[0] for one in kept[0][0]])


@mistake(
    "layer called directly",
    "This is the Jacobian of `model.first`, called directly on x. Inside the model its input may be "
    "something other than x. See lesson 07, “The first layer inside a model”.",
)
def first_called_directly():
    import torch

    def first_layer_inside(model, x):
        return torch.func.jacrev(model.first)(x)[0, :, 0]


@mistake(
    "overwritten in place",
    "What you kept is no longer the output of `model.first`: the model has written into that tensor "
    "since. When must you make a copy?",
    loses=("a model that goes on in place",),
)
def output_kept_without_a_copy():
    import torch

    def first_layer_inside(model, x):
        kept, leaf = [], x.clone().requires_grad_()
        with model.first.register_forward_hook(lambda m, i, o: kept.append(o)):
            model(leaf)
        return torch.cat([torch.autograd.grad(one, leaf, retain_graph=True)[0] for one in kept[0][0]])


@mistake(
    "layer's own input",
    "This is the Jacobian with respect to the input of `model.first`. Differentiate with respect to x, "
    "the model's input.",
)
def with_respect_to_what_first_was_given():
    import torch

    def first_layer_inside(model, x):
        kept = []
        with model.first.register_forward_hook(lambda m, args, o: kept.append((args[0], o.clone()))):
            model(x.clone().requires_grad_())
        given, h = kept[0]
        return torch.cat([torch.autograd.grad(one, given, retain_graph=True)[0] for one in h[0]])


@wrong("hook left", loses=("the model run to its end and left as it was",))
def hook_never_removed():
    import torch

    def first_layer_inside(model, x):
        kept, leaf = [], x.clone().requires_grad_()
        model.first.register_forward_hook(lambda m, i, o: kept.append(o.clone()))
        model(leaf)
        return torch.cat([torch.autograd.grad(one, leaf, retain_graph=True)[0] for one in kept[0][0]])


@wrong("hook left", loses=("the model run to its end and left as it was",))
def hook_removed_only_where_nothing_raises():
    import torch

    def first_layer_inside(model, x):
        kept, leaf = [], x.clone().requires_grad_()
        handle = model.first.register_forward_hook(lambda m, i, o: kept.append(o.clone()))
        model(leaf)
        handle.remove()
        return torch.cat([torch.autograd.grad(one, leaf, retain_graph=True)[0] for one in kept[0][0]])


@wrong("hook removed", loses=("the model run to its end and left as it was",))
def hooks_cleared():
    import torch

    def first_layer_inside(model, x):
        kept, leaf = [], x.clone().requires_grad_()
        model.first.register_forward_hook(lambda m, i, o: kept.append(o.clone()))
        try:
            model(leaf)
        finally:
            model.first._forward_hooks.clear()
        return torch.cat([torch.autograd.grad(one, leaf, retain_graph=True)[0] for one in kept[0][0]])


@mistake(
    "model not run to its end",
    "The numbers are right, but the model did not run to its end: what comes after `model.first` was not called.",
    loses=("the model run to its end and left as it was",),
)
def stopped_after_the_first_layer():
    import torch

    class Stop(Exception):
        pass

    def first_layer_inside(model, x):
        kept, leaf = [], x.clone().requires_grad_()

        def keep_and_stop(module, args, output):
            kept.append(output.clone())
            raise Stop

        handle = model.first.register_forward_hook(keep_and_stop)
        try:
            model(leaf)
        except Stop:
            pass
        finally:
            handle.remove()
        return torch.cat([torch.autograd.grad(one, leaf, retain_graph=True)[0] for one in kept[0][0]])


known(rows_mixed(jacobian_inside))


@wrong("rows summed")
def sum_of_the_kept_output():
    import torch

    def first_layer_inside(model, x):
        kept, leaf = [], x.clone().requires_grad_()
        with model.first.register_forward_hook(lambda m, i, o: kept.append(o.clone())):
            model(leaf)
        return torch.autograd.grad(kept[0].sum(), leaf)[0]


@mistake(
    "not a Sequential",
    "You cannot index this model or unpack it into layers. It has a child named `first`. See lesson 03, "
    "“Forward hooks on a model's layers”.",
    raises="TypeError: '\\w+' object is not (subscriptable|iterable)",
)
def first_by_index():
    import torch

    def first_layer_inside(model, x):
        return torch.func.jacrev(model[0])(x)[0, :, 0]


@mistake(
    "hook kept nothing",
    "Your hook has not kept anything. Forward hooks run when a module is called, as `model(x)`, after "
    "they were registered.",
    raises="IndexError: (list index out of range|pop from empty list)|KeyError|UnboundLocalError",
)
def hook_after_the_run():
    import torch

    def first_layer_inside(model, x):
        kept, leaf = [], x.clone().requires_grad_()
        model(leaf)
        with model.first.register_forward_hook(lambda m, i, o: kept.append(o.clone())):
            h = kept[0]
        return torch.cat([torch.autograd.grad(one, leaf, retain_graph=True)[0] for one in h[0]])


@wrong("not attempted")
def first_layer_inside_not_attempted():
    def first_layer_inside(model, x):
        raise NotImplementedError  # your code here


@wrong("no graph behind it")
def output_kept_detached():
    import torch

    def first_layer_inside(model, x):
        kept, leaf = [], x.clone().requires_grad_()
        with model.first.register_forward_hook(lambda m, i, o: kept.append(o.detach().clone())):
            model(leaf)
        return torch.cat([torch.autograd.grad(one, leaf, retain_graph=True)[0] for one in kept[0][0]])


@right
def handle_removed_in_a_finally():
    import torch

    def first_layer_inside(model, x):
        caught = {}
        leaf = x.detach().clone().requires_grad_()
        handle = model.first.register_forward_hook(lambda m, i, o: caught.update(out=o.clone()))
        try:
            model(leaf)
        finally:
            handle.remove()
        out = caught["out"]
        return torch.stack([torch.autograd.grad(out[0, i], leaf, retain_graph=True)[0][0] for i in range(out.shape[1])])


@right
def a_function_for_jacrev():
    import torch

    def first_layer_inside(model, x):
        def of_first(x):
            outputs = []
            with model.first.register_forward_hook(lambda module, args, output: outputs.append(output * 1)):
                model(x)
            return outputs[0]

        return torch.func.jacrev(of_first)(x)[0, :, 0]


@right
def hook_found_by_name():
    import torch

    class Keep:
        def __call__(self, module, args, output):
            self.output = output.clone()

    def first_layer_inside(model, x):
        keep, leaf = Keep(), x.clone().requires_grad_()
        handle = dict(model.named_children())["first"].register_forward_hook(keep)
        try:
            model(leaf)
        finally:
            handle.remove()
        h = keep.output
        eye = torch.eye(h.shape[1], dtype=h.dtype).unsqueeze(1)
        return torch.autograd.grad(h, leaf, eye, is_grads_batched=True)[0].squeeze(1)


@right
def differentiated_inside_the_hook():
    import torch

    def first_layer_inside(model, x):
        leaf, rows = x.detach().clone().requires_grad_(), []

        def differentiate(module, args, output):
            rows.extend(torch.autograd.grad(one, leaf, retain_graph=True)[0][0] for one in output[0])

        with model.first.register_forward_hook(differentiate):
            model(leaf)
        return torch.stack(rows)


@right
def the_model_goes_on_with_a_copy():
    import torch

    def first_layer_inside(model, x):
        leaf, kept = x.detach().clone().requires_grad_(), []

        def hand_on_a_copy(module, args, output):
            kept.append(output)
            return output.clone()

        with model.first.register_forward_hook(hand_on_a_copy):
            model(leaf)
        return torch.cat([torch.autograd.grad(one, leaf, retain_graph=True)[0] for one in kept[0][0]])
