"""partials_twin: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

from .task import REFERENCE


def _opened(x: float, w: float, b: float) -> dict[str, float]:
    """The partials as if the gate were open: those at a `b` large enough."""
    return REFERENCE.oracle(x, w, abs(x * w) + abs(b) + 1.0)


def _half_where_shut(x: float, w: float, b: float) -> dict[str, float]:
    found = REFERENCE.oracle(x, w, b)
    return found if any(found.values()) else {name: one / 2 for name, one in _opened(x, w, b).items()}


@mistake(
    "x and w swapped",
    "The partials of `x` and `w` are swapped. When u = x * w is differentiated with respect "
    "to `x`, which factor is left?",
)
def twin_x_and_w_swapped():
    def partials_twin(x, w, b):
        gate = 3.0 if 2 * x * w + 5 * b > 0 else 0.0
        return {"x": 2 * x * gate, "w": 2 * w * gate, "b": 5 * gate, "u": 2 * gate, "v": gate}


@mistake(
    "relu's gate forgotten",
    "The partials are right for an open gate, though `v` is below zero here. What is the slope of relu there?",
)
def twin_gate_forgotten():
    def partials_twin(x, w, b):
        return {"x": 6 * w, "w": 6 * x, "b": 15.0, "u": 6.0, "v": 3.0}


@mistake("slope 1 at the kink", "At v = 0 exactly, this course takes relu's slope to be 0, as PyTorch does.")
def twin_open_at_zero():
    def partials_twin(x, w, b):
        v = 2 * x * w + 5 * b
        if v < 0:
            return {"x": 0, "w": 0, "b": 0, "u": 0, "v": 0}
        return {"x": 6 * w, "w": 6 * x, "b": 15, "u": 6, "v": 3}


known(
    Mistake(
        "averaged slope at the kink",
        "At v = 0 the two sides were averaged. This course takes relu's slope there to be 0, as PyTorch does.",
        _half_where_shut,
    ),
    Mistake(
        "gate of u instead of v",
        "The gate follows the sign of `u`. Which node goes into relu?",
        lambda x, w, b: _opened(x, w, b) if x * w > 0 else dict.fromkeys("xwbuv", 0.0),
    ),
    Mistake(
        "gate only on v",
        "The gate acts on the partial of `v` alone. The paths of the other nodes lead through the same gate.",
        lambda x, w, b: _opened(x, w, b) | {"v": REFERENCE.oracle(x, w, b)["v"]},
    ),
)


@mistake(
    "the node's value instead of its partial",
    "These are the values of the nodes. A partial says how much `a` changes per change of the node.",
)
def twin_values_of_the_nodes():
    def partials_twin(x, w, b):
        u = x * w
        return {"x": x, "w": w, "b": b, "u": u, "v": 2 * u + 5 * b}


@mistake(
    "names and gradients out of step",
    "The numbers are right, but under the wrong names. In which order did you compute them, and in which order did "
    "you name them?",
)
def names_out_of_step():
    def partials_twin(x, w, b):
        d_v = 3.0 if 2 * x * w + 5 * b > 0 else 0.0
        d_u = 2 * d_v
        d_b = 5 * d_v
        d_w = d_u * x
        d_x = d_u * w
        return dict(zip(["x", "w", "b", "u", "v"], [d_b, d_u, d_v, d_w, d_x]))


@mistake(
    "only the last local derivative",
    "Each number is the derivative of one edge alone. Multiply along the whole path to `a`.",
)
def each_edge_alone():
    def partials_twin(x, w, b):
        v = 2 * x * w + 5 * b
        return {"x": w, "w": x, "b": 5.0, "u": 2.0, "v": 3.0 if v > 0 else 0.0}


@mistake("relu's factor 3 forgotten", "Every number lacks the factor 3 of the last step.")
def three_forgotten():
    def partials_twin(x, w, b):
        gate = 1.0 if 2 * x * w + 5 * b > 0 else 0.0
        return {"x": 2 * w * gate, "w": 2 * x * gate, "b": 5 * gate, "u": 2 * gate, "v": gate}


@mistake(
    "the first graph's partials",
    "These are the partials of a = relu(x * w + b). The twin has other factors on its edges.",
)
def first_graph_again():
    def partials_twin(x, w, b):
        gate = 1.0 if x * w + b > 0 else 0.0
        return {"x": gate * w, "w": gate * x, "b": gate, "u": gate, "v": gate}


@mistake("gate of the first graph", "The gate follows x * w + b. The twin's relu looks at its own v = 2u + 5b.")
def gate_of_the_first_graph():
    def partials_twin(x, w, b):
        gate = 3.0 if x * w + b > 0 else 0.0
        return {"x": 2 * w * gate, "w": 2 * x * gate, "b": 5 * gate, "u": 2 * gate, "v": gate}


known(
    Mistake(
        "sum instead of product",
        "You added the derivatives along the path. Along a path they are multiplied.",
        lambda x, w, b: {"x": w + 2.0 + 3.0, "w": x + 2.0 + 3.0, "b": 5.0 + 3.0, "u": 2.0 + 3.0, "v": 3.0},
    )
)


@wrong("sum instead of product")
def derivatives_added_along_the_path():
    def partials_twin(x, w, b):
        d_a_v = 3.0 if 2 * x * w + 5 * b > 0 else 0.0
        d_a_u = d_a_v + 2
        d_a_b = d_a_v + 5
        return {"x": d_a_u + w, "w": d_a_u + x, "b": d_a_b, "u": d_a_u, "v": d_a_v}


@wrong("not attempted")
def twin_not_attempted():
    def partials_twin(x, w, b):
        raise NotImplementedError


@right
def expanded():
    def partials_twin(x, w, b):
        if 2 * x * w + 5 * b > 0:
            return {"x": 6 * w, "w": 6 * x, "b": 15, "u": 6, "v": 3}
        return dict.fromkeys("xwbuv", 0)


@right
def twin_asked_of_torch():
    import torch

    def partials_twin(x, w, b):
        x, w, b = [torch.tensor(n, requires_grad=True) for n in (x, w, b)]
        u = x * w
        v = 2 * u + 5 * b
        grads = torch.autograd.grad(3 * torch.relu(v), [x, w, b, u, v])
        return {"x": grads[0], "w": grads[1], "b": grads[2], "u": grads[3], "v": grads[4]}


@right
def products_of_edges():
    def partials_twin(x, w, b):
        edge = {"xu": w, "wu": x, "uv": 2.0, "bv": 5.0, "va": 3.0 * (2 * x * w + 5 * b > 0)}
        return {
            "v": edge["va"],
            "b": edge["bv"] * edge["va"],
            "u": edge["uv"] * edge["va"],
            "w": edge["wu"] * edge["uv"] * edge["va"],
            "x": edge["xu"] * edge["uv"] * edge["va"],
        }
