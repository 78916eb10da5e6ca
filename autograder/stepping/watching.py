"""Watching the gradients of a scalar engine's nodes while the engine's own backward pass runs.

For the time of the pass each class of the nodes gets a descriptor in place of its attribute `grad`. It keeps numbers
where the class would have kept them, and logs who was read and who was written. Afterwards classes and nodes are as
before.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autograder.pictures.engines import MISSING, member
from autograder.pictures.parents import stored
from autograder.stepping.writes import Log, number_in


class NotWatchableError(TypeError):
    """Nothing can be put in place of the gradient of these nodes; the message says why."""


class _Watched:
    """A data descriptor that keeps values where the class's own attribute would, and logs."""

    def __init__(self, name: str, own: Any, log: Log) -> None:
        self.name, self.own, self.log = name, own, log

    def __get__(self, node: Any, owner: type | None = None) -> Any:
        if node is None:
            return _bound(self.own, None, owner, self.name)
        value = self.held(node)
        self.log.reads(node, value)
        return value

    def __set__(self, node: Any, value: Any) -> None:
        self.put(node, value)
        self.log.wrote(node, value)

    def __delete__(self, node: Any) -> None:
        if _is_data(self.own):
            type(self.own).__delete__(self.own, node)
        else:
            object.__getattribute__(node, "__dict__").pop(self.name, None)

    def held(self, node: Any) -> Any:
        """Return the node's value, without logging."""
        if not _is_data(self.own):
            held = _dictionary(node)
            if self.name in held:
                return held[self.name]
        return _bound(self.own, node, type(node), self.name)

    def put(self, node: Any, value: Any) -> None:
        """Store a value, without logging."""
        if _is_data(self.own):
            type(self.own).__set__(self.own, node, value)
        else:
            _dictionary(node)[self.name] = value


def _bound(own: Any, node: Any, owner: type | None, name: str) -> Any:
    if own is MISSING:
        raise AttributeError(f"{owner.__name__ if owner else 'the node'!r} object has no attribute {name!r}")
    return type(own).__get__(own, node, owner) if hasattr(type(own), "__get__") else own


def _dictionary(node: Any) -> dict[str, Any]:
    held: dict[str, Any] = object.__getattribute__(node, "__dict__")
    return held


def _is_data(own: Any) -> bool:
    return own is not MISSING and hasattr(type(own), "__set__")


@contextlib.contextmanager
def watched(nodes: Sequence[object], name: str = "grad") -> Iterator[Log]:
    """Log what is written to the nodes' gradients within the block, from gradients of zero; undo everything after it.

    Raises:
        NotWatchableError: if a class of the nodes cannot be changed, or a node's gradient cannot be read or set.
    """
    log = Log({id(node): at for at, node in enumerate(nodes)}, [])
    with contextlib.ExitStack() as undo:
        undo.enter_context(kept(nodes))
        descriptors = {cls: _install(cls, name, log, undo.callback) for cls in {type(node) for node in nodes}}
        for node in nodes:
            try:
                log.held.append(_zeroed(descriptors[type(node)], node))
            except Exception as error:  # a property, which is the student's code
                said = f"{type(error).__name__} came from its attribute `{name}`"
                raise NotWatchableError(f"the gradient of a node cannot be set to zero ({said})") from None
        yield log


def gradient_of(node: object, name: str = "grad") -> object:
    """Return a node's gradient, watched or not, without logging; `MISSING` if it has none or does not give it."""
    own: Any = next((vars(cls)[name] for cls in type(node).__mro__ if name in vars(cls)), MISSING)
    if not isinstance(own, _Watched):
        return member(node, name)
    try:
        return own.held(node)
    except Exception:  # a property, which is the student's code
        return MISSING


@contextlib.contextmanager
def kept(nodes: Sequence[object]) -> Iterator[None]:
    """Give the nodes back, after the block, every attribute that they had before it."""
    before = [_kept(node) for node in nodes]
    try:
        yield
    finally:
        for node, one in zip(nodes, before, strict=True):
            _restore(node, one)


def _install(cls: type, name: str, log: Log, later: Callable[..., object]) -> _Watched:
    found = (type.__getattribute__(one, "__dict__").get(name, MISSING) for one in cls.__mro__)
    own: Any = next((one for one in found if one is not MISSING), MISSING)
    before = type.__getattribute__(cls, "__dict__").get(name, MISSING)
    if isinstance(own, _Watched):  # a base class is being watched already
        own = own.own
    descriptor = _Watched(name, own, log)
    if isinstance(own, property) and own.fset is None:
        raise NotWatchableError(f"`{name}` is a property without a setter, and what it is made from is not watched")
    try:
        type.__setattr__(cls, name, descriptor)
    except TypeError:
        raise NotWatchableError(f"the class `{cls.__name__}` is built in and cannot be watched") from None
    if before is MISSING:
        later(lambda: type.__delattr__(cls, name))
    else:
        later(lambda: type.__setattr__(cls, name, before))
    return descriptor


def _zeroed(descriptor: _Watched, node: object) -> float | None:
    try:
        value = descriptor.held(node)
    except AttributeError:
        return None  # not set before the pass
    number = number_in(value)
    if number:
        descriptor.put(node, type(value)(0) if type(value) in (int, float) else 0.0)
        number = 0.0
    return number


def _kept(node: object) -> tuple[dict[str, object], dict[str, Any]]:
    """Return a node's attributes, and copies of the lists, dicts and sets among them."""
    values = stored(node)
    return values, {name: copy.copy(value) for name, value in values.items() if type(value) in (list, dict, set)}


def _restore(node: Any, kept: tuple[dict[str, object], dict[str, Any]]) -> None:
    values, contents = kept
    for name in stored(node).keys() | values.keys():
        try:
            if name not in values:
                object.__delattr__(node, name)
            elif stored(node).get(name, MISSING) is not values[name]:
                _put_back(node, name, values[name])
        except Exception:  # an attribute that cannot be set back stays as the student's own pass left it
            continue
    for name, content in contents.items():
        _refill(values[name], content)


def _refill(held: Any, content: Any) -> None:
    """Give a list, dict or set its content back; a set that still has it keeps its order."""
    if isinstance(held, list):
        held[:] = content
    elif isinstance(held, dict) or set(map(id, held)) != set(map(id, content)):
        held.clear()
        held.update(content)


def _put_back(node: Any, name: str, value: object) -> None:
    own: Any = next((vars(cls)[name] for cls in type(node).__mro__ if name in vars(cls)), MISSING)
    if own is not MISSING and type(own).__name__ == "member_descriptor":
        own.__set__(node, value)
    else:
        _dictionary(node)[name] = value
