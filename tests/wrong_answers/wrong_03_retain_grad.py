"""Wrong answers to exercise 03."""

from tests.answers import wrong

# keeps_grad


@wrong("keeps_grad", diagnosed="not attempted")
def keeps_grad_not_attempted():
    def keeps_grad(tensors):
        raise NotImplementedError  # your code here


@wrong("keeps_grad", diagnosed="requires_grad alone")
def whatever_takes_part():
    def keeps_grad(tensors):
        return {name: t.requires_grad for name, t in tensors.items()}


@wrong("keeps_grad", diagnosed="is_leaf alone")
def every_leaf():
    def keeps_grad(tensors):
        return {name: t.is_leaf for name, t in tensors.items()}


@wrong("keeps_grad", diagnosed="retained tensors forgotten", loses=("tensors that were told to keep it",))
def leaves_that_take_part():
    def keeps_grad(tensors):
        return {name: t.requires_grad and t.grad_fn is None for name, t in tensors.items()}


@wrong("keeps_grad", diagnosed="requires_grad forgotten")
def leaf_or_retained():
    def keeps_grad(tensors):
        return {name: t.is_leaf or t.retains_grad for name, t in tensors.items()}


@wrong("keeps_grad", diagnosed="retains_grad alone")
def only_what_was_told():
    def keeps_grad(tensors):
        result = {}
        for name, t in tensors.items():
            result[name] = t.retains_grad
        return result


@wrong("keeps_grad", diagnosed=".grad as it is now")
def what_is_there_already():
    def keeps_grad(tensors):
        return {name: t.grad is not None for name, t in tensors.items()}


@wrong("keeps_grad", diagnosed="parameters only")
def parameters():
    from torch import nn

    def keeps_grad(tensors):
        return {name: isinstance(t, nn.Parameter) for name, t in tensors.items()}


@wrong("keeps_grad", diagnosed="the wrong way round")
def who_keeps_none():
    def keeps_grad(tensors):
        return {n: not t.requires_grad or not (t.is_leaf or t.retains_grad) for n, t in tensors.items()}


@wrong("keeps_grad", diagnosed="tried out")
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


# retained


@wrong("retained", diagnosed="not attempted")
def retained_not_attempted():
    def retained(x, w, b):
        raise NotImplementedError  # your code here


@wrong("retained", diagnosed="retained too late", loses=("u and v",))
def after_the_pass():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = x * w
        v = u + b
        a = torch.relu(v)
        a.backward()
        u.retain_grad()
        v.retain_grad()
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@wrong("retained", diagnosed="never retained", loses=("u and v",))
def leaves_only():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = x * w
        v = u + b
        torch.relu(v).backward()
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@wrong("retained", diagnosed="never retained", loses=("u and v",))
def retain_graph_taken_for_retain_grad():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = x * w
        v = u + b
        torch.relu(v).backward(retain_graph=True)
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@wrong("retained", diagnosed="retained on a copy", loses=("u and v",))
def copies_in_the_dict():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = x * w
        v = u + b
        result = {"x": x, "w": w, "b": b, "u": u.clone(), "v": v.clone()}
        result["u"].retain_grad()
        result["v"].retain_grad()
        torch.relu(v).backward()
        return result


@wrong("retained", diagnosed="more than one pass")
def a_second_pass_for_the_inner_ones():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = x * w
        v = u + b
        u.retain_grad()
        v.retain_grad()
        a = torch.relu(v)
        a.backward(retain_graph=True)
        a.backward()
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@wrong("retained", diagnosed="more than one pass")
def a_pass_for_each_tensor():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = x * w
        v = u + b
        a = torch.relu(v)
        tensors = {"x": x, "w": w, "b": b, "u": u, "v": v}
        for tensor in tensors.values():
            tensor.retain_grad()
            a.backward(retain_graph=True)
        return tensors


@wrong("retained", diagnosed="only v retained", loses=("u and v",))
def one_of_the_two():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = x * w
        v = u + b
        v.retain_grad()
        torch.relu(v).backward()
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@wrong("retained", diagnosed="only u retained", loses=("u and v",))
def the_other_of_the_two():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = x * w
        u.retain_grad()
        v = u + b
        torch.relu(v).backward()
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@wrong("retained", diagnosed="leaves that are none", loses=("the leaves",))
def converted_after_the_fact():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True).double() for t in (x, w, b))
        u = x * w
        v = u + b
        u.retain_grad()
        v.retain_grad()
        torch.relu(v).backward()
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@wrong("retained", diagnosed="x takes no part", loses=("the leaves",))
def x_is_only_the_input():
    import torch

    def retained(x, w, b):
        x = torch.tensor(x)
        w, b = torch.tensor(w, requires_grad=True), torch.tensor(b, requires_grad=True)
        u = x * w
        v = u + b
        u.retain_grad()
        v.retain_grad()
        torch.relu(v).backward()
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@wrong("retained", diagnosed="no backward pass")
def leaves_taken_out_of_one():
    import torch

    def retained(x, w, b):
        x, w, b = torch.tensor([x, w, b], requires_grad=True)
        u = x * w
        v = u + b
        torch.relu(v).backward()
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@wrong("retained", diagnosed="no backward pass")
def no_pass_at_all():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = x * w
        v = u + b
        for t in (x, w, b, u, v):
            t.retain_grad()
        a = torch.relu(v)
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@wrong("retained", diagnosed="gradients instead of tensors")
def a_dict_of_gradients():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = x * w
        v = u + b
        nodes = {"x": x, "w": w, "b": b, "u": u, "v": v}
        for t in nodes.values():
            t.retain_grad()
        torch.relu(v).backward()
        return {name: t.grad for name, t in nodes.items()}


@wrong("retained", diagnosed="retained without requires_grad")
def plain_tensors():
    import torch

    def retained(x, w, b):
        x, w, b = torch.tensor(x), torch.tensor(w), torch.tensor(b)
        u = x * w
        v = u + b
        u.retain_grad()
        v.retain_grad()
        torch.relu(v).backward()
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@wrong("retained", diagnosed="relu's gate forgotten")
def backward_from_v():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = x * w
        v = u + b
        u.retain_grad()
        v.retain_grad()
        v.backward()
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@wrong("retained", diagnosed="graph already freed")
def two_passes_through_one_graph():
    import torch

    def retained(x, w, b):
        x, w, b = (torch.tensor(t, requires_grad=True) for t in (x, w, b))
        u = x * w
        v = u + b
        a = torch.relu(v)
        u.retain_grad()
        a.backward()
        v.retain_grad()
        a.backward()
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


# grad_after


@wrong("grad_after", diagnosed="not attempted")
def grad_after_not_attempted():
    def grad_after(f, x, times):
        raise NotImplementedError  # your code here


@wrong("grad_after", diagnosed="one tensor under many names", loses=("after each pass",))
def the_gradient_itself():
    def grad_after(f, x, times):
        leaf = x.detach().clone().requires_grad_()
        log = []
        for _ in range(times):
            f(leaf).backward()
            log.append(leaf.grad)
        return log


@wrong("grad_after", diagnosed="one tensor under many names")
def detached_and_still_the_same_memory():
    def grad_after(f, x, times):
        leaf = x.detach().clone().requires_grad_()
        log = []
        for _ in range(times):
            f(leaf).backward()
            log.append(leaf.grad.detach())
        return log


@wrong("grad_after", diagnosed="cleared in between")
def zeroed_each_time():
    def grad_after(f, x, times):
        leaf = x.detach().clone().requires_grad_()
        log = []
        for _ in range(times):
            leaf.grad = None
            f(leaf).backward()
            log.append(leaf.grad.clone())
        return log


@wrong("grad_after", diagnosed="cleared in between")
def a_new_leaf_each_time():
    def grad_after(f, x, times):
        log = []
        for _ in range(times):
            leaf = x.detach().clone().requires_grad_()
            f(leaf).backward()
            log.append(leaf.grad)
        return log


@wrong("grad_after", diagnosed="one call for all passes")
def one_graph_kept():
    def grad_after(f, x, times):
        leaf = x.detach().clone().requires_grad_()
        y = f(leaf)
        log = []
        for _ in range(times):
            y.backward(retain_graph=True)
            log.append(leaf.grad.clone())
        return log


@wrong("grad_after", diagnosed="graph already freed")
def one_graph_used_again():
    def grad_after(f, x, times):
        leaf = x.detach().clone().requires_grad_()
        y = f(leaf)
        log = []
        for _ in range(times):
            y.backward()
            log.append(leaf.grad.clone())
        return log


@wrong("grad_after", diagnosed="the caller's tensor as leaf", loses=("the caller's tensor as before",))
def on_the_callers_tensor():
    def grad_after(f, x, times):
        x.requires_grad_()
        log = []
        for _ in range(times):
            f(x).backward()
            log.append(x.grad.clone())
        return log


@wrong("grad_after", diagnosed="a clone is no leaf", loses=("the caller's tensor as before",))
def on_a_clone():
    def grad_after(f, x, times):
        x = x.clone().requires_grad_()
        log = []
        for _ in range(times):
            f(x).backward()
            log.append(x.grad.clone())
        return log


@wrong("grad_after", diagnosed="noted before the pass")
def too_early():
    import torch

    def grad_after(f, x, times):
        leaf = x.detach().clone().requires_grad_()
        leaf.grad = torch.zeros_like(leaf)
        log = []
        for _ in range(times):
            log.append(leaf.grad.clone())
            f(leaf).backward()
        return log


@wrong("grad_after", diagnosed="only the last pass noted")
def noted_once():
    def grad_after(f, x, times):
        leaf = x.detach().clone().requires_grad_()
        for _ in range(times):
            f(leaf).backward()
        return [leaf.grad]


@wrong("grad_after", diagnosed="gradient of a vector")
def a_vector():
    def grad_after(f, x, times):
        leaf = x.detach().clone().requires_grad_()
        return [(f(leaf) * leaf).backward() for _ in range(times)]


# micro_batches


@wrong("micro_batches", diagnosed="not attempted")
def micro_batches_not_attempted():
    def micro_batches(model, loss_fn, X, y, parts):
        raise NotImplementedError  # your code here


@wrong("micro_batches", diagnosed="means added up")
def no_factor():
    def micro_batches(model, loss_fn, X, y, parts):
        model.zero_grad()
        for a, b in zip(X.tensor_split(parts), y.tensor_split(parts)):
            loss_fn(model(a), b).backward()
        return [p.grad.clone() for p in model.parameters()]


@wrong("micro_batches", diagnosed="parts weighted equally", loses=("parts of unequal size",))
def the_recipe_that_circulates():
    def micro_batches(model, loss_fn, X, y, parts):
        model.zero_grad()
        for a, b in zip(X.chunk(parts), y.chunk(parts)):
            loss = loss_fn(model(a), b) / parts
            loss.backward()
        return [p.grad for p in model.parameters()]


@wrong("micro_batches", diagnosed="parts weighted equally", loses=("parts of unequal size",))
def the_mean_of_means():
    import torch

    def micro_batches(model, loss_fn, X, y, parts):
        model.zero_grad()
        losses = [loss_fn(model(a), b) for a, b in zip(X.tensor_split(parts), y.tensor_split(parts))]
        torch.stack(losses).mean().backward()
        return [p.grad for p in model.parameters()]


@wrong("micro_batches", diagnosed="gradients from before added", loses=("whatever lay in .grad before",))
def not_cleared():
    def micro_batches(model, loss_fn, X, y, parts):
        for a, b in zip(X.tensor_split(parts), y.tensor_split(parts)):
            (loss_fn(model(a), b) * len(a) / len(X)).backward()
        return [p.grad.clone() for p in model.parameters()]


@wrong("micro_batches", diagnosed="cleared between the parts")
def cleared_too_often():
    def micro_batches(model, loss_fn, X, y, parts):
        for a, b in zip(X.tensor_split(parts), y.tensor_split(parts)):
            model.zero_grad()
            (loss_fn(model(a), b) * len(a) / len(X)).backward()
        return [p.grad.clone() for p in model.parameters()]


@wrong("micro_batches", diagnosed="the whole batch at once", loses=("never too many samples at once",))
def not_cut_at_all():
    def micro_batches(model, loss_fn, X, y, parts):
        model.zero_grad()
        loss_fn(model(X), y).backward()
        return [p.grad for p in model.parameters()]


@wrong("micro_batches", diagnosed="the rest in the last part", loses=("never too many samples at once",))
def the_last_part_takes_the_rest():
    def micro_batches(model, loss_fn, X, y, parts):
        model.zero_grad()
        size = len(X) // parts
        for k in range(parts):
            end = (k + 1) * size if k < parts - 1 else len(X)
            some, targets = X[k * size : end], y[k * size : end]
            (loss_fn(model(some), targets) * len(some) / len(X)).backward()
        return [parameter.grad for parameter in model.parameters()]


@wrong("micro_batches", diagnosed="argument changed", loses=("whatever lay in .grad before",))
def a_step_at_the_end():
    import torch

    def micro_batches(model, loss_fn, X, y, parts):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        optimizer.zero_grad()
        for some, targets in zip(X.chunk(parts), y.chunk(parts)):
            (loss_fn(model(some), targets) * len(some) / len(X)).backward()
        optimizer.step()
        return [parameter.grad for parameter in model.parameters()]


@wrong("micro_batches", diagnosed="parts taken as a size", loses=("never too many samples at once",))
def split_by_parts():
    def micro_batches(model, loss_fn, X, y, parts):
        model.zero_grad()
        for a, b in zip(X.split(parts), y.split(parts)):
            (loss_fn(model(a), b) * len(a) / len(X)).backward()
        return [p.grad for p in model.parameters()]


@wrong("micro_batches", diagnosed="the rest left out")
def whole_parts_only():
    def micro_batches(model, loss_fn, X, y, parts):
        model.zero_grad()
        size = len(X) // parts
        for i in range(parts):
            a, b = X[i * size : (i + 1) * size], y[i * size : (i + 1) * size]
            (loss_fn(model(a), b) * size / len(X)).backward()
        return [p.grad for p in model.parameters()]


@wrong("micro_batches", diagnosed="the same targets for every part")
def y_from_the_start():
    def micro_batches(model, loss_fn, X, y, parts):
        model.zero_grad()
        for a in X.tensor_split(parts):
            (loss_fn(model(a), y[: len(a)]) * len(a) / len(X)).backward()
        return [p.grad for p in model.parameters()]


@wrong("micro_batches", diagnosed="a constant factor")
def weighted_by_the_size():
    def micro_batches(model, loss_fn, X, y, parts):
        model.zero_grad()
        for a, b in zip(X.chunk(parts), y.chunk(parts)):
            (len(a) * loss_fn(model(a), b)).backward()
        return [p.grad for p in model.parameters()]


@wrong("micro_batches", diagnosed="under another name")
def from_last_to_first():
    def micro_batches(model, loss_fn, X, y, parts):
        model.zero_grad()
        for a, b in zip(X.chunk(parts), y.chunk(parts)):
            (len(a) / len(X) * loss_fn(model(a), b)).backward()
        return [p.grad for p in reversed(list(model.parameters()))]


@wrong("micro_batches", diagnosed="nothing there to clear")
def zeroed_where_nothing_is():
    def micro_batches(model, loss_fn, X, y, parts):
        for p in model.parameters():
            p.grad.zero_()
        for a, b in zip(X.chunk(parts), y.chunk(parts)):
            (len(a) / len(X) * loss_fn(model(a), b)).backward()
        return [p.grad for p in model.parameters()]


# stop_gradient


@wrong("stop_gradient", diagnosed="not attempted")
def stop_gradient_not_attempted():
    def stop_gradient(x):
        raise NotImplementedError  # your code here


@wrong("stop_gradient", diagnosed="nothing stopped", loses=("the gradient",))
def a_plain_square():
    def stop_gradient(x):
        return x**2


@wrong("stop_gradient", diagnosed="nothing stopped", loses=("the gradient",))
def a_name_under_no_grad():
    import torch

    def stop_gradient(x):
        with torch.no_grad():
            factor = x  # the same tensor under another name
        return factor * x


@wrong("stop_gradient", diagnosed="every path stopped", loses=("the gradient",))
def all_detached():
    def stop_gradient(x):
        return (x * x).detach()


@wrong("stop_gradient", diagnosed="every path stopped", loses=("the gradient",))
def all_under_no_grad():
    import torch

    @torch.no_grad()
    def stop_gradient(x):
        return x.detach() * x


@wrong("stop_gradient", diagnosed="the gradient of x itself", loses=("the gradient",))
def straight_through():
    def stop_gradient(x):
        return x + (x**2 - x).detach()


@wrong("stop_gradient", diagnosed="half the square", loses=("the value",))
def scaled_down():
    def stop_gradient(x):
        return 0.5 * x**2


@wrong("stop_gradient", diagnosed="a factor too many")
def the_square_times_x():
    def stop_gradient(x):
        return (x**2).detach() * x


@wrong("stop_gradient", diagnosed="upstream gradient ignored", loses=("the gradient",))
def a_function_without_upstream():
    import torch

    class Stopped(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**2

        @staticmethod
        def backward(ctx, upstream):
            (x,) = ctx.saved_tensors
            return x.clone()

    def stop_gradient(x):
        return Stopped.apply(x)


@wrong("stop_gradient", diagnosed="the square as gradient", loses=("the gradient",))
def a_function_that_saves_the_result():
    import torch

    class Stopped(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x**2
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, upstream):
            (y,) = ctx.saved_tensors
            return y * upstream

    def stop_gradient(x):
        return Stopped.apply(x)


@wrong("stop_gradient", diagnosed="argument changed", loses=("the value",))
def a_product_in_place():
    def stop_gradient(x):
        y = x.detach()
        y *= x
        return y


# retained_by_layer


@wrong("retained_by_layer", diagnosed="not attempted")
def retained_by_layer_not_attempted():
    def retained_by_layer(model, x, loss_fn):
        raise NotImplementedError  # your code here


@wrong("retained_by_layer", diagnosed="one name for all hooks")
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


@wrong("retained_by_layer", diagnosed="children in a row")
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


@wrong(
    "retained_by_layer",
    diagnosed="nothing to retain yet",
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


@wrong("retained_by_layer", diagnosed="nothing to retain yet")
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


@wrong("retained_by_layer", diagnosed="children without parameters left out")
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


@wrong("retained_by_layer", diagnosed="gradients of the inputs")
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


@wrong("retained_by_layer", diagnosed="gradients of the inputs")
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


@wrong("retained_by_layer", diagnosed="gradients of the parameters")
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


@wrong("retained_by_layer", diagnosed="outputs themselves")
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


@wrong("retained_by_layer", diagnosed="outputs not retained")
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


@wrong("retained_by_layer", diagnosed="loss left out")
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


@wrong("retained_by_layer", diagnosed="hooks left behind", loses=("model and input as before",))
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


@wrong("retained_by_layer", diagnosed="other people's hooks removed", loses=("model and input as before",))
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


@wrong("retained_by_layer", diagnosed="another mode", loses=("other models", "model and input as before"))
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


@wrong("retained_by_layer", diagnosed="numbers for names")
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


@wrong("retained_by_layer", diagnosed="the caller's input as leaf")
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


@wrong("retained_by_layer", diagnosed="whole numbers as a leaf", loses=("other models",))
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
