"""max_pool_gradient: mistakes, other ways to make them, and right answers."""

from autograder.tasks.answers import mistake, right, wrong


@mistake(
    "all tied pixels",
    "Where several pixels of a window are the largest, each got the whole upstream gradient. Only one "
    "of them gets it. See lesson 09, “The backward of max pooling”.",
    loses=("several largest pixels",),
)
def compared_with_the_maximum():
    import torch.nn.functional as F

    def max_pool_gradient(x, upstream, size):
        rows, columns = upstream.shape[2] * size, upstream.shape[3] * size

        def grown(t):
            big = t.repeat_interleave(size, 2).repeat_interleave(size, 3)
            return F.pad(big, (0, x.shape[3] - columns, 0, x.shape[2] - rows))

        return (x == grown(F.max_pool2d(x, size))) * grown(upstream)


@mistake(
    "shared among tied pixels",
    "Where several pixels of a window are the largest, the upstream gradient was divided among them. "
    "One of them gets everything. See lesson 09, “The backward of max pooling”.",
    loses=("several largest pixels",),
)
def by_amax():
    import torch

    def max_pool_gradient(x, upstream, size):
        leaf = x.clone().requires_grad_()
        leaf.unfold(2, size, size).unfold(3, size, size).amax((4, 5)).backward(upstream)
        return leaf.grad


@mistake(
    "last tied pixel",
    "Among several largest pixels the last got the gradient. The first in reading order gets it. See "
    "lesson 09, “The backward of max pooling”.",
    loses=("several largest pixels",),
)
def greater_or_equal():
    import torch

    def max_pool_gradient(x, upstream, size):
        out = torch.zeros_like(x)
        for b in range(upstream.shape[0]):
            for c in range(upstream.shape[1]):
                for i in range(upstream.shape[2]):
                    for j in range(upstream.shape[3]):
                        best, at = float("-inf"), None
                        for r in range(i * size, i * size + size):
                            for k in range(j * size, j * size + size):
                                if x[b, c, r, k] >= best:
                                    best, at = x[b, c, r, k], (r, k)
                        out[b, c, at[0], at[1]] = upstream[b, c, i, j]
        return out


@mistake(
    "columns before rows",
    "Among several largest pixels, the pixel in the first column got the gradient. Reading order goes along the rows.",
    loses=("several largest pixels",),
)
def column_by_column():
    import torch

    def max_pool_gradient(x, upstream, size):
        out = torch.zeros_like(x)
        for b in range(upstream.shape[0]):
            for c in range(upstream.shape[1]):
                for i in range(upstream.shape[2]):
                    for j in range(upstream.shape[3]):
                        best, at = float("-inf"), None
                        for k in range(j * size, j * size + size):
                            for r in range(i * size, i * size + size):
                                if x[b, c, r, k] > best:
                                    best, at = x[b, c, r, k], (r, k)
                        out[b, c, at[0], at[1]] = upstream[b, c, i, j]
        return out


@mistake("spread evenly", "Each pixel of a window got an equal fraction. That is the backward of average pooling.")
def average_pooling():
    import torch
    import torch.nn.functional as F

    def max_pool_gradient(x, upstream, size):
        leaf = x.clone().requires_grad_()
        return torch.autograd.grad(F.avg_pool2d(leaf, size), leaf, upstream)[0]


@mistake(
    "every pixel of the window",
    "Every pixel of a window got the upstream gradient. If a pixel that is not the largest moves a "
    "little, does the result change?",
)
def blown_up():
    import torch

    def max_pool_gradient(x, upstream, size):
        out = torch.zeros_like(x)
        big = torch.kron(upstream, torch.ones(size, size, dtype=x.dtype))
        out[:, :, : big.shape[2], : big.shape[3]] = big
        return out


@mistake(
    "multiplied by the maximum",
    "The upstream gradient was multiplied by the largest value. If the largest pixel moves a little, "
    "how far does the maximum move?",
)
def times_the_maximum():
    import torch
    import torch.nn.functional as F

    def max_pool_gradient(x, upstream, size):
        values, places = F.max_pool2d(x, size, return_indices=True)
        out = torch.zeros_like(x).flatten(2)
        out.scatter_(2, places.flatten(2), (values * upstream).flatten(2))
        return out.view_as(x)


@mistake("upstream gradient ignored", "The largest pixels got 1. The given upstream gradient is a factor too.")
def sum_of_the_pooled():
    import torch
    import torch.nn.functional as F

    def max_pool_gradient(x, upstream, size):
        leaf = x.clone().requires_grad_()
        F.max_pool2d(leaf, size).sum().backward()
        return leaf.grad


@mistake(
    "negative maxima ignored",
    "Windows without a pixel above 0 got nothing. A maximum may be below 0, and which pixel is it then?",
)
def best_starts_at_zero():
    import torch

    def max_pool_gradient(x, upstream, size):
        out = torch.zeros_like(x)
        for b in range(upstream.shape[0]):
            for c in range(upstream.shape[1]):
                for i in range(upstream.shape[2]):
                    for j in range(upstream.shape[3]):
                        best, at = 0, None
                        for r in range(i * size, i * size + size):
                            for k in range(j * size, j * size + size):
                                if x[b, c, r, k] > best:
                                    best, at = x[b, c, r, k], (r, k)
                        if at is not None:
                            out[b, c, at[0], at[1]] = upstream[b, c, i, j]
        return out


@mistake(
    "one maximum per map",
    "Only the largest pixel of each map got a gradient. Every window has a largest pixel of its own.",
)
def largest_of_the_map():
    import torch

    def max_pool_gradient(x, upstream, size):
        flat = x.flatten(2)
        out = torch.zeros_like(flat)
        out.scatter_(2, flat.argmax(2, keepdim=True), upstream.sum((2, 3)).unsqueeze(2))
        return out.view_as(x)


@mistake(
    "shape of the output",
    "The result has the shape of `upstream`. It is the gradient with respect to `x`, so it has the shape of `x`.",
)
def upstream_handed_on():
    def max_pool_gradient(x, upstream, size):
        return upstream.clone()


@mistake(
    "leftover pixels not handled",
    "Height and width need not be multiples of `size`. What does the forward pooling do with the rows "
    "and columns that are left over?",
    raises="RuntimeError: (shape '.*' is invalid for input|The size of tensor|The expanded size|.*must match|"
    "output with shape|max_pool2d|Mismatch in shape: grad_output)|ValueError|EinopsError",
    loses=("pixels left over",),
)
def a_window_for_the_rest():
    import torch
    import torch.nn.functional as F

    def max_pool_gradient(x, upstream, size):
        leaf = x.clone().requires_grad_()
        return torch.autograd.grad(F.max_pool2d(leaf, size, ceil_mode=True), leaf, upstream)[0]


@wrong("leftover pixels not handled", loses=("pixels left over",))
def windows_by_reshape():
    import torch
    import torch.nn.functional as F

    def max_pool_gradient(x, upstream, size):
        b, c, h, w = x.shape
        windows = x.reshape(b, c, h // size, size, w // size, size).transpose(3, 4).flatten(4)
        mask = F.one_hot(windows.argmax(-1), size * size).to(x.dtype)
        back = (mask * upstream[..., None]).unflatten(4, (size, size)).transpose(3, 4)
        return back.reshape(x.shape)


@wrong("not attempted")
def max_pool_gradient_not_attempted():
    def max_pool_gradient(x, upstream, size):
        raise NotImplementedError  # your code here


@wrong("numbers changed")
def written_into_x():
    import torch
    import torch.nn.functional as F

    def max_pool_gradient(x, upstream, size):
        _, places = F.max_pool2d(x, size, return_indices=True)
        flat = x.view(*x.shape[:2], -1)
        flat.zero_()
        flat.scatter_(2, places.flatten(2), upstream.flatten(2))
        return x


@right
def by_autograd():
    import torch
    import torch.nn.functional as F

    def max_pool_gradient(x, upstream, size):
        leaf = x.clone().requires_grad_()
        F.max_pool2d(leaf, size).backward(upstream)
        return leaf.grad


@right
def window_by_window():
    import torch

    def max_pool_gradient(x, upstream, size):
        out = torch.zeros_like(x)
        for b in range(upstream.shape[0]):
            for c in range(upstream.shape[1]):
                for i in range(upstream.shape[2]):
                    for j in range(upstream.shape[3]):
                        best, at = None, None
                        for r in range(i * size, i * size + size):
                            for k in range(j * size, j * size + size):
                                if best is None or x[b, c, r, k] > best:
                                    best, at = x[b, c, r, k], (r, k)
                        out[b, c, at[0], at[1]] = upstream[b, c, i, j]
        return out


@right
def argmax_of_unfolded_windows():
    import torch
    import torch.nn.functional as F

    def max_pool_gradient(x, upstream, size):
        rows, columns = upstream.shape[2:]
        cut = x[:, :, : rows * size, : columns * size]
        windows = cut.reshape(*x.shape[:2], rows, size, columns, size).transpose(3, 4).flatten(4)
        mask = F.one_hot(windows.argmax(-1), size * size).to(x.dtype)
        back = (mask * upstream[..., None]).unflatten(4, (size, size)).transpose(3, 4)
        out = torch.zeros_like(x)
        out[:, :, : rows * size, : columns * size] = back.reshape(cut.shape)
        return out
