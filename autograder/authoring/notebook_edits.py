"""Write cells that were edited in JupyterLab back to the files from which the notebook is generated."""

from __future__ import annotations

from pathlib import Path

from nbformat import NotebookNode

from autograder.authoring.exercise_notebook import (
    AFTER,
    NEXT_CELL,
    RULES,
    cell_id,
    derived_words,
    digest,
    edited_cells,
    generate_notebook,
    heading,
    parsed,
)
from autograder.checks.catalogue import tasks_of
from autograder.checks.task import Task
from autograder.tasks.folders import known_exercise
from autograder.tasks.tables import TaskFolderError

OPENING = ("title", "how-it-works")


def read_back(exercise: str, force: bool = False) -> list[Path]:
    """Write the edited cells of an exercise's notebook back to their files.

    Args:
        exercise: "01_doubling".
        force: overwrite files that were changed since the notebook was generated.

    Returns:
        The files that were changed.

    Raises:
        TaskFolderError: if a generated cell was edited, a cell is missing, or both a cell and its file were changed; no
            file is written then.
    """
    now, folder, tasks = generate_notebook(exercise), known_exercise(exercise).path, tasks_of(exercise)
    path = folder.parent / f"{exercise}.ipynb"
    if not path.exists():
        raise TaskFolderError(f"there is no {path}: `autograder notebook {exercise}` makes it")
    notebook = parsed(path)
    anew = {cell.id: digest(cell) for cell in now.cells}
    if gone := anew.keys() - {cell.get("id") for cell in notebook.cells} - {f"try-{cell_id(name)}" for name in tasks}:
        raise TaskFolderError(f"{path} lacks the cell {min(gone)}")
    made_from = notebook.metadata.get("made_from", {})
    files = _files(tasks, folder)
    edits: dict[Path, dict[str, str]] = {}
    for name, cell in edited_cells(notebook, now).items():
        if name not in files:
            raise TaskFolderError(f"{path}: {_derived(name, cell, now, tasks)}")
        if made_from.get(name, anew.get(name)) != anew.get(name) and not force:
            raise TaskFolderError(
                f"{files[name]} was changed after {path} was made, and so was the cell {name}: `--force` writes the "
                "cell over the file"
            )
        edits.setdefault(files[name], {})[name] = cell.source.rstrip()
    texts = {file: _text(file, cells, now, tasks, path) for file, cells in edits.items()}  # all, before any is written
    for file, text in texts.items():
        file.write_text(f"{text.rstrip()}\n", encoding="utf-8")
    return list(texts)


def _files(tasks: dict[str, Task], folder: Path) -> dict[str, Path]:
    """Return the file that holds the text of each cell, by the cell's id; generated cells have none."""
    found = dict.fromkeys(OPENING, folder / "opening.md") | {"what-next": folder / "closing.md"}
    for name, task in tasks.items():
        for prefix, file in (("about", "statement.md"), ("solve", "solution.py"), ("try", AFTER)):
            found[f"{prefix}-{cell_id(name)}"] = task.folder / file
    return found


def _text(file: Path, cells: dict[str, str], now: NotebookNode, tasks: dict[str, Task], path: Path) -> str:
    """Compose a file's text from its cells: the opening gets its placeholders back, a statement loses its heading."""
    if file.name == "opening.md":
        title, how = (cells.get(cell.id, cell.source) for cell in now.cells[:2])
        for name, said in derived_words(tasks.values(), known_exercise(path.stem).explaining).items():
            title = title.replace(said, f"{{{name}}}")
        how = how.replace(RULES.read_text(encoding="utf-8").rstrip(), "{rules}")
        return f"{title}\n{NEXT_CELL}\n{how}"
    (text,), (cell,) = cells.values(), cells
    if file.name == "statement.md":
        head = heading(tasks[file.parent.name])
        if not text.startswith(head):
            raise TaskFolderError(f"{path}: the first lines of the cell {cell} follow from the task: {head!r}")
        return text.removeprefix(head)
    return text


def _derived(name: str, cell: NotebookNode, now: NotebookNode, tasks: dict[str, Task]) -> str:
    """Explain why an edit of a cell cannot be written back."""
    before = next((one for one in now.cells if one.id == name), None)
    if before is None:
        return f"the cell {name or 'without an id'} belongs to no file; delete it, or write it into {AFTER} of a task"
    task = next((task for task in tasks.values() if name == f"check-{cell_id(task.name)}"), None)
    if task is not None and before.source == cell.source.rstrip():
        points = f"{cell.metadata.nbgrader.get('points', 0):g} points, and {task.points:g} by its checks"
        return f"the cell {name} has {points}: change points= in {task.folder / 'task.py'}"
    return f"the cell {name} is made anew each time, and cannot be edited there"
