"""fit_neuron: mistakes, other ways to make them, and right answers."""

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong


@mistake(
    "gradients never zeroed",
    "Each step also used the gradients of the steps before. Where do you clear the old gradients?",
)
def never_zeroed():
    def fit_neuron(xs, ys, steps, lr):
        w, b = Value(0.0), Value(0.0)
        for _ in range(steps):
            loss = sum((w * x + b - y) ** 2 for x, y in zip(xs, ys)) / len(xs)
            loss.backward()
            w.data -= lr * w.grad
            b.data -= lr * b.grad
        return w.data, b.data


@mistake(
    "sum instead of mean",
    "Your steps are too long, by a factor of the number of pairs. The loss is the mean over all pairs.",
)
def sum_of_squares():
    def fit_neuron(xs, ys, steps, lr):
        w, b = Value(0.0), Value(0.0)
        for _ in range(steps):
            loss = sum((w * x + b - y) ** 2 for x, y in zip(xs, ys))
            w.grad = b.grad = 0.0
            loss.backward()
            w.data -= lr * w.grad
            b.data -= lr * b.grad
        return w.data, b.data


@mistake("the step goes uphill", "`w` and `b` move along the gradient. Which direction makes the loss smaller?")
def uphill():
    def fit_neuron(xs, ys, steps, lr):
        w, b = Value(0.0), Value(0.0)
        for _ in range(steps):
            loss = sum((w * x + b - y) ** 2 for x, y in zip(xs, ys)) / len(xs)
            w.grad = b.grad = 0.0
            loss.backward()
            w.data += lr * w.grad
            b.data += lr * b.grad
        return w.data, b.data


@mistake("half the step", "Every step is half as long as it should be. What is the derivative of a square?")
def half_of_the_square():
    def fit_neuron(xs, ys, steps, lr):
        w, b = Value(0.0), Value(0.0)
        for _ in range(steps):
            loss = 0.5 * sum((w * x + b - y) ** 2 for x, y in zip(xs, ys)) / len(xs)
            w.grad = b.grad = 0.0
            loss.backward()
            w.data -= lr * w.grad
            b.data -= lr * b.grad
        return w.data, b.data


@mistake(
    "b moved after w",
    "You took the gradient of `b` after `w` had already moved. Both gradients belong to the same loss.",
)
def one_after_the_other():
    def fit_neuron(xs, ys, steps, lr):
        w, b = Value(0.0), Value(0.0)

        def gradients():
            w.grad = b.grad = 0.0
            loss = sum((w * x + b - y) ** 2 for x, y in zip(xs, ys)) / len(xs)
            loss.backward()

        for _ in range(steps):
            gradients()
            w.data -= lr * w.grad
            gradients()
            b.data -= lr * b.grad
        return w.data, b.data


@mistake("one pair at a time", "`w` and `b` moved after every pair. Each step should use all pairs at once.")
def step_after_every_pair():
    def fit_neuron(xs, ys, steps, lr):
        w, b = Value(0.0), Value(0.0)
        for _ in range(steps):
            for x, y in zip(xs, ys):
                loss = (w * x + b - y) ** 2
                w.grad = b.grad = 0.0
                loss.backward()
                w.data -= lr * w.grad
                b.data -= lr * b.grad
        return w.data, b.data


@wrong("one pair at a time", predicts=True)
def step_after_every_share_of_the_mean():
    def fit_neuron(xs, ys, steps, lr):
        w, b = Value(0.0), Value(0.0)
        for _ in range(steps):
            for x, y in zip(xs, ys):
                loss = (w * x + b - y) ** 2 / len(xs)
                w.grad = b.grad = 0.0
                loss.backward()
                w.data -= lr * w.grad
                b.data -= lr * b.grad
        return w.data, b.data


@wrong("gradients never zeroed", predicts=True)
def only_w_zeroed():
    def fit_neuron(xs, ys, steps, lr):
        w, b = Value(0.0), Value(0.0)
        for _ in range(steps):
            w.grad = 0.0
            loss = sum((w * x + b - y) ** 2 for x, y in zip(xs, ys)) / len(xs)
            loss.backward()
            w.data -= lr * w.grad
            b.data -= lr * b.grad
        return w.data, b.data


@mistake(
    "one pair per step", "Each step used one pair, and the next step the next pair. Every step should use all pairs."
)
def next_pair_each_step():
    def fit_neuron(xs, ys, steps, lr):
        w, b = Value(0.0), Value(0.0)
        for step in range(steps):
            x, y = xs[step % len(xs)], ys[step % len(xs)]
            loss = (w * x + b - y) ** 2
            w.grad = b.grad = 0.0
            loss.backward()
            w.data -= lr * w.grad
            b.data -= lr * b.grad
        return w.data, b.data


@mistake("relu left in", "This neuron is w * x + b, with no relu after it.")
def relu_left_in():
    def fit_neuron(xs, ys, steps, lr):
        w, b = Value(0.0), Value(0.0)
        for _ in range(steps):
            loss = sum(((w * x + b).relu() - y) ** 2 for x, y in zip(xs, ys)) / len(xs)
            w.grad = b.grad = 0.0
            loss.backward()
            w.data -= lr * w.grad
            b.data -= lr * b.grad
        return w.data, b.data


@mistake("b never moved", "`b` stays at 0. It has its own gradient.")
def only_w():
    def fit_neuron(xs, ys, steps, lr):
        w, b = Value(0.0), 0.0
        for _ in range(steps):
            loss = sum((w * x + b - y) ** 2 for x, y in zip(xs, ys)) / len(xs)
            w.grad = 0.0
            loss.backward()
            w.data -= lr * w.grad
        return w.data, b


@mistake("one step too few", "This is the state one step before the last.")
def counted_from_one():
    def fit_neuron(xs, ys, steps, lr):
        w, b = Value(0.0), Value(0.0)
        for _ in range(1, steps):
            loss = sum((w * x + b - y) ** 2 for x, y in zip(xs, ys)) / len(xs)
            w.grad = b.grad = 0.0
            loss.backward()
            w.data -= lr * w.grad
            b.data -= lr * b.grad
        return w.data, b.data


@mistake("one step too many", "This is the state one step after the last.")
def last_step_included():
    def fit_neuron(xs, ys, steps, lr):
        w, b = Value(0.0), Value(0.0)
        step = 0
        while step <= steps:
            loss = sum((w * x + b - y) ** 2 for x, y in zip(xs, ys)) / len(xs)
            w.grad = b.grad = 0.0
            loss.backward()
            w.data -= lr * w.grad
            b.data -= lr * b.grad
            step += 1
        return w.data, b.data


known(
    Mistake(
        "Value not used",
        "The numbers are right, but they should come from your own engine: each step takes its gradients from it.",
    )
)


@wrong("Value not used")
def derived_by_hand():
    def fit_neuron(xs, ys, steps, lr):
        w = b = 0.0
        for _ in range(steps):
            errors = [w * x + b - y for x, y in zip(xs, ys)]
            d_w = 2 * sum(e * x for e, x in zip(errors, xs)) / len(xs)
            d_b = 2 * sum(errors) / len(xs)
            w -= lr * d_w
            b -= lr * d_b
        return w, b


@wrong("not attempted")
def fit_neuron_not_attempted():
    def fit_neuron(xs, ys, steps, lr):
        raise NotImplementedError()


@right
def fresh_nodes_each_step():
    def fit_neuron(xs, ys, steps, lr):
        w = b = 0.0
        for _ in range(steps):
            W, B = Value(w), Value(b)
            loss = Value(0.0)
            for x, y in zip(xs, ys):
                loss = loss + (W * x + B - y) ** 2
            loss = loss / len(xs)
            loss.backward()
            w = w - lr * W.grad
            b = b - lr * B.grad
        return [w, b]


@right
def one_backward_per_pair():
    # The gradients of the pairs add up in w and b; the mean divides them by the number of pairs.
    def fit_neuron(xs, ys, steps, lr):
        w, b = Value(0.0), Value(0.0)
        n = len(xs)
        for step in range(steps):
            w.grad, b.grad = 0.0, 0.0
            for i in range(n):
                error = w * Value(xs[i]) + b - Value(ys[i])
                (error * error / n).backward()
            w.data, b.data = w.data - lr * w.grad, b.data - lr * b.grad
        return w.data, b.data


@right
def zeroed_after_the_step():
    def fit_neuron(xs, ys, steps, lr):
        parameters = {"w": Value(0.0), "b": Value(0.0)}

        def loss():
            errors = [(y - (parameters["b"] + x * parameters["w"])) ** 2 for x, y in zip(xs, ys)]
            return (1 / len(errors)) * sum(errors[1:], errors[0])

        while steps > 0:
            loss().backward()
            for p in parameters.values():
                p.data -= lr * p.grad
                p.grad = 0.0
            steps -= 1
        return parameters["w"].data, parameters["b"].data


@right
def tensors_of_one_element():
    import torch

    def fit_neuron(xs, ys, steps, lr):
        w, b = Value(0.0), Value(0.0)
        for _ in range(steps):
            w.grad = b.grad = 0.0
            total = Value(0.0)
            for x, y in zip(xs, ys):
                total += (w * x + b - y) ** 2 / len(xs)
            total.backward()
            w = Value(w.data - lr * w.grad)
            b = Value(b.data - lr * b.grad)
        return torch.tensor(w.data), torch.tensor(b.data)
