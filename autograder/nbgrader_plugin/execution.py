"""The execution step of `nbgrader autograde`: a light client of a grader process, which loads torch."""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import os
import subprocess
import sys
import threading
import weakref
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool, Float, Integer, List, Unicode

from autograder.gradebook_access.deals import dealt_versions
from autograder.gradebook_access.folder import gradebook_folder
from autograder.gradebook_access.known_cells import known_cells
from autograder.nbgrader_plugin.assignment_files import AssignmentFiles
from autograder.nbgrader_plugin.own_solution import solution, unsolved
from autograder.nbgrader_plugin.readiness import allowance
from autograder.sandbox.limits import MIB, Limits
from autograder.supervisor.tiers import MEANING
from autograder.verdicts.graded_notebook import GradedNotebook
from autograder.wire.frames import Channel, TornFrameError

SPARE_SECONDS = 120.0
"""Time allowed to a grading beyond the notebook's own limit, for starting up and judging."""


LEAST_SECONDS = 0.01
"""The least that a limit of time may be: with 0 or less, every cell would be out of time before it ran."""


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

    def grade(self, job: dict[str, Any], files: bytes, seconds: float) -> dict[str, Any]:
        """Grade one notebook, with what lies beside it, in the grader process.

        Returns:
            The graded `notebook`, the sandbox's `tier`, and a line for each task `scaled` to the notebook's points.

        Raises:
            RuntimeError: if the grader failed; the message holds its traceback.
            TornFrameError, TimeoutError: if the process is gone or stuck.
        """
        self._channel.send(job, files)
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


_files: weakref.WeakKeyDictionary[CourseDirectory, AssignmentFiles] = weakref.WeakKeyDictionary()
"""By course, because nbgrader makes this step anew for each notebook, and files are read once."""


def _grade(job: dict[str, Any], files: bytes, seconds: float) -> dict[str, Any]:
    """Grade one notebook in the process shared by all notebooks, which is started when needed."""
    with _lock:
        if not _running:
            _running.append(GraderProcess())
            atexit.register(_end)
        try:
            return _running[0].grade(job, files, seconds)
        except (TornFrameError, TimeoutError):
            _end()
            raise


def _end() -> None:
    while _running:
        _running.pop().close()


class Grade(NbGraderPreprocessor):
    """The step in place of nbgrader's Execute: runs and judges a submission outside this process."""

    cell_seconds = Float(Limits.cell, min=LEAST_SECONDS, help="Wall time allowed to one cell.").tag(config=True)
    question_seconds = Float(
        Limits.question, min=LEAST_SECONDS, help="Wall time allowed to one question of a check."
    ).tag(config=True)
    notebook_seconds = Float(Limits.notebook, min=LEAST_SECONDS, help="Wall time allowed to a whole notebook.").tag(
        config=True
    )
    cpu_seconds = Float(Limits.cpu, min=LEAST_SECONDS, help="CPU time allowed to each process of a notebook.").tag(
        config=True
    )
    memory_mib = Integer(Limits.memory // MIB, min=1, help="Memory of a notebook in MiB; see docs/sandbox.md.").tag(
        config=True
    )
    processes = Integer(Limits.processes, min=1, help="Processes and threads of a notebook at a time.").tag(config=True)
    scratch_mib = Integer(Limits.scratch // MIB, min=1, help="Size of a notebook's scratch folder in MiB.").tag(
        config=True
    )
    file_mib = Integer(Limits.file // MIB, min=1, help="Size of one file in MiB.").tag(config=True)
    output_mib = Integer(Limits.output // MIB, min=1, help="Size of all outputs and answers in MiB.").tag(config=True)

    device = Unicode("cpu", help="Where notebooks run: cpu, cuda, mps or auto; see docs/gpu.md.").tag(config=True)
    device_memory_mib = Integer(Limits.device_memory // MIB, min=1, help="Memory of a GPU for a notebook in MiB.").tag(
        config=True
    )

    data_mib = Integer(
        64,
        min=0,
        max=128,
        help="MiB of all files beside a notebook, at most 128; larger files do not reach it.",
    ).tag(config=True)
    handed_in_files = List(
        Unicode(),
        [],
        help="Files beside a notebook that reach it from a submission, as patterns: ps1/*.csv; others are not seen.",
    ).tag(config=True)

    variant = Unicode("", help="Names a cohort: another name, other further inputs for the same notebook.").tag(
        config=True
    )

    anonymous = Bool(
        False, help="Hide students' names on the formgrader's pages for grading, in tables of scores and in reports."
    ).tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Grade one notebook: its outputs come from the sandbox, and its grade cells hold verdicts."""
        coursedir, about = self.parent.parent.coursedir, resources["nbgrader"]
        files = _files.setdefault(coursedir, self.files(coursedir))
        place = f"{about['assignment']}/{about['notebook']}"
        if place not in _told:
            _told.add(place)
            for line in [
                *files.notes(about["assignment"]),
                *self._unsolved(about, files.beside(about["assignment"], "")),
            ]:
                self.log.warning("%s", line)
        beside = files.beside(about["assignment"], about["student"])
        versions = dealt_versions(coursedir, about["assignment"], about["notebook"], about["student"])
        graded, reply = self._graded(nb, about, beside, versions)
        self._tell(reply["tier"])
        if reply["scaled"]:
            self.log.warning("Points are scaled to what the notebook says: %s", "; ".join(reply["scaled"]))
        return graded, resources

    def _graded(
        self, nb: NotebookNode, about: dict[str, str], beside: bytes, versions: dict[str, int]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Return the notebook as the grader process grades it, and what else that says."""
        coursedir = self.parent.parent.coursedir
        job = {
            "notebook": nb,
            "exercise": about["notebook"],
            "gradebook": str(gradebook_folder(coursedir)),
            "variant": self._cohort(about) or self.variant,
            "device": self.device,
            "versions": versions,
            "limits": dataclasses.asdict(self.limits()),
        }
        reply = _grade(job, beside, self.notebook_seconds + SPARE_SECONDS)
        return nbformat.from_dict(reply["notebook"]), reply

    def _cohort(self, about: dict[str, str]) -> str:
        """Return the cohort that the table of extensions gives a student; empty if it gives none."""
        return allowance(self.parent.parent.coursedir, self.config, about["student"], about["assignment"]).cohort

    def _unsolved(self, about: dict[str, str], beside: bytes) -> list[str]:
        """Run the assignment's own solution, and say which of its cells lose points."""
        with Gradebook(about["db_url"]) as gradebook:
            known = known_cells(gradebook.find_notebook(about["notebook"], about["assignment"]))
        notebook = solution(self.parent.parent.coursedir, about["assignment"], about["notebook"], known)
        if notebook is None:
            return []
        graded, _ = self._graded(notebook, about, beside, {})
        verdicts = GradedNotebook.of(graded).verdicts.values()
        return unsolved(about["assignment"], about["notebook"], verdicts)

    def _tell(self, tier: str) -> None:
        """Log the sandbox's tier once per run, as a warning unless it is the best one."""
        if tier not in _told:
            _told.add(tier)
            (self.log.info if tier == "a" else self.log.warning)(f"{MEANING[tier]} See `autograder doctor`.")

    def files(self, course: CourseDirectory) -> AssignmentFiles:
        """Return what lies beside the notebooks of a course."""
        return AssignmentFiles(course, self.config, self.data_mib * MIB, self.handed_in_files)

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
