"""Where a student stands in an assignment: how far it is graded, its points, and how they came about.

The table of `autograder scores`, the summary of a class run and every export read it here.
"""
