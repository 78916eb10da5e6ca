"""`python -m tests.fuzz [--seconds 60] [TARGET ...]`: fuzz each target so long; finds are minimised and printed."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

from tests.fuzz import CORPORA, TARGETS
from tests.fuzz.minimising import failure, minimised
from tests.submissions import COURSE

WORK = COURSE / "build" / "fuzz"
LONGEST = {"reader": 16_384, "decoder": 4_096, "sanitiser": 1_024}
"""Bytes of an input."""
PER_INPUT = 120
"""Seconds on the clock; an input that takes longer is a find. Targets bound CPU time themselves."""


def main() -> int:
    """Run; the status says whether anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}; all where left out")
    parser.add_argument("--seconds", type=int, default=60, help="for each target (default: 60)")
    given = parser.parse_args()
    if unknown := set(given.targets) - set(TARGETS):
        parser.error(f"There is no target {', '.join(sorted(unknown))}; there are {', '.join(TARGETS)}.")
    print(f"{'target':<10} {'inputs':>8} {'a second':>9} {'coverage':>9} {'features':>9} {'corpus':>7}  found")
    found = [_fuzz(name, given.seconds) for name in given.targets or TARGETS]
    return int(any(found))


def _fuzz(name: str, seconds: int) -> bool:
    """One target; whether anything was found."""
    corpus, finds = WORK / name, WORK / "found"
    for folder in (corpus, finds):
        folder.mkdir(parents=True, exist_ok=True)
    before = set(finds.glob(f"{name}-*"))
    options = [f"-max_total_time={seconds}", f"-max_len={LONGEST[name]}", f"-timeout={PER_INPUT}"]
    options += [f"-report_slow_units={PER_INPUT}"]
    options += [f"-artifact_prefix={finds}/{name}-", "-print_final_stats=1", "-rss_limit_mb=3000"]
    command = [sys.executable, "-m", "tests.fuzz.one_target", name, str(corpus), str(CORPORA / name), *options]
    done = subprocess.run(command, cwd=COURSE, capture_output=True, text=True, errors="replace")
    log = done.stdout + done.stderr
    new = sorted(path for path in finds.glob(f"{name}-*") if path not in before)
    print(f"{name:<10} {_figures(log)}  {len(new) or 'nothing'}")
    if done.returncode and not new:
        print(log[-2_000:])
    for path in new:
        _show(name, path)
    return bool(done.returncode)


def _figures(log: str) -> str:
    """The last of libFuzzer's lines, and its count, as columns."""
    last = (re.findall(r"cov: (\d+) ft: (\d+) corp: (\d+)/", log) or [("?", "?", "?")])[-1]
    counts = [re.search(rf"stat::{key}:\s+(\d+)", log) for key in ("number_of_executed_units", "average_exec_per_sec")]
    inputs, rate = (count[1] if count else "?" for count in counts)
    return f"{inputs:>8} {rate:>9} {last[0]:>9} {last[1]:>9} {last[2]:>7}"


def _show(name: str, path: Path) -> None:
    """Minimise one find, and print it with what it breaks."""
    data = path.read_bytes()
    why = failure(name, data)
    if why is None:
        print(f"  {path}: broke nothing when tried again; it took long, or much memory")
        return
    small = minimised(name, data, why)
    kept = path.with_name(f"{path.name}-minimised")
    kept.write_bytes(small)
    print(f"  {why}\n  {small[:500]!r}\n  {len(small)} of {len(data)} bytes, in {kept}")


if __name__ == "__main__":
    sys.exit(main())
