"""nbgrader's steps that record what is handed out, when an assignment is generated."""

from __future__ import annotations

from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.gradebook_access.handed_out_cells import marked_cells, record, release_of
from autograder.gradebook_access.known_cells import known_cells


class RecordEarlier(NbGraderPreprocessor):
    """The first step of `nbgrader generate_assignment`: records the earlier release that the gradebook holds."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Record the gradebook's cells before they are replaced."""
        about, converter = resources["nbgrader"], self.parent.parent
        if not converter.no_database:
            with Gradebook(about["db_url"]) as gradebook:
                try:
                    known = known_cells(gradebook.find_notebook(about["notebook"], about["assignment"]))
                except MissingEntry:
                    return nb, resources
            record(converter.coursedir, about["assignment"], about["notebook"], release_of(known.values()))
        return nb, resources


class RecordRelease(NbGraderPreprocessor):
    """A late step of `nbgrader generate_assignment`: records the release that students get."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Record the cells of one notebook."""
        about = resources["nbgrader"]
        record(self.parent.parent.coursedir, about["assignment"], about["notebook"], release_of(marked_cells(nb)))
        return nb, resources
