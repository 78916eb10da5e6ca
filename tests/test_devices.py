"""Checks on another device than the CPU: the same verdicts, or a sentence that says why not.

The tests that need CUDA or MPS run where there is such a device, and are reported as skipped, by name, where there is
none. torch's `lazy` device, which is everywhere, runs what all of them have in common. Each task's answers are asked
there by tests/tasks/test_answers_on_devices.py.
"""

from __future__ import annotations

from unittest import mock

import pytest
import torch
from torch import nn
from torch.nn import functional

from autograder import digits, notebook
from autograder.checks.catalogue import tasks_of
from autograder.checks.task import PUBLIC_SEED
from autograder.comparison import differences
from autograder.grader.custody import NotebookRun
from autograder.grader.live import judge_namespace
from autograder.probes import Question
from autograder.probes.devices import DeviceError, cpu_numerics, make_ready, resolve
from autograder.probes.known_state import known_state
from autograder.wire.plain import SeenTensor, decode
from tests.devices import LIMITS, here_or_skipped


def test_names_of_devices() -> None:
    assert resolve("cpu") == resolve("cpu:0") == "cpu"
    with mock.patch.object(torch.cuda, "is_available", return_value=True):
        assert resolve("auto") == "cuda"
        assert resolve("cuda:1") == "cuda"
    with (
        mock.patch.object(torch.cuda, "is_available", return_value=False),
        mock.patch.object(torch.backends.mps, "is_available", return_value=True),
    ):
        assert resolve("auto") == "mps"
        with pytest.raises(DeviceError, match=r"there is no CUDA device here \(.*\): leave it out, or choose cpu"):
            resolve("cuda")
    with pytest.raises(DeviceError, match="no check runs on the device 'tpu': choose one of cpu, cuda, mps, auto"):
        resolve("tpu")


def test_lessons_follow_the_notebooks_default_device() -> None:
    with mock.patch.object(torch.cuda, "is_available", return_value=True):
        assert digits.default_device() == "cuda"
    make_ready("lazy")
    with known_state("lazy"):
        assert digits.default_device() == "lazy"


def test_a_question_starts_on_its_device_and_leaves_the_process_where_it_was() -> None:
    with known_state("lazy"):
        assert torch.ones(2).device.type == "lazy"
        with known_state():
            assert torch.ones(2).device.type == "cpu"
        assert torch.ones(2).device.type == "lazy"
    assert torch.ones(2).device.type == "cpu"


def test_cuda_computes_in_float32_as_the_cpu_does() -> None:
    """Only switches are looked at: no tensor is made on a GPU."""
    convolutions, matmul = torch.backends.cudnn, torch.backends.cuda.matmul
    matmul.allow_tf32 = True
    try:
        assert convolutions.allow_tf32
        with cpu_numerics("cuda"):
            assert not convolutions.allow_tf32
            assert convolutions.deterministic
            assert not matmul.allow_tf32
        assert convolutions.allow_tf32
        assert not convolutions.deterministic
        assert matmul.allow_tf32
    finally:
        matmul.allow_tf32 = False


DRAWS = {
    "rand": lambda: torch.rand(3),
    "randn": lambda: torch.randn(2, 3, dtype=torch.float64),
    "randint": lambda: torch.randint(9, (4,)),
    "randperm": lambda: torch.randperm(9),
    "normal": lambda: torch.normal(torch.zeros(3), torch.ones(3)),
    "randn_like": lambda: torch.randn_like(torch.ones(3)),
    "bernoulli": lambda: torch.bernoulli(torch.full((9,), 0.5)),
    "in place": lambda: torch.ones(3).uniform_(-1, 1),
    "a layer": lambda: nn.Linear(3, 2).weight,
    "a convolution": lambda: nn.Conv2d(1, 2, 2).bias,
    "an initialisation": lambda: nn.init.xavier_uniform_(torch.empty(2, 3)),
    "dropout": lambda: functional.dropout(torch.ones(9), 0.5),
    "a layer of dropout": lambda: nn.Dropout(0.3)(torch.ones(9)),
}


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
@pytest.mark.parametrize("kind", ["lazy", "cuda"])
def test_random_numbers_are_those_of_the_cpu(draw: object, kind: str) -> None:
    with known_state():
        here = [draw(), draw()]
    with known_state(here_or_skipped(kind)):
        there = [draw(), draw()]
    for one, other in zip(here, there, strict=True):
        assert other.device.type == kind
        assert other.requires_grad == one.requires_grad
        assert other.is_leaf == one.is_leaf
        assert torch.equal(one, other.cpu())


def test_dropout_keeps_the_graph_that_it_has_on_the_cpu() -> None:
    def graph() -> str:
        return functional.dropout(torch.ones(3, requires_grad=True), 0.5).grad_fn.name()

    with known_state():
        here = graph()
    with known_state("lazy"):
        assert graph() == here


def test_an_answer_on_another_device_than_the_question_is_wrong() -> None:
    there = SeenTensor(torch.ones(2), "cuda:0", requires_grad=False, is_leaf=True, asked="cuda")
    left = SeenTensor(torch.ones(2), "cpu", requires_grad=False, is_leaf=True, asked="cuda")
    assert not differences(there, torch.ones(2))
    assert differences(left, torch.ones(2))[0].problem == "is on the device cpu, expected cuda"


def verdict_on_lazy(task: str, source: str) -> str:
    """Why points are missing where a cell's answer is asked on the lazy device."""
    namespace: dict = {}
    exec(compile(source, "<cell>", "exec"), namespace)
    return judge_namespace(task, namespace, "lazy")[0].reason


ANSWER = (
    "import torch\ndef gradient_of_vector(y, x, upstream):\n    g = torch.autograd.grad(y, x, {})[0]\n    return {}\n"
)


def test_what_was_computed_elsewhere_and_what_was_brought_back_is_told() -> None:
    assert verdict_on_lazy("gradient_of_vector", ANSWER.format("upstream", "g")) == ""
    brought_back = verdict_on_lazy("gradient_of_vector", ANSWER.format("upstream", "g.cpu()"))
    assert brought_back.startswith("After the check's program, `result` is on the device cpu, expected lazy.")
    mixed = verdict_on_lazy("gradient_of_vector", ANSWER.format("upstream", "g * torch.ones(1, device='cpu')"))
    assert mixed.endswith("[two devices]")


@pytest.mark.parametrize(
    ("error", "named"),
    [
        ('torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")', "out of the device's memory"),
        (
            'RuntimeError("Expected all tensors to be on the same device, but found at least two devices, cuda:0 and '
            'cpu!")',
            "two devices",
        ),
        (
            "TypeError(\"can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host "
            'memory first.")',
            "two devices",
        ),
    ],
)
def test_what_torch_says_about_devices_is_named(error: str, named: str) -> None:
    raising = f"import torch\ndef gradient_of_vector(y, x, upstream):\n    raise {error}\n"
    assert verdict_on_lazy("gradient_of_vector", raising).endswith(f"[{named}]")


def test_check_follows_the_notebooks_default_device(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    """A function that says where its argument is: right nowhere, and its message tells the device."""
    namespace: dict = {}
    exec("def gradient_of_vector(y, x, upstream):\n    raise ValueError(f'asked on {y.device.type}')\n", namespace)
    monkeypatch.setattr(notebook, "_namespace", lambda: namespace)

    def asked_on(device: str | None = None) -> str:
        notebook.check("gradient_of_vector", device)
        return capsys.readouterr().out.partition("asked on ")[2].partition(".")[0]

    assert asked_on() == "cpu"
    assert asked_on("lazy") == "lazy"
    make_ready("lazy")
    torch.set_default_device("lazy")
    try:
        assert asked_on() == "lazy"
        assert asked_on("cpu") == "cpu"
    finally:
        torch.set_default_device(None)
    if not torch.cuda.is_available():
        assert notebook.check("gradient_of_vector", "cuda") is None
        assert "there is no CUDA device here" in capsys.readouterr().err


def test_a_device_without_float64_is_asked_what_it_can_be_asked() -> None:
    wide = [
        {"arguments": [torch.ones(2, dtype=torch.float64)]},
        {"text": "x = torch.ones(2, dtype=torch.float64)"},
        {"text": "model = nn.Linear(2, 1).double()"},
        {"given": {"x": [torch.ones(1).double()]}},
    ]
    for inputs in wide:
        assert Question("probe", inputs).on("mps").device == "cpu"
        assert Question("probe", inputs).on("cuda").device == "cuda"
    assert Question("probe", {"arguments": [torch.ones(2), 1.0], "text": "x = 1"}).on("mps").device == "mps"


def test_a_questions_inputs_are_made_on_its_device() -> None:
    tree, blob = Question("call", {"target": "f", "arguments": [torch.ones(2, requires_grad=True)]}, "lazy").pack()
    (argument,) = Question.unpack(tree, blob).inputs["arguments"]
    assert argument.device.type == "lazy"
    assert argument.requires_grad
    assert argument.is_leaf


def test_a_notebooks_cells_run_on_its_device() -> None:
    """A constant that a cell makes is where the questions are."""
    task = tasks_of("02_grad")["gradient_of_vector"]
    cells = [
        {"cell_type": "code", "source": source, "metadata": {}}
        for source in ("import torch\none = torch.ones(1)", "one.device", ANSWER.format("upstream", "g * one"))
    ]
    custody = NotebookRun(cells, {task.name: task}, PUBLIC_SEED, LIMITS, "lazy").custody()
    assert custody.outputs[1][0]["data"]["text/plain"] == "device(type='lazy', index=0)"
    answers = [answer for given in custody.evidence.answers.values() for answer in given]
    assert answers
    for answer in answers:
        seen = decode(answer.envelope["seen"], answer.blob)
        assert seen["result"]["result"].device == "lazy:0"


LOSING = """
import torch
def refusing(state):
    raise RuntimeError("CUDA error: device-side assert triggered")
def gradient_of_vector(y, x, upstream):
    torch.set_rng_state = refusing
    return torch.autograd.grad(y, x, upstream)[0]
"""
"""After an index out of range a GPU refuses this process everything, and so what restores its state."""


def test_a_gpu_that_refuses_to_go_on_costs_its_question_and_is_told() -> None:
    task = tasks_of("02_grad")["gradient_of_vector"]
    cells = [{"cell_type": "code", "source": LOSING, "metadata": {}}]
    custody = NotebookRun(cells, {task.name: task}, PUBLIC_SEED, LIMITS, "lazy").custody()
    assert custody.ended == {task.name: "the GPU refused to go on, as it does after an index that is out of range"}
