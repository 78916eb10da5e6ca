"""The named mistakes of exercise 01: what a student's answer would be under each."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from autograder.diagnosis.engines import OPERATIONS, ORDERS, WRONG_LOCALS, under
from autograder.diagnosis.hypothesis import Mistake
from autograder.probes.specimens import build
from autograder.references import scalar_graphs as right


def _forward(v: Callable[[float, float, float], float], a: Callable[[float], float]) -> Callable[..., dict]:
    def answer(x: float, w: float, b: float) -> dict[str, float]:
        return {"u": x * w, "v": v(x, w, b), "a": a(v(x, w, b))}

    return answer


def _relu(v: float) -> float:
    return max(v, 0.0)


FORWARD_VALUES = (
    Mistake(
        "relu forgotten",
        "`a` follows `v` below zero. What does relu do with a negative number?",
        _forward(lambda x, w, b: x * w + b, lambda v: v),
    ),
    Mistake(
        "w + b first",
        "`v` is x * (w + b). Which of the two operations comes first in the graph?",
        lambda x, w, b: {"u": x * w, "v": x * (w + b), "a": _relu(x * (w + b))},
    ),
    Mistake(
        "w + b first",
        "`u` is x * (w + b) or w + b. Which two nodes does `u` join in the graph?",
        lambda x, w, b: {"u": w + b, "v": x * (w + b), "a": _relu(x * (w + b))},
    ),
    Mistake(
        "sum instead of product",
        "`u` is x + w. Which operation joins `x` and `w` in the graph?",
        lambda x, w, b: {"u": x + w, "v": x + w + b, "a": _relu(x + w + b)},
    ),
    Mistake(
        "absolute value instead of relu",
        "`a` is the size of `v`, with its sign lost. relu treats a negative number otherwise.",
        _forward(lambda x, w, b: x * w + b, abs),
    ),
    Mistake(
        "relu taken too early",
        "`v` is already cut at zero. relu makes `a` out of `v`, and leaves `v` itself alone.",
        lambda x, w, b: {"u": x * w, "v": _relu(x * w + b), "a": _relu(x * w + b)},
    ),
    Mistake(
        "b left out",
        "`v` equals `u`. What else goes into `v`?",
        _forward(lambda x, w, b: x * w, _relu),
    ),
    Mistake(
        "b subtracted",
        "`v` is u - b. Which operation joins `u` and `b` in the graph?",
        _forward(lambda x, w, b: x * w - b, _relu),
    ),
)


def _changed(answer: Callable[..., dict], **change: Callable[..., float]) -> Callable[..., dict]:
    """The right partials with some entries replaced by functions of (right, x, w, b)."""

    def changed(x: float, w: float, b: float) -> dict[str, float]:
        right_ones = answer(x, w, b)
        return right_ones | {name: make(right_ones, x, w, b) for name, make in change.items()}

    return changed


def _always_open(answer: Callable[..., dict]) -> Callable[..., dict]:
    """The partials as if the gate were open: those at a `b` large enough."""
    return lambda x, w, b: answer(x, w, abs(x * w) + abs(b) + 1.0)


def _gate_of(answer: Callable[..., dict], open_at: Callable[..., bool]) -> Callable[..., dict]:
    """The partials with the gate decided by another rule."""

    def changed(x: float, w: float, b: float) -> dict[str, float]:
        opened = _always_open(answer)(x, w, b)
        return opened if open_at(x, w, b) else dict.fromkeys(opened, 0.0)

    return changed


def _finite_difference_of_kink(answer: Callable[..., dict]) -> Callable[..., dict]:
    """Half of each partial at the kink."""

    def changed(x: float, w: float, b: float) -> dict[str, float]:
        right_ones = answer(x, w, b)
        opened = _always_open(answer)(x, w, b)
        return {k: opened[k] / 2 for k in opened} if not any(right_ones.values()) else right_ones

    return changed


def _common(answer: Callable[..., dict], scale_u: float, scale_b: float, scale_a: float) -> tuple[Mistake, ...]:
    """Mistakes of partials and of its twin alike."""

    def values(x: float, w: float, b: float) -> dict[str, float]:
        u = x * w
        return {"x": x, "w": w, "b": b, "u": u, "v": scale_u * u + scale_b * b}

    return (
        Mistake(
            "x and w swapped",
            "The partials of `x` and `w` stand in each other's place. When u = x * w is differentiated with "
            "respect to `x`, which factor is left?",
            _changed(answer, x=lambda r, x, w, b: r["w"], w=lambda r, x, w, b: r["x"]),
        ),
        Mistake(
            "relu's gate forgotten",
            "The partials are those of an open gate, though `v` is below zero here. What is the slope of relu there?",
            _always_open(answer),
        ),
        Mistake(
            "the edge taken as open",
            "At v = 0 exactly, this course takes relu's slope as 0, as PyTorch does.",
            _gate_of(answer, lambda x, w, b: scale_u * x * w + scale_b * b >= 0),
        ),
        Mistake(
            "half at the edge",
            "At v = 0 the two sides were averaged. This course takes relu's slope there as 0, as PyTorch does.",
            _finite_difference_of_kink(answer),
        ),
        Mistake(
            "gate of u instead of v",
            "The gate follows the sign of `u`. Which node goes into relu?",
            _gate_of(answer, lambda x, w, b: x * w > 0),
        ),
        Mistake(
            "gate only on v",
            "The partial of `v` is cut by relu's gate, and the others are not. They all lead through that gate.",
            lambda x, w, b: _always_open(answer)(x, w, b) | {"v": answer(x, w, b)["v"]},
        ),
        Mistake(
            "the node's value instead of its partial",
            "These are the values of the nodes. A partial says how much `a` changes per change of the node.",
            values,
        ),
    )


def _times_output(x: float, w: float, b: float) -> dict[str, float]:
    a = _relu(x * w + b)
    return {name: value * a for name, value in right.partials.oracle(x, w, b).items()}


PARTIALS = (
    *_common(right.partials.oracle, 1, 1, 1),
    Mistake(
        "multiplied by the output",
        "Every partial is `a` times too large. Was relu's output used where its slope belongs?",
        _times_output,
    ),
    Mistake(
        "partials of u instead of a",
        "These are the partials of `u`. The path goes on from there, through `v` to `a`.",
        lambda x, w, b: {"x": w, "w": x, "b": 0.0, "u": 1.0, "v": 0.0},
    ),
)


def _last_local(x: float, w: float, b: float) -> dict[str, float]:
    slope = 3.0 if 2 * x * w + 5 * b > 0 else 0.0
    return {"x": w, "w": x, "b": 5.0, "u": 2.0, "v": slope}


def _out_of_step(x: float, w: float, b: float) -> dict[str, float]:
    """The gradients of (b, u, v, w, x) under the names (x, w, b, u, v)."""
    answer = right.partials_twin.oracle(x, w, b)
    return dict(zip("xwbuv", (answer[name] for name in "buvwx"), strict=True))


PARTIALS_TWIN = (
    *_common(right.partials_twin.oracle, 2, 5, 3),
    Mistake(
        "names and gradients out of step",
        "The numbers are right, but each stands under another's name. In which order were they computed, and "
        "in which order named?",
        _out_of_step,
    ),
    Mistake(
        "only the last local derivative",
        "Each number is the derivative of one edge alone. Multiply along the whole path to `a`.",
        _last_local,
    ),
    Mistake(
        "relu's factor 3 forgotten",
        "Every number lacks the factor 3 of the last step.",
        lambda x, w, b: {k: value / 3 for k, value in right.partials_twin.oracle(x, w, b).items()},
    ),
    Mistake(
        "the first graph's partials",
        "These are the partials of a = relu(x * w + b). The twin has other factors on its edges.",
        right.partials.oracle,
    ),
    Mistake(
        "gate of the first graph",
        "The gate follows x * w + b. The twin's relu looks at its own v = 2u + 5b.",
        _gate_of(right.partials_twin.oracle, lambda x, w, b: x * w + b > 0),
    ),
    Mistake(
        "sum instead of product",
        "The derivatives along the path were added. Along a path they are multiplied.",
        lambda x, w, b: {"x": w + 2.0 + 3.0, "w": x + 2.0 + 3.0, "b": 5.0 + 3.0, "u": 2.0 + 3.0, "v": 3.0},
    ),
)

Edges = list[tuple[str, str, float]]
MOST_PATHS = 10_000


def _paths(edges: Edges, start: str, end: str) -> list[list[float]]:
    """The local derivatives along each path, in the order in which a depth-first search meets them."""
    found: list[list[float]] = []
    steps = 0

    def walk(node: str, along: list[float]) -> None:
        nonlocal steps
        steps += 1
        if steps > MOST_PATHS:
            raise ArithmeticError("too many paths to predict from")
        if node == end:
            found.append(along)
        for source, target, local in edges:
            if source == node:
                walk(target, [*along, local])

    walk(start, [])
    return found


def _over_paths(combine: Callable[[list[list[float]]], float]) -> Callable[[Edges, str, str], float]:
    return lambda edges, start, end: combine(_paths(edges, start, end))


def _without_parallel(edges: Edges, start: str, end: str) -> float:
    return right.path_sum.oracle([(s, t, d) for (s, t), d in {(s, t): d for s, t, d in edges}.items()], start, end)


def _one_in_order(edges: Edges, start: str, end: str) -> float:
    """One sweep over the edges in the order in which they are listed."""
    reached = {start: 1.0}
    for source, target, local in edges:
        reached[target] = reached.get(target, 0.0) + reached.get(source, 0.0) * local
    return reached.get(end, 0.0)


def _visited_skipped(edges: Edges, start: str, end: str) -> float:
    """Depth first, a node that was met before counted as 0."""
    seen = set()

    def walk(node: str) -> float:
        if node == end:
            return 1.0
        if node in seen:
            return 0.0
        seen.add(node)
        return sum(local * walk(target) for source, target, local in edges if source == node)

    return walk(start)


def _both_ways(edges: Edges, start: str, end: str) -> float:
    forward = right.path_sum.oracle(edges, start, end)
    return forward if forward else right.path_sum.oracle(edges, end, start)


PATH_SUM = (
    Mistake(
        "only one path",
        "This is the product along a single path. Every path from start to end adds its own.",
        _over_paths(lambda paths: math.prod(paths[0]) if paths else 0.0),
    ),
    Mistake(
        "only one path",
        "This is the product along a single path. Every path from start to end adds its own.",
        _over_paths(lambda paths: math.prod(paths[-1]) if paths else 0.0),
    ),
    Mistake(
        "sum where the product belongs",
        "Along each path the derivatives were added. Along a path they are multiplied; the paths are added.",
        _over_paths(lambda paths: sum(map(sum, paths))),
    ),
    Mistake(
        "product where the sum belongs",
        "The paths were multiplied with each other. Along a path derivatives are multiplied; the paths are added.",
        _over_paths(lambda paths: math.prod(map(math.prod, paths)) if paths else 0.0),
    ),
    Mistake(
        "only the longest or the largest path",
        "This is the product along one path only, the largest. Every path adds its own.",
        _over_paths(lambda paths: max(map(math.prod, paths), default=0.0)),
    ),
    Mistake(
        "paths counted",
        "This is the number of paths. Each path counts with the product of its local derivatives.",
        _over_paths(lambda paths: float(len(paths))),
    ),
    Mistake(
        "parallel edges lost",
        "Two edges between the same two nodes count as two paths, as in y = x * x. Does a dict keep only the last?",
        _without_parallel,
    ),
    Mistake(
        "edges taken in the order of the list",
        "The edges may stand in any order, and a node's sum is complete only when all edges into it have been used.",
        _one_in_order,
    ),
    Mistake(
        "visited nodes skipped",
        "A node that two paths share was counted for the first of them only. What should the second find there?",
        _visited_skipped,
    ),
    Mistake(
        "arrows ignored",
        "There is no path along the arrows here. Local derivatives lead from the first node of an edge to the second.",
        _both_ways,
    ),
    Mistake(
        "no path from a node to itself",
        "From a node to itself leads one path, the empty one, and an empty product is 1.",
        lambda edges, start, end: 0.0 if start == end else right.path_sum.oracle(edges, start, end),
    ),
)


def _differences(change: Callable[[Callable, Any, int], float]) -> Callable[[Any, Any], list[float]]:
    """A gradient made of `change(f, x, i)` for each element."""

    def answer(f: Any, x: Any) -> list[float]:
        function = build(f)
        return [float(change(function, x, i)) for i in range(len(x))]

    return answer


def _step(x: Any, i: int, h: float) -> Any:
    moved = x.clone()
    moved[i] += h
    return moved


def _one_sided(h: float) -> Callable[[Any, Any], list[float]]:
    return _differences(lambda f, x, i: (f(_step(x, i, h)) - f(x)) / h)


def _backward(h: float) -> Callable[[Any, Any], list[float]]:
    return _differences(lambda f, x, i: (f(x) - f(_step(x, i, -h))) / h)


def _left_moved(h: float) -> Callable[[Any, Any], list[float]]:
    """Each element is moved up and down and never put back."""

    def answer(f: Any, x: Any) -> list[float]:
        function, moved, gradient = build(f), x.clone(), []
        for i in range(len(x)):
            moved[i] += h
            up = float(function(moved))
            moved[i] -= 2 * h
            gradient.append((up - float(function(moved))) / (2 * h))
        return gradient

    return answer


def _central(h: float) -> Callable[[Any, Any], list[float]]:
    return _differences(lambda f, x, i: (f(_step(x, i, h)) - f(_step(x, i, -h))) / (2 * h))


NOT_CENTRAL = (
    "The function was asked on one side of `x` only, or not at all. A central difference asks on both sides, "
    "at the same distance, for each element."
)
FINITE_DIFFERENCE = (
    Mistake(
        "all elements moved at once",
        "Every entry is the same: the change when all elements move together. Move one element at a time.",
        _differences(lambda f, x, i: (f(x + 1e-5) - f(x - 1e-5)) / 2e-5),
    ),
    Mistake(
        "not divided by twice the step",
        "Every entry is twice too large. How far apart are the two points?",
        _differences(lambda f, x, i: (f(_step(x, i, 1e-5)) - f(_step(x, i, -1e-5))) / 1e-5),
    ),
    *(Mistake("one-sided", NOT_CENTRAL, make(10.0**-k)) for make in (_one_sided, _backward) for k in range(3, 6)),
    Mistake(
        "step too large",
        "The error is that of a step as large as 0.01. The lesson's plot shows where the error is least.",
        _central(1e-2),
    ),
    *(
        Mistake(
            "step too small",
            "The error is one of rounding: with a step this small, f changes in its last digits only. The "
            "lesson's plot shows where the error is least.",
            _central(10.0**-k),
        )
        for k in range(9, 15)
    ),
    *(
        Mistake(
            "elements left moved",
            "Each entry after the first was taken at a point where earlier elements had not been put back.",
            _left_moved(10.0**-k),
        )
        for k in range(3, 6)
    ),
    Mistake("float32", "The points carry only seven digits. In which dtype were they made?"),
    Mistake("not central", NOT_CENTRAL),
)


def _flaw(name: str, sentence: str, variant: int = 0) -> Mistake:
    return Mistake(name, sentence, under(name, variant))


LOOK = "Look at how `{}` passes its gradient on"
REVERSED = r"unsupported operand type\(s\) for \S+ '(int|float)' and '"
VALUE = (
    _flaw(
        "overwritten instead of added",
        "A node that is used twice keeps only one of its two contributions. What should happen to the gradient "
        "that is already there?",
    ),
    _flaw(
        "upstream gradient ignored",
        "Each node passes on its local derivative alone. The gradient that arrives from above is a factor too.",
    ),
    *(
        _flaw(
            "a node visited before all its uses",
            "A node passed its gradient on before all its contributions had arrived. In which order must nodes "
            "be visited?",
            variant,
        )
        for variant in range(len(ORDERS))
    ),
    _flaw(
        "a node visited once per use",
        "A node that is used twice passed its gradient on twice. Each node is visited once a pass.",
    ),
    _flaw(
        "equal numbers taken for one node",
        "Two nodes with equal numbers were treated as one. How does your code tell whether it has met a node?",
    ),
    _flaw(
        "gradients reset by a second backward",
        "After a second backward the leaves hold the gradient of one pass. They should have added it up.",
    ),
    *(
        _flaw(
            "old gradients passed on again",
            "The second pass also passed on what the first had left in the inner nodes.",
            variant,
        )
        for variant in range(2)
    ),
    _flaw(
        "the output's own gradient missing",
        "The output's gradient is 0. How much does the output change per change of itself?",
    ),
    _flaw("2 - x taken as x - 2", "With a number on the left of a minus, the two operands change places."),
    _flaw("2 / x taken as x / 2", "With a number on the left of a division, the two operands change places."),
    _flaw("2 ** x taken as x ** 2", "With a number as the base, the two operands change places."),
    Mistake(
        "no number on the left",
        "Python found no method for a plain number on the left. Which names does it look for then?",
        raises=REVERSED,
    ),
    _flaw("relu's gate forgotten", "`relu` passes the gradient on though its input is below zero."),
    _flaw("relu'(0) taken as 1", "At 0 exactly, this course takes relu's slope as 0, as PyTorch does."),
    _flaw("relu'(0) taken as 1/2", "At 0 exactly the two sides were averaged. This course takes the slope as 0."),
    _flaw(
        "relu: gate of the gradient instead of the input",
        "The gate of relu follows the sign of the gradient that arrives. Which number decides?",
    ),
    _flaw(
        "power: exponent without gradient",
        "The base gets its gradient, but an exponent that is a node gets none.",
    ),
    *(
        _flaw(
            f"{operation}: no gradient for the second operand",
            "The first operand gets its gradient, the second gets nothing.",
        )
        for operation in ("addition", "multiplication", "subtraction", "division")
    ),
    *(
        _flaw(f"{operation}: {what}", f"{LOOK.format(operation)}: {sentence}")
        for what, sentence in (
            ("wrong sign", "its sign is wrong."),
            ("no gradient", "nothing arrives."),
            ("overwritten instead of added", "what was there before is lost."),
            ("upstream gradient ignored", "the gradient that arrives from above is a factor too."),
        )
        for operation in OPERATIONS
    ),
    *(
        _flaw(
            f"{operation}: wrong local derivative",
            f"{LOOK.format(operation)}: its local derivative is not the one that calculus gives.",
            variant,
        )
        for operation, variants in WRONG_LOCALS.items()
        for variant in range(len(variants))
    ),
)


def _fit(step: Callable[..., tuple[float, float]]) -> Callable[..., list[float]]:
    """Repeat `step(w, b, sums, xs, ys, lr)`; `sums` carries gradients that were never cleared."""

    def answer(xs: list, ys: list, steps: int, lr: float) -> list[float]:
        w = b = 0.0
        kept = [0.0, 0.0]
        for _ in range(steps):
            w, b = step(w, b, kept, xs, ys, lr)
        return [w, b]

    return answer


def _gradients(w: float, b: float, xs: list, ys: list) -> tuple[float, float]:
    errors = [w * x + b - y for x, y in zip(xs, ys, strict=True)]
    d_w = sum(2 * e * x for e, x in zip(errors, xs, strict=True)) / len(xs)
    return d_w, sum(2 * e for e in errors) / len(xs)


def _never_zeroed(w: float, b: float, kept: list, xs: list, ys: list, lr: float) -> tuple[float, float]:
    d_w, d_b = _gradients(w, b, xs, ys)
    kept[0], kept[1] = kept[0] + d_w, kept[1] + d_b
    return w - lr * kept[0], b - lr * kept[1]


def _scaled(factor: Callable[[list], float]) -> Callable[..., tuple[float, float]]:
    def step(w: float, b: float, kept: list, xs: list, ys: list, lr: float) -> tuple[float, float]:
        d_w, d_b = _gradients(w, b, xs, ys)
        return w - lr * factor(xs) * d_w, b - lr * factor(xs) * d_b

    return step


def _one_after_the_other(w: float, b: float, kept: list, xs: list, ys: list, lr: float) -> tuple[float, float]:
    w = w - lr * _gradients(w, b, xs, ys)[0]
    return w, b - lr * _gradients(w, b, xs, ys)[1]


def _pair_by_pair(w: float, b: float, kept: list, xs: list, ys: list, lr: float) -> tuple[float, float]:
    for x, y in zip(xs, ys, strict=True):
        d_w, d_b = _gradients(w, b, [x], [y])
        w, b = w - lr * d_w, b - lr * d_b
    return w, b


def _one_pair_a_step(xs: list, ys: list, steps: int, lr: float) -> list[float]:
    w = b = 0.0
    for step in range(steps):
        d_w, d_b = _gradients(w, b, [xs[step % len(xs)]], [ys[step % len(xs)]])
        w, b = w - lr * d_w, b - lr * d_b
    return [w, b]


def _with_relu(w: float, b: float, kept: list, xs: list, ys: list, lr: float) -> tuple[float, float]:
    made = [(max(w * x + b, 0.0), x, y) for x, y in zip(xs, ys, strict=True)]
    d_w = sum(2 * (a - y) * x for a, x, y in made if a > 0) / len(xs)
    return w - lr * d_w, b - lr * sum(2 * (a - y) for a, x, y in made if a > 0) / len(xs)


def _only_w(w: float, b: float, kept: list, xs: list, ys: list, lr: float) -> tuple[float, float]:
    return w - lr * _gradients(w, b, xs, ys)[0], b


FIT_NEURON = (
    Mistake(
        "gradients never zeroed",
        "Each step also used the gradients of the steps before. Where are the old ones cleared?",
        _fit(_never_zeroed),
    ),
    Mistake(
        "sum instead of mean",
        "The loss is the mean over all pairs. The steps taken are as many times too long as there are pairs.",
        _fit(_scaled(len)),
    ),
    Mistake(
        "the step goes uphill",
        "`w` and `b` move along the gradient. Which direction makes the loss smaller?",
        _fit(_scaled(lambda xs: -1.0)),
    ),
    Mistake(
        "half the step",
        "Every step is half as long as it should be. What is the derivative of a square?",
        _fit(_scaled(lambda xs: 0.5)),
    ),
    Mistake(
        "b moved after w",
        "The gradient of `b` was taken after w had already moved. Both belong to the same loss.",
        _fit(_one_after_the_other),
    ),
    Mistake(
        "one pair at a time",
        "`w` and `b` moved after every pair. Each step uses all pairs at once.",
        _fit(_pair_by_pair),
    ),
    Mistake(
        "one pair per step",
        "Each step looked at one pair and went on to the next. Every step uses all pairs.",
        _one_pair_a_step,
    ),
    Mistake(
        "relu left in",
        "This neuron is w * x + b, with no relu after it.",
        _fit(_with_relu),
    ),
    Mistake(
        "b never moved",
        "`b` stays at 0. It has a gradient of its own.",
        _fit(_only_w),
    ),
    Mistake(
        "one step too few",
        "This is the state one step before the last.",
        lambda xs, ys, steps, lr: right.fit_neuron.oracle(xs, ys, steps - 1, lr),
    ),
    Mistake(
        "one step too many",
        "This is the state one step after the last.",
        lambda xs, ys, steps, lr: right.fit_neuron.oracle(xs, ys, steps + 1, lr),
    ),
    Mistake(
        "Value not used",
        "The numbers are right, but `Value.backward` did not run once per step. The gradients are to come from "
        "your own engine.",
    ),
)
