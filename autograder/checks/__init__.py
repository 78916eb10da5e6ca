"""Checks: what a task asks and what its answers are worth; each is an ordinary pytest test in the task's folder.

The same test serves `check("task")` in a notebook, `pytest exercise.ipynb` and a grading run.
"""
