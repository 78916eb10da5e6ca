"""Graded cells with asserts of their own, as nbgrader runs them: which they are, and what they import and use."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from autograder.notebooks.grade_cells import task_of_grade_cell

MAGIC = re.compile(r"^\s*[%!].*$", re.MULTILINE)
TESTING = re.compile(r"(unittest|pytest|nose)(\.|$)|.+\.testing$")
"""Modules of assertions."""


@dataclasses.dataclass(frozen=True)
class Imports:
    """What the cells of a released notebook import, as far as asserts rely on it.

    Attributes:
        modules: those that cells with asserts import.
        names: by the name that a locked cell gives it, a module of assertions and the name in it; empty for itself.
    """

    modules: tuple[str, ...] = ()
    names: dict[str, tuple[str, str]] = dataclasses.field(default_factory=dict)


def imports_of(cells: Iterable[dict[str, Any]], tasks: Iterable[str]) -> Imports:
    """Return what a repaired notebook's cells with asserts, and its other locked cells, import.

    Args:
        cells: the notebook's.
        tasks: names of the exercise's tasks, whose grade cells are not run.
    """
    modules, names, known = dict[str, None](), dict[str, tuple[str, str]](), set(tasks)
    bound = dict[str, str]()
    for cell in cells:
        meta = cell["metadata"].get("nbgrader")
        if cell["cell_type"] != "code" or not isinstance(meta, dict) or not (meta.get("locked") or meta.get("grade")):
            continue
        tree = _parsed(cell["source"])
        found = list(_imported(tree))
        bound |= {name: module for name, module, inner in found if name and not inner}
        if is_asserted(cell, known):
            modules |= dict.fromkeys(module for _, module, _ in found)
            modules |= dict.fromkeys(_attributes(tree, bound))
        names |= {name: (module, inner) for name, module, inner in found if name and TESTING.match(module)}
    return Imports(tuple(modules), names)


def is_asserted(cell: dict[str, Any], tasks: Iterable[str]) -> bool:
    """Tell whether a cell is graded by running it: an autograded test that is none of the exercise's tasks."""
    task = task_of_grade_cell(cell)
    return task is not None and task not in tasks


def asks_for_a_check(cell: dict[str, Any], cells: Iterable[dict[str, Any]], tasks: Collection[str]) -> bool:
    """Tell whether a cell calls this package's `check`, which does nothing where a notebook is graded.

    Args:
        cell: a graded cell that belongs to no task.
        cells: the notebook's.
        tasks: names of the exercise's tasks. Without any, a `check` that the notebook does not import is another.
    """
    calls = [node.func for node in ast.walk(_parsed(cell["source"])) if isinstance(node, ast.Call)]
    if not any(isinstance(called, ast.Name) and called.id == "check" for called in calls):
        return False
    if tasks:
        return True
    found = (one for other in cells if other["cell_type"] == "code" for one in _imported(_parsed(other["source"])))
    return any(module.partition(".")[0] == "autograder" for _, module, _ in found)


def names_used(source: str) -> list[str]:
    """Return the names that a cell reads."""
    found = (
        node for node in ast.walk(_parsed(source)) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    )
    return list(dict.fromkeys(node.id for node in found))


def _parsed(source: str) -> ast.Module:
    """Parse a cell, without its magics; an empty module for what is no Python."""
    try:
        return ast.parse(MAGIC.sub("pass", source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module(body=[], type_ignores=[])


def _imported(tree: ast.Module) -> Iterator[tuple[str, str, str]]:
    """Yield for each import the name that it binds to it, the module, and the name in the module, if it takes one.

    `import numpy.testing` binds a name to another module.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                yield one.asname or ("" if "." in one.name else one.name), one.name, ""
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for one in node.names:
                if one.name != "*":
                    yield one.asname or one.name, node.module, one.name


def _attributes(tree: ast.Module, bound: dict[str, str]) -> Iterator[str]:
    """Yield the modules of assertions that a cell reaches through another, as `np.testing`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = f"{bound.get(node.value.id, '')}.{node.attr}"
            if TESTING.match(module):
                yield module
