"""What a student's functions use of the notebook's global names, so that a change of it is noticed."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import CodeType, FunctionType
from typing import Any

PLAIN = (bool, int, float, complex, str, bytes, type(None))


class _Same:
    """An object, equal to itself alone, and to nothing once it is gone; kept only if it cannot be watched."""

    def __init__(self, value: object) -> None:
        try:
            self._value: Callable[[], object] = weakref.ref(value)  # a large tensor must not outlive its name
        except TypeError:
            self._value = lambda: value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self._value() is not None and self._value() is other._value()

    __hash__ = None  # type: ignore[assignment]


def what_is_used(functions: Iterable[FunctionType], namespace: Mapping[str, Any]) -> dict[str, object]:
    """Return, by global name, what tells one value from another; of functions and classes their code.

    A change within an object, such as a list's items, is not noticed.

    Args:
        functions: a student's.
        namespace: the notebook's global names.
    """
    found = dict[str, object]()
    waiting = [function.__code__ for function in functions]
    while waiting:
        code = waiting.pop()
        waiting += [one for one in code.co_consts if isinstance(one, CodeType)]
        for name in code.co_names:
            if name not in namespace or name in found:
                continue
            own = tuple(_codes(namespace[name]))
            waiting += own
            found[name] = own or _version(namespace[name])
    return found


def _codes(value: Any) -> Iterator[CodeType]:
    if isinstance(value, FunctionType):
        yield value.__code__
    elif isinstance(value, type):
        yield from (one.__code__ for one in vars(value).values() if isinstance(one, FunctionType))


def _version(value: Any) -> object:
    return repr(value) if type(value) in PLAIN else _Same(value)
