"""Workflows for GitHub: valid by its schema, with pinned actions, and asking for checks that exist."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from autograder.checks.catalogue import exercises, tasks_of
from autograder.github_classroom import page, workflow
from tests.depth import proof
from tests.submissions import COURSE, as_bytes, solved

TEMPLATE = COURSE / "docs" / "github_classroom" / "classroom.yml"
FILES = [*sorted((COURSE / ".github" / "workflows").glob("*.yml")), TEMPLATE]


def problems(path: Path) -> str:
    """What the schema of GitHub's workflows objects to, without the network."""
    pytest.importorskip("check_jsonschema", reason="check-jsonschema is not installed (the `test` extra has it)")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def uses(path: Path) -> list[str]:
    """The actions of a workflow."""
    jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values()
    return [step["uses"] for job in jobs for step in job["steps"] if "uses" in step]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_workflow_is_valid_and_its_actions_have_a_version(path: Path) -> None:
    assert problems(path) == ""
    assert [action for action in uses(path) if not re.fullmatch(r"[\w-]+/[\w-]+@(v\d+|[0-9a-f]{40})", action)] == []


def test_a_broken_workflow_would_be_seen(tmp_path: Path) -> None:
    broken = tmp_path / "broken.yml"
    broken.write_text((COURSE / ".github" / "workflows" / "test.yml").read_text().replace("runs-on:", "runs_on:"))
    assert "runs-on" in problems(broken)


def test_make_runs_what_workflows_ask_of_it() -> None:
    targets = re.findall(r"^([\w-]+):", (COURSE / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    asked = {verb for path in FILES for verb in re.findall(r"run: make ([\w-]+)", path.read_text(encoding="utf-8"))}
    assert asked == {"test", "proof", "exhaustive", "test-site", "upgrade"}
    assert asked <= set(targets)


def test_the_template_is_what_the_command_makes() -> None:
    assert TEMPLATE.read_text(encoding="utf-8") == page("01_scalar_graphs")


@pytest.mark.parametrize("exercise", exercises())
def test_every_check_is_a_step_that_the_reporter_knows(exercise: str) -> None:
    steps = steps_of(workflow(exercise, "owner/course"))
    *_, reporter = steps
    graders = [step for step in steps if "command-grader" in step.get("uses", "")]
    points = sum(task.points for task in tasks_of(exercise).values())
    assert sum(step["with"]["max-score"] for step in graders) == points
    assert reporter["with"]["runners"].split(",") == [step["id"] for step in graders]
    assert list(reporter["env"]) == [f"{step['id'].upper()}_RESULTS" for step in graders]


def steps_of(made: dict[str, Any]) -> list[dict[str, Any]]:
    """All steps of the one job."""
    (job,) = made["jobs"].values()
    return job["steps"]


@proof
@pytest.mark.parametrize(("answers", "status"), [({}, 0), ({"partials": "def partials(x, w, b): return None"}, 1)])
def test_the_command_of_a_step_runs_one_check_of_the_notebook(tmp_path: Path, answers: dict, status: int) -> None:
    (tmp_path / "01_scalar_graphs.ipynb").write_bytes(as_bytes(solved("01_scalar_graphs", **answers)))
    (step,) = [one for one in steps_of(workflow("01_scalar_graphs")) if one.get("id") == "test_partials_open"]
    command = [sys.executable, "-m", *shlex.split(step["with"]["command"])]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == status, done.stdout
    assert ("1 passed" in done.stdout) == (status == 0)
    assert ("1 failed" in done.stdout) == (status == 1)
