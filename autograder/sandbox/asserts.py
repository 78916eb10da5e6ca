"""What cells with asserts rely on: kept before a notebook's first cell, and put back around each such cell.

Asserts run beside the student's code, which can make them pass. This notices the usual ways and undoes them. Whoever
knows of it can undo it, because it runs there too.
"""

from __future__ import annotations

import builtins
import contextlib
import dataclasses
import functools
import importlib
import os
import sys
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from autograder.sandbox.limits import MOST_TOLD

TESTING = ("unittest", "numpy.testing", "torch.testing", "pytest", "_pytest")
"""Packages of assertions, whose functions and classes are kept to the bottom where they are loaded."""
MOVING = {"matplotlib.pyplot.draw_if_interactive", "torch.Storage"}
"""Names that packages themselves bind anew."""
GONE: Any = object()
HOOKS = ("ast_transformers", "input_transformers_post")
TRANSFORMS = ("cleanup_transforms", "line_transforms", "token_transformers")
"""Lists by which IPython lets a notebook change what its cells mean."""
PARTS = ("compile", "displayhook", "display_pub", "events", "input_transformer_manager")
"""Parts of a shell, whose methods a notebook can cover with its own."""
SHELLS = ("IPython", "ipykernel", "autograder")


@dataclasses.dataclass(frozen=True)
class _Owner:
    """A module or a class, with those of its attributes that can be called."""

    label: str
    owner: Any
    kept: dict[str, Any]
    names: frozenset[str]

    @staticmethod
    def of(label: str, owner: Any) -> _Owner:
        kept = {name: value for name, value in vars(owner).items() if _is_called(value)}
        return _Owner(label, owner, kept, frozenset(vars(owner)))

    def put_back(self) -> Iterator[str]:
        now = vars(self.owner)
        for name, value in self.kept.items():
            if now.get(name, GONE) is not value and f"{self.label}.{name}" not in MOVING:
                with contextlib.suppress(TypeError, AttributeError):  # of a class whose attributes cannot be set
                    setattr(self.owner, name, value)
                yield f"{self.label}.{name}"
        if isinstance(self.owner, type):
            above = {name for kind in self.owner.__mro__[1:] for name in vars(kind)}
            for name in (set(now) - self.names) & above:  # stands before what the class inherits
                delattr(self.owner, name)
                yield f"{self.label}.{name}"


class Asserts:
    """The state that the asserts of one notebook rely on."""

    def __init__(self, shell: InteractiveShell, modules: Iterable[str], names: Mapping[str, tuple[str, str]]) -> None:
        """
        Args:
            shell: the shell, before its first cell.
            modules: what cells with asserts use; what is installed of it is imported now.
            names: what the released notebook calls modules, and functions for testing: the module, and the name in it.
        """
        self._shell, self._names = shell, names
        for module in [*modules, *(module for module, _ in names.values())]:
            _import(module)
        loaded = {name: module for name, module in sys.modules.items() if isinstance(module, types.ModuleType)}
        deep = {name: module for name, module in loaded.items() if _is_of(name, TESTING)}
        self._modules = deep | {name: loaded[name] for name in modules if name in loaded} | {"builtins": builtins}
        owners = [_Owner.of(name, module) for name, module in self._modules.items()]
        owners += [
            _Owner.of(f"{name}.{inner.__qualname__}", inner)
            for name, module in deep.items()
            for inner in {one for one in vars(module).values() if isinstance(one, type)}
            if inner.__module__ == name
        ]
        self._parts = {"get_ipython()": shell} | {f"get_ipython().{name}": getattr(shell, name) for name in PARTS}
        kinds = {kind for part in self._parts.values() for kind in type(part).__mro__}
        owners += [_Owner.of(kind.__name__, kind) for kind in kinds if _is_of(kind.__module__, SHELLS)]
        self._owners = owners
        self._codes = [
            (f"{one.label}.{name}", value, (value.__code__, value.__defaults__, value.__kwdefaults__))
            for one in owners
            for name, value in one.kept.items()
            if isinstance(value, types.FunctionType)
        ]
        places = [(shell, name) for name in HOOKS]
        places += [(shell.input_transformer_manager, name) for name in TRANSFORMS]
        self._hooks = [(owner, name, list(getattr(owner, name))) for owner, name in places]
        self._own = {label: {*vars(part), "asserts"} for label, part in self._parts.items()}
        self._folder = os.getcwd()

    def accept(self, stored: Iterable[str], moved: bool) -> None:
        """Keep from now on what a released cell has changed.

        Args:
            stored: names of attributes that it assigns.
            moved: whether it goes to another folder itself; a function that it calls may do so, too.
        """
        if moved:
            self._folder = _folder() or self._folder
        for owner in self._owners:
            for name in set(stored) & owner.kept.keys():
                owner.kept[name] = vars(owner.owner).get(name, owner.kept[name])

    def put_back(self, used: Iterable[str]) -> list[str]:
        """Put back what the notebook has changed, and return its names.

        Args:
            used: the names that the cell with asserts uses.
        """
        return list(dict.fromkeys(self._changed(set(used))))[:MOST_TOLD]

    def _changed(self, used: set[str]) -> Iterator[str]:
        if sys.gettrace() is not None or sys.getprofile() is not None:
            sys.settrace(None)
            sys.setprofile(None)
            yield "sys.settrace"
        if _folder() != self._folder:
            os.chdir(self._folder)
            yield "os.chdir"
        for name, module in self._modules.items():
            if sys.modules.get(name) is not module:
                sys.modules[name] = module
                yield name
        for owner in self._owners:
            yield from owner.put_back()
        for label, function, (code, defaults, keywords) in self._codes:
            now = function.__code__, function.__defaults__, function.__kwdefaults__
            if any(one is not kept for one, kept in zip(now, (code, defaults, keywords), strict=True)):
                function.__code__, function.__defaults__, function.__kwdefaults__ = code, defaults, keywords
                yield label
        yield from self._shells_own()
        yield from self._names_of(used)

    def _names_of(self, used: set[str]) -> Iterator[str]:
        """Put back the names that the released notebook gives; tell others that stand before built-in ones."""
        namespace = self._shell.user_ns
        if namespace.get("__builtins__", GONE) not in (builtins, vars(builtins)):
            namespace["__builtins__"] = builtins
            yield "__builtins__"
        for name, (source, inner) in self._names.items():
            right: Any = sys.modules.get(source, GONE)
            right = getattr(right, inner, GONE) if inner else right
            now = namespace.get(name, getattr(builtins, name, right))  # bound nowhere: imported later, or an error
            if name in used and right is not GONE and now is not right:
                namespace[name] = right
                yield name
        # Not put back: an exercise may ask for a function of this name.
        shadows = (name for name in used if hasattr(builtins, name) and name in namespace)
        yield from sorted(name for name in shadows if self._is_own(namespace[name]))

    def _shells_own(self) -> Iterator[str]:
        """Put back the shell's hooks, and remove what stands before its methods and what runs around its cells."""
        shell = self._shell
        for owner, name, content in self._hooks:
            now = list(getattr(owner, name))
            if any(self._is_own(one) and not any(one is kept for kept in content) for one in now):
                setattr(owner, name, list(content))
                yield f"get_ipython().{name}"
        if shell.custom_exceptions and self._is_own(shell.CustomTB):
            shell.set_custom_exc((), None)
            yield "get_ipython().custom_exceptions"
        for label, part in self._parts.items():
            for name in set(vars(part)) - self._own[label]:
                if callable(getattr(type(part), name, None)):
                    delattr(part, name)
                    yield f"{label}.{name}"
        for event, callbacks in shell.events.callbacks.items():
            for callback in filter(self._is_own, list(callbacks)):
                callbacks.remove(callback)
                yield f"get_ipython().events.{event}"

    def _is_own(self, hook: Any) -> bool:
        """Tell whether the notebook defines a hook; installed packages have theirs, such as matplotlib's."""
        function = getattr(hook, "__func__", hook)
        if isinstance(function, functools.partial):
            return self._is_own(function.func)
        if isinstance(function, type):
            return function.__module__ == "__main__"
        if not isinstance(function, types.FunctionType):
            return type(hook).__module__ == "__main__"
        inner = [cell.cell_contents for cell in function.__closure__ or ()]  # IPython wraps what it is given
        functions = [function, *(one for one in inner if isinstance(one, types.FunctionType))]
        return any(one.__globals__ is self._shell.user_ns for one in functions)


def _folder() -> str:
    """Return the working folder; empty if it is gone."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def _import(name: str) -> None:
    """Import a module if it is installed; what lies in the notebook's folder is imported when a cell asks for it."""
    own, sys.path[:] = list(sys.path), [path for path in sys.path if path]
    with contextlib.suppress(Exception, SystemExit):  # of any kind: the cell will meet it
        importlib.import_module(name)
    sys.path[:] = own


def _is_of(name: str, packages: Iterable[str]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def _is_called(value: Any) -> bool:
    return callable(value) or isinstance(value, types.ModuleType | staticmethod | classmethod | property)
