"""What a notebook shows of an exception: the student's own frames, and none of this package's.

Someone who writes `draw(3)` is helped by that line and one sentence, not by a walk through our code. Where a
student's function is called from inside this package, its frames stay and ours between them go.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

PACKAGE = str(Path(__file__).parent)
_told: Any = None
"""The shell that knows it already."""


def own_frames(trace: TracebackType | None, namespace: dict[str, Any]) -> TracebackType | None:
    """A traceback without the frames of this package, and of libraries that it called.

    Args:
        trace: as the exception has it; it is left as it is.
        namespace: the notebook's global names: a frame with these globals is the student's.
    """
    kept, inside = [], False
    while trace is not None:
        if _is_ours(trace):
            inside = True
            own = [place for place, one in enumerate(kept) if one.tb_frame.f_globals is namespace]
            kept = kept[: own[-1] + 1] if own else kept  # a library that the student's line called us through
        elif trace.tb_frame.f_globals is namespace:
            inside = False
        if not inside:
            kept.append(trace)
        trace = trace.tb_next
    made = None
    for one in reversed(kept):
        made = TracebackType(made, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return made


def cut(error: BaseException, namespace: dict[str, Any]) -> None:
    """Leave the student's own frames on an exception, and of its causes those that have any."""
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
    """Whether one of its frames is this package's."""
    while trace is not None:
        if _is_ours(trace):
            return True
        trace = trace.tb_next
    return False


def _is_ours(trace: TracebackType) -> bool:
    return Path(trace.tb_frame.f_code.co_filename).is_relative_to(PACKAGE)


def keep_short() -> None:
    """In IPython, show exceptions that way from now on; others, and other handlers, are left as they are."""
    global _told
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None or shell is _told:
        return
    _told = shell
    before, handle = shell.custom_exceptions, shell.CustomTB

    def show(shell: Any, kind: type, error: BaseException, trace: TracebackType, tb_offset: int | None = None) -> Any:
        if isinstance(error, ImportError) and (error.name or "").startswith("autograder") and error.path:
            _leave_out_the_path(error)
        if touches_package(trace):
            cut(error, shell.user_ns)
            trace = error.__traceback__
        elif isinstance(error, before):
            return handle(kind, error, trace, tb_offset)
        return shell.showtraceback((kind, error, trace), tb_offset=tb_offset, running_compiled_code=True)

    shell.set_custom_exc((Exception, KeyboardInterrupt), show)


def _leave_out_the_path(error: ImportError) -> None:
    """`from autograder import chek`: Python adds where the package lies, and we what there is."""
    import autograder

    found = re.match(r"cannot import name '(\w+)'", str(error))
    name = found[1] if found else "such name"
    sentence = f"autograder has no {name!r}; a notebook imports {', '.join(autograder.__all__)} from it."
    error.msg, error.args = sentence, (sentence,)
