"""Which execution of the notebook defined what a check judges, and whether the student has written a newer version.

A kernel keeps the names of the last cell that ran. A cell that failed afterwards, or that was edited and not run,
leaves them in place, so a check can pass code that is no longer there. Nothing is installed for this: IPython's events
say what was run, and the saved notebook, where the front end tells the kernel its file, says what the cell holds now.
"""

from autograder.executions.saved import saved_weights
from autograder.executions.standing import Provenance, provenance, start, why_missing

__all__ = ["Provenance", "provenance", "saved_weights", "start", "why_missing"]
