"""Wrong answers to exercise 01."""

from tests.answers import slip, wrong
from tests.right_answers.right_01_scalar_graphs import closures, recursion_with_a_higher_limit

# forward_values


@wrong("forward_values", diagnosed="not attempted")
def forward_not_attempted():
    def forward_values(x, w, b):
        raise NotImplementedError  # your code here


@wrong("forward_values", diagnosed="relu forgotten")
def relu_forgotten():
    def forward_values(x, w, b):
        u = x * w
        v = u + b
        a = v
        return {"u": u, "v": v, "a": a}


@wrong("forward_values", diagnosed="w + b first")
def b_added_before_the_product():
    def forward_values(x, w, b):
        u = w + b
        v = x * u
        return {"u": u, "v": v, "a": max(0.0, v)}


@wrong("forward_values", diagnosed="w + b first")
def brackets_in_the_wrong_place():
    def forward_values(x, w, b):
        v = x * (w + b)
        return {"u": x * w, "v": v, "a": max(0.0, v)}


@wrong("forward_values", diagnosed="sum instead of product")
def x_plus_w():
    def forward_values(x, w, b):
        u = x + w
        v = u + b
        return {"u": u, "v": v, "a": max(0.0, v)}


@wrong("forward_values", diagnosed="absolute value instead of relu")
def size_of_v():
    def forward_values(x, w, b):
        u = x * w
        v = u + b
        return {"u": u, "v": v, "a": abs(v)}


@wrong("forward_values", diagnosed="relu taken too early")
def v_cut_at_zero():
    def forward_values(x, w, b):
        u = x * w
        v = max(0.0, u + b)
        a = v
        return {"u": u, "v": v, "a": a}


@wrong("forward_values", diagnosed="b left out")
def without_b():
    def forward_values(x, w, b):
        u = x * w
        v = u
        return {"u": u, "v": v, "a": max(0.0, v)}


@wrong("forward_values", diagnosed="b subtracted")
def minus_b():
    def forward_values(x, w, b):
        u = x * w
        v = u - b
        return {"u": u, "v": v, "a": max(0.0, v)}


@wrong("forward_values", diagnosed="under another name")
def u_and_v_swapped():
    def forward_values(x, w, b):
        u = x * w
        v = u + b
        a = max(0.0, v)
        return dict(zip(["v", "u", "a"], [u, v, a]))


# partials


@wrong("partials", diagnosed="x and w swapped")
def x_and_w_swapped():
    def partials(x, w, b):
        gate = 1.0 if x * w + b > 0 else 0.0
        return {"x": gate * x, "w": gate * w, "b": gate, "u": gate, "v": gate}


@wrong("partials", diagnosed="relu's gate forgotten")
def gate_forgotten():
    def partials(x, w, b):
        return {"x": w, "w": x, "b": 1.0, "u": 1.0, "v": 1.0}


@wrong("partials", diagnosed="the edge taken as open")
def open_at_zero():
    def partials(x, w, b):
        v = x * w + b
        gate = 1.0 if v >= 0 else 0.0
        return {"x": gate * w, "w": gate * x, "b": gate, "u": gate, "v": gate}


@wrong("partials", diagnosed="half at the edge")
def half_at_zero():
    def partials(x, w, b):
        def a(x, w, b):
            return max(0.0, x * w + b)

        def slope(f):
            return (f(1e-4) - f(-1e-4)) / 2e-4

        gate = slope(lambda h: max(0.0, x * w + b + h))
        return {
            "x": slope(lambda h: a(x + h, w, b)),
            "w": slope(lambda h: a(x, w + h, b)),
            "b": slope(lambda h: a(x, w, b + h)),
            "u": gate,
            "v": gate,
        }


@wrong("partials", diagnosed="gate of u instead of v")
def gate_of_u():
    def partials(x, w, b):
        u = x * w
        gate = 1.0 if u > 0 else 0.0
        return {"x": gate * w, "w": gate * x, "b": gate, "u": gate, "v": gate}


@wrong("partials", diagnosed="gate only on v")
def gate_only_on_v():
    def partials(x, w, b):
        v = x * w + b
        d_a_v = 1.0 if v > 0 else 0.0
        d_v_u = 1.0
        d_v_b = 1.0
        return {"x": w * d_v_u, "w": x * d_v_u, "b": d_v_b, "u": d_v_u, "v": d_a_v}


@wrong("partials", diagnosed="the node's value instead of its partial")
def values_of_the_nodes():
    def partials(x, w, b):
        u = x * w
        v = u + b
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@wrong("partials", diagnosed="partials of u instead of a")
def stopped_at_u():
    def partials(x, w, b):
        return {"x": w, "w": x, "b": 0.0, "u": 1.0, "v": 0.0}


@wrong("partials", diagnosed="multiplied by the output")
def relu_instead_of_its_slope():
    def partials(x, w, b):
        v = x * w + b
        a = max(0.0, v)
        return {"x": a * w, "w": a * x, "b": a, "u": a, "v": a}


@wrong("partials", diagnosed="sign")
def minus_the_gradient():
    def partials(x, w, b):
        gate = 1.0 if x * w + b > 0 else 0.0
        return {"x": -gate * w, "w": -gate * x, "b": -gate, "u": -gate, "v": -gate}


# partials_twin


@wrong("partials_twin", diagnosed="not attempted")
def twin_not_attempted():
    def partials_twin(x, w, b):
        raise NotImplementedError


@wrong("partials_twin", diagnosed="names and gradients out of step")
def names_out_of_step():
    def partials_twin(x, w, b):
        d_v = 3.0 if 2 * x * w + 5 * b > 0 else 0.0
        d_u = 2 * d_v
        d_b = 5 * d_v
        d_w = d_u * x
        d_x = d_u * w
        return dict(zip(["x", "w", "b", "u", "v"], [d_b, d_u, d_v, d_w, d_x]))


@wrong("partials_twin", diagnosed="only the last local derivative")
def each_edge_alone():
    def partials_twin(x, w, b):
        v = 2 * x * w + 5 * b
        return {"x": w, "w": x, "b": 5.0, "u": 2.0, "v": 3.0 if v > 0 else 0.0}


@wrong("partials_twin", diagnosed="relu's factor 3 forgotten")
def three_forgotten():
    def partials_twin(x, w, b):
        gate = 1.0 if 2 * x * w + 5 * b > 0 else 0.0
        return {"x": 2 * w * gate, "w": 2 * x * gate, "b": 5 * gate, "u": 2 * gate, "v": gate}


@wrong("partials_twin", diagnosed="x and w swapped")
def twin_x_and_w_swapped():
    def partials_twin(x, w, b):
        gate = 3.0 if 2 * x * w + 5 * b > 0 else 0.0
        return {"x": 2 * x * gate, "w": 2 * w * gate, "b": 5 * gate, "u": 2 * gate, "v": gate}


@wrong("partials_twin", diagnosed="relu's gate forgotten")
def twin_gate_forgotten():
    def partials_twin(x, w, b):
        return {"x": 6 * w, "w": 6 * x, "b": 15.0, "u": 6.0, "v": 3.0}


@wrong("partials_twin", diagnosed="gate of the first graph")
def gate_of_the_first_graph():
    def partials_twin(x, w, b):
        gate = 3.0 if x * w + b > 0 else 0.0
        return {"x": 2 * w * gate, "w": 2 * x * gate, "b": 5 * gate, "u": 2 * gate, "v": gate}


@wrong("partials_twin", diagnosed="the first graph's partials")
def first_graph_again():
    def partials_twin(x, w, b):
        gate = 1.0 if x * w + b > 0 else 0.0
        return {"x": gate * w, "w": gate * x, "b": gate, "u": gate, "v": gate}


@wrong("partials_twin", diagnosed="the edge taken as open")
def twin_open_at_zero():
    def partials_twin(x, w, b):
        v = 2 * x * w + 5 * b
        if v < 0:
            return {"x": 0, "w": 0, "b": 0, "u": 0, "v": 0}
        return {"x": 6 * w, "w": 6 * x, "b": 15, "u": 6, "v": 3}


@wrong("partials_twin", diagnosed="the node's value instead of its partial")
def twin_values_of_the_nodes():
    def partials_twin(x, w, b):
        u = x * w
        return {"x": x, "w": w, "b": b, "u": u, "v": 2 * u + 5 * b}


@wrong("partials_twin", diagnosed="sum instead of product")
def derivatives_added_along_the_path():
    def partials_twin(x, w, b):
        d_a_v = 3.0 if 2 * x * w + 5 * b > 0 else 0.0
        d_a_u = d_a_v + 2
        d_a_b = d_a_v + 5
        return {"x": d_a_u + w, "w": d_a_u + x, "b": d_a_b, "u": d_a_u, "v": d_a_v}


# path_sum


@wrong("path_sum", diagnosed="not attempted")
def path_sum_not_attempted():
    def path_sum(edges, start, end):
        raise NotImplementedError()


@wrong("path_sum", diagnosed="only one path")
def first_path_found():
    def path_sum(edges, start, end):
        def search(node):
            if node == end:
                return 1.0
            for source, target, local in edges:
                if source == node:
                    rest = search(target)
                    if rest is not None:
                        return local * rest
            return None

        return search(start) or 0.0


@wrong("path_sum", diagnosed="only one path", endless=True)
def last_edge_wins():
    def path_sum(edges, start, end):
        came_from = {}
        for source, target, local in edges:
            came_from.setdefault(target, []).append((source, local))

        def back(node):
            if node == start:
                return 1.0
            result = 0.0
            for source, local in came_from.get(node, []):
                rest = back(source)
                if rest != 0.0:
                    result = local * rest
            return result

        return back(end)


@wrong("path_sum", diagnosed="sum where the product belongs")
def added_along_the_path():
    def path_sum(edges, start, end):
        known = {}

        def paths(node):  # number of paths, and the sum over all of them
            if node == end:
                return 1, 0.0
            if node not in known:
                count, total = 0, 0.0
                for source, target, local in edges:
                    if source == node:
                        c, t = paths(target)
                        count += c
                        total += t + c * local
                known[node] = count, total
            return known[node]

        return paths(start)[1]


@wrong("path_sum", diagnosed="product where the sum belongs", endless=True)
def paths_multiplied():
    def path_sum(edges, start, end):
        products = []

        def walk(node, product):
            if node == end:
                products.append(product)
            for source, target, local in edges:
                if source == node:
                    walk(target, product * local)

        walk(start, 1.0)
        result = 1.0 if products else 0.0
        for p in products:
            result *= p
        return result


@wrong("path_sum", diagnosed="only the longest or the largest path", endless=True)
def largest_path():
    def path_sum(edges, start, end):
        best = []

        def walk(node, product):
            if node == end:
                best.append(product)
            for source, target, local in edges:
                if source == node:
                    walk(target, product * local)

        walk(start, 1.0)
        return max(best, default=0.0)


@wrong("path_sum", diagnosed="paths counted")
def number_of_paths():
    def path_sum(edges, start, end):
        known = {end: 1.0}

        def count(node):
            if node not in known:
                known[node] = sum(count(target) for source, target, local in edges if source == node)
            return known[node]

        return count(start)


@wrong("path_sum", diagnosed="parallel edges lost")
def dict_of_edges():
    def path_sum(edges, start, end):
        graph = {}
        for source, target, local in edges:
            graph.setdefault(source, {})[target] = local
        known = {end: 1.0}

        def down(node):
            if node not in known:
                known[node] = sum(local * down(target) for target, local in graph.get(node, {}).items())
            return known[node]

        return down(start)


@wrong("path_sum", diagnosed="edges taken in the order of the list")
def one_sweep():
    def path_sum(edges, start, end):
        total = {start: 1.0}
        for source, target, local in edges:
            total[target] = total.get(target, 0.0) + total.get(source, 0.0) * local
        return total.get(end, 0.0)


@wrong("path_sum", diagnosed="arrows ignored", endless=True)
def both_directions():
    def path_sum(edges, start, end):
        def walk(node, visited):
            if node == end:
                return 1.0
            total = 0.0
            for source, target, local in edges:
                if source == node and target not in visited:
                    total += local * walk(target, visited | {target})
                if target == node and source not in visited:
                    total += local * walk(source, visited | {source})
            return total

        return walk(start, {start})


@wrong("path_sum", diagnosed="no path from a node to itself")
def empty_path_forgotten():
    def path_sum(edges, start, end):
        known = {}

        def down(node):
            if node not in known:
                known[node] = 0.0
                for source, target, local in edges:
                    if source == node:
                        known[node] += local * (1.0 if target == end else down(target))
            return known[node]

        return down(start)


@wrong("path_sum", diagnosed="visited nodes skipped")
def visited_set():
    def path_sum(edges, start, end):
        visited = set()

        def walk(node):
            if node == end:
                return 1.0
            if node in visited:
                return 0.0
            visited.add(node)
            return sum(local * walk(target) for source, target, local in edges if source == node)

        return walk(start)


@wrong("path_sum", diagnosed="argument changed", endless=True)
def edges_used_up():
    def path_sum(edges, start, end):
        if start == end:
            return 1.0
        into_end = [edge for edge in edges if edge[1] == end]
        for edge in into_end:
            edges.remove(edge)
        return sum(local * path_sum(list(edges), start, source) for source, target, local in into_end)


@wrong("path_sum", diagnosed="too slow", endless=True)
def every_path_on_its_own():
    def path_sum(edges, start, end):
        if start == end:
            return 1.0
        total = 0.0
        for source, target, local in edges:
            if source == start:
                total += local * path_sum(edges, target, end)
        return total


@wrong("path_sum", diagnosed="too slow", endless=True)
def paths_walked_with_a_stack():
    def path_sum(edges, start, end):
        total = 0.0
        stack = [(start, 1.0)]
        while stack:
            node, product = stack.pop()
            if node == end:
                total += product
            else:
                stack += [(target, product * local) for source, target, local in edges if source == node]
        return total


# finite_difference


@wrong("finite_difference", diagnosed="not attempted")
def finite_difference_not_attempted():
    def finite_difference(f, x):
        raise NotImplementedError()


@wrong("finite_difference", diagnosed="one-sided")
def forward_difference():
    import torch

    def finite_difference(f, x):
        h = 1e-5
        gradient = []
        for i in range(len(x)):
            step = torch.zeros_like(x)
            step[i] = h
            gradient.append(((f(x + step) - f(x)) / h).item())
        return gradient


@wrong("finite_difference", diagnosed="one-sided")
def backward_difference():
    import torch

    def finite_difference(f, x):
        h = 1e-5
        gradient = []
        for i in range(len(x)):
            step = torch.zeros_like(x)
            step[i] = h
            gradient.append(((f(x) - f(x - step)) / h).item())
        return gradient


@wrong("finite_difference", diagnosed="not central")
def one_sided_but_close_enough():
    def finite_difference(f, x):
        h = 1e-8
        gradient = []
        for i in range(len(x)):
            moved = x.clone()
            moved[i] += h
            gradient.append(((f(moved) - f(x)) / h).item())
        return gradient


@wrong("finite_difference", diagnosed="all elements moved at once")
def all_at_once():
    def finite_difference(f, x):
        h = 1e-5
        return [((f(x + h) - f(x - h)) / (2 * h)).item() for _ in x]


@wrong("finite_difference", diagnosed="step too small")
def tiny_step():
    import torch

    def finite_difference(f, x):
        h = 1e-12
        gradient = []
        for i in range(len(x)):
            step = torch.zeros_like(x)
            step[i] = h
            gradient.append(((f(x + step) - f(x - step)) / (2 * h)).item())
        return gradient


@wrong("finite_difference", diagnosed="step too large")
def large_step():
    import torch

    def finite_difference(f, x):
        h = 1e-2
        gradient = []
        for i in range(len(x)):
            step = torch.zeros_like(x)
            step[i] = h
            gradient.append(((f(x + step) - f(x - step)) / (2 * h)).item())
        return gradient


@wrong("finite_difference", diagnosed="step too large")
def a_step_of_a_thousandth():
    import torch

    def finite_difference(f, x):
        h = 1e-3
        gradient = []
        for i in range(len(x)):
            step = torch.zeros_like(x)
            step[i] = h
            gradient.append(((f(x + step) - f(x - step)) / (2 * h)).item())
        return gradient


@wrong("finite_difference", diagnosed="step too large")
def a_step_that_grows_with_x():
    import torch

    def finite_difference(f, x):
        gradient = []
        for i in range(len(x)):
            step = torch.zeros_like(x)
            step[i] = 1e-3 * abs(x[i]) + 1e-4
            gradient.append(((f(x + step) - f(x - step)) / (2 * step[i])).item())
        return gradient


@wrong("finite_difference", diagnosed="not divided by twice the step")
def divided_by_h():
    import torch

    def finite_difference(f, x):
        h = 1e-5
        gradient = []
        for i in range(len(x)):
            step = torch.zeros_like(x)
            step[i] = h
            gradient.append(((f(x + step) - f(x - step)) / h).item())
        return gradient


@wrong("finite_difference", diagnosed="elements left moved")
def never_put_back():
    def finite_difference(f, x):
        h = 1e-5
        x = x.clone()
        gradient = []
        for i in range(len(x)):
            x[i] += h
            above = f(x).item()
            x[i] -= 2 * h
            below = f(x).item()
            gradient.append((above - below) / (2 * h))
        return gradient


@wrong("finite_difference", diagnosed="argument changed")
def put_back_by_subtraction():
    # 0.1 + h - 2 * h + h is not quite 0.1.
    def finite_difference(f, x):
        h = 1e-5
        gradient = []
        for i in range(len(x)):
            x[i] += h
            above = f(x).item()
            x[i] -= 2 * h
            below = f(x).item()
            x[i] += h
            gradient.append((above - below) / (2 * h))
        return gradient


@wrong("finite_difference", diagnosed="not central")
def autograd_instead():
    import torch

    def finite_difference(f, x):
        leaf = x.clone().requires_grad_()
        f(leaf).backward()
        return leaf.grad.tolist()


@wrong("finite_difference", diagnosed="float32")
def in_float32():
    import torch

    def finite_difference(f, x):
        h = 1e-3
        gradient = []
        for i in range(len(x)):
            step = torch.zeros(len(x))
            step[i] = h
            above = f((x.float() + step).double()).float()
            below = f((x.float() - step).double()).float()
            gradient.append(float((above - below) / (2 * h)))
        return gradient


# Value: every operation's gradient wrong in turn

for _operation, _method, _was, _wrote, _what in [
    # nothing arrives
    ("addition", "__add__", "other.grad += out.grad", "pass", "no gradient for the second operand"),
    ("addition", "__add__", "out.push = push", "", "no gradient"),
    ("subtraction", "__sub__", "out.push = push", "", "no gradient"),
    ("multiplication", "__mul__", "out.push = push", "", "no gradient"),
    ("division", "__truediv__", "out.push = push", "", "no gradient"),
    ("power", "__pow__", "out.push = push", "", "no gradient"),
    ("negation", "__neg__", "out.push = push", "", "no gradient"),
    ("relu", "relu", "out.push = push", "", "no gradient"),
    ("exp", "exp", "out.push = push", "", "no gradient"),
    ("log", "log", "out.push = push", "", "no gradient"),
    ("tanh", "tanh", "out.push = push", "", "no gradient"),
    # what was there before is lost
    ("addition", "__add__", "grad +=", "grad =", "overwritten instead of added"),
    ("subtraction", "__sub__", "grad +=", "grad =", "overwritten instead of added"),
    ("multiplication", "__mul__", "grad +=", "grad =", "overwritten instead of added"),
    ("division", "__truediv__", "grad +=", "grad =", "overwritten instead of added"),
    ("power", "__pow__", "grad +=", "grad =", "overwritten instead of added"),
    ("negation", "__neg__", "grad +=", "grad =", "overwritten instead of added"),
    ("relu", "relu", "grad +=", "grad =", "overwritten instead of added"),
    ("exp", "exp", "grad +=", "grad =", "overwritten instead of added"),
    ("log", "log", "grad +=", "grad =", "overwritten instead of added"),
    ("tanh", "tanh", "grad +=", "grad =", "overwritten instead of added"),
    # the gradient from above is left out
    ("addition", "__add__", "+= out.grad", "+= 1.0", "upstream gradient ignored"),
    ("subtraction", "__sub__", "out.grad", "1.0", "upstream gradient ignored"),
    ("multiplication", "__mul__", " * out.grad", "", "upstream gradient ignored"),
    ("division", "__truediv__", " * out.grad", "", "upstream gradient ignored"),
    ("power", "__pow__", " * out.grad", "", "upstream gradient ignored"),
    ("negation", "__neg__", "-out.grad", "-1.0", "upstream gradient ignored"),
    ("relu", "relu", " * out.grad", "", "upstream gradient ignored"),
    ("exp", "exp", " * out.grad", "", "upstream gradient ignored"),
    ("log", "log", " * out.grad", "", "upstream gradient ignored"),
    ("tanh", "tanh", " * out.grad", "", "upstream gradient ignored"),
    # the local derivative is another one
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
    ("exp", "exp", "out.data * out.grad", "self.data * out.grad", "wrong local derivative"),
    ("exp", "exp", "out.data * out.grad", "self.data * math.exp(self.data - 1) * out.grad", "wrong local derivative"),
    ("log", "log", "1 / self.data", "1 / out.data", "wrong local derivative"),
    ("log", "log", "1 / self.data", "out.data", "wrong local derivative"),
    ("log", "log", "1 / self.data", "1 / (self.data * math.log(10))", "wrong local derivative"),
    ("tanh", "tanh", "out.data**2", "out.data", "wrong local derivative"),
    ("tanh", "tanh", "out.data**2", "self.data**2", "wrong local derivative"),
    ("relu", "relu", "(self.data > 0)", "(out.grad > 0)", "gate of the gradient instead of the input"),
]:
    slip(
        "Value",
        f"{_operation}: {_what}: {_wrote.strip() or 'left out'}",
        within=closures,
        method=_method,
        was=_was,
        wrote=_wrote,
        diagnosed=f"{_operation}: {_what}",
    )

slip(
    "Value",
    "second_operand_unlike_the_first",
    within=closures,
    method="__mul__",
    was="other.grad += self.data",
    wrote="other.grad += other.data",
    diagnosed="multiplication: wrong local derivative",
)
slip(
    "Value",
    "overwritten_everywhere",
    within=closures,
    was="grad +=",
    wrote="grad =",
    diagnosed="overwritten instead of added",
)
slip(
    "Value",
    "upstream_ignored_everywhere",
    within=closures,
    was="out.grad",
    wrote="1.0",
    diagnosed="upstream gradient ignored",
)


# Value: more than one line


@wrong("Value", within=closures, diagnosed="multiplication: wrong local derivative")
def factors_swapped():
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))

        def push():
            self.grad += self.data * out.grad
            other.grad += other.data * out.grad

        out.push = push
        return out


@wrong("Value", within=closures, diagnosed="relu's gate forgotten")
def relu_always_open():
    def relu(self):
        out = Value(max(0.0, self.data), (self,))

        def push():
            self.grad += out.grad

        out.push = push
        return out


@wrong("Value", within=closures, diagnosed="relu'(0) taken as 1", loses=("functions",))
def relu_open_at_zero():
    def relu(self):
        out = Value(max(0.0, self.data), (self,))

        def push():
            if self.data >= 0:
                self.grad += out.grad

        out.push = push
        return out


@wrong("Value", within=closures, diagnosed="relu'(0) taken as 1/2", loses=("functions",))
def relu_half_open_at_zero():
    def relu(self):
        out = Value(max(0.0, self.data), (self,))

        def push():
            slope = 1.0 if self.data > 0 else 0.5 if self.data == 0 else 0.0
            self.grad += slope * out.grad

        out.push = push
        return out


# Value: numbers on either side


@wrong("Value", within=closures, diagnosed="2 - x taken as x - 2", loses=("numbers on either side",))
def reflected_minus():
    def __rsub__(self, other):
        return self - other


@wrong("Value", within=closures, diagnosed="2 / x taken as x / 2", loses=("numbers on either side",))
def reflected_division():
    def __rtruediv__(self, other):
        return self / other


@wrong("Value", within=closures, diagnosed="2 ** x taken as x ** 2", loses=("numbers on either side",))
def reflected_power():
    def __rpow__(self, other):
        return self**other


@wrong("Value", within=closures, diagnosed="no number on the left", loses=("numbers on either side",))
def reflected_left_out():
    def __rsub__(self, other):
        return NotImplemented

    def __rtruediv__(self, other):
        return NotImplemented

    def __rpow__(self, other):
        return NotImplemented


@wrong("Value", within=closures, diagnosed="not attempted")
def power_not_attempted():
    def __pow__(self, other):
        raise NotImplementedError()


# Value: which nodes are visited, and when


@wrong("Value", within=closures, diagnosed="a node visited before all its uses")
def breadth_first():
    def backward(self):
        order = [self]
        seen = {self}
        for node in order:
            for child in node.children:
                if child not in seen:
                    seen.add(child)
                    order.append(child)
        for node in order:
            if node.children:
                node.grad = 0.0
        self.grad += 1.0
        for node in order:
            node.push()


@wrong("Value", within=closures, diagnosed="a node visited before all its uses")
def on_the_way_down():
    def backward(self):
        seen = set()
        order = []
        stack = [self]
        while stack:
            node = stack.pop()
            if node not in seen:
                seen.add(node)
                order.append(node)
                stack.extend(reversed(node.children))
        for node in order:
            if node.children:
                node.grad = 0.0
        self.grad += 1.0
        for node in order:
            node.push()


@wrong("Value", within=closures, diagnosed="a node visited before all its uses")
def inputs_before_outputs():
    def backward(self):
        order, seen = [], set()
        stack = [(self, False)]
        while stack:
            node, ready = stack.pop()
            if ready:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                stack.append((node, True))
                stack.extend((child, False) for child in node.children)
        for node in order:
            if node.children:
                node.grad = 0.0
        self.grad += 1.0
        for node in order:
            node.push()


@wrong("Value", within=closures, diagnosed="a node visited once per use", endless=True)
def no_visited_set():
    def backward(self):
        self.grad = 1.0

        def visit(node):
            node.push()
            for child in node.children:
                visit(child)

        visit(self)


@wrong("Value", within=recursion_with_a_higher_limit, diagnosed="too slow", endless=True)
def every_path_by_recursion():
    def backward(self, upstream=1.0):
        self.grad += upstream
        for parent, slope in zip(self._parents, self._slopes):
            parent.backward(slope * upstream)


@wrong("Value", within=closures, diagnosed="equal numbers taken for one node")
def compared_by_their_numbers():
    def __eq__(self, other):
        return self.data == (other.data if isinstance(other, Value) else other)

    def __hash__(self):
        return hash(self.data)


@wrong("Value", within=closures, diagnosed="equal numbers taken for one node", endless=True)
def looked_for_in_a_list():
    def __eq__(self, other):
        return isinstance(other, Value) and self.data == other.data

    def backward(self):
        order = []
        seen = []
        todo = [(self, False)]
        while todo:
            node, ready = todo.pop()
            if ready:
                order.append(node)
            elif node not in seen:
                seen.append(node)
                todo.append((node, True))
                for child in node.children:
                    todo.append((child, False))
        for node in order:
            if node.children:
                node.grad = 0.0
        self.grad += 1.0
        for node in reversed(order):
            node.push()


@wrong("Value", within=closures, diagnosed="recursion", loses=("a chain of 10,000 nodes",))
def plain_recursion():
    def backward(self):
        order = []
        visited = set()

        def build(node):
            if node not in visited:
                visited.add(node)
                for child in node.children:
                    build(child)
                order.append(node)

        build(self)
        for node in order:
            if node.children:
                node.grad = 0.0
        self.grad += 1.0
        for node in reversed(order):
            node.push()


# Value: where the pass begins, and a second one


@wrong("Value", within=closures, diagnosed="the output's own gradient missing")
def output_gradient_not_set():
    def backward(self):
        order, seen = [], set()
        todo = [(self, False)]
        while todo:
            node, ready = todo.pop()
            if ready:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                todo.append((node, True))
                todo += [(child, False) for child in node.children]
        for node in reversed(order):
            node.push()


@wrong("Value", within=closures, diagnosed="gradients reset by a second backward", loses=("a second backward",))
def everything_reset():
    def backward(self):
        order, seen = [], set()
        todo = [(self, False)]
        while todo:
            node, ready = todo.pop()
            if ready:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                todo.append((node, True))
                todo += [(child, False) for child in node.children]
        for node in order:
            node.grad = 0.0
        self.grad = 1.0
        for node in reversed(order):
            node.push()


@wrong("Value", within=closures, diagnosed="old gradients passed on again", loses=("a second backward",))
def inner_nodes_not_reset():
    def backward(self):
        order, seen = [], set()
        todo = [(self, False)]
        while todo:
            node, ready = todo.pop()
            if ready:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                todo.append((node, True))
                todo += [(child, False) for child in node.children]
        self.grad += 1.0
        for node in reversed(order):
            node.push()


@wrong("Value", within=closures, diagnosed="old gradients passed on again", loses=("a second backward",))
def only_the_output_reset():
    def backward(self):
        order, seen = [], set()
        todo = [(self, False)]
        while todo:
            node, ready = todo.pop()
            if ready:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                todo.append((node, True))
                todo += [(child, False) for child in node.children]
        self.grad = 1.0
        for node in reversed(order):
            node.push()


@wrong("Value", diagnosed="not attempted")
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


# fit_neuron


@wrong("fit_neuron", diagnosed="not attempted")
def fit_neuron_not_attempted():
    def fit_neuron(xs, ys, steps, lr):
        raise NotImplementedError()


@wrong("fit_neuron", diagnosed="gradients never zeroed")
def never_zeroed():
    def fit_neuron(xs, ys, steps, lr):
        w, b = Value(0.0), Value(0.0)
        for _ in range(steps):
            loss = sum((w * x + b - y) ** 2 for x, y in zip(xs, ys)) / len(xs)
            loss.backward()
            w.data -= lr * w.grad
            b.data -= lr * b.grad
        return w.data, b.data


@wrong("fit_neuron", diagnosed="sum instead of mean")
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


@wrong("fit_neuron", diagnosed="b moved after w")
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


@wrong("fit_neuron", diagnosed="one pair at a time")
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


@wrong("fit_neuron", diagnosed="one pair per step")
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


@wrong("fit_neuron", diagnosed="the step goes uphill")
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


@wrong("fit_neuron", diagnosed="relu left in")
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


@wrong("fit_neuron", diagnosed="half the step")
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


@wrong("fit_neuron", diagnosed="b never moved")
def only_w():
    def fit_neuron(xs, ys, steps, lr):
        w, b = Value(0.0), 0.0
        for _ in range(steps):
            loss = sum((w * x + b - y) ** 2 for x, y in zip(xs, ys)) / len(xs)
            w.grad = 0.0
            loss.backward()
            w.data -= lr * w.grad
        return w.data, b


@wrong("fit_neuron", diagnosed="one step too few")
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


@wrong("fit_neuron", diagnosed="one step too many")
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


@wrong("fit_neuron", diagnosed="Value not used")
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
