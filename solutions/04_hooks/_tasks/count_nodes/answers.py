"""count_nodes: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

from autograder.diagnosis import Mistake
from autograder.probes.counters import backward_nodes, nodes_run, passes_run
from autograder.tasks.answers import known, right, slip, wrong

Run = Callable[[], Any]
MOST_VISITS = 5_000
"""A walk along paths has no end in a graph of many diamonds; there is no answer there."""


def _counted_on(choose: Callable[[torch.Tensor], Any]) -> Callable[[torch.Tensor, Run], int]:
    """Prehooks on the chosen nodes, removed in any case."""

    def count_nodes(output: torch.Tensor, run: Run) -> int:
        runs: list[None] = []
        handles = [node.register_prehook(lambda gradients: runs.append(None)) for node in choose(output)]
        try:
            run()
        finally:
            for handle in handles:
                handle.remove()
        return len(runs)

    return count_nodes


def _along_paths(output: torch.Tensor) -> Iterator[Any]:
    waiting, visits = [output.grad_fn] if output.grad_fn else [], 0
    while waiting:
        node = waiting.pop()
        visits += 1
        if visits > MOST_VISITS:
            raise ValueError("no answer")
        yield node
        waiting += [following for following, _ in node.next_functions if following is not None]


def _passes(output: torch.Tensor, run: Run) -> int:
    with passes_run() as passes:
        run()
    return len(passes)


def _run_twice(output: torch.Tensor, run: Run) -> int:
    run()
    try:
        with nodes_run(output) as runs:
            run()
    except RuntimeError as error:  # the first run has freed the graph: there is no answer
        raise ValueError("no answer") from error
    return runs.total()


def _hooks_stay_after_an_error(output: torch.Tensor, run: Run) -> int:
    handles = [node.register_prehook(lambda gradients: None) for node in backward_nodes(output)]
    run()
    for handle in handles:
        handle.remove()
    return 0


known(
    Mistake(
        "nodes counted once per path",
        "You counted a node once for each path that leads to it. The walk must remember the nodes that it has met.",
        _counted_on(_along_paths),
    )
)


@wrong("too slow", endless=True)
def every_path_walked():
    def count_nodes(output, run):
        runs, handles, to_visit = [], [], [output.grad_fn] if output.grad_fn else []
        while to_visit:
            node = to_visit.pop()
            handles.append(node.register_prehook(lambda gradients: runs.append(1)))
            to_visit += [following for following, _ in node.next_functions if following]
        try:
            run()
        finally:
            for handle in handles:
                handle.remove()
        return len(runs)


slip(
    "every_path_up_to_a_limit",
    within=every_path_walked,
    was="while to_visit:",
    wrote="while to_visit and len(handles) < 3000:",
    diagnosed="nodes counted once per path",
)


def a_right_count():
    """Every slip below starts from this."""

    def count_nodes(output, run):
        nodes, seen, to_visit = [], set(), [output.grad_fn]
        while to_visit:
            node = to_visit.pop()
            if node is None or node in seen:
                continue
            seen.add(node)
            nodes.append(node)
            to_visit.extend(following for following, _ in node.next_functions)
        runs = []
        handles = [node.register_prehook(lambda gradients: runs.append(1)) for node in nodes]
        try:
            run()
        finally:
            for handle in handles:
                handle.remove()
        return len(runs)


slip(
    "leaves_skipped",
    within=a_right_count,
    was="nodes.append(node)",
    wrote='if "AccumulateGrad" not in node.name():\n            nodes.append(node)',
    diagnosed="AccumulateGrad nodes left out",
    sentence="Some executions are missing. A leaf that accumulates its gradient has a node too.",
)
slip(
    "distinct_nodes",
    within=a_right_count,
    was="runs = []\n    handles = [node.register_prehook(lambda gradients: runs.append(1)) for node in nodes]",
    wrote="runs = set()\n    handles = [n.register_prehook(lambda gradients, n=n: runs.add(n)) for n in nodes]",
    diagnosed="each node counted once",
    sentence="You counted a node only once, although it ran in several passes. Each execution counts.",
)
slip(
    "nodes_for_executions",
    within=a_right_count,
    was="return len(runs)",
    wrote="return len(nodes)",
    diagnosed="nodes instead of executions",
    sentence="You returned how many nodes the graph has. How many of them ran, and how often?",
)
slip(
    "first_node_forgotten",
    within=a_right_count,
    was="nodes.append(node)",
    wrote="if node is not output.grad_fn:\n            nodes.append(node)",
    diagnosed="the first node left out",
    sentence="Your walk left out `output.grad_fn`. That node runs too.",
)
slip(
    "the_left_way",
    within=a_right_count,
    was="in node.next_functions)",
    wrote="in node.next_functions[:1])",
    diagnosed="only one input followed",
    sentence="Your walk followed only the first of each node's `next_functions`. A node can have several.",
)
known(
    Mistake(
        "passes instead of executions",
        "You counted the backward passes. Count the nodes that each pass executes.",
        _passes,
    )
)


@wrong("passes instead of executions")
def calls_of_the_first_node():
    def count_nodes(output, run):
        runs = []
        if output.grad_fn is None:
            run()
            return 0
        handle = output.grad_fn.register_prehook(lambda gradients: runs.append(1))
        try:
            run()
        finally:
            handle.remove()
        return len(runs)


slip(
    "hooks_too_late",
    within=a_right_count,
    was="runs = []\n    handles = [",
    wrote="runs = []\n    run()\n    run = int\n    handles = [",
    diagnosed="hooks registered too late",
    sentence="You counted nothing. A hook sees only what runs after you registered it, and you called `run` before.",
)
known(
    Mistake(
        "run called twice",
        "You called `run` more than once. It may change things each time, so call it exactly once.",
        _run_twice,
    )
)


@wrong("run called twice", predicts=True)
def a_run_that_forgives_errors():
    import contextlib

    def count_nodes(output, run):
        nodes, to_visit = set(), [output.grad_fn]
        while to_visit:
            node = to_visit.pop()
            if node is not None and node not in nodes:
                nodes.add(node)
                to_visit.extend(following for following, _ in node.next_functions)
        runs = []
        with contextlib.suppress(RuntimeError):
            run()
        handles = [node.register_prehook(lambda gradients: runs.append(1)) for node in nodes]
        try:
            with contextlib.suppress(RuntimeError):
                run()
        finally:
            for handle in handles:
                handle.remove()
        return len(runs)


slip(
    "handles_thrown_away",
    within=a_right_count,
    was="handle.remove()",
    wrote="del handle",
    diagnosed="hooks not removed",
    sentence="Your hooks are still on the graph's nodes after the call. Keep the handles, and remove every hook "
    "through its handle.",
)
known(
    Mistake(
        "hooks not removed after errors",
        "If `run` raises, your hooks stay on the nodes. Which part of a `try` statement always runs?",
        _hooks_stay_after_an_error,
    ),
    Mistake(
        "None instead of a node",
        "The `grad_fn` of a leaf is None, and so is an entry of `next_functions` whose input needs no gradient. Skip "
        "both.",
        raises="AttributeError: 'NoneType' object has no attribute '(next_functions|register_\\w+|name|variable)'",
    ),
)
slip(
    "handles_lost_with_an_error",
    within=a_right_count,
    was="try:\n        run()\n    finally:\n        for handle in handles:\n            handle.remove()",
    wrote="run()\n    for handle in handles:\n        handle.remove()",
    diagnosed="hooks not removed after errors",
)
slip(
    "no_node_for_a_leaf",
    within=a_right_count,
    was="node is None or node in seen",
    wrote="node in seen",
    diagnosed="None instead of a node",
)


@wrong("not attempted")
def count_nodes_not_attempted():
    def count_nodes(output, run):
        raise NotImplementedError  # your code here


@wrong("recursion", loses=("deep graphs and many paths",))
def a_recursive_walk():
    def count_nodes(output, run):
        nodes = set()

        def visit(node):
            if node is not None and node not in nodes:
                nodes.add(node)
                for following, _ in node.next_functions:
                    visit(following)

        visit(output.grad_fn)
        runs = []
        handles = [node.register_prehook(lambda gradients: runs.append(1)) for node in nodes]
        try:
            run()
        finally:
            for handle in handles:
                handle.remove()
        return len(runs)


slip(
    "a_run_to_warm_up",
    within=a_right_count,
    was="runs = []",
    wrote="run()\n    runs = []",
    diagnosed="graph already freed",
)


@right
def a_queue_and_a_context():
    from collections import Counter, deque
    from contextlib import ExitStack

    def count_nodes(output, run):
        runs, met, to_visit = Counter(), [], deque([output.grad_fn] if output.grad_fn else [])
        seen = set(to_visit)
        while to_visit:
            node = to_visit.popleft()
            met.append(node)
            for following, _ in node.next_functions:
                if following and following not in seen:
                    seen.add(following)
                    to_visit.append(following)
        with ExitStack() as stack:
            for node in met:
                stack.enter_context(node.register_prehook(lambda gradients, name=node.name(): runs.update([name])))
            run()
        return sum(runs.values())


@right
def hooks_after_the_node():
    def count_nodes(output, run):
        nodes = {output.grad_fn} - {None}
        layer = set(nodes)
        while layer:
            layer = {following for node in layer for following, _ in node.next_functions} - nodes - {None}
            nodes |= layer
        executions = []
        handles = [node.register_hook(lambda inputs, outputs: executions.append(1)) for node in nodes]
        try:
            run()
        finally:
            while handles:
                handles.pop().remove()
        return len(executions)


@right
def a_tally_per_node():
    import torch

    def count_nodes(output, run):
        if output.grad_fn is None:
            run()
            return 0
        tally = {output.grad_fn: 0}
        nodes = [output.grad_fn]
        for node in nodes:
            for following, _ in node.next_functions:
                if following is not None and following not in tally:
                    tally[following] = 0
                    nodes.append(following)

        def counting(node):
            def count(gradients):
                tally[node] += 1

            return count

        handles = [node.register_prehook(counting(node)) for node in nodes]
        try:
            run()
            return torch.tensor(list(tally.values())).sum().item()
        finally:
            for handle in handles:
                handle.remove()
