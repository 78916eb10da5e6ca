"""The execution step of `nbgrader autograde`: a light client of a grader process, which loads torch."""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Float, Integer, Unicode

from autograder.sandbox.limits import MIB, Limits
from autograder.supervisor.tiers import MEANING
from autograder.wire.frames import Channel, TornFrameError

SPARE_SECONDS = 120.0
"""Time allowed to a grading beyond the notebook's own limit, for starting up and judging."""


class GraderProcess:
    """A grader process, which grades one notebook after the other."""

    def __init__(self) -> None:
        theirs_read, ours_write = os.pipe()
        ours_read, theirs_write = os.pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "autograder.grader", str(theirs_read), str(theirs_write)],
            pass_fds=(theirs_read, theirs_write),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        os.close(theirs_read)
        os.close(theirs_write)
        self._channel = Channel(ours_read, ours_write)
        self._channel.receive(SPARE_SECONDS)

    def grade(self, job: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Grade one notebook in the grader process.

        Returns:
            The graded `notebook`, the sandbox's `tier`, and a line for each task `scaled` to the notebook's points.

        Raises:
            RuntimeError: if the grader failed; the message holds its traceback.
            TornFrameError, TimeoutError: if the process is gone or stuck.
        """
        self._channel.send(job)
        reply: dict[str, Any] = self._channel.receive(seconds)[0]
        if "error" in reply:
            raise RuntimeError(f"the grader failed:\n{reply['error']}")
        return reply

    def close(self) -> None:
        """End the process, whose sandboxes end when their pipes close."""
        self._channel.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        self._process.kill()
        self._process.wait()


_lock = threading.Lock()  # the formgrader may grade from several threads
_running: list[GraderProcess] = []
_told: set[str] = set()


def _grade(job: dict[str, Any], seconds: float) -> dict[str, Any]:
    """Grade one notebook in the process shared by all notebooks, which is started when needed."""
    with _lock:
        if not _running:
            _running.append(GraderProcess())
            atexit.register(_end)
        try:
            return _running[0].grade(job, seconds)
        except (TornFrameError, TimeoutError):
            _end()
            raise


def _end() -> None:
    while _running:
        _running.pop().close()


class Grade(NbGraderPreprocessor):
    """The step in place of nbgrader's Execute: runs and judges a submission outside this process."""

    cell_seconds = Float(Limits.cell, help="Wall time allowed to one cell.").tag(config=True)
    question_seconds = Float(Limits.question, help="Wall time allowed to one question of a check.").tag(config=True)
    notebook_seconds = Float(Limits.notebook, help="Wall time allowed to a whole notebook.").tag(config=True)
    cpu_seconds = Float(Limits.cpu, help="CPU time allowed to each process of a notebook.").tag(config=True)
    memory_mib = Integer(Limits.memory // MIB, help="Memory of a notebook in MiB; see docs/sandbox.md.").tag(
        config=True
    )
    processes = Integer(Limits.processes, help="Processes and threads of a notebook at a time.").tag(config=True)
    scratch_mib = Integer(Limits.scratch // MIB, help="Size of a notebook's scratch folder in MiB.").tag(config=True)
    file_mib = Integer(Limits.file // MIB, help="Size of one file in MiB.").tag(config=True)
    output_mib = Integer(Limits.output // MIB, help="Size of all outputs and answers in MiB.").tag(config=True)

    device = Unicode("cpu", help="Where notebooks run: cpu, cuda, mps or auto; see docs/gpu.md.").tag(config=True)
    device_memory_mib = Integer(Limits.device_memory // MIB, help="Memory of a GPU for a notebook in MiB.").tag(
        config=True
    )

    variant = Unicode("", help="Names a cohort: another name, other further inputs for the same notebook.").tag(
        config=True
    )

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Grade one notebook: its outputs come from the sandbox, and its grade cells hold verdicts."""
        coursedir = self.parent.parent.coursedir
        job = {
            "notebook": nb,
            "exercise": resources["nbgrader"]["notebook"],
            "gradebook": str(Path(coursedir.format_path(coursedir.submitted_directory, ".", ".")).resolve().parent),
            "variant": self.variant,
            "device": self.device,
            "limits": dataclasses.asdict(self.limits()),
        }
        reply = _grade(job, self.notebook_seconds + SPARE_SECONDS)
        self._tell(reply["tier"])
        if reply["scaled"]:
            self.log.warning("Points are scaled to what the notebook says: %s", "; ".join(reply["scaled"]))
        graded: NotebookNode = nbformat.from_dict(reply["notebook"])
        return graded, resources

    def _tell(self, tier: str) -> None:
        """Log the sandbox's tier once per run, as a warning unless it is the best one."""
        if tier not in _told:
            _told.add(tier)
            (self.log.info if tier == "a" else self.log.warning)(f"{MEANING[tier]} See `autograder doctor`.")

    def limits(self) -> Limits:
        """Return the limits that the configuration sets for a submission."""
        return Limits(
            cell=self.cell_seconds,
            question=self.question_seconds,
            notebook=self.notebook_seconds,
            cpu=self.cpu_seconds,
            memory=self.memory_mib * MIB,
            device_memory=self.device_memory_mib * MIB,
            processes=self.processes,
            scratch=self.scratch_mib * MIB,
            file=self.file_mib * MIB,
            output=self.output_mib * MIB,
        )
