"""Explain an exception, a missing name or a timeout in the student's terms."""

from __future__ import annotations

import re
from typing import Any

from autograder.diagnosis.hypothesis import Finding, Mistake
from autograder.probes.interaction import ENDING, KEYBOARD
from autograder.wire.outcome import Outcome

RECURSION = Mistake(
    "recursion",
    "Python allows about a thousand nested calls, and this graph is deeper. Keep a list of what is still to "
    "be done instead of calling yourself.",
    raises="RecursionError",
)
TOO_SLOW = Mistake(
    "too slow",
    "Is the same work done again and again, once per path instead of once per node, or does a loop never end?",
)

RAISED = (
    RECURSION,
    Mistake(
        "waits for the keyboard",
        "A function that is checked works with its arguments alone: take the call out, and test with values of your "
        "own in another cell.",
        raises=f"InteractionError: .*{re.escape(KEYBOARD)}",
    ),
    Mistake(
        "ends Python",
        "`exit()`, `quit()` and `sys.exit()` end the program that the function is part of. To leave a function, use "
        "`return`.",
        raises=f"InteractionError: .*{re.escape(ENDING)}|^SystemExit",
    ),
    Mistake(
        "graph already freed",
        "A second backward pass went through a graph whose saved tensors the first had freed. {read what a call frees}",
        raises="RuntimeError: Trying to backward through the graph a second time",
    ),
    Mistake(
        "not part of the graph",
        "A gradient was asked for with respect to a tensor that the output was not computed from. A new tensor with "
        "the same numbers is another tensor, and the output comes first in the call. {read several nodes}",
        raises="RuntimeError: .* appears? to not have been used in the graph",
    ),
    Mistake(
        "gradient of a vector",
        "Only an output with one element has a gradient without being told how its elements count. "
        "{read the upstream gradient}",
        raises="RuntimeError: grad can be implicitly created only for scalar outputs",
    ),
    Mistake(
        "no graph behind it",
        "Nothing that requires a gradient leads to this output: a leaf was made without `requires_grad`, or the "
        "way to it was cut by `detach`, `.item()`, `.data` or `no_grad`.",
        raises="RuntimeError: element \\d+ of tensors does not require grad",
    ),
    Mistake(
        "gradient of plain data",
        "A gradient was asked for with respect to a tensor that does not require one, so nothing was recorded for it. "
        "Which of them do?",
        raises="RuntimeError: One of the differentiated Tensors does not require grad",
    ),
    Mistake(
        "nothing to retain",
        "`retain_grad()` was called on a tensor that requires no gradient: nothing that it was computed from requires "
        "one. {read retaining}",
        raises="RuntimeError: can't retain_grad on Tensor that has requires_grad=False",
    ),
    Mistake(
        "several numbers taken for one",
        "`.item()` and `float()` take the number out of a tensor with one element. A gradient has the shape of its "
        "tensor; tensors here may have any number of elements.",
        raises="RuntimeError: a Tensor with \\d+ elements cannot be converted to Scalar"
        "|ValueError: (only one element tensors|can only convert an array of size 1)",
    ),
    Mistake(
        "a name local to the function",
        "A name that is assigned anywhere in a function is local to all of it, and has no value there yet. "
        "{read local names} To change an outer name, declare it `nonlocal`.",
        raises="UnboundLocalError: cannot access local variable",
    ),
    Mistake(
        "two dtypes",
        "Two tensors of different dtypes met. A new tensor is float32 unless it is told otherwise; `zeros_like`, "
        "`x.new_zeros` and `dtype=x.dtype` take over that of another.",
        raises="RuntimeError: .*(expected scalar type \\w+ but found|(have|both) .*(the )?same dtype|dtypes match)",
    ),
    Mistake(
        "two devices",
        "Tensors on two devices met, or one on a GPU was taken for numbers in the machine's memory. A new tensor is "
        "made on the default device unless it is told otherwise; `zeros_like`, `x.new_zeros` and `device=x.device` "
        "take over that of another.",
        raises="RuntimeError: (Expected all tensors to be on the same device|Input tensor is not a lazy tensor"
        "|.*[Ee]xpected a '?\\w+'? device type for generator)|TypeError: can't convert \\w+(:\\d+)? device type tensor",
    ),
    Mistake(
        "out of the device's memory",
        "The device has no room for what this asks for. Is a whole graph, or a Jacobian, kept where a product is "
        "enough?",
        raises="OutOfMemoryError: ",
    ),
    Mistake(
        "a view across the memory",
        "The elements of this tensor do not lie in memory in the order of its axes, as after a transpose or an "
        "`expand`. `reshape` does what `view` can't.",
        raises="RuntimeError: view size is not compatible with input tensor's size and stride",
    ),
    Mistake(
        "written in place",
        "A tensor was written into whose old numbers the backward pass needs, or a leaf that requires a gradient. "
        "Make a new tensor.",
        raises="RuntimeError: (one of the variables needed for gradient computation has been modified"
        "|a (view of a )?leaf Variable that requires grad is being used in an in-place)",
    ),
    Mistake(
        "None used as a gradient",
        "A gradient that was never stored is None, and the next line used it. Which tensors keep their `.grad`? "
        "{read leaves}",
        raises="'NoneType' object|NoneType",
    ),
)
"""Mistakes that end in an exception and can occur in every task."""


def finding_of_error(error: dict[str, Any], call: str, task_mistakes: tuple[Mistake, ...]) -> Finding:
    """Return the finding for an answer that carries an error instead of observations.

    Args:
        error: as `probes.answering.answer` or `grader.custody` makes it.
        call: the question as a call, for the sentence: `double(3.0)`.
        task_mistakes: the task's own mistakes; they are tried before `RAISED`.
    """
    kind = error.get("kind")
    if error.get("asked") is False:
        call = "Not asked: another question of this task"
    if kind == Outcome.MISSING:
        because = f": {_text(error, 'because')}" if error.get("because") else ""
        return Finding(Outcome.MISSING, f"The notebook defines no `{_text(error, 'name')}`{because}.")
    if kind == Outcome.TOO_LARGE:
        return Finding(Outcome.RAISED, f"{call} returns far more data than the task asks for.")
    if kind == Outcome.TIME:
        seconds = error.get("seconds")
        limit = f" within {seconds:g} s" if isinstance(seconds, int | float) else ""
        return Finding(Outcome.TIME, f"{call} did not finish{limit}.", TOO_SLOW)
    if kind == Outcome.KILLED:
        return Finding(Outcome.KILLED, f"{call} ended the whole process: {_text(error, 'reason')}.")
    if kind == Outcome.UNASKED:
        return Finding(Outcome.UNASKED, _text(error, "reason"))
    if error.get("not_attempted") is True:
        return Finding(Outcome.NOT_ATTEMPTED, "Not attempted yet.")
    return _finding_of_exception(error, call, task_mistakes)


def _finding_of_exception(error: dict[str, Any], call: str, task_mistakes: tuple[Mistake, ...]) -> Finding:
    name, message = _text(error, "type"), _text(error, "message")
    where = ""
    if error.get("source"):
        where = f", in `{_text(error, 'function')}` at `{_text(error, 'source')}`"
    said = f": {_first_sentence(message)}" if message else ""
    known = (*task_mistakes, *RAISED)
    afterwards = "line" not in error
    mistake = next((one for one in known if one.explains(f"{name}: {message}", afterwards)), None)
    return Finding(Outcome.RAISED, f"{call} raised {name}{said}{where}.", mistake)


def _first_sentence(message: str) -> str:
    """Return the first sentence of an exception's message, in at most 200 characters: torch's are paragraphs."""
    first = re.split(r"\.\s|\n| \(or ", message, maxsplit=1)[0].rstrip(" .,;:!")
    return first if len(first) <= 200 else first[:197] + "..."


def _text(error: dict[str, Any], key: str) -> str:
    return str(error.get(key, ""))[:500]
