"""Scores on their way to where a course keeps them: Canvas, Moodle, Gradescope.

The classes are plug-ins of `nbgrader export`, named by dotted path; docs/exports.md shows how.
"""
