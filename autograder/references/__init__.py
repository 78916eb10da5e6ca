"""References: the right answers of a task, from two sources that share no code.

A check compares with the `oracle`; the tests compare the oracle with the `second` source.
"""

from autograder.references.reference import PublicCase, Reference

__all__ = ["PublicCase", "Reference"]
