"""Programs with models whose children are watched: layer_gradients."""

from __future__ import annotations

from random import Random

from autograder.probes.programs import Program

SEQUENTIAL = "model = nn.Sequential({layers}).double()\n"
BETWEEN = """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = nn.Linear({hidden}, 2)
        self.first = nn.Linear({width}, {hidden})
        self.middle = nn.{activation}()

    def forward(self, x):
        h = self.middle({scale} * self.first(x))
        return self.last(h * h)

model = Model().double()
"""
BRANCHES = """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.left = nn.Sequential(nn.Linear({width}, {hidden}), nn.{activation}())
        self.right = nn.Linear({width}, {hidden})

    def forward(self, x):
        return self.left({scale} * x) * self.right(x + {scale}).sin()

model = Model().double()
"""
SHOWN = ("sorted(result)", "result")
ACTIVATIONS = ("Tanh", "Sigmoid", "Softplus")
LOSSES = ("lambda y: (y ** 2).sum()", "lambda y: y.exp().mean()", "lambda y: F.softplus(y).sum(1).mean()")


def _model_text(source: Random, width: int) -> str:
    numbers = {
        "width": width,
        "hidden": source.randint(2, 3),
        "activation": source.choice(ACTIVATIONS),
        "scale": round(source.uniform(1.5, 3), 1),
    }
    layers = "nn.Linear({width}, {hidden}), nn.{activation}(), nn.Linear({hidden}, 2)"
    kind = source.choice((SEQUENTIAL.format(layers=layers), BETWEEN, BRANCHES))
    return f"torch.default_generator.manual_seed({source.randrange(10_000)})\n{kind.format(**numbers).lstrip()}"


def _call(source: Random, shape: tuple[int, ...], options: str = "") -> str:
    made = f"x = torch.randn({shape}, dtype=torch.float64{options})\n"
    return f"{made}result = layer_gradients(model, x, {source.choice(LOSSES)})\n"


def children(source: Random) -> tuple[Program]:
    """Models of three kinds, where every tensor has a gradient."""
    width = source.randint(2, 3)
    text = _model_text(source, width) + _call(source, (source.randint(2, 3), width), ", requires_grad=True")
    return (Program(text, SHOWN),)


def no_gradient(source: Random) -> tuple[Program]:
    """Plain data, a Flatten in front, or a frozen first child."""
    kind, half = source.choice(("plain", "flatten", "frozen")), source.randint(1, 2)
    if kind == "flatten":
        layers = f"nn.Flatten(), nn.Linear({2 * half}, 2), nn.{source.choice(ACTIVATIONS)}()"
        text = f"torch.default_generator.manual_seed({source.randrange(10_000)})\n{SEQUENTIAL.format(layers=layers)}"
        return (Program(text + _call(source, (2, 2, half)), SHOWN),)
    text = _model_text(source, 2 * half)
    if kind == "frozen":
        text += "next(model.children()).requires_grad_(False)\n"
    return (Program(text + _call(source, (2, 2 * half)), SHOWN),)


MIXED = "nn.Linear(2, 2), nn.BatchNorm1d(2), nn.Dropout(0.3), nn.Linear(2, 1)"


def _mixed_text(source: Random) -> str:
    mode = source.choice(("model.eval()", "model[1].eval()", "model[2].eval()"))
    return (
        f"torch.default_generator.manual_seed({source.randrange(10_000)})\n{SEQUENTIAL.format(layers=MIXED)}{mode}\n"
        "x = torch.randn(3, 2, dtype=torch.float64, requires_grad=True)\n"
    )


def as_it_was(source: Random) -> tuple[Program]:
    """A model in mixed modes."""
    text = f"{_mixed_text(source)}layer_gradients(model, x, {source.choice(LOSSES)})\n"
    return (Program(text, ("[module.training for module in model.modules()]", "model[1].running_mean", "x.grad")),)


def no_hook_stays(source: Random) -> tuple[Program]:
    """The hooks on a model afterwards; loss_fn raises, or not."""
    text = _model_text(source, 2)
    loss = source.choice((LOSSES[0], "lambda y: 1 / 0"))
    text += f"x = torch.randn(2, 2, dtype=torch.float64)\ntry:\n    layer_gradients(model, x, {loss})\n"
    return (Program(f"{text}except ZeroDivisionError:\n    pass\n", ("counters.hooks_on(model, x)",)),)
