"""Right answers to exercise 06."""

from tests.answers import right

# Cube


@right("Cube")
def cube_with_setup_context():
    import torch

    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x * x * x

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx, grad_output):
            (saved,) = ctx.saved_tensors
            return 3 * saved.square() * grad_output


@right("Cube")
def cube_with_an_attribute():
    from torch.autograd import Function

    class Cube(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.x = x
            return x.pow(3)

        @staticmethod
        def backward(ctx, g):
            return g * ctx.x * ctx.x * 3 if ctx.needs_input_grad[0] else None


# GradientExtractor


@right("GradientExtractor")
def extractor_by_one_hot():
    import torch

    class GradientExtractor(torch.autograd.Function):
        @staticmethod
        def forward(x, index):
            return x[index].clone()

        @staticmethod
        def setup_context(ctx, inputs, output):
            x, index = inputs
            ctx.place, ctx.size = index % len(x), len(x)

        @staticmethod
        def backward(ctx, g):
            return g * torch.nn.functional.one_hot(torch.tensor(ctx.place, device=g.device), ctx.size), None


@right("GradientExtractor")
def extractor_saves_a_tensor():
    import torch

    class GradientExtractor(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, index):
            ctx.save_for_backward(x, torch.tensor(index))
            return x[index]

        @staticmethod
        def backward(ctx, g):
            x, index = ctx.saved_tensors
            grad_x = torch.zeros_like(x)
            grad_x[index.item()] = g
            return grad_x, None


@right("GradientExtractor")
def extractor_by_padding():
    import torch

    class GradientExtractor(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, index):
            ctx.before = index if index >= 0 else len(x) + index
            ctx.behind = len(x) - 1 - ctx.before
            return x[index]

        @staticmethod
        def backward(ctx, g):
            return torch.cat([g.new_zeros(ctx.before), g.reshape(1), g.new_zeros(ctx.behind)]), None


# StableSoftplus


@right("StableSoftplus")
def softplus_by_torch():
    import torch

    class StableSoftplus(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return torch.nn.functional.softplus(x)

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(inputs[0])

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return torch.sigmoid(x) * g


@right("StableSoftplus")
def softplus_with_tanh():
    import torch

    class StableSoftplus(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return torch.logsumexp(torch.stack([x, torch.zeros_like(x)]), 0)

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * (1 + torch.tanh(x / 2)) / 2


@right("StableSoftplus")
def softplus_with_a_second_function():
    import torch

    class Logistic(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            small = torch.exp(-x.abs())
            y = torch.where(x >= 0, 1 / (1 + small), small / (1 + small))
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, g):
            (y,) = ctx.saved_tensors
            return g * y * (1 - y)

    class StableSoftplus(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return torch.maximum(x, torch.zeros_like(x)) + torch.log1p(torch.exp(-abs(x)))

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * Logistic.apply(x)


# StraightThroughSign


@right("StraightThroughSign")
def sign_by_a_mask():
    import torch

    class StraightThroughSign(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward((x >= -1) & (x <= 1))
            return torch.sign(x)

        @staticmethod
        def backward(ctx, g):
            (mask,) = ctx.saved_tensors
            return g * mask


@right("StraightThroughSign")
def sign_by_masked_fill():
    import torch

    class StraightThroughSign(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return (x > 0).to(x.dtype) - (x < 0).to(x.dtype)

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            g = g.clone()
            g[x.abs() > 1] = 0
            return g


# GradientReversal


@right("GradientReversal")
def reversal_returns_the_input():
    import torch

    class GradientReversal(torch.autograd.Function):
        @staticmethod
        def forward(x, strength):
            return x

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.strength = inputs[1]

        @staticmethod
        def backward(ctx, g):
            return g.neg() * ctx.strength, None


@right("GradientReversal")
def reversal_of_a_clone():
    import torch

    class GradientReversal(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, strength):
            ctx.save_for_backward(torch.tensor(-strength, dtype=x.dtype))
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            (factor,) = ctx.saved_tensors
            return g.clone().mul_(factor), None


# MatMul


@right("MatMul")
def mat_mul_by_transpose():
    import torch

    class MatMul(torch.autograd.Function):
        @staticmethod
        def forward(a, b):
            return torch.matmul(a, b)

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx, g):
            a, b = ctx.saved_tensors
            return (
                torch.matmul(g, b.transpose(-1, -2)) if ctx.needs_input_grad[0] else None,
                torch.matmul(a.transpose(-2, -1), g) if ctx.needs_input_grad[1] else None,
            )


@right("MatMul")
def mat_mul_by_einsum():
    import torch

    class MatMul(torch.autograd.Function):
        @staticmethod
        def forward(ctx, A, B):
            ctx.save_for_backward(A, B)
            return torch.einsum("...ij,...jk->...ik", A, B)

        @staticmethod
        def backward(ctx, g):
            A, B = ctx.saved_tensors
            grads = [None, None]
            if ctx.needs_input_grad[0]:
                grads[0] = torch.einsum("...ik,...jk->...ij", g, B).sum_to_size(A.shape)
            if ctx.needs_input_grad[1]:
                grads[1] = torch.einsum("...ij,...ik->...jk", A, g).sum_to_size(B.shape)
            return tuple(grads)


@right("MatMul")
def mat_mul_sums_by_hand():
    import torch

    def reduced(gradient, shape):
        while gradient.dim() > len(shape):
            gradient = gradient.sum(0)
        for axis, size in enumerate(shape):
            if size == 1 and gradient.shape[axis] > 1:
                gradient = gradient.sum(axis, keepdim=True)
        return gradient

    class MatMul(torch.autograd.Function):
        @staticmethod
        def forward(ctx, A, B):
            ctx.save_for_backward(A, B)
            return A @ B

        @staticmethod
        def backward(ctx, g):
            A, B = ctx.saved_tensors
            of_A = reduced(g @ B.mT, A.shape) if A.requires_grad else None
            of_B = reduced(A.mT @ g, B.shape) if B.requires_grad else None
            return of_A, of_B


# MaxWithIndex


@right("MaxWithIndex")
def maximum_by_argmax():
    import torch

    class MaxWithIndex(torch.autograd.Function):
        @staticmethod
        def forward(x):
            index = x.argmax()
            return x[index].clone(), index

        @staticmethod
        def setup_context(ctx, inputs, output):
            (x,), (_, index) = inputs, output
            ctx.mark_non_differentiable(index)
            ctx.save_for_backward(x, index)

        @staticmethod
        def backward(ctx, g, _):
            x, index = ctx.saved_tensors
            return torch.zeros_like(x).scatter(0, index.reshape(1), g.reshape(1))


@right("MaxWithIndex")
def maximum_by_a_loop():
    import torch

    class MaxWithIndex(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            numbers = x.tolist()
            ctx.place, ctx.length = numbers.index(max(numbers)), len(numbers)
            return x[ctx.place], torch.tensor(ctx.place)

        @staticmethod
        def backward(ctx, g, g_index):
            grad_x = g.new_zeros(ctx.length)
            grad_x[ctx.place] += g
            return grad_x


@right("MaxWithIndex")
def maximum_with_a_plain_index():
    import torch

    class MaxWithIndex(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.row = torch.zeros_like(x)
            ctx.row[x.max(0).indices] = 1
            return x.max(), int(x.max(0).indices)

        @staticmethod
        def backward(ctx, g, g_index):
            return g * ctx.row, None


# passes_gradcheck


@right("passes_gradcheck")
def judge_by_gradcheck():
    import torch

    def passes_gradcheck(function, inputs):
        leaves = tuple(one.clone().requires_grad_() if torch.is_tensor(one) else one for one in inputs)
        return torch.autograd.gradcheck(function, leaves, raise_exception=False)


@right("passes_gradcheck")
def judge_by_a_direction():
    import torch

    def passes_gradcheck(function, inputs):
        torch.manual_seed(1)
        leaves = [one.clone().requires_grad_(True) if isinstance(one, torch.Tensor) else one for one in inputs]
        y = function(*leaves)
        upstream = torch.randn(y.shape, dtype=y.dtype)
        ok = True
        for k, one in enumerate(inputs):
            if not isinstance(one, torch.Tensor):
                continue
            (gradient,) = torch.autograd.grad(y, leaves[k], upstream, retain_graph=True, allow_unused=True)
            gradient = torch.zeros_like(one) if gradient is None else gradient
            for _ in range(5):
                direction = torch.randn_like(one)

                def along(t):
                    moved = list(inputs)
                    moved[k] = one + t * direction
                    return (function(*moved) * upstream).sum()

                slope = (along(1e-5) - along(-1e-5)) / 2e-5
                claimed = (gradient * direction).sum()
                scale = max((gradient * direction).abs().sum().item(), abs(slope.item()))
                ok = ok and abs(slope.item() - claimed.item()) <= 1e-6 + 1e-4 * scale
        return ok


@right("passes_gradcheck")
def judge_by_tables():
    import torch

    def passes_gradcheck(function, inputs):
        for k, point in enumerate(inputs):
            if not torch.is_tensor(point):
                continue

            def of(x):
                return function(*[x if i == k else one for i, one in enumerate(inputs)]).reshape(-1)

            leaf = point.detach().clone().requires_grad_()
            y = of(leaf)
            rows = [torch.autograd.grad(e, leaf, retain_graph=True, materialize_grads=True)[0] for e in y]
            rows = torch.stack(rows).reshape(len(y), -1)
            columns = []
            for i in range(point.numel()):
                step = torch.zeros_like(point)
                step.view(-1)[i] = 1e-5
                columns.append((of(point + step) - of(point - step)) / 2e-5)
            table = torch.stack(columns, 1).detach()
            if (rows - table).abs().max() > 1e-3 * table.abs().max() + 1e-7:
                return False
        return True
