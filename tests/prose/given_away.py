"""No prediction's answer can be read in the cells that show it, before they are run."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator

from autograder.lesson_predictions.table import read_lesson
from tests.prose.figures import numbers
from tests.prose.lesson import LESSONS, answering, path_of, plain, read

SMALL = 10
"""Whole numbers below this stand in most programs for another reason."""


def findings(number: str) -> Iterator[str]:
    """Where a cell shows the answer to a prediction in its source, a sentence each."""
    cells = read(number)
    table = LESSONS / "predictions" / f"{path_of(number).stem}.toml"
    predictions = {one.name: one for one in read_lesson(table)}
    texts = {cell.id: cell.source for cell in cells}
    for name, showing in answering(cells):
        one = predictions[name]
        known = set(numbers(one.ask)) | set(numbers(texts.get(name, "")))
        telling = {found for found in numbers(str(one.answer)) if float(found.rstrip("%").replace(",", "")) >= SMALL}
        for cell in showing:
            yield from _in_a_cell(name, cell.id, cell.source, telling - known, str(one.answer))


def _in_a_cell(name: str, cell: str, source: str, telling: set[str], answer: str) -> Iterator[str]:
    try:
        tree = ast.parse(source)
    except SyntaxError:  # a magic
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            yield f"{name}: the cell {cell} asserts (line {node.lineno}) what it is about to show"
        if isinstance(node, ast.keyword) and node.arg == "alt":
            yield f"{name}: the cell {cell} holds its picture's alternative text (line {node.value.lineno})"
    words = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    words += [token.string for token in tokens if token.type == tokenize.COMMENT]
    literals = {token.string for token in tokens if token.type == tokenize.NUMBER}
    for stated in sorted(telling):
        bare = re.escape(stated.rstrip("%"))
        if stated.rstrip("%") in literals or any(re.search(rf"(?<![\d.]){bare}(?!\d)", text) for text in words):
            yield f"{name}: the cell {cell} contains {stated} of the answer"
    said = " ".join(plain(answer).replace("`", "").lower().split())
    if len(said.split()) > 2 and any(said in " ".join(text.lower().split()) for text in words):
        yield f"{name}: the cell {cell} contains the answer “{said}”"
