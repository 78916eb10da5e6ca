"""The first minutes: `make setup`, `make lab`, the oldest Python, and a package of the same name."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import distributions, entry_points
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from autograder import surroundings
from tests.submissions import COURSE

PROJECT = tomllib.loads((COURSE / "pyproject.toml").read_text())["project"]
OLDEST = ".".join(map(str, surroundings.PYTHON))


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with what `make setup` reads."""
    for name in ("Makefile", "requirements.txt", "constraints.txt", "pyproject.toml"):
        (tmp_path / name).write_bytes((COURSE / name).read_bytes())
    return tmp_path


def command(folder: Path, name: str, script: str) -> Path:
    """A command that does this instead."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def make(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
    """`make` there, with commands of the folder's own before all others."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    path = f"{folder / 'commands'}{os.pathsep}{os.environ['PATH']}"
    options = {"capture_output": True, "text": True, "env": clean | {"PATH": path} | environment}
    return subprocess.run(["make", *arguments], cwd=folder, **options)


def environment(folder: Path, python: str) -> None:
    """A whole environment, whose Python does this instead."""
    for name in ("python", "pip"):
        command(folder / ".venv" / "bin", name, python)


def test_setup_shows_that_it_goes_on_and_says_what_comes_next(clone: Path) -> None:
    environment(clone, 'echo "Collecting torch, asked for by $*"')
    said = make(clone, "setup").stdout.splitlines()
    assert said[0].startswith("Installing the course into .venv, which takes some minutes")
    pip = next(line for line in said if line.startswith("Collecting"))
    assert "-r requirements.txt" in pip
    assert "--quiet" not in pip
    assert said[-1] == "The course is installed in .venv. Next: make lab"
    assert make(clone, "setup").stdout.splitlines() == said[-1:]


def makes_environments(folder: Path) -> None:
    """A Python whose `venv` leaves a Python and pip, and whose pip installs nothing."""
    exits = f'case "$1 $2" in -c*) exec {sys.executable} "$@";; *pip) exit;; esac'
    command(folder / "commands", "python3", f"{exits}; mkdir -p .venv/bin; cp $0 .venv/bin/python; cp $0 .venv/bin/pip")


def test_half_an_environment_is_not_taken_for_one(clone: Path) -> None:
    """Ctrl-C, or a Python without Debian's python3-venv, leaves a folder that has a Python and no pip."""
    command(clone / ".venv" / "bin", "python", "echo No module named pip; exit 1")
    makes_environments(clone)
    assert make(clone, "setup").returncode == 0
    assert (clone / ".venv" / "bin" / "pip").exists()


def test_an_environment_that_was_moved_is_made_anew(clone: Path) -> None:
    """The programs in it begin with the path of the folder that it was made for."""
    old, new = clone / "a course", clone / "renamed"
    old.mkdir()
    for path in [path for path in clone.iterdir() if path.is_file()]:
        path.rename(old / path.name)
    environment(old, "true")
    assert make(old, "setup").returncode == 0
    (old / ".venv" / "of the first").touch()
    assert make(old, "setup").stdout.splitlines() == ["The course is installed in .venv. Next: make lab"]
    old.rename(new)
    makes_environments(new)
    assert make(new, "setup").stdout.startswith("Installing the course")
    assert not (new / ".venv" / "of the first").exists()
    assert len(make(new, "setup").stdout.splitlines()) == 1


@pytest.mark.parametrize(("verb", "program"), [("lab", "autograder lab"), ("teach", "jupyterlab")])
@pytest.mark.parametrize(("user", "options"), [("0", "--allow-root --ip=0.0.0.0"), ("1000", "--ip=0.0.0.0")])
def test_lab_starts_for_root_as_for_others(clone: Path, user: str, options: str, verb: str, program: str) -> None:
    environment(clone, 'echo "python got: $*"')
    command(clone / "commands", "id", f"echo {user}")
    said = make(clone, verb, "OPTIONS=--ip=0.0.0.0").stdout
    assert f"python got: -m {program} {options}\n" in said


def test_recipes_name_programs_by_their_path() -> None:
    """Apple's make looks a program up on the PATH that it was started with, not on the one that it exports."""
    programs = {"python", "python3", *(one.name for one in entry_points(group="console_scripts"))}
    lines = (COURSE / "Makefile").read_text().splitlines()
    commands = (re.sub(r"^(\t|[A-Z_]+ :?= )@?(\$\(if [^,]+,)?([A-Z_]+=\S+ )*", "", line) for line in lines)
    assert [line for line in commands if line.split(" ")[0] in programs] == []


def test_the_sample_class_is_not_graded_into_the_instructors_database(clone: Path) -> None:
    environment(clone, 'echo "$COURSE_GRADEBOOK with $COURSE_DB_URL; $*"')
    said = make(clone, "grade", COURSE_DB_URL="postgresql+psycopg://course@here/gradients").stdout
    assert "gradebook/sample with ; -m tests.sample_class gradebook/sample 01_scalar_graphs\n" in said
    assert "gradebook/sample with ; -m autograder grade 01_scalar_graphs\n" in said
    assert "here/gradients" not in said


def test_one_oldest_python_is_promised_everywhere() -> None:
    assert PROJECT["requires-python"] == f">={OLDEST}"
    makefile = (COURSE / "Makefile").read_text()
    assert f"with Python {OLDEST} or newer" in makefile
    assert f"The course needs Python {OLDEST} or newer" in makefile
    assert f"sys.version_info >= {surroundings.PYTHON} or" in makefile
    assert f"needs Python {OLDEST} or newer" in (COURSE / "README.md").read_text()
    assert f"| Python before {OLDEST} |" in (COURSE / "docs" / "where_people_work.md").read_text()


def test_every_pinned_package_takes_the_oldest_python() -> None:
    """Of those that are installed here, which the optional parts of the course do not all have to be."""
    lines = (COURSE / "constraints.txt").read_text().splitlines()
    pins = {
        canonicalize_name(name): version for name, version in re.findall(r"^([\w.-]+)==(\S+)", "\n".join(lines), re.M)
    }
    seen = 0
    for one in distributions():
        asked = one.metadata.get("Requires-Python")
        if asked is None or pins.get(canonicalize_name(one.metadata["Name"])) != one.version:
            continue
        seen += 1
        assert SpecifierSet(asked).contains(OLDEST), f"{one.metadata['Name']} {one.version} needs Python {asked}"
    assert seen > 50


def test_the_package_has_one_name_and_one_summary() -> None:
    assert PROJECT["name"] == surroundings.COURSE != "autograder"
    assert PROJECT["description"] == surroundings.SUMMARY
    extras = PROJECT["optional-dependencies"]
    assert not any(one.startswith("autograder[") for extra in extras.values() for one in extra)


def beside(folder: Path, summary: str) -> dict[str, str]:
    """An environment in which a package that pip calls `autograder` is installed beside the course's."""
    found = folder / "autograder-3.7.7.dist-info" / "METADATA"
    found.parent.mkdir()
    found.write_text(f"Metadata-Version: 2.1\nName: autograder\nVersion: 3.7.7\nSummary: {summary}\n")
    return os.environ | {"PYTHONPATH": str(folder)}


@pytest.mark.parametrize(
    "arguments", [["-c", "from autograder import check"], ["-m", "autograder.command_line", "progress"]]
)
def test_another_projects_autograder_is_told_apart(tmp_path: Path, arguments: list[str]) -> None:
    environment = beside(tmp_path, "A simple way to grade programming assignments")
    done = subprocess.run([sys.executable, *arguments], env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0
    assert (
        "This is the autograder of gradients-course, and the package index's autograder 3.7.7, another project, is "
        "installed in the same place: run `pip uninstall -y autograder gradients-course`, install the course again"
    ) in done.stderr.splitlines()[-1]


def test_the_course_under_its_former_name_is_no_other_project(tmp_path: Path) -> None:
    code = "from autograder import hint\nhint('partials')"
    environment = beside(tmp_path, PROJECT["description"])
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["check", "draw", "counters"])
@pytest.mark.parametrize("together", [True, False], ids=["in one folder", "beside an editable install"])
def test_a_notebook_is_told_where_the_other_one_was_installed_last(tmp_path: Path, name: str, together: bool) -> None:
    """What lessons and exercises import first; its `__init__.py` is the other project's."""
    if together:
        shutil.copytree(COURSE / "autograder", tmp_path / "autograder", ignore=shutil.ignore_patterns("__pycache__"))
    other = tmp_path / "autograder" / "__init__.py"
    other.parent.mkdir(exist_ok=True)
    other.write_text('__title__ = "autograder"\n')
    environment = beside(tmp_path, "A simple way to grade programming assignments")
    code = f"from autograder import {name}"
    done = subprocess.run([sys.executable, "-c", code], env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0
    assert "This is the autograder of gradients-course, and the package index's" in done.stderr.splitlines()[-1]


def test_the_courses_own_names_are_not_those_files() -> None:
    code = "from autograder import check, draw, counters; print(callable(check), callable(draw), counters.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "True True autograder.probes.counters\n", done.stderr
