"""Right answers to exercise 04."""

from tests.answers import right

# attach_savers


@right("attach_savers")
def a_default_value_for_the_name():
    def attach_savers(tensors, grads):
        handles = []
        for name, tensor in tensors.items():

            def save(gradient, name=name):
                grads[name] = gradient.detach().clone()

            handles.append(tensor.register_hook(save))
        return handles


@right("attach_savers")
def a_class_of_hooks():
    from dataclasses import dataclass

    import torch

    @dataclass
    class Saver:
        name: str
        grads: dict

        def __call__(self, gradient):
            self.grads[self.name] = torch.tensor(gradient.tolist(), dtype=gradient.dtype, device=gradient.device)

    def attach_savers(tensors, grads):
        return tuple(tensor.register_hook(Saver(name, grads)) for name, tensor in tensors.items())


@right("attach_savers")
def a_partial():
    from functools import partial

    def save(grads, name, gradient):
        grads.update({name: gradient + 0})

    def attach_savers(tensors, grads):
        return [tensor.register_hook(partial(save, grads, name)) for name, tensor in tensors.items()]


@right("attach_savers")
def a_copy_returned_too():
    def attach_savers(tensors, grads):
        def saver(name):
            def save(gradient):
                grads[name] = gradient.clone()
                return gradient

            return save

        return list(map(lambda item: item[1].register_hook(saver(item[0])), tensors.items()))


# predict_hooks


@right("predict_hooks")
def integers_and_tuples():
    def predict_hooks():
        return dict(A=(60,), B=(180, 180), C=(), D=(1,), E=(60,), F=(61,), G=(60,), H=(360,), I=(-20,))


@right("predict_hooks")
def worked_out_from_partials():
    def predict_hooks():
        x, w = 2, 3
        d_v = 5
        d_u = d_v * 2 * (x * w)
        d_x, d_b = d_u * w, -4 * d_v
        return {
            "A": [d_u],
            "B": 2 * [d_x],
            "C": [],
            "D": [1],
            "E": [d_u],
            "F": [d_u + 1],
            "G": [d_u],
            "H": [2 * d_u * w],
            "I": [d_b],
            "why": "the chain rule",
        }


@right("predict_hooks")
def really_run():
    import torch

    def predict_hooks():
        def double(gradient):
            return 2 * gradient

        def add_one(gradient):
            return gradient + 1

        def case(*lines):
            x, w, b = (torch.tensor(value, requires_grad=True) for value in (2.0, 3.0, 1.0))
            u = x * w
            v = u * u - 4 * b
            a = 5 * torch.relu(v)
            tensors, log = {"x": x, "w": w, "b": b, "u": u, "v": v, "a": a}, []

            def record(gradient):
                log.append(gradient.item())

            for kind, name in lines:
                if kind == "backward":
                    a.backward(retain_graph=True)
                elif kind == "grad":
                    torch.autograd.grad(a, tensors[name], retain_graph=True)
                else:
                    tensors[name].register_hook({"record": record, "double": double, "add_one": add_one}[kind])
            return log

        backward = ("backward", "")
        return {
            "A": case(("record", "u"), backward),
            "B": case(("record", "x"), backward, backward),
            "C": case(("record", "u"), ("grad", "b")),
            "D": case(("record", "a"), ("grad", "w")),
            "E": case(backward, ("record", "u"), ("grad", "x")),
            "F": case(("add_one", "u"), ("record", "u"), backward),
            "G": case(("record", "u"), ("add_one", "u"), backward),
            "H": case(("record", "x"), ("double", "u"), backward),
            "I": case(("record", "b"), ("double", "u"), backward),
        }


# clip_on_the_way


@right("clip_on_the_way")
def a_factor_of_at_most_one():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            return gradient * (max_norm / gradient.norm()).clamp(max=1)

        return t.register_hook(clip)


@right("clip_on_the_way")
def nothing_returned_where_it_fits():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            length = float((gradient**2).sum()) ** 0.5
            if length > max_norm:
                return gradient / length * max_norm

        return t.register_hook(clip)


@right("clip_on_the_way")
def the_usual_small_number():
    import torch

    def clip_on_the_way(t, max_norm):
        return t.register_hook(
            lambda gradient: gradient.clone() * min(1.0, max_norm / (torch.linalg.vector_norm(gradient).item() + 1e-6))
        )


@right("clip_on_the_way")
def renorm():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            return gradient.reshape(1, -1).renorm(2, 0, max_norm).reshape(gradient.shape)

        return t.register_hook(clip)


@right("clip_on_the_way")
def clip_grad_norm_on_a_copy():
    import torch

    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            carrier = torch.zeros_like(gradient, requires_grad=True)
            carrier.grad = gradient.detach().clone()
            torch.nn.utils.clip_grad_norm_(carrier, max_norm)
            return carrier.grad

        return t.register_hook(clip)


# layer_gradients


@right("layer_gradients")
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


@right("layer_gradients")
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


@right("layer_gradients")
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


@right("layer_gradients")
def retain_grad_in_a_pre_hook():
    def layer_gradients(model, x, loss_fn):
        kept, before = {}, x.grad

        def keep(name, side):
            def hook(module, args, output=None):
                tensor = args[0] if output is None else output
                kept[name, side] = tensor
                if tensor.requires_grad and not tensor.is_leaf:
                    tensor.retain_grad()

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


# count_nodes


@right("count_nodes")
def a_queue_and_a_context():
    from collections import Counter, deque
    from contextlib import ExitStack

    def count_nodes(output, run):
        runs, met, to_visit = Counter(), [], deque([output.grad_fn] if output.grad_fn else [])
        seen = set(to_visit)
        while to_visit:
            node = to_visit.popleft()
            met.append(node)
            for following, _ in node.next_functions:
                if following and following not in seen:
                    seen.add(following)
                    to_visit.append(following)
        with ExitStack() as stack:
            for node in met:
                stack.enter_context(node.register_prehook(lambda gradients, name=node.name(): runs.update([name])))
            run()
        return sum(runs.values())


@right("count_nodes")
def hooks_after_the_node():
    def count_nodes(output, run):
        nodes = {output.grad_fn} - {None}
        layer = set(nodes)
        while layer:
            layer = {following for node in layer for following, _ in node.next_functions} - nodes - {None}
            nodes |= layer
        executions = []
        handles = [node.register_hook(lambda inputs, outputs: executions.append(1)) for node in nodes]
        try:
            run()
        finally:
            while handles:
                handles.pop().remove()
        return len(executions)


@right("count_nodes")
def a_tally_per_node():
    import torch

    def count_nodes(output, run):
        if output.grad_fn is None:
            run()
            return 0
        tally = {output.grad_fn: 0}
        nodes = [output.grad_fn]
        for node in nodes:
            for following, _ in node.next_functions:
                if following is not None and following not in tally:
                    tally[following] = 0
                    nodes.append(following)

        def counting(node):
            def count(gradients):
                tally[node] += 1

            return count

        handles = [node.register_prehook(counting(node)) for node in nodes]
        try:
            run()
            return torch.tensor(list(tally.values())).sum().item()
        finally:
            for handle in handles:
                handle.remove()


# step_in_backward


@right("step_in_backward")
def an_optimizer_for_each():
    import torch

    def step_in_backward(parameters, lr):
        handles = []
        for parameter in parameters:
            optimizer = torch.optim.SGD([parameter], lr=lr)

            def step(parameter, optimizer=optimizer):
                optimizer.step()
                optimizer.zero_grad()

            handles.append(parameter.register_post_accumulate_grad_hook(step))
        return handles


@right("step_in_backward")
def by_data():
    def step_in_backward(parameters, lr):
        def step(p):
            p.data.add_(p.grad.detach(), alpha=-lr)
            del p.grad

        return tuple(p.register_post_accumulate_grad_hook(step) for p in parameters)


@right("step_in_backward")
def one_optimizer_whose_others_have_none():
    import torch

    def step_in_backward(parameters, lr):
        parameters = list(parameters)
        optimizer = torch.optim.SGD(parameters, lr)

        def step(_):
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)

        return [p.register_post_accumulate_grad_hook(step) for p in parameters]


@right("step_in_backward")
def new_data():
    import torch

    @torch.no_grad()
    def step(p, lr):
        p.copy_(p - lr * p.grad)
        p.grad = None

    def step_in_backward(parameters, lr):
        from functools import partial

        return [p.register_post_accumulate_grad_hook(partial(step, lr=lr)) for p in parameters]
