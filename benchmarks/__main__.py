"""`python -m benchmarks [--sizes 20,100,1000]`: the tables of docs/benchmarks.md, and benchmarks/results.json."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import platform
import sys
import tempfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

from autograder.checks.catalogue import exercises
from benchmarks.bars import bars
from benchmarks.classes import new_class
from benchmarks.cluster import throughput
from benchmarks.page import PICTURE, page
from benchmarks.usage import Usage, evaluated, used_by
from tests.submissions import COURSE

GOALS: dict[str, dict[str, str]] = {
    "01_scalar_graphs": {
        "plain": "7 times",
        "60": "18 times",
        "300": "in 50 s",
        "1000": "32 times",
        "overhead": "110 ms",
    },
    "02_grad": {"plain": "6 times", "more": "35 times"},
}
"""By exercise, the goals for plain nbgrader, for classes by their size, for one more submission, for the overhead.

02 is the small exercise: six tasks of a few lines.
"""
STOCK = 6
PLAIN = 40
SMALL_SIZES = (20, 100)
FEEDBACK = 60
RECORDED = 300
BARE = 40
WHOLE = 10
PAGE = COURSE / "docs" / "benchmarks.md"
RESULTS = COURSE / "benchmarks" / "results.json"


def main() -> None:
    """Run all benchmarks; write and print the results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--sizes", default="20,100", help="sizes of class for growth")
    options = parser.parse_args()
    first, *others = GOALS
    sizes = {first: [int(size) for size in options.sizes.split(",")], **dict.fromkeys(others, SMALL_SIZES)}
    parts: dict[str, Callable[[], Any]] = {
        "machine": machine,
        "grading": lambda: {one: _inside(graded, one, some) for one, some in sizes.items()},
        "course": lambda: _inside(whole_course),
        "feedback": lambda: _inside(feedback, first),
        # In a process of its own: a course's configuration tells the whole process which course it is.
        "recording": lambda: {"size": RECORDED, "ways": evaluated("benchmarks.recording", f"measured({RECORDED})")},
        "spending": lambda: evaluated("benchmarks.spending", f"spending({first!r})"),
        "cluster": lambda: {str(count): cost for count, cost in _inside(throughput, first).items()},
        "exercises": lambda: {one: evaluated("benchmarks.exercises", f"cost({one!r})") for one in exercises()},
        "own_assignment": lambda: evaluated("benchmarks.own_assignment", "measured()"),
        "lessons": lambda: evaluated("benchmarks.lessons", "seconds_of_lessons()"),
    }
    found = {}
    for name, part in parts.items():
        found[name] = part()
        RESULTS.write_text(json.dumps(found, indent=1) + "\n")  # a later part that fails costs nothing of these
    PAGE.write_text(page(found))
    (PAGE.parent / PICTURE).write_text(bars(found["spending"]))
    print(PAGE.read_text())


def _inside(measure: Callable[..., Any], *arguments: Any) -> Any:
    """Return what a measurement gives in a folder of its own, which is deleted."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        return measure(Path(folder), *arguments)


def whole_course(folder: Path) -> dict[str, Any]:
    """Measure grading all exercises of a few people in one run."""
    course = new_class(folder / "course", *_all_of(WHOLE))
    used = used_by([sys.executable, "-m", "autograder.command_line", "grade"], course)
    return dataclasses.asdict(used) | {"size": WHOLE, "exercises": len(exercises())}


def _all_of(size: int) -> tuple[Any, ...]:
    """Return the arguments of `new_class` for all exercises."""
    first, *others = exercises()
    return first, size, *others


def graded(folder: Path, exercise: str, sizes: list[int]) -> dict[str, Any]:
    """Measure grading an exercise with stock nbgrader, plain nbgrader and as classes, and the bare limit."""
    autograde = ["nbgrader", "autograde", exercise]
    stock = used_by(autograde, new_class(folder / "stock", exercise, STOCK, stock=True), AUTOGRADER_IN_KERNEL="1")
    _say("stock nbgrader", stock, STOCK)
    plain = used_by(autograde, new_class(folder / "plain", exercise, PLAIN))
    _say("plain nbgrader with this configuration", plain, PLAIN)
    growth = {}
    for size in sizes:
        course = new_class(folder / f"class-{size}", exercise, size)
        growth[size] = used_by([sys.executable, "-m", "autograder.command_line", "grade", exercise], course)
        _say(f"class of {size}", growth[size], size)
    notebook = next((folder / "stock" / "gradebook" / "submitted").rglob("*.ipynb"))
    return {
        "goals": GOALS[exercise],
        "stock": dataclasses.asdict(stock) | {"size": STOCK},
        "plain": dataclasses.asdict(plain) | {"size": PLAIN},
        "class": {str(size): dataclasses.asdict(usage) for size, usage in growth.items()},
        "bare": evaluated("benchmarks.bare_fork", f"cpu_of_bare_forks(Path({str(notebook)!r}), {exercise!r}, {BARE})"),
    }


def feedback(folder: Path, exercise: str) -> dict[str, Any]:
    """Measure the feedback pages of a graded class: nbgrader's one process, and all cores; and the grading itself."""
    course = new_class(folder / "course", exercise, FEEDBACK)
    ways = {
        "autograder grade": [sys.executable, "-m", "autograder.command_line", "grade", exercise],
        "autograder feedback": [sys.executable, "-m", "autograder.command_line", "feedback", exercise],
        "nbgrader generate_feedback": ["nbgrader", "generate_feedback", exercise, "--force"],
    }
    found = {way: used_by(command, course) for way, command in ways.items()}
    for way, usage in found.items():
        _say(way, usage, FEEDBACK)
    return {"size": FEEDBACK, **{way: dataclasses.asdict(usage) for way, usage in found.items()}}


def _say(what: str, usage: Usage, size: int) -> None:
    print(f"{what}: {usage.wall / size:.3f} s a submission", file=sys.stderr)


def machine() -> dict[str, str]:
    """Return the description of this machine."""
    cpu = next((line for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line), ": ?")
    return {
        "cores": str(len(os.sched_getaffinity(0))),
        "processor": cpu.split(":")[1].strip(),
        "system": f"{platform.system()} {platform.release().split('-')[0]}",
        "python": platform.python_version(),
        **{name: metadata.version(name) for name in ("torch", "nbgrader")},
    }


if __name__ == "__main__":
    main()
