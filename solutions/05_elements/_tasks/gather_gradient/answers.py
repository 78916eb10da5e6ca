"""gather_gradient: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

import torch

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong


def _first_kept(upstream: torch.Tensor, index: torch.Tensor, length: int) -> torch.Tensor:
    gradient = torch.zeros(length, dtype=upstream.dtype)
    for place, share in zip(reversed(index.tolist()), reversed(upstream), strict=True):
        gradient[place] = share
    return gradient


known(
    Mistake(
        "repeated indices lost",
        "Where a place was read several times, only one of its upstream gradients is left. Assigning to an "
        "index again overwrites the earlier value. Which operation adds up repeated indices?",
        _first_kept,
    )
)


@wrong("repeated indices lost", predicts=True, loses=("places read again",))
def the_shortcut():
    import torch

    def gather_gradient(upstream, index, length):
        gradient = torch.zeros(length, dtype=upstream.dtype)
        gradient[index] += upstream
        return gradient


@wrong("repeated indices lost", loses=("places read again",))
def written_in_a_loop():
    import torch

    def gather_gradient(upstream, index, length):
        gradient = torch.zeros(length, dtype=upstream.dtype)
        for k, place in enumerate(index):
            gradient[place] = upstream[k]
        return gradient


@mistake(
    "repeated indices averaged",
    "Where a place was read several times, the result holds the mean of its upstream gradients. They add up.",
    loses=("places read again",),
)
def a_mean_of_repeats():
    import torch

    def gather_gradient(upstream, index, length):
        gradient = torch.zeros(length, dtype=upstream.dtype)
        return gradient.scatter_reduce(0, index, upstream, "mean", include_self=False)


@mistake(
    "occurrences counted",
    "This is how often each place was read. The upstream gradients say how much each reading matters.",
)
def counts():
    import torch

    def gather_gradient(upstream, index, length):
        return torch.bincount(index, minlength=length).to(upstream.dtype)


@mistake(
    "ones instead of upstream",
    "There is a 1 at each place that was read. The upstream gradients say how much each reading matters.",
)
def ones():
    import torch

    def gather_gradient(upstream, index, length):
        gradient = torch.zeros(length, dtype=upstream.dtype)
        gradient[index] = 1.0
        return gradient


@mistake(
    "length ignored",
    "The result ends at the largest place that was read. It should have one entry for each element of `x`.",
)
def length_not_used():
    import torch

    def gather_gradient(upstream, index, length):
        if index.numel() == 0:
            return upstream
        gradient = torch.zeros(int(index.max()) + 1, dtype=upstream.dtype)
        return gradient.index_add(0, index, upstream)


@mistake(
    "gather instead of scatter-add",
    "You used `index` to read from `upstream`, as forward reads from `x`. Backward goes the other way: entry k of "
    "`upstream` belongs to place `index[k]`.",
    raises=r"IndexError: index -?\d+ is out of bounds",
    predicts=True,
)
def forward_again():
    import torch

    def gather_gradient(upstream, index, length):
        x = torch.zeros(max(length, len(upstream)), dtype=upstream.dtype)
        x[: len(upstream)] = upstream
        return x[index]


@wrong("gather instead of scatter-add")
def upstream_indexed():
    import torch

    def gather_gradient(upstream, index, length):
        gradient = torch.zeros(length, dtype=upstream.dtype)
        gradient[: len(index)] = upstream[index]
        return gradient


@mistake(
    "index sorted without upstream",
    "You sorted the index, but not `upstream`, so the numbers arrive at the wrong places.",
)
def a_sorted_index():
    import torch

    def gather_gradient(upstream, index, length):
        index, _ = torch.sort(index)
        return torch.zeros(length, dtype=upstream.dtype).index_add(0, index, upstream)


@mistake(
    "upstream returned unchanged",
    "You returned `upstream` unchanged. Its entries belong to the places that `index` names.",
)
def nothing_done():
    def gather_gradient(upstream, index, length):
        return upstream


@mistake(
    "dtype mismatch",
    "The buffer of zeros and the upstream gradient have different dtypes. Which dtype should the result have?",
    raises=r"RuntimeError: (index_add_\(\): self|scatter\(\): Expected self\.dtype|Index put requires the source)",
)
def a_buffer_in_the_default_dtype():
    import torch

    def gather_gradient(upstream, index, length):
        return torch.zeros(length).index_add_(0, index, upstream)


@wrong("not attempted")
def gather_gradient_not_attempted():
    def gather_gradient(upstream, index, length):
        raise NotImplementedError  # your code here


@wrong("another dtype")
def a_loop_into_float32():
    import torch

    def gather_gradient(upstream, index, length):
        gradient = torch.zeros(length)
        for place, value in zip(index.tolist(), upstream, strict=True):
            gradient[place] += value
        return gradient


@wrong("another dtype", loses=("an empty index",))
def whole_numbers_for_an_empty_index():
    import torch

    def gather_gradient(upstream, index, length):
        return torch.bincount(index, weights=upstream, minlength=length)


@right
def the_loop():
    import torch

    def gather_gradient(upstream, index, length):
        gradient = torch.zeros(length, dtype=upstream.dtype)
        for place, value in zip(index.tolist(), upstream, strict=True):
            gradient[place] += value
        return gradient


@right
def put_and_accumulate():
    def gather_gradient(upstream, index, length):
        return upstream.new_zeros(length).index_put_((index,), upstream, accumulate=True)


@right
def by_a_matrix():
    import torch

    def gather_gradient(upstream, index, length):
        picks = torch.nn.functional.one_hot(index, length).to(upstream.dtype)
        return picks.T @ upstream


@right
def by_autograd_of_an_index():
    import torch

    def gather_gradient(upstream, index, length):
        x = torch.zeros(length, dtype=upstream.dtype, requires_grad=True)
        return torch.autograd.grad(x[index], x, grad_outputs=upstream)[0]
