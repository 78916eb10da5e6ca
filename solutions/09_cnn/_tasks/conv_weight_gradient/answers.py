"""conv_weight_gradient: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

from .task import unfolded_product


def _after(change: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """What is made of (right answer, x, upstream)."""
    return lambda x, upstream, *rest, **named: change(unfolded_product(x, upstream, *rest, **named), x, upstream)


@mistake(
    "not by hand",
    "The numbers are right, and autograd or `torch.nn.grad` made them. Compute them by hand, as sums of "
    "products of pixels and upstream gradients.",
)
def asked_autograd():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        w = torch.zeros(upstream.shape[1], x.shape[1], kh, kw, dtype=x.dtype, requires_grad=True)
        F.conv2d(x, w, stride=stride, padding=padding).backward(upstream)
        return w.grad


@wrong("not by hand", predicts=True)
def asked_nn_grad():
    import torch

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        shape = (upstream.shape[1], x.shape[1], kh, kw)
        return torch.nn.grad.conv2d_weight(x, shape, upstream, stride=stride, padding=padding)


@wrong("not by hand", predicts=True)
def asked_forward_mode():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        w = torch.zeros(upstream.shape[1], x.shape[1], kh, kw, dtype=x.dtype)
        score = lambda w: (upstream * F.conv2d(x, w, stride=stride, padding=padding)).sum()
        return torch.func.jacfwd(score)(w)


@wrong("not by hand")
def asked_vjp():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        w = torch.zeros(upstream.shape[1], x.shape[1], kh, kw, dtype=x.dtype)
        _, back = torch.func.vjp(lambda w: F.conv2d(x, w, stride=stride, padding=padding), w)
        return back(upstream)[0]


@mistake(
    "first image only", "Only the first image of the batch counts. All images were convolved with the same weight."
)
def image_zero():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        windows = F.unfold(x, (kh, kw), stride=stride, padding=padding)
        g = upstream[0].flatten(1) @ windows[0].T
        return g.reshape(upstream.shape[1], x.shape[1], kh, kw)


@mistake("batch averaged", "Everything is divided by the number of images. Each use of a weight adds to its gradient.")
def mean_over_images():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        windows = F.unfold(x, (kh, kw), stride=stride, padding=padding)
        g = (upstream.flatten(2) @ windows.mT).mean(0)
        return g.reshape(upstream.shape[1], x.shape[1], kh, kw)


known(
    Mistake(
        "averaged over positions",
        "Everything is divided by the number of positions of the kernel. Each use of a weight adds to its gradient.",
        _after(lambda right, x, upstream: right / (upstream[0, 0].numel() * len(x))),
    )
)


@wrong("averaged over positions", predicts=True)
def mean_over_places():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        windows = F.unfold(x, (kh, kw), stride=stride, padding=padding)
        g = (upstream.flatten(2) @ windows.mT).sum(0) / windows.shape[2]
        return g.reshape(upstream.shape[1], x.shape[1], kh, kw)


@mistake(
    "upstream gradient ignored",
    "This is the result for an upstream gradient of ones. The given upstream gradient is a factor too.",
)
def pixels_added_up():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        windows = F.unfold(x, (kh, kw), stride=stride, padding=padding)
        g = windows.sum((0, 2)).reshape(1, x.shape[1], kh, kw)
        return g.repeat(upstream.shape[1], 1, 1, 1)


@mistake(
    "kernel flipped",
    "The kernel is upside down and back to front. A convolution in PyTorch does not flip it: entry (0, "
    "0) meets the pixel at the upper left.",
)
def as_a_true_convolution():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        windows = F.unfold(x, (kh, kw), stride=stride, padding=padding)
        g = torch.einsum("bop,bip->oi", upstream.flatten(2), windows)
        return g.reshape(upstream.shape[1], x.shape[1], kh, kw).flip(2, 3)


@mistake("output and input channels swapped", "Axes 0 and 1 are swapped. A weight has its output channels first.")
def input_channels_first():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        windows = F.unfold(x, (kh, kw), stride=stride, padding=padding).unflatten(1, (x.shape[1], kh, kw))
        return torch.einsum("bop,bihwp->iohw", upstream.flatten(2), windows)


@mistake("height and width swapped", "Axes 2 and 3 are swapped. A kernel has its height first.")
def width_first():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        windows = F.unfold(x, (kh, kw), stride=stride, padding=padding).unflatten(1, (x.shape[1], kh, kw))
        return torch.einsum("bop,bihwp->oiwh", upstream.flatten(2), windows)


known(
    Mistake(
        "channels mixed",
        "The result is the same for all channels on one side. Each pair of an input and an output channel "
        "has its own kernel.",
        _after(lambda right, x, upstream: right.sum(0, keepdim=True).expand_as(right)),
    )
)


@wrong("channels mixed", predicts=True)
def one_kernel_for_all_inputs():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        windows = F.unfold(x.sum(1, keepdim=True), (kh, kw), stride=stride, padding=padding)
        g = torch.einsum("bop,bip->oi", upstream.flatten(2), windows)
        return g.reshape(upstream.shape[1], 1, kh, kw).repeat(1, x.shape[1], 1, 1)


@mistake(
    "stride ignored",
    "The pixels that an entry of the kernel meets were taken side by side. With a stride they lie further apart.",
    loses=("stride and padding", "oblong kernels, pixels left over"),
)
def neighbours_only():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        x = F.pad(x, (padding,) * 4)
        rows, columns = upstream.shape[2:]
        g = torch.zeros(upstream.shape[1], x.shape[1], kh, kw, dtype=x.dtype)
        for i in range(kh):
            for j in range(kw):
                g[:, :, i, j] = torch.einsum("bohw,bchw->oc", upstream, x[:, :, i : i + rows, j : j + columns])
        return g


@wrong("stride ignored", predicts=True, loses=("stride and padding", "oblong kernels, pixels left over"))
def the_output_as_a_kernel():
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        return F.conv2d(x.transpose(0, 1), upstream.transpose(0, 1), padding=padding).transpose(0, 1)


@mistake(
    "stride inside the kernel",
    "The stride was applied to the entry's own place. Entry (i, j) of the kernel first meets pixel (i, "
    "j), and the stride lies between what it meets for one output and for the next.",
    loses=("stride and padding", "oblong kernels, pixels left over"),
)
def entries_a_stride_apart():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        x = F.pad(x, (padding,) * 4)
        rows, columns = upstream.shape[2:]
        g = torch.zeros(upstream.shape[1], x.shape[1], kh, kw, dtype=x.dtype)
        for i in range(kh):
            for j in range(kw):
                met = x[:, :, i * stride : i * stride + rows, j * stride : j * stride + columns]
                g[:, :, i, j] = torch.einsum("bohw,bchw->oc", upstream, met)
        return g


@mistake(
    "padding on one side",
    "The kernel starts at the first pixel of the image itself. The padding lies on all four sides.",
    loses=("stride and padding", "oblong kernels, pixels left over"),
)
def padded_on_the_right_only():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        x = F.pad(x, (0, 2 * padding, 0, 2 * padding))
        rows, columns = upstream.shape[2:]
        g = torch.zeros(upstream.shape[1], x.shape[1], kh, kw, dtype=x.dtype)
        for i in range(kh):
            for j in range(kw):
                met = x[:, :, i : i + stride * rows : stride, j : j + stride * columns : stride]
                g[:, :, i, j] = torch.einsum("bohw,bchw->oc", upstream, met)
        return g


@mistake(
    "kernel not cropped",
    "The result has entries beyond `kernel_size`, which met pixels that the stride leaves over. What "
    "does the forward convolution do with these pixels?",
    loses=("oblong kernels, pixels left over",),
)
def a_dilated_convolution_not_cropped():
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        full = F.conv2d(x.transpose(0, 1), upstream.transpose(0, 1), padding=padding, dilation=stride)
        return full.transpose(0, 1)


@mistake(
    "kernel_size: int or pair",
    "`kernel_size` is an int or a pair of ints. Accept both.",
    raises="TypeError: ('tuple' object cannot be interpreted as an integer|cannot unpack non-iterable int|"
    "'int' object is not (subscriptable|iterable)|unsupported operand type\\(s\\) for .*'tuple'|"
    "can only concatenate tuple|(new_)?zeros\\(\\)|unfold\\(\\))|TypeError: can't multiply sequence",
    loses=("oblong kernels, pixels left over",),
)
def square_kernels_only():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        x = F.pad(x, (padding,) * 4)
        rows, columns = upstream.shape[2:]
        g = torch.zeros(upstream.shape[1], x.shape[1], kernel_size, kernel_size, dtype=x.dtype)
        for i in range(kernel_size):
            for j in range(kernel_size):
                met = x[:, :, i : i + stride * rows : stride, j : j + stride * columns : stride]
                g[:, :, i, j] = torch.einsum("bohw,bchw->oc", upstream, met)
        return g


@mistake(
    "shapes that do not fit",
    "You combined slices of different sizes. For one entry of the kernel, how many pixels of the padded "
    "image meet it, and how far apart are they?",
    raises="RuntimeError: (The size of tensor|einsum\\(\\)|Expected size for|The expanded size|"
    "shape '.*' is invalid|mat1 and mat2|Calculated padded input|Given groups|.*must match)",
    loses=("stride and padding", "oblong kernels, pixels left over"),
)
def no_padding():
    import torch

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        rows, columns = upstream.shape[2:]
        g = torch.zeros(upstream.shape[1], x.shape[1], kh, kw, dtype=x.dtype)
        for i in range(kh):
            for j in range(kw):
                met = x[:, :, i : i + stride * rows : stride, j : j + stride * columns : stride]
                g[:, :, i, j] = torch.einsum("bohw,bchw->oc", upstream, met)
        return g


@wrong("not attempted")
def conv_weight_gradient_not_attempted():
    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        raise NotImplementedError  # your code here


@right
def unfolded():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        windows = F.unfold(x, (kh, kw), stride=stride, padding=padding)
        n = upstream.shape[1]
        total = (upstream.flatten(2) @ windows.mT).sum(0)
        return total.view(n, x.shape[1], kh, kw)


@right
def a_convolution_with_dilation():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = kernel_size if isinstance(kernel_size, (tuple, list)) else (kernel_size, kernel_size)
        full = F.conv2d(x.transpose(0, 1), upstream.transpose(0, 1), padding=padding, dilation=stride)
        return full.transpose(0, 1)[:, :, :kh, :kw]


@right
def place_by_place():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        if isinstance(kernel_size, int):
            kernel_size = (kernel_size, kernel_size)
        x = F.pad(x, [padding] * 4)
        grad = torch.zeros(upstream.size(1), x.size(1), *kernel_size, dtype=x.dtype)
        for b in range(x.size(0)):
            for r in range(upstream.size(2)):
                for c in range(upstream.size(3)):
                    top, left = r * stride, c * stride
                    window = x[b, :, top : top + kernel_size[0], left : left + kernel_size[1]]
                    grad += upstream[b, :, r, c].reshape(-1, 1, 1, 1) * window
        return grad
