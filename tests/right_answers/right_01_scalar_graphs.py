"""Right answers to exercise 01."""

from tests.answers import right

# forward_values


@right("forward_values")
def with_if():
    def forward_values(x, w, b):
        u = x * w
        v = u + b
        if v > 0:
            a = v
        else:
            a = 0
        return dict(u=u, v=v, a=a)


@right("forward_values")
def as_float32_tensors():
    import torch

    def forward_values(x, w, b):
        x, w, b = torch.tensor(x), torch.tensor(w), torch.tensor(b)
        u = x * w
        v = u + b
        return {"u": u, "v": v, "a": torch.relu(v)}


@right("forward_values")
def tensors_with_one_axis_and_a_key_too_many():
    import torch

    def forward_values(x, w, b):
        nodes = {"x": torch.tensor([x], requires_grad=True, dtype=torch.float64)}
        nodes["u"] = nodes["x"] * w
        nodes["v"] = nodes["u"] + b
        nodes["a"] = nodes["v"].clamp(min=0)
        return nodes


@right("forward_values")
def gate_as_a_factor():
    def forward_values(x, w, b):
        values = {"u": w * x}
        values["v"] = b + values["u"]
        values["a"] = values["v"] * (values["v"] > 0)
        return values


# partials


@right("partials")
def early_return():
    def partials(x, w, b):
        if x * w + b <= 0:
            return {"x": 0, "w": 0, "b": 0, "u": 0, "v": 0}
        return {"x": w, "w": x, "b": 1, "u": 1, "v": 1}


@right("partials")
def asked_of_torch_in_float32():
    import torch

    def partials(x, w, b):
        x = torch.tensor(x, requires_grad=True)
        w = torch.tensor(w, requires_grad=True)
        b = torch.tensor(b, requires_grad=True)
        u = x * w
        v = u + b
        a = torch.relu(v)
        return dict(zip("xwbuv", torch.autograd.grad(a, (x, w, b, u, v))))


@right("partials")
def retained_by_torch():
    import torch

    def partials(x, w, b):
        x, w, b = (torch.tensor([n], dtype=torch.float64, requires_grad=True) for n in (x, w, b))
        u = x * w
        v = u + b
        u.retain_grad()
        v.retain_grad()
        v.relu().sum().backward()
        return {name: node.grad for name, node in {"x": x, "w": w, "b": b, "u": u, "v": v}.items()}


@right("partials")
def pushed_forward():
    # The derivative with respect to one node at a time, carried along with the value.
    def partials(x, w, b):
        def towards(name):
            d = {node: 1.0 if node == name else 0.0 for node in "xwbuv"}
            d_u = d["u"] + d["x"] * w + x * d["w"]
            d_v = d["v"] + d_u + d["b"]
            return d_v if x * w + b > 0 else 0.0

        return {name: towards(name) for name in "xwbuv"}


# partials_twin


@right("partials_twin")
def expanded():
    def partials_twin(x, w, b):
        if 2 * x * w + 5 * b > 0:
            return {"x": 6 * w, "w": 6 * x, "b": 15, "u": 6, "v": 3}
        return dict.fromkeys("xwbuv", 0)


@right("partials_twin")
def twin_asked_of_torch():
    import torch

    def partials_twin(x, w, b):
        x, w, b = [torch.tensor(n, requires_grad=True) for n in (x, w, b)]
        u = x * w
        v = 2 * u + 5 * b
        grads = torch.autograd.grad(3 * torch.relu(v), [x, w, b, u, v])
        return {"x": grads[0], "w": grads[1], "b": grads[2], "u": grads[3], "v": grads[4]}


@right("partials_twin")
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


# path_sum


@right("path_sum")
def remembered_in_a_dict():
    def path_sum(edges, start, end):
        known = {end: 1.0}

        def down(node):
            if node not in known:
                total = 0.0
                for source, target, local in edges:
                    if source == node:
                        total += local * down(target)
                known[node] = total
            return known[node]

        return down(start)


@right("path_sum")
def edges_into_a_node():
    from functools import lru_cache

    def path_sum(edges, start, end):
        @lru_cache(None)
        def up(node):
            if node == start:
                return 1
            return sum(up(source) * local for source, target, local in edges if target == node)

        return up(end)


@right("path_sum")
def sorted_by_the_standard_library():
    from collections import Counter
    from graphlib import TopologicalSorter

    def path_sum(edges, start, end):
        sorter = TopologicalSorter({start: set(), end: set()})
        for source, target, local in edges:
            sorter.add(target, source)
        total = Counter({start: 1.0})
        for node in sorter.static_order():
            for source, target, local in edges:
                if source == node:
                    total[target] += total[source] * local
        return float(total[end])


@right("path_sum")
def one_length_after_another():
    # After k rounds `ends` holds the sums over all paths of k edges, by their last node.
    def path_sum(edges, start, end):
        ends, total = {start: 1.0}, 0.0
        while ends:
            total += ends.get(end, 0.0)
            longer = {}
            for source, target, local in edges:
                if source in ends:
                    longer[target] = longer.get(target, 0.0) + ends[source] * local
            ends = longer
        return total


@right("path_sum")
def matrix_inverse_by_torch():
    import torch

    def path_sum(edges, start, end):
        names = list(dict.fromkeys([start, end] + [name for edge in edges for name in edge[:2]]))
        A = torch.zeros(len(names), len(names), dtype=torch.float64)
        for source, target, local in edges:
            A[names.index(source), names.index(target)] += local
        return torch.linalg.inv(torch.eye(len(names), dtype=torch.float64) - A)[names.index(start), names.index(end)]


# finite_difference


@right("finite_difference")
def clone_and_write():
    import torch

    def finite_difference(f, x):
        eps = 1e-6
        out = []
        for i in range(x.numel()):
            plus = x.clone()
            plus[i] += eps
            minus = x.clone()
            minus[i] -= eps
            out.append((f(plus).item() - f(minus).item()) / (2 * eps))
        return out


@right("finite_difference")
def rows_of_the_identity():
    import torch

    def finite_difference(f, x):
        h = 2e-5
        steps = h * torch.eye(len(x), dtype=x.dtype)
        return torch.stack([(f(x + step) - f(x - step)) / (2 * h) for step in steps])


@right("finite_difference")
def five_points():
    import torch

    def finite_difference(f, x):
        h = 1e-3
        result = []
        for step in h * torch.eye(len(x), dtype=torch.float64):
            near = f(x + step) - f(x - step)
            far = f(x + 2 * step) - f(x - 2 * step)
            result.append(((8 * near - far) / (12 * h)).item())
        return tuple(result)


@right("finite_difference")
def moved_and_put_back():
    import torch

    def finite_difference(f, x):
        h, gradient = 1e-5, []
        for i in range(len(x)):
            before = x[i].item()
            x[i] = before + h
            above = f(x)
            x[i] = before - h
            below = f(x)
            x[i] = before
            gradient.append((above - below) / (2 * h))
        return gradient


# Value


@right("Value")
def closures():
    import math

    class Value:
        def __init__(self, data, children=()):
            self.data = data
            self.grad = 0.0
            self.children = children
            self.push = lambda: None

        def __add__(self, other):
            other = other if isinstance(other, Value) else Value(other)
            out = Value(self.data + other.data, (self, other))

            def push():
                self.grad += out.grad
                other.grad += out.grad

            out.push = push
            return out

        def __sub__(self, other):
            other = other if isinstance(other, Value) else Value(other)
            out = Value(self.data - other.data, (self, other))

            def push():
                self.grad += out.grad
                other.grad += -out.grad

            out.push = push
            return out

        def __mul__(self, other):
            other = other if isinstance(other, Value) else Value(other)
            out = Value(self.data * other.data, (self, other))

            def push():
                self.grad += other.data * out.grad
                other.grad += self.data * out.grad

            out.push = push
            return out

        def __truediv__(self, other):
            other = other if isinstance(other, Value) else Value(other)
            out = Value(self.data / other.data, (self, other))

            def push():
                self.grad += 1 / other.data * out.grad
                other.grad += -self.data / other.data**2 * out.grad

            out.push = push
            return out

        def __pow__(self, other):
            other = other if isinstance(other, Value) else Value(other)
            out = Value(self.data**other.data, (self, other))

            def push():
                if other.data != 0:
                    self.grad += other.data * self.data ** (other.data - 1) * out.grad
                if self.data > 0:
                    other.grad += math.log(self.data) * out.data * out.grad

            out.push = push
            return out

        def __neg__(self):
            out = Value(-self.data, (self,))

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
            out = Value(self.data if self.data > 0 else 0.0, (self,))

            def push():
                self.grad += (self.data > 0) * out.grad

            out.push = push
            return out

        def exp(self):
            out = Value(math.exp(self.data), (self,))

            def push():
                self.grad += out.data * out.grad

            out.push = push
            return out

        def log(self):
            out = Value(math.log(self.data), (self,))

            def push():
                self.grad += 1 / self.data * out.grad

            out.push = push
            return out

        def tanh(self):
            out = Value(math.tanh(self.data), (self,))

            def push():
                self.grad += (1 - out.data**2) * out.grad

            out.push = push
            return out

        def backward(self):
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
            for node in order:
                if node.children:
                    node.grad = 0.0
            self.grad += 1.0
            for node in reversed(order):
                node.push()


@right("Value")
def one_class_per_operation():
    # Each operation is a Value that knows its local derivatives; uses are counted, then counted down.
    from math import exp, log, tanh

    class Value:
        inputs = ()

        def __init__(self, data):
            self.data = float(data)
            self.grad = 0.0

        def locals(self):
            return ()

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
            self.inputs = [i if isinstance(i, Value) else Value(i) for i in inputs]
            super().__init__(self.value(*[i.data for i in self.inputs]))

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


@right("Value")
def numbered_at_birth():
    # A node is always younger than what it was made from, so the youngest waiting node is complete.
    import heapq
    import itertools
    import math

    births = itertools.count()

    def number(x):
        return x.data if isinstance(x, Value) else x

    class Value:
        def __init__(self, data, *origins):
            self.data, self.grad = data, 0.0
            self.origins = [(node, slope) for node, slope in origins if isinstance(node, Value)]
            self.born = next(births)

        def __add__(self, other):
            return Value(self.data + number(other), (self, 1), (other, 1))

        __radd__ = __add__

        def __mul__(self, other):
            return Value(self.data * number(other), (self, number(other)), (other, self.data))

        __rmul__ = __mul__

        def __neg__(self):
            return Value(-self.data, (self, -1))

        def __sub__(self, other):
            return Value(self.data - number(other), (self, 1), (other, -1))

        def __rsub__(self, other):
            return Value(other - self.data, (self, -1))

        def __truediv__(self, other):
            n = number(other)
            return Value(self.data / n, (self, 1 / n), (other, -self.data / n**2))

        def __rtruediv__(self, other):
            return Value(other / self.data, (self, -other / self.data**2))

        def __pow__(self, other):
            if isinstance(other, Value):
                return (other * self.log()).exp()
            return Value(self.data**other, (self, other * self.data ** (other - 1) if other != 0 else 0))

        def __rpow__(self, other):
            return (self * math.log(other)).exp()

        def relu(self):
            return Value((self.data > 0) * self.data, (self, int(self.data > 0)))

        def exp(self):
            return Value(math.exp(self.data), (self, math.exp(self.data)))

        def log(self):
            return Value(math.log(self.data), (self, 1 / self.data))

        def tanh(self):
            return Value(math.tanh(self.data), (self, 1 / math.cosh(self.data) ** 2))

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


@right("Value")
def a_tape():
    # Every operation is written down as it happens; backward plays the tape in reverse.
    import math

    TAPE = []

    class Value:
        def __init__(self, data):
            self.data = data
            self.grad = 0.0

        @staticmethod
        def wrap(x):
            return x if isinstance(x, Value) else Value(x)

        @staticmethod
        def record(data, *inputs):
            out = Value(data)
            TAPE.append((out, inputs))
            return out

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

        def backward(self):
            found = {self: 1.0}
            made = set()
            for out, inputs in reversed(TAPE):
                if out in found:
                    made.add(out)
                    for node, local in inputs:
                        found[node] = found.get(node, 0.0) + local * found[out]
            for node, gradient in found.items():
                node.grad = gradient if node in made else node.grad + gradient


@right("Value")
def recursion_with_a_higher_limit():
    import math
    import sys

    class Value:
        def __init__(self, data, parents=(), slopes=()):
            self.data = data
            self.grad = 0
            self._parents = parents
            self._slopes = slopes

        def __add__(self, other):
            if not isinstance(other, Value):
                return Value(self.data + other, [self], [1])
            return Value(self.data + other.data, [self, other], [1, 1])

        def __mul__(self, other):
            if not isinstance(other, Value):
                return Value(self.data * other, [self], [other])
            return Value(self.data * other.data, [self, other], [other.data, self.data])

        def __pow__(self, other):
            if isinstance(other, Value):
                y = self.data**other.data
                return Value(y, [self, other], [other.data * y / self.data, y * math.log(self.data)])
            if other == 0:
                return Value(1.0, [self], [0.0])
            return Value(self.data**other, [self], [other * self.data ** (other - 1)])

        def __rpow__(self, other):
            return Value(other**self.data, [self], [other**self.data * math.log(other)])

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
            return Value(self.data, [self], [1]) if self.data > 0 else Value(0, [self], [0])

        def exp(self):
            return Value(math.exp(self.data), [self], [math.exp(self.data)])

        def log(self):
            return Value(math.log(self.data), [self], [1 / self.data])

        def tanh(self):
            t = math.tanh(self.data)
            return Value(t, [self], [1 - t * t])

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


# fit_neuron


@right("fit_neuron")
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


@right("fit_neuron")
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


@right("fit_neuron")
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


@right("fit_neuron")
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
