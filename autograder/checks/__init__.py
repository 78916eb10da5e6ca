"""Checks: what a task asks, and what its answers are worth. Ordinary pytest tests, one file per exercise.

The same test serves all doors: `check("task")` in a notebook, `pytest exercise.ipynb`, and a grading run.
"""
