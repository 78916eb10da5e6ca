"""During a check, make calls that wait for a person or end Python raise an error instead."""

from __future__ import annotations

import builtins
import contextlib
import getpass
import io
import sys
from collections.abc import Callable, Iterator, MutableMapping
from typing import Any, NoReturn

KEYBOARD = "waits for input from the keyboard, and during a check there is none"
ENDING = "ends Python and the whole notebook with it, so a check does not let it through"
ABSENT = object()


class InteractionError(RuntimeError):
    """An answer called a function that waits for a person or ends Python."""


class NoKeyboard(io.TextIOBase):
    """A replacement for `sys.stdin` that refuses every read."""

    def readable(self) -> bool:
        """Return True: reading raises a clearer error than an unreadable stream would."""
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
    """Make `exit`, `quit`, `input` and all else that reads the keyboard raise `InteractionError` within the block.

    Args:
        namespace: the notebook's global names, to which IPython adds its own `exit` and `quit`.
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
