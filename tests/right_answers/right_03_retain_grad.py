"""Right answers to exercise 03."""

from tests.answers import right

# keeps_grad


@right("keeps_grad")
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


@right("keeps_grad")
def by_sets_of_names():
    def keeps_grad(tensors):
        taking_part = {n for n, t in tensors.items() if t.requires_grad}
        leaves = {n for n, t in tensors.items() if t.is_leaf}
        told = {n for n, t in tensors.items() if t.retains_grad}
        return {n: n in taking_part & (leaves | told) for n in tensors}


# retained


@right("retained")
def with_backward_inputs():
    import torch

    def retained(x, w, b):
        leaves = [torch.tensor(number, dtype=torch.float64, requires_grad=True) for number in (x, w, b)]
        u = leaves[0] * leaves[1]
        v = u + leaves[2]
        a = v.relu()
        a.backward(inputs=[*leaves, u, v])
        return dict(zip("xwbuv", [*leaves, u, v]))


@right("retained")
def gradients_put_there_by_grad():
    import torch

    def retained(x, w, b):
        tensors = {n: torch.tensor([v]).requires_grad_() for n, v in (("x", x), ("w", w), ("b", b))}
        tensors["u"] = tensors["x"] * tensors["w"]
        tensors["v"] = tensors["u"] + tensors["b"]
        a = torch.clamp(tensors["v"], min=0)
        for tensor, gradient in zip(tensors.values(), torch.autograd.grad(a, list(tensors.values()))):
            tensor.grad = gradient
        return tensors


@right("retained")
def inner_tensors_by_hooks_and_parameters():
    import torch
    from torch import nn

    def retained(x, w, b):
        found = {
            "x": nn.Parameter(torch.tensor(x)),
            "w": nn.Parameter(torch.tensor(w)),
            "b": nn.Parameter(torch.tensor(b)),
        }
        found["u"] = found["w"] * found["x"]
        found["v"] = found["b"] + found["u"]
        found["a"] = nn.functional.relu(found["v"])
        for name in ("u", "v", "a"):
            found[name].retain_grad()
        found["a"].backward()
        return found


# grad_after


@right("grad_after")
def sums_of_grad():
    import torch

    def grad_after(f, x, times):
        total = torch.zeros_like(x).detach()
        log = []
        for _ in range(times):
            leaf = torch.empty_like(x).copy_(x.detach()).requires_grad_(True)
            (gradient,) = torch.autograd.grad(f(leaf), leaf)
            total = total + gradient
            log.append(total)
        return log


@right("grad_after")
def a_parameter_and_deep_copies():
    import copy
    from torch import nn

    def grad_after(f, x, times):
        leaf = nn.Parameter(x.detach().clone())
        log = ()
        for _ in range(times):
            f(leaf).sum().backward()
            log += (copy.deepcopy(leaf.grad),)
        return log


@right("grad_after")
def the_gradient_exchanged_for_a_new_tensor():
    def grad_after(f, x, times):
        leaf = x.detach().clone()
        leaf.requires_grad = True
        log = []
        while len(log) < times:
            f(leaf).backward()
            log.append(leaf.grad)
            leaf.grad = leaf.grad + 0
        return log


# micro_batches


@right("micro_batches")
def chunks_by_their_share():
    def micro_batches(model, loss_fn, X, y, parts):
        for parameter in model.parameters():
            parameter.grad = None
        for part, targets in zip(X.chunk(parts), y.chunk(parts)):
            (loss_fn(model(part), targets) * part.shape[0] / X.shape[0]).backward()
        return [parameter.grad.clone() for parameter in model.parameters()]


@right("micro_batches")
def without_filling_grad():
    import math
    import torch

    def micro_batches(model, loss_fn, X, y, parts):
        size = math.ceil(len(X) / parts)
        parameters = tuple(model.parameters())
        total = [torch.zeros_like(p) for p in parameters]
        for start in range(0, len(X), size):
            part, targets = X[start : start + size], y[start : start + size]
            gradients = torch.autograd.grad(loss_fn(model(part), targets), parameters)
            for t, g in zip(total, gradients):
                t += g * len(part)
        return [t / len(X) for t in total]


@right("micro_batches")
def one_sample_at_a_time():
    def micro_batches(model, loss_fn, X, y, parts):
        model.zero_grad(set_to_none=False)
        for i in range(len(X)):
            loss_fn(model(X[i : i + 1]), y[i : i + 1]).backward()
        return [p.grad / len(X) for p in model.parameters()]


@right("micro_batches")
def one_backward_at_the_end():
    import torch

    def micro_batches(model, loss_fn, X, y, parts):
        pieces = zip(torch.tensor_split(X, parts), torch.tensor_split(y, parts))
        loss = sum(loss_fn(model(a), b) * (len(a) / len(X)) for a, b in pieces)
        return torch.autograd.grad(loss, list(model.parameters()))


# stop_gradient


@right("stop_gradient")
def as_a_function():
    import torch

    class Stopped(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, upstream):
            (x,) = ctx.saved_tensors
            return x * upstream

    def stop_gradient(x):
        return Stopped.apply(x)


@right("stop_gradient")
def half_and_half():
    def stop_gradient(x):
        half = x**2 / 2
        return half + half.detach()


@right("stop_gradient")
def a_factor_made_without_recording():
    import torch

    def stop_gradient(x):
        with torch.no_grad():
            factor = x.clone()
        return factor * x


# retained_by_layer


@right("retained_by_layer")
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


@right("retained_by_layer")
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


@right("retained_by_layer")
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


@right("retained_by_layer")
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
