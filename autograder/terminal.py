"""Print on a terminal so that no text of a student acts as an escape sequence or as rich's markup."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions
from rich.segment import Segment
from rich.table import Table

from autograder.visible_text import visible

LONGEST_NAME = 24
"""Characters of a name on one line of a table; the rest continues on the next."""


class Terminal(Console):
    """A rich console that prints everything as visible text."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"markup": False, "emoji": False, "highlight": False} | options)

    def render(self, renderable: Any, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render as rich does, with the text of every segment made visible; colours stay."""
        for segment in super().render(renderable, options):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                yield Segment(visible(segment.text), segment.style)

    def lines(self, lines: Iterable[str]) -> None:
        """Print lines without wrapping them, into files, pipes and narrow windows alike."""
        for line in lines:
            self.print(visible(line, kept="\t"), soft_wrap=True)


def complain(command: str, error: object) -> None:
    """Print on standard error why a command ends."""
    print(visible(f"{command}: {error}"), file=sys.stderr)


def add_names(table: Table, title: str) -> None:
    """Add a column of students' names, which wrap, because they may have 200 characters."""
    table.add_column(title, overflow="fold", max_width=LONGEST_NAME)
