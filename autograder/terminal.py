"""The terminal of who runs a command: no text of a student acts in it, as a command of its own or as rich's markup."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions
from rich.segment import Segment
from rich.table import Table

from autograder.visible_text import visible

LONGEST_NAME = 24
"""Characters of a name on one line of a table; the rest of it stands below."""


class Terminal(Console):
    """rich's console, except that whatever is printed is visible text and nothing else."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"markup": False, "emoji": False, "highlight": False} | options)

    def render(self, renderable: Any, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """rich's own step from what is printed to text with colours, which go on as they are."""
        for segment in super().render(renderable, options):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                yield Segment(visible(segment.text), segment.style)

    def lines(self, lines: Iterable[str]) -> None:
        """Print lines as long as they are, for files and pipes and narrow windows alike."""
        for line in lines:
            self.print(visible(line, kept="\t"), soft_wrap=True)


def complain(command: str, error: object) -> None:
    """Say on standard error why a command of ours ends."""
    print(visible(f"{command}: {error}"), file=sys.stderr)


def add_names(table: Table, title: str) -> None:
    """A column of students' names, which may be 200 characters long and may not take the others' room."""
    table.add_column(title, overflow="fold", max_width=LONGEST_NAME)
