"""Which version of a notebook a copy was made from, whether it was worked on, and the same answers in a newer one."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
import uuid
from collections.abc import Collection
from typing import Any

from nbformat import from_dict

from autograder.notebooks.reading import UnreadableNotebookError, read_submission

ORIGIN = "lesson_digest"
"""In the metadata of a lesson's copy: the digest of the cells that it was made from."""
OURS = "autograder"

Notebook = dict[str, Any]


def version_of(raw: bytes) -> str:
    """Return the version that a released exercise states; empty without one."""
    version = _about(_parsed(raw)).get("version")
    return str(version) if isinstance(version, int) else ""


def is_notebook(raw: bytes) -> bool:
    """Return whether a file can be read as a notebook."""
    return bool(_parsed(raw))


def is_begun(raw: bytes) -> bool:
    """Return whether an exercise holds answers: solution cells that are not as they were released."""
    notebook = _parsed(raw)
    return bool(notebook) and any(_is_worked_on(cell) for cells, _ in _answers(notebook).values() for cell in cells)


def lacks_answers(copy: bytes | None, original: bytes) -> bool:
    """Return whether an exercise in the course's folder holds answers that its copy does not."""
    notebook = _parsed(original)
    there = {_text(cell) for cell in _parsed(copy or b"").get("cells", [])}
    answers = [cell for cells, _ in _answers(notebook).values() for cell in cells] if notebook else []
    return any(_text(cell) not in there and _is_worked_on(cell) for cell in answers)


def is_newer(original: bytes, copy: bytes | None) -> bool:
    """Return whether the course's notebook is another version than the one that a copy was made from.

    An exercise is recognised by its locked cells and their points; a lesson by the digest that its copy carries. A copy
    that cannot be read, or a lesson that carries none, is left alone.
    """
    ours, theirs = _parsed(original), _parsed(copy or b"")
    if not theirs:
        return False
    if ORIGIN in _about(ours):
        made_from = _about(theirs).get(ORIGIN)
        return made_from is not None and bool(made_from != _about(ours)[ORIGIN])
    return _locked(ours) != _locked(theirs)


def lesson_copy(raw: bytes, renamed: dict[str, str], gone: Collection[str] = ()) -> bytes:
    """Make the copy of a lesson, which leads to the copies of the exercises and knows what it was made from.

    Args:
        raw: the lesson.
        renamed: for each address that a lesson may link to, without ".ipynb", what is appended to it.
        gone: how the addresses begin that lead nowhere here; only the text of such a link stays.
    """
    lesson = _parsed(raw)
    cells = lesson.get("cells", [])
    digest = hashlib.sha256(json.dumps([_text(cell) for cell in cells]).encode()).hexdigest()[:16]
    lesson.setdefault("metadata", {}).setdefault(OURS, {})[ORIGIN] = digest
    for cell in cells:
        if cell.get("cell_type") == "markdown":
            text = _text(cell)
            for address, more in renamed.items():
                text = text.replace(f"]({address}.ipynb", f"]({address}{more}.ipynb")
            for address in gone:
                text = re.sub(rf"\[([^\]]*)\]\({re.escape(address)}[^)]*\)", r"\1", text)
            cell["source"] = text.splitlines(keepends=True)
    return _written(lesson)


@dataclasses.dataclass(frozen=True)
class Taken:
    """What became of the answers to tasks that are not as they were.

    Attributes:
        changed: tasks with another text now; their answers came along.
        gone: tasks that the newer version does not have.
    """

    changed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


def with_answers(original: bytes, copy: bytes) -> tuple[bytes, Taken]:
    """Put the answers of an earlier copy, and the cells that its author added, into a newer version of an exercise.

    Where an answer is several cells, which JupyterLab's Split Cell and a copied cell make, the first that was worked on
    goes into the cell for the answer, and the others follow it.

    Args:
        original: the newer version.
        copy: the earlier copy; that of a lesson has no answers, and a file that is no notebook neither.

    Returns:
        The newer version with the answers, and which of them somebody should look at.
    """
    new, old = _parsed(original), _parsed(copy)
    if ORIGIN in _about(new) or not old:
        return original, Taken()
    now = _answers(new)
    every = {name: (list(filter(_is_worked_on, cells)), task) for name, (cells, task) in _answers(old).items()}
    before = {name: (cells, task) for name, (cells, task) in every.items() if cells}
    for name in before.keys() & now.keys():
        now[name][0][0]["source"] = before[name][0][0]["source"]
    further = {id(cell) for name, (cells, _) in before.items() if name in now for cell in cells[1:]}
    after = ""
    added: dict[str, list[Notebook]] = {}
    for cell in old["cells"]:
        if name := _marks(cell).get("grade_id", ""):
            after = name
            if id(cell) in further:
                added.setdefault(after, []).append(_without_outputs(cell | {"metadata": {}}))
        else:
            added.setdefault(after, []).append(_without_outputs(cell))
    places = {_marks(cell).get("grade_id", "") for cell in new["cells"]}
    cells = added.pop("", [])
    for cell in new["cells"]:
        cells += [cell, *added.pop(_marks(cell).get("grade_id", ""), [])]
    cells += [cell for name, several in added.items() if name not in places for cell in several]
    new["cells"] = _with_own_ids(cells)
    changed = tuple(name for name, (_, task) in before.items() if name in now and now[name][1] != task)
    return _written(new), Taken(changed, tuple(name for name in before if name not in now))


def _answers(notebook: Notebook) -> dict[str, tuple[list[Notebook], str]]:
    """Return the solution cells of each name, with the text of the locked cell above them: the task."""
    found, above = dict[str, tuple[list[Notebook], str]](), ""
    for cell in notebook["cells"]:
        marks = _marks(cell)
        if marks.get("solution") and marks.get("grade_id"):
            found.setdefault(marks["grade_id"], ([], above))[0].append(cell)
        elif marks.get("locked"):
            above = _text(cell)
    return found


def _is_worked_on(cell: Notebook) -> bool:
    """Return whether a solution cell is not as it was released, by the checksum that it was released with."""
    from nbgrader.utils import compute_checksum  # here, because it takes a second

    released = _marks(cell).get("checksum")
    return released is not None and released != compute_checksum(from_dict(cell | {"source": _text(cell)}))


def _locked(notebook: Notebook) -> list[tuple[str, str, Any]]:
    cells = [(cell, _marks(cell)) for cell in notebook["cells"]]
    return [(marks["grade_id"], _text(cell), marks.get("points")) for cell, marks in cells if marks.get("locked")]


def _parsed(raw: bytes) -> Notebook:
    """Return a notebook whose cells are well-formed, as it stands in its file; empty if it is none."""
    try:
        read_submission(raw)
        notebook = json.loads(raw.decode("utf-8-sig"))
    except (UnreadableNotebookError, ValueError):
        return {}
    fits = isinstance(notebook.get("cells"), list) and isinstance(notebook.get("metadata"), dict)
    return notebook if fits and all(isinstance(cell, dict) for cell in notebook["cells"]) else {}


def _about(notebook: Notebook) -> dict[str, Any]:
    about = notebook.get("metadata", {}).get(OURS)
    return about if isinstance(about, dict) else {}


def _marks(cell: Notebook) -> dict[str, Any]:
    """Return nbgrader's metadata of a cell; empty for a cell that its author added."""
    marks = cell.get("metadata", {}).get("nbgrader") if isinstance(cell.get("metadata"), dict) else None
    return marks if isinstance(marks, dict) and isinstance(marks.get("grade_id"), str) else {}


def _text(cell: Notebook) -> str:
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(map(str, source))


def _without_outputs(cell: Notebook) -> Notebook:
    return cell | ({"outputs": [], "execution_count": None} if cell.get("cell_type") == "code" else {})


def _with_own_ids(cells: list[Notebook]) -> list[Notebook]:
    """Give a cell that has another's id one of its own."""
    seen: set[str] = set()
    for cell in cells:
        if str(cell.get("id")) in seen:
            cell["id"] = uuid.uuid4().hex[:8]
        seen.add(str(cell.get("id")))
    return cells


def _written(notebook: Notebook) -> bytes:
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode(errors="replace")
