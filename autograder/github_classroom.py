"""`python -m autograder.github_classroom EXERCISE`: the workflow with which GitHub Classroom shows points.

One step a check, as Classroom's own command grader wants it, which knows nothing between all points of a step and
none. What a student's repository says about itself is feedback: its owner can change it. Grades come from
`autograder grade`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import Any

import yaml

from autograder.checks.catalogue import exercises, tasks_of
from autograder.checks.task import Check
from autograder.tasks.folders import known_exercise
from autograder.tasks.tables import TaskFolderError

COURSE = "OWNER/REPOSITORY"
"""A placeholder for the repository that holds this course."""
HEAD = """# Made by `python -m autograder.github_classroom {exercise}`: .github/workflows/classroom.yml of an
# assignment's template repository. {course} stands for the repository that holds the course.
"""
TORCH = "https://download.pytorch.org/whl/cpu"
MINUTES = 5


def workflow(exercise: str, course: str = COURSE) -> dict[str, Any]:
    """Build the workflow that runs an exercise's checks, as data.

    Args:
        exercise: the exercise's name, "01_doubling".
        course: owner and name of the repository that holds the course.

    Raises:
        LookupError: if the exercise has no checks.
    """
    checks = [check for task in tasks_of(exercise).values() for check in task.checks]
    points = known_exercise(exercise).points
    steps, runners = _preparation(course), []
    for check in checks:
        runners.append(check.name)
        node = f"{exercise}.ipynb::{check.name}"
        grader = {
            "test-name": f"{check.task.name}: {check.title}",
            "command": f"pytest -q {node}",
            "timeout": MINUTES,
            "max-score": _worth(check, points),
        }
        uses = "classroom-resources/autograding-command-grader@v1"
        steps.append({"name": grader["test-name"], "id": runners[-1], "uses": uses, "with": grader})
    results = {f"{runner.upper()}_RESULTS": f"${{{{ steps.{runner}.outputs.result }}}}" for runner in runners}
    reporter = "classroom-resources/autograding-grading-reporter@v1"
    steps.append({"name": "Points", "uses": reporter, "env": results, "with": {"runners": ",".join(runners)}})
    return {
        "name": "Autograding Tests",
        "on": ["push", "repository_dispatch"],
        "permissions": {"checks": "write", "actions": "read", "contents": "read"},
        "jobs": {
            "run-autograding-tests": {
                "runs-on": "ubuntu-24.04",
                "if": "github.actor != 'github-classroom[bot]'",
                "timeout-minutes": 60,
                "steps": steps,
            }
        },
    }


def _worth(check: Check, points: Mapping[str, float]) -> float:
    """Return what a check is worth, scaled if a course file gives its task other points."""
    task = check.task
    return check.points * points[task.name] / task.points if task.name in points else check.points


def _preparation(course: str) -> list[dict[str, Any]]:
    """Return the steps that check out the student's repository and the course and install the course."""
    return [
        {"uses": "actions/checkout@v4"},
        {"uses": "actions/checkout@v4", "with": {"repository": course, "path": "course"}},
        {
            "uses": "actions/setup-python@v5",
            "with": {"python-version": "3.11", "cache": "pip", "cache-dependency-path": "course/requirements.txt"},
        },
        {
            "name": "Install the course",
            "run": f"pip install --extra-index-url {TORCH} -r requirements.txt",
            "working-directory": "course",
        },
    ]


def page(exercise: str, course: str = COURSE) -> str:
    """Return the workflow as the text of a file."""
    text: str = yaml.safe_dump(workflow(exercise, course), sort_keys=False, allow_unicode=True, width=120)
    return HEAD.format(exercise=exercise, course=course) + text


def main(arguments: list[str] | None = None) -> None:
    """Print the workflow of an exercise."""
    parser = argparse.ArgumentParser(prog="python -m autograder.github_classroom", description=__doc__)
    try:
        parser.add_argument("exercise", choices=exercises())
        parser.add_argument("--course", default=COURSE, help="owner and name of the repository that holds the course")
        options = parser.parse_args(arguments)
        sys.stdout.write(page(options.exercise, options.course))
    except TaskFolderError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
