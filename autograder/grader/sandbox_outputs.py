"""Validation of the outputs that a sandbox sends: what nbformat and the limits allow is kept."""

from __future__ import annotations

import dataclasses
from typing import Any

from autograder.notebooks.reading import writable
from autograder.sandbox.limits import CELL_CHARACTERS, CELL_OUTPUTS, CUT_OFF, NOTEBOOK_CHARACTERS, NOTEBOOK_OUTPUTS
from autograder.verdicts.verdict import VERDICT

DEEPEST = 30
SPARE = 1_000
"""Characters beyond the sandbox's own limit, for its note that it cut the output."""


@dataclasses.dataclass
class Room:
    """The outputs that are still allowed, in a notebook or a cell.

    Attributes:
        characters: characters in all outputs, names of MIME types included.
        outputs: number of outputs.
    """

    characters: int = NOTEBOOK_CHARACTERS
    outputs: int = NOTEBOOK_OUTPUTS


def outputs_from(value: Any, room: Room | None = None) -> list[dict[str, Any]]:
    """Return the well-formed outputs among what a student's process calls its outputs, cut to the limits.

    Args:
        value: what the process sent for one cell.
        room: what the notebook may still show; reduced by what this cell shows.
    """
    room = room or Room()
    here = Room(min(CELL_CHARACTERS + SPARE, room.characters), min(CELL_OUTPUTS, room.outputs))
    before = dataclasses.replace(here)
    kept: list[dict[str, Any]] = []
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
    """Count the characters of a JSON value, keys and numbers included; a list or dict, which may be empty, is one."""
    if isinstance(value, dict):
        return 1 + sum(len(key) + _size(item) for key, item in value.items())
    if isinstance(value, list):
        return 1 + sum(map(_size, value))
    return len(value) if isinstance(value, str) else len(str(value))


def _beginning(output: dict[str, Any], characters: int) -> dict[str, Any]:
    """Cut printed text to so many characters and add a note; replace any other output by the note."""
    text = output["text"][: max(0, characters - SPARE)] if output["output_type"] == "stream" else ""
    name = output.get("name", "stdout")
    return {"output_type": "stream", "name": name, "text": f"{text}\n{CUT_OFF}" if text else CUT_OFF}


def error_output(name: str, said: str) -> dict[str, Any]:
    """Make the output of an exception of this name, in nbformat's form."""
    return {"output_type": "error", "ename": name, "evalue": said, "traceback": [f"{name}: {said}"]}


NOT_A_CHECK = "NotACheck"
"""Name of the exception that is shown under a graded cell whose check there is not."""
NOT_RUN = "NotRun"
CUT_SHORT = "OutputCutOff"
"""Name of the error that stands for one that is not among a cell's outputs, because too much stands before it."""
OURS = {NOT_A_CHECK, NOT_RUN, CUT_SHORT, "OutOfTime", "ProcessEnded"}
"""Names of errors that only the grader gives, and that say something of a cell."""
NO_CHECK = "it asks for a check that the course does not have"


def not_a_check() -> dict[str, Any]:
    """Make the output of a graded cell that asks for a check and names no task of the exercise."""
    return error_output(
        NOT_A_CHECK, f"not graded: {NO_CHECK}. Make it a task (CONTRIBUTING.md), or give its points by hand."
    )


def _output(item: dict[str, Any]) -> dict[str, Any] | None:
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
        name = _text(item.get("ename"))
        return {
            "output_type": kind,
            "ename": f"{name} of the notebook" if name in OURS else name,
            "evalue": _text(item.get("evalue")),
            "traceback": [_text(line) for line in lines] if isinstance(lines, list) else [],
        }
    return None


def _bundle(data: Any) -> dict[str, Any]:
    """Return the valid part of a MIME bundle, without verdicts, which only the grader may write."""
    if not isinstance(data, dict):
        return {}
    return {
        writable(mime): _plain(shown)
        for mime, shown in data.items()
        if mime != VERDICT and (isinstance(shown, str) or mime.endswith("json"))
    }


def _metadata(value: Any) -> dict[str, Any]:
    metadata: dict[str, Any] = _plain(value) if isinstance(value, dict) else {}
    return metadata


def _plain(value: Any, depth: int = 0) -> Any:
    """Return JSON that can be encoded and copied; values nested too deep become None."""
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
