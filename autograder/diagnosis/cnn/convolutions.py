"""Mistakes of conv_weight_gradient."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch.nn import functional as F  # noqa: N812  (its usual name)

from autograder.diagnosis.cnn.shared import mistakes_of
from autograder.diagnosis.hypothesis import Mistake
from autograder.references.cnn.operations import pair_of

TASK = "conv_weight_gradient"
Size = int | tuple[int, int]
_mistake = mistakes_of(TASK)
SHAPES = (
    "Slices of different sizes were multiplied. For one entry of the kernel, how many pixels of the padded "
    "image meet it, and how far apart are they?"
)


def _right(x: torch.Tensor, upstream: torch.Tensor, size: Size, stride: int = 1, padding: int = 0) -> torch.Tensor:
    return _kernel(F.pad(x, (padding,) * 4), upstream, pair_of(size), stride)


def _kernel(
    padded: torch.Tensor, upstream: torch.Tensor, size: tuple[int, int], stride: int, apart: int = 1
) -> torch.Tensor:
    """Entry by entry of the kernel: the pixels that meet it, times what comes from above; entries start `apart`."""
    rows, columns = upstream.shape[2:]
    found = padded.new_zeros(upstream.shape[1], padded.shape[1], *size)
    for i in range(size[0]):
        for j in range(size[1]):
            top, left = i * apart, j * apart
            met = padded[:, :, top : top + stride * rows : stride, left : left + stride * columns : stride]
            if met.shape[2:] != upstream.shape[2:]:
                raise ValueError("no prediction for these shapes")
            found[:, :, i, j] = torch.einsum("bohw,bchw->oc", upstream, met)
    return found


def _after(change: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """What is made of (right answer, x, upstream)."""
    return lambda x, upstream, *rest, **named: change(_right(x, upstream, *rest, **named), x, upstream)


def _with_upstream(change: Callable[[torch.Tensor], torch.Tensor]) -> Callable[..., torch.Tensor]:
    return lambda x, upstream, *rest, **named: _right(x, change(upstream), *rest, **named)


def _stride_ignored(
    x: torch.Tensor, upstream: torch.Tensor, size: Size, stride: int = 1, padding: int = 0
) -> torch.Tensor:
    return _right(x, upstream, size, 1, padding)


def _correlated(x: torch.Tensor, upstream: torch.Tensor, size: Size, stride: int = 1, padding: int = 0) -> torch.Tensor:
    """The output moved over the image, pixel by pixel; as large as that makes it."""
    return F.conv2d(x.transpose(0, 1), upstream.transpose(0, 1), padding=padding).transpose(0, 1)


def _started_by_stride(
    x: torch.Tensor, upstream: torch.Tensor, size: Size, stride: int = 1, padding: int = 0
) -> torch.Tensor:
    return _kernel(F.pad(x, (padding,) * 4), upstream, pair_of(size), stride=1, apart=stride)


def _padding_ignored(
    x: torch.Tensor, upstream: torch.Tensor, size: Size, stride: int = 1, padding: int = 0
) -> torch.Tensor:
    return _kernel(F.pad(x, (0, 2 * padding, 0, 2 * padding)), upstream, pair_of(size), stride)


def _not_cropped(
    x: torch.Tensor, upstream: torch.Tensor, size: Size, stride: int = 1, padding: int = 0
) -> torch.Tensor:
    """The kernel as large as the pixels allow."""
    places = zip(x.shape[2:], upstream.shape[2:], strict=True)
    high, wide = (pixels + 2 * padding - (count - 1) * stride for pixels, count in places)
    return _right(x, upstream, (high, wide), stride, padding)


def _by_autograd(
    x: torch.Tensor, upstream: torch.Tensor, size: Size, stride: int = 1, padding: int = 0
) -> torch.Tensor:
    shape = (upstream.shape[1], x.shape[1], *pair_of(size))
    weight = torch.zeros(shape, dtype=x.dtype, requires_grad=True)
    return torch.autograd.grad(F.conv2d(x, weight, stride=stride, padding=padding), weight, upstream)[0]


def _by_forward_mode(
    x: torch.Tensor, upstream: torch.Tensor, size: Size, stride: int = 1, padding: int = 0
) -> torch.Tensor:
    shape = (upstream.shape[1], x.shape[1], *pair_of(size))
    score = lambda weight: (F.conv2d(x, weight, stride=stride, padding=padding) * upstream).sum()  # noqa: E731
    return torch.func.jacfwd(score)(torch.zeros(shape, dtype=x.dtype))


def _by_nn_grad(x: torch.Tensor, upstream: torch.Tensor, size: Size, stride: int = 1, padding: int = 0) -> torch.Tensor:
    shape = (upstream.shape[1], x.shape[1], *pair_of(size))
    return torch.nn.grad.conv2d_weight(x, shape, upstream, stride=stride, padding=padding)


CONV_WEIGHT_GRADIENT = (
    *_mistake(
        "not by hand",
        "The numbers are right, and autograd, or `torch.nn.grad`, made them. This task is done by hand: with sums of "
        "products of pixels and upstream gradients.",
        _by_autograd,
        _by_nn_grad,
        _by_forward_mode,
    ),
    *_mistake(
        "first image only",
        "Only the first image of the batch counts. All images were convolved with the same weight.",
        lambda x, upstream, *rest, **named: _right(x[:1], upstream[:1], *rest, **named),
    ),
    *_mistake(
        "batch averaged",
        "Everything was divided by the number of images. Each use of a weight adds to its gradient.",
        _after(lambda right, x, upstream: right / len(x)),
    ),
    *_mistake(
        "averaged over the places",
        "Everything was divided by the number of places at which the kernel stood. Each use of a weight adds to its "
        "gradient.",
        _after(lambda right, x, upstream: right / upstream[0, 0].numel()),
        _after(lambda right, x, upstream: right / (upstream[0, 0].numel() * len(x))),
    ),
    *_mistake(
        "upstream gradient ignored",
        "This is what an upstream gradient of ones gives. The one that was handed in is a factor too.",
        _with_upstream(torch.ones_like),
    ),
    *_mistake(
        "kernel flipped",
        "The kernel lies upside down and back to front. In PyTorch a convolution doesn't flip it: entry (0, 0) meets "
        "the pixel at the upper left.",
        _after(lambda right, x, upstream: right.flip(2, 3)),
    ),
    *_mistake(
        "in and out exchanged",
        "Axes 0 and 1 have changed places. A weight has the output channels first.",
        _after(lambda right, x, upstream: right.transpose(0, 1)),
    ),
    *_mistake(
        "height and width exchanged",
        "Axes 2 and 3 have changed places. A kernel has its height first.",
        _after(lambda right, x, upstream: right.mT),
    ),
    *_mistake(
        "channels mixed",
        "The kernel is the same for all channels on one side. Each pair of an input and an output channel has a kernel "
        "of its own.",
        _after(lambda right, x, upstream: right.sum(1, keepdim=True).expand_as(right)),
        _after(lambda right, x, upstream: right.sum(0, keepdim=True).expand_as(right)),
    ),
    *_mistake(
        "stride ignored",
        "The pixels that an entry of the kernel meets were taken side by side. With a stride they lie further apart.",
        _stride_ignored,
        _correlated,
    ),
    *_mistake(
        "stride given to the entry",
        "The stride was given to the entry's own place. Entry (i, j) of the kernel first meets pixel (i, j); the "
        "stride lies between what it meets for one output and for the next.",
        _started_by_stride,
    ),
    *_mistake(
        "padding at one side",
        "The kernel was moved over the image from its first pixel on. The padding lies on all four sides.",
        _padding_ignored,
    ),
    *_mistake(
        "kernel too large",
        "The result has entries beyond `kernel_size`: they met pixels that the stride leaves over. What does the "
        "forward convolution do with these pixels?",
        _not_cropped,
    ),
    Mistake(
        "kernel_size of the other kind",
        "`kernel_size` is an int or a pair of ints. Both have to be accepted.",
        raises="TypeError: ('tuple' object cannot be interpreted as an integer|cannot unpack non-iterable int|"
        "'int' object is not (subscriptable|iterable)|unsupported operand type\\(s\\) for .*'tuple'|"
        "can only concatenate tuple|(new_)?zeros\\(\\)|unfold\\(\\))|TypeError: can't multiply sequence",
    ),
    Mistake(
        "shapes that do not fit",
        SHAPES,
        raises="RuntimeError: (The size of tensor|einsum\\(\\)|Expected size for|The expanded size|"
        "shape '.*' is invalid|mat1 and mat2|Calculated padded input|Given groups|.*must match)",
    ),
)
