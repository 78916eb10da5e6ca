"""Programs run with a reference in the student's place: what they show, and what the reference changes."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from autograder.probes.call_changes import CallChanges, compared
from autograder.probes.known_state import known_state
from autograder.probes.programs import Program, executed, look
from autograder.probes.specimens import build
from autograder.references.cycles import forget_histories, hooks_removed
from autograder.wire.plain import Specimen

MOST_SHOWN = 64
"""How many programs' values are kept for the moment when they are asked for."""


def outcome(program: Program, name: str, implementation: Any) -> dict[str, Any]:
    """Return what a program shows if the task's name is bound to `implementation`."""
    with known_state(), hooks_removed():
        names = executed(program.text, {name: implementation} | built(program.given))
        shown = look((*program.shown, *program.also), names)
        forget_histories(names)
        return shown


def changes_and_outcome(
    program: Program, name: str, implementation: Any
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return what a program's calls of the task change if its name is bound to `implementation`, and what it shows."""
    found = CallChanges()
    with known_state(), hooks_removed(), compared({name: implementation}, name, found) as wrapped:
        names = executed(program.text, wrapped | built(program.given))
        noted = found.noted()
        shown = look((*program.shown, *program.also), names)
        forget_histories(names)
    return noted, shown


def built(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a program is given, as new objects."""
    return {
        name: build(value) if isinstance(value, Specimen) else copy.deepcopy(value) for name, value in given.items()
    }


class Runs:
    """The runs of programs with an oracle: one run tells what a program changes and what it shows.

    A check asks for the changes first, of those answers that changed anything; of the others nobody compares arguments.
    """

    def __init__(self, name: str, oracle: Any) -> None:
        """
        Args:
            name: the task's name in the programs.
            oracle: an implementation of the task.
        """
        self._name, self._oracle = name, oracle
        self._shown: dict[int, tuple[Program, dict[str, Any]]] = {}

    def changes(self, program: Program) -> list[dict[str, Any]]:
        """Return what a program's calls of the task change, and keep what the program shows."""
        noted, shown = changes_and_outcome(program, self._name, self._oracle)
        if len(self._shown) >= MOST_SHOWN:  # asked for by nobody: another check failed
            self._shown.pop(next(iter(self._shown)))
        self._shown[id(program)] = program, shown
        return noted

    def outcome(self, program: Program) -> dict[str, Any]:
        """Return what a program shows; run it only if `changes` has not."""
        _, shown = self._shown.pop(id(program), (program, None))
        return outcome(program, self._name, self._oracle) if shown is None else shown
