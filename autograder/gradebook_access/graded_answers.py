"""The answers for which points were given by hand, as digests in a table of their own in the gradebook's database.

As they are in the database, a backup restores them together with the points.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.api import Gradebook
from sqlalchemy import Column, Connection, MetaData, String, Table, Text, bindparam, delete, insert, inspect, select
from sqlalchemy.schema import CreateTable

from autograder.notebooks.grade_cells import GRADE_ID

GRADED = Table(
    "autograder_graded_answers",
    MetaData(),
    Column("notebook_id", String(32), primary_key=True),
    Column("answers", Text, nullable=False),
)
"""One row per submitted notebook of nbgrader's: its `GradedAnswers` as JSON."""
AT_A_TIME = 500
"""Notebooks named in one query, because a database limits its parameters."""
GradedAnswers = dict[str, list[Any]]
"""For each graded cell, by grade_id: a digest of its answer, and the points that the cell was worth."""


def answers(nb: NotebookNode) -> dict[str, tuple[str, float]]:
    """Return for each graded cell of a notebook a digest of what it grades, and the points that it is worth.

    A cell grades the answer of the same name, or all answers if none has its name, and the code cells that the
    student added.
    """
    unreadable = nb.metadata.get("autograder", {}).get("unreadable")  # the released notebook then stands in for it
    own = [cell for cell in nb.cells if "nbgrader" not in cell.metadata]
    solutions = {cell.metadata.nbgrader["grade_id"]: cell for cell in nb.cells if utils.is_solution(cell)}
    found = {}
    for cell in nb.cells:
        if not (utils.is_grade(cell) or utils.is_task(cell)):
            continue
        name = cell.metadata.nbgrader["grade_id"]
        if utils.is_task(cell):  # a task's answer may be in any cell
            judged = [*solutions.values(), *own]
        else:
            answer = solutions.get(name) or solutions.get(name.removeprefix(GRADE_ID))
            judged = [answer] if answer is not None else list(solutions.values())
            judged += [one for one in own if one.cell_type == "code"]
        text = json.dumps([one.source for one in judged] if unreadable is None else {"unreadable": unreadable})
        found[name] = hashlib.sha256(text.encode()).hexdigest()[:32], float(cell.metadata.nbgrader["points"])
    return found


def _table(gradebook: Gradebook) -> Connection:
    """Return the connection of the open transaction, after creating the table if it is missing."""
    connection: Connection = gradebook.db.connection()
    if not inspect(connection).has_table(GRADED.name):
        connection.execute(CreateTable(GRADED, if_not_exists=True))
    return connection


class KeptAnswers:
    """Reader of the answers for which points were given by hand; does not create the table."""

    def __init__(self, gradebook: Gradebook) -> None:
        self._gradebook = gradebook
        self._there = inspect(gradebook.db.connection()).has_table(GRADED.name)

    def of(self, notebook: str) -> GradedAnswers:
        """Read the answers kept for a submitted notebook; empty if there are none.

        Args:
            notebook: nbgrader's id of the submitted notebook.
        """
        return self.of_all([notebook]).get(notebook, {})

    def of_all(self, notebooks: Iterable[str]) -> dict[str, GradedAnswers]:
        """Read the answers kept for submitted notebooks, by nbgrader's ids; those without any are left out."""
        found, wanted = dict[str, GradedAnswers](), list(notebooks) if self._there else []
        for first in range(0, len(wanted), AT_A_TIME):
            some = GRADED.c.notebook_id.in_(wanted[first : first + AT_A_TIME])
            rows = self._gradebook.db.execute(select(GRADED.c.notebook_id, GRADED.c.answers).where(some))
            found |= {notebook: json.loads(text) for notebook, text in rows}
        return found


def keep_answers(gradebook: Gradebook, kept: Mapping[str, GradedAnswers]) -> None:
    """Store the answers for which points by hand are given from now on, by submitted notebook; the caller commits."""
    connection, where = _table(gradebook), GRADED.c.notebook_id == bindparam("notebook")
    if kept:
        connection.execute(delete(GRADED).where(where), [{"notebook": notebook} for notebook in kept])
        rows = [{"notebook_id": notebook, "answers": json.dumps(answers)} for notebook, answers in kept.items()]
        connection.execute(insert(GRADED), rows)


def forget_answers(gradebook: Gradebook, notebooks: list[str]) -> None:
    """Delete the answers kept for submitted notebooks, given by nbgrader's ids."""
    _table(gradebook).execute(delete(GRADED).where(GRADED.c.notebook_id.in_(notebooks)))
    gradebook.db.commit()
