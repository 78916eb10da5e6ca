"""What the calls of a student's definition change of what they are handed.

Places and kinds of changes are reported. Whether a change is damage is the grader's decision: the reference may make it
too, and a task may allow it.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import torch

from autograder.probes.earlier_results import EarlierResults
from autograder.probes.generators import DRAWN, generator_states
from autograder.probes.registry import PROGRAM_FILE
from autograder.probes.snapshots import Change, Snapshot, named_state
from autograder.replacing import replaced

MOST_CHANGES = 50
"""How many changes are reported for one question."""


class CallChanges:
    """What the calls of one question changed.

    Attributes:
        calls: how many of them began.
    """

    def __init__(self) -> None:
        self.calls = 0
        self._returned: dict[tuple[str, str], dict[str, Any]] = {}
        self._raised: dict[tuple[str, str], dict[str, Any]] = {}
        self._earlier = EarlierResults()

    def noted(self, failed: bool = False) -> list[dict[str, Any]]:
        """Return the changes as plain data.

        Args:
            failed: whether the question ended in an exception; then what the call that raised it did is not news.
        """
        found = self._returned if failed else self._returned | self._raised
        return list(found.values())[:MOST_CHANGES]

    def around(
        self,
        function: Callable[..., Any],
        named: Callable[..., Any],
        skip: int = 0,
        also: Callable[[], Iterable[tuple[str, Any]]] = tuple,
    ) -> Callable[..., Any]:
        """Return the function with a snapshot taken before each call and compared after it.

        Args:
            function: what is called.
            named: the function whose parameters name the arguments.
            skip: how many of its first parameters are not among the arguments.
            also: returns further places and what is there.
        """

        @functools.wraps(function, updated=())
        def with_snapshots(*args: Any, **kwargs: Any) -> Any:
            self.calls += 1
            before = Snapshot()
            for index, value in enumerate(args):
                before.add(str(index), value)
            for place, value in (*kwargs.items(), *also()):
                before.add(place, value)
            caller = sys._getframe(1)
            if caller.f_code.co_filename == PROGRAM_FILE:
                for place, value in named_state(caller.f_globals):
                    before.add(place, value, handed=False)
            into, drawn_from = self._raised, generator_states()
            try:
                result = function(*args, **kwargs)
                into = self._returned
            finally:
                for change in before.changes():
                    place = place_in(change.at, named, skip)
                    into.setdefault((change.at, change.what), change._asdict() | {"place": place})
                if generator_states() != drawn_from:
                    drawn = {"at": "", "what": DRAWN, "of": "process", "now": (), "place": ""}
                    into.setdefault(("", DRAWN), drawn)
            if self._earlier.refilled(result, (args, kwargs), lambda: function(*args, **kwargs)):
                change = Change("", "earlier result", "container")
                into.setdefault((change.at, change.what), change._asdict() | {"place": ""})
            return result

        return with_snapshots


def place_in(at: str, named: Callable[..., Any], skip: int = 0) -> str:
    """Return a place in the student's terms: "image.grad" for "0.grad", by the names of parameters."""
    if at.startswith("="):
        return at[1:]
    number = re.match(r"\d+", at)
    if number is None:
        return at
    index, rest = int(number[0]) + skip, at[number.end() :]
    with contextlib.suppress(ValueError, TypeError):
        for place, one in enumerate(inspect.signature(named).parameters.values()):
            if one.kind is one.VAR_POSITIONAL:
                return f"{one.name}[{index - place}]{rest}"
            if place == index:
                return one.name + rest
    return f"argument {index + 1}{rest}"


@contextlib.contextmanager
def compared(names: Mapping[str, Any], target: str, changes: CallChanges) -> Iterator[dict[str, Any]]:
    """Compare what a definition is handed before and after each call within the block.

    A function is wrapped. Of a class with `apply`, `apply` and a Function's `backward` are replaced, so that the class
    and its nodes keep their names; any other class is left alone.

    Args:
        names: global names, the student's or a program's.
        target: the name of the definition among them.
        changes: takes what its calls change.

    Yields:
        The names with the definition wrapped.
    """
    found = names.get(target)
    with contextlib.ExitStack() as stack:
        if isinstance(found, type):
            if callable(getattr(found, "apply", None)):
                _compare_class(found, changes, stack)
        elif callable(found):
            names = {**names, target: changes.around(found, found)}
        yield dict(names)


def _compare_class(of: Any, changes: CallChanges, stack: contextlib.ExitStack) -> None:
    apply, forward = of.apply, getattr(of, "forward", of.apply)
    function = issubclass(of, torch.autograd.Function)
    skip = int(function and of.setup_context is torch.autograd.Function.setup_context)  # `ctx` comes first
    handed: list[tuple[str, torch.Tensor]] = []
    name = functools.cache(lambda index: f"={place_in(str(index), forward, skip)}")

    def applied(*args: Any, **kwargs: Any) -> Any:
        handed.extend((name(index), value) for index, value in enumerate(args) if isinstance(value, torch.Tensor))
        return apply(*args, **kwargs)

    stack.enter_context(replaced(of, "apply", staticmethod(changes.around(applied, forward, skip))))
    backward = getattr(of, "backward", apply)
    if function and backward is not torch.autograd.Function.backward:
        backward_with_snapshots = changes.around(backward, backward, also=lambda: handed)
        stack.enter_context(replaced(of, "backward", staticmethod(backward_with_snapshots)))
