"""value_functions: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from autograder.tasks.answers import known, right, slip, wrong

from ..engine_mistakes import flaw, not_a_method, of_operations, overwritten, upstream_ignored
from ..first_divergence import divergences
from ..value_arithmetic.answers import ENGINES, closures

known(
    overwritten(),
    upstream_ignored(),
    flaw("relu's gate forgotten", "`relu` passes the gradient on, although its input is below zero."),
    flaw("relu'(0) taken as 1", "At 0 exactly, this course takes relu's slope to be 0, as PyTorch does."),
    flaw("relu'(0) taken as 1/2", "At 0 exactly the two sides were averaged. This course takes the slope to be 0."),
    flaw(
        "relu: gate of the gradient instead of the input",
        "Your relu is open or shut by the sign of the upstream gradient. Which number decides?",
    ),
    of_operations("relu", "exp", "log", "tanh"),
    divergences("relu", "exp", "log", "tanh"),
    not_a_method("relu", "exp", "log", "tanh"),
)

for _engine in ENGINES:
    right(_engine)


slip("overwritten_everywhere", within=closures, was="grad +=", wrote="grad =", diagnosed="overwritten instead of added")
slip("upstream_ignored_everywhere", within=closures, was="out.grad", wrote="1.0", diagnosed="upstream gradient ignored")


@wrong("relu's gate forgotten", within=closures)
def relu_always_open():
    def relu(self):
        out = Value.made(max(0.0, self.data), self)

        def push():
            self.grad += out.grad

        out.push = push
        return out


@wrong("relu'(0) taken as 1", loses=("relu",), within=closures)
def relu_open_at_zero():
    def relu(self):
        out = Value.made(max(0.0, self.data), self)

        def push():
            if self.data >= 0:
                self.grad += out.grad

        out.push = push
        return out


@wrong("relu'(0) taken as 1/2", loses=("relu",), within=closures)
def relu_half_open_at_zero():
    def relu(self):
        out = Value.made(max(0.0, self.data), self)

        def push():
            slope = 1.0 if self.data > 0 else 0.5 if self.data == 0 else 0.0
            self.grad += slope * out.grad

        out.push = push
        return out


for _operation, _method, _was, _wrote, _what in [
    ("relu", "relu", "out.push = push", "", "no gradient"),
    ("exp", "exp", "out.push = push", "", "no gradient"),
    ("log", "log", "out.push = push", "", "no gradient"),
    ("tanh", "tanh", "out.push = push", "", "no gradient"),
    ("relu", "relu", "grad +=", "grad =", "overwritten instead of added"),
    ("exp", "exp", "grad +=", "grad =", "overwritten instead of added"),
    ("log", "log", "grad +=", "grad =", "overwritten instead of added"),
    ("tanh", "tanh", "grad +=", "grad =", "overwritten instead of added"),
    ("relu", "relu", " * out.grad", "", "upstream gradient ignored"),
    ("exp", "exp", " * out.grad", "", "upstream gradient ignored"),
    ("log", "log", " * out.grad", "", "upstream gradient ignored"),
    ("tanh", "tanh", " * out.grad", "", "upstream gradient ignored"),
    ("exp", "exp", "out.data * out.grad", "self.data * out.grad", "wrong local derivative"),
    ("exp", "exp", "out.data * out.grad", "self.data * math.exp(self.data - 1) * out.grad", "wrong local derivative"),
    ("log", "log", "1 / self.data", "1 / out.data", "wrong local derivative"),
    ("log", "log", "1 / self.data", "out.data", "wrong local derivative"),
    ("log", "log", "1 / self.data", "1 / (self.data * math.log(10))", "wrong local derivative"),
    ("tanh", "tanh", "out.data**2", "out.data", "wrong local derivative"),
    ("tanh", "tanh", "out.data**2", "self.data**2", "wrong local derivative"),
    ("relu", "relu", "(self.data > 0)", "(out.grad > 0)", "gate of the gradient instead of the input"),
    ("relu", "relu", "grad +=", "grad -=", "wrong sign"),
    ("exp", "exp", "grad +=", "grad -=", "wrong sign"),
    ("log", "log", "grad +=", "grad -=", "wrong sign"),
    ("tanh", "tanh", "grad +=", "grad -=", "wrong sign"),
    ("relu", "relu", "(self.data > 0) * out.grad", "out.data * out.grad", "wrong local derivative"),
]:
    slip(
        f"{_operation}: {_what}: {_wrote.strip() or 'left out'}",
        within=closures,
        method=_method,
        was=_was,
        wrote=_wrote,
        diagnosed=f"{_operation}: {_what}",
    )


@right
def by_cases():
    import math

    def relu(self):
        return Value(self.data, [(self, 1)]) if self.data > 0 else Value(0, [(self, 0)])

    def exp(self):
        return Value(math.e**self.data, [(self, math.e**self.data)])

    def log(self):
        return Value(math.log2(self.data) * math.log(2), [(self, self.data**-1)])

    def tanh(self):
        e = math.exp(-2 * abs(self.data))
        return Value(math.copysign((1 - e) / (1 + e), self.data), [(self, 4 * e / (1 + e) ** 2)])

    Value.relu = relu
    Value.exp = exp
    Value.log = log
    Value.tanh = tanh


@right
def one_after_the_other():
    import math

    def function(name, value, slope):
        setattr(Value, name, lambda self: Value(value(self.data), [(self, slope(self.data))]))

    function("relu", lambda x: x * (x > 0), lambda x: int(x > 0))
    function("exp", math.exp, math.exp)
    function("log", math.log, lambda x: 1 / x)
    function("tanh", math.tanh, lambda x: 1 / math.cosh(x) ** 2)


def with_pairs():
    import math

    def relu(self):
        return Value(max(self.data, 0.0), [(self, 1.0 if self.data > 0 else 0.0)])

    def exp(self):
        return Value(math.exp(self.data), [(self, math.exp(self.data))])

    def log(self):
        return Value(math.log(self.data), [(self, 1 / self.data)])

    def tanh(self):
        return Value(math.tanh(self.data), [(self, 1 - math.tanh(self.data) ** 2)])

    Value.relu, Value.exp, Value.log, Value.tanh = relu, exp, log, tanh


slip(
    "methods_left_out",
    within=with_pairs,
    was="Value.relu, Value.exp, Value.log, Value.tanh = relu, exp, log, tanh",
    wrote="",
    diagnosed="not a method of Value",
)

# Right everywhere but in one region.
for _name, _was, _wrote, _diagnosed in [
    (
        "slope_of_exp_capped",
        "[(self, math.exp(self.data))]",
        "[(self, min(math.exp(self.data), 100.0))]",
        "exp: wrong local derivative",
    ),
    (
        "slope_of_exp_never_small",
        "[(self, math.exp(self.data))]",
        "[(self, max(math.exp(self.data), 0.01))]",
        "exp: wrong local derivative",
    ),
    ("exp_capped", "Value(math.exp(self.data)", "Value(math.exp(min(self.data, 5.0))", "exp: wrong number"),
    ("slope_of_log_capped", "1 / self.data", "min(1 / self.data, 100.0)", "log: wrong local derivative"),
    ("slope_of_log_with_an_epsilon", "1 / self.data", "1 / (self.data + 1e-4)", "log: wrong local derivative"),
    (
        "hard_tanh",
        "1 - math.tanh(self.data) ** 2",
        "(abs(self.data) < 1) * (1 - math.tanh(self.data) ** 2)",
        "tanh: wrong local derivative",
    ),
    ("relu_capped_at_6", "Value(max(self.data, 0.0)", "Value(min(max(self.data, 0.0), 6.0)", "relu: wrong number"),
    ("relu_shut_above_6", "1.0 if self.data > 0", "1.0 if 0 < self.data < 6", "relu: wrong local derivative"),
    ("relu_leaks_far_below_0", "else 0.0)", "else 0.01 * (self.data < -100))", "relu: wrong local derivative"),
    ("relu_open_from_a_little_above_0", "if self.data > 0", "if self.data > 0.1", "relu: wrong local derivative"),
]:
    slip(_name, within=with_pairs, was=_was, wrote=_wrote, diagnosed=_diagnosed)
