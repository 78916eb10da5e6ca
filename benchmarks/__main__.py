"""`python -m benchmarks [--sizes 20,100,1000]`: the table of docs/benchmarks.md, and benchmarks/results.json."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import platform
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path
from typing import Any

from benchmarks.classes import new_class
from benchmarks.usage import Usage, used_by
from tests.submissions import COURSE

EXERCISE = "01_scalar_graphs"
STOCK = 6
PLAIN = 12
BARE = 40
PAGE = COURSE / "docs" / "benchmarks.md"
RESULTS = COURSE / "benchmarks" / "results.json"


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--sizes", default="20,100", help="sizes of class for growth")
    parser.add_argument("--exercise", default=EXERCISE)
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        found = measured(Path(folder), options.exercise, sizes)
    RESULTS.write_text(json.dumps(found, indent=1) + "\n")
    PAGE.write_text(page(found))
    print(PAGE.read_text())


def measured(folder: Path, exercise: str, sizes: list[int]) -> dict[str, Any]:
    """All figures: seconds and bytes a submission."""
    autograde = ["nbgrader", "autograde", exercise]
    stock_class = new_class(folder / "stock", exercise, STOCK, stock=True)
    stock = used_by(autograde, stock_class, AUTOGRADER_IN_KERNEL="1")
    _say("stock nbgrader", stock, STOCK)
    plain = used_by(autograde, new_class(folder / "plain", exercise, PLAIN))
    _say("plain nbgrader with this configuration", plain, PLAIN)
    growth = {}
    for size in sizes:
        course = new_class(folder / f"class-{size}", exercise, size)
        growth[size] = used_by([sys.executable, "-m", "autograder.command_line", "grade", exercise], course)
        _say(f"class of {size}", growth[size], size)
    notebook = next((folder / "stock" / "gradebook" / "submitted").rglob("*.ipynb"))
    bare = float(_in_own_process("cpu_of_bare_forks", notebook, exercise, BARE))
    checks = _in_own_process("seconds_of_checks", notebook, exercise)
    return {
        "machine": machine(),
        "exercise": exercise,
        "stock": dataclasses.asdict(stock) | {"size": STOCK},
        "plain": dataclasses.asdict(plain) | {"size": PLAIN},
        "class": {str(size): dataclasses.asdict(usage) for size, usage in growth.items()},
        "bare_cpu": bare,
        "checks": checks,
    }


def _say(what: str, usage: Usage, size: int) -> None:
    print(f"{what}: {usage.wall / size:.3f} s a submission", file=sys.stderr)


def _in_own_process(function: str, *arguments: Any) -> Any:
    """The value of a function of benchmarks.bare_fork, in a process that has done nothing else."""
    call = f"{function}({', '.join(repr(str(one)) if isinstance(one, Path) else repr(one) for one in arguments)})"
    text = (
        "import json; from pathlib import Path; from benchmarks.bare_fork import *; "
        f"print(json.dumps({call.replace(repr(str(arguments[0])), f'Path({str(arguments[0])!r})')}))"
    )
    done = subprocess.run([sys.executable, "-c", text], cwd=COURSE, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def machine() -> dict[str, str]:
    """Where this was measured."""
    cpu = next((line for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line), ": ?")
    return {
        "cores": str(len(os.sched_getaffinity(0))),
        "processor": cpu.split(":")[1].strip(),
        "system": f"{platform.system()} {platform.release().split('-')[0]}",
        "python": platform.python_version(),
        **{name: metadata.version(name) for name in ("torch", "nbgrader")},
    }


def page(found: dict[str, Any]) -> str:
    """The results as a person reads them."""
    stock, plain = found["stock"], found["plain"]
    stock_wall, plain_wall = stock["wall"] / stock["size"], plain["wall"] / plain["size"]
    sizes = {int(size): usage for size, usage in found["class"].items()}
    smallest, largest = min(sizes), max(sizes)
    # What one more submission takes: the start of the processes is the same for any class.
    per_wall = (sizes[largest]["wall"] - sizes[smallest]["wall"]) / (largest - smallest)
    per_cpu = (sizes[largest]["cpu"] - sizes[smallest]["cpu"]) / (largest - smallest)
    whole = sizes[largest]["wall"] / largest
    first = max(times[0] for times in list(found["checks"].values())[1:])
    rows = [
        ("stock `nbgrader autograde`, checks in the kernel", f"{stock_wall:.2f} s", "1", ""),
        (
            "plain `nbgrader autograde` with this configuration",
            f"{plain_wall:.3f} s",
            f"{stock_wall / plain_wall:.1f} times faster",
            "5 times",
        ),
        (
            f"`autograder grade`, class of {largest}, start included",
            f"{whole * 1000:.0f} ms",
            f"{stock_wall / whole:.1f} times faster",
            "25 times",
        ),
        (
            "the same, one more submission",
            f"{per_wall * 1000:.0f} ms",
            f"{stock_wall / per_wall:.1f} times faster",
            "25 times",
        ),
        (
            "CPU time of one more submission, against a bare fork",
            f"{per_cpu * 1000:.0f} ms against {found['bare_cpu'] * 1000:.0f} ms",
            f"{per_cpu / found['bare_cpu']:.2f} times its CPU time",
            "1.5 times",
        ),
        (
            "`check(...)` in a notebook: slowest first call, slowest later one",
            f"{first * 1000:.0f} ms, {max(t[1] for t in found['checks'].values()) * 1000:.0f} ms",
            "",
            "100 ms, 50 ms",
        ),
    ]
    table = ["| what | measured | ratio | goal |", "|---|---|---|---|"] + [f"| {' | '.join(row)} |" for row in rows]
    growth = ["| class | time | a submission | CPU a submission | memory |", "|---|---|---|---|---|"]
    for size, usage in sorted(sizes.items()):
        cells = (
            f"{usage['wall']:.1f} s",
            f"{usage['wall'] / size * 1000:.0f} ms",
            f"{usage['cpu'] / size * 1000:.0f} ms",
        )
        growth.append(f"| {size} | {' | '.join(cells)} | {usage['memory'] >> 20} MiB |")
    about = ", ".join(f"{name} {value}" for name, value in found["machine"].items())
    return HEAD.format(exercise=found["exercise"], about=about) + "\n".join([*table, "", *growth]) + "\n"


HEAD = """# Speed

Made by `make bench` on exercise `{exercise}`, everything in one run on the same machine ({about}).
Times are a submission's share of the wall time unless it says CPU.

"""

if __name__ == "__main__":
    main()
