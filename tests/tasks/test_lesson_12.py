"""Lesson 12 where TensorFlow and JAX are missing; tests/twins.py runs it with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.depth import proof
from tests.lessons import executed, outputs_are_fit_to_read, said

pytestmark = proof


@pytest.mark.parametrize("missing", ["tensorflow", "jax"])
def test_without_the_extra_the_lesson_says_once_what_to_install(missing: str, tmp_path: Path) -> None:
    (tmp_path / f"{missing}.py").write_text(f"raise ModuleNotFoundError('No module', name='{missing}')\n")
    notebook = executed("12_twins", tmp_path, PYTHONPATH=str(tmp_path))
    outputs_are_fit_to_read(notebook)
    texts = said(notebook)
    assert texts["imports"].endswith("open this notebook with `.venv-twins/bin/jupyter lab`.\n")
    assert "is not installed here" in texts["imports"]
    assert "run `make twins` in the course's folder" in texts["imports"]
    assert texts["imports"].count("\n") == 1
    assert "make twins" not in "".join(text for name, text in texts.items() if name != "imports")
    assert "   PyTorch   d_a_x   12  d_a_w   18  d_a_b   15  d_a_u    6  d_a_v    3\n" in texts["same-run"]
    assert texts["vector-pytorch"] == (
        "PyTorch:  RuntimeError: grad can be implicitly created only for scalar outputs\n"
    )
