"""A cell's outputs as a sandbox sent them: kept where nbformat and the limits allow them."""

from __future__ import annotations

import dataclasses
from typing import Any

from autograder.grader.verdict import VERDICT
from autograder.notebooks.reading import writable
from autograder.supervisor.limits import CELL_CHARACTERS, CELL_OUTPUTS, CUT_OFF, NOTEBOOK_CHARACTERS, NOTEBOOK_OUTPUTS

DEEPEST = 30
SPARE = 1_000
"""Characters more than the sandbox keeps, which notes where it cut."""


@dataclasses.dataclass
class Room:
    """How much the cells of one notebook may still show.

    Attributes:
        characters: in all of it, names included.
        outputs: their number.
    """

    characters: int = NOTEBOOK_CHARACTERS
    outputs: int = NOTEBOOK_OUTPUTS


def outputs_from(value: Any, room: Room | None = None) -> list[dict]:
    """The well-formed outputs in what a process under a student's control calls its outputs; cut to their limits.

    Args:
        value: what came back for one cell.
        room: of the notebook, which this cell takes from; a new one where left out.
    """
    room = room or Room()
    here = Room(min(CELL_CHARACTERS + SPARE, room.characters), min(CELL_OUTPUTS, room.outputs))
    before = dataclasses.replace(here)
    kept: list[dict] = []
    for item in value if isinstance(value, list) else []:
        if (output := _output(item) if isinstance(item, dict) else None) is None:
            continue
        size = _size(output)
        if size > here.characters or not here.outputs:
            kept.append(_beginning(output, here.characters if here.outputs else 0))
            here = Room(0, 0)
            break
        kept.append(output)
        here = Room(here.characters - size, here.outputs - 1)
    room.characters -= before.characters - here.characters
    room.outputs -= before.outputs - here.outputs
    return kept


def _size(value: Any) -> int:
    """Characters of all that is shown; what is no text counts, too."""
    if isinstance(value, dict):
        return sum(len(key) + _size(item) for key, item in value.items())
    if isinstance(value, list):
        return sum(map(_size, value))
    return len(value) if isinstance(value, str) else len(str(value))


def _beginning(output: dict, characters: int) -> dict:
    """As much of printed text as there is room for; of anything else, a note that it is missing."""
    text = output["text"][: max(0, characters - SPARE)] if output["output_type"] == "stream" else ""
    name = output.get("name", "stdout")
    return {"output_type": "stream", "name": name, "text": f"{text}\n{CUT_OFF}" if text else CUT_OFF}


def error_output(name: str, said: str) -> dict:
    """An exception of this name, as nbformat has it."""
    return {"output_type": "error", "ename": name, "evalue": said, "traceback": [f"{name}: {said}"]}


NOT_A_CHECK = "NotACheck"
"""The exception's name under a graded cell that nobody grades automatically."""
NO_CHECK = "it is no check of this course, and asserts that run beside a student's code decide no grade"


def not_a_check() -> dict:
    """Make what stands under a graded cell that asks for no task of the exercise.

    Its asserts would run beside the student's code, which could make them pass.
    """
    return error_output(
        NOT_A_CHECK,
        f"not graded: {NO_CHECK}. Make it a task (CONTRIBUTING.md), or give its points by hand in the formgrader.",
    )


def _output(item: dict) -> dict | None:
    kind = item.get("output_type")
    if kind == "stream":
        if item.get("name") in ("stdout", "stderr") and isinstance(item.get("text"), str):
            return {"output_type": kind, "name": item["name"], "text": writable(item["text"])}
    elif kind in ("display_data", "execute_result"):
        count = item.get("execution_count")
        output = {"output_type": kind, "data": _bundle(item.get("data")), "metadata": _metadata(item.get("metadata"))}
        if kind == "execute_result":
            output["execution_count"] = count if type(count) is int else None
        return output
    elif kind == "error":
        lines = item.get("traceback")
        return {
            "output_type": kind,
            "ename": _text(item.get("ename")),
            "evalue": _text(item.get("evalue")),
            "traceback": [_text(line) for line in lines] if isinstance(lines, list) else [],
        }
    return None


def _bundle(data: Any) -> dict:
    """What is shown, by MIME type; a verdict is ours to give."""
    if not isinstance(data, dict):
        return {}
    return {
        writable(mime): _plain(shown)
        for mime, shown in data.items()
        if mime != VERDICT and (isinstance(shown, str) or mime.endswith("json"))
    }


def _metadata(value: Any) -> dict:
    return _plain(value) if isinstance(value, dict) else {}


def _plain(value: Any, depth: int = 0) -> Any:
    """JSON that can be written and copied; what is nested too deep for that is cut off."""
    if isinstance(value, str):
        return writable(value)
    if depth > DEEPEST:
        return None
    if isinstance(value, list):
        return [_plain(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {writable(key): _plain(item, depth + 1) for key, item in value.items()}
    return value


def _text(value: Any) -> str:
    return writable(value) if isinstance(value, str) else ""
