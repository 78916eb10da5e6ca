"""smallest_epsilon: mistakes, other ways to make them, and right answers."""

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong


@mistake(
    "Euclidean distance",
    "This is the Euclidean distance to the boundary. Here every number may move by e, all at once, so "
    "how far does the score get?",
)
def with_a_ruler():
    def smallest_epsilon(w, b, x):
        return (x @ w + b).abs() / w.norm()


@mistake("largest weight only", "This is what it takes if only one number may move. All of them may.")
def one_number_moves():
    def smallest_epsilon(w, b, x):
        return (x @ w + b).abs() / w.abs().max()


@mistake(
    "weights with their signs",
    "You added up the weights with their signs, so that they cancel. Each number may move in its own direction.",
)
def size_of_the_sum():
    def smallest_epsilon(w, b, x):
        return (x @ w + b).abs() / w.sum().abs()


@wrong("weights with their signs", predicts=True)
def signs_kept():
    def smallest_epsilon(w, b, x):
        return (x @ w + b).abs() / w.sum()


known(
    Mistake(
        "negative epsilon",
        "Points on one side of the boundary got a number below 0. A step's size has no sign.",
        lambda w, b, x: -(x @ w + b) / w.abs().sum(),
    )
)


@wrong("negative epsilon", predicts=True)
def score_with_its_sign():
    def smallest_epsilon(w, b, x):
        return (x @ w + b) / w.abs().sum()


@mistake("one side only", "Points on one side of the boundary got 0. The score can be made 0 from both sides.")
def from_above_only():
    def smallest_epsilon(w, b, x):
        return (x @ w + b).clamp(min=0) / w.abs().sum()


@mistake("bias forgotten", "Your score leaves out `b`.")
def without_b():
    def smallest_epsilon(w, b, x):
        return (x @ w).abs() / w.abs().sum()


@mistake("bias subtracted", "Your score subtracts `b` instead of adding it.")
def minus_the_bias():
    def smallest_epsilon(w, b, x):
        return (x @ w - b).abs() / w.abs().sum()


@mistake(
    "quotient inverted",
    "You divided the weights by the score. A point far from the boundary needs a large step.",
)
def weights_over_score():
    def smallest_epsilon(w, b, x):
        return w.abs().sum() / (x @ w + b).abs()


@mistake(
    "bias in the denominator",
    "You added the size of `b` to those of the weights. An attack moves the numbers of `x`, and `b` stays.",
)
def b_among_the_weights():
    def smallest_epsilon(w, b, x):
        return (x @ w + b).abs() / (w.abs().sum() + abs(b))


@mistake(
    "mean of the weights",
    "You took the mean of the weights' sizes. All numbers move at once, and their effects on the score add up.",
)
def mean_for_sum():
    def smallest_epsilon(w, b, x):
        return (x @ w + b).abs() / w.abs().mean()


@mistake(
    "squares of the weights",
    "You added up the squares of the weights. If a number moves by e, how far does the score move?",
)
def by_squares():
    def smallest_epsilon(w, b, x):
        return (x @ w + b).abs() / (w @ w)


@mistake("score not divided", "This is the size of the score, and not yet the step that brings it to 0.")
def not_divided():
    def smallest_epsilon(w, b, x):
        return (x @ w + b).abs()


@mistake("one result for all rows", "You returned one result for all rows. Each row has its own.")
def nearest_of_all():
    def smallest_epsilon(w, b, x):
        return ((x @ w + b).abs() / w.abs().sum()).min()


@mistake(
    "product of wrong shapes",
    "The shapes do not match. `x` has one row per point, and `w` has one number per column of `x`.",
    raises="RuntimeError: (size mismatch|mat1 and mat2|inconsistent tensor size|The size of tensor a)",
)
def wrong_side_of_the_matrix():
    def smallest_epsilon(w, b, x):
        return (w @ x + b).abs() / w.abs().sum()


@wrong("not attempted")
def smallest_not_attempted():
    def smallest_epsilon(w, b, x):
        raise NotImplementedError  # your code here


@wrong("another shape")
def a_column():
    def smallest_epsilon(w, b, x):
        return (x @ w[:, None] + b).abs() / w.abs().sum()


@wrong(
    "numbers changed",
    loses=(
        "both sides of the boundary",
        "on it, zeros, float32",
    ),
)
def x_moved():
    def smallest_epsilon(w, b, x):
        x -= w * ((x @ w + b) / (w @ w))[:, None] * 0
        x[:] = x + 1e-9
        return (x @ w + b).abs() / w.abs().sum()


@right
def row_by_row():
    import torch

    def smallest_epsilon(w, b, x):
        total = sum(abs(float(one)) for one in w)
        return torch.stack([abs(torch.dot(row, w) + b) / total for row in x])


@right
def by_the_norm():
    import torch

    def smallest_epsilon(w, b, x):
        score = torch.nn.functional.linear(x, w[None])[:, 0] + b
        return torch.sqrt(score**2) / torch.linalg.vector_norm(w, ord=1)


@right
def by_bisection():
    import torch

    def smallest_epsilon(w, b, x):
        score = x.double() @ w.double() + b
        low, high = torch.zeros_like(score), torch.full_like(score, 1e6)
        way = -score.sign()[:, None] * w.double().sign()
        for _ in range(200):
            middle = (low + high) / 2
            moved = (x + middle[:, None] * way) @ w.double() + b
            there = moved * score <= 0
            high, low = torch.where(there, middle, high), torch.where(there, low, middle)
        return high.to(x.dtype)
