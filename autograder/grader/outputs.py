"""A cell's outputs as a sandbox sent them: kept where nbformat allows them, dropped where not."""

from __future__ import annotations

from typing import Any

from autograder.grader.verdict import VERDICT
from autograder.notebooks.reading import writable

MOST = 2_000
DEEPEST = 30


def outputs_from(value: Any) -> list[dict]:
    """The well-formed outputs in what a process under a student's control calls its outputs."""
    if not isinstance(value, list):
        return []
    kept = (_output(item) for item in value[:MOST] if isinstance(item, dict))
    return [output for output in kept if output is not None]


def error_output(name: str, said: str) -> dict:
    """An exception of this name, as nbformat has it."""
    return {"output_type": "error", "ename": name, "evalue": said, "traceback": [f"{name}: {said}"]}


def not_a_check() -> dict:
    """What stands under a graded cell that asks for no task of the exercise; nbgrader gives it 0 points.

    Its asserts would run beside the student's code, which could make them pass.
    """
    return error_output(
        "NotACheck",
        "this graded cell is no check of the exercise and was not run, for what runs beside a student's code decides "
        "no grade: make it a task of autograder/checks, or a cell that is graded by hand",
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
