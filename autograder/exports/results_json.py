"""Gradescope's results.json, validated against a schema of its documented fields.

The fields are those of https://gradescope-autograders.readthedocs.io/en/latest/specs/; the schema is
gradescope.schema.json beside this file.
"""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import jsonschema

from autograder.standings.number_text import DECIMALS
from autograder.verdicts.plain_text import verdict_as_text
from autograder.verdicts.telling import points
from autograder.verdicts.verdict import Verdict
from autograder.whole_files import write_whole

VISIBILITIES = ("visible", "after_due_date", "after_published", "hidden")
LONGEST_OUTPUT = 20_000


@dataclasses.dataclass(frozen=True)
class TaskScore:
    """One task as Gradescope shows it: a test with partial credit.

    Attributes:
        name: the task's name.
        points, maximum: points earned, and the maximum, which extra credit may exceed.
        text: the student's feedback.
        section: the lesson's section, a tag of the test.
    """

    name: str
    points: float
    maximum: float
    text: str
    section: str = ""

    @staticmethod
    def of(verdict: Verdict) -> TaskScore:
        """Return the score of a verdict."""
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
    """Return one submission's results as Gradescope documents them.

    Args:
        exercise: the exercise's name.
        tasks: the scores, in the order in which Gradescope shows them.
        visibility: when students see the tests, one of VISIBILITIES.
        penalty: points lost by lateness; "score" has them subtracted, because Gradescope prefers it to the tests' sum.
        said: a sentence above the tests.
        seconds: the duration of grading.

    Raises:
        jsonschema.ValidationError: the results do not fit the schema.
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
        "stdout_visibility": "hidden",  # only the instructor sees what the grader prints
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
    """Write results atomically: a rename replaces the file, so a symbolic link in its place is not followed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    raw = json.dumps(made, indent=1, ensure_ascii=False, allow_nan=False).encode("utf-8", errors="replace")
    write_whole(path, raw, 0o644)
