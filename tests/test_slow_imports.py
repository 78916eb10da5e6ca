"""An import takes as long as it takes: no limit on time ends it, or counts it as the student's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from autograder.checks.catalogue import exercises
from autograder.judging.alarm import Alarm
from tests.depth import exhaustive, proof
from tests.sandboxes import said, sandbox
from tests.submissions import COURSE

NEWLY_LOADED = """
import json, sys
from autograder.probes.lazy_modules import load_lazy_modules
from autograder.grader.live import judge_namespace
from autograder.judging.judge import judge
from autograder.tasks.cells import needed
from tests.answers import right_answers
from tests.submissions import solution_sources
judge()
load_lazy_modules()
found = {}
for exercise in sys.argv[1:]:
    cells = solution_sources(exercise)
    for task, source in [*cells.items()] + [(answer.task, answer.source) for answer in right_answers(exercise)]:
        names = {"__name__": "__main__"}
        for cell in (*needed(task, cells), source):
            exec(compile(cell, "<answer>", "exec"), names)
        before = set(sys.modules)
        judge_namespace(task, names)
        if new := {name for name in set(sys.modules) - before if not name.startswith("autograder.")}:
            found[task] = sorted(new)
print(json.dumps(found))
"""


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(["04_hooks", "07_jacobians"], marks=proof, id="two"),
        pytest.param(exercises(), marks=exhaustive, id="all"),
    ],
)
def test_nothing_is_loaded_while_a_task_is_asked(names: list[str]) -> None:
    """Each task in turn, with its solution and every right answer, in a process that began with nothing."""
    command = [sys.executable, "-c", NEWLY_LOADED, *names]
    done = subprocess.run(command, cwd=COURSE, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": "."})
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout.splitlines()[-1]) == {}


SLOW = """
import sys, time
class Slow:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {slow!r}:
            time.sleep({seconds})
sys.meta_path.insert(0, Slow())
"""
"""A disk on which each file of some packages takes its time."""
FIRST_CHECK = """
from autograder.grader import live
from autograder.verdicts.plain_text import verdict_as_text
from tests.submissions import solution_sources
live.SECONDS = 2.0
names = {"__name__": "__main__"}
exec(compile(solution_sources("07_jacobians")["directional_derivative"], "<answer>", "exec"), names)
print(verdict_as_text(live.judge_namespace("directional_derivative", names)[0]))
"""


def slowed(folder: Path, packages: tuple[str, ...], seconds: float) -> dict[str, str]:
    """An environment in which every import from these packages takes so long."""
    (folder / "sitecustomize.py").write_text(SLOW.format(slow=packages, seconds=seconds))
    return os.environ | {"PYTHONPATH": f"{folder}{os.pathsep}{COURSE}"}


@proof
def test_a_right_answer_is_right_where_torch_loads_slowly(tmp_path: Path) -> None:
    """`torch._dynamo` and sympy, eight hundred files, take longer than the question may."""
    environment = slowed(tmp_path, ("sympy", "torch"), 0.005)
    done = subprocess.run([sys.executable, "-c", FIRST_CHECK], env=environment, capture_output=True, text=True)
    assert "All checks passed." in done.stdout, done.stdout + done.stderr[-2000:]


def test_an_answers_own_slow_import_takes_no_time(tmp_path: Path) -> None:
    (tmp_path / "slow_disk.py").write_text("import time\ntime.sleep(0.6)\nready = True\n")
    sys.path.insert(0, str(tmp_path))
    try:
        with Alarm(0.2) as alarm:
            import slow_disk
    finally:
        sys.path.remove(str(tmp_path))
        sys.modules.pop("slow_disk", None)
    assert slow_disk.ready
    assert not alarm.rang


def test_time_goes_on_after_an_import(tmp_path: Path) -> None:
    (tmp_path / "slow_start.py").write_text("import time\ntime.sleep(0.3)\n")
    sys.path.insert(0, str(tmp_path))
    try:
        with pytest.raises(KeyboardInterrupt), Alarm(0.2):
            exec("import slow_start\nwhile True: pass")
    finally:
        sys.path.remove(str(tmp_path))
        sys.modules.pop("slow_start", None)


def test_an_interrupt_in_a_sandbox_waits_for_an_import() -> None:
    """The grader's interrupt comes while the module is loaded; what the next cell finds is all of it."""
    slow = textwrap.dedent("""
        import pathlib, sys, time
        sys.path.insert(0, ".")
        pathlib.Path("slow_module.py").write_text("import time; began = True; time.sleep(1.5); ready = True")
        """)
    with sandbox() as process:
        said(process, slow)
        reply, _, late = process.request({"op": "run", "source": "import slow_module\ntime.sleep(60)"}, seconds=0.5)
        assert late
        assert reply["outputs"][-1]["ename"] == "KeyboardInterrupt"
        assert said(process, "import slow_module\nprint(slow_module.ready)") == "True\n"
