"""Practice on mistakes that a student once made: a wrong program beside a right one, `practice()`."""

from autograder.practising.asking import practice

__all__ = ["practice"]
