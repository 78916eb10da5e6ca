"""The standing of a student in an assignment: how far it is graded, its points, and who or what gave them.

Read by the table of `autograder scores`, the summary of a class run and every export.
"""
