"""Questions with one right choice: as a widget in a notebook, as text everywhere else."""

from autograder.choices.multiple_choice import Code, MultipleChoice
from autograder.choices.showing import show

__all__ = ["Code", "MultipleChoice", "show"]
