"""Explain an exception, a missing name or a timeout in the student's terms."""

from __future__ import annotations

import re
from typing import Any

from autograder.diagnosis.hypothesis import Finding, Mistake
from autograder.diagnosis.raised import IMPORTED, RAISED
from autograder.wire.outcome import NOT_ASKED, Outcome

TOO_SLOW = Mistake(
    "too slow",
    "Is the same work done again and again, once per path instead of once per node, or does a loop never end?",
)


def finding_of_error(
    error: dict[str, Any], call: str, task_mistakes: tuple[Mistake, ...], program: str = ""
) -> Finding:
    """Return the finding for an answer that carries an error instead of observations.

    Args:
        error: as `probes.answering.answer` or `grader.custody` makes it.
        call: the question as a call, for the sentence: `double(3.0)`.
        task_mistakes: the task's own mistakes; they are tried before `RAISED`.
        program: the text of the question's program if it may be shown.
    """
    kind = error.get("kind")
    if error.get("asked") is False:
        call = f"{NOT_ASKED}: another question of this task"
    if kind == Outcome.MISSING:
        because = f": {_text(error, 'because')}" if error.get("because") else ""
        return Finding(Outcome.MISSING, f"The notebook defines no `{_text(error, 'name')}`{because}.")
    if kind == Outcome.TOO_LARGE:
        return Finding(Outcome.RAISED, f"{call} returns far more data than the task asks for.")
    if kind == Outcome.TIME:
        return Finding(Outcome.TIME, _out_of_time(error, call), TOO_SLOW)
    if kind == Outcome.KILLED:
        return Finding(Outcome.KILLED, f"{call} ended the whole process: {_text(error, 'reason')}.")
    if kind == Outcome.UNASKED:
        return Finding(Outcome.UNASKED, _text(error, "reason"))
    if error.get("not_attempted") is True:
        return Finding(Outcome.NOT_ATTEMPTED, "Not attempted yet.")
    return _finding_of_exception(error, call, task_mistakes, program)


def _out_of_time(error: dict[str, Any], call: str) -> str:
    seconds, calls = error.get("seconds"), error.get("calls")
    limit = f" within {seconds:g} s" if isinstance(seconds, int | float) else ""
    if error.get("asked") is False:
        return f"{call} did not finish{limit}."
    counted = ""
    if isinstance(calls, int) and calls > 1:
        counted = f", the time of all calls of your function in this question; call {calls} was running"
    stopped = f" It was stopped {_where(error).removeprefix(', ')}." if error.get("source") else ""
    return f"{call} did not finish{limit}{counted}.{stopped}"


def _finding_of_exception(
    error: dict[str, Any], call: str, task_mistakes: tuple[Mistake, ...], program: str
) -> Finding:
    name, message = _text(error, "type"), _text(error, "message")
    afterwards = "line" not in error
    where = _where(error) or (_line_of_program(error, program) if afterwards else "")
    said = f": {_first_sentence(message)}" if message else ""
    raised = f"{name}: {message}{_found(error)}"
    mistake = next((one for one in (*task_mistakes, *RAISED) if one.explains(raised, afterwards)), None)
    return Finding(Outcome.RAISED, f"{call} raised {name}{said}{where}.{_told(error)}", mistake, exception=name)


def _where(error: dict[str, Any]) -> str:
    function = _text(error, "function")
    inside = "" if function.startswith("<") else f" in `{function}`"
    return f",{inside} at `{_text(error, 'source')}`" if error.get("source") else ""


def _line_of_program(error: dict[str, Any], program: str) -> str:
    """Return where an exception arose in the program's own lines, after the student's function had returned."""
    lines, line = program.splitlines(), error.get("program_line")
    if not isinstance(line, int) or not 0 < line <= len(lines):
        return ""
    return f", at its own line `{lines[line - 1].strip()}`"


def _found(error: dict[str, Any]) -> str:
    """Return what was found where an exception arose, in the words that `raises` of a mistake matches."""
    if error.get("none_is"):
        of = f" ({_text(error, 'none_of')})" if error.get("none_of") else ""
        return f"; None was {_text(error, 'none_is')}{of}"
    own = r"assert\b" if error.get("type") == "AssertionError" else rf"raise\b.*\b{re.escape(_text(error, 'type'))}\b"
    if re.match(own, _text(error, "source")):
        return "; raised by this line"
    if error.get("repeats") is True:
        return "; the same call again"
    if error.get("near"):
        return "; a similar name is there"
    if error.get("outer") is True:
        return "; an outer name is the same"
    if re.search(r"\.(shape|size\(\))\s*\[", _text(error, "source")):
        return "; at a shape"
    return "; in code that the line called" if error.get("elsewhere") is True else ""


def _told(error: dict[str, Any]) -> str:
    """Return the same in sentences for the student."""
    none, kind, of = _text(error, "none"), _text(error, "none_is"), _text(error, "none_of")
    if none:
        why = {
            "the .grad of an inner tensor": f": `{of}` was computed from other tensors",
            "the .grad of a tensor that requires no gradient": f": `{of}` requires no gradient",
            "the .grad of a leaf": ": at this point nothing is stored there",
        }.get(kind.partition(",")[0], "")
        if not why and of and of not in none:
            why = f", which `{of}` returned" if kind.startswith("returned") else f": it is `{of}`"
        return f" There `{none}` is None{why}."
    imports = [line for line, name in IMPORTED.items() if name == error.get("missing")]
    if imports and error.get("type") == "NameError":
        return f" It comes with `{imports[0]}`."
    return f" Did you mean `{_text(error, 'near')}`?" if error.get("near") else ""


def _first_sentence(message: str) -> str:
    """Return the first sentence of an exception's message, in at most 200 characters: torch's are paragraphs."""
    first = re.split(r"\.\s|\n| \(or ", message, maxsplit=1)[0].rstrip(" .,;:!")
    return first if len(first) <= 200 else first[:197] + "..."


def _text(error: dict[str, Any], key: str) -> str:
    return str(error.get(key, ""))[:500]
