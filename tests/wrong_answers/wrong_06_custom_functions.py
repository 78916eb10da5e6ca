"""Wrong answers to exercise 06."""

from tests.answers import slip, wrong

# Cube


@wrong("Cube", diagnosed="not attempted")
def cube_not_attempted():
    import torch

    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            raise NotImplementedError  # your code here

        @staticmethod
        def backward(ctx, upstream):
            raise NotImplementedError  # your code here


def cube():
    import torch

    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, upstream):
            (x,) = ctx.saved_tensors
            return upstream * 3 * x**2


slip(
    "Cube",
    "only_the_slope",
    within=cube,
    was="return upstream * 3 * x**2",
    wrote="return 3 * x**2",
    diagnosed="upstream gradient ignored",
)
slip(
    "Cube",
    "detached_in_backward",
    within=cube,
    was="(x,) = ctx.saved_tensors",
    wrote="x = ctx.saved_tensors[0].detach()",
    diagnosed="second derivative cut off",
    loses=("second derivative",),
)
slip("Cube", "no_factor", within=cube, was="upstream * 3 *", wrote="upstream *", diagnosed="the 3 forgotten")
slip("Cube", "power_kept", within=cube, was="3 * x**2", wrote="3 * x**3", diagnosed="exponent not lowered")
slip("Cube", "a_square", within=cube, was="3 * x**2", wrote="2 * x", diagnosed="slope of the square")
slip("Cube", "square_forward", within=cube, was="return x**3", wrote="return x**2", diagnosed="square instead of cube")
slip("Cube", "nothing_saved", within=cube, was="ctx.save_for_backward(x)\n", wrote="pass\n",
     diagnosed="saved tensors unpacked wrongly")  # fmt: skip
slip("Cube", "tuple_left", within=cube, was="(x,) = ctx", wrote="x = ctx", diagnosed="saved tensors unpacked wrongly")
slip("Cube", "no_return", within=cube, was="return upstream", wrote="upstream", diagnosed="backward returns nothing")
slip("Cube", "backwards", within=cube, was="def backward", wrote="def backwards", diagnosed="no backward")
slip("Cube", "no_ctx", within=cube, was="forward(ctx, x)", wrote="forward(x)",
     diagnosed="arguments of forward and backward")  # fmt: skip
slip("Cube", "other_name_on_ctx", within=cube, was="(x,) = ctx.saved_tensors", wrote="x = ctx.x",
     diagnosed="nothing kept under that name")  # fmt: skip
slip("Cube", "autograd_in_backward", within=cube, was="return upstream * 3 * x**2",
     wrote="x.requires_grad_(); return torch.autograd.grad(x**3, x, upstream)[0]",
     diagnosed="autograd asked inside the Function")  # fmt: skip
slip("Cube", "gradients_sign", within=cube, was="upstream * 3", wrote="upstream * -3", diagnosed="sign")


@wrong("Cube", diagnosed="second derivative cut off", loses=("second derivative",))
def cube_slope_saved_in_forward():
    import torch

    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(3 * x**2)
            return x**3

        @staticmethod
        def backward(ctx, upstream):
            (slope,) = ctx.saved_tensors
            return upstream * slope


@wrong("Cube", diagnosed="kept on the class")
def cube_kept_on_the_class():
    import torch

    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            Cube.x = x
            return x**3

        @staticmethod
        def backward(ctx, upstream):
            return upstream * 3 * Cube.x**2


@wrong("Cube", diagnosed="no node of its own")
def cube_without_a_function():
    class Cube:
        @staticmethod
        def apply(x):
            return x**3


@wrong("Cube", diagnosed="an instance of the Function")
def cube_like_a_module():
    import torch

    class Cubing(torch.autograd.Function):
        def forward(self, x):
            self.save_for_backward(x)
            return x**3

        def backward(self, upstream):
            return upstream * 3 * self.saved_tensors[0] ** 2

    class Cube:
        @staticmethod
        def apply(x):
            return Cubing()(x)


# GradientExtractor


@wrong("GradientExtractor", diagnosed="not attempted")
def extractor_not_attempted():
    import torch

    class GradientExtractor(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, index):
            raise NotImplementedError  # your code here

        @staticmethod
        def backward(ctx, upstream):
            raise NotImplementedError  # your code here


@wrong("GradientExtractor", diagnosed="a number in save_for_backward")
def extractor_saves_the_index():
    import torch

    class GradientExtractor(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, index):
            ctx.save_for_backward(x, index)
            return x[index]

        @staticmethod
        def backward(ctx, upstream):
            x, index = ctx.saved_tensors
            gradient = torch.zeros_like(x)
            gradient[index] = upstream
            return gradient, None


def extractor():
    import torch

    class GradientExtractor(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, index):
            ctx.save_for_backward(x)
            ctx.index = index
            return x[index]

        @staticmethod
        def backward(ctx, upstream):
            (x,) = ctx.saved_tensors
            gradient = torch.zeros_like(x)
            gradient[ctx.index] = upstream
            return gradient, None


for name, was, wrote, diagnosed in (
    ("a_one", "= upstream\n", "= 1\n", "upstream gradient ignored"),
    ("one_return_value", "gradient, None", "gradient", "not one gradient for each argument"),
    ("two_gradients", "gradient, None", "gradient, gradient", "a gradient for a plain argument"),
    ("upstream_alone", "return gradient, None", "return upstream, None", "a gradient of the wrong shape"),
    ("ones", "torch.zeros_like(x)", "torch.ones_like(x) * upstream", "gradient for every element"),
    ("times_x", "= upstream\n", "= upstream * x[ctx.index]\n", "value instead of slope"),
    ("in_the_input", "gradient = torch.zeros_like(x)", "gradient = x.data.zero_()", "input overwritten"),
    ("a_slice", "return x[index]", "return x[index : index + 1]", "a result with an axis"),
    ("other_end", "gradient[ctx.index]", "gradient[-1 - ctx.index]", "counted from the other end"),
    ("minus", "= upstream\n", "= -upstream\n", "sign"),
    ("nothing", "gradient[ctx.index] = upstream\n", "pass\n", "always zero"),
):
    slip("GradientExtractor", name, within=extractor, was=was, wrote=wrote, diagnosed=diagnosed)


@wrong("GradientExtractor", diagnosed="kept on the class", loses=("several applies before one backward",))
def extractor_keeps_the_index_on_the_class():
    import torch

    class GradientExtractor(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, index):
            GradientExtractor.index = index
            ctx.save_for_backward(x)
            return x[index]

        @staticmethod
        def backward(ctx, upstream):
            (x,) = ctx.saved_tensors
            gradient = torch.zeros_like(x)
            gradient[GradientExtractor.index] = upstream
            return gradient, None


@wrong("GradientExtractor", diagnosed="negative index lost")
def extractor_compares_places():
    import torch

    class GradientExtractor(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, index):
            ctx.places = torch.arange(len(x)) == index
            return x[index]

        @staticmethod
        def backward(ctx, upstream):
            return upstream * ctx.places, None


@wrong("GradientExtractor", diagnosed="padded before the start",
       loses=("a negative index", "several applies before one backward"))  # fmt: skip
def extractor_pads():
    import torch

    class GradientExtractor(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, index):
            ctx.before, ctx.behind = index, len(x) - index - 1
            return x[index]

        @staticmethod
        def backward(ctx, upstream):
            return torch.nn.functional.pad(upstream.reshape(1), (ctx.before, ctx.behind)), None


@wrong("GradientExtractor", diagnosed="no node of its own")
def extractor_by_indexing():
    class GradientExtractor:
        apply = staticmethod(lambda x, index: x[index])


# StableSoftplus


@wrong("StableSoftplus", diagnosed="not attempted")
def softplus_not_attempted():
    import torch

    class StableSoftplus(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            raise NotImplementedError  # your code here

        @staticmethod
        def backward(ctx, upstream):
            raise NotImplementedError  # your code here


def softplus():
    import torch

    class StableSoftplus(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return torch.logaddexp(x, torch.zeros_like(x))

        @staticmethod
        def backward(ctx, upstream):
            (x,) = ctx.saved_tensors
            return upstream * torch.sigmoid(x)


VALUE = "torch.logaddexp(x, torch.zeros_like(x))"
SLOPE = "torch.sigmoid(x)"
for name, was, wrote, diagnosed, loses in (
    ("as_written", VALUE, "torch.log(1 + torch.exp(x))", "the value overflows", "value"),
    ("log1p_only", VALUE, "torch.log1p(torch.exp(x))", "the value overflows", "value"),
    ("x_taken_out", VALUE, "x + torch.log1p(torch.exp(-x))", "the value overflows below", "value"),
    ("clamped", VALUE, "torch.log1p(torch.exp(x.clamp(max=50)))", "the value is clamped", "value"),
    ("with_relu", VALUE, "torch.relu(x)", "relu instead of softplus", "value"),
    ("quotient", SLOPE, "torch.exp(x) / (1 + torch.exp(x))", "the slope overflows", "first derivative"),
    ("one_over", SLOPE, "1 / (1 + torch.exp(-x))", "the slope's slope overflows", "second derivative"),
    (
        "halves",
        SLOPE,
        "torch.where(x >= 0, 1, (-x.abs()).exp()) / (1 + (-x.abs()).exp())",
        "a slope made of |x|",
        "second derivative",
    ),
    (
        "branches",
        SLOPE,
        "torch.where(x >= 0, 1 / (1 + torch.exp(-x)), torch.exp(x) / (1 + torch.exp(x)))",
        "both branches of where",
        "second derivative",
    ),
    (
        "far_out",
        SLOPE,
        "torch.where(x > 20, 1.0, torch.exp(x) / (1 + torch.exp(x)))",
        "both branches of where",
        "second derivative",
    ),
    ("mirrored", SLOPE, "torch.sigmoid(-x)", "slope turned round", "first derivative"),
    ("step", SLOPE, "(x > 0).double()", "slope of relu", "first derivative"),
    ("detached", SLOPE, "torch.sigmoid(x.detach())", "second derivative cut off", "second derivative"),
    ("upstream_lost", f"upstream * {SLOPE}", SLOPE, "upstream gradient ignored", "first derivative"),
    ("minus", f"upstream * {SLOPE}", f"-upstream * {SLOPE}", "sign", "first derivative"),
):
    slip("StableSoftplus", name, within=softplus, was=was, wrote=wrote, diagnosed=diagnosed)


@wrong("StableSoftplus", diagnosed="the slope overflows")
def softplus_all_as_written():
    import torch

    class StableSoftplus(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return torch.where(x > 30, x, torch.log1p(torch.exp(x)))

        @staticmethod
        def backward(ctx, upstream):
            (x,) = ctx.saved_tensors
            e = torch.exp(x)
            return upstream * e / (1 + e)


@wrong("StableSoftplus", diagnosed="second derivative cut off", loses=("second derivative",))
def softplus_slope_saved():
    import torch

    class StableSoftplus(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(torch.sigmoid(x))
            return torch.nn.functional.softplus(x)

        @staticmethod
        def backward(ctx, upstream):
            (slope,) = ctx.saved_tensors
            return upstream * slope


# StraightThroughSign


@wrong("StraightThroughSign", diagnosed="not attempted")
def sign_not_attempted():
    import torch

    class StraightThroughSign(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            raise NotImplementedError  # your code here

        @staticmethod
        def backward(ctx, upstream):
            raise NotImplementedError  # your code here


def straight_through():
    import torch

    class StraightThroughSign(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return torch.sign(x)

        @staticmethod
        def backward(ctx, upstream):
            (x,) = ctx.saved_tensors
            return upstream * (x.abs() <= 1)


for name, was, wrote, diagnosed in (
    ("honest", "upstream * (x.abs() <= 1)", "torch.zeros_like(x)", "the true derivative"),
    ("everywhere", "upstream * (x.abs() <= 1)", "upstream", "window forgotten"),
    ("open_edges", "x.abs() <= 1", "x.abs() < 1", "edges left out"),
    ("above_only", "x.abs() <= 1", "x <= 1", "window open below"),
    ("outside", "x.abs() <= 1", "x.abs() > 1", "window turned round"),
    ("of_the_gradient", "x.abs() <= 1", "upstream.abs() <= 1", "window on the upstream gradient"),
    ("of_the_sign", "x.abs() <= 1", "x.sign().abs() <= 1", "window forgotten"),
    ("clipped", "upstream * (x.abs() <= 1)", "upstream.clamp(-1, 1)", "upstream gradient clamped"),
    ("mask_alone", "upstream * (x.abs() <= 1)", "(x.abs() <= 1).to(x.dtype)", "upstream gradient ignored"),
    ("signed", "upstream * (x", "upstream * x.sign() * (x", "gradient of the absolute value"),
    ("clamp", "torch.sign(x)", "x.clamp(-1, 1)", "clamp forward"),
    ("two_values", "torch.sign(x)", "torch.where(x >= 0, 1.0, -1.0).to(x.dtype)", "sign of 0"),
    ("minus", "return upstream", "return -upstream", "sign"),
):
    slip("StraightThroughSign", name, within=straight_through, was=was, wrote=wrote, diagnosed=diagnosed)


@wrong("StraightThroughSign", diagnosed="no node of its own")
def sign_by_detaching():
    class StraightThroughSign:
        @staticmethod
        def apply(x):
            clamped = x.clamp(-1, 1)
            return clamped + (x.sign() - clamped).detach()


# GradientReversal


@wrong("GradientReversal", diagnosed="not attempted")
def reversal_not_attempted():
    import torch

    class GradientReversal(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, strength):
            raise NotImplementedError  # your code here

        @staticmethod
        def backward(ctx, upstream):
            raise NotImplementedError  # your code here


def reversal():
    import torch

    class GradientReversal(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, strength):
            ctx.strength = strength
            return x

        @staticmethod
        def backward(ctx, upstream):
            return -ctx.strength * upstream, None


for name, was, wrote, diagnosed in (
    ("in_place", "-ctx.strength * upstream", "upstream.mul_(-ctx.strength)", "upstream changed in place"),
    ("negated_in_place", "-ctx.strength * upstream", "ctx.strength * upstream.neg_()", "upstream changed in place"),
    ("not_reversed", "-ctx.strength", "ctx.strength", "sign kept"),
    ("without_strength", "-ctx.strength * upstream", "-upstream", "strength forgotten"),
    ("untouched", "-ctx.strength * upstream", "upstream", "nothing reversed"),
    ("ones", "* upstream", "* torch.ones_like(upstream)", "upstream gradient ignored"),
    ("forward_too", "return x\n", "return -strength * x\n", "reversed forward too"),
    ("times_x", "ctx.strength = strength", "ctx.strength = strength * x", "times the value"),
    ("one_return_value", "upstream, None", "upstream", "not one gradient for each argument"),
    ("strength_saved", "ctx.strength = strength", "ctx.save_for_backward(strength)", "a number in save_for_backward"),
    ("two_gradients", "upstream, None", "upstream, upstream", "a gradient for a plain argument"),
):
    slip("GradientReversal", name, within=reversal, was=was, wrote=wrote, diagnosed=diagnosed)


@wrong("GradientReversal", diagnosed="kept on the class")
def reversal_keeps_the_strength_on_the_class():
    import torch

    class GradientReversal(torch.autograd.Function):
        strength = 1.0

        @staticmethod
        def forward(ctx, x, strength):
            GradientReversal.strength = strength
            return x.clone()

        @staticmethod
        def backward(ctx, upstream):
            return -GradientReversal.strength * upstream, None


@wrong("GradientReversal", diagnosed="no node of its own")
def reversal_by_a_hook():
    class GradientReversal:
        @staticmethod
        def apply(x, strength):
            y = x.clone()
            y.register_hook(lambda gradient: -strength * gradient)
            return y


# MatMul


@wrong("MatMul", diagnosed="not attempted")
def mat_mul_not_attempted():
    import torch

    class MatMul(torch.autograd.Function):
        @staticmethod
        def forward(ctx, A, B):
            raise NotImplementedError  # your code here

        @staticmethod
        def backward(ctx, upstream):
            raise NotImplementedError  # your code here


def mat_mul():
    import torch

    class MatMul(torch.autograd.Function):
        @staticmethod
        def forward(ctx, A, B):
            ctx.save_for_backward(A, B)
            return A @ B

        @staticmethod
        def backward(ctx, upstream):
            A, B = ctx.saved_tensors
            of_A = upstream @ B.mT if ctx.needs_input_grad[0] else None
            of_B = A.mT @ upstream if ctx.needs_input_grad[1] else None
            return of_A, of_B


for name, was, wrote, diagnosed in (
    ("not_transposed", "upstream @ B.mT", "upstream @ B", "shapes that do not fit"),
    ("wrong_side", "A.mT @ upstream", "upstream @ A.mT", "shapes that do not fit"),
    ("of_elements", "upstream @ B.mT", "upstream * B", "a gradient of the wrong shape"),
    ("exchanged", "return of_A, of_B", "return of_B, of_A", "a gradient of the wrong shape"),
    ("exchanged_in_saving", "A, B = ctx", "B, A = ctx", "shapes that do not fit"),
    ("ones", "A, B = ctx.saved_tensors", "A, B = ctx.saved_tensors\n        upstream = torch.ones_like(upstream)",
     "upstream gradient ignored"),
    ("transposed_by_T", "B.mT", "B.T", "shapes that do not fit"),
    ("first_two_axes", "B.mT", "B.transpose(0, 1)", "shapes that do not fit"),
    ("one_gradient", "return of_A, of_B", "return of_A", "not one gradient for each argument"),
    ("only_the_second", "of_A = upstream @ B.mT if ctx.needs_input_grad[0] else None", "of_A = None",
     "backward returns nothing"),
    ("minus", "upstream @ B.mT", "-upstream @ B.mT", "sign"),
):  # fmt: skip
    slip("MatMul", name, within=mat_mul, was=was, wrote=wrote, diagnosed=diagnosed)


@wrong("MatMul", diagnosed="two products for one gradient", loses=("one product for one gradient",))
def mat_mul_both_every_time():
    import torch

    class MatMul(torch.autograd.Function):
        @staticmethod
        def forward(ctx, A, B):
            ctx.save_for_backward(A, B)
            return A @ B

        @staticmethod
        def backward(ctx, upstream):
            A, B = ctx.saved_tensors
            return upstream @ B.mT, A.mT @ upstream


@wrong("MatMul", diagnosed="batches averaged", loses=("batches, broadcast",))
def mat_mul_means_over_the_batch():
    import torch

    class MatMul(torch.autograd.Function):
        @staticmethod
        def forward(ctx, A, B):
            ctx.save_for_backward(A, B)
            return A @ B

        @staticmethod
        def backward(ctx, upstream):
            A, B = ctx.saved_tensors
            of_A = of_B = None
            if ctx.needs_input_grad[0]:
                of_A = upstream @ B.mT
                while of_A.dim() > A.dim():
                    of_A = of_A.mean(0)
            if ctx.needs_input_grad[1]:
                of_B = A.mT @ upstream
                while of_B.dim() > B.dim():
                    of_B = of_B.mean(0)
            return of_A, of_B


@wrong("MatMul", diagnosed="kept on the class")
def mat_mul_kept_on_the_class():
    import torch

    class MatMul(torch.autograd.Function):
        @staticmethod
        def forward(ctx, A, B):
            MatMul.A, MatMul.B = A, B
            return A @ B

        @staticmethod
        def backward(ctx, upstream):
            of_A = upstream @ MatMul.B.mT if ctx.needs_input_grad[0] else None
            of_B = MatMul.A.mT @ upstream if ctx.needs_input_grad[1] else None
            return of_A, of_B


# MaxWithIndex


@wrong("MaxWithIndex", diagnosed="not attempted")
def maximum_not_attempted():
    import torch

    class MaxWithIndex(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            raise NotImplementedError  # your code here

        @staticmethod
        def backward(ctx, upstream, upstream_of_index):
            raise NotImplementedError  # your code here


def maximum():
    import torch

    class MaxWithIndex(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            index = torch.argmax(x)
            ctx.save_for_backward(x, index)
            ctx.mark_non_differentiable(index)
            return x[index], index

        @staticmethod
        def backward(ctx, upstream, upstream_of_index):
            x, index = ctx.saved_tensors
            gradient = torch.zeros_like(x)
            gradient[index] = upstream
            return gradient


for name, was, wrote, diagnosed in (
    ("all_that_are_equal", "gradient[index] = upstream", "gradient[x == x[index]] = upstream",
     "every tied maximum gets all"),
    ("shared", "gradient[index] = upstream", "gradient[x == x.max()] = upstream / (x == x.max()).sum()",
     "shared among ties"),
    ("last", "torch.argmax(x)", "len(x) - 1 - torch.argmax(x.flip(0))", "the last of tied maxima"),
    ("a_one", "= upstream\n", "= 1\n", "upstream gradient ignored"),
    ("smallest", "argmax", "argmin", "minimum instead of maximum"),
    ("by_size", "torch.argmax(x)", "torch.argmax(x.abs())", "largest absolute value"),
    ("everywhere", "torch.zeros_like(x)", "torch.ones_like(x) * upstream", "gradient for every element"),
    ("one_upstream", "upstream, upstream_of_index", "upstream", "arguments of forward and backward"),
    ("other_way_round", "return x[index], index", "return index, x[index]", "index and maximum exchanged"),
    ("negated", "= upstream\n", "= -upstream\n", "sign"),
):  # fmt: skip
    slip("MaxWithIndex", name, within=maximum, was=was, wrote=wrote, diagnosed=diagnosed)


@wrong("MaxWithIndex", diagnosed="the index as a float", loses=("the index has no gradient",))
def maximum_float_index():
    import torch

    class MaxWithIndex(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            index = torch.argmax(x)
            ctx.save_for_backward(x, index)
            return x[index], index.to(x.dtype)

        @staticmethod
        def backward(ctx, upstream, upstream_of_index):
            x, index = ctx.saved_tensors
            gradient = torch.zeros_like(x)
            gradient[index] = upstream
            return gradient


@wrong("MaxWithIndex", diagnosed="kept on the class")
def maximum_kept_on_the_class():
    import torch

    class MaxWithIndex(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            MaxWithIndex.index = int(x.argmax())
            MaxWithIndex.length = len(x)
            return x.max(), torch.tensor(MaxWithIndex.index)

        @staticmethod
        def backward(ctx, upstream, upstream_of_index):
            gradient = torch.zeros(MaxWithIndex.length, dtype=upstream.dtype)
            gradient[MaxWithIndex.index] = upstream
            return gradient


@wrong("MaxWithIndex", diagnosed="no node of its own")
def maximum_by_torch():
    class MaxWithIndex:
        @staticmethod
        def apply(x):
            return x.max(0)


# passes_gradcheck


@wrong("passes_gradcheck", diagnosed="not attempted")
def judge_not_attempted():
    def passes_gradcheck(function, inputs):
        raise NotImplementedError  # your code here


@wrong("passes_gradcheck", diagnosed="accepts everything")
def judge_yes():
    def passes_gradcheck(function, inputs):
        function(*inputs)
        return True


@wrong("passes_gradcheck", diagnosed="refuses everything")
def judge_returns_nothing():
    def passes_gradcheck(function, inputs):
        function(*inputs)


@wrong("passes_gradcheck", diagnosed="raises instead of refusing")
def judge_gradcheck_raises():
    import torch

    def passes_gradcheck(function, inputs):
        leaves = [one.clone().requires_grad_() if torch.is_tensor(one) else one for one in inputs]
        return torch.autograd.gradcheck(function, leaves)


@wrong("passes_gradcheck", diagnosed="no leaf of its own")
def judge_gradcheck_as_it_is():
    import torch

    def passes_gradcheck(function, inputs):
        return torch.autograd.gradcheck(function, inputs, raise_exception=False)


def judge():
    import torch

    def passes_gradcheck(function, inputs):
        h = 1e-5
        leaves = [one.clone().requires_grad_() if torch.is_tensor(one) else one for one in inputs]
        y = function(*leaves)
        upstream = torch.randn_like(y)
        wanted = [one for one in leaves if torch.is_tensor(one)]
        gradients = torch.autograd.grad(y, wanted, upstream, materialize_grads=True)
        verdicts = []
        for leaf, gradient in zip(wanted, gradients):
            nudged = torch.zeros_like(gradient)
            start = leaf.detach().clone()
            for i in range(start.numel()):
                difference = 0
                for sign in (1, -1):
                    moved = start.clone()
                    moved.view(-1)[i] += sign * h
                    arguments = [moved if one is leaf else one for one in leaves]
                    difference = difference + sign * (function(*arguments) * upstream).sum()
                nudged.view(-1)[i] = (difference / (2 * h)).detach()
            verdicts.append(torch.allclose(gradient, nudged, rtol=1e-4, atol=1e-6 + 1e-5 * nudged.abs().max().item()))
        return all(verdicts)


CLOSE = "torch.allclose(gradient, nudged, rtol=1e-4, atol=1e-6 + 1e-5 * nudged.abs().max().item())"
for name, was, wrote, diagnosed in (
    ("ones", "torch.randn_like(y)", "torch.ones_like(y)", "ones as upstream gradient"),
    ("drawn_twice", "(function(*arguments) * upstream)", "(function(*arguments) * torch.randn_like(y))",
     "refuses everything"),
    ("first", "all(verdicts)", "verdicts[0]", "first argument only"),
    ("last", "all(verdicts)", "verdicts[-1]", "last argument only"),
    ("any", "all(verdicts)", "any(verdicts)", "one right argument is enough"),
    ("not_unused", "materialize_grads=True", "retain_graph=True", "None not expected"),
    ("signed", CLOSE, "((gradient - nudged).max() < 1e-4 * nudged.abs().max() + 1e-6).item()",
     "difference with its sign"),
    ("sums", CLOSE, "torch.allclose(gradient.sum(), nudged.sum(), rtol=1e-4, atol=1e-6 + 1e-6 * gradient.abs().sum().item())",
     "sums compared"),
    ("wide", CLOSE, "torch.allclose(gradient, nudged, atol=0.1)", "tolerance too wide"),
    ("percents", CLOSE, "torch.allclose(gradient, nudged, rtol=0.1)", "tolerance too wide"),
    ("equal", CLOSE, "torch.equal(gradient, nudged)", "right Functions refused"),
    ("strict", CLOSE, "((gradient - nudged).abs() < 1e-8).all().item()", "tolerance without regard to size"),
    ("a_part_only", CLOSE, "((gradient - nudged).abs() <= 1e-4 * nudged.abs().max()).all().item()",
     "no room at zero"),
    ("raising", f"verdicts.append({CLOSE})", "torch.testing.assert_close(gradient, nudged)",
     "raises instead of refusing"),
    ("numbers_too", " if torch.is_tensor(one) else one for", " for", "plain arguments treated as tensors"),
    ("single", "moved = start.clone()", "moved = start.float()", "right Functions refused"),
    ("one_element", "range(start.numel())", "range(1)", "right Functions refused"),
):  # fmt: skip
    slip("passes_gradcheck", name, within=judge, was=was, wrote=wrote, diagnosed=diagnosed)


@wrong("passes_gradcheck", diagnosed="None taken as right")
def judge_skips_none():
    import torch

    def passes_gradcheck(function, inputs):
        leaves = [one.clone().requires_grad_() if torch.is_tensor(one) else one for one in inputs]
        y = function(*leaves)
        upstream = torch.randn_like(y)
        for place, leaf in enumerate(leaves):
            if not torch.is_tensor(leaf):
                continue
            (gradient,) = torch.autograd.grad(y, leaf, upstream, retain_graph=True, allow_unused=True)
            if gradient is None:
                continue
            for i in range(leaf.numel()):
                step = torch.zeros_like(leaf)
                step.view(-1)[i] = 1e-5
                up, down = list(leaves), list(leaves)
                up[place], down[place] = leaf + step, leaf - step
                slope = ((function(*up) - function(*down)) * upstream).sum().item() / 2e-5
                if abs(slope - gradient.reshape(-1)[i].item()) > 1e-6 + 1e-4 * gradient.abs().max().item():
                    return False
        return True
