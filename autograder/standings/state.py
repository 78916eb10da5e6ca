"""The states of grading of a cell or a submission."""

from __future__ import annotations

import enum


class State(enum.Enum):
    """How far a cell or a submission is graded; the value is its name in every table and export."""

    GRADED = "graded"
    """Its points are final, including 0."""
    BY_HAND = "waits for a person"
    """A person has to give points, or to confirm them."""
    NOT_GRADED = "not graded"
    """Neither a check nor a person has graded it."""
    NOT_CURRENT = "not current"
    """Its points do not belong to what is handed in now."""
    WITHDRAWN = "withdrawn"
    """It was graded, and its submission is gone."""
    MISSING = "nothing handed in"
    """There is nothing to grade."""
