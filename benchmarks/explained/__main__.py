"""`python -m benchmarks.explained [--write]`: how often `explain_gradient` says why, by kind of mutation."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import torch

from benchmarks.explained.changing import Changed, mutants
from benchmarks.explained.functions import FUNCTIONS
from benchmarks.explained.judging import EQUIVALENT, Told, told
from benchmarks.explained.table import details, table, write

PAGE = Path(__file__).parents[2] / "docs" / "explain_gradient.md"


def main() -> int:
    """Explain all Functions and their mutants; return 1 if a right Function is accused, else 0."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.explained", description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the table into docs/explain_gradient.md")
    parser.add_argument("--most", type=int, default=0, help="only so many mutants, drawn; all by default")
    parser.add_argument("--details", action="store_true", help="also print what somebody should look at")
    wanted = parser.parse_args()
    torch.set_num_threads(1)
    accused = list(_accused())
    results = list(_judged(wanted.most))
    text = table(results, len(FUNCTIONS))
    if wanted.details:
        print("\n".join(details(results)))
    print("\n".join(accused))
    print(text)
    if wanted.write and not accused:
        write(text, PAGE)
    return 1 if accused else 0


def _accused() -> Iterator[str]:
    for function, inputs in FUNCTIONS.items():
        one = told(function, inputs, function)
        if one.verdict != EQUIVALENT:
            yield f"{function.__name__} is right, and accused: {' / '.join(one.sentences)}"


def _judged(most: int) -> Iterator[tuple[Changed, Told]]:
    made = [one for function in FUNCTIONS for one in mutants(function)]
    print(f"{len(made)} mutants", file=sys.stderr, flush=True)
    if most and most < len(made):
        made = random.Random(0).sample(made, most)
    for number, one in enumerate(made, 1):
        yield one, told(one.made, FUNCTIONS[one.of], one.of)
        if number % 200 == 0:
            print(number, file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
