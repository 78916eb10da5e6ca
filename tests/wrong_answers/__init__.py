"""Wrong answers: each named mistake as a student could make it. See `tests/answers.py`."""
