"""The words for how far a cell, or a submission, is graded."""

from __future__ import annotations

import enum


class State(enum.Enum):
    """How far a cell or a submission is graded; the value is the word that every table and export uses."""

    GRADED = "graded"
    """Its points are final, 0 among them."""
    BY_HAND = "waits for a person"
    """A person has to give points, or to confirm them."""
    NOT_GRADED = "not graded"
    """Nobody has graded it: neither a check, nor a person."""
    NOT_CURRENT = "not current"
    """Its points belong to something else than what was handed in."""
    MISSING = "nothing handed in"
    """There is nothing to grade."""
