"""Shorten the tracebacks that a notebook shows to the student's own frames.

A student who writes `draw(3)` needs that line and one sentence, not our code. If this package calls a student's
function, the function's frames stay and ours in between are removed.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

PACKAGE = str(Path(__file__).parent)
_shortened: Any = None
"""The shell whose tracebacks are shortened already."""


def own_frames(trace: TracebackType | None, namespace: dict[str, Any]) -> TracebackType | None:
    """Return a traceback without the frames of this package and of libraries that it called.

    Args:
        trace: the exception's traceback, which stays unchanged.
        namespace: the notebook's global names; frames with these globals are the student's.
    """
    kept: list[TracebackType] = []
    inside = False
    while trace is not None:
        if _is_ours(trace):
            inside = True
            own = [place for place, one in enumerate(kept) if one.tb_frame.f_globals is namespace]
            kept = (
                kept[: own[-1] + 1] if own else kept
            )  # without the library through which the student's line called us
        elif trace.tb_frame.f_globals is namespace:
            inside = False
        if not inside:
            kept.append(trace)
        trace = trace.tb_next
    made = None
    for one in reversed(kept):
        made = TracebackType(made, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return made


def shorten(error: BaseException, namespace: dict[str, Any]) -> None:
    """Reduce an exception's traceback to the student's own frames and drop causes that have none."""
    seen: set[int] = set()
    while id(error) not in seen:
        seen.add(id(error))
        ours = touches_package(error.__traceback__)
        error.__traceback__ = own_frames(error.__traceback__, namespace)
        before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        if before is None:
            return
        if ours and own_frames(before.__traceback__, namespace) is None:
            error.__cause__ = None  # which also suppresses the context
            return
        error = before


def touches_package(trace: TracebackType | None) -> bool:
    """Return whether a traceback has a frame of this package."""
    while trace is not None:
        if _is_ours(trace):
            return True
        trace = trace.tb_next
    return False


def _is_ours(trace: TracebackType) -> bool:
    return Path(trace.tb_frame.f_code.co_filename).is_relative_to(PACKAGE)


def shorten_in_ipython() -> None:
    """Have IPython shorten tracebacks that touch this package; leave others to the handlers that are installed."""
    global _shortened
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None or shell is _shortened:
        return
    _shortened = shell
    before, handle = shell.custom_exceptions, shell.CustomTB

    def show(
        shell: Any, kind: type, error: BaseException, trace: TracebackType | None, tb_offset: int | None = None
    ) -> Any:
        if isinstance(error, ImportError) and (error.name or "").startswith("autograder") and error.path:
            _list_names_instead_of_path(error)
        if touches_package(trace):
            shorten(error, shell.user_ns)
            trace = error.__traceback__
        elif isinstance(error, before):
            return handle(kind, error, trace, tb_offset)
        return shell.showtraceback((kind, error, trace), tb_offset=tb_offset, running_compiled_code=True)

    shell.set_custom_exc((Exception, KeyboardInterrupt), show)


def _list_names_instead_of_path(error: ImportError) -> None:
    """Replace the message after `from autograder import chek`, so that it lists our names and not our path."""
    found = re.match(r"cannot import name '(\w+)'", str(error))
    name = found[1] if found else "such name"
    sentence = f"autograder has no {name!r}; a notebook imports {', '.join(sys.modules[__package__].__all__)} from it."
    error.msg, error.args = sentence, (sentence,)
