"""Exported tables of a class that hold a student; a person exports them again, or deletes them."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

WHAT_TO_DO = "export it again, or delete it"


def tables_with(gradebook: Path, student: str) -> Iterator[str]:
    """Yield a sentence for each exported table in the gradebook's folder that has the student in a cell of its own.

    Args:
        gradebook: the folder of the gradebook.
        student: the student's id.
    """
    for path in sorted((*gradebook.glob("*.csv"), *gradebook.glob("moodle/*.csv"))):
        try:
            with path.open(newline="", encoding="utf-8-sig", errors="replace") as file:
                holds = any(student in row for row in csv.reader(file))
        except (OSError, csv.Error):
            continue  # it is no table of ours
        if holds:
            yield f"{path.relative_to(gradebook)} holds {student}: {WHAT_TO_DO}"
