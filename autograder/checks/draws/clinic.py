"""Draws of exercise 11: inputs on which the programs as given are wrong."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from autograder.checks.draws.custom_functions import NODE
from autograder.checks.draws.models import chain, randn
from autograder.checks.draws.numbers import number, tensor_text
from autograder.probes.programs import Program

Draw = Callable[[Random], tuple[Program]]


def _seed(source: Random) -> str:
    return f"torch.default_generator.manual_seed({source.randint(0, 10**6)})\n"


def task_gradients(*shown: str) -> Draw:
    """Two to four tasks; a gradient that was there."""

    def draw(source: Random) -> tuple[Program]:
        n, rows = source.randint(2, 4), source.randint(2, 4)
        targets = [number(source) for _ in range(source.randint(2, 4))]
        text = f"""w = {tensor_text(source, (n,), requires_grad=True)}
w.grad = {tensor_text(source, (n,))}
x = {tensor_text(source, (rows, n))}
result = task_gradients(w, x, {targets})
"""
        return (Program(text, shown),)

    return draw


def push_towards(*shown: str) -> Draw:
    """Two or three steps on a curved model with one to three samples."""

    def draw(source: Random) -> tuple[Program]:
        i, o, batch = source.randint(2, 3), source.randint(1, 3), source.randint(1, 3)
        text = f"""{_seed(source)}model = {chain(source, i, o)}.double()
x = {tensor_text(source, (batch, i))}
goal = {tensor_text(source, (batch, o))}
result = push_towards(model, x, goal, {round(source.uniform(0.3, 1), 2)}, {source.randint(2, 3)})
"""
        return (Program(text, shown),)

    return draw


def _pick_many(source: Random, *, from_the_end: bool) -> tuple[Program]:
    n = source.randint(3, 5)
    again = source.randrange(n)
    index = [again, again, *(source.randrange(n) for _ in range(source.randint(1, 3)))]
    source.shuffle(index)
    if from_the_end:
        first = index.index(again)
        index = [i - n if k == first or source.random() < 0.4 else i for k, i in enumerate(index)]
    text = f"""x = {tensor_text(source, (n,), requires_grad=True)}
result = PickMany.apply(x, {tuple(index)})
result.backward({tensor_text(source, (len(index),))})
"""
    return (Program(text, ("result", "x.grad"), (NODE,)),)


def repeats(source: Random) -> tuple[Program]:
    """At least one element twice."""
    return _pick_many(source, from_the_end=False)


def from_the_end(source: Random) -> tuple[Program]:
    """At least one element twice, at least once counted from the end."""
    return _pick_many(source, from_the_end=True)


def sample_gradient_norms(*shown: str) -> Draw:
    """Another number of samples than of classes or features."""

    def draw(source: Random) -> tuple[Program]:
        features, classes, batch = source.sample((2, 3, 4, 5), 3)
        bias = source.choice(("", ", bias=False"))
        labels = [source.randrange(classes) for _ in range(batch)]
        text = f"""{_seed(source)}model = nn.Linear({features}, {classes}{bias}).double()
X = {tensor_text(source, (batch, features))}
result = sample_gradient_norms(model, X, torch.tensor({labels}))
"""
        return (Program(text, shown),)

    return draw


def damped_tanh(source: Random) -> tuple[Program]:
    """Entries of both signs, upstream gradients that differ."""
    size = source.randint(3, 5)
    signs = [-1, 1, *(source.choice((-1, 1)) for _ in range(size - 2))]
    x = [sign * round(source.uniform(0.2, 2.5), 2) for sign in signs]
    source.shuffle(x)
    text = f"""x = torch.tensor({x}, dtype=torch.float64, requires_grad=True)
result = damped_tanh(x)
result.backward({tensor_text(source, (size,))})
"""
    return (Program(text, ("result", "x.grad")),)


def _distance(source: Random, gap: float) -> tuple[Program]:
    """Rows far apart, one that coincides, and one at about `gap`."""
    d = source.randint(2, 3)
    partners = [[number(source) for _ in range(d)] for _ in range(source.randint(2, 3))]
    points = [[number(source) for _ in range(d)] for _ in partners]
    points[0] = list(partners[0])
    if gap:
        partners.append([0.0] * d)
        points.append([gap * number(source) for _ in range(d)])
    order = source.sample(range(len(points)), len(points))
    a, b = ([rows[i] for i in order] for rows in (points, partners))
    text = f"""a = torch.tensor({a}, dtype=torch.float64, requires_grad=True)
b = torch.tensor({b}, dtype=torch.float64, requires_grad=True)
result = distance(a, b)
result.backward({tensor_text(source, (len(a),))})
"""
    return (Program(text, ("result", "a.grad", "b.grad")),)


def coinciding(source: Random) -> tuple[Program]:
    """One pair of rows coincides."""
    return _distance(source, 0.0)


def nearly_coinciding(source: Random) -> tuple[Program]:
    """One pair of rows coincides, and one nearly."""
    return _distance(source, 1e-9)


def ridge_loss(source: Random) -> tuple[Program]:
    """A penalty that is felt."""
    rows, n = source.randint(2, 4), source.randint(2, 3)
    text = f"""w = {tensor_text(source, (n,), requires_grad=True)}
X = {tensor_text(source, (rows, n), requires_grad=True)}
y = {tensor_text(source, (rows,))}
result = ridge_loss(w, X, y, {abs(number(source))})
result.backward({tensor_text(source, ())})
"""
    return (Program(text, ("result", "w.grad", "X.grad")),)


def mean_loss(source: Random) -> tuple[Program]:
    """Batches of several sizes; what is kept for few of them and for more."""
    i, o = source.randint(2, 3), source.randint(2, 3)
    few = source.randint(2, 3)
    sizes = [source.randint(1, 4) for _ in range(few + source.randint(1, 2))]
    text = f"""{_seed(source)}model = {chain(source, i, o)}.double()
loss_fn = {source.choice(("F.mse_loss", "lambda output, y: (output - y).abs().sum()"))}
batches = [({randn("size", i)}, {randn("size", o)}) for size in {sizes}]
result = mean_loss(model, loss_fn, iter(batches))


def most_kept(count):
    with counters.tensors_kept() as kept:
        mean_loss(model, loss_fn, batches[:count])
    return kept.most


grows = most_kept({len(sizes)}) > most_kept({few})
"""
    shown = "result", "torch.is_tensor(result) and result.requires_grad", "grows"
    return (Program(text, shown),)
