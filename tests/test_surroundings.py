"""What is missing around the course, or of another version: one sentence that says what to do, no traceback of ours."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest
from jupyter_client.manager import start_new_kernel
from nbclient import NotebookClient

import autograder
from autograder.surroundings import TORCH
from tests.depth import one_of_each, proof
from tests.submissions import COURSE, as_bytes, released

PACKAGE = Path(autograder.__file__).parent
FIRST = "01_scalar_graphs"


def in_kernel(folder: Path, *sources: str, **environment: str) -> list[str]:
    """What each cell says, in a real kernel that starts in this folder."""
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    notebook = nbformat.v4.new_notebook(cells=cells)
    client = NotebookClient(notebook, allow_errors=True, resources={"metadata": {"path": folder}})
    client.execute(env=os.environ | environment)
    return [" ".join(map(_said, cell.outputs)) for cell in notebook.cells]


def _said(output: nbformat.NotebookNode) -> str:
    return output.get("text", "") or output.get("evalue", "") or output.get("data", {}).get("text/plain", "")


def without(folder: Path, package: str) -> str:
    """A folder for PYTHONPATH with which this package is not there."""
    (folder / "sitecustomize.py").write_text(
        "import sys\n"
        "class Lacking:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.partition('.')[0] == {package!r}:\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Lacking())\n"
    )
    return str(folder)


@pytest.mark.parametrize(
    ("package", "called", "source"),
    one_of_each(
        [
            ("torch", f"torch; %pip install torch=={TORCH}", "from autograder import check"),
            ("pytest", "pytest; %pip install pytest", "from autograder import check"),
            ("numpy", "numpy; %pip install numpy", "from autograder import check"),
            ("sklearn", "scikit-learn; %pip install scikit-learn", "from autograder import digits"),
            ("rich", "rich; pip install rich", "from autograder import progress\nprogress()"),
        ],
        lambda one: one[2],
        several=True,
    ),
)
def test_a_missing_package_is_told_in_a_sentence(tmp_path: Path, package: str, called: str, source: str) -> None:
    (said,) = in_kernel(tmp_path, source, PYTHONPATH=without(tmp_path, package))
    name, command = called.split("; ")
    assert f"lacks the package {name}: choose the kernel in which the course is installed, or run `{command}`" in said
    assert str(PACKAGE) not in said


@proof
def test_without_matplotlib_checks_go_on(tmp_path: Path) -> None:
    said = in_kernel(
        tmp_path, "from autograder import check\ncheck('value_arithmetic')", PYTHONPATH=without(tmp_path, "matplotlib")
    )
    assert "The notebook defines no `Value`" in said[0]


def test_without_graphviz_a_drawing_is_text_and_says_so(tmp_path: Path) -> None:
    source = "from autograder import draw\ndraw([('x', 'u', 2)])"
    (said,) = in_kernel(tmp_path, source, PYTHONPATH=without(tmp_path, "pygraphviz"))
    assert "- x → u: ∂u/∂x = 2" in said
    assert "there is no image without Graphviz: pip install pygraphviz" in said


@proof
def test_another_torch_is_named_when_the_course_is_imported(tmp_path: Path) -> None:
    source = "import torch\ntorch.__version__ = '2.9.1'\nfrom autograder import check"
    (said,) = in_kernel(tmp_path, source)
    assert f"The course is written for torch {TORCH}, and this is 2.9.1" in said
    assert f"`%pip install torch=={TORCH}` and restart the kernel" in said


def test_a_torch_that_is_too_old_to_load_the_course_is_named(tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("__version__ = '1.4.0'\n")
    (said,) = in_kernel(tmp_path, "from autograder import check", PYTHONPATH=str(tmp_path))
    assert f"The course is written for torch {TORCH}, and this is 1.4.0" in said
    assert str(PACKAGE) not in said


def test_a_library_that_does_not_load_is_named(tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("raise OSError('libtorch_cpu.so: cannot open shared object file')\n")
    (said,) = in_kernel(tmp_path, "from autograder import check", PYTHONPATH=str(tmp_path))
    assert "is installed but does not load (libtorch_cpu.so: cannot open shared object file): install it again" in said


def test_the_torch_that_is_named_is_the_pinned_one() -> None:
    assert f"torch=={TORCH}" in (COURSE / "requirements.txt").read_text().split()


@pytest.mark.parametrize("version", [(3, 9, 18), (3, 10, 12), (3, 11, 1)])
def test_an_older_python_is_refused_in_a_sentence(version: tuple[int, ...]) -> None:
    code = f"import sys\nsys.version_info = {version}\nfrom autograder import check"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    dotted = ".".join(map(str, version))
    last = f"ImportError: The course needs Python 3.11.2 or newer, and this is {dotted}: choose another kernel"
    assert done.stderr.splitlines()[-1].startswith(last)


@pytest.mark.parametrize("name", ["__init__.py", "surroundings.py", "tracebacks.py"])
def test_what_refuses_an_older_python_can_be_read_by_it(name: str) -> None:
    ast.parse((PACKAGE / name).read_text(), feature_version=(3, 9))


def test_setup_refuses_an_older_python(tmp_path: Path) -> None:
    for name in ("Makefile", "requirements.txt", "constraints.txt", "pyproject.toml"):
        (tmp_path / name).write_bytes((COURSE / name).read_bytes())
    old = tmp_path / "python3.9"
    old.write_text(
        f'#!/bin/sh\nexec {sys.executable} -c "import sys; sys.version_info = (3, 9, 18); exec(sys.argv[1])" "$2"\n'
    )
    old.chmod(0o755)
    done = subprocess.run(["make", "setup", f"PYTHON={old}"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0
    assert "The course needs Python 3.11.2 or newer, and this is 3.9.18: make setup PYTHON=python3.11" in done.stderr
    assert not (tmp_path / ".venv").exists()


@proof
def test_an_exercise_alone_in_another_folder_is_found_and_checked(tmp_path: Path) -> None:
    (tmp_path / f"{FIRST}.ipynb").write_bytes(as_bytes(released(FIRST)))
    sources = f"from autograder import progress\nprogress('{FIRST}')", "from autograder import check\ncheck('partials')"
    table, checked = in_kernel(tmp_path, *sources)
    assert "forward_values" in table
    assert "0 of 30" in table
    assert "The notebook defines no `partials`" in checked


@proof
def test_a_lesson_is_not_taken_for_an_exercise() -> None:
    (said,) = in_kernel(COURSE / "lessons", "from autograder import progress\nprogress('14_more')")
    assert f"there is no exercise '14_more' here; there are {FIRST}" in said


@proof
def test_where_no_notebook_is_saved_progress_says_so(tmp_path: Path) -> None:
    (said,) = in_kernel(tmp_path, f"from autograder import progress\nprogress('{FIRST}')")
    assert f"there is no exercise '{FIRST}' in {tmp_path} or above it: start this in the course's folder" in said


@proof
def test_an_older_exercise_is_recognised(tmp_path: Path) -> None:
    notebook = released(FIRST)
    ids = ("check_path_sum", "check_value_backward")
    notebook.cells = [c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") not in ids]
    (tmp_path / f"{FIRST}.ipynb").write_bytes(as_bytes(notebook))
    sources = f"from autograder import progress\nprogress('{FIRST}')", "from autograder import check\ncheck('gone')"
    table, checked = in_kernel(tmp_path, *sources)
    table = " ".join(table.split())
    assert f"{FIRST}: this notebook has no check of path_sum, value_backward." in table
    assert "made for another version of the exercise; get the new notebook" in table
    assert "a notebook of another version of the course belongs to that version" in checked


@proof
def test_ctrl_c_leaves_the_kernel_as_it_was(tmp_path: Path) -> None:
    manager, client = start_new_kernel(cwd=str(tmp_path))
    try:
        endless = "from autograder import check\ndef partials(x, w, b):\n    open('begun', 'w')\n    while True: pass\n"
        client.execute_interactive(endless, timeout=60)
        # Else ipykernel aborts what comes in the moment after the error.
        number = client.execute("check('partials')", stop_on_error=False)
        deadline = time.monotonic() + 60
        while not (tmp_path / "begun").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        manager.interrupt_kernel()
        reply = client.get_shell_msg(timeout=60)
        while reply["parent_header"]["msg_id"] != number:
            reply = client.get_shell_msg(timeout=60)
        assert reply["content"]["ename"] == "KeyboardInterrupt"
        assert str(PACKAGE) not in "".join(reply["content"]["traceback"])
        said: list[dict] = []
        right = (
            "def partials(x, w, b):\n    g = float(x * w + b > 0)\n    return dict(x=g * w, w=g * x, b=g, u=g, v=g)\n"
        )
        client.execute_interactive(f"{right}check('partials')", timeout=60, output_hook=said.append)
        (card,) = [one["content"]["data"]["text/plain"] for one in said if one["msg_type"] == "display_data"]
        assert card.startswith("partials: 3 of 3 points")
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_watching_ends_with_ctrl_c_and_no_traceback(tmp_path: Path) -> None:
    (tmp_path / f"{FIRST}.ipynb").write_bytes(as_bytes(released(FIRST)))
    command = [sys.executable, "-m", "autograder.command_line", "watch"]
    with subprocess.Popen(command, cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert errors == ""
    assert process.returncode == 130
