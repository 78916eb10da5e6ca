"""The results as a document: docs/benchmarks.md."""

from __future__ import annotations

from typing import Any

from benchmarks.bars import described
from benchmarks.own_assignment import section

PICTURE = "pictures/submission.svg"
HEAD = """# Speed

Made by `make bench SIZES={sizes}` in one run on one machine with nothing else to do ({about}).
The same figures as data: `benchmarks/results.json`. On other machines only the ratios are comparable.

"""
GRADING = """## {exercise}

| what, on submissions that all solve `{exercise}` | a submission | ratio | goal |
|---|---|---|---|
"""
GROWTH = """
## Growth, on {exercise}

| class | time | a submission | CPU a submission | memory |
|---|---|---|---|---|
"""
SPENDING = """
## One submission of {exercise}, from file to record

![{described}]({picture})

CPU time, measured by `python -m benchmarks.spending` in one process, with sandboxes of tier b: Linux does not report
what a process used that is killed with its PID namespace.
"""
EXERCISES = """
## Each exercise, in a warm process, as in a sandbox

CPU time of the published solution for all questions (goal: 50 ms, 09 to 11 excepted), of the checks for its answers
(goal: 40 ms), and the slowest `check(...)` in a notebook, first and later (goals: 100 ms and 50 ms).

| exercise | answering | judging | first check | later check |
|---|---|---|---|---|
"""
COURSE = """
## The whole course

`autograder grade` on {size} people's submissions of all {exercises} exercises, {submissions} in all: {wall:.0f} s,
{each} a submission (goal: 350 ms), {cpu} of CPU time, {memory} MiB.
"""
CLUSTER = """
## A Dask cluster on this machine, one more submission of {exercise}

| workers | a submission | coordinator's CPU time |
|---|---|---|
"""
BOUNDS = """
## What limits the speed

Workers do whatever can be done apart: they run the notebook, judge its answers, and make the graded notebook and its
scores. The coordinator reads, repairs and packs each notebook, moves the graded one into place, and records many
submissions in one transaction. So a class is bounded by its workers until the coordinator's own part, which the next
table measures with a kept result instead of all work, fills one core.
"""
RECORDING = """
## The coordinator alone

A class of {size}, each submission answered with a result that was kept before (`python -m benchmarks.recording`).
Goals: 100 submissions a second, 10 ms of CPU time.

| gradebook | submissions a second | CPU time of the coordinator, a submission |
|---|---|---|
"""
FURTHER = """
## More workers, computed from these figures

One worker takes {worker} for a submission, and the coordinator {coordinator} (SQLite, through Dask), so one coordinator
keeps {most:.0f} workers busy. With fewer, each worker adds its own pace; with more, the coordinator's is the limit.

| workers | submissions a second | 1,000 take | 100,000 take | limited by |
|---|---|---|---|---|
"""
COUNTS = (2, 8, 32)
ALONE = """
Workers on machines of their own add up in this way; those of the cluster above shared the coordinator's two cores.
That a class is graded to its end while one worker is killed and another added is a test, `tests/test_cluster.py`.
"""
FEEDBACK = """
## Feedback

Pages of a graded class of {size}. `autograder feedback` makes nbgrader's own pages, the same to the byte, on all cores.
Goal: half of the time that grading takes.

| command | time | a page |
|---|---|---|
"""
LESSONS = """
## Lessons from a clean kernel

Goal: none over 45 s, all together under 4 minutes.

| lesson | time |
|---|---|
"""


def page(found: dict[str, Any]) -> str:
    """Return the document with all tables, in Markdown."""
    sizes = ",".join(next(iter(found["grading"].values()))["class"])
    about = ", ".join(f"{name} {value}" for name, value in found["machine"].items())
    parts = [HEAD.format(sizes=sizes, about=about)]
    for exercise, of in found["grading"].items():
        parts += [GRADING.format(exercise=exercise), *map(_row, _grading(of)), "\n"]
    exercise, of = next(iter(found["grading"].items()))
    parts += [GROWTH.format(exercise=exercise)]
    for size, usage in sorted(of["class"].items(), key=lambda item: int(item[0])):
        wall, cpu = usage["wall"] / int(size), usage["cpu"] / int(size)
        parts += [_row((size, f"{usage['wall']:.1f} s", _ms(wall), _ms(cpu), f"{usage['memory'] >> 20} MiB"))]
    parts += [SPENDING.format(exercise=exercise, described=described(found["spending"]), picture=PICTURE)]
    whole = found["course"]
    submissions = whole["size"] * whole["exercises"]
    figures = {"each": _ms(whole["wall"] / submissions), "cpu": _ms(whole["cpu"] / submissions)}
    parts += [COURSE.format(**whole | figures | {"submissions": submissions, "memory": whole["memory"] >> 20})]
    parts += [CLUSTER.format(exercise=exercise)]
    for count, cost in found["cluster"].items():
        parts += [_row((count, _ms(cost["wall"]), _ms(cost["cpu"])))]
    parts += [BOUNDS, RECORDING.format(size=found["recording"]["size"])]
    for way, (wall, cpu) in found["recording"]["ways"].items():
        parts += [_row((way, f"{1 / wall:.0f}", f"{cpu * 1000:.1f} ms"))]
    parts += [*_further(found), FEEDBACK.format(size=found["feedback"]["size"])]
    for way, usage in found["feedback"].items():
        if way != "size":
            parts += [_row((f"`{way}`", f"{usage['wall']:.1f} s", _ms(usage["wall"] / found["feedback"]["size"])))]
    parts += [EXERCISES]
    for name, cost in found["exercises"].items():
        parts += [_row((name, *(_ms(cost[key]) for key in ("answering", "judging", "first", "later"))))]
    parts += ["\n", section(found["own_assignment"]), LESSONS]
    lessons = found["lessons"] | {"together": sum(found["lessons"].values())}
    parts += [_row((name, f"{seconds:.1f} s")) for name, seconds in lessons.items()]
    return "".join(parts)


def _grading(of: dict[str, Any]) -> list[tuple[str, ...]]:
    goals, sizes = of["goals"], {int(size): usage for size, usage in of["class"].items()}
    smallest, largest = min(sizes), max(sizes)
    # The time of one more submission leaves out the start of the processes, which is the same for any class.
    more = {key: (sizes[largest][key] - sizes[smallest][key]) / (largest - smallest) for key in ("wall", "cpu")}
    stock, plain = (of[way]["wall"] / of[way]["size"] for way in ("stock", "plain"))

    def faster(seconds: float) -> str:
        return f"{stock / seconds:.1f} times faster"

    with_this = f"plain `nbgrader autograde` with this configuration, {of['plain']['size']} submissions, start included"
    return [
        ("stock `nbgrader autograde`, checks in the kernel", f"{stock:.2f} s", "1", ""),
        (with_this, _ms(plain), faster(plain), goals.get("plain", "")),
        *(
            (
                f"`autograder grade`, class of {size}, start included: {usage['wall']:.0f} s",
                _ms(usage["wall"] / size),
                faster(usage["wall"] / size),
                goals.get(str(size), ""),
            )
            for size, usage in sorted(sizes.items())
        ),
        ("the same, one more submission", _ms(more["wall"]), faster(more["wall"]), goals.get("more", "")),
        (
            "CPU time of one more submission",
            _ms(more["cpu"]),
            f"{more['cpu'] / of['bare']:.2f} times the bare fork's",
            "",
        ),
        ("CPU time of a bare fork: the same cells and questions, nothing else", _ms(of["bare"]), "", ""),
        ("overhead: the difference of the last two", _ms(more["cpu"] - of["bare"]), "", goals.get("overhead", "")),
    ]


def _further(found: dict[str, Any]) -> list[str]:
    """Say what more workers do: their own pace, as long as the coordinator keeps up with it."""
    worker, coordinator = found["cluster"]["1"]["wall"], found["recording"]["ways"]["SQLite, through Dask"][0]
    said = [FURTHER.format(worker=_ms(worker), coordinator=_ms(coordinator), most=worker / coordinator)]
    for count in COUNTS:
        seconds = max(worker / count, coordinator)
        limit = "the workers" if worker / count >= coordinator else "the coordinator"
        takes = f"{1000 * seconds / 60:.1f} min", f"{100_000 * seconds / 3600:.1f} h"
        said += [_row((str(count), f"{1 / seconds:.0f}", *takes, limit))]
    return [*said, ALONE]


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms"
