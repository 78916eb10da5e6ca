"""Assignments of the instructor's own, made for nbgrader, get the scores here that stock nbgrader gives."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.depth import exhaustive, proof
from tests.mixed_assignment import CHANGES_DATA, FIRST, MIXED, write_mixed
from tests.own_class import BROKEN, EVERYONE, HONEST, TEST_DELETED
from tests.own_courses import compare
from tests.row_differences import DELETED, READ_ONLY, UNREADABLE, Comparison, rows

MEANT = {CHANGES_DATA: READ_ONLY}
FEW = (HONEST, TEST_DELETED)


def explained(comparison: Comparison) -> set[str]:
    """The reasons for what differs, of which each must have one."""
    assert not comparison.failed
    assert not comparison.unexplained, "\n".join(map(str, comparison.unexplained))
    return {one.why for one in comparison.found}


@proof
def test_one_notebook_gets_stock_nbgraders_scores(tmp_path: Path) -> None:
    found = compare(write_mixed(tmp_path / "source", FIRST), MIXED, tmp_path, FEW, meant=MEANT)
    assert explained(found) == {DELETED, READ_ONLY}
    recorded = rows(tmp_path / "ours", MIXED)
    scores = {row[2]: score for row, score in recorded.items() if row[0] == HONEST and row[3] == "auto_score"}
    assert scores == {
        "test_mean": 2,
        "test_part": 3,
        "test_save": 2.5,
        CHANGES_DATA: 0,
        "test_hidden": 1,
        "test_stderr": 0,
        "test_warning": 0,
        "essay": None,
        "plot": None,
        "paper": None,
    }


@proof
def test_a_whole_class_gets_stock_nbgraders_scores_whoever_grades(tmp_path: Path) -> None:
    found = compare(write_mixed(tmp_path / "source"), MIXED, tmp_path, meant=MEANT, by_nbgrader=True)
    assert explained(found) == {DELETED, READ_ONLY, UNREADABLE}
    assert {row[0] for row in rows(tmp_path / "ours", MIXED)} == set(EVERYONE)


@exhaustive
def test_nbgraders_own_example_gets_stock_nbgraders_scores(tmp_path: Path) -> None:
    subprocess.run(["nbgrader", "quickstart", "course"], cwd=tmp_path, check=True, capture_output=True)
    found = compare(tmp_path / "course" / "source", "ps1", tmp_path)
    assert explained(found) == {DELETED, UNREADABLE}
    assert BROKEN in {one.row[0] for one in found.found}
