"""On a page, what answers a prediction stays folded until the reader asks for it, as a cell's output before its run."""

from __future__ import annotations

import nbformat

from autograder.lesson_predictions.lesson_cells import is_asking

FOLDED = "hide-output"
"""myst-nb's tag of a cell whose output a reader unfolds."""
PROMPTS = {"code_prompt_show": "Show what this cell answers", "code_prompt_hide": "Fold the answer"}


def fold(notebook: nbformat.NotebookNode) -> None:
    """Fold the outputs of the code between each prediction and the next text."""
    answering = False
    for cell in notebook.cells:
        if cell.cell_type != "code":
            answering = False
        elif is_asking(cell.source):
            answering = True
        elif answering:
            cell.metadata["tags"] = [*cell.metadata.get("tags", []), FOLDED]
            cell.metadata["mystnb"] = PROMPTS
