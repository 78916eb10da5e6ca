"""One class of every exercise, graded by one run of the command; each submission differs from all others."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from autograder.checks.catalogue import exercises
from tests.answers import wrong_answers
from tests.course import hand_in, nbgrader, new_course
from tests.soak.flatness import BOUNDS, memory_by_exercise, rising, slopes
from tests.soak.leftovers import QUANTITIES, Sample, Watch, folders, look
from tests.submissions import as_bytes, released, remarked, solved

SETTLING_SECONDS = 30.0
WRONG = 20
"""So many wrong answers of an exercise take turns."""


def grade_classes(folder: Path, each: int) -> list[str]:
    """Grade so many submissions of every exercise, print what was held; what went wrong."""
    course, scratch = new_course(folder / "course"), folder / "scratch"
    scratch.mkdir()
    for exercise in exercises():
        nbgrader(course, "generate_assignment", exercise, "--force")
        _hand_in(course, exercise, each)
    before = look(None, scratch, 0)
    started = time.monotonic()
    command = [sys.executable, "-m", "autograder.command_line", "grade", "--workers", "2"]
    environment = os.environ | {"TMPDIR": str(scratch)}
    run = subprocess.Popen(command, cwd=course, env=environment, stdout=subprocess.PIPE, text=True)
    graded = course / "gradebook" / "results"
    watch = Watch(run.pid, scratch, lambda: sum(1 for _ in graded.glob("*/*/*.json")))
    watch.start()
    said, _ = run.communicate()
    watch.over.set()
    watch.join()
    total = each * len(exercises())
    done = sum(1 for _ in graded.glob("*/*/*.json"))
    print(f"{done} of {total} submissions in {time.monotonic() - started:.0f} s, status {run.returncode}")
    after = _settled(before, scratch)
    found = slopes(watch.samples, each)
    _show(before, watch.samples, after, found)
    rises = memory_by_exercise(watch.samples, each)
    named = (f"{name[:2]} {rises.get(place, float('nan')):.0f}" for place, name in enumerate(exercises()))
    print(f"memory per 1,000, exercise by exercise: {', '.join(named)}")
    wrong = [f"{name} rises by {found[name]:.1f} per 1,000 submissions" for name in rising(found)]
    names = ", ".join(folders(scratch))
    wrong += [f"{name} left: {one} {names * (name == 'folders')}" for name, one in _left(before, after).items()]
    if run.returncode or done != total:
        wrong.append(f"{total - done} were not graded, status {run.returncode}: {said[-500:]}")
    return wrong


def _hand_in(course: Path, exercise: str, each: int) -> None:
    answers = wrong_answers(exercise)[:: max(1, len(wrong_answers(exercise)) // WRONG)]
    for number in range(each):
        kind, answer = number % 4, answers[number // 4 % len(answers)]
        notebook = released(exercise) if kind == 3 else solved(exercise)
        if kind == 2:
            notebook = solved(exercise, **{answer.task: answer.source})
        hand_in(course, f"student-{number:05}", exercise, as_bytes(remarked(notebook, number)))


def _left(before: Sample, after: Sample) -> dict[str, int]:
    """What there is more of than before; other programs of the machine count, so let it do nothing else."""
    more = {name: getattr(after, name) - getattr(before, name) for name in QUANTITIES}
    return {name: count for name, count in more.items() if count > 0}


def _settled(before: Sample, scratch: Path) -> Sample:
    """The machine as it is when nothing more goes."""
    deadline = time.monotonic() + SETTLING_SECONDS
    while _left(before, after := look(None, scratch, 0)) and time.monotonic() < deadline:
        time.sleep(0.5)
    return after


def _show(before: Sample, samples: list[Sample], after: Sample, found: dict[str, float]) -> None:
    print(f"{'':<12} {'before':>8} {'first':>8} {'most':>8} {'last':>8} {'after':>8} {'per 1,000':>10} {'bound':>7}")
    for name in QUANTITIES:
        held = [getattr(sample, name) for sample in samples] or [0]
        columns = (getattr(before, name), held[0], max(held), held[-1], getattr(after, name))
        figures = " ".join(f"{column:>8.0f}" for column in columns)
        print(f"{name:<12} {figures} {found[name]:>10.1f} {BOUNDS[name]:>7.0f}")
