"""What a graded notebook says of its tasks: the verdicts that grading wrote into its grade cells."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

from autograder.grader.verdict import VERDICT


@dataclasses.dataclass(frozen=True)
class GradedNotebook:
    """What is read of a graded notebook.

    Attributes:
        verdicts: by task, in the notebook's order, each as `Verdict.as_data` has it.
        digest: of what was graded; empty where an older version of the course graded it.
        exists: whether there is such a file.
    """

    verdicts: dict[str, dict[str, Any]] = dataclasses.field(default_factory=dict)
    digest: str = ""
    exists: bool = True

    @staticmethod
    def read(path: Path) -> GradedNotebook:
        """Read a notebook below `autograded`; of a damaged one there is nothing, and it is graded again."""
        try:
            notebook = json.loads(path.read_bytes())
            outputs = [output for cell in notebook["cells"] if _is_graded(cell) for output in cell.get("outputs", [])]
            found = [data for output in outputs if (data := output.get("data", {}).get(VERDICT))]
            digest = notebook.get("metadata", {}).get("autograder", {}).get("graded", "")
            return GradedNotebook({data["task"]: data for data in found}, str(digest))
        except OSError:
            return GradedNotebook(exists=False)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return GradedNotebook()


def verdicts_in(path: Path) -> dict[str, dict[str, Any]]:
    """Read only the verdicts of a graded notebook, by task; none of a file that is not there, or damaged."""
    return GradedNotebook.read(path).verdicts


def _is_graded(cell: dict) -> bool:
    return bool(cell.get("metadata", {}).get("nbgrader", {}).get("grade"))
