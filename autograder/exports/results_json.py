"""Gradescope's results.json: what it documents, and nothing that does not fit its schema.

The fields are those of https://gradescope-autograders.readthedocs.io/en/latest/specs/; gradescope.schema.json beside
this file says them as a schema.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import jsonschema

from autograder.grader.verdict import Verdict
from autograder.report.text import points, verdict_as_text
from autograder.sharing import share_file
from autograder.standings.numbers import DECIMALS

VISIBILITIES = ("visible", "after_due_date", "after_published", "hidden")
LONGEST_OUTPUT = 20_000


@dataclasses.dataclass(frozen=True)
class TaskScore:
    """One task as Gradescope shows it: a test with partial credit.

    Attributes:
        name: the task's.
        points, maximum: what it earned of what; more than the maximum with extra credit.
        text: what the student reads.
        section: of the lesson; a tag.
    """

    name: str
    points: float
    maximum: float
    text: str
    section: str = ""

    @staticmethod
    def of(verdict: Verdict) -> TaskScore:
        """A verdict's."""
        text = verdict_as_text(verdict)
        return TaskScore(verdict.task, verdict.points, verdict.maximum, text, verdict.section)


def results_json(
    exercise: str,
    tasks: Iterable[TaskScore],
    *,
    visibility: str = "visible",
    penalty: float = 0.0,
    said: str = "",
    seconds: float | None = None,
) -> dict[str, Any]:
    """One submission's results.

    Args:
        exercise: its name.
        tasks: in the order in which they are shown.
        visibility: when students see the tests, one of VISIBILITIES.
        penalty: points that lateness costs; the total says what is left, as Gradescope takes it before the tests' sum.
        said: a sentence above the tests.
        seconds: that grading took.

    Raises:
        jsonschema.ValidationError: where it would not be what Gradescope documents.
    """
    tests = [_test(number, task, visibility) for number, task in enumerate(tasks, start=1)]
    late = f"Lateness costs {points(penalty)}." if penalty else ""
    made: dict[str, Any] = {
        "score": max(0.0, round(sum(test["score"] for test in tests) - penalty, DECIMALS)),
        "output": "\n".join(filter(None, [said, late])),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": visibility,
        "stdout_visibility": "hidden",  # what the grader prints is for the instructor
        "extra_data": {"exercise": exercise},
        "tests": tests,
    }
    if seconds is not None:
        made["execution_time"] = round(seconds, 3)
    _validator().validate(made)
    return made


def _test(number: int, task: TaskScore, visibility: str) -> dict[str, Any]:
    text = task.text if len(task.text) <= LONGEST_OUTPUT else task.text[:LONGEST_OUTPUT] + "\n[cut off]"
    return {
        "name": task.name,
        "number": str(number),
        "score": task.points,
        "max_score": task.maximum,
        "status": "passed" if task.points >= task.maximum else "failed",
        "output": text,
        "tags": [task.section] if task.section else [],
        "visibility": visibility,
    }


@functools.cache
def _validator() -> jsonschema.Draft202012Validator:
    schema = json.loads(Path(__file__).with_name("gradescope.schema.json").read_text(encoding="utf-8"))
    return jsonschema.Draft202012Validator(schema)


def write_json(path: Path, made: dict[str, Any]) -> None:
    """Write it whole or not at all: to another name first, so that no link that stands there is followed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    raw = json.dumps(made, indent=1, ensure_ascii=False, allow_nan=False).encode("utf-8", errors="replace")
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".results-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
        os.chmod(name, 0o644)
        share_file(Path(name))
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
