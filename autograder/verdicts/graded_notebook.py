"""Reading of graded notebooks: the verdicts that grading wrote into the grade cells, and what it graded."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autograder.verdicts.verdict import VERDICT


@dataclasses.dataclass(frozen=True)
class GradedNotebook:
    """The content of a graded notebook that later steps use.

    Attributes:
        verdicts: by task, in the notebook's order, in the form of `Verdict.as_data`.
        digest: digest of the code that was graded; empty if an older version of the course graded it.
        written: digest of what the student wrote for people; empty as above.
        exercise: digest of the exercise that it was made of; empty as above.
        answers: by graded cell, a digest of its answer and its points; empty as above.
        worth: by graded cell, the points that it could earn.
        provenance: the versions and checks that graded it; empty as above.
        handed_in: digest of the file that was handed in; empty as above.
        exists: whether the file exists.
        unavailable: why the file cannot be read here; empty if it can.
    """

    verdicts: dict[str, dict[str, Any]] = dataclasses.field(default_factory=dict)
    digest: str = ""
    written: str = ""
    exercise: str = ""
    answers: dict[str, list[Any]] = dataclasses.field(default_factory=dict)
    worth: dict[str, float] = dataclasses.field(default_factory=dict)
    provenance: dict[str, Any] = dataclasses.field(default_factory=dict)
    handed_in: str = ""
    exists: bool = True
    unavailable: str = ""

    def is_of(self, code: str, text: str) -> bool:
        """Return whether it was made of this code and these written answers; an unknown digest counts as equal.

        Args:
            code: digest of the code.
            text: digest of the written answers; empty if the file that was handed in cannot be read.
        """
        return self.digest in ("", code) and ("" in (self.written, text) or self.written == text)

    def is_worth(self, known: Mapping[str, tuple[dict[str, Any], str, str]]) -> bool:
        """Return whether its cells have the points of the cells in the gradebook."""
        now = {name: meta["points"] for name, (meta, *_) in known.items() if "points" in meta}
        return all(now.get(name, points) == points for name, points in self.worth.items())

    @staticmethod
    def read(path: Path) -> GradedNotebook:
        """Read a notebook below `autograded`; a damaged one is read as empty, so that it is graded again."""
        try:
            return GradedNotebook.of(json.loads(path.read_bytes()))
        except (FileNotFoundError, NotADirectoryError):
            return GradedNotebook(exists=False)
        except OSError as error:
            return GradedNotebook(unavailable=error.strerror or "unknown error")
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return GradedNotebook()

    @staticmethod
    def of(notebook: Mapping[str, Any]) -> GradedNotebook:
        """Read a notebook that grading wrote."""
        graded = [cell for cell in notebook["cells"] if _is_graded(cell)]
        outputs = [output for cell in graded for output in cell.get("outputs", [])]
        found = [data for output in outputs if (data := output.get("data", {}).get(VERDICT))]
        about = notebook.get("metadata", {}).get("autograder", {})
        marks = [cell["metadata"]["nbgrader"] for cell in graded]
        return GradedNotebook(
            {data["task"]: data for data in found},
            str(about.get("graded", "")),
            str(about.get("written", "")),
            str(about.get("exercise", "")),
            dict(about.get("answers", {})),
            {mark["grade_id"]: mark["points"] for mark in marks if "points" in mark},
            dict(about.get("provenance", {})),
            str(about.get("handed_in", "")),
        )


def verdicts_in(path: Path) -> dict[str, dict[str, Any]]:
    """Return the verdicts of a graded notebook by task; empty if the file is missing or damaged."""
    return GradedNotebook.read(path).verdicts


def _is_graded(cell: dict[str, Any]) -> bool:
    mark = cell.get("metadata", {}).get("nbgrader", {})
    return bool(mark.get("grade") or mark.get("task"))
