"""Run attacks and honest submissions side by side, through the workers of a class run."""

from __future__ import annotations

import dataclasses
import json
import random
import re
import secrets
import zlib
from collections.abc import Sequence
from concurrent.futures import Executor, Future

import psutil
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from autograder.classroom.executors import Cores
from autograder.classroom.job import Job, JobResult
from autograder.classroom.version import version
from autograder.classroom.worker import work
from autograder.sandbox.limits import MIB
from tests.class_runs import outputs_of
from tests.hostile import ATTACKS, EXERCISE, Attack
from tests.hostile.scene import PREFIX, Scene
from tests.sample_class import FULL, NOTHING
from tests.submissions import cell_of, released, solved

LIMITS = {"cell": 5.0, "question": 6.0, "notebook": 60.0, "cpu": 60.0, "memory": 1024 * MIB, "processes": 48}
LIMITS |= {"scratch": 64 * MIB, "file": 32 * MIB, "output": 64 * MIB, "reply": 16 * MIB}
PLACE = 3
"""Where an attack's own cell stands: after the imports, before the first task."""
SWAPPED = "def partials(x, w, b):\n    return {'x': x, 'w': w, 'b': 1.0, 'u': 1.0, 'v': 1.0}\n"
HONEST = {
    "solved": (lambda: solved(EXERCISE), FULL),
    "untouched": (lambda: released(EXERCISE), NOTHING),
    "one wrong answer": (lambda: solved(EXERCISE, partials=SWAPPED), FULL | {"partials": 0}),
}


@dataclasses.dataclass
class Returned:
    """What came back of one notebook.

    Attributes:
        error: a defect of the worker's; empty as it should be.
        points: of each task.
        reasons: why each lost some.
        results: the kinds of each task's results: "passed", "wrong", "killed", ...
        outputs: of the hostile cell, as text without colours.
        everything: all that came back and all that is kept, as text.
        seed: of this submission, which may not be in there.
    """

    error: str
    points: dict[str, float]
    reasons: dict[str, str]
    results: dict[str, set[str]]
    outputs: str
    everything: str
    seed: str


class ClassOfAttackers:
    """A pool of workers, and what came back from it, kind by kind."""

    def __init__(self, scene: Scene, order: str = "", attacks: Sequence[Attack] = ATTACKS) -> None:
        """
        Args:
            scene: what lies outside.
            order: another text, another order of the notebooks of a kind.
            attacks: those that take part.
        """
        self.scene, self._order, self._attacks = scene, order, attacks
        self._pool: Executor = Cores(2).open().__enter__()
        self._returned: dict[str, dict[str, Returned]] = {}

    def returned(self, kind: str) -> dict[str, Returned]:
        """Of the attacks of a kind and, run among them, of the honest submissions."""
        if kind not in self._returned:
            waiting = {one.name: self._hostile(one) for one in self._attacks if one.kind == kind}
            waiting |= {name: self._job(notebook(), -1) for name, (notebook, _) in HONEST.items()}
            names = list(waiting)
            random.Random(kind + self._order).shuffle(names)  # honest ones before, between and after
            running = {name: (self._pool.submit(work, waiting[name][0]), *waiting[name][1:]) for name in names}
            self._returned[kind] = {name: _returned(*one) for name, one in running.items()}
        return self._returned[kind]

    def _hostile(self, one: Attack) -> tuple[bytes, int, str]:
        notebook, cell = hostile_notebook(one, self.scene)
        code = [c for c in notebook.cells if c.cell_type == "code" and not c.metadata.get("nbgrader", {}).get("grade")]
        return self._job(notebook, next(n for n, c in enumerate(code) if c is cell))

    def _job(self, notebook: NotebookNode, index: int) -> tuple[bytes, int, str]:
        seed = PREFIX + secrets.token_hex(16)
        job = Job(notebook, EXERCISE, None, LIMITS, seed.encode()[:32].ljust(32, b"."), version())
        return job.pack(), index, seed[:32]

    def processes_left(self) -> list[str]:
        """What lives below the workers, and below the supervisor that each has, a fork of one."""
        above = [psutil.Process(worker.pid) for worker in self._pool._processes.values()]
        above += psutil.Process(self._pool._warm.pid).children()
        return [str(process) for one in above for process in one.children(recursive=True)]

    def close(self) -> None:
        """End the workers."""
        self._pool.shutdown(cancel_futures=True)


def hostile_notebook(one: Attack, scene: Scene) -> tuple[NotebookNode, NotebookNode]:
    """A solved exercise with an attack in it, and the cell that attacks."""
    notebook, source = solved(EXERCISE), scene.cell(one.source)
    if one.task:
        cell = cell_of(notebook, one.task)
        cell.source = source
    else:
        cell = new_code_cell(source, id="attack")
        notebook.cells.insert(PLACE, cell)
    return notebook, cell


def _returned(future: Future, index: int, seed: str) -> Returned:
    raw = future.result(timeout=500)
    result = JobResult.unpack(raw)
    kept = zlib.decompress(result.answers).decode("latin-1") if result.answers else ""
    verdicts = {verdict["task"]: verdict for verdict in result.verdicts}
    outputs = json.dumps(outputs_of(result)[index]) if index >= 0 and result.notebook else ""
    return Returned(
        result.error,
        {name: verdict["points"] for name, verdict in verdicts.items()},
        {name: verdict["reason"] for name, verdict in verdicts.items()},
        {name: {result["kind"] for result in verdict["results"]} for name, verdict in verdicts.items()},
        re.sub(r"\\u001b\[[0-9;]*m", "", outputs),
        raw.decode("latin-1") + kept,
        seed,
    )
