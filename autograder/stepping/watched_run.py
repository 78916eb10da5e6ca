"""One run of an engine's own backward pass: what was seen of it, and what it left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograder.pictures.engines import MISSING
from autograder.pictures.text import clean, count
from autograder.stepping.watching import NotWatchableError, gradient_of, kept, watched
from autograder.stepping.writes import MOST, Log, number_in

STALE = "The nodes held gradients before, which cannot be set to zero here: nothing is compared"


def method_of(output: Any) -> Callable[[], object]:
    """Return a node's own backward pass.

    Raises:
        TypeError: it has none.
    """
    try:
        found = output.backward
    except Exception:  # it may be a property of the student's
        found = None
    if not callable(found):
        raise TypeError("this node has no method `backward`: call step_through(output, backward=lambda: ...)")
    method: Callable[[], object] = found
    return method


def watched_run(
    nodes: Sequence[object], run: Callable[[], object]
) -> tuple[Log, Sequence[float | None], str, list[str]]:
    """Run the pass; return what was logged, the gradients at its end, how it failed, and what could not be seen."""
    try:
        with watched(nodes) as log:
            ended = _ended(run)
            finals = _finals(nodes)
    except NotWatchableError as error:
        stale = any(_finals(nodes))
        with kept(nodes):
            ended = _ended(run)
            finals = _finals(nodes)
        said = f"Your pass cannot be watched, because {error}: these are the gradients at its end"
        return Log({}, []), finals, ended, [said, STALE] if stale else [said]
    unseen = ""
    if len(log.writes) >= MOST:
        unseen = f"Your pass writes more than {count(MOST, 'gradient')}: these are those at its end"
    elif not _seen(log, finals):
        unseen = "Your pass writes gradients in a way that cannot be watched: these are those at its end"
    if unseen:
        log.writes.clear()
    return log, finals, ended, [unseen] if unseen else []


def _ended(run: Callable[[], object]) -> str:
    """Run the pass; return how it failed, or ""."""
    try:
        run()
    except Exception as error:
        said = clean(" ".join(_text(error).split()), 160)
        return f"Your backward pass ended with {type(error).__name__}{': ' * bool(said)}{said}"
    return ""


def _text(error: Exception) -> str:
    try:
        return str(error)
    except Exception:  # a class of the student's own
        return ""


def _finals(nodes: Sequence[object]) -> list[float | None]:
    found = map(gradient_of, nodes)
    return [None if one is MISSING else number_in(one) for one in found]


def _seen(log: Log, finals: Sequence[float | None]) -> bool:
    """Whether what was logged is what the nodes hold."""
    return all((a or 0.0) == (b or 0.0) or (a != a and b != b) for a, b in zip(log.held, finals, strict=True))
