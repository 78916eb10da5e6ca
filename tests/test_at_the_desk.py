"""What helps a student at the desk does nothing where the notebook is graded, and costs nothing."""

from __future__ import annotations

import autograder
from tests.sandboxes import said, sandbox


def test_a_notebook_that_imports_everything_runs_in_a_sandbox() -> None:
    names = ", ".join(sorted(autograder.__all__))
    calls = "\n".join(f"{name}('x', 'b', sure=2)" for name in sorted(autograder.AT_DESK))
    with sandbox() as process:
        lines = said(process, f"from autograder import {names}\n{calls}").splitlines()
    assert lines == [
        f"{name}() helps at your desk; where the notebook is graded, it shows nothing."
        for name in sorted(autograder.AT_DESK)
    ]
