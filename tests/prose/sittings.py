"""How long a lesson takes to read and run, and how long a reader goes without a picture."""

from __future__ import annotations

import re
from collections.abc import Iterator

import nbformat

from tests.lessons import asked_in
from tests.prose.lesson import NOT_READ, is_picture, plain, read, sections

WORDS_A_MINUTE = 220
MINUTES_A_CODE_LINE = 4 / 60
MINUTES_A_PREDICTION = 0.75
MINUTES_A_TRIAL = 4.0
LONGEST = 60
"""Minutes of one sitting, at most."""
NEARNESS = 0.25
"""Stated minutes differ from the estimate by no more than this fraction."""
WITHOUT_PICTURE = 600
"""Words that a reader meets in a row, at most, without a picture."""
PICTURE_EACH = ("04", "06", "12")
"""Lessons with a picture in every section."""
STATED = re.compile(r"\*\*Time needed\.\*\* (?:Two sittings, (\d+) and (\d+)|(\d+)) minutes to read and run")
SECOND = "Second sitting"
FRAMES = ("First sitting", SECOND, "Summary", *NOT_READ)


def minutes(cells: list[nbformat.NotebookNode]) -> float:
    """How long a reader needs who runs each cell and answers each question."""
    total = 0.0
    for cell in cells:
        if cell.cell_type == "markdown":
            total += len(plain(cell.source).split()) / WORDS_A_MINUTE
            total += MINUTES_A_TRIAL * cell.source.count("Try it")
        elif asked_in(cell):
            total += MINUTES_A_PREDICTION
        else:
            total += MINUTES_A_CODE_LINE * sum(bool(line.strip()) for line in cell.source.splitlines())
    return total


def stated(cells: list[nbformat.NotebookNode]) -> list[int]:
    """The minutes that a lesson's goals state, one number for each sitting."""
    (found,) = [match for cell in cells if (match := STATED.search(cell.source))]
    return [int(number) for number in found.groups() if number]


def estimated(cells: list[nbformat.NotebookNode]) -> list[float]:
    """The minutes of each sitting, without the sections that are looked up rather than read."""
    parts: list[list[nbformat.NotebookNode]] = [[]]
    for section in sections(cells):
        if section.title.startswith(SECOND):
            parts.append([])
        if section.title not in NOT_READ:
            parts[-1].extend(section.cells)
    return [minutes(part) for part in parts]


def findings(number: str) -> Iterator[str]:
    """What a lesson's minutes and pictures lack, a sentence each."""
    cells = read(number)
    said, needed = stated(cells), estimated(cells)
    if len(said) != len(needed):
        yield f"the goals state {len(said)} sittings, and the headings make {len(needed)}"
    for place, (one, other) in enumerate(zip(said, needed, strict=False), 1):
        if abs(one - other) > NEARNESS * other:
            yield f"sitting {place} states {one} minutes, and needs {other:.0f}"
    for place, other in enumerate(needed, 1):
        if other > LONGEST:
            yield f"sitting {place} needs {other:.0f} minutes, more than {LONGEST}"
    words, where = longest_stretch(cells)
    if words > WITHOUT_PICTURE:
        yield f"{words} words in a row without a picture, up to “{where}”"
    if number in PICTURE_EACH:
        for section in sections(cells):
            if section.title and not section.title.startswith(FRAMES) and not section.has_picture:
                yield f"no picture in “{section.title}”"


def longest_stretch(cells: list[nbformat.NotebookNode]) -> tuple[int, str]:
    """The most words between two pictures, and the section in which they end."""
    longest, words, where = 0, 0, ""
    for section in sections(cells):
        for cell in section.cells if section.title not in NOT_READ else ():
            if is_picture(cell):
                words = 0
            elif cell.cell_type == "markdown":
                words += len(plain(cell.source).split())
            if words > longest:
                longest, where = words, section.title
    return longest, where
