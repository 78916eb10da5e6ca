"""Right answers written in other ways than the solutions. See `tests/answers.py`."""
