"""Files beside a notebook that a tool runs where somebody opens the graded copy do not get there."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.notebooks.opening import opened_folder
from autograder.notebooks.submission_files import copy_kept

MODULES = ("ipykernel_launcher.py", "runpy.py", "trio.py", "helpers.py", "zmq/__init__.py", "torch.PY")
"""Names that `python -m`, a kernel or a library looks for in its folder; which ones exist is nobody's to foresee."""
HIDDEN = (".vscode/settings.json", ".devcontainer/devcontainer.json", ".notes.txt", "data/.hidden.csv")


@pytest.mark.parametrize(
    ("names", "why"), [(MODULES, "a file of a kind that is not copied"), (HIDDEN, "a hidden file")], ids=("py", "dot")
)
def test_what_a_tool_runs_is_not_copied(names: tuple[str, ...], why: str, tmp_path: Path) -> None:
    folder, copy = tmp_path / "submission", tmp_path / "copy"
    for name in (*names, "notes.txt"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("text")
    with opened_folder(folder) as descriptor:
        left_out = copy_kept(descriptor, copy)
    assert [str(path.relative_to(copy)) for path in copy.rglob("*") if path.is_file()] == ["notes.txt"]
    assert {str(one.path): one.why for one in left_out} == dict.fromkeys(names, why)
