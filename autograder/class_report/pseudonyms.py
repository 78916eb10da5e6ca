"""What students are called on a page: by their ids, or by numbers that are drawn for this page and kept nowhere."""

from __future__ import annotations

import random
from collections.abc import Iterable


class Pseudonyms:
    """The names of students on one page.

    Attributes:
        anonymous: whether they are numbers.
    """

    def __init__(self, students: Iterable[str], anonymous: bool = False) -> None:
        """
        Args:
            students: the ids of all students who may be named.
            anonymous: whether to draw a number for each.
        """
        self.anonymous = anonymous
        drawn = sorted({*students})
        if anonymous:
            random.SystemRandom().shuffle(drawn)
        self._places = {student: place for place, student in enumerate(drawn, start=1)}

    def of(self, student: str) -> str:
        """Return what a student is called here: the id, or "number 7"."""
        return f"number {self._places[student]}" if self.anonymous else student

    def place(self, student: str) -> int:
        """Return the place of a student in lists, from 1: by id, or by the drawn number."""
        return self._places[student]
