"""value_arithmetic: mistakes, other ways to make them, and right answers: whole engines, which later tasks use too."""

from __future__ import annotations

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, right, slip, wrong

from ..engine_mistakes import flaw, no_second_operand, of_operations, overwritten, upstream_ignored
from ..first_divergence import divergences

OPERATIONS = ("addition", "subtraction", "negation", "multiplication", "division", "power")
REVERSED = r"unsupported operand type\(s\) for \S+ '(int|float)' and '"

known(
    overwritten(),
    upstream_ignored(),
    flaw("2 - x taken as x - 2", "With a number on the left of a minus, your two operands have changed places."),
    flaw("2 / x taken as x / 2", "With a number on the left of a division, your two operands have changed places."),
    flaw("2 ** x taken as x ** 2", "With a number as the base, your two operands have changed places."),
    Mistake(
        "no number on the left",
        "Python found no method for a plain number on the left. Which name does it look for then?",
        raises=REVERSED,
    ),
    Mistake(
        "ZeroDivisionError at 0 ** 0",
        "The slope of `a ** n` contains a power with the exponent n - 1, which does not exist for a base of 0 and n "
        "= 0. See lesson 01, “Powers at 0: singular formulas”.",
        raises="ZeroDivisionError: .*(zero to a negative|0.0 cannot be raised to a negative)",
    ),
    flaw("power: exponent without gradient", "The base gets its gradient, but an exponent that is a node gets none."),
    no_second_operand("addition", "subtraction", "multiplication", "division"),
    of_operations(*OPERATIONS),
    divergences(*OPERATIONS),
)


@right
def closures():
    import math

    class Value:
        def __init__(self, data, inputs=()):
            self.data = data
            self.grad = 0.0
            self.children = [node for node, _ in inputs]
            out = self

            def push():
                for node, local in inputs:
                    node.grad += local * out.grad

            self.push = push

        @staticmethod
        def made(data, *children):
            out = Value(data)
            out.children = children
            return out

        def derivative(self, node):
            for one in (node, *self.order()):
                one.grad = 0.0
            self.backward()
            return node.grad

        def __add__(self, other):
            other = other if isinstance(other, Value) else Value(other)
            out = Value.made(self.data + other.data, self, other)

            def push():
                self.grad += out.grad
                other.grad += out.grad

            out.push = push
            return out

        def __sub__(self, other):
            other = other if isinstance(other, Value) else Value(other)
            out = Value.made(self.data - other.data, self, other)

            def push():
                self.grad += out.grad
                other.grad += -out.grad

            out.push = push
            return out

        def __mul__(self, other):
            other = other if isinstance(other, Value) else Value(other)
            out = Value.made(self.data * other.data, self, other)

            def push():
                self.grad += other.data * out.grad
                other.grad += self.data * out.grad

            out.push = push
            return out

        def __truediv__(self, other):
            other = other if isinstance(other, Value) else Value(other)
            out = Value.made(self.data / other.data, self, other)

            def push():
                self.grad += 1 / other.data * out.grad
                other.grad += -self.data / other.data**2 * out.grad

            out.push = push
            return out

        def __pow__(self, other):
            other = other if isinstance(other, Value) else Value(other)
            out = Value.made(self.data**other.data, self, other)

            def push():
                if other.data != 0:
                    self.grad += other.data * self.data ** (other.data - 1) * out.grad
                if self.data > 0:
                    other.grad += math.log(self.data) * out.data * out.grad

            out.push = push
            return out

        def __neg__(self):
            out = Value.made(-self.data, self)

            def push():
                self.grad += -out.grad

            out.push = push
            return out

        def __radd__(self, other):
            return self + other

        def __rsub__(self, other):
            return Value(other) - self

        def __rmul__(self, other):
            return self * other

        def __rtruediv__(self, other):
            return Value(other) / self

        def __rpow__(self, other):
            return Value(other) ** self

        def relu(self):
            out = Value.made(self.data if self.data > 0 else 0.0, self)

            def push():
                self.grad += (self.data > 0) * out.grad

            out.push = push
            return out

        def exp(self):
            out = Value.made(math.exp(self.data), self)

            def push():
                self.grad += out.data * out.grad

            out.push = push
            return out

        def log(self):
            out = Value.made(math.log(self.data), self)

            def push():
                self.grad += 1 / self.data * out.grad

            out.push = push
            return out

        def tanh(self):
            out = Value.made(math.tanh(self.data), self)

            def push():
                self.grad += (1 - out.data**2) * out.grad

            out.push = push
            return out

        def order(self):
            order = []
            seen = set()
            todo = [(self, False)]
            while todo:
                node, ready = todo.pop()
                if ready:
                    order.append(node)
                elif node not in seen:
                    seen.add(node)
                    todo.append((node, True))
                    for child in node.children:
                        todo.append((child, False))
            return order

        def backward(self):
            order = self.order()
            for node in order:
                if node.children:
                    node.grad = 0.0
            self.grad += 1.0
            for node in reversed(order):
                node.push()


slip("overwritten_everywhere", within=closures, was="grad +=", wrote="grad =", diagnosed="overwritten instead of added")
slip("upstream_ignored_everywhere", within=closures, was="out.grad", wrote="1.0", diagnosed="upstream gradient ignored")


@wrong("2 - x taken as x - 2", loses=("numbers on either side",), within=closures)
def reflected_minus():
    def __rsub__(self, other):
        return self - other


@wrong("2 / x taken as x / 2", loses=("numbers on either side",), within=closures)
def reflected_division():
    def __rtruediv__(self, other):
        return self / other


@wrong("power: wrong number", loses=("numbers on either side",), within=closures)
def reflected_power():
    def __rpow__(self, other):
        return self**other


@wrong("no number on the left", loses=("numbers on either side",), within=closures)
def reflected_left_out():
    def __rsub__(self, other):
        return NotImplemented

    def __rtruediv__(self, other):
        return NotImplemented

    def __rpow__(self, other):
        return NotImplemented


for _operation, _method, _was, _wrote, _what in [
    ("addition", "__add__", "other.grad += out.grad", "pass", "no gradient for the second operand"),
    ("addition", "__add__", "out.push = push", "", "no gradient"),
    ("subtraction", "__sub__", "out.push = push", "", "no gradient"),
    ("multiplication", "__mul__", "out.push = push", "", "no gradient"),
    ("division", "__truediv__", "out.push = push", "", "no gradient"),
    ("power", "__pow__", "out.push = push", "", "no gradient"),
    ("negation", "__neg__", "out.push = push", "", "no gradient"),
    ("addition", "__add__", "grad +=", "grad =", "overwritten instead of added"),
    ("subtraction", "__sub__", "grad +=", "grad =", "overwritten instead of added"),
    ("multiplication", "__mul__", "grad +=", "grad =", "overwritten instead of added"),
    ("division", "__truediv__", "grad +=", "grad =", "overwritten instead of added"),
    ("power", "__pow__", "grad +=", "grad =", "overwritten instead of added"),
    ("negation", "__neg__", "grad +=", "grad =", "overwritten instead of added"),
    ("addition", "__add__", "+= out.grad", "+= 1.0", "upstream gradient ignored"),
    ("subtraction", "__sub__", "out.grad", "1.0", "upstream gradient ignored"),
    ("multiplication", "__mul__", " * out.grad", "", "upstream gradient ignored"),
    ("division", "__truediv__", " * out.grad", "", "upstream gradient ignored"),
    ("power", "__pow__", " * out.grad", "", "upstream gradient ignored"),
    ("negation", "__neg__", "-out.grad", "-1.0", "upstream gradient ignored"),
    ("subtraction", "__sub__", "-out.grad", "out.grad", "wrong sign"),
    ("negation", "__neg__", "-out.grad", "out.grad", "wrong sign"),
    ("division", "__truediv__", "-self.data", "self.data", "wrong sign"),
    ("multiplication", "__mul__", "self.grad += other.data", "self.grad += self.data", "wrong local derivative"),
    ("division", "__truediv__", "other.data**2", "other.data", "wrong local derivative"),
    ("division", "__truediv__", "-self.data / other.data**2", "self.data", "wrong local derivative"),
    ("power", "__pow__", "other.data * self.data **", "self.data **", "wrong local derivative"),
    ("power", "__pow__", "(other.data - 1)", "other.data", "wrong local derivative"),
    (
        "power",
        "__pow__",
        "other.grad += math.log(self.data) * out.data * out.grad",
        "pass",
        "exponent without gradient",
    ),
    ("power", "__pow__", "math.log(self.data) * ", "", "wrong local derivative"),
    ("addition", "__add__", "+= out.grad", "-= out.grad", "wrong sign"),
    ("multiplication", "__mul__", "grad +=", "grad -=", "wrong sign"),
    ("power", "__pow__", "grad +=", "grad -=", "wrong sign"),
    ("subtraction", "__sub__", "self.grad += out.grad", "self.grad -= out.grad", "wrong local derivative"),
    ("negation", "__neg__", "-out.grad", "self.data * out.grad", "wrong local derivative"),
    ("subtraction", "__sub__", "other.grad += -out.grad", "pass", "no gradient for the second operand"),
    ("multiplication", "__mul__", "other.grad += self.data * out.grad", "pass", "no gradient for the second operand"),
    (
        "division",
        "__truediv__",
        "other.grad += -self.data / other.data**2 * out.grad",
        "pass",
        "no gradient for the second operand",
    ),
]:
    slip(
        f"{_operation}: {_what}: {_wrote.strip() or 'left out'}",
        within=closures,
        method=_method,
        was=_was,
        wrote=_wrote,
        diagnosed=f"{_operation}: {_what}",
    )

slip(
    "second_operand_unlike_the_first",
    within=closures,
    method="__mul__",
    was="other.grad += self.data",
    wrote="other.grad += other.data",
    diagnosed="multiplication: wrong local derivative",
)


@wrong("multiplication: wrong local derivative", within=closures)
def factors_swapped():
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value.made(self.data * other.data, self, other)

        def push():
            self.grad += self.data * out.grad
            other.grad += other.data * out.grad

        out.push = push
        return out


@wrong("addition: wrong local derivative", within=closures)
def addition_taken_for_a_square():
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value.made(self.data + other.data, self, other)

        def push():
            self.grad += self.data * out.grad
            other.grad += other.data * out.grad

        out.push = push
        return out


@wrong("not attempted", within=closures)
def power_not_attempted():
    def __pow__(self, other):
        raise NotImplementedError()


@wrong("not attempted")
def value_not_attempted():
    class Value:
        def __init__(self, data, inputs=()):
            self.data = data
            self.grad = 0.0
            raise NotImplementedError  # your code here

        def __add__(self, other):
            raise NotImplementedError  # your code here

        def backward(self):
            raise NotImplementedError  # your code here


@wrong("ZeroDivisionError at 0 ** 0", loses=("a base of 0",), within=closures)
def zero_to_the_power_of_zero():
    def __pow__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        slope = other.data * self.data ** (other.data - 1)
        out = Value.made(self.data**other.data, self, other)

        def push():
            self.grad += slope * out.grad
            if self.data > 0:
                other.grad += math.log(self.data) * out.data * out.grad

        out.push = push
        return out


# Right everywhere but in one region.
@wrong("power: wrong local derivative", loses=("a base of 0",), within=closures)
def zero_to_the_power_of_zero_rises():
    def __pow__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value.made(self.data**other.data, self, other)

        def push():
            if self.data == 0:
                self.grad += out.grad
            else:
                self.grad += other.data * self.data ** (other.data - 1) * out.grad
            if self.data > 0:
                other.grad += math.log(self.data) * out.data * out.grad

        out.push = push
        return out


@wrong("wrong", within=closures)
def gradients_capped():
    def backward(self):
        order = self.order()
        for node in order:
            if node.children:
                node.grad = 0.0
        self.grad += 1.0
        for node in reversed(order):
            node.grad = max(-100.0, min(100.0, node.grad))
            node.push()


for _name, _method, _was, _wrote, _diagnosed in [
    (
        "flipped_for_negative_denominators",
        "__truediv__",
        "other.data**2",
        "(other.data * abs(other.data))",
        "division: wrong local derivative",
    ),
    (
        "slope_of_division_capped",
        "__truediv__",
        "1 / other.data",
        "min(1 / other.data, 100.0)",
        "division: wrong local derivative",
    ),
    (
        "denominators_never_small",
        "__truediv__",
        "other.data**2",
        "max(other.data**2, 1e-3)",
        "division: wrong local derivative",
    ),
    (
        "logarithm_of_the_base_never_negative",
        "__pow__",
        "math.log(self.data)",
        "abs(math.log(self.data))",
        "power: wrong local derivative",
    ),
    (
        "negative_exponents_taken_as_positive",
        "__pow__",
        "+= other.data * self.data",
        "+= abs(other.data) * self.data",
        "power: wrong local derivative",
    ),
    (
        "negative_bases_taken_as_positive",
        "__pow__",
        "* self.data ** (",
        "* abs(self.data) ** (",
        "power: wrong local derivative",
    ),
    (
        "large_factors_capped",
        "__mul__",
        "other.grad += self.data",
        "other.grad += min(self.data, 100.0)",
        "multiplication: wrong local derivative",
    ),
    (
        "small_factors_taken_as_zero",
        "__mul__",
        "self.grad += other.data",
        "self.grad += round(other.data, 2)",
        "multiplication: wrong local derivative",
    ),
    (
        "a_node_times_itself_counted_once",
        "__mul__",
        "other.grad +=",
        "other.grad += 0 if other is self else",
        "ways not added up",
    ),
    (
        "a_node_minus_itself_counted_once",
        "__sub__",
        "other.grad +=",
        "other.grad += 0 if other is self else",
        "ways not added up",
    ),
]:
    slip(_name, within=closures, method=_method, was=_was, wrote=_wrote, diagnosed=_diagnosed)


@right
def recursion_with_a_higher_limit():
    import math
    import sys

    class Value:
        def __init__(self, data, pairs=()):
            self.data = data
            self.grad = 0
            self._parents = [node for node, _ in pairs]
            self._slopes = [slope for _, slope in pairs]

        def derivative(self, node):
            return (self is node) + sum(s * p.derivative(node) for p, s in zip(self._parents, self._slopes))

        def __add__(self, other):
            if not isinstance(other, Value):
                return Value(self.data + other, [(self, 1)])
            return Value(self.data + other.data, [(self, 1), (other, 1)])

        def __mul__(self, other):
            if not isinstance(other, Value):
                return Value(self.data * other, [(self, other)])
            return Value(self.data * other.data, [(self, other.data), (other, self.data)])

        def __pow__(self, other):
            if isinstance(other, Value):
                y = self.data**other.data
                return Value(y, [(self, other.data * y / self.data), (other, y * math.log(self.data))])
            if other == 0:
                return Value(1.0, [(self, 0.0)])
            return Value(self.data**other, [(self, other * self.data ** (other - 1))])

        def __rpow__(self, other):
            return Value(other**self.data, [(self, other**self.data * math.log(other))])

        def __neg__(self):
            return -1 * self

        def __sub__(self, other):
            return self + (-other)

        def __truediv__(self, other):
            return self * other**-1

        def __rsub__(self, other):
            return other + (-self)

        def __rtruediv__(self, other):
            return other * self**-1

        __radd__ = __add__
        __rmul__ = __mul__

        def relu(self):
            return Value(self.data, [(self, 1)]) if self.data > 0 else Value(0, [(self, 0)])

        def exp(self):
            return Value(math.exp(self.data), [(self, math.exp(self.data))])

        def log(self):
            return Value(math.log(self.data), [(self, 1 / self.data)])

        def tanh(self):
            t = math.tanh(self.data)
            return Value(t, [(self, 1 - t * t)])

        def backward(self):
            old = sys.getrecursionlimit()
            sys.setrecursionlimit(1_000_000)
            topo, visited = [], set()

            def build(v):
                if v not in visited:
                    visited.add(v)
                    for p in v._parents:
                        build(p)
                    topo.append(v)

            build(self)
            sys.setrecursionlimit(old)
            for v in topo:
                if v._parents:
                    v.grad = 0
            self.grad += 1
            for v in reversed(topo):
                for p, s in zip(v._parents, v._slopes):
                    p.grad += s * v.grad


@right
def one_class_per_operation():
    # Each operation is a Value that knows its local derivatives; uses are counted, then counted down.
    from math import exp, log, tanh

    class Value:
        def __init__(self, data, inputs=()):
            self.data = float(data)
            self.grad = 0.0
            self.inputs = [node for node, _ in inputs]
            self.given = [local for _, local in inputs]

        def locals(self):
            return self.given

        def derivative(self, node):
            if self is node:
                return 1.0
            return sum(local * one.derivative(node) for one, local in zip(self.inputs, self.locals()))

        def __add__(self, other):
            return Add(self, other)

        def __radd__(self, other):
            return Add(other, self)

        def __sub__(self, other):
            return Sub(self, other)

        def __rsub__(self, other):
            return Sub(other, self)

        def __mul__(self, other):
            return Mul(self, other)

        def __rmul__(self, other):
            return Mul(other, self)

        def __truediv__(self, other):
            return Div(self, other)

        def __rtruediv__(self, other):
            return Div(other, self)

        def __pow__(self, other):
            return Pow(self, other)

        def __rpow__(self, other):
            return Pow(other, self)

        def __neg__(self):
            return Mul(-1, self)

        def relu(self):
            return Relu(self)

        def exp(self):
            return Exp(self)

        def log(self):
            return Log(self)

        def tanh(self):
            return Tanh(self)

        def backward(self):
            uses = {}
            todo = [self]
            while todo:
                node = todo.pop()
                for source in node.inputs:
                    if id(source) not in uses:
                        uses[id(source)] = 0
                        todo.append(source)
                    uses[id(source)] += 1
            arrived = {id(self): 1.0}
            ready = [self]
            while ready:
                node = ready.pop()
                gradient = arrived[id(node)]
                node.grad = gradient if node.inputs else node.grad + gradient
                for source, local in zip(node.inputs, node.locals()):
                    arrived[id(source)] = arrived.get(id(source), 0.0) + gradient * local
                    uses[id(source)] -= 1
                    if uses[id(source)] == 0:
                        ready.append(source)

    class Operation(Value):
        def __init__(self, *inputs):
            nodes = [i if isinstance(i, Value) else Value(i) for i in inputs]
            super().__init__(self.value(*[i.data for i in nodes]))
            self.inputs = nodes

        def locals(self):
            return self.slopes(*[i.data for i in self.inputs])

    class Add(Operation):
        def value(self, a, b):
            return a + b

        def slopes(self, a, b):
            return 1.0, 1.0

    class Sub(Operation):
        def value(self, a, b):
            return a - b

        def slopes(self, a, b):
            return 1.0, -1.0

    class Mul(Operation):
        def value(self, a, b):
            return a * b

        def slopes(self, a, b):
            return b, a

    class Div(Operation):
        def value(self, a, b):
            return a / b

        def slopes(self, a, b):
            return 1 / b, -a / (b * b)

    class Pow(Operation):
        def value(self, a, b):
            return a**b

        def slopes(self, a, b):
            return b * a ** (b - 1) if b else 0.0, a**b * log(a) if a > 0 else 0.0

    class Relu(Operation):
        def value(self, a):
            return max(a, 0.0)

        def slopes(self, a):
            return (float(a > 0),)

    class Exp(Operation):
        def value(self, a):
            return exp(a)

        def slopes(self, a):
            return (self.data,)

    class Log(Operation):
        def value(self, a):
            return log(a)

        def slopes(self, a):
            return (1 / a,)

    class Tanh(Operation):
        def value(self, a):
            return tanh(a)

        def slopes(self, a):
            return (1 - self.data**2,)


@right
def numbered_at_birth():
    # A node is always younger than what it was made from, so the youngest waiting node is complete.
    import heapq
    import itertools
    import math

    births = itertools.count()

    def number(x):
        return x.data if isinstance(x, Value) else x

    class Value:
        def __init__(self, data, origins=()):
            self.data, self.grad = data, 0.0
            self.origins = [(node, slope) for node, slope in origins if isinstance(node, Value)]
            self.born = next(births)

        def derivative(self, node):
            if node.born >= self.born:
                return float(node is self)
            return sum(slope * origin.derivative(node) for origin, slope in self.origins)

        def __add__(self, other):
            return Value(self.data + number(other), [(self, 1), (other, 1)])

        __radd__ = __add__

        def __mul__(self, other):
            return Value(self.data * number(other), [(self, number(other)), (other, self.data)])

        __rmul__ = __mul__

        def __neg__(self):
            return Value(-self.data, [(self, -1)])

        def __sub__(self, other):
            return Value(self.data - number(other), [(self, 1), (other, -1)])

        def __rsub__(self, other):
            return Value(other - self.data, [(self, -1)])

        def __truediv__(self, other):
            n = number(other)
            return Value(self.data / n, [(self, 1 / n), (other, -self.data / n**2)])

        def __rtruediv__(self, other):
            return Value(other / self.data, [(self, -other / self.data**2)])

        def __pow__(self, other):
            if isinstance(other, Value):
                return (other * self.log()).exp()
            return Value(self.data**other, [(self, other * self.data ** (other - 1) if other != 0 else 0)])

        def __rpow__(self, other):
            return (self * math.log(other)).exp()

        def relu(self):
            return Value((self.data > 0) * self.data, [(self, int(self.data > 0))])

        def exp(self):
            return Value(math.exp(self.data), [(self, math.exp(self.data))])

        def log(self):
            return Value(math.log(self.data), [(self, 1 / self.data)])

        def tanh(self):
            return Value(math.tanh(self.data), [(self, 1 / math.cosh(self.data) ** 2)])

        def backward(self):
            gradients = {self.born: 1.0}
            waiting = [(-self.born, self)]
            while waiting:
                born, node = heapq.heappop(waiting)
                gradient = gradients[-born]
                node.grad = node.grad + gradient if not node.origins else gradient
                for origin, slope in node.origins:
                    if origin.born not in gradients:
                        gradients[origin.born] = 0.0
                        heapq.heappush(waiting, (-origin.born, origin))
                    gradients[origin.born] += slope * gradient


@right
def a_tape():
    # Every operation is written down as it happens; backward plays the tape in reverse.
    import math

    TAPE = []

    class Value:
        def __init__(self, data, inputs=()):
            self.data = data
            self.grad = 0.0
            if inputs:
                TAPE.append((self, inputs))

        def derivative(self, node):
            return self.played().get(node, 0.0)

        @staticmethod
        def wrap(x):
            return x if isinstance(x, Value) else Value(x)

        @staticmethod
        def record(data, *inputs):
            return Value(data, inputs)

        def __add__(self, other):
            other = Value.wrap(other)
            return Value.record(self.data + other.data, (self, 1.0), (other, 1.0))

        def __radd__(self, other):
            return Value.wrap(other) + self

        def __mul__(self, other):
            other = Value.wrap(other)
            return Value.record(self.data * other.data, (self, other.data), (other, self.data))

        def __rmul__(self, other):
            return Value.wrap(other) * self

        def __neg__(self):
            return self * -1

        def __sub__(self, other):
            return self + -Value.wrap(other)

        def __rsub__(self, other):
            return -self + other

        def __truediv__(self, other):
            return self * Value.wrap(other) ** -1

        def __rtruediv__(self, other):
            return other * self**-1

        def __pow__(self, other):
            if not isinstance(other, Value):
                return Value.record(self.data**other, (self, other * self.data ** (other - 1) if other else 0.0))
            out = self.data**other.data
            return Value.record(out, (self, out * other.data / self.data), (other, out * math.log(self.data)))

        def __rpow__(self, other):
            return Value.wrap(other) ** self

        def relu(self):
            return Value.record(max(0, self.data), (self, 1.0 if self.data > 0 else 0.0))

        def exp(self):
            e = math.exp(self.data)
            return Value.record(e, (self, e))

        def log(self):
            return Value.record(math.log(self.data), (self, self.data**-1))

        def tanh(self):
            e = math.exp(-2 * abs(self.data))
            t = math.copysign((1 - e) / (1 + e), self.data)
            return Value.record(t, (self, 1 - t**2))

        def played(self):
            found = {self: 1.0}
            for out, inputs in reversed(TAPE):
                if out in found:
                    for node, local in inputs:
                        found[node] = found.get(node, 0.0) + local * found[out]
            return found

        def backward(self):
            made = {out for out, _ in TAPE}
            for node, gradient in self.played().items():
                node.grad = gradient if node in made else node.grad + gradient


@right
def in_the_manner_of_micrograd():
    # Sums, products and powers know how to pass gradients on; everything else is made of them.
    import math

    class Value:
        def __init__(self, data, inputs=(), _op=""):
            self.data = data
            self.grad = 0
            self._prev = {node for node, _ in inputs}
            self._op = _op
            self._backward = lambda: [_receive(node, slope * self.grad) for node, slope in inputs]

        def _result(self, data, others, op):
            out = Value(data, _op=op)
            out._prev = {self, *others}
            return out

        def __repr__(self):
            return f"Value(data={self.data}, grad={self.grad})"

        def __add__(self, other):
            other = other if isinstance(other, Value) else Value(other)
            out = self._result(self.data + other.data, [other], "+")

            def _backward():
                self.grad += out.grad
                other.grad += out.grad

            out._backward = _backward
            return out

        def __mul__(self, other):
            other = other if isinstance(other, Value) else Value(other)
            out = self._result(self.data * other.data, [other], "*")

            def _backward():
                self.grad += other.data * out.grad
                other.grad += self.data * out.grad

            out._backward = _backward
            return out

        def __pow__(self, other):
            if isinstance(other, Value):
                return (self.log() * other).exp()
            out = self._result(self.data**other, [], f"**{other}")

            def _backward():
                if other:
                    self.grad += other * self.data ** (other - 1) * out.grad

            out._backward = _backward
            return out

        def __neg__(self):
            return self * -1

        def __radd__(self, other):
            return self + other

        def __sub__(self, other):
            return self + (-other)

        def __rsub__(self, other):
            return other + (-self)

        def __rmul__(self, other):
            return self * other

        def __truediv__(self, other):
            return self * other**-1

        def __rtruediv__(self, other):
            return other * self**-1

        def __rpow__(self, other):
            return Value(other) ** self

        def _function(self, data, slope, op):
            out = self._result(data, [], op)
            out._backward = lambda: _receive(self, slope * out.grad)
            return out

        def relu(self):
            return self._function(0 if self.data < 0 else self.data, self.data > 0, "ReLU")

        def exp(self):
            return self._function(math.exp(self.data), math.exp(self.data), "exp")

        def log(self):
            return self._function(math.log(self.data), 1 / self.data, "log")

        def tanh(self):
            t = math.tanh(self.data)
            return self._function(t, 1 - t**2, "tanh")

        def _topo(self):
            topo, visited, path = [], {self}, [(self, iter(self._prev))]
            while path:
                v, rest = path[-1]
                for child in rest:
                    if child not in visited:
                        visited.add(child)
                        path.append((child, iter(child._prev)))
                        break
                else:
                    topo.append(v)
                    path.pop()
            return topo

        def backward(self):
            topo = self._topo()
            for v in topo:
                if v._prev:
                    v.grad = 0
            self.grad += 1
            for v in reversed(topo):
                v._backward()

        def derivative(self, node):
            kept = {v: v.grad for v in self._topo()}
            for v in kept:
                v.grad = 0
            self.backward()
            found = node.grad if node in kept else 0
            for v, grad in kept.items():
                v.grad = grad
            return found

    def _receive(node, gradient):
        node.grad += gradient


@right
def rows_of_a_tape():
    # A tape of rows, which name earlier rows by their number. Gradients are a list as long as the tape.
    import math

    class Value:
        nodes, rows = [], []

        def __init__(self, data, inputs=()):
            self.data, self.grad, self.row = data, 0.0, len(Value.rows)
            Value.nodes.append(self)
            Value.rows.append([(node.row, local) for node, local in inputs])

        def gradients(self):
            found = [0.0] * self.row + [1.0]
            for row in range(self.row, -1, -1):
                if found[row]:
                    for source, local in Value.rows[row]:
                        found[source] += local * found[row]
            return found

        def derivative(self, node):
            return self.gradients()[node.row] if node.row <= self.row else 0.0

        def backward(self):
            for node, gradient in zip(Value.nodes, self.gradients()):
                node.grad = gradient if Value.rows[node.row] else node.grad + gradient

        def _with(self, other, data, to_self, to_other=None):
            inputs = [(self, to_self)]
            if isinstance(other, Value):
                inputs.append((other, to_other))
            return Value(data, inputs)

        def __add__(self, other):
            return self._with(other, self.data + _number(other), 1.0, 1.0)

        def __sub__(self, other):
            return self._with(other, self.data - _number(other), 1.0, -1.0)

        def __mul__(self, other):
            return self._with(other, self.data * _number(other), _number(other), self.data)

        def __truediv__(self, other):
            n = _number(other)
            return self._with(other, self.data / n, 1 / n, -self.data / n / n)

        def __pow__(self, other):
            n = _number(other)
            to_self = n * self.data ** (n - 1) if n else 0.0
            to_other = self.data**n * math.log(self.data) if isinstance(other, Value) else None
            return self._with(other, self.data**n, to_self, to_other)

        def __neg__(self):
            return Value(-self.data, [(self, -1.0)])

        __radd__, __rmul__ = __add__, __mul__

        def __rsub__(self, number):
            return Value(number - self.data, [(self, -1.0)])

        def __rtruediv__(self, number):
            return Value(number / self.data, [(self, -number / self.data**2)])

        def __rpow__(self, number):
            return Value(number**self.data, [(self, number**self.data * math.log(number))])

        def relu(self):
            return Value(max(0.0, self.data), [(self, float(self.data > 0))])

        def exp(self):
            return Value(math.exp(self.data), [(self, math.exp(self.data))])

        def log(self):
            return Value(math.log(self.data), [(self, 1.0 / self.data)])

        def tanh(self):
            return Value(math.tanh(self.data), [(self, math.cosh(self.data) ** -2)])

    def _number(x):
        return x.data if isinstance(x, Value) else x


@right
def uses_counted():
    # A table of operations; a node passes its gradient on when its last use has reported.
    import math
    from collections import Counter, deque

    class Value:
        def __init__(self, data, inputs=()):
            self.data, self.inputs, self.grad = data, list(inputs), 0.0

        def gradients(self):
            uses, known, found = Counter(), {self}, deque([self])
            while found:
                for node, _ in found.popleft().inputs:
                    uses[node] += 1
                    if node not in known:
                        known.add(node)
                        found.append(node)
            gradients, ready = Counter({self: 1.0}), deque([self])
            while ready:
                node = ready.popleft()
                for source, local in node.inputs:
                    gradients[source] += local * gradients[node]
                    uses[source] -= 1
                    if not uses[source]:
                        ready.append(source)
            return gradients

        def derivative(self, node):
            return self.gradients()[node]

        def backward(self):
            for node, gradient in self.gradients().items():
                node.grad = gradient + (0.0 if node.inputs else node.grad)

    def slope_of_power(a, b):
        return b * a ** (b - 1) if b != 0 else 0.0

    def slope_of_exponent(a, b):
        return a**b * math.log(a) if a > 0 else 0.0

    BINARY = {
        "add": (lambda a, b: a + b, lambda a, b: 1, lambda a, b: 1),
        "sub": (lambda a, b: a - b, lambda a, b: 1, lambda a, b: -1),
        "mul": (lambda a, b: a * b, lambda a, b: b, lambda a, b: a),
        "truediv": (lambda a, b: a / b, lambda a, b: 1 / b, lambda a, b: -a / b**2),
        "pow": (lambda a, b: a**b, slope_of_power, slope_of_exponent),
    }
    UNARY = {
        "__neg__": (lambda a: -a, lambda a: -1),
        "relu": (lambda a: max(a, 0.0), lambda a: float(a > 0)),
        "exp": (math.exp, math.exp),
        "log": (math.log, lambda a: 1 / a),
        "tanh": (math.tanh, lambda a: 1 - math.tanh(a) ** 2),
    }

    def binary(value, to_left, to_right, turned):
        def method(self, other):
            other = other if isinstance(other, Value) else Value(other)
            left, right = (other, self) if turned else (self, other)
            a, b = left.data, right.data
            return Value(value(a, b), [(left, to_left(a, b)), (right, to_right(a, b))])

        return method

    def unary(value, slope):
        return lambda self: Value(value(self.data), [(self, slope(self.data))])

    for name, parts in BINARY.items():
        setattr(Value, f"__{name}__", binary(*parts, turned=False))
        setattr(Value, f"__r{name}__", binary(*parts, turned=True))
    for name, parts in UNARY.items():
        setattr(Value, name, unary(*parts))


ENGINES = (
    closures,
    recursion_with_a_higher_limit,
    one_class_per_operation,
    numbered_at_birth,
    a_tape,
    in_the_manner_of_micrograd,
    rows_of_a_tape,
    uses_counted,
)
"""They answer the later tasks, too."""
