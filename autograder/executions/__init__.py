"""Executions: which one defined what a check judges, and whether the student has written a newer version since.

A kernel keeps the names of the last cell that ran. A cell that fails afterwards, or is edited and not run, leaves them
in place, so that a check can pass code that is no longer in the notebook. IPython's events tell what was run; the saved
notebook tells what the cell contains now, if the front end tells the kernel its file.
"""

from autograder.executions.judged_run import Provenance, provenance, start, why_missing
from autograder.executions.saved import saved_weights

__all__ = ["Provenance", "provenance", "saved_weights", "start", "why_missing"]
