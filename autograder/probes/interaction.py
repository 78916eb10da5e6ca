"""Calls that need a person, or end Python: during a check they raise an error that says so, and nothing waits."""

from __future__ import annotations

import builtins
import contextlib
import getpass
import io
import sys
from collections.abc import Callable, Iterator, MutableMapping
from typing import Any, NoReturn

KEYBOARD = "waits for somebody at the keyboard, and during a check nobody answers"
ENDING = "ends Python and the whole notebook with it, so a check does not let it through"
ABSENT = object()


class InteractionError(RuntimeError):
    """An answer called something that has no place in a check."""


class NoKeyboard(io.TextIOBase):
    """Stands for `sys.stdin`."""

    def readable(self) -> bool:
        """Always."""
        return True

    def _refuse(self, *arguments: Any) -> NoReturn:
        raise InteractionError(f"sys.stdin {KEYBOARD}")

    read = readline = readlines = __next__ = _refuse


def _refusing(call: str, why: str) -> Callable[..., NoReturn]:
    def refuse(*arguments: Any, **named: Any) -> NoReturn:
        asking = sys._getframe(1).f_globals.get("__name__")
        asked = "the debugger, pdb," if asking in ("cmd", "pdb") else f"{call}()"
        raise InteractionError(f"{asked} {why}")

    return refuse


@contextlib.contextmanager
def without_interaction(namespace: MutableMapping[str, Any]) -> Iterator[None]:
    """Within the block, `input` and what else asks the keyboard raise `InteractionError`, and so do `exit` and `quit`.

    Args:
        namespace: the notebook's global names, where IPython puts an `exit` and a `quit` of its own.
    """
    places: list[tuple[Any, str, Any]] = [
        (vars(builtins), "input", _refusing("input", KEYBOARD)),
        (vars(getpass), "getpass", _refusing("getpass", KEYBOARD)),
        (vars(sys), "breakpointhook", _refusing("breakpoint", KEYBOARD)),
        (vars(sys), "stdin", NoKeyboard()),
    ]
    for name in ("exit", "quit"):
        places.append((vars(builtins), name, _refusing(name, ENDING)))
        if type(namespace.get(name)).__module__.startswith("IPython."):
            places.append((namespace, name, _refusing(name, ENDING)))
    before = [(where, name, where.get(name, ABSENT)) for where, name, _ in places]
    try:
        for where, name, instead in places:
            where[name] = instead
        yield
    finally:
        for where, name, value in before:
            if value is ABSENT:
                where.pop(name, None)
            else:
                where[name] = value
