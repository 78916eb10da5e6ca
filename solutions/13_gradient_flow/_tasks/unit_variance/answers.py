"""unit_variance: mistakes, other ways to make them, and right answers."""

from autograder.tasks.answers import mistake, right, wrong


@mistake(
    "measured before rescaling",
    "You measured a layer on what the layers before it gave *before* you rescaled them. Its input has changed since.",
    loses=("several layers",),
)
def all_measured_before_any_is_changed():
    import torch

    def unit_variance(layers, activation, x):
        spreads = []
        with torch.no_grad():
            for layer in layers:
                if layer.bias is not None:
                    layer.bias.zero_()
                y = layer(x)
                spreads.append(y.std(correction=0))
                x = activation(y)
            for layer, spread in zip(layers, spreads):
                layer.weight /= spread


@wrong("measured before rescaling", loses=("several layers",))
def the_old_output_passed_on():
    import torch

    @torch.no_grad()
    def unit_variance(layers, activation, x):
        for layer in layers:
            if layer.bias is not None:
                layer.bias.data.fill_(0.0)
            output = layer(x)
            layer.weight.data.div_(output.std(unbiased=False))
            x = activation(output)


@mistake(
    "measured after the activation",
    "You took the standard deviation after the activation. The task asks for that of the output of the layer itself.",
    loses=("a single layer", "several layers"),
)
def the_spread_behind_the_activation():
    import torch

    def unit_variance(layers, activation, x):
        with torch.no_grad():
            for layer in layers:
                if layer.bias is not None:
                    layer.bias.zero_()
                layer.weight /= activation(layer(x)).std(correction=0)
                x = activation(layer(x))


@wrong("measured after the activation", loses=("a single layer", "several layers"))
def output_overwritten_by_its_activation():
    import torch

    @torch.no_grad()
    def unit_variance(layers, activation, x):
        for layer in layers:
            if layer.bias is not None:
                nn_zeros = torch.zeros_like(layer.bias)
                layer.bias.copy_(nn_zeros)
            y = layer(x)
            y = activation(y)
            layer.weight.mul_(1 / y.std(correction=0))
            x = activation(layer(x))


@mistake(
    "divided by the variance",
    "You divided the weight by the variance. Twice the weight has four times the variance, so by what must you divide "
    "it?",
    loses=("a single layer", "several layers"),
)
def the_root_forgotten():
    import torch

    def unit_variance(layers, activation, x):
        with torch.no_grad():
            for layer in layers:
                if layer.bias is not None:
                    layer.bias.zero_()
                layer.weight /= layer(x).var(correction=0)
                x = activation(layer(x))


@wrong("divided by the variance", loses=("a single layer", "several layers"))
def mean_square_distance():
    import torch

    @torch.no_grad()
    def unit_variance(layers, activation, x):
        for layer in layers:
            if layer.bias is not None:
                layer.bias.zero_()
            y = layer(x)
            layer.weight.div_(((y - y.mean()) ** 2).mean())
            x = activation(layer(x))


@mistake(
    "sample standard deviation",
    "You divided the sum of squares by one less than the number of values, which is the default of `std`. The task "
    "asks for the population's standard deviation.",
    loses=("a single layer", "several layers"),
)
def std_with_its_default():
    import torch

    def unit_variance(layers, activation, x):
        with torch.no_grad():
            for layer in layers:
                if layer.bias is not None:
                    layer.bias.zero_()
                layer.weight /= layer(x).std()
                x = activation(layer(x))


@wrong("sample standard deviation", loses=("a single layer", "several layers"))
def var_with_its_default():
    import torch

    @torch.no_grad()
    def unit_variance(layers, activation, x):
        for layer in layers:
            if layer.bias is not None:
                layer.bias.zero_()
            layer.weight.data /= torch.sqrt(torch.var(layer(x)))
            x = activation(layer(x))


@mistake(
    "mean not subtracted",
    "You took the root of the mean square, without subtracting the mean. A standard deviation measures distances from "
    "the mean.",
    loses=("a single layer", "several layers"),
)
def root_mean_square():
    import torch

    def unit_variance(layers, activation, x):
        with torch.no_grad():
            for layer in layers:
                if layer.bias is not None:
                    layer.bias.zero_()
                layer.weight /= layer(x).square().mean().sqrt()
                x = activation(layer(x))


@wrong("mean not subtracted", loses=("a single layer", "several layers"))
def norm_by_the_root_of_the_count():
    import torch

    @torch.no_grad()
    def unit_variance(layers, activation, x):
        for layer in layers:
            if layer.bias is not None:
                layer.bias.zero_()
            y = layer(x)
            layer.weight.mul_(y.numel() ** 0.5 / y.norm())
            x = activation(layer(x))


@mistake(
    "one factor per unit",
    "You divided every unit by its own standard deviation. The task asks for one number per layer, over all numbers "
    "of its output.",
)
def a_number_for_each_row():
    import torch

    def unit_variance(layers, activation, x):
        with torch.no_grad():
            for layer in layers:
                if layer.bias is not None:
                    layer.bias.zero_()
                layer.weight /= layer(x).std(dim=0, correction=0)[:, None] + 1e-30
                x = activation(layer(x))


@wrong("one factor per unit")
def unit_by_unit():
    import torch

    @torch.no_grad()
    def unit_variance(layers, activation, x):
        for layer in layers:
            if layer.bias is not None:
                layer.bias.zero_()
            for unit, numbers in enumerate(layer(x).T):
                layer.weight[unit] /= numbers.std(unbiased=False) + 1e-30
            x = activation(layer(x))


@mistake(
    "mean of per-unit deviations",
    "You took the standard deviation of each unit, and then their mean. The task asks for one standard deviation over "
    "all numbers of the output at once.",
    loses=("a single layer", "several layers"),
)
def spreads_averaged():
    import torch

    def unit_variance(layers, activation, x):
        with torch.no_grad():
            for layer in layers:
                if layer.bias is not None:
                    layer.bias.zero_()
                layer.weight /= layer(x).std(dim=0, correction=0).mean() + 1e-30
                x = activation(layer(x))


@wrong("mean of per-unit deviations", loses=("a single layer", "several layers"))
def a_sum_over_the_columns():
    import torch

    @torch.no_grad()
    def unit_variance(layers, activation, x):
        for layer in layers:
            if layer.bias is not None:
                layer.bias.zero_()
            spreads = [column.std(unbiased=False).item() + 1e-30 for column in layer(x).T]
            layer.weight.mul_(len(spreads) / sum(spreads))
            x = activation(layer(x))


@mistake(
    "activation left out",
    "You measured the next layer on the output of the one before as it is. The activation comes between two layers.",
    loses=("several layers",),
)
def a_linear_chain():
    import torch

    def unit_variance(layers, activation, x):
        with torch.no_grad():
            for layer in layers:
                if layer.bias is not None:
                    layer.bias.zero_()
                layer.weight /= layer(x).std(correction=0)
                x = layer(x)


@wrong("activation left out", loses=("several layers",))
def divided_instead_of_run_again():
    import torch

    @torch.no_grad()
    def unit_variance(layers, activation, x):
        for layer in layers:
            if layer.bias is not None:
                layer.bias.zero_()
            x = layer(x)
            spread = x.std(correction=0)
            layer.weight.div_(spread)
            x = x / spread


@mistake(
    "activation before first layer",
    "You measured the first layer on the activation of `x`. It gets `x` itself, since activations come *between* "
    "layers.",
    loses=("a single layer", "several layers"),
)
def activated_first():
    import torch

    def unit_variance(layers, activation, x):
        with torch.no_grad():
            for layer in layers:
                x = activation(x)
                if layer.bias is not None:
                    layer.bias.zero_()
                layer.weight /= layer(x).std(correction=0)
                x = layer(x)


@wrong("activation before first layer", loses=("a single layer", "several layers"))
def activated_in_each_measurement():
    import torch

    @torch.no_grad()
    def unit_variance(layers, activation, x):
        for layer in layers:
            if layer.bias is not None:
                layer.bias.zero_()
            layer.weight /= layer(activation(x)).std(correction=0)
            x = layer(activation(x))


@mistake(
    "measured with the bias",
    "You measured the layer while it had its bias. The bias differs from unit to unit and adds to the spread, so set "
    "it to 0 first.",
    loses=("a single layer", "several layers"),
)
def bias_zeroed_afterwards():
    import torch

    def unit_variance(layers, activation, x):
        with torch.no_grad():
            for layer in layers:
                layer.weight /= layer(x).std(correction=0)
                if layer.bias is not None:
                    layer.bias.zero_()
                x = activation(layer(x))


@wrong("measured with the bias", loses=("a single layer", "several layers"))
def measured_then_changed():
    import torch

    @torch.no_grad()
    def unit_variance(layers, activation, x):
        for layer in layers:
            spread = layer(x).std(correction=0)
            if layer.bias is not None:
                layer.bias.zero_()
            layer.weight.div_(spread)
            x = activation(layer(x))


@mistake(
    "bias not set to 0",
    "A bias is not 0 after the call.",
)
def weights_only():
    import torch

    def unit_variance(layers, activation, x):
        with torch.no_grad():
            for layer in layers:
                layer.weight /= layer(x).std(correction=0)
                x = activation(layer(x))


@wrong("bias not set to 0")
def bias_divided_too():
    import torch

    @torch.no_grad()
    def unit_variance(layers, activation, x):
        for layer in layers:
            spread = layer(x).std(correction=0).item()
            layer.weight.data = layer.weight.data / spread
            x = activation(layer(x))


@mistake(
    "weight's own deviation",
    "You divided the weight by the standard deviation of its own entries. Divide it by that of the layer's output.",
    loses=("a single layer", "several layers"),
)
def without_any_data():
    import torch

    def unit_variance(layers, activation, x):
        with torch.no_grad():
            for layer in layers:
                if layer.bias is not None:
                    layer.bias.zero_()
                layer.weight /= layer.weight.std(correction=0) if layer.weight.numel() > 1 else layer.weight.abs()


@wrong("weight's own deviation", loses=("a single layer", "several layers"))
def each_weight_standardised():
    import torch

    @torch.no_grad()
    def unit_variance(layers, activation, x):
        for layer in layers:
            if layer.bias is not None:
                layer.bias.fill_(0)
            entries = layer.weight.flatten().tolist()
            mean = sum(entries) / len(entries)
            spread = (sum((entry - mean) ** 2 for entry in entries) / len(entries)) ** 0.5
            layer.weight.div_(spread or abs(mean))


@mistake(
    "bias is None",
    "A layer made with `bias=False` has None as its `bias`, and None cannot be set to 0.",
    raises="AttributeError: 'NoneType' object has no attribute|TypeError: .*not NoneType|zeros_like\\(\\): argument",
)
def every_bias_zeroed():
    import torch

    def unit_variance(layers, activation, x):
        with torch.no_grad():
            for layer in layers:
                layer.bias.zero_()
                layer.weight /= layer(x).std(correction=0)
                x = activation(layer(x))


@mistake(
    "no_grad missing",
    "You changed a parameter that requires a gradient in place while autograd was recording, which PyTorch forbids. "
    "Do it under `torch.no_grad()`.",
    raises="RuntimeError: a leaf Variable that requires grad is being used in an in-place operation",
)
def without_no_grad():
    def unit_variance(layers, activation, x):
        for layer in layers:
            if layer.bias is not None:
                layer.bias.zero_()
            layer.weight /= layer(x).std(correction=0)
            x = activation(layer(x))


@wrong("parameters replaced")
def new_parameters():
    import torch
    from torch import nn

    def unit_variance(layers, activation, x):
        with torch.no_grad():
            for layer in layers:
                if layer.bias is not None:
                    layer.bias = nn.Parameter(torch.zeros_like(layer.bias), layer.bias.requires_grad)
                weight = layer.weight / nn.functional.linear(x, layer.weight).std(correction=0)
                layer.weight = nn.Parameter(weight, layer.weight.requires_grad)
                x = activation(layer(x))


@wrong("parameters thawed", loses=("everything else as it was",))
def all_require_gradients_afterwards():
    import torch

    def unit_variance(layers, activation, x):
        with torch.no_grad():
            for layer in layers:
                layer.requires_grad_(False)
                if layer.bias is not None:
                    layer.bias.zero_()
                layer.weight /= layer(x).std(correction=0)
                x = activation(layer(x))
        for layer in layers:
            layer.requires_grad_(True)


@wrong("not attempted")
def unit_variance_not_attempted():
    def unit_variance(layers, activation, x):
        raise NotImplementedError  # your code here


@right
def by_data():
    import torch

    def unit_variance(layers, activation, x):
        h = x
        for layer in layers:
            if layer.bias is not None:
                layer.bias.data.zero_()
            output = layer(h).detach()
            spread = output.std(unbiased=False).item()
            layer.weight.data.mul_(1 / spread)
            h = activation(output / spread)
        assert torch.is_tensor(h)


@right
def by_matrix_products():
    import torch

    @torch.no_grad()
    def unit_variance(layers, activation, x):
        for number, layer in enumerate(layers):
            h = x if number == 0 else activation(h)
            if layer.bias is not None:
                layer.bias.copy_(torch.zeros_like(layer.bias))
            products = h @ layer.weight.T
            layer.weight.copy_(layer.weight / torch.sqrt((products - products.mean()).pow(2).mean()))
            h = h @ layer.weight.T


@right
def twice_to_be_sure():
    import torch
    from torch import nn

    def unit_variance(layers, activation, x):
        for layer in layers:
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)
            for _ in range(2):
                with torch.no_grad():
                    layer.weight.div_(torch.std(layer(x), correction=0))
            with torch.no_grad():
                x = activation(layer(x))
