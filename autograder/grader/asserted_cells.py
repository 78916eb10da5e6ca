"""Requests to run cells with asserts of the instructor's own, and what is read from the replies.

The student's process writes the replies, so nothing in them is trusted further than its outputs are.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autograder.grader.sandbox_outputs import CUT_SHORT, error_output
from autograder.notebooks.asserted_cells import attributes_stored, imports_of, is_asserted, is_released, names_used
from autograder.notebooks.reading import writable
from autograder.sandbox.asserts import MOST_TOLD
from autograder.sandbox.limits import CUT_OFF
from autograder.visible_text import visible
from autograder.wire.operation import Operation

LONGEST_NAME = 100


def request_to_keep(cells: list[dict[str, Any]], tasks: Iterable[str]) -> dict[str, Any] | None:
    """Return the request to keep what a notebook's cells with asserts rely on; None if it has no such cells."""
    if not any(is_asserted(cell, tasks) for cell in cells):
        return None
    found = imports_of(cells, tasks)
    return {"op": Operation.ASSERTS, "modules": found.modules, "names": found.names}


def request_to_run(cell: dict[str, Any], *, asserted: bool) -> dict[str, Any]:
    """Return the request to run a cell: of a released one with what it stores, and if it asserts with what it uses."""
    request: dict[str, Any] = {"op": Operation.RUN, "source": cell["source"]}
    if asserted or is_released(cell):
        request["stores"] = attributes_stored(cell["source"])
    if asserted:
        request["uses"] = names_used(cell["source"])
    return request


def names_changed(reply: dict[str, Any]) -> list[str]:
    """Return what a student's process says that it had changed, as far as it is names."""
    changed = reply.get("changed")
    found = changed[:MOST_TOLD] if isinstance(changed, list) else []
    return [visible(one[:LONGEST_NAME], kept="")[:LONGEST_NAME] for one in found if isinstance(one, str)]


def cut_off(reply: dict[str, Any], outputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what decides about a cell with asserts, where so much stood before it that it is not among its outputs."""
    if "ok" not in reply:
        return [error_output(CUT_SHORT, "It was interrupted before it came to its end")]
    if reply["ok"] is not True and not any(one["output_type"] == "error" for one in outputs):
        return [error_output(CUT_SHORT, "It raised an exception after it had put out more than a cell may show")]
    if reply.get("complained") is True and not any(one.get("name") == "stderr" for one in outputs):
        return [{"output_type": "stream", "name": "stderr", "text": CUT_OFF}]
    result = reply.get("result")
    if isinstance(result, str) and not any(one["output_type"] == "execute_result" for one in outputs):
        data = {"text/plain": writable(result[:LONGEST_NAME])}
        return [{"output_type": "execute_result", "data": data, "metadata": {}, "execution_count": None}]
    return []
