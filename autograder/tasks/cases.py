"""Read a task's public cases from its `cases.toml`, which a reviewer can read too."""

from __future__ import annotations

import difflib
import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from autograder.names import with_nearest
from autograder.probes.programs import Program
from autograder.probes.specimens import FAMILIES
from autograder.references.reference import PublicCase
from autograder.tasks.tables import TaskFolderError, line_of, read_tables
from autograder.tasks.versions import MOST, source_of_version
from autograder.wire.plain import DTYPES, Specimen

KEYS = {"expected": object}
OPTIONAL = {"inputs": list, "program": str, "given": dict, "also": list, "group": str, "about": str}
VERSIONED = {"inputs": list, "program": str, "given": dict, "expected": object, "about": str}
OF_VERSION = {f"{key}_{version}": kind for key, kind in VERSIONED.items() for version in range(2, MOST + 1)}
"""Keys for another version of the task, as `expected_2`, where that differs from the first."""
VALUES = {"tensor": "dtype", "none": "", "family": ""}
"""Keys that mark a table as another value (a tensor, None, a specimen), each with the key allowed beside it."""
NEAR = 0.8


def public_cases(file: Path, group: str | None = None) -> list[PublicCase]:
    """Read the public cases of a task, in the order of the file.

    Args:
        file: the task's `cases.toml`.
        group: only the cases of this group; all of them if None.

    Raises:
        TaskFolderError: if there are none, or one is malformed.
    """
    rows, lines, text = _rows(file)
    wanted = [(row, line) for row, line in zip(rows, lines, strict=True) if group in (None, row.get("group"))]
    if not wanted:
        raise TaskFolderError(f"{file} has no case" + (f" in the group {group!r}" if group else ""))

    def place_from(line: int) -> Place:
        return lambda key: f"{file}, line {line_of(key, text, line)}"

    return [_case(row, place_from(line)) for row, line in wanted]


def groups(file: Path) -> set[str | None]:
    """Return the names of the groups of a task's public cases; None stands for cases without a group."""
    return {row.get("group") for row in _rows(file)[0]}


def line_of_program(file: Path, program: Program) -> int | None:
    """Return the number of the line before a program's text in a `cases.toml`; None if it is not there verbatim."""
    text = file.read_text(encoding="utf-8")
    start = text.find(program.text)
    return text.count("\n", 0, start) if program.text and start >= 0 else None


@functools.lru_cache(8)
def _rows(file: Path) -> tuple[list[dict[str, Any]], list[int], str]:
    rows, lines, text = read_tables(file, "case", KEYS, OPTIONAL | OF_VERSION)
    _, version = source_of_version(file.parent)
    for row, line in zip(rows, lines, strict=True):
        row.update({key: row[f"{key}_{version}"] for key in VERSIONED if f"{key}_{version}" in row})
        if ("program" in row) == ("inputs" in row):
            raise TaskFolderError(f"{file}, line {line}: a case has either `inputs` or a `program`")
        if "program" in row and not isinstance(row["expected"], dict):
            raise TaskFolderError(f"{file}, line {line}: what a program shows is a table, from expressions to values")
    return rows, lines, text


Place = Callable[[str], str]
"""Maps a key to its file and line, for messages."""


def _case(row: dict[str, Any], place: Place) -> PublicCase:
    if "program" not in row:
        inputs = tuple(_value(item, place, "inputs") for item in row["inputs"])
        return PublicCase(inputs, _value(row["expected"], place), row.get("about", ""))
    expected = {key: _value(value, place) for key, value in row["expected"].items()}
    given = {key: _value(value, place, "given") for key, value in row.get("given", {}).items()}
    program = Program(row["program"], tuple(expected), tuple(row.get("also", ())), given)
    return PublicCase((program,), expected, row.get("about", ""))


def _value(item: Any, place: Place, within: str = "") -> Any:
    """Convert a TOML value to the Python value that it represents.

    Args:
        item: a table with a key of `VALUES` becomes a tensor, None or a specimen; any other table, a dict.
        place: locates a key for messages.
        within: the case's key, if no dict is allowed there.
    """
    if isinstance(item, list):
        return [_value(one, place, within) for one in item]
    if not isinstance(item, dict):
        return item
    kind = next((key for key in VALUES if key in item), None)
    if kind == "family":
        return _specimen(item, place)
    for key in item:
        beside = (kind, VALUES[kind]) if kind else ()
        misspelt = not kind and difflib.get_close_matches(key, [*VALUES, "dtype"], cutoff=NEAR)
        if (kind and key not in beside) or misspelt or (not kind and within):
            raise TaskFolderError(
                f"{place(key)}: unknown key {key!r} in a value; the keys are tensor and dtype, or none, or family and "
                "its coefficients"
            )
    if kind == "none":
        return None
    return _tensor(item, place) if kind else {key: _value(value, place) for key, value in item.items()}


def _tensor(item: dict[str, Any], place: Place) -> torch.Tensor:
    if (dtype := item.get("dtype", "float64")) not in DTYPES:
        raise TaskFolderError(f"{place('dtype')}: there is no dtype {with_nearest(str(dtype), DTYPES)}")
    try:
        return torch.tensor(item["tensor"], dtype=getattr(torch, dtype))
    except (TypeError, ValueError, RuntimeError) as error:
        raise TaskFolderError(f"{place('tensor')}: this is not a tensor: {error}") from None


def _specimen(item: dict[str, Any], place: Place) -> Specimen:
    name = item["family"]
    if name not in FAMILIES:
        raise TaskFolderError(f"{place('family')}: there is no family {with_nearest(str(name), FAMILIES)}")
    takes = inspect.signature(FAMILIES[name]).parameters
    for key in item.keys() - {"family"} ^ takes.keys():
        known = f"{'lacks' if key in takes else 'has no'} coefficient {key!r}; it has {', '.join(takes)}"
        raise TaskFolderError(f"{place('family')}: the family {name} {known}")
    return Specimen(name, {key: _value(value, place) for key, value in item.items() if key != "family"})
