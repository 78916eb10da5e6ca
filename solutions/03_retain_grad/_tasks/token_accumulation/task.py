"""token_accumulation: what is right, from two sources, and what is asked."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import NamedTuple

import torch
from torch import nn
from torch.nn import functional

from autograder.checks.answers import Answers
from autograder.checks.draws.attempts import passing
from autograder.checks.draws.ends import span, with_ends
from autograder.checks.draws.models import chain, randn, seed_line
from autograder.checks.task import Allowed, Task
from autograder.probes.programs import Program
from autograder.references import numeric
from autograder.references.replay import Replay, program_reference

from ..shared import Draw

Batches = list[tuple[torch.Tensor, torch.Tensor]]
Tensors = list[torch.Tensor]


def _token_accumulation(model: nn.Module, batches: Batches, ignore_index: int = -100) -> Tensors:
    model.zero_grad()
    counted = sum(int((targets != ignore_index).sum()) for _, targets in batches)
    for inputs, targets in batches:
        scores = model(inputs).transpose(1, 2)
        loss = functional.cross_entropy(scores, targets, ignore_index=ignore_index, reduction="sum")
        (loss / counted).backward()
    return [parameter.grad.clone() for parameter in model.parameters()]


@torch.no_grad()
def _by_softmax(replay: Replay, model: nn.Module, batches: Batches, ignore_index: int = -100) -> Tensors:
    """Probability minus one at the target, position by position, times central differences of the scores."""
    wide = copy.deepcopy(model).double()
    if hasattr(model, "calls"):
        wide.__class__ = type(model).__mro__[1]  # the copy's calls are not the model's
    inputs = [batch.double() if batch.is_floating_point() else batch for batch, _ in batches]
    counted = sum(one != ignore_index for _, targets in batches for row in targets.tolist() for one in row)

    def errors(scores: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        powers = (scores - scores.amax(2, keepdim=True)).exp()
        found = powers / powers.sum(2, keepdim=True)
        for sample, row in enumerate(targets.tolist()):
            for position, target in enumerate(row):
                if target == ignore_index:
                    found[sample, position] = 0
                else:
                    found[sample, position, target] -= 1
        return found / counted

    weights = [errors(wide(one), targets) for one, (_, targets) in zip(inputs, batches, strict=True)]

    def gradient(parameter: nn.Parameter) -> torch.Tensor:
        def weighted(values: torch.Tensor) -> torch.Tensor:
            parameter.data = values
            return sum((wide(one) * weight).sum() for one, weight in zip(inputs, weights, strict=True))

        own = parameter.data
        found = numeric.gradient(weighted, own)
        parameter.data = own
        return found

    pairs = zip(wide.parameters(), model.parameters(), strict=True)
    return [gradient(one).to(parameter.dtype) for one, parameter in pairs]


REFERENCE = program_reference(
    "token_accumulation",
    _token_accumulation,
    "autograd in float64, sums divided by the count",
    _by_softmax,
    "the formula of softmax, position by position, and central differences of the scores",
)

TASK = Task(
    __file__,
    minutes=15,
    concepts=("accumulation", "optimisation"),
    section="The accumulation bug: ignore_index and class weights",
    core=False,
    reference=REFERENCE,
    may_change=(Allowed.PARAMETER_GRADS,),
    says={
        "often": "the model was called more than once for a batch",
        "strange": "the model was called with something that is not the X of a batch",
        "grows": "many batches keep more tensors than one",
    },
)

CLASSES, WORDS, IGNORED = 3, 5, -100
MIXER = """class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(2, 3)
        self.head = nn.Conv1d(3, 3, 1)

    def forward(self, x):
        mixed = torch.tanh(self.body(x)).cumsum(1)
        return self.head(mixed.transpose(1, 2)).transpose(1, 2)


model = Mixer()"""
TIED = """model = nn.Sequential(nn.Embedding(5, 2), nn.Tanh(), nn.Linear(2, 5, bias=False))
model[2].weight = model[0].weight
model"""
"""From words to words: the embedding and the last layer share a weight."""


class Batch(NamedTuple):
    """The form of a batch: its samples, their length, and how many positions count."""

    size: int
    length: int
    counted: int


Shapes = Callable[[Random], list[Batch]]


def _model(source: Random) -> tuple[str, bool, int]:
    """The lines that bind a model; whether it takes words; how many classes it tells apart."""
    if span():
        return f"model = nn.Linear(2, {CLASSES}, bias=False)", False, CLASSES
    return source.choice(
        (
            (f"model = {chain(source, 2, CLASSES, most=2)}", False, CLASSES),
            (f"model = nn.Sequential(nn.Embedding({WORDS}, 2), nn.SiLU(), nn.Linear(2, 4))", True, 4),
            (MIXER, False, CLASSES),
            (TIED, True, WORDS),
        )
    )


def _targets(source: Random, batch: Batch, classes: int, ignored: int) -> str:
    """The text of a batch's targets, with this many that count."""
    others = [one for one in range(classes) if one != ignored]
    flat = [source.choice(others) for _ in range(batch.counted)]
    flat += [ignored] * (batch.size * batch.length - batch.counted)
    source.shuffle(flat)
    return f"torch.tensor({[flat[k * batch.length : (k + 1) * batch.length] for k in range(batch.size)]})"


def token_accumulation(
    *shown: str, shapes: Shapes, ignored: tuple[int, ...] = (IGNORED,), before: str = "", after: str = ""
) -> Draw:
    """`token_accumulation` of a model.

    Args:
        shown: expressions.
        shapes: draws the forms of the batches.
        ignored: values of ignore_index; the default is not handed over.
        before, after: lines around the call.
    """

    def draw(source: Random) -> tuple[Program]:
        model, takes_words, classes = _model(source)
        index = source.choice(ignored)
        pairs = []
        for batch in shapes(source):
            words = f"torch.randint({WORDS}, ({batch.size}, {batch.length}))"
            inputs = words if takes_words else randn(batch.size, batch.length, 2)
            pairs.append(f"    ({inputs}, {_targets(source, batch, classes, index)}),\n")
        handed = "" if index == IGNORED else f", ignore_index={index}"
        text = (
            f"{seed_line(source)}{model}.double().{source.choice(('train', 'eval'))}()\n"
            f"batches = [\n{''.join(pairs)}]\n{before}"
            f"result = token_accumulation(model, batches{handed})\n{after}"
        )
        return (Program(text, shown),)

    return draw


def alike(source: Random) -> list[Batch]:
    """Batches of one form, with the same number of counted targets."""
    size, length = source.randint(1, 2), source.randint(2, 3)
    return [Batch(size, length, size * length - source.randint(0, 1))] * source.randint(2, 3)


def unequal(source: Random) -> list[Batch]:
    """Batches in which neither samples nor positions are in proportion to what counts."""

    def drawn() -> list[Batch]:
        forms = [(source.randint(1, 3), source.randint(1, 3)) for _ in range(source.randint(2, 3))]
        return [Batch(size, length, source.randint(1, size * length)) for size, length in forms]

    def clear(batches: list[Batch]) -> bool:
        return all(
            len({round(measure(one), 9) for one in batches}) > 1
            for measure in (
                lambda one: one.counted,
                lambda one: one.counted / one.size,
                lambda one: one.counted / (one.size * one.length),
            )
        )

    return passing(drawn, clear)


def without(source: Random) -> list[Batch]:
    """Batches of which one has no counted target."""
    batches = [*unequal(source), Batch(source.randint(1, 2), 2, 0)]
    source.shuffle(batches)
    return batches


KEPT = """called = [*model.calls]
often = len(called) > len(batches)
strange = any(shape not in {tuple(X.shape) for X, _ in batches} for shape in called)
with counters.tensors_kept() as one:
    token_accumulation(model, batches[:1])
with counters.tensors_kept() as many:
    token_accumulation(model, batches)
grows = many.most > one.most
"""


@TASK.check("batches alike", points=1, cases="alike", draw=token_accumulation("result", shapes=alike), draws=2)
def test_token_accumulation_alike(answers: Answers) -> None:
    """The same number of counted targets in each batch."""
    answers.agree()


@TASK.check(
    "different numbers of counted targets",
    points=2,
    cases="unequal",
    draw=with_ends(token_accumulation("result", shapes=unequal, ignored=(IGNORED, -1, 0, 2))),
)
def test_token_accumulation_unequal(answers: Answers) -> None:
    """Of several sizes and lengths."""
    answers.agree()


@TASK.check(
    "a batch without a counted target",
    points=1,
    cases="without",
    draw=token_accumulation("result", shapes=without, ignored=(IGNORED, 1)),
    draws=2,
)
def test_token_accumulation_without(answers: Answers) -> None:
    """Its mean is 0 divided by 0."""
    answers.agree()


@TASK.check(
    "whatever lay in .grad before",
    points=1,
    cases="before",
    draw=token_accumulation("result", shapes=alike, before="model(batches[0][0]).square().sum().backward()\n"),
    draws=1,
)
def test_token_accumulation_from_zero(answers: Answers) -> None:
    """An earlier pass has left its gradients."""
    answers.agree()


@TASK.check(
    "one graph at a time",
    points=1,
    cases="kept",
    draw=token_accumulation(
        "often", "strange", "grows", shapes=alike, before="model = counters.counted(model)\n", after=KEPT
    ),
    draws=2,
)
def test_token_accumulation_one_graph(answers: Answers) -> None:
    """The model's calls, and what graphs keep."""
    answers.agree()
