"""Read a course's TOML files strictly: only known keys, values of the right type, errors with the line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Kinds = Mapping[str, type]
"""The keys of a table, each with the type of its value."""
CALLED = {int: "a number", float: "a number", str: "a text", list: "a list", dict: "a table"}


class TaskFolderError(ValueError):
    """A task folder cannot be used; the message names the file and, if there is one, the line."""


def read_toml(file: Path) -> tuple[dict[str, Any], str]:
    """Read a TOML file; return its contents and its text.

    Raises:
        TaskFolderError: if it is missing or is not TOML.
    """
    try:
        text = file.read_text(encoding="utf-8")
        return tomllib.loads(text), text
    except FileNotFoundError:
        raise TaskFolderError(f"{file.parent} lacks {file.name}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TaskFolderError(f"{file}: {error}") from None


def read_table(file: Path, keys: Kinds, optional: Kinds | None = None) -> dict[str, Any]:
    """Read a TOML file that has these keys and no others.

    Args:
        file: the file to read.
        keys: required keys, each with the type of its value.
        optional: allowed keys.

    Raises:
        TaskFolderError: if it is missing, malformed, or has other keys or types; the message names the line.
    """
    given, text = read_toml(file)
    check_keys(given, file, text, keys, optional or {})
    return given


def read_tables(
    file: Path, name: str, keys: Kinds, optional: Kinds | None = None
) -> tuple[list[dict[str, Any]], list[int], str]:
    """Read a TOML file that holds an array of tables, such as `[[case]]`, and nothing else.

    Args:
        file, keys, optional: as in `read_table`, for each of the tables.
        name: name of the array.

    Returns:
        The tables, the line on which each begins, and the file's text.

    Raises:
        TaskFolderError: as `read_table`.
    """
    given, text = read_toml(file)
    check_keys(given, file, text, {}, {name: list})
    tables = given.get(name, [])
    heads = re.finditer(rf"^\s*\[\[\s*{name}\s*\]\]", text, re.MULTILINE)
    lines = [text.count("\n", 0, head.end()) + 1 for head in heads]
    if len(lines) != len(tables) or not all(isinstance(table, dict) for table in tables):
        raise TaskFolderError(f"{file}: each {name} begins with a line [[{name}]]")
    for table, line in zip(tables, lines, strict=True):
        check_keys(table, file, text, keys, optional or {}, line)
    return tables, lines, text


def line_of(key: str, text: str, after: int = 1) -> int:
    """Return the first line of a TOML text that has a key, counted from 1; `after` if none has.

    Args:
        key: the key to find.
        text: the file's text.
        after: the line at which to begin.
    """
    start = sum(map(len, text.splitlines(keepends=True)[: after - 1]))
    found = re.search(rf"(?:^|[{{,.\[\s])[\"']?{re.escape(key)}[\"']?\s*[.=\]]", text[start:], re.MULTILINE)
    return text.count("\n", 0, start + found.end()) + 1 if found else after


def check_keys(given: dict[str, Any], file: Path, text: str, keys: Kinds, optional: Kinds, line: int = 1) -> None:
    """Check that a table has these keys and no others.

    Args:
        given: the table.
        file, text: what it was read from.
        keys, optional: as in `read_table`.
        line: the line on which the table begins.

    Raises:
        TaskFolderError: if it has other keys or types.
    """
    kinds = {**keys, **optional}
    for key, value in given.items():
        where = f"{file}, line {line_of(key, text, line)}"
        if key not in kinds:
            raise TaskFolderError(f"{where}: unknown key {key!r}; the keys are {', '.join(kinds)}")
        if not isinstance(value, kinds[key]):
            raise TaskFolderError(f"{where}: {key} is not {CALLED[kinds[key]]}")
    for key in keys:
        if key not in given:
            begins = f", line {line}" if line > 1 else ""
            raise TaskFolderError(f"{file}{begins} lacks the key {key}")
