"""nbgrader's step with which a student fetches an assignment: the notebook gets the versions of tasks dealt to them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.exchange.default import ExchangeFetchAssignment
from nbgrader.utils import get_username

from autograder.gradebook_access.deals import PUBLISHED
from autograder.notebooks.reading import UnreadableNotebookError, read_submission
from autograder.tasks.dealing import CALL, Deal, deal_cells
from autograder.tasks.folders import exercise_of


class FetchAssignment(ExchangeFetchAssignment):
    """The fetch of an assignment, in which the student's own machine makes the student's cells from the released ones.

    The release says how to deal, which is no secret. Grading deals again from the student's name.
    """

    src_path: str
    dest_path: str

    def copy_files(self) -> None:
        """Fetch the assignment, then deal the notebooks that are new here."""
        super().copy_files()
        published = Path(self.dest_path) / PUBLISHED
        if not published.is_file():
            return
        try:
            data = json.loads(published.read_bytes())
            if not self._is_of_notebooks(data):
                return
            deals = {name: Deal.from_data(one) for name, one in data.items()}
        except ValueError as error:
            self.fail(f"{PUBLISHED} of this release cannot be read ({error}): tell your instructor")
        student = self.coursedir.student_id
        if student == "*":  # nobody has set it, and then the submission will have this name
            student = get_username()
        for name, deal in deals.items():
            _deal(Path(self.dest_path) / f"{Path(name).name}.ipynb", deal.versions(student))
        published.unlink()

    def _is_of_notebooks(self, data: Any) -> bool:
        """Tell whether data are of the release's notebooks; else the file is another one, perhaps another course's."""
        names = {path.stem for path in Path(self.src_path).glob("*.ipynb")}
        return isinstance(data, dict) and bool(data) and data.keys() <= names


def _deal(path: Path, versions: dict[str, int]) -> None:
    """Deal a notebook in its file, unless that was done at an earlier fetch."""
    try:
        read_submission(path.read_bytes())
    except (OSError, UnreadableNotebookError):
        return
    notebook = nbformat.read(path, as_version=4)
    if not any(CALL.search(cell.source) for cell in notebook.cells):
        deal_cells(notebook.cells, exercise_of(path.stem), versions)
        path.write_text(f"{nbformat.writes(notebook)}\n", encoding="utf-8")
