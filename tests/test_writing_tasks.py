"""docs/writing_tasks.md: every key and every decorator that there is, and examples that are proved."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Iterable

import pytest

from autograder import hints
from autograder.checks.task import Task
from autograder.diagnosis import Mistake
from autograder.probes.specimens import FAMILIES
from autograder.proving.mutants import equivalent
from autograder.proving.regions import declared as regions
from autograder.references import Reference
from autograder.tasks import answers, cases, folders
from tests.submissions import COURSE

PAGE = (COURSE / "docs" / "writing_tasks.md").read_text()
SECTIONS = {part.partition("\n")[0]: part for part in PAGE.split("\n## ")}
EXAMPLES = re.findall(r"^```\w+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
MINIATURE = [
    path.read_text()
    for path in (COURSE / "tests" / "miniature").rglob("_tasks/**/*.*")
    if path.suffix in (".py", ".toml")
]


def first_columns(text: str) -> dict[str, set[str]]:
    """The names in the first column of each table, by the column's heading."""
    found = {}
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        heading, _, *rows = table.splitlines()
        found[heading.split("|")[1].strip()] = {row.split("`")[1] for row in rows}
    return found


def parameters(function: Callable) -> set[str]:
    return set(inspect.signature(function).parameters) - {"self", "file"}


@pytest.mark.parametrize(
    ("file", "keys"),
    [
        ("exercise.toml", {*folders.KEYS, *folders.OPTIONAL}),
        ("cases.toml", {*cases.KEYS, *cases.OPTIONAL}),
        ("hints.toml", hints.STEPS),
        ("equivalents.toml", equivalent.KEYS),
        ("regions.toml", regions.KEYS),
    ],
)
def test_every_key_is_listed(file: str, keys: Iterable[str]) -> None:
    assert first_columns(SECTIONS[f"`{file}`"])["key"] == set(keys)


DECLARING: dict[str, Callable] = {"Task": Task, "TASK.check": Task.check, "Reference": Reference}


@pytest.mark.parametrize("named", DECLARING)
def test_what_declares_a_task_is_listed(named: str) -> None:
    assert first_columns(SECTIONS["`task.py`"])[f"`{named}` takes"] == parameters(DECLARING[named])


def test_every_decorator_is_listed_with_what_it_takes() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (`.+`) \|$", SECTIONS["`answers.py`"], re.MULTILINE)
    listed = {name: set(re.findall(r"`(\w+)`", taken)) for name, taken in rows}
    own = {
        name: one
        for name, one in vars(answers).items()
        if inspect.isfunction(one) and one.__module__ == answers.__name__
    }
    public = {name: parameters(one) for name, one in own.items() if name[0] != "_" and name != "answers_of"}
    assert listed == public | {"Mistake": parameters(Mistake)}


def test_every_file_and_every_kind_of_value_is_named() -> None:
    for name in (*folders.FILES, *folders.ABOUT, *FAMILIES, *cases.VALUES, "dtype"):
        assert re.search(rf"\b{name}\b", PAGE), name


def test_what_task_files_may_use_is_there() -> None:
    rows = re.findall(r"^\| `([\w.]+\.\w+)` \|", PAGE, re.MULTILINE)
    assert len(rows) > 5
    for row in rows:
        module, _, name = row.rpartition(".")
        assert hasattr(importlib.import_module(f"autograder.{module}"), name), row


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_stands_in_a_course_that_is_proved(example: str) -> None:
    assert any(example in text for text in MINIATURE)
