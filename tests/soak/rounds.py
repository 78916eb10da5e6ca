"""Hostile and honest submissions, mixed and shuffled anew in each round: the same scores every time."""

from __future__ import annotations

import os
import random
from collections import defaultdict
from pathlib import Path

from autograder.classroom.course import Course
from autograder.classroom.executors import Cores
from autograder.classroom.run import ClassRun
from autograder.classroom.run_options import RunOptions
from tests import hostile
from tests.course import hand_in, nbgrader, new_course
from tests.hostile import ATTACKS, EXERCISE
from tests.hostile.class_run import HONEST, ClassOfAttackers
from tests.hostile.notebooks import FILES
from tests.hostile.scene import Scene

TIME_DEPENDENT: dict[str, str] = {}
"""Attacks, as kind-name, whose points depend on when they are stopped, with the reason; they may differ."""


def repeat(folder: Path, rounds: int) -> list[str]:
    """Run the rounds, print how often each score came; what differed from what it must be."""
    hostile.load()
    must = {f"{one.kind}-{one.name}": one.points for one in ATTACKS}
    must |= {f"file-{one.name}": one.points for one in FILES}
    must |= {f"honest among {kind}: {name}": HONEST[name][1] for kind in _kinds() for name in HONEST}
    differing: dict[str, list[dict]] = defaultdict(list)
    course = _course_of_files(folder / "files")
    (folder / "outside").mkdir()
    scene = Scene(folder / "outside")
    try:
        for number in range(rounds):
            got = _attacks(scene, number) | _files(course)
            wrong = {name: points for name, points in got.items() if points != must[name]}
            for name, points in wrong.items():
                differing[name].append(points)
            print(f"round {number + 1}: {len(got)} submissions, {len(wrong)} with other points than they must have")
    finally:
        scene.close()
    for name, points in differing.items():
        reason = TIME_DEPENDENT.get(name, "no reason is known")
        print(f"  {name}: {len(points)} of {rounds} times, {points[0]} instead of {must[name]}; {reason}")
    return [f"{name} got other points" for name in differing if name not in TIME_DEPENDENT]


def _kinds() -> list[str]:
    return sorted({attack.kind for attack in ATTACKS})


def _attacks(scene: Scene, number: int) -> dict[str, dict]:
    """All attacks and the honest ones among them, in an order of this round's."""
    kinds = _kinds()
    random.Random(number).shuffle(kinds)
    attackers, got = ClassOfAttackers(scene, f"round {number}"), {}
    try:
        for kind in kinds:
            for name, returned in attackers.returned(kind).items():
                got[f"honest among {kind}: {name}" if name in HONEST else f"{kind}-{name}"] = returned.points
    finally:
        attackers.close()
        scene.restore()
    return got


def _course_of_files(folder: Path) -> Path:
    folder.mkdir()
    course = new_course(folder)
    nbgrader(course, "generate_assignment", EXERCISE, "--force")
    for one in FILES:
        hand_in(course, one.name, EXERCISE, one.make())
    return course


def _files(course: Path) -> dict[str, dict]:
    """All hostile files, graded anew."""
    before = Path.cwd()
    os.chdir(course)
    try:
        run = ClassRun(Course(), RunOptions(force=True), Cores(2))
        return {
            f"file-{done.submission.student}": {verdict["task"]: verdict["points"] for verdict in done.verdicts}
            for done in run.grade(EXERCISE, print)
        }
    finally:
        os.chdir(before)
