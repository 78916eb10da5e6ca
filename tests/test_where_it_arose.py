"""An exception is explained by where it arose: the line, what was None, a name that is near, a call that repeats."""

from __future__ import annotations

import linecache
from typing import Any

import pytest

from autograder.diagnosis.exceptions import finding_of_error
from autograder.diagnosis.hypothesis import Finding
from autograder.probes import Question, answer
from autograder.probes.errors import out_of_time
from autograder.probes.programs import Program

PROGRAM = "x = torch.tensor([1.0, 2.0], requires_grad=True)\nresult = task(x)\n"


def error_of(cell: str, program: str = PROGRAM) -> dict[str, Any]:
    """What is reported of a cell whose `task` a program uses, as in a notebook, where the lines of cells are known."""
    file, names = "<cell>", {"__name__": "__main__"}
    linecache.cache[file] = (len(cell), None, cell.splitlines(True), file)
    linecache.lazycache(file, names)
    exec(compile(cell, file, "exec"), names)
    question = Question("run_program", {"target": "task", **Program(program, ("result",)).as_inputs})
    return answer(question, names)[0]["error"]


def finding(cell: str, program: str = PROGRAM) -> Finding:
    return finding_of_error(error_of(cell, program), "This program", (), program)


IMPORT = "import torch\n"
OWN = {
    "a loop over what a function without return gave": (
        "def nodes_of(x):\n    list(x)\ndef task(x):\n    for node in nodes_of(x):\n        pass\n",
        "a function without a return",
        "at `for node in nodes_of(x):`. There `nodes_of(x)` is None.",
    ),
    "the same by a name": (
        "def order(x):\n    list(x)\ndef task(x):\n    found = order(x)\n    return found[0]\n",
        "a function without a return",
        "There `found` is None, which `order` returned.",
    ),
    "unpacked": (
        "def pair(x):\n    list(x)\ndef task(x):\n    a, b = pair(x)\n",
        "a function without a return",
        "There `pair(x)` is None.",
    ),
    "an outer name that is assigned": (
        "n = 0\ndef task(x):\n    n += 1\n    return n\n",
        "a name local to the function",
        "at `n += 1`.",
    ),
    "a name of the function around": (
        "def task(x):\n    n = 0\n    def count():\n        n += 1\n    count()\n    return n\n",
        "a name local to the function",
        "in `count` at `n += 1`.",
    ),
    "a loop without a turn": (
        "def task(x):\n    for n in []:\n        pass\n    return n\n",
        "a name without a value yet",
        "at `return n`.",
    ),
    "a name that only a call further out has": (
        "def first(n):\n    return second(n)\ndef second(m):\n    if m is None:\n        n = 1\n    return n\n"
        "def task(x):\n    return first(x)\n",
        "a name without a value yet",
        "in `second` at `return n`.",
    ),
    "backward returns nothing": (
        "def task(x):\n    loss = x.sum().backward()\n    return loss.item()\n",
        "changed in place, and None returned",
        "There `loss` is None, which `x.sum().backward` returned.",
    ),
    "the gradient of an inner tensor": (
        "def task(x):\n    y = x * 2\n    y.sum().backward()\n    return y.grad.clone()\n",
        "None used as a gradient",
        "There `y.grad` is None: `y` was computed from other tensors.",
    ),
    "a gradient that nothing asked for": (
        "def task(x):\n    y = x.detach()\n    return 2 * y.grad\n",
        "None used as a gradient",
        "There `y.grad` is None: `y` requires no gradient.",
    ),
    "a gradient before the pass": (
        "def task(x):\n    g = x.grad\n    return -g\n",
        "None used as a gradient",
        "There `g` is None: at this point nothing is stored there.",
    ),
    "an input that is not used": (
        IMPORT + "def task(x):\n    z = torch.ones(1, requires_grad=True)\n"
        "    (g,) = torch.autograd.grad(x.sum(), z, allow_unused=True)\n    return g * 2\n",
        "None used as a gradient",
        "There `g` is None.",
    ),
    "an entry of a list": (
        IMPORT + "def task(x):\n    return torch.stack([x, x.grad])\n",
        "None used",
        "at `return torch.stack([x, x.grad])`.",
    ),
    "an exception of one's own": (
        "def task(x):\n    raise RuntimeError('Trying to backward through the graph a second time')\n",
        "an exception of your own",
        "at `raise RuntimeError(",
    ),
    "a list for a tensor": (
        IMPORT + "def task(x):\n    return torch.dot(x, [1.0, 2.0])\n",
        "something else where a tensor belongs",
        "at `return torch.dot(x, [1.0, 2.0])`.",
    ),
    "an operand of a torch function": (
        IMPORT + "def task(x):\n    return torch.dot(x, x.grad)\n",
        "None used as a gradient",
        "There `x.grad` is None: at this point nothing is stored there.",
    ),
    "a name that a library misses": (
        "import textwrap\ndef task(x):\n    return textwrap.indent(3, '')\n",
        "",
        "at `return textwrap.indent(3, '')`.",
    ),
    "None from anywhere": (
        "def task(x, last=None):\n    return x + last\n",
        "None used",
        "There `last` is None.",
    ),
    "a layer without a bias": (
        "from torch import nn\ndef task(x):\n    layer = nn.Linear(2, 2, bias=False)\n    return layer.bias.detach()\n",
        "a parameter that is not there",
        "There `layer.bias` is None.",
    ),
    "a second pass": (
        "def task(x):\n    y = (x * x).sum()\n    y.backward()\n    y.backward()\n",
        "graph already freed",
        "in `task` at `y.backward()`.",
    ),
    "torch not imported": ("def task(x):\n    return torch.exp(x)\n", "an import is missing", "with `import torch`."),
    "nn not imported": ("def task(x):\n    return nn.ReLU()(x)\n", "an import is missing", "`from torch import nn`."),
    "F not imported": (
        "def task(x):\n    return F.relu(x)\n",
        "an import is missing",
        "It comes with `import torch.nn.functional as F`.",
    ),
    "math not imported": ("def task(x):\n    return math.pi\n", "an import is missing", "It comes with `import math`."),
    "np not imported": ("def task(x):\n    return np.pi\n", "an import is missing", "with `import numpy as np`."),
    "a name misspelt": (
        "def task(x):\n    gradient = 2 * x\n    return gradent\n",
        "a name written otherwise",
        "at `return gradent`. Did you mean `gradient`?",
    ),
    "a method misspelt": (
        "def task(x):\n    return x.detatch()\n",
        "a name written otherwise",
        "Did you mean `detach`?",
    ),
    "two letters exchanged": (
        IMPORT + "def task(x):\n    return torch.autograd.gard(x, x)\n",
        "a name written otherwise",
        "Did you mean `grad`?",
    ),
    "a name of nothing": ("def task(x):\n    return qqq\n", "a name that nothing has", "at `return qqq`."),
    "a leaf in place": (
        "def task(x):\n    x += 1\n    return x\n",
        "written in place",
        "in `task` at `x += 1`.",
    ),
    "two dtypes": (
        IMPORT + "def task(x):\n    return torch.dot(x, x.double())\n",
        "two dtypes",
        "at `return torch.dot(x, x.double())`.",
    ),
    "two shapes": (
        IMPORT + "def task(x):\n    return x + torch.ones(3)\n",
        "shapes that do not fit",
        "at `return x + torch.ones(3)`.",
    ),
    "two matrices": (
        IMPORT + "def task(x):\n    return torch.ones(2, 3) @ torch.ones(2, 3)\n",
        "shapes that do not fit",
        "at `return torch.ones(2, 3) @ torch.ones(2, 3)`.",
    ),
    "an upstream gradient's shape": (
        IMPORT + "def task(x):\n    return torch.autograd.grad(x * 2, x, torch.ones(3))\n",
        "an upstream gradient of another shape",
        "at `return torch.autograd.grad(x * 2, x, torch.ones(3))`.",
    ),
    "an axis": ("def task(x):\n    return x.sum(1)\n", "an axis that is not there", "at `return x.sum(1)`."),
    "an axis that squeeze took": (
        "def task(x):\n    return x.squeeze().shape[5]\n",
        "an axis that is gone",
        "at `return x.squeeze().shape[5]`.",
    ),
    "an index": ("def task(x):\n    return x[2]\n", "a place that is not there", "at `return x[2]`."),
    "a number for a tensor": (
        "def task(x):\n    y = x.sum().item()\n    y.backward()\n",
        "a plain number instead of a tensor",
        "at `y.backward()`.",
    ),
    "an inner tensor for an optimiser": (
        IMPORT + "def task(x):\n    torch.optim.SGD([x * 2], 0.1)\n",
        "not a leaf",
        "at `torch.optim.SGD([x * 2], 0.1)`.",
    ),
    "the same call again": (
        "def task(x):\n    return double(x)\ndef double(x):\n    return double(x)\n",
        "endless recursion",
        "in `double` at `return double(x)`.",
    ),
    "a parameter bound anew": (
        "def task(x):\n    v = None\n    for _ in range(5000):\n        v = [v]\n    return depth(v)\n"
        "def depth(v):\n    v = v[0]\n    return 0 if v is None else 1 + depth(v)\n",
        "recursion",
        "in `depth` at",
    ),
    "a deep input": (
        "def task(x):\n    return depth(list(range(5000)), 0)\n"
        "def depth(v, i):\n    return 0 if i == len(v) else 1 + depth(v, i + 1)\n",
        "recursion",
        "in `depth` at",
    ),
}


@pytest.mark.parametrize(("cell", "name", "told"), OWN.values(), ids=OWN)
def test_what_arises_in_the_students_lines_is_told_with_the_line(cell: str, name: str, told: str) -> None:
    found = finding(cell)
    assert (found.mistake.name if found.mistake else "") == name
    assert told in found.seen


AFTERWARDS = {
    "nothing came back": ("def task(x):\n    2 * x\n", "y = result + 1", "None returned"),
    "the graph was freed": (
        "def task(x):\n    y = (x * x).sum()\n    y.backward()\n    return y\n",
        "result.backward()",
        "graph already freed",
    ),
    "the result has no graph": (
        "def task(x):\n    return x.detach()\n",
        "result.sum().backward()",
        "no graph behind it",
    ),
    "the result has another origin": (
        IMPORT + "def task(x):\n    return torch.ones(2, requires_grad=True) * 2\n",
        "torch.autograd.grad(result.sum(), x)",
        "not part of the graph",
    ),
    "a saved tensor was written into": (
        "def task(x):\n    y = x.exp()\n    y += 1\n    return y\n",
        "result.sum().backward()",
        "written in place",
    ),
    "other parameters": ("def task(x, y):\n    return x\n", "", "other parameters"),
}


@pytest.mark.parametrize(("cell", "line", "name"), AFTERWARDS.values(), ids=AFTERWARDS)
def test_what_arises_in_the_programs_lines_is_told_with_the_line(cell: str, line: str, name: str) -> None:
    found = finding(cell, PROGRAM + line + "\n")
    assert (found.mistake.name if found.mistake else "") == name
    assert f"at its own line `{line or 'result = task(x)'}`." in found.seen


def test_own_line_and_the_programs_have_sentences_of_their_own() -> None:
    cell = "def task(x):\n    y = (x * x).sum()\n    y.backward()\n    return y\n"
    afterwards = finding(cell, PROGRAM + "result.backward()\n")
    own = finding(cell.replace("return y", "y.backward()"))
    assert own.mistake.name == afterwards.mistake.name
    assert own.mistake.sentence != afterwards.mistake.sentence


UNCERTAIN = {
    "one of two branches": (
        "def helper(x):\n    list(x)\ndef task(x):\n    if len(x) > 1:\n        g = helper(x)\n"
        "    else:\n        g = x.grad\n    x.sum().backward()\n    return g.shape\n"
    ),
    "an entry of what came back": (
        "def helper(x):\n    return x, None\ndef task(x):\n    a, b = helper(x)\n    return b.shape\n"
    ),
    "a call inside": (
        IMPORT + "def helper(g):\n    list(g)\ndef task(x):\n"
        "    g = helper(torch.autograd.grad(x.sum(), x, allow_unused=True))\n    h = g\n    h = g\n    return h + 1\n"
    ),
}


TWO_CALLS = (
    IMPORT + "def one(x):\n    return x\ndef other(x):\n    list(x)\n"
    "def task(x):\n    return torch.dot(one(x), other(x))\n"
)


def test_of_two_calls_neither_is_said_to_have_given_none() -> None:
    found = finding(TWO_CALLS)
    assert found.mistake.name == "None used"
    assert "is None" not in found.seen


@pytest.mark.parametrize("cell", UNCERTAIN.values(), ids=UNCERTAIN)
def test_where_none_came_from_is_not_guessed(cell: str) -> None:
    found = finding(cell)
    assert found.mistake.name in ("None used", "a function without a return")
    assert found.mistake.name == "None used" or "helper" in found.seen


def test_what_a_student_wrote_about_itself_runs_no_further() -> None:
    """Looking for what was None evaluates nothing that the student wrote."""
    cell = (
        "seen = []\nclass Odd:\n    @property\n    def grad(self):\n        seen.append(1)\n        return None\n"
        "def task(x):\n    odd = Odd()\n    return odd.grad.shape\n"
    )
    names: dict[str, Any] = {}
    file = "<odd>"
    linecache.cache[file] = (len(cell), None, cell.splitlines(True), file)
    exec(compile(cell, file, "exec"), names)
    question = Question("run_program", {"target": "task", **Program(PROGRAM, ("result",)).as_inputs})
    error = answer(question, names)[0]["error"]
    assert names["seen"] == [1]
    assert (error["none"], error["none_is"]) == ("odd.grad", "a .grad")


def test_a_timeout_tells_that_it_is_of_all_calls_and_where_it_was() -> None:
    interrupted = {"type": "KeyboardInterrupt", "function": "task", "source": "while True:", "calls": 2}
    seen = finding_of_error(out_of_time(interrupted, 10.0), "`task(3)`", ()).seen
    assert "10 s, the time of all calls of your function in this question; call 2 was running." in seen
    assert seen.endswith("It was stopped in `task` at `while True:`.")
    alone = finding_of_error(out_of_time(interrupted | {"calls": 1}, 10.0), "`task(3)`", ()).seen
    assert "all calls" not in alone
    assert out_of_time("forged", 10.0) == out_of_time({"type": "KeyError", "source": "x"}, 10.0)


def test_a_calls_number_is_counted() -> None:
    cell = "def task(x):\n    task.left -= 1\n    return 1 / task.left\ntask.left = 3\n"
    error = error_of(cell, "result = [task(1), task(1), task(1)]\n")
    assert (error["type"], error["calls"]) == ("ZeroDivisionError", 3)
