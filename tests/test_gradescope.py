"""One submission graded as Gradescope would have it: the class's points, and a results.json as documented."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from unittest import mock

import jsonschema
import pytest

from autograder import command_line
from autograder.exports import one_submission
from autograder.exports.results_json import TaskScore, results_json
from autograder.supervisor.tiers import Tier
from tests.depth import proof
from tests.sample_class import EXERCISE, Student, sample_class
from tests.submissions import COURSE, as_bytes, released, solved


def test_results_that_gradescope_does_not_document_are_refused() -> None:
    assert results_json("e", [TaskScore("t", 1.5, 3, "said")])["tests"][0]["score"] == 1.5
    with pytest.raises(jsonschema.ValidationError):
        results_json("e", [], visibility="sometimes")
    with pytest.raises(jsonschema.ValidationError):
        results_json("e", [TaskScore("t", 1, 3, "said", section=5)])


def gradescope(folder: Path, notebook: bytes | None, name: str = "mine (1).ipynb", **options: str) -> dict:
    """Grade one submission in this process; the results."""
    (folder / "submission").mkdir(exist_ok=True)
    if notebook is not None:
        (folder / "submission" / name).write_bytes(notebook)
    parser = argparse.ArgumentParser()
    one_submission.add_arguments(parser)
    given = {"submission": folder / "submission", "results": folder / "results.json", "seed": folder, **options}
    arguments = [EXERCISE, *(f"--{key}={value}" for key, value in given.items()), f"--released={COURSE / 'exercises'}"]
    assert one_submission.grade_submission(parser.parse_args(arguments)) == 0
    return json.loads((folder / "results.json").read_text())


QUICK = {
    "everything right",
    "untouched",
    "typical mistakes",
    "grade cells deleted, doubled and edited, points raised, an unknown schema version",
    "cells missing: a whole task is gone",
    "not valid JSON",
    "another kernel",
}


@pytest.mark.parametrize(
    "student", [one for one in sample_class() if one.situation in QUICK], ids=lambda one: one.situation
)
def test_one_submission_gets_in_gradescope_what_it_gets_in_a_class(student: Student, tmp_path: Path) -> None:
    made = gradescope(tmp_path, student.raw)
    assert {test["name"]: test["score"] for test in made["tests"]} == student.points
    assert made["score"] == sum(student.points.values())


def test_gradescope_takes_one_notebook_and_follows_no_link(tmp_path: Path) -> None:
    made = gradescope(tmp_path, None)
    assert made["score"] == 0
    assert made["output"] == f"The submission holds no notebook: hand in {EXERCISE}.ipynb and no other."
    (tmp_path / "elsewhere.ipynb").write_bytes(as_bytes(solved(EXERCISE)))
    (tmp_path / "submission" / "link.ipynb").symlink_to(tmp_path / "elsewhere.ipynb")
    assert gradescope(tmp_path, None)["output"].startswith("The submitted notebook is a link.")
    made = gradescope(tmp_path, as_bytes(released(EXERCISE)))
    assert "holds 2 notebooks" in made["output"]
    assert gradescope(tmp_path, as_bytes(solved(EXERCISE)), f"{EXERCISE}.ipynb")["score"] == 30


@proof
def test_the_container_as_gradescope_lays_it_out(tmp_path: Path) -> None:
    """What is packed, unpacked and run with nothing in the environment; Gradescope itself is not here."""
    done = subprocess.run(
        [COURSE / "docs" / "gradescope" / "pack", EXERCISE], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    root = tmp_path / "autograder"
    with zipfile.ZipFile(done.stdout.strip()) as archive:
        archive.extractall(root / "source")
        modes = {entry.filename: entry.external_attr >> 16 & 0o777 for entry in archive.infolist()}
    assert modes["run_autograder"] & 0o100
    assert modes["secret_seed"] == 0o600
    assert subprocess.run(["bash", "-n", root / "source" / "setup.sh"], check=False).returncode == 0
    (root / "submission").mkdir()
    (root / "submission" / "answer.ipynb").write_bytes(as_bytes(solved(EXERCISE, path_sum="import os\nos._exit(3)\n")))
    (root / "venv").mkdir()
    (root / "venv" / "bin").symlink_to(Path(sys.executable).parent)
    clean = {"PATH": "/usr/bin:/bin", "GRADESCOPE_ROOT": str(root), "PYTHONPATH": str(root / "source" / "course")}
    script = root / "source" / "run_autograder"
    done = subprocess.run(["bash", script], env=clean | {"TIER": "c"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    made = json.loads((root / "results" / "results.json").read_text())
    assert made["score"] == 26
    assert made["tests"][3]["status"] == "failed"
    assert "path_sum" in made["tests"][3]["output"]


def test_gradescope_grades_nothing_below_the_tier_that_is_required(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    with mock.patch.object(one_submission, "tier_in_use", return_value=Tier.PROCESS):
        assert command_line.main(["gradescope", EXERCISE, f"--results={tmp_path / 'r.json'}"]) == 2
    assert "tier b is required and tier c is what there is" in capsys.readouterr().err
    assert not (tmp_path / "r.json").exists()
