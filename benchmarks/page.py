"""The results as a document: docs/benchmarks.md."""

from __future__ import annotations

from typing import Any

from benchmarks.cluster import on_paper

HEAD = """# Speed

Made by `make bench SIZES={sizes}` in one run on one machine with nothing else to do ({about}).
The same figures as data: `benchmarks/results.json`. Only ratios mean something elsewhere.

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
EXERCISES = """
## Each exercise, in a process that is warm as a sandbox is

CPU time of the published solution for all questions (goal: 50 ms, 09 to 11 excepted), of the checks for its answers
(goal: 30 ms), and the slowest `check(...)` in a notebook, first and later (goals: 100 ms and 50 ms).

| exercise | answering | judging | first check | later check |
|---|---|---|---|---|
"""
COURSE = """
## The whole course

`autograder grade` on {size} people's submissions of all {exercises} exercises, {submissions} in all: {wall:.0f} s,
{each} a submission, {cpu} of CPU time, {memory} MiB.
"""
CLUSTER = """
## A Dask cluster on this machine, one more submission of {exercise}

| workers | a submission | coordinator's CPU time |
|---|---|---|
"""
ON_PAPER = """
On paper: one worker takes {ratio:.1f} times as long for a submission as the coordinator, so that one coordinator keeps
about {ratio:.0f} workers busy, and 100,000 submissions take {hours:.1f} hours. Workers on the coordinator's own
machine, as here, take its cores.
"""
BOUNDS = """
## What bounds it

A submission's CPU time is spent, in this order, on the student's own cells and answers, on nbgrader's conversion (one
process writes for all), on judging, and on starting and ending a sandbox. The first two are not ours to shorten:
exercise 01 asks for a chain of 10,000 nodes, and nbgrader's tables are written by nbgrader. With more cores the
conversion, one after the other, is what a class waits for.
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
    whole = found["course"]
    submissions = whole["size"] * whole["exercises"]
    figures = {"each": _ms(whole["wall"] / submissions), "cpu": _ms(whole["cpu"] / submissions)}
    parts += [COURSE.format(**whole | figures | {"submissions": submissions, "memory": whole["memory"] >> 20})]
    parts += [CLUSTER.format(exercise=exercise)]
    for count, cost in found["cluster"].items():
        parts += [_row((count, _ms(cost["wall"]), _ms(cost["cpu"])))]
    ratio, hours = on_paper(found["cluster"])
    parts += [ON_PAPER.format(ratio=ratio, hours=hours), BOUNDS, EXERCISES]
    for name, cost in found["exercises"].items():
        parts += [_row((name, *(_ms(cost[key]) for key in ("answering", "judging", "first", "later"))))]
    parts += [LESSONS]
    lessons = found["lessons"] | {"together": sum(found["lessons"].values())}
    parts += [_row((name, f"{seconds:.1f} s")) for name, seconds in lessons.items()]
    return "".join(parts)


def _grading(of: dict[str, Any]) -> list[tuple[str, ...]]:
    sizes = {int(size): usage for size, usage in of["class"].items()}
    smallest, largest = min(sizes), max(sizes)
    # The time of one more submission leaves out the start of the processes, which is the same for any class.
    more = {key: (sizes[largest][key] - sizes[smallest][key]) / (largest - smallest) for key in ("wall", "cpu")}
    stock, plain, whole = (
        usage["wall"] / size
        for usage, size in (
            (of["stock"], of["stock"]["size"]),
            (of["plain"], of["plain"]["size"]),
            (sizes[largest], largest),
        )
    )
    fast, less = of["goals"]
    return [
        ("stock `nbgrader autograde`, checks in the kernel", f"{stock:.2f} s", "1", ""),
        (
            f"plain `nbgrader autograde` with this configuration, {of['plain']['size']} submissions, start included",
            _ms(plain),
            f"{stock / plain:.1f} times faster",
            f"{less} times",
        ),
        (
            f"`autograder grade`, class of {largest}, start included",
            _ms(whole),
            f"{stock / whole:.1f} times faster",
            f"{fast} times",
        ),
        ("the same, one more submission", _ms(more["wall"]), f"{stock / more['wall']:.1f} times faster", ""),
        (
            "CPU time of one more submission",
            _ms(more["cpu"]),
            f"{more['cpu'] / of['bare']:.2f} times the bare fork's",
            "1.5 times",
        ),
        ("CPU time of a bare fork: the same cells and questions, nothing else", _ms(of["bare"]), "", ""),
        ("overhead: the difference of the last two", _ms(more["cpu"] - of["bare"]), "", "70 ms"),
    ]


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms"
