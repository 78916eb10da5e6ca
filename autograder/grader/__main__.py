"""`python -m autograder.grader READ_FD WRITE_FD`: grade notebooks for a process that must stay light.

nbgrader, and the Jupyter server behind its formgrader, load neither torch nor pytest: they send a notebook
here and get it back graded. One such process serves all submissions of a run.
"""

import sys

from autograder.grader.supervision import supervisor

if sys.platform == "linux":
    supervisor()  # warms up while this process imports torch and pytest

import traceback
from pathlib import Path

import nbformat

from autograder.checks.catalogue import graded_tasks
from autograder.grader.custody import Limits
from autograder.grader.grading import grade
from autograder.grader.sandbox_process import tier_in_use
from autograder.grader.weights import differing, weights
from autograder.probes.devices import resolve
from autograder.wire.frames import Channel, TornFrameError


def serve(channel: Channel) -> None:
    """Answer until the other end closes. A notebook that cannot be graded is told, and the next one is served."""
    channel.send({"ready": True})
    while True:
        try:
            job, _ = channel.receive()
        except TornFrameError:
            return
        try:
            notebook = nbformat.from_dict(job["notebook"])
            device, limits = resolve(job["device"]), Limits(**job["limits"])
            grade(notebook, job["exercise"], Path(job["gradebook"]), limits, job["variant"], device)
            points = {name: task.points for name, task in graded_tasks(job["exercise"]).items()}
            scaled = differing(points, weights(notebook.cells))
            channel.send({"notebook": notebook, "tier": tier_in_use(device), "scaled": scaled})
        except Exception:
            channel.send({"error": traceback.format_exc()})


if __name__ == "__main__":
    serve(Channel(int(sys.argv[1]), int(sys.argv[2])))
