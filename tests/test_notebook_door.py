"""`check("task")` in a notebook: what it shows, what it is worth, what it leaves behind."""

from __future__ import annotations

import gc
import os
import random
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy
import pytest
import torch

from autograder import about, notebook, predict
from autograder.grader import live
from autograder.grader.live import judge_namespace
from autograder.judging.alarm import Alarm
from autograder.notebook import ChecksMissedError, Points, check, hint
from autograder.verdicts.card import verdict_as_html
from autograder.verdicts.plain_text import verdict_as_text
from tests.depth import proof

RIGHT = "def partials(x, w, b):\n    g = float(x * w + b > 0)\n    return dict(x=g * w, w=g * x, b=g, u=g, v=g)\n"
SWAPPED = RIGHT.replace("x=g * w, w=g * x", "x=g * x, w=g * w")


def defined(source: str) -> dict:
    """A notebook's namespace after one cell."""
    namespace: dict = {}
    exec(compile(source, "<cell>", "exec"), namespace)
    return namespace


def shown(source: str, task: str = "partials") -> str:
    """The check's display as text."""
    return verdict_as_text(judge_namespace(task, defined(source))[0])


def test_a_right_answer_earns_its_points(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    monkeypatch.setattr(notebook, "_namespace", lambda: defined(RIGHT))
    points = check("partials")
    assert isinstance(points, Points)
    assert points == 3
    assert repr(points) == "3"  # nbgrader reads the cell's result as a number
    assert "partials: 3 of 3 points" in capsys.readouterr().out


def test_a_wrong_answer_is_told_what_was_seen_and_why() -> None:
    text = shown(SWAPPED)
    assert "partials: 1 of 3 points" in text
    assert "`partials(3.0, 2.0, 1.0)['x']` is 3, expected 2." in text
    assert "are swapped" in text
    assert "Read again: lesson 01, “Products along paths”" in text


ZEROS_IN_FLOAT32 = """
import torch


def three_derivatives(f, x):
    x = x.clone().requires_grad_()
    derivatives = [f(x)]
    try:
        for _ in range(3):
            derivatives.extend(torch.autograd.grad(derivatives[-1], x, create_graph=True))
    except RuntimeError:
        derivatives += [torch.zeros(x.shape)] * (4 - len(derivatives))
    return derivatives[1:]
"""


def test_what_was_seen_is_what_the_mistake_explains() -> None:
    text = " ".join(shown(ZEROS_IN_FLOAT32, "three_derivatives").split())
    assert "After the program below, `result[1]` has the dtype torch.float32, expected torch.float64." in text
    assert "The numbers are right, but in the wrong dtype." in text


def test_whoever_is_sent_to_a_section_is_not_sent_to_another() -> None:
    source = "import torch\n\n\nclass Cube(torch.autograd.Function):\n" + "".join(
        f"    @staticmethod\n    def {name}(ctx, {given}):\n        {body}\n"
        for name, given, body in (
            ("forward", "x", "ctx.save_for_backward(3 * x**2); return x**3"),
            ("backward", "upstream", "return upstream * ctx.saved_tensors[0]"),
        )
    )
    text = " ".join(shown(source, "Cube").split())
    assert "See lesson 06, “Double backward and once_differentiable”." in text
    assert text.endswith('A hint: hint("Cube").')
    assert "Read again" not in text


def test_whoever_never_asked_f_is_not_told_about_the_precision_of_the_points() -> None:
    text = shown("def finite_difference(f, x):\n    return [1.0] * len(x)", "finite_difference")
    assert "is 1, expected" in " ".join(text.split())
    assert "float32" not in text


def test_a_hint_has_lines_that_a_window_shows(capsys: pytest.CaptureFixture) -> None:
    hint("partials")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 1
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("", "The notebook defines no `partials`: run the cell that defines it first."),
        ("def partials(x, w, b):\n    raise NotImplementedError", "Not attempted yet."),
        ("def partials(x, w, b):\n    return y", "raised NameError: name 'y' is not defined"),
        ("def partials(x, w):\n    return {}", "raised TypeError"),
        ("def partials(x, w, b):\n    return None", "is None, expected a dict with the keys 'x', 'w', 'b', 'u', 'v'"),
        ("def partials(x, w, b):\n    return {'x': w}", "lacks the key 'w'"),
        ("def partials(x, w, b):\n    raise SystemExit", "raised SystemExit"),
        ("partials = 3", "raised TypeError: 'int' object is not callable"),
        ("def partials(x, w, b):\n    return partials(x, w, b)", "raised RecursionError"),
        ("class E(Exception):\n    def __str__(self): 1/0\ndef partials(*a):\n    raise E", "raised E"),
    ],
)
def test_each_obstacle_has_its_words(source: str, says: str) -> None:
    text = shown(source)
    assert says in " ".join(text.split())
    assert "Traceback" not in text
    assert "autograder/" not in text


def test_the_limit_on_time_holds_in_a_background_job() -> None:
    """A shell starts those with SIGINT ignored."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with pytest.raises(KeyboardInterrupt), Alarm(0.1):
            exec("while True: pass")
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_question_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "SECONDS", 0.3)
    endless = "def partials(x, w, b):\n    calls.append(1)\n    while True:\n        pass\ncalls = []"
    namespace = defined(endless)
    text = " ".join(verdict_as_text(judge_namespace("partials", namespace)[0]).split())
    assert "did not finish within 0.3 s" in text
    assert "does a loop never end?" in text
    assert len(namespace["calls"]) == 1  # further questions would cost as much again


def test_whoever_interrupts_a_check_gets_the_interrupt() -> None:
    with pytest.raises(KeyboardInterrupt):
        judge_namespace("partials", defined("def partials(x, w, b):\n    raise KeyboardInterrupt"))


def test_an_alarm_that_was_in_time_stays_silent() -> None:
    with Alarm(0.05) as alarm:
        pass
    time.sleep(0.1)
    assert not alarm.rang


def test_no_student_text_reaches_html_unescaped() -> None:
    source = "def partials(x, w, b):\n    print('<script>1</script>')\n    return '<script>2</script>'"
    verdict, printed = judge_namespace("partials", defined(source))
    html = verdict_as_html(verdict, printed)
    assert "&lt;script&gt;1" in html
    assert "<script" not in html


def test_what_the_code_prints_costs_nothing_and_is_shown() -> None:
    noisy = RIGHT.replace("    g =", "    import sys; print('loud'); print('louder', file=sys.stderr)\n    g =")
    verdict, printed = judge_namespace("partials", defined(noisy))
    assert verdict.points == 3
    assert "loud\nlouder\n" in printed


def test_the_process_is_left_as_it_was() -> None:
    meddling = (
        "import torch, random, numpy, sys, warnings\n"
        "def partials(x, w, b):\n"
        "    torch.set_grad_enabled(False); torch.set_default_dtype(torch.float64); torch.manual_seed(5)\n"
        "    torch.autograd.set_detect_anomaly(True); random.seed(5); numpy.random.seed(5)\n"
        "    sys.setrecursionlimit(5000); warnings.simplefilter('error'); sys.stdout = None\n"
    )
    judge_namespace("partials", {})  # the first one loads what it needs

    def state() -> list:
        return [
            torch.is_grad_enabled(),
            torch.get_default_dtype(),
            torch.get_rng_state().sum().item(),
            torch.is_anomaly_enabled(),
            random.getstate(),
            numpy.random.get_state()[1].sum(),
            sys.getrecursionlimit(),
            list(warnings.filters),
            sys.stdout,
        ]

    before = state()
    judge_namespace("partials", defined(meddling))
    assert state() == before


def test_numpys_number_in_reserve_is_not_lost_and_not_taken_twice() -> None:
    drawing = defined("import numpy\ndef forward_values(x, w, b):\n    numpy.random.randn(3)\n    return {}\n")

    def drawn(checked: bool) -> list[float]:
        numpy.random.seed(5)
        numbers = []
        for _ in range(4):  # of two that are drawn together one waits in reserve
            numbers.append(numpy.random.randn())
            if checked:
                judge_namespace("forward_values", drawing)
        return numbers

    assert drawn(checked=True) == drawn(checked=False)


def test_every_question_starts_from_the_same_state() -> None:
    drawing = (
        "import torch\ndef forward_values(x, w, b):\n    seen.append(torch.rand(1).item())\n    return {}\nseen = []"
    )
    namespace = defined(drawing)
    judge_namespace("forward_values", namespace)
    torch.manual_seed(9)
    judge_namespace("forward_values", namespace)
    assert len(namespace["seen"]) > 2
    first_calls = namespace["seen"][::2]  # every question calls twice
    assert set(first_calls) == {first_calls[0]}


def test_a_garbage_collection_in_an_answer_does_not_go_through_the_whole_kernel() -> None:
    collecting = RIGHT.replace("):\n", "):\n    import gc\n    seen.append(len(gc.get_objects()))\n")
    namespace = defined(f"seen = []\n{collecting}")
    judge_namespace("partials", namespace)
    assert namespace["seen"]
    assert max(namespace["seen"]) < len(gc.get_objects()) / 10
    assert gc.get_freeze_count() == 0


def test_a_task_that_does_not_exist_names_the_nearest(capsys: pytest.CaptureFixture) -> None:
    assert check("partial") is None
    assert "did you mean 'partials'?" in capsys.readouterr().err


def test_without_a_name_the_tasks_of_the_notebook_are_listed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    for name in ("02_grad_exercise.ipynb", "02_grad.ipynb"):
        monkeypatch.setenv("JPY_SESSION_NAME", f"/somewhere/{name}")
        assert check() is None
        said = capsys.readouterr().out
        assert said.startswith("The tasks of 02_grad:\n    one_at_a_time, ")
        assert said.endswith('Give one of these names: check("one_at_a_time").\n')
        assert "partials_twin" not in said
    monkeypatch.setenv("JPY_SESSION_NAME", "/somewhere/Untitled.ipynb")
    check()
    said = capsys.readouterr().out
    assert "\n02_grad:\n    one_at_a_time, " in said
    assert "partials_twin" in said
    assert max(map(len, said.splitlines())) <= 80


def test_validate_raises_the_reason_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")
    monkeypatch.setattr(notebook, "_namespace", lambda: defined(SWAPPED))
    with pytest.raises(ChecksMissedError) as caught:
        check("partials")
    line = caught.value._render_traceback_()
    assert len(line) == 1
    assert line[0].startswith("partials: 1 of 3 points. `partials(3.0, 2.0, 1.0)['x']` is 3, expected 2.")


def test_grading_without_this_configuration_is_loud(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    monkeypatch.setattr(notebook, "_namespace", lambda: defined(RIGHT))
    with pytest.raises(RuntimeError, match="graded without this project's configuration"):
        check("partials")
    monkeypatch.setenv("AUTOGRADER_IN_KERNEL", "1")
    assert check("partials") == 3


def test_importing_the_package_loads_neither_torch_nor_pytest() -> None:
    code = (
        "import sys, autograder, autograder.nbgrader_plugin.execution, autograder.gradebook_access.repairs, "
        "autograder.nbgrader_plugin.reader, autograder.scores\n"
        "print([m for m in ('torch', 'pytest', '_pytest') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_one_submission_leaves_nothing_to_the_next() -> None:
    assert "3 of 3" in shown(RIGHT)
    assert "1 of 3" in shown(SWAPPED)
    assert "defines no" in shown("")
    assert "3 of 3" in shown(RIGHT)


def run_pytest(tmp_path: Path, source: str, *options: str) -> subprocess.CompletedProcess:
    """`pytest` on a notebook file with one solved task, from another folder."""
    import nbformat

    cells = [nbformat.v4.new_code_cell(source)]
    path = tmp_path / "01_scalar_graphs.ipynb"
    path.write_text(nbformat.writes(nbformat.v4.new_notebook(cells=cells)))
    command = [sys.executable, "-m", "pytest", str(path), "-p", "no:cacheprovider", *options]
    return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "COLUMNS": "120"})


def test_pytest_checks_a_notebook_file(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, SWAPPED, "--junit-xml=points.xml")
    assert done.returncode == 1
    assert "`partials(3.0, 2.0, 1.0)['x']` is 3, expected 2." in done.stdout
    assert "are swapped" in done.stdout
    assert "partials                     1 of 3" in done.stdout
    assert "together                     1 of 30" in done.stdout
    assert "Traceback" not in done.stdout
    xml = (tmp_path / "points.xml").read_text()
    assert '<property name="points" value="1"' in xml
    assert '<property name="task" value="partials"' in xml


@proof
def test_pytest_says_why_a_file_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "01_scalar_graphs.ipynb"
    path.write_text("{")
    done = subprocess.run([sys.executable, "-m", "pytest", str(path)], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode != 0
    assert "it is not valid JSON (line 1)" in done.stdout
    assert "Traceback" not in done.stdout


@pytest.mark.parametrize("call", [hint, about, predict])
def test_a_call_without_a_name_asks_for_one(call: Callable[[], None], capsys: pytest.CaptureFixture[str]) -> None:
    call()
    said = capsys.readouterr().err
    assert "is given by its name, as text in quotes" in " ".join(said.split())
