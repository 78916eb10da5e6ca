"""Graded cells with asserts of their own, as nbgrader runs them: which they are, and what they import and use."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from autograder.notebooks.grade_cells import task_of_grade_cell

MAGIC = re.compile(r"^[^\S\n]*[%!].*$", re.MULTILINE)
TESTING = re.compile(r"(unittest|pytest|nose)(\.|$)|.+\.testing$")
"""Modules of assertions."""
USUAL = {"np": "numpy", "pd": "pandas", "plt": "matplotlib.pyplot", "math": "math", "torch": "torch", "scipy": "scipy"}
"""What a cell with asserts means by a name that no released cell imports."""
IMPORTS_CHECKS = re.compile(r"^[^\S\n]*(from|import)[^\S\n]+autograder\b", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Imports:
    """What the cells of a released notebook import, as far as asserts rely on it.

    Attributes:
        modules: those that cells with asserts import.
        names: by the name that a locked cell gives it, a module, or a function of a module of assertions: the module,
            and the name in it; empty for itself.
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
        if not is_released(cell) or task_of_grade_cell(cell) in known:
            continue
        tree = _parsed(cell["source"])
        found = list(_imported(tree))
        bound |= {name: module for name, module, inner in found if name and not inner}
        if is_asserted(cell, known):
            modules |= dict.fromkeys(module for _, module, _ in found)
            modules |= dict.fromkeys(_attributes(tree, bound))
            modules |= dict.fromkeys(bound.get(name) or USUAL.get(name, "") for name in names_used(cell["source"]))
        taken = {name: (module, inner) for name, module, inner in found if name}
        names |= {name: one for name, one in taken.items() if not one[1] or TESTING.match(one[0])}
    modules.pop("", None)
    return Imports(tuple(modules), names)


def is_released(cell: dict[str, Any]) -> bool:
    """Tell whether a code cell's text is the instructor's, brought back by the repair of the notebook."""
    meta = cell["metadata"].get("nbgrader")
    return cell["cell_type"] == "code" and isinstance(meta, dict) and bool(meta.get("locked"))


def is_asserted(cell: dict[str, Any], tasks: Iterable[str]) -> bool:
    """Tell whether a cell is graded by running it: an autograded test that is none of the exercise's tasks."""
    task = task_of_grade_cell(cell)
    return task is not None and task not in tasks


def asks_for_a_check(cell: dict[str, Any], cells: Iterable[dict[str, Any]], tasks: Collection[str]) -> bool:
    """Tell whether a cell calls this package's `check`, which does nothing where a notebook is graded.

    Args:
        cell: a graded cell that belongs to no task.
        cells: the notebook's.
        tasks: names of the exercise's tasks. Without any, a `check` that no released cell imports is another.
    """
    calls = [node.func for node in ast.walk(_parsed(cell["source"])) if isinstance(node, ast.Call)]
    if not any(isinstance(called, ast.Name) and called.id == "check" for called in calls):
        return False
    return bool(tasks) or any(is_released(one) and IMPORTS_CHECKS.search(one["source"]) for one in cells)


def names_used(source: str) -> list[str]:
    """Return the names that a cell reads."""
    found = (
        node for node in ast.walk(_parsed(source)) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    )
    return list(dict.fromkeys(node.id for node in found))


def attributes_stored(source: str) -> list[str]:
    """Return the names of attributes that a cell assigns, such as `input` of `builtins.input = ...`."""
    found = (node for node in ast.walk(_parsed(source)) if isinstance(node, ast.Attribute))
    return list(dict.fromkeys(node.attr for node in found if isinstance(node.ctx, ast.Store)))


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
