"""Every written answer of the tasks that build a scalar engine, stepped through on its task's own programs."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import math
import re
from collections.abc import Iterator
from typing import Any

from autograder.stepping.own_engine import engine_sweep
from autograder.stepping.sweep import UNKNOWN, Sweep
from autograder.tasks.answers import Answer
from autograder.tasks.cases import public_cases
from autograder.tasks.modules import module
from tests.submissions import COURSE, solution_sources

EXERCISE = "01_scalar_graphs"
TASKS = COURSE / "solutions" / EXERCISE / "_tasks"
SOLUTIONS = solution_sources(EXERCISE)
PARTS = [task for task in SOLUTIONS if task.startswith("value_")]
LONG = "value_long_chains"
"""Its graphs of ten thousand nodes are stepped through with a few engines only."""
NOT_FOUND = {
    "everything_reset": "a second pass shows it",
    "inner_nodes_not_reset": "a second pass shows it",
    "only_the_output_reset": "a second pass shows it",
    "an_output_is_added_to": "a second pass shows it",
    "only_the_own_last_pass_cleared": "a second pass shows it",
    "each_node_passed_once_for_ever": "a second pass shows it",
    "reflected_minus": "another number is computed, with its right gradient",
    "reflected_division": "another number is computed, with its right gradient",
    "reflected_power": "another number is computed, with its right gradient",
    "exp_capped": "another number is computed, with its right gradient",
    "relu_capped_at_6": "another number is computed, with its right gradient",
    "negation: no gradient: left out": "nothing stored tells the operation",
    "relu: no gradient: left out": "nothing stored tells the operation",
    "negation: overwritten instead of added: grad =": "no program negates a node that has a gradient by then",
    "reflected_left_out": "the forward pass raises",
    "power_not_attempted": "the forward pass raises",
    "value_not_attempted": "the forward pass raises",
    "zero_to_the_power_of_zero": "the forward pass raises",
    "methods_left_out": "the forward pass raises",
    "never_a_method": "there is no pass",
    "backward_not_attempted": "there is no pass",
}
"""Wrong answers of which a single pass shows no difference, with the reason."""
BACKWARD = re.compile(r"^\w+\.(backward\(\)|grad = .*)\n", re.MULTILINE)
programs = module(TASKS / "scalar_programs.py")


@dataclasses.dataclass
class Seen:
    """What the stepper says of one engine on one program.

    Attributes:
        sweep: the steps; None where the program itself fails with this engine.
        names: the program's nodes by name.
        program: the program's text.
        falsehoods: what the reference, autograd, says otherwise, if the forward pass is right.
    """

    sweep: Sweep | None
    names: dict[str, Any]
    program: str
    falsehoods: list[str]


def texts(task: str) -> Iterator[str]:
    """The programs of a task without their backward passes; of long chains, those of few nodes."""
    for case in public_cases(TASKS / task / "cases.toml"):
        text = BACKWARD.sub("", case.inputs[0].text)
        if task != LONG or not re.search(r"\d{3}\)|_000", text):
            yield text


def engine(answer: Answer) -> dict[str, Any]:
    """The namespace of a notebook with this answer, and the published ones before and after it."""
    whole = "class Value" in answer.source and "def tanh" in answer.source
    last = answer.task in ("value_backward", "value_long_chains")
    cells = [answer.task] if whole else PARTS[: PARTS.index(answer.task) + 1] if last else PARTS
    names: dict[str, Any] = {"__name__": "__main__"}
    for task in cells:
        exec(compile(answer.source if task == answer.task else SOLUTIONS[task], f"<{task}>", "exec"), names)
    return names


def stepped(answer: Answer, text: str) -> Seen:
    """Run a program with an answer's engine, and step through the pass from its last node."""
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            names = engine(answer)
            exec(text, names)
        except Exception:
            return Seen(None, {}, text, [])
        nodes = {
            name: value for name, value in names.items() if type(value).__mro__[-2:] == names["Value"].__mro__[-2:]
        }
        output = list(nodes)[-1]
        if not hasattr(nodes[output], "backward"):
            return Seen(None, {}, text, [])
        sweep = engine_sweep(nodes[output], nodes, None)
    return Seen(sweep, nodes, text, list(_falsehoods(sweep, text, nodes, output)))


def _falsehoods(sweep: Sweep, text: str, nodes: dict[str, Any], output: str) -> Iterator[str]:
    names: dict[str, Any] = {"Value": programs.TorchScalar}
    exec(text, names)
    names[output].backward()
    if any(isinstance(node.data, complex) for node in nodes.values()):
        return
    if not all(math.isclose(names[name].data, node.data, rel_tol=1e-9, abs_tol=1e-12) for name, node in nodes.items()):
        return  # another forward pass has other gradients
    for step in sweep.steps:
        label = sweep.places[step.node].label
        if label in nodes and step.right != UNKNOWN:
            right = names[label].grad
            if not math.isclose(float(step.right), right, rel_tol=1e-3, abs_tol=1e-12):
                yield f"{label}: {step.right}, and the reference has {right:.6g}"
