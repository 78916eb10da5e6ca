"""A notebook runs in its sandbox; whatever a cell or a task does costs only itself."""

from __future__ import annotations

import itertools

import pytest
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.utils import determine_grade

from autograder.checks.catalogue import tasks_of
from autograder.checks.task import PUBLIC_SEED
from autograder.grader.custody import Custody, Limits, NotebookRun
from autograder.grader.grading import write_outputs
from autograder.grader.supervision import close_all, supervisor
from autograder.judging.judge import judge
from autograder.probes.programs import sources
from autograder.verdicts.verdict import Verdict
from autograder.wire.outcome import Outcome
from tests.depth import proof

LIMITS = Limits(cell=2, question=2, notebook=60)
RIGHT = "def forward_values(x, w, b):\n    u = x * w\n    return {'u': u, 'v': u + b, 'a': max(u + b, 0)}"
TASK = {"forward_values": tasks_of("01_scalar_graphs")["forward_values"]}


def _grade_cell(task: str = "forward_values") -> dict:
    meta = {"nbgrader": {"grade": True, "solution": False, "grade_id": f"check_{task}"}}
    return new_code_cell(f"check('{task}')", metadata=meta)


def run(*sources: str | dict, limits: Limits = LIMITS) -> tuple[Custody, float]:
    """Run cells; returns the custody and the points of forward_values."""
    cells = [new_code_cell(source) if isinstance(source, str) else source for source in sources]
    custody = NotebookRun(cells, TASK, PUBLIC_SEED, limits).custody()
    return custody, judge().verdicts(TASK, custody.evidence)["forward_values"].points


def text(custody: Custody, index: int) -> str:
    """All that a cell's outputs say."""
    return str(custody.outputs[index])


def test_a_grade_cell_is_answered_in_its_place() -> None:
    custody, points = run(RIGHT, _grade_cell(), "forward_values = None")
    assert points == 2
    assert 1 not in custody.outputs  # it was asked, not run


def test_a_task_without_its_grade_cell_is_asked_at_the_end() -> None:
    assert run(RIGHT)[1] == 2
    assert run(RIGHT, "forward_values = None")[1] == 0


def test_a_graded_cell_that_asks_for_no_check_there_is_is_not_run_and_earns_nothing() -> None:
    notebook = new_notebook(cells=[new_code_cell(RIGHT), _grade_cell(), _grade_cell("of_mine")])
    notebook.cells[2].source = "check('of_mine')"
    notebook.cells[2].metadata["nbgrader"]["points"] = 3
    custody, points = run(*notebook.cells)
    assert points == 2
    assert 2 not in custody.outputs
    judged = {"forward_values": Verdict.nothing(tasks_of("01_scalar_graphs")["forward_values"], Outcome.WRONG, "no")}
    for brought_back in (custody, None):
        write_outputs(notebook, brought_back, judged, "f")
        assert notebook.cells[2].outputs[0].ename == "NotACheck"
        assert determine_grade(notebook.cells[2]) == (0, 3)


@pytest.mark.parametrize(
    ("source", "points"),
    [
        ("assert forward_values", 3),
        ("assert not forward_values", 0),
        ("1.5", 1.5),
        ("print(2)", 3),
        ("import sys\nsys.stderr.write('x')", 0),
        ("import os\nos._exit(1)", 0),
        ("print('x' * 2_000_000)\nassert False", 0),
        ("print('x' * 2_000_000)\nimport sys\nsys.stderr.write('x')", 0),
        ("for i in range(2_000):\n    display(i)\nassert False", 0),
        ("print('x' * 2_000_000)\n1.5", 1.5),
        ("import sys\nsys.displayhook(3)\nassert False", 0),
        ("import sys\nfrom IPython.display import clear_output\nprint('x', file=sys.stderr)\nclear_output()", 3),
    ],
)
def test_a_graded_cell_with_asserts_is_run_in_its_place(source: str, points: float) -> None:
    notebook = new_notebook(cells=[new_code_cell(RIGHT), _grade_cell("of_mine"), new_code_cell("forward_values = 0")])
    notebook.cells[1].source = source
    notebook.cells[1].metadata["nbgrader"]["points"] = 3
    custody, _ = run(*notebook.cells)
    made = write_outputs(notebook, custody, {}, "f")
    assert determine_grade(notebook.cells[1])[0] == points == made["check_of_mine"].points
    made = write_outputs(notebook, None, {}, "f")
    assert determine_grade(notebook.cells[1])[0] == 0 == made["check_of_mine"].points


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("while True: pass", "OutOfTime"),
        ("while True:\n    try:\n        while True: pass\n    except BaseException: pass", "OutOfTime"),
        ("import os\nos._exit(3)", "it exited with status 3"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)", "SIGSEGV"),
        ("import sys\nsys.exit()", "SystemExit"),
        ("import os\nfor fd in range(3, 64):\n    try: os.close(fd)\n    except OSError: pass", "ProcessEnded"),
        ("def broken(:", "SyntaxError"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    ],
)
def test_a_bad_cell_costs_itself(cell: str, said: str) -> None:
    custody, points = run("print('before')", cell, RIGHT, _grade_cell(), "print('after')")
    assert said in text(custody, 1)
    assert "before" in text(custody, 0)
    assert "after" in text(custody, 4)
    assert points == 2


@pytest.mark.parametrize(
    "body",
    [
        "while True: pass",
        "import os; os._exit(0)",
        pytest.param("import time; time.sleep(99)", marks=proof),
        "return exit()",
    ],
)
def test_a_bad_task_costs_itself(body: str) -> None:
    custody, points = run(f"def forward_values(x, w, b):\n    {body}", _grade_cell(), "print('after')")
    assert points == 0
    assert "after" in text(custody, 2)


def test_a_notebook_has_a_time_of_its_own() -> None:
    custody, _ = run(*["import time; time.sleep(1.5)"] * 4, limits=Limits(cell=2, question=2, notebook=6))
    assert "OutOfTime" in text(custody, 3) or "time was over" in str(custody.evidence.answers)


def test_the_sandbox_sees_neither_environment_nor_the_graders_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_SECRET", "1")
    custody, _ = run(
        "import os, sys\nprint(sorted(k for k in os.environ if 'SECRET' in k))",
        "ours = [m for m in sys.modules if m.startswith('autograder')]\n"
        "theirs = tuple('autograder.' + name for name in ('probes', 'wire', 'sandbox', 'supervisor', 'pictures'))\n"
        "print(sorted(m for m in ours if not m.startswith(theirs)))\n"
        "print([m for m in sys.modules if m.split('.')[0] in ('pytest', '_pytest', 'nbgrader')])",
    )
    assert custody.outputs[0][0]["text"] == "[]\n"
    common = [
        "autograder",
        "autograder.marked_text",
        "autograder.notebook",
        "autograder.replacing",
        "autograder.surroundings",
        "autograder.tracebacks",
    ]
    assert custody.outputs[1][0]["text"] == f"{common}\n[]\n"


def test_sandboxes_start_with_all_public_programs_compiled_and_no_other() -> None:
    tasks = {"gradient_penalty": tasks_of("08_higher_order")["gradient_penalty"]}
    cells = [new_code_cell("from autograder.probes.programs import compiled\nprint(compiled.cache_info().currsize)")]
    public = [case.question for check in tasks["gradient_penalty"].checks for case in check.public_cases]
    close_all()  # so that nothing else was compiled
    found = [NotebookRun(cells, tasks, seed, LIMITS).custody().outputs[0][0]["text"] for seed in (b"one", b"two")]
    assert found == [f"{len(set(itertools.chain.from_iterable(map(sources, public))))}\n"] * 2


def test_a_program_that_is_no_python_costs_no_other_sandbox() -> None:
    supervisor().compile([("def", "exec"), ("1 +", "eval"), ("a\0", "exec")])
    assert run(RIGHT)[1] == 2


def test_check_within_the_sandbox_judges_nothing() -> None:
    custody, _ = run("from autograder import check\nprint(check('forward_values'))")
    assert "answered in its own cell" in text(custody, 0)
    assert "None" in text(custody, 0)


@pytest.mark.parametrize(
    ("cell", "output"),
    [
        ("3 + 4", "'text/plain': '7'"),
        ("%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2]);", "image/png"),
        ("from IPython.display import HTML\nHTML('<b>x</b>')", "text/html"),
        ("!echo from a shell", "from a shell"),
        ("1 / 0", "ZeroDivisionError"),
        ("import sys\nprint('x', file=sys.stderr)", "'name': 'stderr'"),
    ],
)
def test_cells_leave_the_outputs_of_a_kernel(cell: str, output: str) -> None:
    assert output in text(run(cell)[0], 0)
