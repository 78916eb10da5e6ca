"""What `explain_gradient` found: as text, as a card in a notebook, and as fields for programs."""

from __future__ import annotations

import dataclasses
import textwrap
from html import escape

from autograder.marked_text import RIGHT, WRONG, with_code

WIDTH = 96
AS_GIVEN = "for the inputs as given, not for others drawn in their range"
"""When a gradient is wrong that is right wherever else it was tried."""


@dataclasses.dataclass(frozen=True)
class Fault:
    """One thing that is wrong, or worth knowing.

    Attributes:
        argument: the name of the argument whose gradient is wrong; empty if it concerns all.
        sentence: what was seen, for a person.
        relation: what each wrong number is, if a relation fits all that was tried; else empty.
        place: where the wrong numbers stand, if something says; else empty.
        only: when, if not always: "from the second call on"; else empty.
        program: code that shows it; empty if the sentence is enough.
    """

    argument: str
    sentence: str
    relation: str = ""
    place: str = ""
    only: str = ""
    program: str = ""


@dataclasses.dataclass(frozen=True)
class GradientReport:
    """What `explain_gradient` found.

    Attributes:
        function: the function's name.
        is_right: whether every gradient agreed with finite differences wherever both exist.
        faults: what is wrong, the plainest first.
        notes: what is worth knowing and not wrong.
        tried: what was tried, in a few words each.
    """

    function: str
    faults: tuple[Fault, ...]
    notes: tuple[str, ...]
    tried: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        """Whether nothing wrong was found."""
        return not self.faults

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return self.text()

    def text(self) -> str:
        """Return the report as plain text."""
        lines = [self._head()]
        for fault in self.faults:
            lines += textwrap.wrap(fault.sentence, WIDTH, initial_indent="- ", subsequent_indent="  ")
        if program := next((one.program for one in self.faults if one.program), ""):
            lines += ["This program shows it:", "", textwrap.indent(program.rstrip(), "    "), ""]
        for note in self.notes:
            lines += textwrap.wrap(note, WIDTH, initial_indent="Note: ", subsequent_indent="  ")
        lines += textwrap.wrap(f"Tried: {'; '.join(self.tried)}.", WIDTH, subsequent_indent="  ")
        return "\n".join(lines)

    def _head(self) -> str:
        if self.is_right:
            return f"The gradients of {self.function} agree with finite differences."
        if all(one.only not in ("", AS_GIVEN) for one in self.faults):
            return f"The gradients of {self.function} are right for the inputs as given, and wrong in other cases:"
        return f"The gradients of {self.function} are wrong:"

    def _repr_html_(self) -> str:
        colour = RIGHT if self.is_right else WRONG
        border = f"border:1px solid {colour};border-left-width:6px;border-radius:4px;padding:.5em .8em;max-width:46em"
        faults = "".join(f"<li>{with_code(one.sentence)}</li>" for one in self.faults)
        program = next((one.program for one in self.faults if one.program), "")
        shown = f"<p>This program shows it:</p><pre>{escape(program)}</pre>" if program else ""
        notes = "".join(f"<p>Note: {with_code(note)}</p>" for note in self.notes)
        tried = f"<p><small>Tried: {with_code('; '.join(self.tried))}.</small></p>"
        head = f"<strong>{with_code(self._head())}</strong>"
        return f'<div class="tex2jax_ignore" style="{border}">{head}<ul>{faults}</ul>{shown}{notes}{tried}</div>'
