"""Wrong answers to exercise 07."""

from tests.answers import wrong

# first_layer_jacobian


@wrong("first_layer_jacobian", diagnosed="not attempted")
def first_layer_jacobian_not_attempted():
    def first_layer_jacobian(layer, x):
        raise NotImplementedError  # your code here


@wrong("first_layer_jacobian", diagnosed="gradient of a vector")
def grad_of_the_output():
    import torch

    def first_layer_jacobian(layer, x):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(layer(x), x)[0]


@wrong("first_layer_jacobian", diagnosed="rows summed")
def grad_of_the_sum():
    import torch

    def first_layer_jacobian(layer, x):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(layer(x).sum(), x)[0]


@wrong("first_layer_jacobian", diagnosed="rows summed")
def ones_upstream():
    import torch

    def first_layer_jacobian(layer, x):
        x = x.clone().requires_grad_()
        h = layer(x)
        return torch.autograd.grad(h, x, torch.ones_like(h))[0].squeeze()


@wrong("first_layer_jacobian", diagnosed="rows averaged")
def grad_of_the_mean():
    import torch

    def first_layer_jacobian(layer, x):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(layer(x).mean(), x)[0]


@wrong("first_layer_jacobian", diagnosed="weight.grad")
def gradient_of_the_weights():
    import torch

    def first_layer_jacobian(layer, x):
        matrix = [p for p in layer.parameters() if p.dim() == 2][0]
        matrix.grad = None
        layer(x).sum().backward()
        return matrix.grad


@wrong("first_layer_jacobian", diagnosed="the weight itself")
def the_layers_weight():
    def first_layer_jacobian(layer, x):
        return layer.weight


@wrong("first_layer_jacobian", diagnosed="the weight itself")
def the_first_matrix_of_parameters():
    def first_layer_jacobian(layer, x):
        return next(p for p in layer.parameters() if p.dim() == 2).detach().clone()


@wrong("first_layer_jacobian", diagnosed="added up from entry to entry")
def backward_in_a_loop():
    import torch

    def first_layer_jacobian(layer, x):
        x = x.clone().requires_grad_()
        h = layer(x)
        rows = []
        for i in range(h.shape[1]):
            h[0, i].backward(retain_graph=True)
            rows.append(x.grad.clone())
        return torch.cat(rows)


@wrong("first_layer_jacobian", diagnosed="one .grad for all rows")
def backward_in_a_loop_without_copies():
    import torch

    def first_layer_jacobian(layer, x):
        x = x.clone().requires_grad_()
        h = layer(x)
        rows = []
        for i in range(h.shape[1]):
            h[0, i].backward(retain_graph=True)
            rows.append(x.grad)
        return torch.cat(rows)


@wrong("first_layer_jacobian", diagnosed="batch axes left in")
def jacobian_as_it_comes():
    import torch

    def first_layer_jacobian(layer, x):
        return torch.autograd.functional.jacobian(layer, x)


@wrong("first_layer_jacobian", diagnosed="batch axes left in")
def stacked_rows_with_their_batch_axis():
    import torch

    def first_layer_jacobian(layer, x):
        x = x.clone().requires_grad_()
        h = layer(x)
        return torch.stack([torch.autograd.grad(one, x, retain_graph=True)[0] for one in h[0]])


@wrong("first_layer_jacobian", diagnosed="squeezed too far", loses=("one output, or one input",))
def squeezed():
    import torch

    def first_layer_jacobian(layer, x):
        return torch.func.jacrev(layer)(x).squeeze()


@wrong("first_layer_jacobian", diagnosed="transposed")
def columns_as_rows():
    import torch

    def first_layer_jacobian(layer, x):
        return torch.func.jacrev(layer)(x)[0, :, 0].T


@wrong("first_layer_jacobian", diagnosed="graph already freed")
def rows_without_retaining():
    import torch

    def first_layer_jacobian(layer, x):
        x = x.clone().requires_grad_()
        h = layer(x)
        return torch.cat([torch.autograd.grad(one, x)[0] for one in h[0]])


@wrong("first_layer_jacobian", diagnosed="gradient of plain data")
def x_without_requires_grad():
    import torch

    def first_layer_jacobian(layer, x):
        h = layer(x)
        return torch.cat([torch.autograd.grad(one, x, retain_graph=True)[0] for one in h[0]])


@wrong("first_layer_jacobian", diagnosed="one-hot of another shape")
def one_hot_vectors_without_a_batch_axis():
    import torch

    def first_layer_jacobian(layer, x):
        x = x.clone().requires_grad_()
        h = layer(x)
        one_hots = torch.eye(h.shape[1], dtype=h.dtype)
        return torch.cat([torch.autograd.grad(h, x, v, retain_graph=True)[0] for v in one_hots])


@wrong("first_layer_jacobian", diagnosed="one-hot of another shape")
def one_wide_pass_without_a_batch_axis():
    import torch

    def first_layer_jacobian(layer, x):
        x = x.clone().requires_grad_()
        h = layer(x)
        return torch.autograd.grad(h, x, torch.eye(h.shape[1]), is_grads_batched=True)[0]


@wrong("first_layer_jacobian", diagnosed="an axis that is not there")
def outputs_along_the_batch():
    import torch

    def first_layer_jacobian(layer, x):
        x = x.clone().requires_grad_()
        h = layer(x)
        return torch.stack([torch.autograd.grad(h[i], x, retain_graph=True)[0] for i in range(1, h.shape[1])])


@wrong(
    "first_layer_jacobian",
    diagnosed="the caller's tensor marked",
    loses=("x and the layer as they were",),
)
def the_callers_tensor_marked():
    import torch

    def first_layer_jacobian(layer, x):
        x.requires_grad_()
        h = layer(x)
        return torch.cat([torch.autograd.grad(one, x, retain_graph=True)[0] for one in h[0]])


@wrong("first_layer_jacobian", diagnosed="mode changed", loses=("x and the layer as they were",))
def switched_to_evaluation_and_back():
    import torch

    def first_layer_jacobian(layer, x):
        layer.eval()
        J = torch.func.jacrev(layer)(x)[0, :, 0]
        layer.train()
        return J


# first_layer_inside


@wrong("first_layer_inside", diagnosed="not attempted")
def first_layer_inside_not_attempted():
    def first_layer_inside(model, x):
        raise NotImplementedError  # your code here


@wrong("first_layer_inside", diagnosed="the layer called by itself")
def first_called_directly():
    import torch

    def first_layer_inside(model, x):
        return torch.func.jacrev(model.first)(x)[0, :, 0]


@wrong("first_layer_inside", diagnosed="not a Sequential")
def first_by_index():
    import torch

    def first_layer_inside(model, x):
        return torch.func.jacrev(model[0])(x)[0, :, 0]


@wrong("first_layer_inside", diagnosed="the model's output")
def jacobian_of_the_model():
    import torch

    def first_layer_inside(model, x):
        x = x.clone().requires_grad_()
        y = model(x).reshape(1, -1)
        return torch.cat([torch.autograd.grad(one, x, retain_graph=True)[0] for one in y[0]])


@wrong("first_layer_inside", diagnosed="overwritten in place", loses=("a model that goes on in place",))
def output_kept_without_a_copy():
    import torch

    def first_layer_inside(model, x):
        kept, leaf = [], x.clone().requires_grad_()
        with model.first.register_forward_hook(lambda m, i, o: kept.append(o)):
            model(leaf)
        return torch.cat([torch.autograd.grad(one, leaf, retain_graph=True)[0] for one in kept[0][0]])


@wrong("first_layer_inside", diagnosed="no graph behind it")
def output_kept_detached():
    import torch

    def first_layer_inside(model, x):
        kept, leaf = [], x.clone().requires_grad_()
        with model.first.register_forward_hook(lambda m, i, o: kept.append(o.detach().clone())):
            model(leaf)
        return torch.cat([torch.autograd.grad(one, leaf, retain_graph=True)[0] for one in kept[0][0]])


@wrong(
    "first_layer_inside",
    diagnosed="hook left behind",
    loses=("the model run to its end and left as it was",),
)
def hook_never_removed():
    import torch

    def first_layer_inside(model, x):
        kept, leaf = [], x.clone().requires_grad_()
        model.first.register_forward_hook(lambda m, i, o: kept.append(o.clone()))
        model(leaf)
        return torch.cat([torch.autograd.grad(one, leaf, retain_graph=True)[0] for one in kept[0][0]])


@wrong(
    "first_layer_inside",
    diagnosed="hook left behind",
    loses=("the model run to its end and left as it was",),
)
def hook_removed_only_where_nothing_raises():
    import torch

    def first_layer_inside(model, x):
        kept, leaf = [], x.clone().requires_grad_()
        handle = model.first.register_forward_hook(lambda m, i, o: kept.append(o.clone()))
        model(leaf)
        handle.remove()
        return torch.cat([torch.autograd.grad(one, leaf, retain_graph=True)[0] for one in kept[0][0]])


@wrong(
    "first_layer_inside",
    diagnosed="exception swallowed",
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


@wrong("first_layer_inside", diagnosed="all hooks removed", loses=("the model run to its end and left as it was",))
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


@wrong("first_layer_inside", diagnosed="run cut short", loses=("the model run to its end and left as it was",))
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


@wrong("first_layer_inside", diagnosed="with respect to the layer's own input")
def with_respect_to_what_first_was_given():
    import torch

    def first_layer_inside(model, x):
        kept = []
        with model.first.register_forward_hook(lambda m, args, o: kept.append((args[0], o.clone()))):
            model(x.clone().requires_grad_())
        given, h = kept[0]
        return torch.cat([torch.autograd.grad(one, given, retain_graph=True)[0] for one in h[0]])


@wrong("first_layer_inside", diagnosed="nothing kept")
def hook_after_the_run():
    import torch

    def first_layer_inside(model, x):
        kept, leaf = [], x.clone().requires_grad_()
        model(leaf)
        with model.first.register_forward_hook(lambda m, i, o: kept.append(o.clone())):
            h = kept[0]
        return torch.cat([torch.autograd.grad(one, leaf, retain_graph=True)[0] for one in h[0]])


@wrong("first_layer_inside", diagnosed="rows summed")
def sum_of_the_kept_output():
    import torch

    def first_layer_inside(model, x):
        kept, leaf = [], x.clone().requires_grad_()
        with model.first.register_forward_hook(lambda m, i, o: kept.append(o.clone())):
            model(leaf)
        return torch.autograd.grad(kept[0].sum(), leaf)[0]


@wrong("first_layer_inside", diagnosed="mode changed", loses=("the model run to its end and left as it was",))
def left_in_evaluation():
    import torch

    def first_layer_inside(model, x):
        model.eval()
        kept, leaf = [], x.clone().requires_grad_()
        with model.first.register_forward_hook(lambda m, i, o: kept.append(o.clone())):
            model(leaf)
        return torch.cat([torch.autograd.grad(one, leaf, retain_graph=True)[0] for one in kept[0][0]])


# weighted_input_gradient


@wrong("weighted_input_gradient", diagnosed="not attempted")
def weighted_input_gradient_not_attempted():
    def weighted_input_gradient(layer, x, v):
        raise NotImplementedError  # your code here


@wrong("weighted_input_gradient", diagnosed="weights ignored")
def sum_of_the_outputs():
    import torch

    def weighted_input_gradient(layer, x, v):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(layer(x).sum(), x)[0]


@wrong("weighted_input_gradient", diagnosed="the weight instead of the Jacobian")
def v_times_the_weight():
    def weighted_input_gradient(layer, x, v):
        return v @ layer.weight


@wrong("weighted_input_gradient", diagnosed="the weight instead of the Jacobian")
def v_times_some_matrix_of_the_layer():
    def weighted_input_gradient(layer, x, v):
        matrix = [p for p in layer.parameters() if p.dim() == 2][0]
        return (v @ matrix).detach()


@wrong("weighted_input_gradient", diagnosed="a pass for each row", loses=("in one backward pass, and all as it was",))
def rows_then_the_product():
    import torch

    def weighted_input_gradient(layer, x, v):
        x = x.clone().requires_grad_()
        h = layer(x)
        J = torch.cat([torch.autograd.grad(one, x, retain_graph=True)[0] for one in h[0]])
        return v @ J


@wrong("weighted_input_gradient", diagnosed="no backward pass", loses=("in one backward pass, and all as it was",))
def columns_then_the_product():
    import torch

    def weighted_input_gradient(layer, x, v):
        J = torch.func.jacfwd(layer)(x)[0, :, 0]
        return v @ J


@wrong("weighted_input_gradient", diagnosed="columns weighted")
def v_on_the_other_side():
    import torch

    def weighted_input_gradient(layer, x, v):
        n = min(v.shape[1], x.shape[1])
        J = torch.func.jacrev(layer)(x)[0, :, 0]
        if J.shape[0] != J.shape[1]:
            return v @ J
        return (J @ v[0, :n])[None]


@wrong("weighted_input_gradient", diagnosed="columns weighted")
def weights_after_the_pass():
    import torch

    def weighted_input_gradient(layer, x, v):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(layer(x).sum(), x)[0] * v


@wrong("weighted_input_gradient", diagnosed="batch axis lost")
def a_vector_returned():
    import torch

    def weighted_input_gradient(layer, x, v):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(layer(x), x, v)[0][0]


@wrong("weighted_input_gradient", diagnosed="weights of another shape")
def weights_without_a_batch_axis():
    import torch

    def weighted_input_gradient(layer, x, v):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(layer(x), x, grad_outputs=v.squeeze(0))[0]


@wrong("weighted_input_gradient", diagnosed="left in a tuple")
def the_tuple_itself():
    import torch

    def weighted_input_gradient(layer, x, v):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(layer(x), x, v)


@wrong(
    "weighted_input_gradient",
    diagnosed="the caller's tensor marked",
    loses=("in one backward pass, and all as it was",),
)
def x_marked():
    import torch

    def weighted_input_gradient(layer, x, v):
        x.requires_grad_()
        return torch.autograd.grad(layer(x), x, v)[0]


@wrong("weighted_input_gradient", diagnosed="sign")
def gradient_descended():
    import torch

    def weighted_input_gradient(layer, x, v):
        x = x.clone().requires_grad_()
        return -torch.autograd.grad(layer(x), x, v)[0]


# after_relu


@wrong("after_relu", diagnosed="not attempted")
def after_relu_not_attempted():
    def after_relu(model, x):
        raise NotImplementedError  # your code here


@wrong("after_relu", diagnosed="gate forgotten")
def the_weight_alone():
    def after_relu(model, x):
        return model[0].weight.detach()


@wrong("after_relu", diagnosed="gate forgotten")
def before_the_relu():
    import torch

    def after_relu(model, x):
        x = x.clone().requires_grad_()
        h = model[0](x)
        return torch.cat([torch.autograd.grad(one, x, retain_graph=True)[0] for one in h[0]])


@wrong("after_relu", diagnosed="gate on the inputs")
def inputs_above_zero():
    def after_relu(model, x):
        return model[0].weight * (x > 0)


@wrong("after_relu", diagnosed="gate on the columns")
def gate_broadcast_along_columns():
    def after_relu(model, x):
        gate = model[0](x)[0] > 0
        if len(gate) != x.shape[1]:
            return gate[:, None] * model[0].weight
        return gate * model[0].weight


@wrong("after_relu", diagnosed="open at 0", loses=("a unit exactly at 0",))
def at_least_zero():
    def after_relu(model, x):
        gate = model[0](x)[0] >= 0
        return gate[:, None] * model[0].weight


@wrong("after_relu", diagnosed="half at 0", loses=("a unit exactly at 0",))
def nudged_both_ways():
    import torch

    def after_relu(model, x):
        columns = []
        for j in range(x.shape[1]):
            step = torch.zeros_like(x)
            step[0, j] = 1e-6
            columns.append((model(x + step) - model(x - step))[0] / 2e-6)
        return torch.stack(columns, dim=1)


@wrong("after_relu", diagnosed="value for slope")
def multiplied_by_the_result():
    def after_relu(model, x):
        return model(x)[0][:, None] * model[0].weight


@wrong("after_relu", diagnosed="overwritten in place")
def units_that_relu_left_unchanged():
    def after_relu(model, x):
        h = model[0](x)
        y = model[1](h)
        return (y == h)[0][:, None] * model[0].weight


@wrong("after_relu", diagnosed="rows summed")
def sum_behind_the_relu():
    import torch

    def after_relu(model, x):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(model(x).sum(), x)[0]


@wrong("after_relu", diagnosed="gradient of a vector")
def grad_of_the_relus_output():
    import torch

    def after_relu(model, x):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(model(x), x, retain_graph=True)[0]


@wrong("after_relu", diagnosed="no bias")
def written_out_with_a_bias():
    def after_relu(model, x):
        h = x @ model[0].weight.T + model[0].bias
        return (h > 0).T * model[0].weight


# neuron_gradient


@wrong("neuron_gradient", diagnosed="not attempted")
def neuron_gradient_not_attempted():
    def neuron_gradient(model, X, k):
        raise NotImplementedError  # your code here


@wrong("neuron_gradient", diagnosed="works for one sample only", loses=("a batch",))
def the_neurons_column():
    import torch

    def neuron_gradient(model, X, k):
        X = X.clone().requires_grad_()
        return torch.autograd.grad(model(X)[:, k], X)[0]


@wrong("neuron_gradient", diagnosed="first sample only", loses=("a batch",))
def the_first_samples_neuron():
    import torch

    def neuron_gradient(model, X, k):
        X = X.clone().requires_grad_()
        return torch.autograd.grad(model(X)[0, k], X)[0]


@wrong("neuron_gradient", diagnosed="counted from 1")
def the_neuron_before():
    import torch

    def neuron_gradient(model, X, k):
        X = X.clone().requires_grad_()
        return torch.autograd.grad(model(X)[:, k - 1].sum(), X)[0]


@wrong("neuron_gradient", diagnosed="mean over the batch", loses=("a batch",))
def mean_of_the_neuron():
    import torch

    def neuron_gradient(model, X, k):
        X = X.clone().requires_grad_()
        return torch.autograd.grad(model(X)[:, k].mean(), X)[0]


@wrong("neuron_gradient", diagnosed="all neurons")
def sum_of_everything():
    import torch

    def neuron_gradient(model, X, k):
        X = X.clone().requires_grad_()
        return torch.autograd.grad(model(X).sum(), X)[0]


@wrong("neuron_gradient", diagnosed="a sample for a neuron")
def neuron_along_the_batch():
    import torch

    def neuron_gradient(model, X, k):
        X = X.clone().requires_grad_()
        return torch.autograd.grad(model(X)[k].sum(), X)[0]


@wrong("neuron_gradient", diagnosed="the whole table")
def jacobian_of_the_neurons_column():
    from torch.func import jacrev

    def neuron_gradient(model, X, k):
        return jacrev(model)(X)[:, k]


@wrong("neuron_gradient", diagnosed="samples added up")
def rows_added():
    import torch

    def neuron_gradient(model, X, k):
        X = X.clone().requires_grad_()
        return torch.autograd.grad(model(X)[:, k].sum(), X)[0].sum(dim=0)


@wrong("neuron_gradient", diagnosed="the caller's tensor marked", loses=("one sample, and all as it was",))
def samples_marked():
    import torch

    def neuron_gradient(model, X, k):
        X.requires_grad_()
        return torch.autograd.grad(model(X)[:, k].sum(), X)[0]


@wrong("neuron_gradient", diagnosed="mode changed", loses=("one sample, and all as it was",))
def model_left_in_evaluation():
    import torch

    def neuron_gradient(model, X, k):
        model.eval()
        X = X.clone().requires_grad_()
        return torch.autograd.grad(model(X)[:, k].sum(), X)[0]


@wrong("neuron_gradient", diagnosed="None returned")
def backward_and_the_wrong_grad():
    def neuron_gradient(model, X, k):
        leaf = X.clone().requires_grad_()
        model(leaf)[:, k].sum().backward()
        return X.grad


# per_sample_jacobian


@wrong("per_sample_jacobian", diagnosed="not attempted")
def per_sample_jacobian_not_attempted():
    def per_sample_jacobian(model, X):
        raise NotImplementedError  # your code here


@wrong("per_sample_jacobian", diagnosed="batch statistics answered", loses=("batch statistics refused",))
def nothing_refused():
    import torch

    def per_sample_jacobian(model, X):
        X = X.clone().requires_grad_()
        y = model(X)
        rows = [torch.autograd.grad(y[:, i].sum(), X, retain_graph=True)[0] for i in range(y.shape[1])]
        return torch.stack(rows, dim=1)


@wrong("per_sample_jacobian", diagnosed="another exception", loses=("batch statistics refused",))
def vmap_without_a_look():
    from torch.func import jacrev, vmap

    def per_sample_jacobian(model, X):
        return vmap(jacrev(lambda sample: model(sample[None])[0]))(X)


@wrong("per_sample_jacobian", diagnosed="running statistics not looked at", loses=("batch statistics refused",))
def the_complaint_passed_on():
    from torch.func import jacrev, vmap

    def per_sample_jacobian(model, X):
        try:
            return vmap(jacrev(lambda sample: model(sample[None])[0]))(X)
        except RuntimeError as error:
            raise ValueError("samples mix") from error


@wrong("per_sample_jacobian", diagnosed="batch axes left in")
def batches_of_one_stacked():
    import torch
    from torch import nn

    def per_sample_jacobian(model, X):
        for m in model.modules():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and (m.training or m.running_mean is None):
                raise ValueError("batch statistics")
        return torch.stack([torch.func.jacrev(model)(sample[None]) for sample in X])


@wrong("per_sample_jacobian", diagnosed="first level only", loses=("batch statistics refused",))
def only_the_children_by_vmap():
    from torch import nn
    from torch.func import jacrev, vmap

    def per_sample_jacobian(model, X):
        for m in model.children():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and (m.training or m.running_mean is None):
                raise ValueError("batch statistics")
        return vmap(jacrev(lambda sample: model(sample[None])[0]))(X)


@wrong("per_sample_jacobian", diagnosed="another exception", loses=("batch statistics refused",))
def a_runtime_error():
    from torch import nn
    from torch.func import jacrev, vmap

    def per_sample_jacobian(model, X):
        for m in model.modules():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and (m.training or m.running_mean is None):
                raise RuntimeError("batch statistics")
        return vmap(jacrev(lambda sample: model(sample[None])[0]))(X)


@wrong(
    "per_sample_jacobian",
    diagnosed="a frozen BatchNorm refused",
    loses=("a frozen BatchNorm answered, and all as it was",),
)
def every_batchnorm_refused():
    from torch import nn
    from torch.func import jacrev, vmap

    def per_sample_jacobian(model, X):
        if any(isinstance(m, nn.modules.batchnorm._BatchNorm) for m in model.modules()):
            raise ValueError("BatchNorm mixes samples")
        return vmap(jacrev(lambda sample: model(sample[None])[0]))(X)


@wrong("per_sample_jacobian", diagnosed="only the model's own flag")
def the_models_own_mode():
    import torch
    from torch import nn

    def per_sample_jacobian(model, X):
        norms = [m for m in model.modules() if isinstance(m, nn.modules.batchnorm._BatchNorm)]
        if model.training and any(m.training or m.running_mean is None for m in norms):
            raise ValueError("BatchNorm mixes samples")
        X = X.clone().requires_grad_()
        y = model(X)
        rows = [torch.autograd.grad(y[:, i].sum(), X, retain_graph=True)[0] for i in range(y.shape[1])]
        return torch.stack(rows, dim=1)


@wrong("per_sample_jacobian", diagnosed="first level only", loses=("batch statistics refused",))
def only_the_children():
    import torch
    from torch import nn

    def per_sample_jacobian(model, X):
        for m in model.children():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and (m.training or m.running_mean is None):
                raise ValueError("BatchNorm mixes samples")
        X = X.clone().requires_grad_()
        y = model(X)
        rows = [torch.autograd.grad(y[:, i].sum(), X, retain_graph=True)[0] for i in range(y.shape[1])]
        return torch.stack(rows, dim=1)


@wrong("per_sample_jacobian", diagnosed="running statistics not looked at", loses=("batch statistics refused",))
def only_the_mode():
    import torch
    from torch import nn

    def per_sample_jacobian(model, X):
        for m in model.modules():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and m.training:
                raise ValueError("BatchNorm mixes samples")
        X = X.clone().requires_grad_()
        y = model(X)
        rows = [torch.autograd.grad(y[:, i].sum(), X, retain_graph=True)[0] for i in range(y.shape[1])]
        return torch.stack(rows, dim=1)


@wrong("per_sample_jacobian", diagnosed="one kind of BatchNorm", loses=("batch statistics refused",))
def only_one_dimensional():
    import torch
    from torch import nn

    def per_sample_jacobian(model, X):
        for m in model.modules():
            if isinstance(m, nn.BatchNorm1d) and (m.training or m.running_mean is None):
                raise ValueError("BatchNorm mixes samples")
        X = X.clone().requires_grad_()
        y = model(X)
        rows = [torch.autograd.grad(y[:, i].sum(), X, retain_graph=True)[0] for i in range(y.shape[1])]
        return torch.stack(rows, dim=1)


@wrong("per_sample_jacobian", diagnosed="switched to evaluation", loses=("batch statistics refused",))
def evaluation_for_the_answer():
    from torch.func import jacrev

    def per_sample_jacobian(model, X):
        modes = {m: m.training for m in model.modules()}
        model.eval()
        J = jacrev(model)(X)
        for m, mode in modes.items():
            m.training = mode
        return J.diagonal(dim1=0, dim2=2).permute(2, 0, 1)


@wrong("per_sample_jacobian", diagnosed="looked too late", loses=("batch statistics refused",))
def run_before_the_look():
    import torch
    from torch import nn

    def per_sample_jacobian(model, X):
        X = X.clone().requires_grad_()
        y = model(X)
        for m in model.modules():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and (m.training or m.running_mean is None):
                raise ValueError("BatchNorm mixes samples")
        rows = [torch.autograd.grad(y[:, i].sum(), X, retain_graph=True)[0] for i in range(y.shape[1])]
        return torch.stack(rows, dim=1)


@wrong("per_sample_jacobian", diagnosed="outputs before samples")
def stacked_in_front():
    import torch
    from torch import nn

    def per_sample_jacobian(model, X):
        for m in model.modules():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and (m.training or m.running_mean is None):
                raise ValueError("BatchNorm mixes samples")
        X = X.clone().requires_grad_()
        y = model(X)
        return torch.stack([torch.autograd.grad(y[:, i].sum(), X, retain_graph=True)[0] for i in range(y.shape[1])])


@wrong("per_sample_jacobian", diagnosed="squeezed too far", loses=("a matrix for each sample",))
def outputs_squeezed():
    from torch import nn
    from torch.func import jacrev, vmap

    def per_sample_jacobian(model, X):
        for m in model.modules():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and (m.training or m.running_mean is None):
                raise ValueError("BatchNorm mixes samples")
        return vmap(jacrev(lambda sample: model(sample[None]).squeeze()))(X)


@wrong("per_sample_jacobian", diagnosed="the whole table")
def jacobian_of_the_batch():
    from torch import nn
    from torch.func import jacrev

    def per_sample_jacobian(model, X):
        for m in model.modules():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and (m.training or m.running_mean is None):
                raise ValueError("BatchNorm mixes samples")
        return jacrev(model)(X)


@wrong("per_sample_jacobian", diagnosed="rows summed")
def gradient_of_the_batchs_sum():
    import torch
    from torch import nn

    def per_sample_jacobian(model, X):
        for m in model.modules():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and (m.training or m.running_mean is None):
                raise ValueError("BatchNorm mixes samples")
        X = X.clone().requires_grad_()
        return torch.autograd.grad(model(X).sum(), X)[0]


@wrong("per_sample_jacobian", diagnosed="no batch axis")
def samples_without_their_batch_axis():
    from torch import nn
    from torch.func import jacrev, vmap

    def per_sample_jacobian(model, X):
        for m in model.modules():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and (m.training or m.running_mean is None):
                raise ValueError("BatchNorm mixes samples")
        return vmap(jacrev(model))(X)


@wrong(
    "per_sample_jacobian",
    diagnosed="the caller's tensor marked",
    loses=("a frozen BatchNorm answered, and all as it was",),
)
def a_leaf_made_of_the_callers_tensor():
    import torch
    from torch import nn

    def per_sample_jacobian(model, X):
        for m in model.modules():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and (m.training or m.running_mean is None):
                raise ValueError("BatchNorm mixes samples")
        y = model(X.requires_grad_())
        rows = [torch.autograd.grad(y[:, i].sum(), X, retain_graph=True)[0] for i in range(y.shape[1])]
        return torch.stack(rows, dim=1)


@wrong("per_sample_jacobian", diagnosed="mode changed", loses=("a frozen BatchNorm answered, and all as it was",))
def left_in_evaluation_after_the_look():
    from torch import nn
    from torch.func import jacrev, vmap

    def per_sample_jacobian(model, X):
        for m in model.modules():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and (m.training or m.running_mean is None):
                raise ValueError("BatchNorm mixes samples")
        model.eval()
        return vmap(jacrev(lambda sample: model(sample[None])[0]))(X)


# directional_derivative


@wrong("directional_derivative", diagnosed="not attempted")
def directional_derivative_not_attempted():
    def directional_derivative(f, x, v):
        raise NotImplementedError  # your code here


@wrong("directional_derivative", diagnosed="called more than once", loses=("in forward mode",))
def a_difference_quotient():
    def directional_derivative(f, x, v):
        h = 1e-4 if x.dtype.itemsize == 8 else 1e-2
        return (8 * (f(x + h * v) - f(x - h * v)) - (f(x + 2 * h * v) - f(x - 2 * h * v))) / (12 * h)


@wrong("directional_derivative", diagnosed="by backward passes", loses=("in forward mode",))
def jacobian_by_rows_then_the_product():
    import torch

    def directional_derivative(f, x, v):
        J = torch.func.jacrev(f)(x)
        return torch.tensordot(J, v, dims=x.dim())


@wrong("directional_derivative", diagnosed="by backward passes", loses=("in forward mode",))
def two_backward_passes():
    import torch

    def directional_derivative(f, x, v):
        return torch.autograd.functional.jvp(f, x, v)[1]


@wrong("directional_derivative", diagnosed="called more than once", loses=("in forward mode",))
def the_shape_asked_first():
    import torch

    def directional_derivative(f, x, v):
        shape = f(x).shape
        return torch.func.jvp(f, (x,), (v,))[1].reshape(shape)


@wrong("directional_derivative", diagnosed="unpacked too late")
def unpacked_behind_the_level():
    from torch.autograd import forward_ad

    def directional_derivative(f, x, v):
        with forward_ad.dual_level():
            moving = f(forward_ad.make_dual(x, v))
        return forward_ad.unpack_dual(moving).tangent


@wrong("directional_derivative", diagnosed="more axes than a matrix", loses=("the weighted sum of columns",))
def a_matrix_product():
    from torch.func import jacfwd

    def directional_derivative(f, x, v):
        return jacfwd(f)(x) @ v


@wrong("directional_derivative", diagnosed="divided by the length")
def along_a_unit_vector():
    import torch

    def directional_derivative(f, x, v):
        return torch.func.jvp(f, (x,), (v / v.norm(),))[1]


@wrong("directional_derivative", diagnosed="rows weighted")
def v_as_upstream():
    import torch

    def directional_derivative(f, x, v):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(f(x), x, grad_outputs=v)[0]


@wrong("directional_derivative", diagnosed="the value, not its speed")
def first_of_the_pair():
    import torch

    def directional_derivative(f, x, v):
        return torch.func.jvp(f, (x,), (v,))[0]


@wrong("directional_derivative", diagnosed="both returned")
def the_whole_pair():
    import torch

    def directional_derivative(f, x, v):
        return torch.func.jvp(f, (x,), (v,))


@wrong("directional_derivative", diagnosed="v ignored")
def every_input_at_speed_one():
    import torch

    def directional_derivative(f, x, v):
        return torch.func.jvp(f, (x,), (torch.ones_like(x),))[1]


@wrong("directional_derivative", diagnosed="gradient of a vector")
def grad_without_an_upstream():
    import torch

    def directional_derivative(f, x, v):
        x = x.clone().requires_grad_()
        return (torch.autograd.grad(f(x), x)[0] * v).sum()
