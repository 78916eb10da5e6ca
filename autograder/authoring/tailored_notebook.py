"""Tailor an instructor's notebook to a course file: leave out tasks, rearrange them, and give them other points.

The notebook is taken as it stands in its file, so that edits by hand, and cells that an instructor added, stay. Nothing
here imports a task, because nbgrader's formgrader makes notebooks inside the Jupyter server.
"""

from __future__ import annotations

import dataclasses
import math
import re

from nbformat import NotebookNode

from autograder.authoring.exercise_notebook import (
    OWN_PROGRAM,
    POINTS_IN_LINE,
    POINTS_LINE,
    explaining_cells,
    points_in_words,
    title_and_rest,
)
from autograder.notebooks.grade_cells import GRADE_ID
from autograder.tasks.folders import ExerciseFolder
from autograder.tasks.tables import TaskFolderError

ENDING = (*OWN_PROGRAM, "about_from_clean", "from_clean", "what_next")
"""The first of these cells ends the last task's cells."""
DECIMALS = 2
"""Of the points of a single check, if its task has other points; the checks' exact points are not rounded."""


@dataclasses.dataclass
class _Block:
    """The cells of one task."""

    task: str
    cells: list[NotebookNode] = dataclasses.field(default_factory=list)

    def cell(self, name: str) -> NotebookNode | None:
        return next((one for one in self.cells if _name(one) == name), None)

    @property
    def heading(self) -> re.Match[str] | None:
        """The points and the minutes in the task's heading; None if an author has rewritten it."""
        about = self.cell(f"about_{self.task}")
        found = rf"## `{self.task}`\n\n(\d+(?:\.\d+)?) points?( · (\d+) minutes)"
        return None if about is None else re.match(found, about.source)

    @property
    def points(self) -> float:
        cell = self.cell(GRADE_ID + self.task)
        return 0.0 if cell is None else float(cell.metadata.nbgrader.get("points", 0))

    @property
    def minutes(self) -> int:
        return int(self.heading[3]) if self.heading else 0

    def set_points(self, worth: float) -> str:
        """Give the task other points, in its grade cell and its statement; return a remark if a text lacks them."""
        before, heading = self.points, self.heading
        if (cell := self.cell(GRADE_ID + self.task)) is None or math.isclose(before, worth):
            return ""
        cell.metadata.nbgrader["points"] = int(worth) if worth == int(worth) else worth
        about = self.cell(f"about_{self.task}")
        if about is None or heading is None:
            return f"the heading of {self.task} was rewritten: see that it names {points_in_words(worth)}"
        rest = about.source[heading.end() :]
        if before:
            rest = POINTS_LINE.sub(lambda line: _scaled(line[0], worth / before), rest, count=1)
        about.source = f"## `{self.task}`\n\n{points_in_words(worth)}{heading[2]}{rest}"
        return ""


def tailor(notebook: NotebookNode, chosen: ExerciseFolder, whole: ExerciseFolder) -> list[str]:
    """Leave out tasks, rearrange the others, give them their points, and ask for an explanation.

    Args:
        notebook: the exercise's notebook with all tasks; changed in place.
        chosen: the exercise as the course file chooses it.
        whole: the exercise with all tasks.

    Returns:
        Remarks for the instructor on texts that do not fit any more.

    Raises:
        TaskFolderError: if the notebook lacks a chosen task.
    """
    before, opening, ending = _divided(notebook, whole.tasks)
    for task in chosen.tasks:
        if task not in before or before[task].cell(GRADE_ID + task) is None:
            raise TaskFolderError(
                f"{whole.path.parent / whole.name}.ipynb lacks the task {task}: run `autograder notebook {whole.name}`"
            )
    title, remarks = title_and_rest(whole, before.values())[0], list[str]()
    after = [before[task] for task in chosen.tasks]
    remarks += filter(None, (before[task].set_points(worth) for task, worth in chosen.points.items()))
    notebook.cells = [*opening, *(cell for block in after for cell in block.cells)]
    notebook.cells += [*explaining_cells(chosen), *(cell for cell in ending if _name(cell) not in OWN_PROGRAM)]
    for cell in opening:
        if _name(cell) == "title":
            if cell.source.strip() == title.strip():
                cell.source = title_and_rest(chosen, after)[0].strip("\n").rstrip()
            else:
                remarks.append("the title was rewritten: see that its tasks, points and time are right")
        elif cell.cell_type == "markdown":  # an example of a call names one of the tasks
            cell.source = re.sub(
                r'\bhint\("(\w+)"\)',
                lambda call: call[0] if call[1] in chosen.tasks else f'hint("{chosen.tasks[0]}")',
                cell.source,
            )
    if chosen.tasks != whole.tasks:
        notebook.metadata.setdefault("autograder", NotebookNode())["tasks"] = list(chosen.tasks)
    return remarks + _mentions(notebook, [task for task in whole.tasks if task not in chosen.tasks])


def _divided(
    notebook: NotebookNode, tasks: tuple[str, ...]
) -> tuple[dict[str, _Block], list[NotebookNode], list[NotebookNode]]:
    """Divide a notebook into the cells of each task, those before the first task, and those after the last."""
    begins = {f"{prefix}{task}": task for task in tasks for prefix in ("about_", "", GRADE_ID)}
    blocks, opening, ending = dict[str, _Block](), list[NotebookNode](), list[NotebookNode]()
    now = opening
    for cell in notebook.cells:
        name = _name(cell)
        if name in ENDING:
            now = ending
        elif name in begins and now is not ending:
            now = blocks.setdefault(begins[name], _Block(begins[name])).cells
        now.append(cell)
    return blocks, opening, ending


def _mentions(notebook: NotebookNode, left_out: list[str]) -> list[str]:
    """Say which texts mention tasks that are left out."""
    return [
        f"the text of the cell {_name(cell) or cell.get('id', '')} mentions {task}, which is left out"
        for cell in notebook.cells
        for task in left_out
        if cell.cell_type == "markdown" and f"`{task}`" in cell.source
    ]


def _scaled(line: str, factor: float) -> str:
    return POINTS_IN_LINE.sub(lambda found: f"{found[1]}{round(float(found[2]) * factor, DECIMALS):g}", line)


def _name(cell: NotebookNode) -> str:
    return str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))
