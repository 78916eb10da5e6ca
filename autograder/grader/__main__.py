"""`python -m autograder.grader READ_FD WRITE_FD`: grade notebooks for a process that loads neither torch nor pytest.

nbgrader, and the Jupyter server that runs its formgrader, send each notebook of a run here and get it back graded.
"""

import sys

from autograder.grader.supervision import supervisor

if sys.platform == "linux":
    supervisor()  # warms up while this process imports torch and pytest

import traceback
from pathlib import Path

import nbformat

from autograder.checks.catalogue import graded_tasks
from autograder.grader.grading import grade
from autograder.grader.sandbox_process import tier_in_use
from autograder.notebooks.weights import differing, weights
from autograder.probes.devices import resolve
from autograder.sandbox.limits import Limits
from autograder.wire.frames import Channel, TornFrameError


def serve(channel: Channel) -> None:
    """Grade notebooks until the other end closes; report one that cannot be graded and continue with the next."""
    channel.send({"ready": True})
    while True:
        try:
            job, files = channel.receive()
        except TornFrameError:
            return
        try:
            notebook = nbformat.from_dict(job["notebook"])
            device, limits = resolve(job["device"]), Limits(**job["limits"])
            versions = job["versions"]
            grade(notebook, job["exercise"], Path(job["gradebook"]), limits, job["variant"], device, files, versions)
            points = {name: task.points for name, task in graded_tasks(job["exercise"], versions).items()}
            scaled = differing(points, weights(notebook.cells))
            channel.send({"notebook": notebook, "tier": tier_in_use(device), "scaled": scaled})
        except Exception:
            channel.send({"error": traceback.format_exc()})


if __name__ == "__main__":
    serve(Channel(int(sys.argv[1]), int(sys.argv[2])))
