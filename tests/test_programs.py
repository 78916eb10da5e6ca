"""Programs as questions: each kind of thing that the course asks about, through a real sandbox and a reference."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import pytest
import torch

from autograder.checks.answer import Answer
from autograder.checks.answers import Answers
from autograder.checks.questions import example_of
from autograder.checks.task import Case, Check
from autograder.comparison import differences
from autograder.diagnosis import Finding
from autograder.grader.sandbox_process import SandboxProcess
from autograder.probes import Question, answer
from autograder.probes.programs import Program, run
from autograder.probes.specimens import as_code, build
from autograder.references.replay import Replay
from autograder.references.runs import outcome
from autograder.wire.plain import Absent, Specimen, decode

LEAF = "x = torch.tensor([0.5, -1.5], dtype=torch.float64, requires_grad=True)\n"
KINDS = {
    "a plain function": ("def task(x):\n    return 3 * x\n", "result = task(2.0)\n", ("result",)),
    "a dict of tensors": (
        "import torch\ndef task(y, named):\n    return dict(zip(named, torch.autograd.grad(y, [*named.values()])))\n",
        LEAF + "u = x * 2\ny = (u * u).sum()\nresult = task(y, {'u': u, 'x': x})\n",
        ("result", "x.grad"),
    ),
    "a sequence of tensors": (
        "def task(xs):\n    return [x * x for x in xs]\n",
        LEAF + "result = task([x, x * 2])\n",
        ("[one.detach() for one in result]",),
    ),
    "hooks and handles": (
        "def task(t, seen):\n    return t.register_hook(lambda g: seen.append(g.clone()))\n",
        LEAF + "seen = []\nu = x * 2\nhandle = task(u, seen)\n(u * 3).sum().backward()\nbefore = counters.hooks_on(u)\n"
        "handle.remove()\n",
        ("seen", "before", "counters.hooks_on(u)", "x.grad"),
    ),
    "a custom Function": (
        "import torch\nclass task(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n"
        "        ctx.save_for_backward(x)\n        return x ** 3\n    @staticmethod\n    def backward(ctx, g):\n"
        "        (x,) = ctx.saved_tensors\n        return g * 3 * x * x\n",
        LEAF + "upstream = torch.tensor([2.0, -1.0], dtype=torch.float64)\ny = task.apply(x)\n"
        "first, = torch.autograd.grad(y, x, upstream, create_graph=True)\n"
        "second, = torch.autograd.grad(first.sum(), x)\nh = 1e-5\n"
        "slope = (task.apply(x.detach() + h) - task.apply(x.detach() - h)) / (2 * h)\n",
        ("y.detach()", "first.detach()", "second", "slope"),
    ),
    "node counts": (
        "import torch\ndef task(y, x):\n    return torch.autograd.grad(y, x)\n",
        LEAF + "y = (x * 2).sin().sum()\nwith counters.nodes_run(y) as runs, counters.passes_run() as passes:\n"
        "    result = task(y, x)\n",
        ("runs.total()", "len(passes)", "result"),
    ),
    "a model in training": (
        "def task(model, optimizer, X, y):\n    optimizer.zero_grad()\n    loss = ((model(X) - y) ** 2).mean()\n"
        "    loss.backward()\n    optimizer.step()\n    return loss.detach()\n",
        "torch.manual_seed(1)\nmodel = counters.counted(nn.Linear(2, 1).double())\n"
        "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\nX = torch.ones(3, 2, dtype=torch.float64)\n"
        "losses = [task(model, optimizer, X, torch.zeros(3, 1, dtype=torch.float64)) for _ in range(3)]\n",
        ("losses", "model.weight.detach()", "model.training", "model.calls"),
    ),
    "a loop over epsilon": (
        "def task(x, direction, epsilon):\n    return (x + epsilon * direction.sign()).clamp(0, 1)\n",
        "x = torch.tensor([0.2, 0.9], dtype=torch.float64)\n"
        "result = [task(x, torch.tensor([-1.0, 1.0]), epsilon) for epsilon in (0.0, 0.1, 0.5)]\n",
        ("result", "x"),
    ),
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxProcess]:
    with SandboxProcess() as process:
        yield process


def asked(sandbox: SandboxProcess, source: str, program: Program) -> dict:
    """What the sandbox sees when a student's cell defines `task`."""
    sandbox.request({"op": "run", "source": source}, seconds=20)
    tree, blob = Question("run_program", {"target": "task", **program.as_inputs}).pack()
    reply, raw, _ = sandbox.request({"op": "ask", "question": tree}, blob, seconds=20)
    assert reply["error"] is None, reply["error"]
    return decode(reply["seen"], raw)


@pytest.mark.parametrize("kind", KINDS)
def test_sandbox_and_reference_see_the_same(kind: str, sandbox: SandboxProcess) -> None:
    source, text, shown = KINDS[kind]
    program = Program(text, shown)
    scope: dict = {}
    exec(source, scope)
    expected = outcome(program, "task", scope["task"])
    seen = asked(sandbox, source, program)
    assert not any(isinstance(value, Absent) for value in seen["result"].values())
    assert differences(seen["result"], expected) == []
    assert differences(seen["again"], expected) == []


def test_models_travel_as_family_and_weights(sandbox: SandboxProcess) -> None:
    weights = [torch.tensor([[1.0, -2.0]], dtype=torch.float64), torch.tensor([[3.0]], dtype=torch.float64)]
    model = Specimen("layers", {"weights": weights, "biases": [None, torch.ones(1).double()], "activation": "Tanh"})
    x = torch.tensor([[0.3, 0.1]], dtype=torch.float64)
    program = Program("result = task(model, x)\n", ("result.detach()",), given={"model": model, "x": x})
    seen = asked(sandbox, "def task(model, x):\n    return model(x)\n", program)
    right = 3 * torch.tanh(torch.tensor([[0.1]], dtype=torch.float64)) + 1
    assert differences(seen["result"], {"result.detach()": right}) == []


def test_a_program_cannot_be_spoilt_by_the_run_before(sandbox: SandboxProcess) -> None:
    source = "calls = []\ndef task(x):\n    calls.append(x)\n    x.mul_(2)\n    return len(calls)\n"
    program = Program("result = task(x)\n", ("result", "x"), given={"x": torch.ones(2)})
    seen = asked(sandbox, source, program)
    assert seen["result"]["result"] == 1
    assert seen["again"]["result"] == 2
    assert torch.equal(seen["again"]["x"].data, torch.full((2,), 2.0))


def test_each_question_starts_from_a_known_state(sandbox: SandboxProcess) -> None:
    source = (
        "import torch\ntorch.set_default_dtype(torch.float64)\ntorch.manual_seed(99)\ntorch.set_grad_enabled(False)\n"
        "def task():\n    print('heard', flush=True)\n    return torch.rand(2).dtype == torch.float32\n"
    )
    shown = ("result", "torch.is_grad_enabled()", "torch.rand(1).item()")
    first = asked(sandbox, source, Program("result = task()\n", shown))["result"]
    again = asked(sandbox, "torch.manual_seed(5)", Program("result = task()\n", shown))["result"]
    assert first == again
    assert first["result"] is True
    assert first["torch.is_grad_enabled()"] is True
    reply, _, _ = sandbox.request({"op": "run", "source": "print(torch.get_default_dtype())"}, seconds=20)
    assert reply["outputs"][0]["text"] == "torch.float64\n"


def test_what_a_program_prints_is_kept_and_costs_nothing() -> None:
    scope: dict = {}
    exec("import sys\ndef task():\n    print('a')\n    print('b', file=sys.stderr)\n    return 1.0\n", scope)
    envelope, _ = answer(
        Question("run_program", {"target": "task", **Program("r = task()\n", ("r",)).as_inputs}), scope
    )
    assert envelope["error"] is None
    assert envelope["printed"] == "a\nb\n" * 2


def test_the_node_that_first_makes_nan_is_named() -> None:
    scope: dict = {}
    exec("def task(x):\n    y = x.sqrt().sum()\n    y.backward()\n    return x.grad\n", scope)
    text = "x = torch.zeros(2, requires_grad=True)\nresult = task(x * 1)\n"
    bad = "x = torch.zeros(2, requires_grad=True)\ny = (x * 0).sqrt() * 0\ny.sum().backward()\nresult = x.grad\n"
    for program, began in ((text, None), (bad, "SqrtBackward0")):
        question = Question("run_program", {"target": "task", **Program(program, ("result",)).as_inputs})
        assert answer(question, scope)[0]["nan_began"] == began


def test_an_expression_without_a_value_is_absent() -> None:
    seen = run("result = None\n", ("result.grad", "result"), {})
    assert seen == {"result.grad": Absent("`result` is None"), "result": None}
    assert run("result = 3\n", ("result.grad",), {}) == {"result.grad": Absent("AttributeError")}


def test_a_program_as_a_cell_has_its_imports() -> None:
    program = Program("m = nn.Linear(1, 1)\nwith counters.passes_run() as p:\n    pass\n", ("p",))
    assert program.as_cell.startswith("from torch import nn\nfrom autograder import counters\nm = ")
    exec(program.as_cell, {})


# the second source


def test_a_replay_differentiates_by_running_again() -> None:
    text = (
        LEAF + "w = torch.tensor(2.0, requires_grad=True)\nu = x * w\na = (u * u * x).sum()\nresult = task(a, u, x)\n"
    )
    found = Replay(
        Program(text, ("result",)), "task", lambda replay, a, u, x: [replay.gradient(a, u), replay.gradient(a, x)]
    ).shown(("result",))["result"]
    x = torch.tensor([0.5, -1.5], dtype=torch.float64)
    assert torch.allclose(found[0], 2 * (2 * x) * x)
    assert torch.allclose(found[1], 12 * x * x)  # u follows x


def test_a_replay_says_what_it_cannot_name() -> None:
    replay = Replay(Program(LEAF, ("x",)), "task", print)
    replay.shown(("x",))
    with pytest.raises(LookupError, match="no name"):
        replay.gradient(torch.ones(1), replay.names["x"])


# judging


def test_a_finding_shows_the_program_and_the_expression() -> None:
    from autograder.checks.catalogue import find_task

    task = find_task("all_partials")
    program = Program(LEAF + "result = all_partials(x.sum(), [x])\n", ("result",))
    case = Case((program,), task.question(program), secret=False)
    scope: dict = {}
    exec("def all_partials(a, nodes):\n    return [-nodes[0].detach() ** 0]\n", scope)
    envelope, blob = answer(case.question, scope)
    check = Check(task, "t", 1, [], None, 0, task.question, Answers.agree)
    with pytest.raises(Finding) as found:
        Answers(check, [case], [Answer(envelope, blob)]).agree()
    assert found.value.seen == ("After the program below, `result[0][0]` is -1, expected 1, and 1 more entry differs.")
    assert found.value.mistake.name == "sign"
    assert found.value.example == "import torch\n" + program.text


@pytest.mark.parametrize(
    "specimen",
    [
        Specimen("sine_sum", {"a": torch.tensor([1.0, 0.1]), "k": torch.tensor([2.0, 0.3]).double(), "c": -0.75}),
        Specimen("cubic", {"a": torch.tensor([1.0, -2.0]), "b": torch.tensor([0.5, 3.0])}),
        Specimen("exponential", {"b": torch.tensor([0.5, 0.1]).double()}),
    ],
    ids=lambda specimen: specimen.family,
)
def test_a_function_is_shown_as_code_that_computes_the_same(specimen: Specimen) -> None:
    x, names = torch.tensor([0.4, -1.1], dtype=torch.float64), {}
    exec(as_code(specimen), names)
    assert torch.equal(names["f"](x), build(specimen)(x))
    assert as_code(Specimen("layers", {})) == ""


def test_a_call_with_a_function_is_shown_as_a_cell_that_can_be_run() -> None:
    point, asked_at = torch.tensor([0.4, -1.1], dtype=torch.float64), []
    inputs = (Specimen("exponential", {"b": point}), point)
    case = Case(inputs, Question("call", {"target": "g", "arguments": [*inputs]}), secret=False)
    exec(example_of("g", case), {"g": lambda f, x: asked_at.append((f(x), x))})
    assert differences(asked_at[0], (torch.exp((point * point).sum()), point)) == []
    assert example_of("g", dataclasses.replace(case, secret=True)) == ""
