"""The package alone, as a hosted notebook installs it: a wheel answers every `check`, outside the course."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from autograder.checks.catalogue import exercises
from autograder.surroundings import TORCH
from autograder.tasks.folders import TASKS
from tests.depth import exhaustive, one_of_each
from tests.submissions import COURSE, solution_sources

PROJECT = tomllib.loads((COURSE / "pyproject.toml").read_text())["project"]
CHECK = """
import sys, autograder
assert autograder.__file__.startswith({place!r}), autograder.__file__
from autograder.checks.catalogue import tasks_of
from autograder.grader.live import judge_namespace
from autograder.hints import hints_of
names = {{"__name__": "__main__"}}
exec(compile(sys.stdin.read(), "<notebook>", "exec"), names)
for task in tasks_of({exercise!r}):
    verdict, _ = judge_namespace(task, names)
    print(task, f"{{verdict.points:g}} of {{verdict.maximum:g}}", len(hints_of(task)), verdict.reason)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel holds, and nothing of the working tree."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    source = folder / "source"
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=COURSE, capture_output=True, text=True)
    for name in files.stdout.splitlines():  # a build writes into its source
        if name.startswith(("autograder/", "solutions/")) or "/" not in name:
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((COURSE / name).read_bytes())
    subprocess.run([*command, "--wheel-dir", str(folder), str(source)], check=True, cwd=folder)
    (wheel,) = folder.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(folder / "installed")
    return folder / "installed"


@pytest.mark.parametrize("exercise", one_of_each(exercises(), type, rest=exhaustive))
def test_a_wheel_answers_every_check(installed: Path, tmp_path: Path, exercise: str) -> None:
    source = "\n\n".join(solution_sources(exercise).values())
    code = CHECK.format(place=str(installed), exercise=exercise)
    environment = os.environ | {"PYTHONPATH": str(installed)}
    command = [sys.executable, "-P", "-c", code]
    done = subprocess.run(command, input=source, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    lines = done.stdout.splitlines()
    assert lines
    for line in lines:
        _, points, _, maximum, hints, *reason = line.split()
        assert (points, hints, reason) == (maximum, "3", []), line


def test_a_wheel_holds_every_file_of_the_package(installed: Path) -> None:
    listed = subprocess.run(["git", "ls-files", "autograder"], cwd=COURSE, capture_output=True, text=True, check=True)
    missing = [name for name in listed.stdout.split() if not (installed / name).is_file()]
    assert missing == []
    tasks = [path.relative_to(COURSE / "solutions") for path in (COURSE / "solutions").glob(f"*/{TASKS}/**/*.*")]
    (wheel,) = installed.parent.glob("*.whl")  # beside it, whatever ran from `installed` has left its bytecode
    course = Path("autograder/course")
    brought = {
        Path(name).relative_to(course) for name in zipfile.ZipFile(wheel).namelist() if name.startswith(f"{course}/")
    }
    assert brought == {path for path in tasks if path.suffix != ".pyc"}


def test_what_the_course_pins_is_what_the_package_asks_for() -> None:
    """A hosted notebook takes any version in a range; the pinned one, with which all is tested, is in it."""
    lines = (COURSE / "requirements.txt").read_text().splitlines()
    pins = {}
    for line in lines:
        if "==" in line:
            requirement = Requirement(line.partition("#")[0])
            pins[requirement.name] = next(iter(requirement.specifier)).version
    pins["nbformat"] = distribution("nbformat").version
    for text in PROJECT["dependencies"]:
        requirement = Requirement(text)
        assert requirement.specifier.contains(pins[requirement.name]), text
    torch = next(one for one in map(Requirement, PROJECT["dependencies"]) if one.name == "torch")
    assert torch.specifier.contains(TORCH)


def test_the_page_names_the_one_address() -> None:
    page = (COURSE / "docs" / "where_people_work.md").read_text()
    assert f"%pip install --quiet git+{PROJECT['urls']['Repository']}" in page
