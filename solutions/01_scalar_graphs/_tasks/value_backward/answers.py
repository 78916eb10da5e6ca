"""value_backward: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from autograder.tasks.answers import known, right, slip, wrong

from ..engine_mistakes import (
    equal_numbers,
    flaw,
    local_ignored,
    not_a_method,
    once_per_use,
    overwritten,
    second_pass,
    too_early,
    upstream_ignored,
)
from ..value_arithmetic.answers import ENGINES, closures

known(
    overwritten(),
    upstream_ignored(),
    local_ignored(),
    too_early(),
    once_per_use(),
    equal_numbers(),
    second_pass(),
    flaw(
        "the output's own gradient missing",
        "The output's gradient is 0. How much does the output change per change of itself?",
    ),
    not_a_method("backward"),
)

for _engine in ENGINES:
    right(_engine)


slip("overwritten_everywhere", within=closures, was="grad +=", wrote="grad =", diagnosed="overwritten instead of added")
slip("upstream_ignored_everywhere", within=closures, was="out.grad", wrote="1.0", diagnosed="upstream gradient ignored")


@wrong("not in topological order", within=closures)
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


@wrong("not in topological order", within=closures)
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


@wrong("not in topological order", within=closures)
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


@wrong("node visited once per use", predicts=True, within=closures)
def no_visited_set():
    def backward(self):
        self.grad = 1.0

        def visit(node):
            node.push()
            for child in node.children:
                visit(child)

        visit(self)


@wrong("node visited once per use", predicts=True)
def each_edge_down_at_once():
    def backward(self):
        inner, todo = {}, [self]
        while todo:
            node = todo.pop()
            if node.inputs and id(node) not in inner:
                inner[id(node)] = node
                todo += [parent for parent, _ in node.inputs]
        for node in inner.values():
            node.grad = 0.0
        self.grad += 1.0

        def follow(node):
            for parent, derivative in node.inputs:
                parent.grad += derivative * node.grad
                follow(parent)

        follow(self)

    Value.backward = backward


@wrong("nodes compared by value", within=closures)
def compared_by_their_numbers():
    def __eq__(self, other):
        return self.data == (other.data if isinstance(other, Value) else other)

    def __hash__(self):
        return hash(self.data)


@wrong("nodes compared by value", within=closures)
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


@wrong("gradients reset by a second backward", loses=("a second backward",), within=closures)
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


@wrong("old gradients passed on again", loses=("a second backward",), within=closures)
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


@wrong("old gradients passed on again", loses=("a second backward",), within=closures)
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


@wrong("old gradients passed on again", predicts=True, loses=("a second backward",))
def only_the_own_last_pass_cleared():
    def backward(self):
        for node in getattr(self, "passed", ()):
            node.grad = 0.0
        order, seen = [], set()

        def visit(node):
            if node not in seen:
                seen.add(node)
                for parent, _ in node.inputs:
                    visit(parent)
                order.append(node)

        visit(self)
        self.passed = [node for node in order if node.inputs]
        self.grad += 1.0
        for node in reversed(order):
            for parent, derivative in node.inputs:
                parent.grad += derivative * node.grad

    Value.backward = backward


@wrong("the output's own gradient missing", within=closures)
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


@right
def in_two_steps():
    # The gradients of one pass in a table of their own, of which only the leaves' share is added.
    def backward(self):
        order = []

        def visit(node):
            if not any(node is one for one in order):
                for source, _ in node.inputs:
                    visit(source)
                order.append(node)

        visit(self)
        passed = {id(node): 0.0 for node in order}
        passed[id(self)] = 1.0
        for node in order[::-1]:
            for source, local in node.inputs:
                passed[id(source)] += passed[id(node)] * local
        for node in order:
            node.grad = passed[id(node)] + (0.0 if node.inputs else node.grad)

    Value.backward = backward


@right
def by_the_given_derivative():
    # Right for small graphs, and slow: each node asks along all paths.
    def backward(self):
        found, waiting = [], [self]
        while waiting:
            node = waiting.pop()
            if node not in found:
                found.append(node)
                waiting.extend(source for source, _ in node.inputs)
        for node in found:
            node.grad = self.derivative(node) + (node.grad if not node.inputs else 0)

    Value.backward = backward


def in_order():
    def backward(self):
        order, seen = [], set()

        def visit(node):
            if node not in seen:
                seen.add(node)
                for source, _ in node.inputs:
                    visit(source)
                order.append(node)

        visit(self)
        for node in order:
            if node.inputs:
                node.grad = 0.0
        self.grad += 1.0
        for node in reversed(order):
            for source, local in node.inputs:
                source.grad += local * node.grad

    Value.backward = backward


for _name, _was, _wrote, _diagnosed in [
    ("never_a_method", "Value.backward = backward", "", "not a method of Value"),
    ("local_derivative_left_out", "local * node.grad", "node.grad", "local derivative ignored"),
    # right everywhere but in one region
    ("gradients_clipped", "local * node.grad", "max(-100.0, min(100.0, local * node.grad))", "wrong"),
    ("small_gradients_dropped", "+= local * node.grad", "+= round(local * node.grad, 2)", "wrong"),
    ("gradients_above_zero_only_if_large", "local * node.grad", "max(local * node.grad, -100.0)", "wrong"),
    ("large_locals_taken_as_one", "local * node.grad", "(local if abs(local) < 100 else 1) * node.grad", "wrong"),
    (
        "an_output_that_is_a_leaf_left_out",
        "self.grad += 1.0",
        "self.grad += 1.0 if self.inputs else 0.0",
        "the output's own gradient missing",
    ),
    (
        "an_output_is_added_to",
        "node.grad = 0.0",
        "node.grad = 0.0 if node is not self else node.grad",
        "old gradients passed on again",
    ),
]:
    of_the_output = _name.startswith("an_output")
    slip(_name, within=in_order, was=_was, wrote=_wrote, diagnosed=_diagnosed, predicts=of_the_output)


slip(
    "pairs_as_a_dict",
    within=in_order,
    was="source, local in node.inputs:",
    wrote="source, local in dict(node.inputs).items():",
    diagnosed="repeated operand counted once",
    sentence="A node that goes into one operation twice, as in `a * a`, got only one of its two contributions.",
)


@wrong("repeated operand counted once")
def each_input_once():
    def backward(self):
        order = []

        def visit(node):
            if node not in order:
                for source, _ in node.inputs:
                    visit(source)
                order.append(node)

        visit(self)
        for node in order:
            node.grad = node.grad if not node.inputs else 0.0
        self.grad += 1.0
        while order:
            node = order.pop()
            served = set()
            for source, local in node.inputs:
                if source not in served:
                    source.grad += local * node.grad
                served.add(source)

    Value.backward = backward


@wrong("gradients reset by a second backward", predicts=True, loses=("a second backward",))
def each_node_passed_once_for_ever():
    def backward(self):
        order = []

        def visit(node):
            if not hasattr(node, "visited"):
                node.visited = True
                for source, _ in node.inputs:
                    visit(source)
                order.append(node)

        visit(self)
        self.grad += 1.0
        for node in reversed(order):
            for source, local in node.inputs:
                source.grad += local * node.grad

    Value.backward = backward


@wrong("not attempted")
def backward_not_attempted():
    def backward(self):
        raise NotImplementedError  # your code here

    Value.backward = backward
