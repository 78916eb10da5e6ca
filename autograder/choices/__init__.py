"""Questions with one right choice: as a widget in a notebook, as text everywhere else."""

from autograder.choices.multiple_choice import Code, MultipleChoice
from autograder.choices.showing import at_desk, show

__all__ = ["Code", "MultipleChoice", "at_desk", "show"]
