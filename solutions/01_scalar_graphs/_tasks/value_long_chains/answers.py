"""value_long_chains: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from autograder.tasks.answers import known, right, slip, wrong

from ..engine_mistakes import equal_numbers, local_ignored, overwritten, second_pass, too_early, upstream_ignored
from ..value_arithmetic.answers import ENGINES, closures, recursion_with_a_higher_limit

known(overwritten(), upstream_ignored(), local_ignored(), too_early(), equal_numbers(), second_pass())

for _engine in ENGINES:
    right(_engine)


slip("overwritten_everywhere", within=closures, was="grad +=", wrote="grad =", diagnosed="overwritten instead of added")
slip("upstream_ignored_everywhere", within=closures, was="out.grad", wrote="1.0", diagnosed="upstream gradient ignored")


@wrong("too slow", endless=True, within=recursion_with_a_higher_limit)
def every_path_by_recursion():
    def backward(self, upstream=1.0):
        self.grad += upstream
        for parent, slope in zip(self._parents, self._slopes):
            parent.backward(slope * upstream)


@wrong("recursion", loses=("a chain of 10,000 nodes",), within=closures)
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


def with_a_stack():
    def backward(self):
        order, seen, waiting = [], set(), [(self, False)]
        while waiting:
            node, inputs_done = waiting.pop()
            if inputs_done:
                order.append(node)
            elif id(node) not in seen:
                seen.add(id(node))
                waiting.append((node, True))
                waiting.extend((source, False) for source, _ in node.inputs)
        for node in order:
            if node.inputs:
                node.grad = 0.0
        self.grad += 1.0
        for node in reversed(order):
            for source, local in node.inputs:
                source.grad += local * node.grad

    Value.backward = backward


for _name, _was, _wrote, _diagnosed in [
    ("equal_numbers", "id(node)", "node.data", "nodes compared by value"),
    ("local_derivative_left_out", "local * node.grad", "node.grad", "local derivative ignored"),
    ("from_the_leaves_up", "reversed(order)", "order", "not in topological order"),
    ("never_cleared", "node.grad = 0.0", "pass", "old gradients passed on again"),
    ("cleared_everywhere", "if node.inputs:", "if True:", "gradients reset by a second backward"),
    # right everywhere but in one region
    ("a_thousand_nodes", "while waiting:", "while waiting and len(seen) < 1000:", "always zero"),
    ("the_last_five_thousand", "reversed(order)", "reversed(order[-5000:])", "always zero"),
    (
        "small_gradients_dropped",
        "+= local * node.grad",
        "+= local * node.grad * (abs(node.grad) > 1e-3)",
        "always zero",
    ),
]:
    slip(_name, within=with_a_stack, was=_was, wrote=_wrote, diagnosed=_diagnosed)


slip(
    "pairs_as_a_dict",
    within=with_a_stack,
    was="source, local in node.inputs",
    wrote="source, local in dict(node.inputs).items()",
    diagnosed="repeated operand counted once",
    sentence="A node that goes into one operation twice, as in `a * a`, got only one of its two contributions.",
)


@wrong("repeated operand counted once")
def each_user_once():
    def backward(self):
        users, waiting = {self: []}, [self]
        for node in waiting:
            for source, local in node.inputs:
                if source not in users:
                    users[source] = []
                    waiting.append(source)
                users[source] = [pair for pair in users[source] if pair[0] is not node] + [(node, local)]
        passed = {}
        todo = list(users)
        while todo:
            for node in todo:
                if all(user in passed for user, _ in users[node]):
                    passed[node] = sum(local * passed[user] for user, local in users[node]) + (node is self)
            todo = [node for node in todo if node not in passed]
        for node, gradient in passed.items():
            node.grad = gradient + (0.0 if node.inputs else node.grad)

    Value.backward = backward


@wrong("not in topological order")
def first_come_first_served():
    def backward(self):
        queue, known = [self], {self}
        for node in queue:
            for source, _ in node.inputs:
                if source not in known:
                    known.add(source)
                    queue.append(source)
        for node in queue:
            if node.inputs:
                node.grad = 0.0
        self.grad += 1.0
        for node in queue:
            for source, local in node.inputs:
                source.grad += local * node.grad

    Value.backward = backward


@wrong("recursion", loses=("a chain of 10,000 nodes",))
def a_limit_of_five_thousand():
    import sys

    limited = Value.backward

    def backward(self):
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(5000)
        try:
            limited(self)
        finally:
            sys.setrecursionlimit(before)

    Value.backward = backward


@wrong("not attempted")
def long_chains_not_attempted():
    def backward(self):
        raise NotImplementedError  # your code here

    Value.backward = backward


@right
def the_node_that_is_ready():
    def backward(self):
        uses, found = {self: 0}, [self]
        for node in found:
            for source, _ in node.inputs:
                if source not in uses:
                    uses[source] = 0
                    found.append(source)
                uses[source] += 1
        passed, ready = dict.fromkeys(found, 0.0), [self]
        passed[self] = 1.0
        while ready:
            node = ready.pop()
            node.grad = passed[node] + (0 if node.inputs else node.grad)
            for source, local in node.inputs:
                passed[source] += passed[node] * local
                uses[source] -= 1
                if not uses[source]:
                    ready.append(source)

    Value.backward = backward
