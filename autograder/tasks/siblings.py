"""Predict what the right answers to a task's other versions yield, so that a copied answer is recognised."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from autograder.diagnosis.hypothesis import Mistake
from autograder.tasks.versions import source_of_version, versions_of

NAME = "the answer to another version"


def other_versions(folder: Path) -> Iterator[Mistake]:
    """Yield, for each other version of a task, the mistake of answering that one.

    Args:
        folder: the folder of the version that was dealt; that of a task that was not dealt has no such mistakes.
    """
    own, version = source_of_version(folder)
    known = versions_of(own) if version else None
    if known is None:
        return
    published = (own / "solution.py").read_text(encoding="utf-8").rstrip()
    sentence = f"This answers another version of the task. Yours asks for {known.asks[version - 1]}."
    for other in range(1, known.count + 1):
        if other != version:
            mistake = Mistake(NAME, sentence, known.text(published, other))
            mistake.where = str(own / "versions.toml")
            yield mistake
