"""`python -m tests.soak [--each 1000] [--rounds 10]`: hours of grading that must stay flat and leave nothing behind.

So many submissions of every exercise in one run of the command; then all hostile and honest ones of the tests, mixed,
so many times over. Give the machine nothing else to do: its namespaces and mounts are counted. Needs Linux.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.soak.classes import grade_classes
from tests.soak.rounds import repeat


def main() -> int:
    """Run both; 1 where something rose, was left, or got other points."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--each", type=int, default=1000, help="submissions of every exercise; 0 for none")
    parser.add_argument("--rounds", type=int, default=10, help="of hostile and honest ones; 0 for none")
    given = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)  # into a file, too: it is read for hours before the end
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        if given.each:
            wrong += grade_classes(Path(folder), given.each)
        if given.rounds:
            wrong += repeat(Path(folder), given.rounds)
    print("\n".join(wrong) or "Flat, nothing left, the same scores.")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
