"""Right answers to exercise 07."""

from tests.answers import right

# first_layer_jacobian


@right("first_layer_jacobian")
def by_jacrev_of_one_row():
    import torch

    def first_layer_jacobian(layer, x):
        return torch.func.jacrev(lambda row: layer(row[None])[0])(x[0])


@right("first_layer_jacobian")
def by_columns():
    from torch.func import jacfwd

    def first_layer_jacobian(layer, x):
        return jacfwd(layer)(x)[0, :, 0, :]


@right("first_layer_jacobian")
def by_functional_jacobian():
    import torch

    def first_layer_jacobian(layer, x):
        J = torch.autograd.functional.jacobian(layer, x)
        return J.reshape(J.shape[1], J.shape[3])


@right("first_layer_jacobian")
def one_wide_pass():
    import torch

    def first_layer_jacobian(layer, x):
        leaf = x.detach().clone().requires_grad_(True)
        h = layer(leaf)
        n = h.shape[-1]
        ones = torch.eye(n, dtype=h.dtype).reshape(n, 1, n)
        (rows,) = torch.autograd.grad(h, leaf, ones, is_grads_batched=True)
        return rows[:, 0]


@right("first_layer_jacobian")
def backward_with_a_cleared_grad():
    import torch

    def first_layer_jacobian(layer, x):
        leaf = torch.nn.Parameter(x.clone())
        out = layer(leaf)
        J = torch.zeros(out.shape[1], x.shape[1], dtype=x.dtype)
        for i in range(out.shape[1]):
            leaf.grad = None
            out[0, i].backward(retain_graph=True)
            J[i] = leaf.grad[0]
        return J


# first_layer_inside


@right("first_layer_inside")
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


@right("first_layer_inside")
def a_function_for_jacrev():
    import torch

    def first_layer_inside(model, x):
        def of_first(x):
            outputs = []
            with model.first.register_forward_hook(lambda module, args, output: outputs.append(output * 1)):
                model(x)
            return outputs[0]

        return torch.func.jacrev(of_first)(x)[0, :, 0]


@right("first_layer_inside")
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


@right("first_layer_inside")
def differentiated_inside_the_hook():
    import torch

    def first_layer_inside(model, x):
        leaf, rows = x.detach().clone().requires_grad_(), []

        def differentiate(module, args, output):
            rows.extend(torch.autograd.grad(one, leaf, retain_graph=True)[0][0] for one in output[0])

        with model.first.register_forward_hook(differentiate):
            model(leaf)
        return torch.stack(rows)


@right("first_layer_inside")
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


# weighted_input_gradient


@right("weighted_input_gradient")
def a_weighted_sum_as_the_output():
    import torch

    def weighted_input_gradient(layer, x, v):
        leaf = x.detach().requires_grad_()
        return torch.autograd.grad((layer(leaf) * v).sum(), leaf)[0]


@right("weighted_input_gradient")
def backward_with_weights():
    def weighted_input_gradient(layer, x, v):
        leaf = x.clone().requires_grad_()
        layer(leaf).backward(v)
        return leaf.grad


@right("weighted_input_gradient")
def by_vjp():
    import torch

    def weighted_input_gradient(layer, x, v):
        output, back = torch.func.vjp(layer, x)
        return back(v)[0]


# after_relu


@right("after_relu")
def rows_by_autograd():
    import torch

    def after_relu(model, x):
        leaf = x.clone().requires_grad_()
        y = model(leaf)
        return torch.cat([torch.autograd.grad(unit, leaf, retain_graph=True)[0] for unit in y[0]])


@right("after_relu")
def gate_from_the_result():
    import torch

    def after_relu(model, x):
        with torch.no_grad():
            gate = (model(x)[0] > 0).to(x.dtype)
            return torch.diag(gate) @ model[0].weight


@right("after_relu")
def by_columns_of_the_whole():
    from torch.func import jacfwd

    def after_relu(model, x):
        return jacfwd(lambda row: model(row.unsqueeze(0)).squeeze(0))(x[0])


# neuron_gradient


@right("neuron_gradient")
def one_hot_upstream():
    import torch

    def neuron_gradient(model, X, k):
        leaf = X.clone().requires_grad_()
        y = model(leaf)
        v = torch.zeros_like(y)
        v[:, k] = 1
        return torch.autograd.grad(y, leaf, v)[0]


@right("neuron_gradient")
def sample_by_sample():
    import torch

    def neuron_gradient(model, X, k):
        rows = []
        for sample in X:
            leaf = sample.clone().unsqueeze(0).requires_grad_()
            model(leaf)[0, k].backward()
            rows.append(leaf.grad[0])
        return torch.stack(rows)


@right("neuron_gradient")
def one_row_of_a_vmapped_gradient():
    from torch.func import grad, vmap

    def neuron_gradient(model, X, k):
        return vmap(grad(lambda sample: model(sample[None])[0, k]))(X)


# per_sample_jacobian


@right("per_sample_jacobian")
def a_pass_for_each_output():
    import torch
    from torch import nn

    def per_sample_jacobian(model, X):
        kinds = (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d)
        for name, module in model.named_modules():
            if isinstance(module, kinds) and (module.training or not module.track_running_stats):
                raise ValueError(f"{name} mixes the samples")
        leaf = X.clone().requires_grad_()
        y = model(leaf)
        rows = [torch.autograd.grad(y[:, i].sum(), leaf, retain_graph=True)[0] for i in range(y.shape[1])]
        return torch.stack(rows, dim=1)


@right("per_sample_jacobian")
def each_sample_by_itself():
    import torch
    from torch.nn.modules.batchnorm import _BatchNorm

    def mixes(module):
        if isinstance(module, _BatchNorm):
            return module.training or module.running_mean is None
        return any(mixes(child) for child in module.children())

    def per_sample_jacobian(model, X):
        if mixes(model):
            raise ValueError("samples are mixed")
        return torch.stack([torch.autograd.functional.jacobian(model, s[None])[0, :, 0] for s in X])


@right("per_sample_jacobian")
def blocks_of_the_whole_table():
    import torch
    from torch import nn

    def per_sample_jacobian(model, X):
        for m in model.modules():
            if "BatchNorm" in type(m).__name__ and (m.training or m.running_var is None):
                raise ValueError
        table = torch.func.jacrev(model)(X)
        return table[range(len(X)), :, range(len(X))]


# directional_derivative


@right("directional_derivative")
def dual_numbers():
    from torch.autograd import forward_ad as fwAD

    def directional_derivative(f, x, v):
        with fwAD.dual_level():
            return fwAD.unpack_dual(f(fwAD.make_dual(x, v))).tangent


@right("directional_derivative")
def all_columns_then_the_product():
    import torch

    def directional_derivative(f, x, v):
        J = torch.func.jacfwd(f)(x)
        return torch.tensordot(J, v, dims=x.dim())


@right("directional_derivative")
def jvp_unpacked():
    from torch.func import jvp

    def directional_derivative(f, x, v):
        value, speed = jvp(f, primals=(x,), tangents=(v,))
        assert speed.shape == value.shape
        return speed
