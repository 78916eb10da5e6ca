"""A lesson as a reader meets it: its sections, words, code, pictures and predictions."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat

from tests.lessons import asked_in
from tests.submissions import COURSE

LESSONS = COURSE / "lessons"
CODE_BLOCK = re.compile(r"```.*?```|<!--.*?-->", re.DOTALL)
TAG_OR_TARGET = re.compile(r"<[^<>]*>|\]\([^)]*\)|https?://\S+")
MATHS = re.compile(r"\$\$.*?\$\$|\$[^$\n]+\$", re.DOTALL)
CODE = re.compile(r"`[^`]*`")
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
PICTURE = re.compile(r"\b(?:draw|figure|step_through)\(|\bpictures\.\w+\(")
NOT_READ = ("Further reading", "Your predictions")
"""Sections that a reader looks things up in and does not read."""


@dataclasses.dataclass
class Section:
    """The cells under one heading of the second level, which is in the first of them."""

    title: str
    cells: list[nbformat.NotebookNode]

    @property
    def words(self) -> int:
        return sum(len(plain(cell.source).split()) for cell in self.cells if cell.cell_type == "markdown")

    @property
    def has_picture(self) -> bool:
        return any(is_picture(cell) for cell in self.cells)


def path_of(number: str) -> Path:
    """The notebook of the lesson with this number."""
    (path,) = LESSONS.glob(f"{number}_*.ipynb")
    return path


def read(number: str) -> list[nbformat.NotebookNode]:
    """The cells of the lesson with this number."""
    return nbformat.read(path_of(number), as_version=4).cells


def sections(cells: list[nbformat.NotebookNode]) -> Iterator[Section]:
    """Split a lesson at its headings of the second level; what comes before them is the opening."""
    section = Section("", [])
    for cell in cells:
        if cell.cell_type == "markdown" and (found := HEADING.search(cell.source)):
            yield section
            section = Section(found[1].strip(), [])
        section.cells.append(cell)
    yield section


def plain(markdown: str) -> str:
    """Markdown without code blocks, tags, links' targets and comments."""
    return TAG_OR_TARGET.sub(" ", CODE_BLOCK.sub(" ", markdown))


def is_picture(cell: nbformat.NotebookNode) -> bool:
    """Whether a code cell draws."""
    return cell.cell_type == "code" and PICTURE.search(cell.source) is not None


def answering(cells: list[nbformat.NotebookNode]) -> Iterator[tuple[str, list[nbformat.NotebookNode]]]:
    """Each prediction of a lesson, with the cells of code that show its answer: all up to the next text."""
    for place, cell in enumerate(cells):
        if name := asked_in(cell):
            showing = []
            for later in cells[place + 1 :]:
                if later.cell_type != "code" or asked_in(later):
                    break
                showing.append(later)
            yield name, showing
