"""nbgrader's step that repairs a submission's cells from the gradebook before any other; never raises.

It replaces four steps of nbgrader's own, each of which one malformed cell can make fail for the whole class.
"""

from __future__ import annotations

import json
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.gradebook_access.deals import cells_of_student, dealt_versions
from autograder.gradebook_access.handed_out_cells import releases
from autograder.gradebook_access.known_cells import exercise_digest, known_cells
from autograder.gradebook_access.repairs import repair
from autograder.grader.fingerprint import written
from autograder.grader.provenance import PROVENANCE, provenance
from autograder.notebooks.notes import KEY, note_versions
from autograder.tasks.dealing import disagreement, versions_in


class Repair(NbGraderPreprocessor):
    """The step that gives cells the gradebook's metadata, and locked cells also its source.

    The last copy of a duplicated cell counts, as in nbgrader. Deleted grade cells are restored at the end. Cells with
    an unknown grade_id become plain ones.
    """

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Repair the cells of one notebook."""
        names = resources["nbgrader"]
        with Gradebook(names["db_url"]) as gradebook:
            source = gradebook.find_notebook(names["notebook"], names["assignment"])
            known = known_cells(source)
            if source.kernelspec:
                nb.metadata["kernelspec"] = json.loads(source.kernelspec)
        course = self.parent.parent.coursedir
        versions = dealt_versions(course, names["assignment"], names["notebook"], names["student"])
        unreadable = "unreadable" in nb.metadata.get(KEY, {})
        if not unreadable and (said := disagreement(versions_in(nb.cells, names["notebook"]), versions)):
            note_versions(nb, said)
            self.log.warning("Not the versions that were dealt to its author, in which it is graded: %s", said)
        exercise, known = exercise_digest(known), cells_of_student(known, names["notebook"], versions)
        handed_out = releases(course, names["assignment"], names["notebook"])
        repaired = repair(nb, known, handed_out)
        about = nb.metadata.setdefault("autograder", {})
        about["written"], about["exercise"] = written(nb.cells), exercise
        about[PROVENANCE] = provenance(names["notebook"])
        if repaired.tampered:
            self.log.warning("Repaired cells: %s", ", ".join(repaired.tampered))
            about["repaired"] = repaired.tampered
        if repaired.updated:
            self.log.info("Cells of another release, brought to this one: %s", ", ".join(repaired.updated))
        return nb, resources
