"""A course of one small lesson with predictions, in a folder of its own, and the record of somebody who reads it."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder import record

MINIATURE = Path(__file__).with_name("miniature")
LESSON = "03_halving"
PREDICTIONS = """[half]
concept = "rules"
ask = "What is `half(6)`?"
choices = ["2", "`3`", "it raises <b>ValueError</b>"]
answer = "`3`"
holds = "half(6) == 3"
why = "`half` divides by 2 & returns a float."

[third]
concept = "signs"
ask = "What is a third of 1?"
number = 0.333333
within = 0.01
holds = "abs(third - 1 / 3) < 1e-9"
why = "1 divided by 3."
"""
CONCEPTS = 'signs = "Signs of things"\nrules = "Rules"\n'
CELLS = (
    ("markdown", "title", "# Halving\n\n## Halves"),
    ("markdown", "half", "Here is a function.\n\n**Predict before you run.** What is half of 6?"),
    ("code", "half-asked", 'predict("half")'),
    ("code", "half-run", "def half(x):\n    return x / 2\n\n\nprint(half(6))\nassert half(6) == 3"),
    ("markdown", "third", "## Thirds\n\n**Predict before you run:** and a third of 1?"),
    ("code", "third-asked", 'predict("third")'),
    ("code", "third-run", "third = 1 / 3\nthird"),
)
FIRST_DAY = datetime(2026, 3, 2, 12, tzinfo=UTC)


def made(folder: Path, predictions: str = PREDICTIONS, concepts: str = CONCEPTS) -> Path:
    """Make the course; returns its folder of exercises, which `AUTOGRADER_COURSE` names."""
    tables = folder / "lessons" / "predictions"
    tables.mkdir(parents=True)
    (tables / f"{LESSON}.toml").write_text(predictions)
    (tables / "concepts.toml").write_text(concepts)
    nbformat.write(lesson(), folder / "lessons" / f"{LESSON}.ipynb")
    shutil.copytree(MINIATURE, folder / "solutions", ignore=shutil.ignore_patterns("__pycache__", ".ruff_cache"))
    return folder / "solutions"


def lesson() -> nbformat.NotebookNode:
    """The lesson's notebook."""
    kinds = {"markdown": new_markdown_cell, "code": new_code_cell}
    python = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return new_notebook(cells=[kinds[kind](source, id=name) for kind, name, source in CELLS], metadata=python)


def noted(which: str, right: bool, day: int = 0, **more: Any) -> dict[str, Any]:
    """An event of the record: an answer given so many days after the first day."""
    answers = {("half", True): "`3`", ("half", False): "2", ("third", True): 1 / 3, ("third", False): 3.0}
    said = {"which": which, "answer": answers.get((which, right), "2"), "right": right, "sure": 2}
    said |= {"before": True, "review": False} | more
    return {"at": (FIRST_DAY + timedelta(days=day)).isoformat(), "kind": "prediction", **said}


def keep(*events: dict[str, Any]) -> None:
    """Write events into the record."""
    file = record.path()
    assert file is not None
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as kept:
        kept.writelines(json.dumps(event) + "\n" for event in events)
