"""What every prediction of a course needs: an entry in its lesson's table, and a cell that asks it where it stands."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import nbformat

from autograder.lesson_predictions.table import CONCEPTS, FOLDER, read_lesson
from autograder.tasks.tables import read_toml
from tests.lessons import asked_in

FOLDED = "<details><summary>Answer"
"""How a text begins that answers in words, where the code that follows would give the answer away."""
ASKS = re.compile(r"\*\*Predict before you run[.:]\*\*")


def problems(lessons: Path) -> list[str]:
    """What is wrong with a course's predictions, in sentences; each table is read as strictly as the engine does."""
    concepts = tuple(read_toml(lessons / FOLDER / CONCEPTS)[0])
    found, names = [], Counter[str]()
    for path in sorted(lessons.glob("*.ipynb")):
        table = lessons / FOLDER / f"{path.stem}.toml"
        entries = [one.name for one in read_lesson(table, concepts)] if table.exists() else []
        names.update(entries)
        found += [f"{path.stem}: {one}" for one in _of_lesson(nbformat.read(path, as_version=4).cells, entries)]
    tables = {table.stem for table in (lessons / FOLDER).glob("*.toml") if table.name != CONCEPTS}
    found += [
        f"{name}: there is no such lesson" for name in sorted(tables - {one.stem for one in lessons.glob("*.ipynb")})
    ]
    return found + [f"{name} is the name of {count} predictions" for name, count in names.items() if count > 1]


def _of_lesson(cells: list[nbformat.NotebookNode], entries: list[str]) -> list[str]:
    found = []
    asking = {cell.id for cell in cells if cell.cell_type == "markdown" and ASKS.search(cell.source)}
    for cell, following, shows in zip(cells, [*cells[1:], None], [*cells[2:], None, None], strict=True):
        if cell.id in asking and cell.id not in entries:
            found.append(f"{cell.id} asks, and has no entry in the table")
        if cell.id in entries and (following is None or asked_in(following) != cell.id):
            found.append(f'{cell.id} is not followed by a cell predict("{cell.id}")')
        elif cell.id in entries and not (shows and (shows.cell_type == "code" or shows.source.startswith(FOLDED))):
            found.append(f"{cell.id}: neither code nor a folded answer below it shows the answer")
    found += [f"{name} has an entry, and no cell says **Predict before you run.**" for name in {*entries} - asking]
    asked = Counter(filter(None, map(asked_in, cells)))
    found += [f"{name} is asked {count} times" for name, count in asked.items() if count > 1]
    return found + [f"{name} is asked, and has no entry" for name in asked if name not in entries]
