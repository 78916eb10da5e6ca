"""What a graded notebook says of its tasks: the verdicts that grading wrote into its grade cells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from autograder.grader.verdict import VERDICT


def verdicts_in(path: Path) -> dict[str, dict[str, Any]]:
    """By task, in the notebook's order, each as `Verdict.as_data` has it.

    Args:
        path: below `autograded`. Of a file that is not there, or damaged, there are none: it is graded again.
    """
    try:
        cells = json.loads(path.read_bytes())["cells"]
        outputs = [output for cell in cells if _is_graded(cell) for output in cell.get("outputs", [])]
        found = [data for output in outputs if (data := output.get("data", {}).get(VERDICT))]
        return {data["task"]: data for data in found}
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return {}


def _is_graded(cell: dict) -> bool:
    return bool(cell.get("metadata", {}).get("nbgrader", {}).get("grade"))
