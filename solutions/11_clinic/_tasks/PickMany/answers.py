"""PickMany: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis import Mistake
from autograder.diagnosis.functions import KEPT_ON_CLASS, RAISED, UPSTREAM_IGNORED, function
from autograder.tasks.answers import known, mistake, right, wrong


Gradient = Callable[[torch.Tensor, torch.Tensor, list[int]], torch.Tensor]


def _picking(gradient: Gradient) -> type:
    """A Function whose backward is `gradient(upstream, x, places from 0)`."""
    return function(
        lambda x, index: x[list(index)],
        lambda upstream, x, index: (gradient(upstream, x, [i % len(x) for i in index]), None),
    )


def _in_order(upstream: torch.Tensor, x: torch.Tensor, places: list[int]) -> torch.Tensor:
    return torch.zeros_like(x).index_add(0, torch.tensor(sorted(places)), upstream)


@mistake(
    "as given: repeated indices lost",
    "An element that was picked several times gets only one of its upstream gradients. Try `gradcheck` with an "
    "index in which an int repeats. See lesson 11, “Repeated indices in a custom backward”.",
)
def as_given_pick_many():
    import torch

    class PickMany(torch.autograd.Function):
        """Several elements of a vector.

        `PickMany.apply(x, index)` takes a tensor of shape (n,) and a tuple of k ints from -n to n - 1, and returns a
        tensor of shape (k,).
        """

        @staticmethod
        def forward(x: torch.Tensor, index: tuple[int, ...]) -> torch.Tensor:
            """The elements."""
            return x[list(index)]

        @staticmethod
        def setup_context(ctx, inputs: tuple, output: torch.Tensor) -> None:
            """Keeps the places and the length of x."""
            x, index = inputs
            ctx.places, ctx.length = list(index), len(x)

        @staticmethod
        def backward(ctx, upstream: torch.Tensor) -> tuple[torch.Tensor, None]:
            """The gradient of x, and None for the index."""
            gradient = upstream.new_zeros(ctx.length)
            gradient[ctx.places] += upstream
            return gradient, None


@wrong("not attempted")
def pick_many_not_attempted():
    import torch

    class PickMany(torch.autograd.Function):
        @staticmethod
        def forward(x, index):
            return x[list(index)]

        @staticmethod
        def setup_context(ctx, inputs, output):
            x, index = inputs
            ctx.places, ctx.length = list(index), len(x)

        @staticmethod
        def backward(ctx, upstream):
            raise NotImplementedError  # your code here


@wrong("as given: repeated indices lost", within=pick_many_not_attempted)
def written_one_by_one():
    @staticmethod
    def backward(ctx, upstream):
        gradient = upstream.new_zeros(ctx.length)
        for k, place in enumerate(ctx.places):
            gradient[place] = upstream[k]
        return gradient, None


@wrong("as given: repeated indices lost", within=pick_many_not_attempted)
def put_without_accumulating():
    @staticmethod
    def backward(ctx, upstream):
        places = torch.tensor(ctx.places) % ctx.length
        return torch.zeros(ctx.length, dtype=upstream.dtype).put_(places, upstream), None


@wrong("as given: repeated indices lost", within=pick_many_not_attempted)
def scattered_without_adding():
    @staticmethod
    def backward(ctx, upstream):
        places = torch.tensor(ctx.places) % ctx.length
        return upstream.new_zeros(ctx.length).scatter(0, places, upstream), None


@mistake(*UPSTREAM_IGNORED, within=pick_many_not_attempted)
def counted_only():
    @staticmethod
    def backward(ctx, upstream):
        gradient = upstream.new_zeros(ctx.length)
        for place in ctx.places:
            gradient[place] += 1
        return gradient, None


@mistake(*KEPT_ON_CLASS, within=pick_many_not_attempted)
def places_on_the_class():
    @staticmethod
    def setup_context(ctx, inputs, output):
        x, PickMany.places = inputs
        ctx.length = len(x)

    @staticmethod
    def backward(ctx, upstream):
        gradient = upstream.new_zeros(ctx.length)
        for place, share in zip(PickMany.places, upstream):
            gradient[place] += share
        return gradient, None


@mistake(
    "only the first pick counted",
    "An element that was picked several times gets the upstream gradient of its first pick only. What about the "
    "others?",
    within=pick_many_not_attempted,
)
def first_pick_only():
    @staticmethod
    def backward(ctx, upstream):
        gradient = upstream.new_zeros(ctx.length)
        seen = set()
        for k, place in enumerate(ctx.places):
            if place % ctx.length not in seen:
                gradient[place] = upstream[k]
            seen.add(place % ctx.length)
        return gradient, None


@mistake(
    "one pick multiplied",
    "An element that was picked several times gets one of its upstream gradients, multiplied by the number of "
    "picks. Each pick has its own gradient.",
    within=pick_many_not_attempted,
)
def last_pick_times_count():
    @staticmethod
    def backward(ctx, upstream):
        gradient = upstream.new_zeros(ctx.length)
        places = [place % ctx.length for place in ctx.places]
        for k, place in enumerate(places):
            gradient[place] = upstream[k] * places.count(place)
        return gradient, None


@wrong("one pick multiplied", predicts=True, within=pick_many_not_attempted)
def looked_up_by_place():
    @staticmethod
    def backward(ctx, upstream):
        gradient = upstream.new_zeros(ctx.length)
        for place in ctx.places:
            gradient[place] += upstream[ctx.places.index(place)]
        return gradient, None


@mistake(
    "repeated picks averaged",
    "An element that was picked several times gets the mean of its upstream gradients. A second path to the result "
    "adds to the first.",
    within=pick_many_not_attempted,
)
def mean_of_the_picks():
    @staticmethod
    def backward(ctx, upstream):
        gradient = upstream.new_zeros(ctx.length)
        places = [place % ctx.length for place in ctx.places]
        for k, place in enumerate(places):
            gradient[place] += upstream[k] / places.count(place)
        return gradient, None


@mistake(
    "-1 and 4 told apart",
    "Two ints that name one element, such as -1 and 4 of five, count only once here. Which place does each stand for?",
    within=pick_many_not_attempted,
)
def grouped_by_int():
    @staticmethod
    def backward(ctx, upstream):
        gradient = upstream.new_zeros(ctx.length)
        for place in dict.fromkeys(ctx.places):
            gradient[place] = sum(share for p, share in zip(ctx.places, upstream) if p == place)
        return gradient, None


@mistake(
    "negative indices lost",
    "Elements that were counted from the end get no gradient.",
    loses=("counted from the end",),
    within=pick_many_not_attempted,
)
def compared_with_a_range():
    @staticmethod
    def backward(ctx, upstream):
        rows = [sum(s for p, s in zip(ctx.places, upstream) if p == i) for i in range(ctx.length)]
        return torch.stack([torch.as_tensor(row, dtype=upstream.dtype) for row in rows]), None


known(
    Mistake(
        "index sorted without upstream",
        "The shares went to the picked elements in the order of the elements in `x`. The index has an order of its "
        "own.",
        _picking(_in_order),
    ),
    Mistake(
        "gradient for unpicked elements",
        "Elements that were not picked have a gradient. How much does the result change when one of them moves?",
        _picking(lambda upstream, x, places: upstream.sum().expand(len(x))),
    ),
)


@mistake(
    "index_add_ with negative indices",
    "`index_add_` and `scatter_add_` accept only places from 0 on. Which place does -1 stand for?",
    raises="(IndexError|RuntimeError): (index out of range in self|index -\\d+ is out of bounds)",
    loses=("counted from the end",),
    within=pick_many_not_attempted,
)
def index_add_as_it_is():
    @staticmethod
    def backward(ctx, upstream):
        return upstream.new_zeros(ctx.length).index_add(0, torch.tensor(ctx.places), upstream), None


@wrong("index_add_ with negative indices", loses=("counted from the end",), within=pick_many_not_attempted)
def scatter_add_as_it_is():
    @staticmethod
    def backward(ctx, upstream):
        return upstream.new_zeros(ctx.length).scatter_add(0, torch.tensor(ctx.places), upstream), None


@mistake(
    "indices not a tensor",
    "The operation that really adds takes the places as an int64 tensor.",
    raises="TypeError: (index_add|scatter_add|index_put|put|bincount|argument 'ind)"
    "|RuntimeError: index_\\w+\\(\\): Expected dtype",
    within=pick_many_not_attempted,
)
def index_add_of_a_list():
    @staticmethod
    def backward(ctx, upstream):
        return upstream.new_zeros(ctx.length).index_add_(0, ctx.places, upstream), None


known(RAISED)


@wrong("no node of its own")
def ordinary_indexing():
    class PickMany:
        @staticmethod
        def apply(x, index):
            return x[list(index)]


@wrong("not one gradient for each argument", within=pick_many_not_attempted)
def no_none_for_the_index():
    @staticmethod
    def backward(ctx, upstream):
        gradient = upstream.new_zeros(ctx.length)
        for place, share in zip(ctx.places, upstream):
            gradient[place] += share
        return gradient


@right
def index_put_accumulating():
    import torch

    class PickMany(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, index):
            ctx.index, ctx.shape = index, x.shape
            return x[torch.tensor(index)]

        @staticmethod
        def backward(ctx, upstream):
            gradient = torch.zeros(ctx.shape, dtype=upstream.dtype, device=upstream.device)
            gradient.index_put_((torch.tensor(ctx.index, device=upstream.device),), upstream, accumulate=True)
            return gradient, None


@right
def index_add_of_places_from_0():
    import torch

    class PickMany(torch.autograd.Function):
        @staticmethod
        def forward(x, index):
            return torch.stack([x[i] for i in index])

        @staticmethod
        def setup_context(ctx, inputs, output):
            x, index = inputs
            ctx.n = len(x)
            ctx.save_for_backward(torch.tensor(index) % len(x))

        @staticmethod
        def backward(ctx, upstream):
            (places,) = ctx.saved_tensors
            return torch.zeros(ctx.n, dtype=upstream.dtype).index_add_(0, places, upstream), None


@right
def a_matrix_of_ones():
    import torch

    class PickMany(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, index):
            ctx.picks = torch.eye(len(x), dtype=x.dtype)[list(index)]
            return ctx.picks @ x

        @staticmethod
        def backward(ctx, upstream):
            return ctx.picks.T @ upstream, None


@right
def bincount_with_weights():
    import torch

    class PickMany(torch.autograd.Function):
        @staticmethod
        def forward(x, index):
            return x[list(index)]

        @staticmethod
        def setup_context(ctx, inputs, output):
            x, index = inputs
            ctx.places, ctx.length = [i % len(x) for i in index], len(x)

        @staticmethod
        def backward(ctx, upstream):
            return torch.bincount(torch.tensor(ctx.places), weights=upstream, minlength=ctx.length), None


@right
def places_saved_in_forward_itself():
    import torch
    import torch.nn.functional as F

    class PickMany(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, index):
            ctx.length = len(x)
            ctx.save_for_backward(torch.tensor(index) % len(x))
            return x[list(index)]

        @staticmethod
        def backward(ctx, upstream):
            (places,) = ctx.saved_tensors
            return upstream @ F.one_hot(places, ctx.length).to(upstream), None
