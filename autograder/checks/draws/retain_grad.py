"""Draws of exercise 03: kinds of tensors, functions, models with data."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from autograder.checks.draws.models import branching_class, chain, randn, seed_line
from autograder.checks.draws.numbers import LETTERS, number, tensor_text
from autograder.checks.draws.scalar_graphs import gate_either
from autograder.probes.programs import Program

Draw = Callable[[Random], tuple[Program]]

FLAG_KINDS = (
    "{n} = torch.tensor({a})",
    "{n} = 2 * torch.tensor([{a}, {b}])",
    "{n} = torch.tensor({a}, requires_grad=True)",
    "{n} = nn.Parameter(torch.tensor([{a}, {b}]))",
    "{n} = nn.Parameter(torch.tensor({a}), requires_grad=False)",
    "{n} = torch.tensor({a}, requires_grad=True)\n({b} * {n}).backward()\n{n}.requires_grad_(False)",
    "{n} = torch.tensor({a}, requires_grad=True)\n{n}.retain_grad()",
    "{n} = {b} * weight",
    "{n} = weight.double()",
    "{n} = weight.detach()",
    "{n} = (weight * {a}).detach().clone().requires_grad_()",
    "with torch.no_grad():\n    {n} = {a} * weight",
    "{n} = torch.tensor([3, 1])",
)
RETAINED_KINDS = (
    "{n} = {a} * weight\n{n}.retain_grad()",
    "{n} = weight.clone()\n{n}.retain_grad()",
    "{n} = hidden + {a}",
    "{n} = hidden.clone()",
    "{n} = hidden.detach()",
    "{n} = {a} * hidden\n{n}.retain_grad()\n{n} = {b} * {n}",
)


def tensors(kinds: tuple[str, ...], others: tuple[str, ...] = (), hidden: bool = False) -> Draw:
    """A dict of tensors, most of them of these kinds, for `keeps_grad`.

    Args:
        kinds: up to five of these.
        others: and two of these.
        hidden: whether there is an inner tensor `hidden` that keeps its gradient.
    """

    def draw(source: Random) -> tuple[Program]:
        lines = [f"weight = torch.tensor({number(source)}, requires_grad=True)"]
        if hidden:
            lines.append("hidden = 2 * weight\nhidden.retain_grad()")
        chosen = source.sample(kinds, min(5, len(kinds))) + source.sample(others, min(2, len(others)))
        source.shuffle(chosen)
        names = list(LETTERS[: len(chosen)])
        for name, kind in zip(names, chosen, strict=True):
            lines.append(kind.format(n=name, a=number(source), b=number(source)))
        names += ["weight", "hidden"] if hidden else ["weight"]
        source.shuffle(names)
        entries = ", ".join(f'"{name}": {name}' for name in names)
        text = "\n".join([*lines, f"tensors = {{{entries}}}", "result = keeps_grad(tensors)"]) + "\n"
        return (Program(text, ("result", "list(tensors)", "weight.grad")),)

    return draw


def retained(*shown: str, also: tuple[str, ...] = ()) -> Draw:
    """`retained` on numbers with v away from 0."""

    def draw(source: Random) -> tuple[Program]:
        x, w, b = gate_either(source)
        return (Program(f"result = retained({x}, {w}, {b})\n", shown, also),)

    return draw


FUNCTIONS = (
    "(t**3).sum()",
    "torch.sin(t).sum()",
    "({c} * t * t).sum().reshape(1)",
    "torch.exp(-t * t).sum() * {c}",
    "t.sum() ** 2 + {c} * t.sum()",
)
PLAIN = """
def f(t):
    return {value}

"""
COUNTING = """
class Growing:
    calls = 0

    def __call__(self, t):
        self.calls += 1
        return self.calls * ({value})

f = Growing()
"""


def grad_after(*shown: str, shared: bool = False) -> Draw:
    """`grad_after` for a function that may count its calls, and a tensor.

    Args:
        shown: expressions.
        shared: whether the caller's tensor requires a gradient, and holds one from earlier.
    """

    def draw(source: Random) -> tuple[Program]:
        value = source.choice(FUNCTIONS).format(c=number(source))
        text = source.choice((PLAIN, COUNTING)).format(value=value)
        shape = source.choice(((2,), (3,), (2, 2), ()))
        text += f"x = {tensor_text(source, shape, requires_grad=shared)}\n"
        text += f"({number(source)} * x).sum().backward()\n" if shared else ""
        return (Program(f"{text}result = grad_after(f, x, {source.randint(2, 4)})\n", shown),)

    return draw


LOSSES = (
    ("nn.MSELoss()", "float"),
    ("lambda output, target: ((output - target) ** 4).mean()", "float"),
    ("nn.CrossEntropyLoss()", "class"),
)


def micro_batches(*shown: str, unequal: bool, before: bool = False) -> Draw:
    """`micro_batches` of a model whose calls are counted.

    Args:
        shown: expressions; {most} stands for the most samples that a call may get.
        unequal: whether the parts cannot be equally large.
        before: whether gradients lie in the model's parameters already.
    """

    def draw(source: Random) -> tuple[Program]:
        count, parts = _unequal(source) if unequal else _equal(source)
        outputs = source.randint(2, 3)
        loss, kind = source.choice(LOSSES)
        y = randn(count, outputs) if kind == "float" else f"torch.arange({count}) % {outputs}"
        text = seed_line(source) + (
            f"model = {chain(source, 2, outputs, most=2)}.double().{source.choice(('train', 'eval'))}()\n"
            f"X = {randn(count, 2)}\ny = {y}\n"
        )
        text += "model(X).sum().backward()\n" if before else ""
        text += f"model = counters.counted(model)\nresult = micro_batches(model, {loss}, X, y, {parts})\n"
        most = -(-count // parts)
        return (Program(text, tuple(one.format(most=most) for one in shown)),)

    return draw


def _equal(source: Random) -> tuple[int, int]:
    parts = source.randint(2, 3)
    return parts * source.randint(2, 3), parts


def _unequal(source: Random) -> tuple[int, int]:
    return source.choice([(n, p) for n in range(4, 8) for p in range(2, n) if n % p])


def stop_gradient(source: Random) -> tuple[Program]:
    """`stop_gradient` of a leaf or an inner tensor, with an upstream gradient."""
    shape = source.choice(((), (3,), (2, 2)))
    text = f"x = {tensor_text(source, shape, requires_grad=True)}\n"
    inner = source.choice(("x", f"{number(source)} * x", "torch.sin(x)"))
    text += f"result = stop_gradient({inner})\n"
    text += f"result.backward({tensor_text(source, shape)})\n"
    return (Program(text, ("x.grad",), ("result",)),)


def squares(source: Random) -> tuple[Program]:
    """`stop_gradient`, its value alone."""
    x = tensor_text(source, source.choice(((), (3,), (2, 2))), requires_grad=source.random() < 0.5)
    return (Program(f"x = {x}\nresult = stop_gradient(x)\n", ("result", "x")),)


CALL = "result = retained_by_layer(model, x, lambda output: ({weights} * output**2).sum())\n"


def _call(source: Random, outputs: int) -> str:
    return CALL.format(weights=tensor_text(source, (outputs,)))


def chains(source: Random) -> tuple[Program]:
    """`retained_by_layer` of a Sequential that starts with a linear layer."""
    features, outputs = source.randint(2, 3), source.randint(1, 3)
    text = seed_line(source) + f"model = {chain(source, features, outputs)}.double()\nx = {randn(3, features)}\n"
    return (Program(text + _call(source, outputs), ("result",)),)


def first_without_parameters(source: Random) -> tuple[Program]:
    """`retained_by_layer` of a Sequential whose first child only reshapes or rescales."""
    first, shape = source.choice((("nn.Flatten()", (2, 2)), ("nn.Tanh()", (4,)), ("nn.Softplus()", (4,))))
    outputs = source.randint(1, 3)
    text = seed_line(source) + f"model = {chain(source, 4, outputs, (first,))}.double()\nx = {randn(3, *shape)}\n"
    return (Program(text + _call(source, outputs), ("result", "x.requires_grad")),)


def any_models(*shown: str) -> Draw:
    """`retained_by_layer` of a model class with branches and children of children, in some mode."""

    def draw(source: Random) -> tuple[Program]:
        features, outputs = source.randint(2, 3), source.randint(1, 3)
        text = branching_class(source, "Model", features, outputs).lstrip() + seed_line(source)
        text += f"model = Model().double()\nmodel(3 + {randn(8, features)})\n"  # moves the running statistics
        text += f"model.{source.choice(('train', 'eval'))}()\nx = {randn(4, features)}\n"
        return (Program(text + _call(source, outputs), shown),)

    return draw
