"""Reading and writing nbgrader's gradebook, and the folders beside it, without nbgrader's converters.

Shared by nbgrader's steps, standings, exports and class grading. Imports neither torch nor pytest.
"""
